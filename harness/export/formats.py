"""The targets by name."""

import enum

from harness.errors import UsageError
from harness.export.current import current
from harness.export.domjudge import domjudge
from harness.export.legacy import legacy
from harness.export.modern import modern
from harness.export.parcel import Parcel
from harness.package import Package
from harness.package.model import Format
from harness.package.workspace import RECIPE


class Target(enum.StrEnum):
    """Who is to read the package."""

    CURRENT = "2025-09"
    LEGACY = "legacy"
    DOMJUDGE = "domjudge"


def export(package: Package, target: Target) -> Parcel:
    """The package, with all of its data, for `target`. Raises UsageError for what cannot be said there at all."""
    if not any(package.secret.all_cases()) and RECIPE in package.files:
        raise UsageError(f"{package.slug} has no secret data: harness generate makes it")
    parcel = _made(package, target)
    if not any(package.secret.all_cases()):
        parcel.lose("secret data: the package has none, and most judges ask for some")
    return parcel


def _made(package: Package, target: Target) -> Parcel:
    if target is Target.CURRENT:
        return (
            modern(package)
            if package.format is not Format.CURRENT or package.grading is not None
            else current(package)
        )
    if target is Target.LEGACY and package.format is Format.LEGACY:
        return as_it_is(package)
    return legacy(package) if target is Target.LEGACY else domjudge(package)


def as_it_is(package: Package) -> Parcel:
    """Every file of the package."""
    parcel = Parcel(folder=package.slug)
    for path, file in package.files.items():
        parcel.add(path, file)
    return parcel
