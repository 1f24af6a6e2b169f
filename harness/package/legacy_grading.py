"""The keys by which legacy grades: of a group's `testdata.yaml`, and of problem.yaml in the oldest packages."""

from collections.abc import Mapping
from pathlib import PurePath

from harness.package.findings import Findings
from harness.package.model import GroupGrading, Program, ScoreMode, VerdictMode
from harness.package.yaml_lines import LARGEST_SCORE, Section, Value, score_in

KEYS = ("grading", "on_reject", "grader_flags", "accept_score", "reject_score", "range")
_VERDICTS = {**{mode.value: mode for mode in VerdictMode}, "no_errors": VerdictMode.WORST_ERROR}  # an older name
_SCORES = {mode.value: mode for mode in ScoreMode}
_FLAGS = {*_VERDICTS, *_SCORES, "ignore_sample", "accept_if_any_accepted"}
_OLDER_POLICIES = {"first_error": "break", "worst_error": "continue", "grade": "continue"}
_INFINITE = {"-inf": -float("inf"), "+inf": float("inf"), "inf": float("inf")}

Words = Mapping[str, str]


def take_words(section: Section, inherited: Words, *, oldest: bool = False) -> Words:
    """`inherited` with what the keys of `section` say, as words that `grading_of` can read; the rest becomes findings.

    oldest: the section is of problem.yaml, where `on_reject` has other words.
    """
    words = dict(inherited)
    for key in KEYS:
        value = section.take(key)
        if value is None:
            continue
        said = " ".join(item.text or "" for item in value.items()).strip()
        checked = _checked(key, said, value, words, oldest=oldest)
        if checked is not None:
            words[key] = checked
    return words


def _checked(key: str, said: str, value: Value, words: Words, *, oldest: bool) -> str | None:
    """`said`, or what is meant by it; None where it says nothing."""
    if key == "on_reject":
        return _policy(said, value, oldest=oldest)
    if key == "range":
        if _range(said) is None:
            value.warn(f"`range` is {said[:80]!r}, must be two numbers, the lower first: read as no range")
            return None
    elif key == "grader_flags":
        unknown = [flag for flag in said.split() if flag not in _FLAGS]
        if unknown and words.get("grading") != "custom":
            value.warn(f"`grader_flags` holds {unknown[0]!r}, which the default grader does not know: ignored")
    elif key == "grading":
        if said not in ("default", "custom"):
            value.fault(f"`grading` is {said!r}, must be default or custom")
            return None
    elif score_in(said) is None:
        value.fault(f"`{key}` is {said[:80]!r}, must be a number of at most {LARGEST_SCORE:g}")
        return None
    return said


def _policy(said: str, value: Value, *, oldest: bool) -> str | None:
    if said in ("break", "continue"):
        return said
    if said not in _OLDER_POLICIES:
        value.fault(f"`on_reject` is {said!r}, must be break or continue")
    elif not oldest:
        value.warn(f"`on_reject: {said}` is older than this file: read as {_OLDER_POLICIES[said]}")
    return _OLDER_POLICIES.get(said)


def grading_of(path: PurePath, words: Words, graders: tuple[Program, ...], findings: Findings) -> GroupGrading:
    """The grading of a group; of several modes the last one counts (legacy, "Default grader specification")."""
    flags = tuple(words.get("grader_flags", "").split())
    custom = words.get("grading") == "custom"
    if custom and not graders:
        findings.fault(path, "`grading: custom` without a program in graders/")
    if len(graders) > 1:
        findings.warn(path, f"several graders: {graders[0].path} is used")
    return GroupGrading(
        grader=graders[0] if custom and graders else None,
        grader_flags=flags,
        verdict_mode=next(
            (_VERDICTS[flag] for flag in reversed(flags) if flag in _VERDICTS), VerdictMode.WORST_ERROR
        ),
        score_mode=next((_SCORES[flag] for flag in reversed(flags) if flag in _SCORES), ScoreMode.SUM),
        ignore_sample="ignore_sample" in flags,
        accept_if_any_accepted="accept_if_any_accepted" in flags,
        break_on_reject=words.get("on_reject") != "continue",
        accept_score=_number(words, "accept_score", 1.0),
        reject_score=_number(words, "reject_score", 0.0),
        score_range=_range(words.get("range", "")),
    )


def _number(words: Words, key: str, default: float) -> float:
    number = score_in(words.get(key, ""))
    return default if number is None else number


def _range(said: str) -> tuple[float, float] | None:
    bounds = [_INFINITE.get(word.lower(), score_in(word)) for word in said.replace(",", " ").split()]
    match bounds:
        case [float() as low, float() as high] if low <= high:
            return (low, high)
    return None
