"""Older standards of C and C++: what was published long ago may use names that the language has taken since."""

from collections.abc import Iterator
from dataclasses import replace

from harness.build.toolchains import Toolchain

STANDARD = "-std="
_OLDER = {
    "cpp": ("-std=gnu++17", "-std=gnu++14", "-std=gnu++11", "-std=gnu++98"),
    "c": ("-std=gnu11", "-std=gnu89"),
}


def of(toolchain: Toolchain) -> Iterator[tuple[Toolchain, str]]:
    """The same tools with an older standard and its flag, the newest first; none where the table asks for none."""
    language = toolchain.language
    if not any(flag.startswith(STANDARD) for flag in language.flags):
        return
    others = tuple(flag for flag in language.flags if not flag.startswith(STANDARD))
    for flag in _OLDER.get(language.code, ()):
        yield replace(toolchain, language=replace(language, flags=(flag, *others))), flag
