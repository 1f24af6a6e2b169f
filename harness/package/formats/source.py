"""What a reader of a format is given, and what it has to be."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from harness.package.files import Files
from harness.package.findings import Findings
from harness.package.model import Package


@dataclass(frozen=True, kw_only=True)
class PackageSource:
    """A package to be read: its folder, its files by package-relative path, and where faults and warnings go.

    built: whether secret data must be there. lenient: whether as much as possible is to be read of a package whose
    manifest is missing or broken.
    """

    root: Path
    files: Files
    findings: Findings
    built: bool = True
    lenient: bool = False


@dataclass(frozen=True, kw_only=True)
class Family:
    """One family of formats.

    manifests: the names of files at a package's top that show the family. is_strict: whether the package at a path
    holds to today's rules for names and keys; else old names are read and doubled keys are warnings.
    read: the package, or None where its manifest cannot be read; all that is wrong goes to the source's findings.
    """

    manifests: tuple[str, ...]
    is_strict: Callable[[Path], bool]
    read: Callable[[PackageSource], Package | None]
