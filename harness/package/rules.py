"""submissions.yaml: what each submission must get (2025-09, "submissions.yaml")."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

import yaml

from harness.errors import Fault
from harness.package.constants import Constants, substitute
from harness.package.files import File
from harness.package.model import Rule
from harness.package.yamltext import Section, Value, parse_section

CODES = frozenset({"AC", "WA", "TLE", "RTE"})

DEFAULT_RULES = (
    Rule(pattern="accepted", permitted=frozenset({"AC"})),
    Rule(pattern="rejected", required=frozenset({"RTE", "TLE", "WA"})),
    Rule(pattern="wrong_answer", permitted=frozenset({"AC", "WA"}), required=frozenset({"WA"})),
    Rule(pattern="time_limit_exceeded", permitted=frozenset({"AC", "TLE"}), required=frozenset({"TLE"})),
    Rule(pattern="run_time_error", permitted=frozenset({"AC", "RTE"}), required=frozenset({"RTE"})),
    Rule(pattern="brute_force", permitted=frozenset({"AC", "RTE", "TLE"}), required=frozenset({"RTE", "TLE"})),
)


@dataclass(frozen=True, kw_only=True)
class ProgramHints:
    """What submissions.yaml says about how to build the submissions that `pattern` matches."""

    pattern: str
    language: str | None
    entrypoint: str | None


@dataclass(frozen=True, kw_only=True)
class Expectations:
    """Everything that submissions.yaml says."""

    rules: tuple[Rule, ...]
    hints: tuple[ProgramHints, ...] = ()


def read_rules(file: File | None, constants: Constants, faults: list[Fault]) -> Expectations:
    """The default rules, replaced or joined by those of submissions.yaml."""
    if file is None:
        return Expectations(rules=DEFAULT_RULES)
    section = parse_section(file.origin, substitute(file.read(), constants), faults)
    if section is None:
        return Expectations(rules=DEFAULT_RULES)
    defaults = {rule.pattern: rule for rule in DEFAULT_RULES}
    rules: list[Rule] = []
    hints: list[ProgramHints] = []
    for pattern, value in section.entries.items():
        entry = value.section()
        if entry is None:
            continue
        inherited = defaults.pop(pattern, Rule(pattern=pattern))
        hints.append(_hints(pattern, entry))
        rules += _rules_of(pattern, entry, inherited)
    return Expectations(rules=(*defaults.values(), *rules), hints=tuple(hints))


def _hints(pattern: str, entry: Section) -> ProgramHints:
    for passive in ("authors", "model_solution"):
        entry.take(passive)
    return ProgramHints(pattern=pattern, language=entry.string("language"), entrypoint=entry.string("entrypoint"))


def _rules_of(pattern: str, entry: Section, inherited: Rule) -> list[Rule]:
    rules = [_constraints(entry, inherited)]
    for cases, value in entry.entries.items():
        # Whatever is not a key of its own is a glob over groups and cases; a plain word there is a misspelt key.
        if not isinstance(value.node, yaml.MappingNode):
            value.fault(f"unknown key `{cases}` in submissions.yaml: remove it or correct its name")
            continue
        section = value.section()
        if section is not None:
            rules.append(_constraints(section, Rule(pattern=pattern, cases=cases)))
            section.finish("submissions.yaml")
    return rules


def _constraints(section: Section, inherited: Rule) -> Rule:
    return replace(
        inherited,
        permitted=_codes(section, "permitted", inherited.permitted),
        required=_codes(section, "required", inherited.required),
        score=_score(section.take("score")),
        message=section.string("message"),
        use_for_time_limit=_use(section.take("use_for_time_limit")),
    )


def _codes(section: Section, key: str, inherited: frozenset[str] | None) -> frozenset[str] | None:
    value = section.take(key)
    if value is None:
        return inherited
    codes = set()
    for item in value.items():
        if item.plain in CODES:
            codes.add(str(item.plain))
        else:
            item.fault(f"`{key}` holds {item.plain!r}, must be one of: {', '.join(sorted(CODES))}")
    return frozenset(codes)


def _score(value: Value | None) -> tuple[float, float] | None:
    if value is None:
        return None
    numbers = [item.plain for item in value.items()]
    match numbers:
        case [int() | float() as only]:
            return (float(only), float(only))
        case [int() | float() as low, int() | float() as high]:
            return (float(low), float(high))
    value.fault("`score` must be a number or [lowest, highest]")
    return None


def _use(value: Value | None) -> bool | str | None:
    if value is None:
        return None
    if value.plain is False or value.plain in ("lower", "upper"):
        return value.plain if isinstance(value.plain, str) else False
    value.fault("`use_for_time_limit` must be false, lower or upper")
    return None


def matches(pattern: str, path: str) -> bool:
    """Whether the glob matches `path` or a folder above it. `*` stops at `/`; braces expand; no `**`, no `[]`."""
    expression = re.compile("|".join(map(_translate, _expand_braces(pattern.strip("/")))))
    parts = path.split("/")
    return any(expression.fullmatch("/".join(parts[:count])) for count in range(1, len(parts) + 1))


def _translate(pattern: str) -> str:
    return "".join({"*": "[^/]*", "?": "[^/]"}.get(char, re.escape(char)) for char in pattern)


def _expand_braces(pattern: str) -> Iterable[str]:
    found = re.search(r"\{([^{}]*)\}", pattern)
    if found is None:
        return [pattern]
    before, after = pattern[: found.start()], pattern[found.end() :]
    return [full for choice in found[1].split(",") for full in _expand_braces(before + choice + after)]
