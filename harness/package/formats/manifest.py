"""Read problem.yaml of each version of the format: keys, defaults, and findings."""

import difflib
import re
import uuid
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field, replace
from functools import cache
from pathlib import Path
from typing import Any

from harness.package.constants import read_constants
from harness.package.formats.legacy import Words, take_words
from harness.package.formats.source import Version
from harness.package.model import Metadata, Person, ProblemLimits, ProblemType
from harness.package.names import language_code
from harness.package.statements import LANGUAGE
from harness.package.tex_accents import plain_name
from harness.package.yaml_lines import YamlSection, YamlValue, shown
from harness.values import dataclass

# Keys of other tools, which have no effect here.
_PASSIVE = ("version", "verified", "comment", "ans_is_output", "libraries")
# The largest limits of a package. The sandbox keeps some of them in 32 bits.
MOST_S = 86_400
MOST_MIB = 1 << 20
MOST_KIB = 1 << 20
MOST_PASSES = 100_000
MOST_TIMES = 1000
# The keys of `limits`: the field, the least and the largest value. Seconds may be fractions.
_LIMITS = {
    "time_limit": ("time_limit_s", 0.001, MOST_S),
    "time_resolution": ("time_resolution_s", 0.001, MOST_S),
    "memory": ("memory_mib", 1, MOST_MIB),
    "output": ("output_mib", 1, MOST_MIB),
    "code": ("code_kib", 1, MOST_KIB),
    "compilation_time": ("compilation_time_s", 1, MOST_S),
    "compilation_memory": ("compilation_memory_mib", 1, MOST_MIB),
    "validation_time": ("validation_time_s", 1, MOST_S),
    "validation_memory": ("validation_memory_mib", 1, MOST_MIB),
    "validation_output": ("validation_output_mib", 1, MOST_MIB),
    "validation_passes": ("validation_passes", 2, MOST_PASSES),
}
_UNITS = {"s": " (in seconds)", "mib": " (in MiB)", "kib": " (in KiB)"}  # by the end of the field's name
_NOT_IN_ALL_VERSIONS = ("time_limit", "time_resolution", "validation_passes")
_OLDER_MULTIPLIERS = ("time_multiplier", "time_safety_margin")
_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)?)?")
LICENSES = ("unknown", "public domain", "cc0", "cc by", "cc by-sa", "educational", "permission")
_ROLES = ("authors", "contributors", "testers", "packagers", "acknowledgements")
# Keys that some write at the top of problem.yaml, and where they belong.
_SYNONYMS = {
    "timelimit": "time_limit",
    "memory_limit": "memory",
    "memorylimit": "memory",
    "output_limit": "output",
}
_PLACES = {
    **{
        key: f"write `{meant}` below `limits`"
        for key, meant in ({key: key for key in _LIMITS} | _SYNONYMS).items()
    },
    "title": "did you mean `name`?",
}
_PLACES_OF_PERSONS = {key: f"write `{key}` below `credits`" for key in _ROLES}  # not in legacy
_BETWEEN_AUTHORS = re.compile(r",\s*|(?<!\s)\s+(?:and|&)\s+")


@dataclass(frozen=True, kw_only=True)
class Manifest(Metadata):
    """The content of problem.yaml, defaults filled in.

    validation: the words of legacy's `validation`, in the line validation_line; validator_flags: of the key of that
    name. grading: legacy's, of all groups in the oldest packages.
    """

    version: Version
    validation: tuple[str, ...] = ()
    validation_line: int | None = None
    validator_flags: tuple[str, ...] = ()
    grading: Words = field(default_factory=dict)


def read_manifest(section: YamlSection, version: Version) -> Manifest:
    """Read every key of problem.yaml; findings go to the section's list."""
    section.skip(*_PASSIVE)
    strict = version.is_current
    _check_embargo(section.take("embargo_until"))
    authors, source = read_authors(section, strict=strict), read_source(section)
    stated = section.take("validation")
    validation = _words(stated)
    grading, minimize = ({}, False) if strict else _grading(section)
    names, types = _names(section.take("name")), _types(section.take("type"), validation)
    limits = _limits(section.take("limits"), version.limits, strict=strict)
    if ProblemType.SUBMIT_ANSWER in types and limits.time_limit_s is None:
        limits = replace(limits, time_limit_s=1.0)  # no submission is run, so no time limit is needed
    license_, rights_owner = read_license(section, derivable=bool(authors or source))
    manifest = Manifest(
        version=version,
        names=names,
        types=types,
        limits=limits,
        constants=read_constants(section.take("constants")),
        authors=authors,
        source=source,
        license=license_,
        rights_owner=rights_owner,
        uuid=_uuid(section, needed=strict),
        keywords=_words(section.take("keywords")),
        languages=_languages(section.take("languages")),
        allow_file_writing=section.boolean("allow_file_writing", not strict),
        validation=validation,
        validation_line=stated.line if stated is not None else None,
        # In old packages `validation` itself holds flags: `default float_tolerance 1e-6`.
        validator_flags=(
            *(validation[1:] if validation[:1] == ("default",) else ()),
            *_validator_flags(section, strict=strict),
        ),
        minimize=minimize,
        grading=grading,
    )
    section.finish(
        "problem.yaml", strict=strict, places=_PLACES | ({} if version.is_legacy else _PLACES_OF_PERSONS)
    )
    return manifest


