"""The export targets by name."""

import enum
from collections.abc import Callable, Mapping

from harness.errors import UsageError
from harness.export.archive import ExportedFiles
from harness.export.current import current
from harness.export.domjudge import domjudge
from harness.export.legacy import legacy
from harness.export.polygon import polygon
from harness.package import Package
from harness.package.workspace import RECIPE

_KATTIS = "kattis"  # it reads the legacy format


class Target(enum.StrEnum):
    """The judge system or format to export to."""

    CURRENT = "2025-09"
    LEGACY = "legacy"
    DOMJUDGE = "domjudge"
    POLYGON = "polygon"

    @classmethod
    def _missing_(cls, value: object) -> "Target | None":
        return cls.LEGACY if value == _KATTIS else None


TARGET_NAMES = (*(target.value for target in Target), _KATTIS)
_EXPORTERS: Mapping[Target, Callable[[Package], ExportedFiles]] = {
    Target.CURRENT: current,
    Target.LEGACY: legacy,
    Target.DOMJUDGE: domjudge,
    Target.POLYGON: polygon,
}


def export(package: Package, target: Target) -> ExportedFiles:
    """Return the package with all data for `target`. Raises UsageError if the target cannot express it."""
    if not any(package.secret.all_cases()) and RECIPE in package.files:
        fix = "give it a case below `data: secret:`"
        raise UsageError(f"{package.slug} has no secret data, and its recipe ({RECIPE}) makes none: {fix}")
    exported = _EXPORTERS[target](package)
    if not any(package.secret.all_cases()):
        exported.note_loss("secret data: the package has none, and most judges ask for some")
    return exported
