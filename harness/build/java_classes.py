"""Java's names: a public class must lie in a file of its name, and the class to start is one that has a `main`."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath

from harness.package import Program
from harness.package.files import File

CODE = "java"
_MODIFIERS = rb"(?:(?:final|abstract|strictfp|sealed|@[A-Za-z.]{1,60}(?:\([^()\n]{0,200}\))?)[ \t]+){0,9}"
_PUBLIC = re.compile(
    rb"(?:^|[;}])[ \t]*" + _MODIFIERS + rb"public[ \t]+" + _MODIFIERS + rb"(?:class|interface|enum|record)[ \t]+"
    rb"([A-Za-z_$][A-Za-z0-9_$]{0,200})",
    re.MULTILINE,
)
_COMMENT = re.compile(rb"/\*.*?\*/|//[^\n]*", re.DOTALL)
# What a compiled class with `main(String[])` holds: its name and the type of its arguments.
_HAS_MAIN = (b"\x01\x00\x04main", b"([Ljava/lang/String;)V")
_LARGEST_CLASS = 1 << 20
_MOST_CLASSES = 10_000


def well_named(program: Program) -> Program:
    """The program, each file called as its one public class: people hand in `sol_fast.java` with `class Main` in it."""
    names = {name: _right_name(name, file) for name, file in program.files.items() if _is_source(name)}
    taken = set(program.files) - set(names)
    if all(name == right for name, right in names.items()) or len({*names.values(), *taken}) < len(program.files):
        return program
    return replace(program, files={names.get(name, name): file for name, file in program.files.items()})


def _is_source(name: str) -> bool:
    return name.lower().endswith(".java")


def _right_name(name: str, file: File) -> str:
    public = set(_PUBLIC.findall(_COMMENT.sub(b"", file.read())))
    path = PurePosixPath(name)
    if len(public) != 1 or path.stem.encode() in public:
        return str(path.with_suffix(".java"))  # the compiler takes no `.JAVA`
    return str(path.with_name(f"{public.pop().decode()}.java"))


def starting_classes(folder: Path) -> Iterator[str]:
    """The compiled classes that have a `main`, with their packages; those at the top first, in the order of names."""
    found = []
    for number, path in enumerate(sorted(folder.rglob("*.class"))):
        if number >= _MOST_CLASSES:
            break
        if path.is_file() and not path.is_symlink() and path.stat().st_size <= _LARGEST_CLASS:
            content = path.read_bytes()
            if all(sign in content for sign in _HAS_MAIN):
                found.append(path.relative_to(folder).with_suffix("").parts)
    yield from (
        ".".join(parts) for parts in sorted(found, key=lambda parts: (len(parts), "$" in parts[-1], parts))
    )