def _validator_flags(section: YamlSection, *, strict: bool) -> tuple[str, ...]:
    """Return the arguments of the output validator in problem.yaml: the key of legacy, and those of some drafts."""
    flags: tuple[str, ...] = ()
    for key in ("validator_flags", "output_validator_args", "output_validator_flags"):
        value = section.take(key)
        if value is None:
            continue
        if strict or key != "validator_flags":
            instead = "data/sample/test_group.yaml and data/secret/test_group.yaml, as `output_validator_args`"
            value.warn(f"`{key}` belongs into {instead}")
        flags = flags or (tuple((value.text or "").split()) if value.text is not None else _words(value))
    return flags


def _words(value: YamlValue | None) -> tuple[str, ...]:
    """Return the words of a string or of a list of strings."""
    if value is None:
        return ()
    texts = [item.text for item in value.items() if item.text is not None]
    if value.is_mapping or not texts:
        return ()
    return tuple(texts[0].replace(",", " ").split()) if value.text is not None else tuple(texts)


def _check_embargo(value: YamlValue | None) -> None:
    if value is not None and not _DATE.fullmatch(value.text or ""):
        value.warn("`embargo_until` should be a date, or a time as 2025-09-30T12:00:00Z")


def _uuid(section: YamlSection, *, needed: bool) -> str | None:
    value = section.take("uuid")
    if value is None:
        if needed:
            section.value.warn(f"the key `uuid` is missing; a fresh one: {_fresh_uuid(section.value.path)}")
        return None
    try:
        return str(uuid.UUID(value.text or ""))
    except ValueError:
        value.warn(f"`uuid` is not a UUID; a fresh one: {_fresh_uuid(value.path)}")
        return None


@cache
def _fresh_uuid(path: Path) -> uuid.UUID:
    """Return a UUID for the package of this file: the same one each time that it is read."""
    return uuid.uuid4()


def _names(value: YamlValue | None) -> dict[str, str]:
    if value is None:
        return {}
    if value.text is not None:
        return {"en": value.text}
    if not value.is_mapping:
        value.warn("`name` must be a string, or a mapping from language to string")
        return {}
    entries = YamlSection(value=value).entries
    for language, name in entries.items():
        if not LANGUAGE.fullmatch(language):
            name.warn(f"`{language}` in `name` is no code of a language, such as en or pt-BR")
    return {language: name.text for language, name in entries.items() if name.text is not None}


def _types(value: YamlValue | None, validation: tuple[str, ...]) -> frozenset[ProblemType]:
    types: set[ProblemType] = set()
    for item in value.items() if value is not None else ():
        # One string may hold several words: DOMjudge and BAPCtools read it so.
        for word in item.text.split() if item.text is not None else [""]:
            if word not in list(ProblemType):
                item.fault(f"the type {word or item.plain!r} must be one of: {', '.join(ProblemType)}")
                # Read the rest as if it stood there: else its scores would be faults, too.
                types |= set(map(ProblemType, difflib.get_close_matches(word, list(ProblemType), n=1)))
                continue
            if ProblemType(word) in types:
                item.warn(f"the type {word} stands twice")
            types.add(ProblemType(word))
    types |= {kind for kind in (ProblemType.INTERACTIVE, ProblemType.MULTI_PASS) if kind in validation}
    if value is not None:
        _check_types(types, value)
    return frozenset(types or {ProblemType.PASS_FAIL})


def _check_types(types: set[ProblemType], value: YamlValue) -> None:
    if {ProblemType.PASS_FAIL, ProblemType.SCORING} <= types:
        value.fault("a problem is either pass-fail or scoring")
    if ProblemType.SUBMIT_ANSWER in types and types & {ProblemType.MULTI_PASS, ProblemType.INTERACTIVE}:
        value.fault("submit-answer goes with neither multi-pass nor interactive")


def _limits(value: YamlValue | None, usual: ProblemLimits, *, strict: bool) -> ProblemLimits:
    section = value.section() if value is not None else None
    if section is None:
        return usual
    to_limit, to_tle = _multipliers(section, usual, strict=strict)
    section.skip("generator_time", "visualizer_time")
    stated: dict[str, Any] = {"ac_to_time_limit": to_limit, "time_limit_to_tle": to_tle}
    for key, (name, least, most) in _LIMITS.items():
        take: Callable[..., Any] = section.number if name.endswith("_s") else section.integer
        unit = _UNITS.get(name.rpartition("_")[2], "")
        stated[name] = take(key, least, getattr(usual, name), high=most, unit=unit)
    section.finish("limits", strict=strict)
    return replace(usual, **stated)


