"""The export targets by name."""

import enum
import re

from harness.errors import UsageError
from harness.export.archive import RECIPE_LOSS, ExportedFiles
from harness.export.domjudge import domjudge
from harness.export.legacy import legacy
from harness.export.polygon import polygon
from harness.export.to_current import modern
from harness.package import Package
from harness.package.checks import SHORT_NAME
from harness.package.files import File
from harness.package.findings import Findings
from harness.package.headers import ORIGINAL
from harness.package.model import Format
from harness.package.workspace import RECIPE
from harness.package.yaml_lines import section_of

# Older names and keys that a 2025-09 package may hold: this harness reads them, other judges may not.
_OLDER_FILE = re.compile(r"data/(?:.*/)?testdata\.yaml")
_OLDER_KEYS = {
    "problem.yaml": re.compile(
        rb"^(?:validation|validator_flags|output_validator_(?:args|flags))[ \t]*:", re.MULTILINE
    ),
    "test_group.yaml": re.compile(rb"(?m)^(?:scoring|(?:in|out)put_validator_flags)[ \t]*:"),
}


_NAMES = re.compile(rb"(?m)^name:[ \t]*(?:\{|(?:#.*)?\r?$)")  # a mapping in problem.yaml
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


def export(package: Package, target: Target) -> ExportedFiles:
    """Return the package with all data for `target`. Raises UsageError if the target cannot express it."""
    if not any(package.secret.all_cases()) and RECIPE in package.files:
        fix = "give it a case below `data: secret:`"
        raise UsageError(f"{package.slug} has no secret data, and its recipe ({RECIPE}) makes none: {fix}")
    exported = _made(package, target)
    if target is Target.LEGACY and not SHORT_NAME.fullmatch(package.slug):
        exported.note_loss(
            f"the short name `{package.slug}`: Kattis takes a-z and 0-9 only, so name the folder in the zip so"
        )
    if not any(package.secret.all_cases()):
        exported.note_loss("secret data: the package has none, and most judges ask for some")
    return exported


def _made(package: Package, target: Target) -> ExportedFiles:
    if target is Target.CURRENT:
        return modern(package) if _is_written_anew(package) else _current(package)
    if target is Target.POLYGON:
        return polygon(package)
    if target is Target.LEGACY and package.format is Format.LEGACY:
        return as_it_is(package)
    return legacy(package) if target is Target.LEGACY else domjudge(package)


def _is_written_anew(package: Package) -> bool:
    """Return whether files must be converted to 2025-09: an older or foreign format, or testlib programs."""
    programs = (*package.input_validators, *package.output_validators)
    return (
        package.format is not Format.CURRENT
        or package.foreign_family is not None
        or any(ORIGINAL in program.files for program in programs)
        or any(_is_older(*item) for item in package.files.items())
    )


def _current(package: Package) -> ExportedFiles:
    """Return every file of the package, without workspace files.

    Constants in submissions and settings are replaced by values, because not every judge does so there.
    """
    exported = ExportedFiles(folder=package.slug)
    for path, file in package.files.items():
        if path.startswith("generators/") or _is_product(path, package.slug):
            continue
        if path.startswith("submissions/") or (path.endswith((".yaml", ".yml")) and path.startswith("data/")):
            exported.add_substituted(path, file, package.constants)
        else:
            exported.add(path, file)
    if RECIPE in package.files:
        exported.note_loss(RECIPE_LOSS)
    return exported


def _is_product(path: str, slug: str) -> bool:
    """Return whether `harness export` or `statement` wrote the file; a zip must not include the previous zip."""
    return path.startswith(f"{slug}.") and path.endswith((".zip", ".html", ".pdf", ".md"))


def as_it_is(package: Package) -> ExportedFiles:
    """Return every file of the package. A name in several languages becomes one: Kattis reads no other."""
    exported = ExportedFiles(folder=package.slug)
    for path, file in package.files.items():
        exported.add(path, file)
    manifest = package.files.get("problem.yaml")
    if manifest is not None and _NAMES.search(manifest.read()):
        section = section_of(manifest, Findings())
        values = section.value.plain if section is not None else None
        exported.add_yaml("problem.yaml", {**(values if isinstance(values, dict) else {}), "name": package.title})
        exported.note_loss("names in several languages: problem.yaml has one there")
    return exported


def _is_older(path: str, file: File) -> bool:
    keys = _OLDER_KEYS.get(path.rpartition("/")[2]) if path == "problem.yaml" or path.startswith("data/") else None
    return _OLDER_FILE.fullmatch(path) is not None or (keys is not None and keys.search(file.read()) is not None)
