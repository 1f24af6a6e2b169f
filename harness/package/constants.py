"""Constants of problem.yaml, substituted in statements, validators, submissions and group settings."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import PurePath

from harness.errors import Fault, PackageError
from harness.package.files import File
from harness.package.yaml_lines import YamlValue

Constants = Mapping[str, Mapping[str, str]]

MOST_ADDED_BYTES = 16 << 20  # to one file
_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")
_BRACES = re.compile(rb"\{\{([^{}\n]{1,60})\}\}")
_USE = re.compile(rb"\{\{([a-zA-Z_][a-zA-Z0-9_]*)(?:\.([a-zA-Z_][a-zA-Z0-9_]*))?\}\}")


def read_constants(value: YamlValue | None) -> Constants:
    """Return `constants` of problem.yaml as name -> variant -> text; the plain value is the variant `value`."""
    section = value.section() if value is not None else None
    if section is None:
        return {}
    constants: dict[str, Mapping[str, str]] = {}
    for name, entry in section.entries.items():
        variants = _variants(name, entry)
        if not _NAME.fullmatch(name):
            entry.fault(f"the constant `{name}` must be a letter or _, then letters, digits or _")
        elif "value" in variants:
            constants[name] = variants
        else:
            entry.fault(f"the constant `{name}` lacks a `value`")
    return constants


def _variants(name: str, entry: YamlValue) -> dict[str, str]:
    if entry.text is not None:
        return {"value": entry.text}
    section = entry.section()
    if section is None:
        return {}
    variants = {}
    for variant, value in section.entries.items():
        if value.text is not None:
            variants[variant] = value.text
        else:
            value.fault(f"`{name}.{variant}` must be a number or a string")
    return variants


def substitute(text: bytes, constants: Constants, origin: PurePath) -> bytes:
    """Replace each `{{name}}` and `{{name.variant}}` of problem.yaml in `text`; others stay.

    Raises PackageError, naming `origin`, if the result is larger than 16 MiB.
    """
    added_bytes = 0

    def value_of(use: re.Match[bytes]) -> bytes:
        nonlocal added_bytes
        name, variant = use[1].decode(), (use[2] or b"value").decode()
        text_of_variant = constants.get(name, {}).get(variant)
        if text_of_variant is None:
            return use[0]
        value = text_of_variant.encode()
        added_bytes += len(value)
        if added_bytes > MOST_ADDED_BYTES:
            raise _too_much(origin, text, use)
        return value

    return _USE.sub(value_of, text)


def _too_much(origin: PurePath, text: bytes, use: re.Match[bytes]) -> PackageError:
    line = text.count(b"\n", 0, use.start()) + 1
    message = (
        f"the values of constants are more than {MOST_ADDED_BYTES >> 20} MiB up to this `{use[0].decode()}`: "
        "shorten the constant in problem.yaml, or use it less often here"
    )
    return PackageError([Fault(path=origin, line=line, message=message)])


def unknown_constants(text: bytes, constants: Constants) -> Iterator[tuple[int, str]]:
    """Yield each use of a constant that problem.yaml does not have, with its line."""
    for use in _USE.finditer(text):
        if (use[2] or b"value").decode() not in constants.get(use[1].decode(), {}):
            yield text.count(b"\n", 0, use.start()) + 1, use[0].decode()


def misspelt_constants(text: bytes, names: Collection[str]) -> Iterator[tuple[int, str, str]]:
    """Yield each `{{…}}` that is a known name but for blanks and hyphens: its line, what is written, what is meant."""
    for use in _BRACES.finditer(text):
        name = re.sub(r"[\s-]+", "_", use[1].decode("utf-8", errors="replace").strip())
        if _USE.fullmatch(use[0]) is None and name.partition(".")[0] in names:
            line = text.count(b"\n", 0, use.start()) + 1
            yield line, use[0].decode("utf-8", errors="replace"), f"{{{{{name}}}}}"


def unknown_constant(use: str, constants: Constants) -> str:
    """Return the message for the use of an unknown constant: it lists the constants of the package."""
    there = ", ".join(f"`{name}`" for name in constants) or "none"
    return f"`{use}` is no constant of problem.yaml, which has: {there}"


def substituted(file: File, constants: Constants) -> File:
    """Return `file` with constants replaced, or the same object if nothing changes."""
    if not constants:
        return file
    before = file.read()
    after = substitute(before, constants, file.origin)
    return file if after == before else replace(file, content=after)