def _multipliers(section: YamlSection, usual: ProblemLimits, *, strict: bool) -> tuple[float, float]:
    old = [section.number(key, 0.001, None, high=MOST_TIMES) for key in _OLDER_MULTIPLIERS]
    value = section.take("time_multipliers")
    if value is not None and not value.is_mapping and not strict:
        value.warn(
            f"`time_multipliers` is of 2025-09, and a mapping there, not {shown(value)}: ignored; "
            "legacy has `time_multiplier` and `time_safety_margin`"
        )
        value = None
    inner = value.section() if value is not None else None
    if inner is None:
        return old[0] or usual.ac_to_time_limit, old[1] or usual.time_limit_to_tle
    multipliers = (
        inner.number("ac_to_time_limit", 1, old[0] or usual.ac_to_time_limit, high=MOST_TIMES),
        inner.number("time_limit_to_tle", 1, old[1] or usual.time_limit_to_tle, high=MOST_TIMES),
    )
    inner.finish("limits.time_multipliers", strict=strict)
    return multipliers


def _languages(value: YamlValue | None) -> frozenset[str] | None:
    if value is None or value.text == "all":
        return None
    codes = [item.text for item in value.items()]
    if not codes or None in codes:
        value.fault("`languages` must be `all` or a list of language codes")
        return None
    words = " ".join(code for code in codes if code is not None).replace(",", " ").split()
    return None if "all" in words else frozenset(map(language_code, words))


def _grading(section: YamlSection) -> tuple[Words, bool]:
    """Read legacy's `grading`: settings of all groups in the oldest packages, and whether less is better."""
    value = section.take("grading")
    if value is None or not value.is_mapping:
        return {}, False
    inner = YamlSection(value=value)
    objective = inner.choice("objective", ("min", "max"), "max")
    inner.skip("show_test_data_groups", "custom_scoring")
    words = take_words(inner, {}, oldest=True)
    inner.finish("grading", strict=False)
    return words, objective == "min"


def read_authors(section: YamlSection, *, strict: bool) -> tuple[Person, ...]:
    """Read the authors, by `credits` (2025-09) or `author` (legacy). strict: warn of the legacy key."""
    old = section.take("author")
    if old is not None and strict:
        old.warn("`author` is a legacy key: say it with `credits`")
    value = section.take("credits")
    if value is None:
        return tuple(map(_person_from_text, _separate(old)))
    if value.text is not None:
        return (_person_from_text(value.text),)
    if not value.is_mapping:
        return _persons(value)
    credited = YamlSection(value=value)
    authors = _persons(credited.take("authors"))
    credited.skip(*_ROLES, "translators")
    credited.finish("credits", strict=False)
    return authors


def _separate(value: YamlValue | None) -> Iterable[str]:
    if value is None:
        return []
    texts = [item.text for item in value.items() if item.text is not None]
    return [name for text in texts for name in _BETWEEN_AUTHORS.split(text.strip()) if name]


def _persons(value: YamlValue | None) -> tuple[Person, ...]:
    people = ((_person_from_text(name), email) for name, email in _named(value, "a person"))
    return tuple(replace(person, email=person.email or email) for person, email in people)


def _person_from_text(text: str) -> Person:
    name, _, rest = text.partition("<")
    return Person(name=plain_name(name.strip()), email=rest.rstrip("> ") or None)


def _named(value: YamlValue | None, what: str) -> Iterator[tuple[str, str | None]]:
    """Yield name and mail of each item, which is a string or a mapping with a `name`. what: an item, for warnings."""
    for item in () if value is None else (value,) if value.is_mapping else value.items():
        name, email = item.text, None
        if item.is_mapping:
            section = YamlSection(value=item)
            name, email = _text(section.take("name")), _text(section.take("email"))
            section.skip("orcid", "kattis", "url")
            section.finish(what, strict=False)
        if name is not None:
            yield name, email
        else:
            item.warn(f"{what} is written as a name, or as a mapping with a `name`")


def _text(value: YamlValue | None) -> str | None:
    return value.text if value is not None else None


def read_source(section: YamlSection) -> str | None:
    """Read the source of the problem, as one line."""
    section.skip("source_url")
    return ", ".join(plain_name(name) for name, _ in _named(section.take("source"), "a source") if name) or None


def limits_as_stated(limits: ProblemLimits) -> dict[str, int]:
    """Return the keys of `limits` that all versions of the format have, with their values."""
    return {
        key: int(getattr(limits, name)) for key, (name, *_) in _LIMITS.items() if key not in _NOT_IN_ALL_VERSIONS
    }


def read_license(section: YamlSection, *, derivable: bool) -> tuple[str, str | None]:
    """Read the license and the rights owner. derivable: whether authors or a source say who owns the rights."""
    value, owner = section.take("license"), section.take("rights_owner")
    stated = (owner.text or None) if owner is not None else None
    if value is None:
        return "unknown", stated
    chosen = (value.text or "").lower()
    if chosen not in LICENSES:
        value.warn(f"`license` is {chosen!r}, should be one of: {', '.join(LICENSES)}")
        return "unknown", stated
    if owner is not None and chosen == "public domain":
        owner.warn("`rights_owner` and `license: public domain` exclude each other")
    if owner is None and chosen not in ("unknown", "public domain") and not derivable:
        value.warn("this license needs a `rights_owner` (or credits.authors, or a source)")
    return chosen, stated
