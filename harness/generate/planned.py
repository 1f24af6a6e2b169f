"""Load a package with the group files that its recipe plans, and name faults in them by their lines in the recipe."""

from dataclasses import replace
from pathlib import Path

from harness.errors import Fault, PackageError
from harness.generate.recipe import Recipe, read_recipe
from harness.package import Package
from harness.package.load import load, load_to_read
from harness.package.workspace import RECIPE


def load_planned(root: Path, overlay: Path | None = None) -> Package:
    """Load a package with the group files of its recipe in place of those that were built: they may be mended.

    overlay: see `load`. Raises PackageError with all faults; those in group files are at the line of the recipe.
    """
    broken: PackageError | None = None
    try:
        package = load(root, built=False, overlay=overlay)
    except PackageError as error:
        (package, _), broken = load_to_read(root, overlay=overlay), error
    recipe = read_recipe(package.files, package.constants)
    planned = recipe.group_files if recipe is not None else {}
    present = {name: package.files.get(f"data/{name}") for name in planned}
    if any(file is None or file.read() != planned[name] for name, file in present.items()):
        try:
            return load(root, built=False, overlay=overlay, planned=planned)
        except PackageError as error:
            broken = error
    if broken is not None and recipe is not None:
        raise PackageError([_at_recipe(fault, recipe) for fault in broken.faults], broken.warnings)
    if broken is not None:
        raise broken
    return package


def _at_recipe(fault: Fault, recipe: Recipe) -> Fault:
    """Return a fault of a group file at the line of the recipe that makes the file."""
    path = fault.path.as_posix()
    for name, line in recipe.group_lines.items():
        for end in (f"/{RECIPE}/{name}", f"/data/{name}"):
            if path.endswith(end):
                place = type(fault.path)(f"{path.removesuffix(end)}/{RECIPE}")
                return replace(fault, path=place, line=line, message=f"{name}: {fault.message}")
    return fault
