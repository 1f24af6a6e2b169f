"""Export as a package of 2025-09: as it is, or converted where parts of it are older or of another family."""

import re

from harness.export.archive import RECIPE_LOSS, ExportedFiles
from harness.export.to_current import add_program, converted
from harness.package import Package, Program
from harness.package.files import File
from harness.package.headers import HEADERS, ORIGINAL
from harness.package.model import Format
from harness.package.workspace import RECIPE

# Older names and keys that a 2025-09 package may hold: this harness reads them, other judges may not.
_OLDER_FILE = re.compile(r"data/(?:.*/)?testdata\.yaml")
_OLDER_KEYS = {
    "problem.yaml": re.compile(
        rb"^(?:validation|validator_flags|output_validator_(?:args|flags))[ \t]*:", re.MULTILINE
    ),
    "test_group.yaml": re.compile(rb"(?m)^(?:scoring|(?:in|out)put_validator_flags)[ \t]*:"),
}


def current(package: Package) -> ExportedFiles:
    """Return the package in 2025-09. Raises UsageError that names what 2025-09 cannot express."""
    return converted(package) if _is_written_anew(package) else _as_it_is(package)


def _is_written_anew(package: Package) -> bool:
    """Return whether files must be converted to 2025-09: an older or foreign format."""
    return (
        package.format is not Format.CURRENT
        or package.foreign_family is not None
        or any(_is_older(*item) for item in package.files.items())
    )


def _as_it_is(package: Package) -> ExportedFiles:
    """Return every file of the package, without workspace files. Programs of testlib get their adapter.

    Constants in submissions and settings are replaced by values, because not every judge does so there.
    """
    exported = ExportedFiles(folder=package.slug)
    adapted = _adapted(package)
    for path, program in adapted.items():
        add_program(exported, path, program)
    replaced = {
        (path.split("/")[0], file.origin)
        for path, program in adapted.items()
        for name, file in program.files.items()
        if name == ORIGINAL or not name.endswith(HEADERS)
    }
    for path, file in package.files.items():
        if path.startswith("generators/") or _is_product(path, package.slug):
            continue
        if (path.split("/")[0], file.origin) in replaced:
            continue
        if path.startswith("submissions/") or (path.endswith((".yaml", ".yml")) and path.startswith("data/")):
            exported.add_substituted(path, file, package.constants)
        else:
            exported.add(path, file)
    if RECIPE in package.files:
        exported.note_loss(RECIPE_LOSS)
    return exported


def _adapted(package: Package) -> dict[str, Program]:
    """Return the programs that include testlib.h, by the paths that they get."""
    places = [(program.path, program) for program in package.input_validators]
    alone = (*package.output_validators, package.static_validator)
    places += [(program.path.split("/")[0], program) for program in alone if program is not None]
    return {path: program for path, program in places if ORIGINAL in program.files}


def _is_product(path: str, slug: str) -> bool:
    """Return whether `harness export` or `statement` wrote the file; a zip must not include the previous zip."""
    return path.startswith(f"{slug}.") and path.endswith((".zip", ".html", ".pdf", ".md"))


def _is_older(path: str, file: File) -> bool:
    keys = _OLDER_KEYS.get(path.rpartition("/")[2]) if path == "problem.yaml" or path.startswith("data/") else None
    return _OLDER_FILE.fullmatch(path) is not None or (keys is not None and keys.search(file.read()) is not None)
