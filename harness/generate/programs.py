"""The programs that a recipe calls: generators, and the solution that makes the answers."""

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
        raise PackageError([Fault(path=package.files[RECIPE].origin, message=message)])
    entry = parts[0] if parts else None
    files = {part: substituted(file, package.constants) for part, file in chosen.items()}
    return Program(path=f"generators/{name}", files=files, entrypoint=_script(entry))


def solution_program(package: Package, path: str) -> Program:
    """The program at `path` of the package, which makes answers. Raises PackageError when there is none."""
    name = path.lstrip("/")
    files = package.files
    chosen = {name.rpartition("/")[2]: files[name]} if name in files else below(files, name)
    if not chosen:
        message = f"the solution {path} is not in the package"
        raise PackageError([Fault(path=package.files[RECIPE].origin, message=message)])
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
