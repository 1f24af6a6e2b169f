"""Loads a package: a folder in, a frozen Package out, or every fault of the package at once.

The family of the format is known by the manifest, which is read first; then the reader of the family takes over.
"""

from dataclasses import replace
from pathlib import Path

from harness.errors import Fault, PackageError
from harness.package.archive import place_in_archive
from harness.package.files import Files, read_folder
from harness.package.find import enclosing, has_manifest
from harness.package.findings import Findings
from harness.package.formats.families import FAMILIES
from harness.package.formats.kattis import PROBLEM
from harness.package.formats.source import Family, PackageSource
from harness.package.model import Package
from harness.package.workspace import RECIPE, lay_out, workspace_of


def load(root: Path, *, built: bool = True, overlay: Path | None = None) -> Package:
    """The package at `root` (a package folder, or problems/<slug> of a workspace).

    built: whether secret data must be there; False while it is being made from the package's recipe.
    overlay: a folder whose files lie over those of data/.
    Raises PackageError with all of the package's faults.
    """
    package, findings = _read(root, built=built, overlay=overlay)
    if findings.faults or package is None:
        raise PackageError(findings.faults, findings.warnings)
    return replace(package, warnings=tuple(str(warning) for warning in findings.warnings))


def load_to_read(root: Path, *, overlay: Path | None = None) -> tuple[Package, tuple[Fault, ...]]:
    """The package as far as it can be read, and its faults: for people who read its texts, never for judging.

    overlay: see `load`. Raises PackageError where nothing of it can be read at all.
    """
    package, findings = _read(root, built=False, overlay=overlay, lenient=True)
    if package is None:
        raise PackageError(findings.faults, findings.warnings)
    return package, tuple(findings.faults)


def _read(
    root: Path, *, built: bool, overlay: Path | None = None, lenient: bool = False
) -> tuple[Package | None, Findings]:
    family = family_at(root)
    findings = Findings(last_key_counts=not family.is_strict(root), unpacked=place_in_archive(root))
    files = read_package_files(root, findings)
    if overlay is not None:
        made = {f"data/{path}": file for path, file in read_folder(overlay, findings).items()}
        files = dict(sorted({**files, **made}.items()))
    if family.lay_out is not None and PROBLEM not in files:
        return None, findings
    built = built or RECIPE not in files
    foreign = family.name if family.lay_out is not None else None
    source = PackageSource(
        root=root, files=files, findings=findings, built=built, lenient=lenient, foreign_family=foreign
    )
    return family.read(source), findings


def family_at(root: Path) -> Family:
    """The family of the package at `root`, by its manifest; the first family where there is none."""
    return next((family for family in FAMILIES if has_manifest(root, family.manifests)), FAMILIES[0])


def is_foreign(root: Path) -> bool:
    """Whether the folder has a layout of another family, so that nothing of ours is written into it."""
    return family_at(root).lay_out is not None


def read_package_files(root: Path, findings: Findings) -> Files:
    """The package's mapping from path to file, wherever its parts lie."""
    workspace = workspace_of(root)
    if workspace is not None:
        return lay_out(workspace, root.resolve().name, findings)
    family = family_at(root)
    files = read_folder(root, findings, around=enclosing(root.resolve()), old_names=not family.is_strict(root))
    return files if family.lay_out is None else family.lay_out(root, files, findings)
