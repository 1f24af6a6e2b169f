"""Read `credits`, `source` and `license`. Judging does not depend on them, so their mistakes are warnings."""

import re
from collections.abc import Iterable

from harness.package.model import Person
from harness.package.yaml_lines import Section, Value

LICENSES = ("unknown", "public domain", "cc0", "cc by", "cc by-sa", "educational", "permission")
_ROLES = ("authors", "contributors", "testers", "packagers", "acknowledgements")
_BETWEEN_AUTHORS = re.compile(r",\s*|\s+and\s+|\s+&\s+")


def read_authors(section: Section) -> tuple[Person, ...]:
    """Read the authors, by `credits` (2025-09) or `author` (legacy)."""
    old = section.take("author")
    value = section.take("credits")
    if value is None:
        return tuple(map(_person_from_text, _separate(old)))
    if value.text is not None:
        return (_person_from_text(value.text),)
    if not value.is_mapping:
        return _persons(value)
    credited = Section(value=value)
    authors = _persons(credited.take("authors"))
    credited.skip(*_ROLES, "translators")
    credited.finish("credits", strict=False)
    return authors


def _separate(value: Value | None) -> Iterable[str]:
    if value is None:
        return []
    texts = [item.text for item in value.items() if item.text is not None]
    return [name for text in texts for name in _BETWEEN_AUTHORS.split(text.strip()) if name]


def _persons(value: Value | None) -> tuple[Person, ...]:
    if value is None:
        return ()
    items = [value] if value.is_mapping else value.items()
    return tuple(person for person in map(_person, items) if person is not None)


def _person(value: Value) -> Person | None:
    if value.text is not None:
        return _person_from_text(value.text)
    if not value.is_mapping:
        value.warn("a person is written as `Name <mail>` or as a mapping with a `name`")
        return None
    section = Section(value=value)
    name, email = section.take("name"), section.take("email")
    section.skip("orcid", "kattis")
    section.finish("a person", strict=False)
    if name is None or name.text is None:
        value.warn("a person needs a `name`")
        return None
    return Person(name=name.text, email=email.text if email is not None else None)


def _person_from_text(text: str) -> Person:
    name, _, rest = text.partition("<")
    return Person(name=name.strip(), email=rest.rstrip("> ") or None)


def read_source(section: Section) -> str | None:
    """Read the source of the problem, as one line."""
    section.skip("source_url")
    value = section.take("source")
    if value is None:
        return None
    names = [_source_name(item) for item in ([value] if value.is_mapping else value.items())]
    return ", ".join(name for name in names if name) or None


def _source_name(value: Value) -> str | None:
    if not value.is_mapping:
        return value.text
    section = Section(value=value)
    name = section.take("name")
    section.skip("url")
    section.finish("source", strict=False)
    if name is None or name.text is None:
        value.warn("a source needs a `name`")
        return None
    return name.text


def read_license(section: Section, *, derivable: bool) -> str:
    """Read the license. derivable: whether authors or a source say who owns the rights."""
    value, owner = section.take("license"), section.take("rights_owner")
    if value is None:
        return "unknown"
    chosen = (value.text or "").lower()
    if chosen not in LICENSES:
        value.warn(f"`license` is {chosen!r}, should be one of: {', '.join(LICENSES)}")
        return "unknown"
    if owner is not None and chosen == "public domain":
        owner.warn("`rights_owner` and `license: public domain` exclude each other")
    if owner is None and chosen not in ("unknown", "public domain") and not derivable:
        value.warn("this license needs a `rights_owner` (or credits.authors, or a source)")
    return chosen
