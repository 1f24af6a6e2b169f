"""Build the data of another author's package in a cache folder (the overlay), which replaces its data/ on loading.

Packages of a workspace, and those that `harness generate` built or locked, are built in place if they can be written
to.
"""

import hashlib
import os
import re
import shlex
from pathlib import Path

from harness.errors import PackageError, UsageError
from harness.files import atomic, untrusted
from harness.generate.checks import Progress
from harness.generate.data import DataReport, build_data, needs_building, was_built_in
from harness.generate.planned import load_planned
from harness.generate.recipe import readable_recipe
from harness.host.host import Host
from harness.package import Package
from harness.package.load import is_foreign, load
from harness.package.model import is_sample_name
from harness.package.workspace import LOCK, RECIPE, workspace_of
from harness.values import dataclass

_OWNER = "package"
_OWNER_BYTES = 1 << 20  # of a manifest, at most
_MANIFESTS = ("problem.yaml", "problem.xml", "task.yaml", "init.yml", "domjudge-problem.ini")
_OWN_LINES = re.compile(
    rb"^[^\w\n]{0,40}(?:uuid|name|names|short-name|problem|type|validation)\b[^\n]*", re.MULTILINE
)
_DATA = "data"


@dataclass(frozen=True, kw_only=True)
class BuiltPackage:
    """A package with its data. report: None if there was nothing to build."""

    package: Package
    report: DataReport | None = None


def load_with_overlay(root: Path, cache: Path, *, built: bool) -> Package:
    """Load the package at `root` with the data that was built for it in `cache`. built: see `load`."""
    return load(root, built=built, overlay=built_overlay(root, cache))


def load_unbuilt(root: Path, overlay: Path | None = None) -> Package:
    """Load a package whose data may be built later; group files that the recipe mends are no faults.

    overlay: see `load`.
    """
    try:
        return load(root, built=False, overlay=overlay)
    except PackageError:
        return load_planned(root, overlay)


def built_overlay(root: Path, cache: Path) -> Path | None:
    """Return the overlay of the package at `root`; None if it was not built, or for another package at this path."""
    overlay = overlay_of(root, cache)
    is_built = overlay is not None and overlay.is_dir() and _owner_in(overlay.parent) == _owner(root)
    return overlay if is_built else None


def lacks_samples(package: Package) -> bool:
    """Return whether the recipe makes samples, or their answers, that are not there yet."""
    recipe = readable_recipe(package)
    present = {case.name for case in package.sample.all_shown() if case.answer is not None}
    return recipe is not None and any(
        is_sample_name(case.name) and case.name not in present for case in recipe.cases
    )


def bring_up_to_date(root: Path, host: Host, *, progress: Progress = lambda _: None) -> DataReport | None:
    """Build the data of the package at `root` if `needs_building`; else return None."""
    return _bring_up_to_date(load_unbuilt(root), host, progress)


def _bring_up_to_date(package: Package, host: Host, progress: Progress) -> DataReport | None:
    if not needs_building(package):
        return None
    overlay = overlay_of(package.root, host.builder.cache)
    if overlay is not None:
        _claim(overlay, package.root)
    locks = not was_built_in(package.root) or workspace_of(package.root) is not None
    return build_data(package.root, host, overlay=overlay, locks=locks, progress=progress)


def generate_data(
    root: Path, host: Host, *, relock: bool, force: bool, progress: Progress = lambda _: None
) -> DataReport:
    """Build the data of the package at `root`, in its data/ or, of another family, in an overlay: see `build_data`."""
    if relock and is_foreign(root):
        raise UsageError("--relock: the sums of this package are written by the tool of its own format")
    overlay = overlay_of(root, host.builder.cache) if is_foreign(root) else None
    if overlay is not None:
        _claim(overlay, root)
    return build_data(root, host, relock=relock, force=force, overlay=overlay, progress=progress)


def load_built(root: Path, host: Host, *, progress: Progress = lambda _: None) -> BuiltPackage:
    """Bring the data of a package up to date and load it. If `report.drift`, it must not be judged."""
    package = load_unbuilt(root)
    report = _bring_up_to_date(package, host, progress)
    if report is None and RECIPE not in package.files and overlay_of(root, host.builder.cache) is None:
        return BuiltPackage(package=package)  # complete as it was loaded
    built = report is None or not report.drift
    overlay = (
        overlay_of(root, host.builder.cache) if report is not None else built_overlay(root, host.builder.cache)
    )
    return BuiltPackage(package=load(root, built=built, overlay=overlay), report=report)


def overlay_of(root: Path, cache: Path) -> Path | None:
    """Return the folder that replaces data/ of another author's package, or of one that cannot be written to.

    None: the package is built in place, or has no recipe.
    """
    if not is_foreign(root):
        is_own = (root / LOCK).is_file() or workspace_of(root) is not None or was_built_in(root)
        if not (root / RECIPE).is_file() or (is_own and _can_be_written(root)):
            return None
    key = hashlib.sha256(str(root.resolve()).encode(errors="surrogateescape")).hexdigest()
    return cache / "data" / key[:32] / _DATA


def _can_be_written(root: Path) -> bool:
    """Return whether the folders that a build writes into can be written to."""
    data = root / _DATA
    inner = [path for path in data.glob("*") if path.is_dir()] if data.is_dir() else [root]
    folders = [
        *inner,
        *([data] if data.is_dir() else []),
        *([] if (root / LOCK).is_file() else [(root / LOCK).parent]),
    ]
    return all(os.access(folder, os.W_OK | os.X_OK) for folder in folders)


def fixes(root: Path) -> tuple[str, str]:
    """Describe the two ways to fix data that differs from its lock, for readers who may not know locks."""
    if is_foreign(root):
        return (
            "if the generators were changed on purpose: write the sums anew with the tool of the package's format",
            "else this machine's compiler or library makes other data than its author's: judging it is refused",
        )
    return (
        f"if the recipe was changed on purpose, or another version of harness wrote the lock: "
        f"harness generate {shlex.quote(str(root))} --relock",
        f"to judge what the recipe makes and leave the package alone: remove {root / LOCK}",
    )


def _claim(overlay: Path, root: Path) -> None:
    """Create the overlay and record its package; remove what was built for another package at its path.

    Also remove overlays of deleted packages, such as unpacked archives.
    """
    folder, owner = overlay.parent, _owner(root)
    for other in folder.parent.iterdir() if folder.parent.is_dir() else ():
        if other != folder and not _owner_exists(other):
            untrusted.remove(other)
    if overlay.is_dir() and _owner_in(folder) != owner:
        untrusted.remove(overlay)
    overlay.mkdir(parents=True, exist_ok=True)
    atomic.write(folder / _OWNER, owner)


def _owner(root: Path) -> bytes:
    """Return what tells a package from others: its path, and the uuid, names and types in its manifest."""
    lines: list[bytes] = []
    for name in _MANIFESTS:
        lines += _OWN_LINES.findall(untrusted.first_bytes(root / name, _OWNER_BYTES) or b"")
    path = str(root.resolve()).encode(errors="surrogateescape")
    return path + b"\n" + hashlib.sha256(b"\n".join(lines)).hexdigest().encode()


def _owner_in(folder: Path) -> bytes | None:
    try:
        return (folder / _OWNER).read_bytes()
    except OSError:
        return None  # it is being made now


def _owner_exists(folder: Path) -> bool:
    owner = _owner_in(folder)
    path = owner.rpartition(b"\n")[0] or owner if owner is not None else b"."  # older records hold the path alone
    return Path(path.decode(errors="surrogateescape")).is_dir()
