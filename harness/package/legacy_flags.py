"""Legacy's `input_validator_flags` and `output_validator_flags`: one string of words, or flags by validator."""

from collections.abc import Mapping
from dataclasses import replace

from harness.package.model import CaseSettings
from harness.package.yaml_lines import Section, Value

Flags = tuple[str, ...] | Mapping[str, tuple[str, ...]]


def take_flags(section: Section, inherited: CaseSettings) -> CaseSettings:
    """`inherited` with the flags that `section` gives, if any."""
    settings = inherited
    value = section.take("input_validator_flags")
    if value is not None:
        settings = replace(settings, input_validator_args=_flags(value))
    value = section.take("output_validator_flags")
    if value is not None:
        flags = _flags(value)
        if isinstance(flags, Mapping):
            value.warn("flags by output validator: every output validator gets all of them")
            flags = tuple(word for words in flags.values() for word in words)
        settings = replace(settings, output_validator_args=flags)
    return settings


def _flags(value: Value) -> Flags:
    if not value.is_mapping:
        return tuple(word for item in value.items() for word in (item.text or "").split())
    section = Section(value=value)
    by_name = {name: tuple((flags.text or "").split()) for name, flags in section.entries.items()}
    if set(section.entries) <= {"name", "flags"}:  # {name: which validator, flags: what it gets}
        name = section.string("name")
        return by_name.get("flags", ()) if name is None else {name: by_name.get("flags", ())}
    return by_name
