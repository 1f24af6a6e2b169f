"""Which version of the format a package is in, by `problem_format_version`."""

from harness.package.model import Format
from harness.package.yaml_lines import Section

_DRAFTS = ("2023-07-draft", "2023-07", "draft", "2025-09-draft")
_LEGACY = ("legacy", "legacy-icpc", "icpc", "legacy-draft")


def take_format(section: Section) -> Format | None:
    """The version; None with a fault for one that nobody knows."""
    value = section.take("problem_format_version")
    if value is None or value.text in _LEGACY:
        return Format.LEGACY
    if value.text == Format.CURRENT:
        return Format.CURRENT
    if value.text in _DRAFTS:
        return Format.DRAFT
    known = ", ".join(Format)
    value.fault(
        f"the format {value.text or value.plain!r} is not known: must be one of {known}, or left out (legacy)"
    )
    return None
