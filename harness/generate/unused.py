"""Generators that nothing uses: neither a case of the recipe nor a program that is used."""

from collections.abc import Mapping
from pathlib import PurePosixPath

from harness.generate.recipe import Recipe, read_recipe
from harness.package import Package
from harness.package.files import File, below
from harness.package.workspace import RECIPE

_PROGRAMS = (".py", ".cpp", ".cc", ".cxx", ".c", ".java", ".kt", ".rs", ".go", ".sh", ".rb", ".js", ".cs", ".hs")
_LARGEST = 1 << 20


def unused_generators(package: Package) -> tuple[str, ...]:
    """The programs of generators/ that neither the recipe nor another file of the package names; none without a recipe.

    A file counts as used where its name, or its name without the ending, stands in a file of generators/ or of
    generators' neighbours that is used itself: a module that is imported, a header, a script that is called.
    """
    recipe = read_recipe(package.files, package.constants)
    if recipe is None:
        return ()
    files = {
        path: file for path, file in below(package.files, "generators").items() if f"generators/{path}" != RECIPE
    }
    called = _called(recipe)
    used = {path for path in files if called & {path, *map(str, PurePosixPath(path).parents)}}
    pending = list(used)
    while pending:
        text = _text(files[pending.pop()])
        found = {path for path in files.keys() - used if _names(path) & _words(text)}
        used |= found
        pending += found
    others = _words(b"\n".join(_text(file) for path, file in _texts_beside(package).items()))
    return tuple(
        path for path in sorted(files.keys() - used) if path.endswith(_PROGRAMS) and not _names(path) & others
    )


def _called(recipe: Recipe) -> set[str]:
    """The names of generators that cases call, and the files that stand for them."""
    names = {case.invocation.generator for case in recipe.cases if case.invocation is not None}
    return names | {part for name in names for part in recipe.generators.get(name, ())}


def _texts_beside(package: Package) -> Mapping[str, File]:
    """What else may call a generator: catalogues, scripts, the recipe's comments excepted."""
    found = {
        path: file for path, file in package.files.items() if path.endswith((".toml", ".txt", ".sh", "Makefile"))
    }
    return {path: file for path, file in found.items() if not path.startswith("data/")}


def _names(path: str) -> set[bytes]:
    place = PurePosixPath(path)
    return {place.name.encode(), place.stem.encode()}


def _words(text: bytes) -> set[bytes]:
    words = set(text.translate(bytes.maketrans(b"\"'()<>,;:=/\\`[]{}", b" " * 17)).split())
    return words | {part for word in words for part in word.split(b".")}


def _text(file: File) -> bytes:
    return file.read() if file.size() <= _LARGEST else b""
