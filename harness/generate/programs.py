"""The programs of a recipe: generators, the solution that makes the answers, and generators that nothing uses."""

import difflib
from collections.abc import Mapping
from pathlib import PurePosixPath

from harness.errors import Fault, PackageError
from harness.generate.recipe import Recipe, read_recipe
from harness.package import Package, Program
from harness.package.constants import substituted
from harness.package.files import File, below
from harness.package.headers import nearest, with_headers
from harness.package.workspace import RECIPE

_FASTEST_FIRST = (".cpp", ".cc", ".c", ".rs", ".java", ".kt", ".py")


def generator_program(package: Package, recipe: Recipe, name: str) -> Program:
    """The generator that a recipe calls by this name: its listed files, or a file or folder of generators/.

    Raises PackageError when there is none.
    """
    inside = below(package.files, "generators")
    parts = recipe.generators.get(name)
    if parts is None and name in inside:
        parts = (name,)
    chosen = {part: inside[part] for part in parts} if parts else below(inside, name)
    if not chosen:
        message = f"no generator `{name}` in generators/, nor in the recipe's `generators`"
        near = difflib.get_close_matches(name, [*recipe.generators, *inside], n=1)
        message += f": did you mean `{near[0]}`?" if near else ""
        raise _missing(package, name, message)
    entry = parts[0] if parts else None
    files = {part: substituted(file, package.constants) for part, file in chosen.items()}
    program = Program(path=f"generators/{name}", files=files, entrypoint=_script(entry))
    return with_headers(program, nearest(package.files, f"generators/{next(iter(files))}"))


def _missing(package: Package, name: str, message: str) -> PackageError:
    """The fault, at the first line of the recipe that names what is missing."""
    recipe = package.files[RECIPE]
    before, there, _ = recipe.read().partition(name.encode())
    line = before.count(b"\n") + 1 if there else None
    return PackageError([Fault(path=recipe.origin, message=message, line=line)])


def solution_program(package: Package, path: str) -> Program:
    """The program at `path` of the package, which makes answers. Raises PackageError when there is none."""
    name = path.lstrip("/")
    files = package.files
    chosen = {name.rpartition("/")[2]: files[name]} if name in files else below(files, name)
    if not chosen:
        raise _missing(package, path, f"the solution {path} is not in the package")
    return Program(path=name, files={part: substituted(file, package.constants) for part, file in chosen.items()})


def default_solution(package: Package, recipe: Recipe) -> str | None:
    """An accepted submission, the same at every call, for a recipe that says nothing of what makes answers."""
    if recipe.names_solution:
        return None
    accepted = [program.path for program in package.submissions if program.path.startswith("accepted/")]
    return f"/submissions/{min(accepted, key=_speed)}" if accepted else None


def _speed(path: str) -> tuple[int, str]:
    return next((place for place, end in enumerate(_FASTEST_FIRST) if path.endswith(end)), 99), path


def _script(entry: str | None) -> str | None:
    return entry if entry is not None and entry.endswith(".py") else None


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
        named = {path for path in files.keys() - used if _names(path) & _words(text)}
        used |= named
        pending += named
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
    callers = {
        path: file for path, file in package.files.items() if path.endswith((".toml", ".txt", ".sh", "Makefile"))
    }
    return {path: file for path, file in callers.items() if not path.startswith("data/")}


def _names(path: str) -> set[bytes]:
    place = PurePosixPath(path)
    return {place.name.encode(), place.stem.encode()}


def _words(text: bytes) -> set[bytes]:
    words = set(text.translate(bytes.maketrans(b"\"'()<>,;:=/\\`[]{}", b" " * 17)).split())
    return words | {part for word in words for part in word.split(b".")}


def _text(file: File) -> bytes:
    return file.read() if file.size() <= _LARGEST else b""
