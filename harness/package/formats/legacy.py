"""The legacy format: nested groups, which inherit the `testdata.yaml` of all folders above and are graded by graders.

The oldest packages state how groups are graded in problem.yaml.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import PurePath

from harness.package.findings import Findings
from harness.package.formats.cases import (
    GRADING_KEYS,
    GROUP_FILE,
    LEGACY_GROUP_FILE,
    read_case_settings,
    take_flags,
)
from harness.package.formats.source import FolderSettings, GroupReader
from harness.package.model import CaseSettings, Group, GroupGrading, Program, ScoreMode, VerdictMode
from harness.package.yaml_lines import LARGEST_SCORE, YamlSection, YamlValue, score_in
from harness.values import dataclass

_VERDICTS = {**{mode.value: mode for mode in VerdictMode}, "no_errors": VerdictMode.WORST_ERROR}  # an older name
_SCORES = {mode.value: mode for mode in ScoreMode}
_FLAGS = {*_VERDICTS, *_SCORES, "ignore_sample", "accept_if_any_accepted"}
_OLDER_POLICIES = {"first_error": "break", "worst_error": "continue", "grade": "continue"}
_INFINITE = {"-inf": -float("inf"), "+inf": float("inf"), "inf": float("inf")}

Words = Mapping[str, str]
_DEFAULT_FLAGS = ("float_tolerance", "float_relative_tolerance", "float_absolute_tolerance")


@dataclass(frozen=True, kw_only=True)
class LegacySettings(FolderSettings):
    """The settings of a folder: the text of each key of GRADING_KEYS, and the settings of its cases."""

    words: Words


@dataclass(frozen=True, kw_only=True)
class LegacyReader(GroupReader[LegacySettings]):
    """Read the groups of legacy's data/.

    graders: the package's own. oldest: the `grading` of problem.yaml for all groups. default_validator: whether the
    flags are for the default output validator.
    """

    graders: tuple[Program, ...] = ()
    oldest: Words
    default_validator: bool = False

    def top(self) -> LegacySettings:
        """Return what data/ itself inherits."""
        return LegacySettings(words=self.oldest)

    def sample(self) -> Group:
        """Read data/sample, with all groups in it."""
        return replace(self._group("sample"), shown_only=self.cases.shown_samples())

    def secret(self) -> Group:
        """Read data/secret, with all groups in it."""
        return self._group("secret")

    def _group(self, folder: str) -> Group:
        grading = self.grading(folder)
        bounds = grading.score_range
        names = self.cases.tree.folders.get(folder, ())
        return Group(
            name=folder,
            cases=tuple(self.cases_in(folder)),
            groups=tuple(self._group(f"{folder}/{name}") for name in names),
            max_score=bounds[1] if self.scoring and bounds is not None and bounds[1] < float("inf") else None,
            grading=grading,
        )

    def for_cases(self, settings: LegacySettings) -> CaseSettings:
        """Return the settings of the cases of a folder: the flags of problem.yaml come before those of groups."""
        flags = (*self.validator_flags, *settings.cases.output_validator_args)
        return replace(
            settings.cases, output_validator_args=_last_of_each(flags) if self.default_validator else flags
        )

    def read(self, folder: str, inherited: LegacySettings) -> LegacySettings:
        """Read the settings of a folder: all are inherited."""
        words, case_settings = inherited.words, inherited.cases
        for name in (LEGACY_GROUP_FILE, GROUP_FILE):
            path = f"{folder}/{name}".lstrip("/")
            section = self.cases.section(path)
            if section is None:
                continue
            words = take_words(section, words)
            case_settings = read_case_settings(section, take_flags(section, case_settings))
            section.finish(name, strict=False)
        return LegacySettings(words=words, cases=case_settings)

    def grading(self, folder: str = "") -> GroupGrading:
        """Return the grading of a folder; by default that of data/ itself, over sample and secret."""
        origin = self.cases.origin_of(f"{folder}/{LEGACY_GROUP_FILE}".lstrip("/"))
        return grading_of(origin, self.of(folder).words, self.graders, self.cases.findings)


def _last_of_each(flags: Iterable[str]) -> tuple[str, ...]:
    """Return each flag once, with its last value: that of the nearest group."""
    chosen: dict[str, tuple[str, ...]] = {}
    words = iter(flags)
    for word in words:
        value = (word, *((next(words, ""),) if word in _DEFAULT_FLAGS else ()))
        if word == "float_tolerance":
            chosen.pop("float_relative_tolerance", None)
            chosen.pop("float_absolute_tolerance", None)
        elif word in _DEFAULT_FLAGS:
            chosen.pop("float_tolerance", None)
        chosen[word] = value
    return tuple(part for value in chosen.values() for part in value)


def take_words(section: YamlSection, inherited: Words, *, oldest: bool = False) -> Words:
    """Return `inherited` overridden by the keys of `section`, as words for `grading_of`; mistakes are reported.

    oldest: the section is of problem.yaml, where `on_reject` has other words.
    """
    words = dict(inherited)
    for key in GRADING_KEYS:
        value = section.take(key)
        if value is None:
            continue
        text = " ".join(item.text or "" for item in value.items()).strip()
        checked = _checked(key, text, value, words, oldest=oldest)
        if checked is not None:
            words[key] = checked
    return words


def _checked(key: str, text: str, value: YamlValue, words: Words, *, oldest: bool) -> str | None:
    """Return the checked text of a key, older words replaced; None if it is wrong."""
    if key == "on_reject":
        return _policy(text, value, oldest=oldest)
    if key == "range":
        if _range(text) is None:
            value.warn(f"`range` is {text[:80]!r}, must be two numbers, the lower first: read as no range")
            return None
    elif key == "grader_flags":
        unknown = [flag for flag in text.split() if flag not in _FLAGS]
        if unknown and words.get("grading") != "custom":
            value.warn(f"`grader_flags` holds {unknown[0]!r}, which the default grader does not know: ignored")
    elif key == "grading":
        if text not in ("default", "custom"):
            value.fault(f"`grading` is {text!r}, must be default or custom")
            return None
    elif score_in(text) is None:
        value.fault(f"`{key}` is {text[:80]!r}, must be a number of at most {LARGEST_SCORE:g}")
        return None
    return text


def _policy(text: str, value: YamlValue, *, oldest: bool) -> str | None:
    if text in ("break", "continue"):
        return text
    if text not in _OLDER_POLICIES:
        value.fault(f"`on_reject` is {text!r}, must be break or continue")
    elif not oldest:
        value.warn(f"`on_reject: {text}` is older than this file: read as {_OLDER_POLICIES[text]}")
    return _OLDER_POLICIES.get(text)


def grading_of(path: PurePath, words: Words, graders: tuple[Program, ...], findings: Findings) -> GroupGrading:
    """Return the grading of a group; of several modes the last one counts (legacy, "Default grader specification")."""
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


def _range(text: str) -> tuple[float, float] | None:
    bounds = [_INFINITE.get(word.lower(), score_in(word)) for word in text.replace(",", " ").split()]
    match bounds:
        case [float() as low, float() as high] if low <= high:
            return (low, high)
    return None
