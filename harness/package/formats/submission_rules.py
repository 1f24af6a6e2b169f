"""Rules for the verdicts of submissions: submissions.yaml (2025-09), default folders, comments in submissions."""

import re
from collections.abc import Sequence
from dataclasses import replace

from harness.package.constants import Constants, substituted
from harness.package.files import File
from harness.package.findings import Findings
from harness.package.globs import LONGEST
from harness.package.model import Program, Rule
from harness.package.yaml_lines import YamlSection, YamlValue, score_in, section_of
from harness.values import dataclass

CODES = frozenset({"AC", "WA", "TLE", "RTE"})
_IN_TIME, _TOO_SLOW = frozenset({"AC", "WA", "RTE"}), frozenset({"TLE"})

DEFAULT_RULES = (
    Rule(pattern="accepted", permitted=frozenset({"AC"})),
    Rule(pattern="rejected", required=frozenset({"RTE", "TLE", "WA"})),
    Rule(pattern="wrong_answer", permitted=frozenset({"AC", "WA"}), required=frozenset({"WA"})),
    Rule(pattern="time_limit_exceeded", permitted=frozenset({"AC", "TLE"}), required=frozenset({"TLE"})),
    Rule(pattern="run_time_error", permitted=frozenset({"AC", "RTE"}), required=frozenset({"RTE"})),
    Rule(pattern="brute_force", permitted=frozenset({"AC", "RTE", "TLE"}), required=frozenset({"RTE", "TLE"})),
)
# Folders of other tools and courses, with the verdict that each names.
_OTHER_FOLDERS = (
    ("wrong_answer", "WA"),
    ("wrong-answer", "WA"),
    ("no_output", "WA"),
    ("presentation_error", "WA"),
    ("{timelimit_exceeded,time-limit-exceeded,timelimit}", "TLE"),
    ("{run_time_error,runtime_error,run-time-error,run_error}", "RTE"),
    ("{memory_limit_exceeded,memory_limit,output_limit_exceeded,output_limit}", "RTE"),
)
# Legacy folders state the submission's verdict, and only accepted submissions bound the time limit from below.
LEGACY_RULES = (
    Rule(pattern="accepted", permitted=frozenset({"AC"}), use_for_time_limit="lower"),
    Rule(pattern="partially_accepted", permitted=frozenset({"AC"}), use_for_time_limit=False, below_maximum=True),
    # Right and slow: other tools do not run it, so its author cannot know whether it is within the limit.
    Rule(pattern="slow_accepted", permitted=frozenset({"AC", "TLE"}), use_for_time_limit=False),
    Rule(pattern="rejected", permitted=frozenset({"RTE", "TLE", "WA"}), use_for_time_limit=False),
    Rule(
        pattern="time_limit_exceeded",
        permitted=frozenset({"TLE"}),
        required=frozenset({"TLE"}),
        use_for_time_limit="upper",
    ),
    *(
        Rule(pattern=folder, permitted=frozenset({code}), use_for_time_limit=False)
        for folder, code in _OTHER_FOLDERS
    ),
    Rule(pattern="{compile_error,compiler_error}", verdicts=frozenset({"CE"}), use_for_time_limit=False),
)
KNOWN_RULES = (*DEFAULT_RULES, *LEGACY_RULES)


@dataclass(frozen=True, kw_only=True)
class ProgramHints:
    """The language and entrypoint that submissions.yaml gives, in this line, the submissions that `pattern` matches."""

    pattern: str
    line: int
    language: str | None
    entrypoint: str | None


@dataclass(frozen=True, kw_only=True)
class Expectations:
    """The content of submissions.yaml."""

    rules: tuple[Rule, ...]
    hints: tuple[ProgramHints, ...] = ()


def read_rules(
    file: File | None, constants: Constants, findings: Findings, *, defaults: Sequence[Rule] = DEFAULT_RULES
) -> Expectations:
    """Return the default rules, replaced or extended by those of submissions.yaml."""
    section = section_of(substituted(file, constants), findings) if file is not None else None
    if section is None:
        return Expectations(rules=tuple(defaults))
    standing = {rule.pattern: rule for rule in defaults}
    rules: list[Rule] = []
    hints: list[ProgramHints] = []
    for pattern, value in section.entries.items():
        if len(pattern) > LONGEST:
            value.fault(f"a glob of {len(pattern)} characters: at most {LONGEST} are read")
            continue
        entry = value.section() if value.plain is not None else None  # an empty glob has no rules
        if entry is None:
            continue
        inherited = standing.pop(pattern, Rule(pattern=pattern))
        hints.append(_hints(pattern, entry, value.line))
        rules += _rules_of(pattern, entry, inherited)
    return Expectations(rules=(*standing.values(), *rules), hints=tuple(hints))


def _hints(pattern: str, entry: YamlSection, line: int) -> ProgramHints:
    for passive in ("authors", "model_solution"):
        entry.take(passive)
    language, entrypoint = entry.string("language"), entry.string("entrypoint")
    return ProgramHints(pattern=pattern, line=line, language=language, entrypoint=entrypoint)


def _rules_of(pattern: str, entry: YamlSection, inherited: Rule) -> list[Rule]:
    rules = _constraints(entry, inherited)
    for cases, value in tuple(entry.entries.items()):
        if value.is_mapping:  # a glob over groups and cases; with a plain value a misspelt key
            section = YamlSection(value=value)
            rules += _constraints(section, Rule(pattern=pattern, cases=cases))
            section.finish("submissions.yaml")
            del entry.entries[cases]
    entry.finish("submissions.yaml")
    return rules


