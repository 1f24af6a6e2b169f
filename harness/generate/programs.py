"""The programs that a recipe calls: generators, and the solution that makes the answers."""

import difflib

from harness.errors import Fault, PackageError
from harness.generate.recipe import Recipe
from harness.package import Package, Program
from harness.package.constants import substituted
from harness.package.files import below
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
    return Program(path=f"generators/{name}", files=files, entrypoint=_script(entry))


def _missing(package: Package, name: str, message: str) -> PackageError:
    """The fault, at the first line of the recipe that names what is missing."""
    recipe = package.files[RECIPE]
    before, found, _ = recipe.read().partition(name.encode())
    line = before.count(b"\n") + 1 if found else None
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
    accepted = [one.path for one in package.submissions if one.path.startswith("accepted/")]
    return f"/submissions/{min(accepted, key=_speed)}" if accepted else None


def _speed(path: str) -> tuple[int, str]:
    return next((place for place, end in enumerate(_FASTEST_FIRST) if path.endswith(end)), 99), path


def _script(entry: str | None) -> str | None:
    return entry if entry is not None and entry.endswith(".py") else None
