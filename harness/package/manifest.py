"""problem.yaml of the 2025-09 format: keys, defaults, and a fault for whatever does not fit."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass

import yaml

from harness.package.constants import Constants, read_constants
from harness.package.model import Person, ProblemLimits, ProblemType
from harness.package.yamltext import Section, Value

LICENSES = ("unknown", "public domain", "cc0", "cc by", "cc by-sa", "educational", "permission")
CREDIT_ROLES = ("authors", "contributors", "testers", "packagers", "acknowledgements")


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """What problem.yaml says, defaults filled in."""

    names: Mapping[str, str]
    types: frozenset[ProblemType]
    limits: ProblemLimits
    constants: Constants
    authors: tuple[Person, ...]
    source: str | None
    license: str


def read_manifest(section: Section) -> Manifest:
    """Read every key of problem.yaml; faults go to the section's list."""
    section.take("problem_format_version")
    _check_uuid(section)
    for passive in ("version", "embargo_until", "keywords", "languages", "allow_file_writing"):
        section.take(passive)
    authors = _authors(section.take("credits"))
    source = _source(section.take("source"))
    manifest = Manifest(
        names=_names(section.require("name")),
        types=_types(section.take("type")),
        limits=_limits(section.take("limits")),
        constants=read_constants(section.take("constants")),
        authors=authors,
        source=source,
        license=_license(section, derivable=bool(authors or source)),
    )
    section.finish("problem.yaml")
    return manifest


def _check_uuid(section: Section) -> None:
    value = section.require("uuid")
    if value is None:
        return
    try:
        uuid.UUID(str(value.plain))
    except ValueError:
        value.fault(f"`uuid` is not a UUID; a fresh one: {uuid.uuid4()}")


def _names(value: Value | None) -> dict[str, str]:
    if value is None:
        return {}
    if isinstance(value.node, yaml.ScalarNode):
        return {"en": str(value.node.value)}
    section = value.section()
    return {} if section is None else {language: str(name.plain) for language, name in section.entries.items()}


def _types(value: Value | None) -> frozenset[ProblemType]:
    if value is None:
        return frozenset({ProblemType.PASS_FAIL})
    types: set[ProblemType] = set()
    for item in value.items():
        try:
            kind = ProblemType(str(item.plain))
        except ValueError:
            item.fault(f"the type {item.plain!r} must be one of: {', '.join(ProblemType)}")
            continue
        if kind in types:
            item.fault(f"the type {kind} stands twice")
        types.add(kind)
    _check_types(types, value)
    return frozenset(types)


def _check_types(types: set[ProblemType], value: Value) -> None:
    if {ProblemType.PASS_FAIL, ProblemType.SCORING} <= types:
        value.fault("a problem is either pass-fail or scoring")
    if ProblemType.SUBMIT_ANSWER in types and types & {ProblemType.MULTI_PASS, ProblemType.INTERACTIVE}:
        value.fault("submit-answer goes with neither multi-pass nor interactive")


def _limits(value: Value | None) -> ProblemLimits:
    section = value.section() if value is not None else None
    if section is None:
        return ProblemLimits()
    defaults = ProblemLimits()
    multipliers_value = section.take("time_multipliers")
    multipliers = multipliers_value.section() if multipliers_value is not None else None
    limits = ProblemLimits(
        time_limit_s=section.number("time_limit", 0.001),
        ac_to_time_limit=_number(multipliers, "ac_to_time_limit", 1, defaults.ac_to_time_limit),
        time_limit_to_tle=_number(multipliers, "time_limit_to_tle", 1, defaults.time_limit_to_tle),
        time_resolution_s=_number(section, "time_resolution", 0.001, defaults.time_resolution_s),
        memory_mib=_integer(section, "memory", 1, defaults.memory_mib),
        output_mib=_integer(section, "output", 1, defaults.output_mib),
        code_kib=_integer(section, "code", 1, defaults.code_kib),
        compilation_time_s=_number(section, "compilation_time", 1, defaults.compilation_time_s),
        compilation_memory_mib=_integer(section, "compilation_memory", 1, defaults.compilation_memory_mib),
        validation_time_s=_number(section, "validation_time", 1, defaults.validation_time_s),
        validation_memory_mib=_integer(section, "validation_memory", 1, defaults.validation_memory_mib),
        validation_output_mib=_integer(section, "validation_output", 1, defaults.validation_output_mib),
        validation_passes=_integer(section, "validation_passes", 2, defaults.validation_passes),
    )
    section.finish("limits")
    if multipliers is not None:
        multipliers.finish("limits.time_multipliers")
    return limits


def _number(section: Section | None, key: str, low: float, default: float) -> float:
    number = section.number(key, low, default) if section is not None else None
    return default if number is None else number


def _integer(section: Section, key: str, low: int, default: int) -> int:
    number = section.integer(key, low, default)
    return default if number is None else number


def _license(section: Section, *, derivable: bool) -> str:
    license_value = section.entries.get("license")
    chosen = section.choice("license", LICENSES, "unknown") or "unknown"
    owner = section.take("rights_owner")
    if owner is not None and chosen == "public domain":
        owner.fault("`rights_owner` and `license: public domain` exclude each other")
    if owner is None and license_value and chosen not in ("unknown", "public domain") and not derivable:
        license_value.fault("this license needs a `rights_owner` (or credits.authors, or a source)")
    return chosen


def _authors(value: Value | None) -> tuple[Person, ...]:
    if value is None:
        return ()
    if isinstance(value.node, yaml.ScalarNode):
        return (_person_from_text(str(value.node.value)),)
    section = value.section()
    if section is None:
        return ()
    authors = _persons(section.take("authors"))
    for role in (*CREDIT_ROLES, "translators"):
        section.take(role)
    section.finish("credits")
    return authors


def _persons(value: Value | None) -> tuple[Person, ...]:
    if value is None:
        return ()
    return tuple(person for person in map(_person, value.items()) if person is not None)


def _person(value: Value) -> Person | None:
    if isinstance(value.node, yaml.ScalarNode):
        return _person_from_text(str(value.node.value))
    section = value.section()
    if section is None:
        return None
    name, email = section.require("name"), section.string("email")
    for passive in ("orcid", "kattis"):
        section.take(passive)
    section.finish("a person")
    return Person(name=str(name.plain), email=email) if name is not None else None


def _person_from_text(text: str) -> Person:
    name, _, rest = text.partition("<")
    return Person(name=name.strip(), email=rest.rstrip("> ") or None)


def _source(value: Value | None) -> str | None:
    if value is None:
        return None
    names = []
    for item in value.items():
        section = item.section() if isinstance(item.node, yaml.MappingNode) else None
        if section is None:
            names.append(str(item.plain))
            continue
        name = section.require("name")
        section.take("url")
        section.finish("source")
        names.append(str(name.plain) if name is not None else "")
    return ", ".join(names)