def _constraints(section: YamlSection, inherited: Rule) -> list[Rule]:
    rule = replace(
        inherited,
        permitted=_codes(section, "permitted", inherited.permitted),
        required=_codes(section, "required", inherited.required),
        score=_score(section.take("score")),
        message=section.string("message"),
    )
    if "use_for_time_limit" not in section.entries:
        return [rule]
    rule = replace(rule, use_for_time_limit=_use(section.take("use_for_time_limit")))
    return [rule, *_meant(rule)]


def _meant(rule: Rule) -> list[Rule]:
    """Return the rules that `use_for_time_limit` implies beside its bound (2025-09, "Timelimit inference")."""
    silent = Rule(pattern=rule.pattern, cases=rule.cases, use_for_time_limit=False)
    if rule.use_for_time_limit == "lower" and not (rule.permitted is not None and rule.permitted <= _IN_TIME):
        return [replace(silent, permitted=_IN_TIME)]
    if rule.use_for_time_limit == "upper" and rule.required != _TOO_SLOW:
        return [replace(silent, required=_TOO_SLOW)]
    return []


def _codes(section: YamlSection, key: str, inherited: frozenset[str] | None) -> frozenset[str] | None:
    value = section.take(key)
    if value is None:
        return inherited
    codes = set()
    for item, word in _listed(value, key):
        if word in CODES:
            codes.add(word)
        else:
            item.fault(f"`{key}` holds {word or item.plain!r}, must be one of: {', '.join(sorted(CODES))}")
    return frozenset(codes)


def _listed(value: YamlValue, key: str) -> list[tuple[YamlValue, str | None]]:
    """Return the items of a list with their texts; a string of several words is read as a list, with a warning."""
    if value.text is None:
        return [(item, item.text) for item in value.items()]
    words = value.text.replace(",", " ").split()
    if not words:
        return [(value, None)]
    value.warn(f"`{key}` is one string: read as the list [{', '.join(words)}]; write it so")
    return [(value, word) for word in words]


def _score(value: YamlValue | None) -> tuple[float, float] | None:
    if value is None:
        return None
    match [score_in(item.text or "") for item in value.items()]:
        case [float() as only]:
            return (only, only)
        case [float() as low, float() as high] if low <= high:
            return (low, high)
    value.fault("`score` must be a number or [lowest, highest], of at most 1e15")
    return None


def _use(value: YamlValue | None) -> bool | str | None:
    if value is None or value.plain is True:
        return None
    if value.plain is False or value.plain in ("lower", "upper"):
        return value.plain if isinstance(value.plain, str) else False
    value.fault("`use_for_time_limit` must be false, lower or upper")
    return None


# In these folders DOMjudge goes by the folder, not by the comment.
_OFFICIAL = frozenset({"accepted", "wrong_answer", "time_limit_exceeded", "run_time_error"})
_COMMENT = re.compile(rb"@EXPECTED_RESULTS@:([^\r\n]{0,500})")
_SCORE = re.compile(rb"@EXPECTED_SCORE@:[ \t]*+([0-9]{1,12}(?:\.[0-9]{1,9})?)[ \t]*+(?:\*/)?[ \t]*+(?:[\r\n]|$)")
_WORDS = {
    **dict.fromkeys(("CORRECT", "ACCEPTED", "AC"), "AC"),
    **dict.fromkeys(("WRONG-ANSWER", "WRONG-OUTPUT", "NO-OUTPUT", "PRESENTATION-ERROR", "WA"), "WA"),
    **dict.fromkeys(("TIMELIMIT", "TIME-LIMIT-EXCEEDED", "TLE"), "TLE"),
    **dict.fromkeys(("RUN-ERROR", "RUN-TIME-ERROR", "RUNTIME-ERROR", "RTE"), "RTE"),
    **dict.fromkeys(("OUTPUT-LIMIT", "MEMORY-LIMIT", "MEMORY-LIMIT-EXCEEDED", "OUTPUT-LIMIT-EXCEEDED"), "RTE"),
    **dict.fromkeys(("COMPILER-ERROR", "COMPILE-ERROR"), "CE"),
}


def rules_in_comments(submissions: Sequence[Program], findings: Findings, *, scoring: bool) -> tuple[Rule, ...]:
    """Return the rules in comments of submissions: `@EXPECTED_RESULTS@:` and, in scoring problems, `@EXPECTED_SCORE@:`.

    DOMjudge and BAPCtools read them, too. In the official folders the folder counts, not the verdict in the comment.
    """
    rules = [
        _rule(submission, findings) for submission in submissions if submission.path.split("/")[0] not in _OFFICIAL
    ]
    rules += [_score_rule(submission) for submission in submissions] if scoring else []
    return tuple(rule for rule in rules if rule is not None)


def _score_rule(submission: Program) -> Rule | None:
    comments = (_SCORE.search(file.read()) for file in submission.files.values())
    score = next((float(comment[1]) for comment in comments if comment is not None), None)
    return Rule(pattern=submission.path, score=(score, score)) if score is not None else None


def _rule(submission: Program, findings: Findings) -> Rule | None:
    for file in submission.files.values():
        comment = _COMMENT.search(file.read())
        if comment is None:
            continue
        words = [word.strip() for word in comment[1].decode(errors="replace").split(",")]
        codes = {_code(word) for word in words if word}
        if None in codes:
            findings.warn(file.origin, f"@EXPECTED_RESULTS@ names no known verdict: {', '.join(words)[:80]!r}")
        verdicts = frozenset(code for code in codes if code is not None)
        return Rule(pattern=submission.path, verdicts=verdicts) if verdicts else None
    return None


def _code(word: str) -> str | None:
    return _WORDS.get(word.upper().replace("_", "-").split(" ")[0])
