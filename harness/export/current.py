"""2025-09: the package as it is judged here, with nothing of the workspace around it."""

from harness.export.archive import Parcel
from harness.package import Package
from harness.package.workspace import RECIPE


def current(package: Package) -> Parcel:
    """Every file. Constants in submissions and settings are written out, for not every judge replaces them there."""
    parcel = Parcel(folder=package.slug)
    for path, file in package.files.items():
        if _is_recipe(path) or _is_product(path, package.slug):
            continue
        if path.startswith("submissions/") or (path.endswith((".yaml", ".yml")) and path.startswith("data/")):
            parcel.add_substituted(path, file, package.constants)
        else:
            parcel.add(path, file)
    if RECIPE in package.files:
        parcel.lose("the recipe of the data (generators/): all data is in the package, so nobody needs to make it")
    return parcel


def _is_recipe(path: str) -> bool:
    return path.startswith("generators/")


def _is_product(path: str, slug: str) -> bool:
    """Whether `harness export` or `statement` left it there: a zip that holds the last one grows."""
    return path.startswith(f"{slug}.") and path.endswith((".zip", ".html", ".pdf", ".md"))
