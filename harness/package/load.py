"""Load a package: return a frozen Package, or raise all of its faults at once.

The manifest shows the family of the format. Folders of another family are laid out as a package of 2025-09 first.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from harness.errors import Fault, PackageError
from harness.package.files import File, Files, read_folder
from harness.package.findings import Findings, shown_path
from harness.package.formats import FAMILIES, MANIFESTS
from harness.package.formats.kattis import PROBLEM, PackageReader, is_current
from harness.package.formats.source import Family
from harness.package.model import Package
from harness.package.workspace import RECIPE, lay_out, workspace_of

# Entries of a repository's top, then of a contest's folder or of a repository without its history.
_TOPS = (".git", ".hg")
_SIGNS = (
    "contest.yaml", "problems.yaml", "problemset.yaml", ".github", ".gitlab-ci.yml", ".gitignore", "LICENSE",
    "pyproject.toml",
)  # fmt: skip
_HOMES = ("home", "Users")
FURTHEST = 5


def load(
    root: Path,
    *,
    built: bool = True,
    overlay: Path | None = None,
    planned: Mapping[str, bytes] = MappingProxyType({}),
) -> Package:
    """Load the package at `root` (a package folder, or problems/<slug> of a workspace).

    built: whether secret data must be there; False while it is being made from the package's recipe.
    overlay: a folder whose files lie over those of data/.
    planned: files below data/ as the recipe will write them; they count, not those that lie there. A fault in one is
    at `RECIPE/NAME`.
    Raises PackageError with all of the package's faults.
    """
    package, findings = _read(root, built=built, overlay=overlay, planned=planned)
    if findings.faults or package is None:
        raise PackageError(findings.faults, findings.warnings)
    return replace(package, warnings=tuple(str(warning) for warning in findings.warnings))


def load_to_read(root: Path, *, overlay: Path | None = None) -> tuple[Package, tuple[Fault, ...]]:
    """Return the package as far as it can be read, and its faults. For its texts only, never for judging.

    overlay: see `load`. Raises PackageError if nothing of it can be read.
    """
    package, findings = _read(root, built=False, overlay=overlay, lenient=True)
    if package is None:
        raise PackageError(findings.faults, findings.warnings)
    return package, tuple(findings.faults)


def _read(
    root: Path,
    *,
    built: bool,
    overlay: Path | None = None,
    planned: Mapping[str, bytes] = MappingProxyType({}),
    lenient: bool = False,
) -> tuple[Package | None, Findings]:
    family = family_at(root)
    findings = Findings(last_key_counts=not _is_strict(root, family), unpacked=shown_path(root))
    files = read_package_files(root, findings)
    made = dict(read_folder(overlay, findings)) if overlay is not None else {}
    made |= {name: File(origin=root / RECIPE / name, content=text) for name, text in planned.items()}
    if made:
        files = dict(sorted({**files, **{f"data/{path}": file for path, file in made.items()}}.items()))
    if family.lay_out is not None and PROBLEM not in files:
        return None, findings
    reader = PackageReader(
        root=root,
        files=files,
        findings=findings,
        built=built or RECIPE not in files,
        lenient=lenient,
        foreign_family=family.name if family.lay_out is not None else None,
    )
    return reader.package(), findings


def family_at(root: Path) -> Family:
    """Return the family of the package at `root` by its manifest; the first family if it has none."""
    return next((family for family in FAMILIES if has_manifest(root, family.manifests)), FAMILIES[0])


def _is_strict(root: Path, family: Family) -> bool:
    """Return whether the package must keep today's rules. If not, old names are read; doubled keys are warnings."""
    return family.lay_out is None and is_current(root)


def is_foreign(root: Path) -> bool:
    """Return whether the folder has the layout of another family, so that nothing is written into it."""
    return family_at(root).lay_out is not None


def read_package_files(root: Path, findings: Findings) -> Files:
    """Return the package's files by package-relative path."""
    workspace = workspace_of(root)
    if workspace is not None:
        return lay_out(workspace, root.resolve().name, findings)
    family = family_at(root)
    files = read_folder(root, findings, around=enclosing(root.resolve()), old_names=not _is_strict(root, family))
    if family.lay_out is None:
        return files
    if not any(name in files for name in family.manifests):  # a link that leaves the package
        findings.fault(root / family.manifests[0], "not a file of this package: copy the file in")
        return {}
    return family.lay_out(root, files, findings)


def has_manifest(folder: Path, manifests: Sequence[str] = MANIFESTS) -> bool:
    """Return whether the folder has a file of one of these names."""
    try:
        return any((folder / name).is_file() for name in manifests)
    except OSError:  # a private folder of another user
        return False


def enclosing(package: Path) -> Path:
    """Return the repository or contest folder around `package` (resolved), or `package` itself if there is none.

    Never a home folder or the top of the file system.
    """
    folders = list(_above(package))
    top = next((folder for folder in folders if any((folder / name).exists() for name in _TOPS)), None)
    if top is not None:
        return top
    signed = [folder for folder in folders if any((folder / name).exists() for name in _SIGNS)]
    return signed[-1] if signed else package


def _above(package: Path) -> Iterator[Path]:
    for folder in (package, *package.parents)[: FURTHEST + 1]:
        if len(folder.parts) <= 2 or (len(folder.parts) == 3 and folder.parts[1] in _HOMES):
            return
        yield folder
