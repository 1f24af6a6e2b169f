"""The contract between `load` and the reader of a family."""

from collections.abc import Callable
from pathlib import Path

from harness.package.files import Files
from harness.package.findings import Findings
from harness.package.model import Package
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class PackageSource:
    """A package to read: its folder, its files by package-relative path, and where faults and warnings go.

    built: whether secret data must be there. lenient: whether to read as much as possible of a package whose manifest
    is missing or broken. foreign_family: the family that laid the files out so, None for a package's own layout.
    """

    root: Path
    files: Files
    findings: Findings
    built: bool = True
    lenient: bool = False
    foreign_family: str | None = None


@dataclass(frozen=True, kw_only=True)
class Family:
    """A family of package formats.

    manifests: the names of files at a package's top that show the family.
    read: returns the package, or None if its manifest cannot be read; faults go to the source's findings.
    is_strict: whether the package at a path must keep today's rules for names and keys. If not, old names are read and
    doubled keys are warnings.
    lay_out: for folders of another layout, see `LayOut`; None: the folder is laid out as a package.
    """

    name: str
    manifests: tuple[str, ...]
    read: Callable[[PackageSource], Package | None]
    is_strict: Callable[[Path], bool] = lambda root: False
    lay_out: "LayOut | None" = None


# (folder, its files, findings) -> the same files under the paths of a package of 2025-09: problem.yaml, data/,
# submissions/, generators/generators.yaml (RECIPE), generators/data.lock (LOCK) and so on. A file that the folder does
# not have is a File with `content`, whose origin is the file that a person edits to change it. Faults go to the
# findings; without problem.yaml in the result the package is not read further.
LayOut = Callable[[Path, Files, Findings], Files]
