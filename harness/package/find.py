"""Which package does PROBLEM mean: a slug of the workspace around us, a path, or the folder that we stand in."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from harness.errors import UsageError
from harness.package.archive import is_archive
from harness.package.workspace import slugs_in

MANIFEST = "problem.yaml"
# A package for DOMjudge alone may have nothing else.
_MANIFESTS = (MANIFEST, "domjudge-problem.ini")
_MOST_NAMES = 30


def find_package(problem: str | None, cwd: Path) -> Path:
    """The package's folder, or its archive. Raises UsageError that lists what there is to choose from."""
    if problem is None:
        return _around(cwd)
    path = cwd / problem
    if _is_package(path) or is_archive(path):
        return path
    workspace = find_workspace(cwd)
    if workspace is not None and (workspace / "problems" / problem / MANIFEST).is_file():
        return workspace / "problems" / problem
    if path.is_dir():
        inner = [one.name for one in packages_in(path)]
        found = f": it holds packages ({_listed(inner)}), name one of them" if inner else ""
        raise UsageError(f"{path}: no {MANIFEST} in it, so it is no problem package{found}")
    raise UsageError(f"no problem `{problem}`: neither a package's folder or zip nor {_known(cwd)}")


def find_workspace(cwd: Path) -> Path | None:
    """The nearest folder at or above `cwd` that has problems/<slug>/problem.yaml."""
    return next((folder for folder in _upwards(cwd) if any(slugs_in(folder))), None)


def packages_around(folder: Path) -> list[Path]:
    """The packages of the workspace around a folder; where there is none, those in the folder."""
    workspace = find_workspace(folder)
    if workspace is not None:
        return [workspace / "problems" / slug for slug in slugs_in(workspace)]
    return packages_in(folder)


def packages_in(folder: Path) -> list[Path]:
    """The packages that lie directly in a folder."""
    return sorted(path for path in folder.iterdir() if _is_package(path))


def _around(cwd: Path) -> Path:
    found = next((folder for folder in _upwards(cwd) if _is_package(folder)), None)
    if found is None:
        raise UsageError(f"which problem? {cwd} is in no package: name {_known(cwd)}, or the path of one")
    return found


def _is_package(folder: Path) -> bool:
    try:
        return any((folder / name).is_file() for name in _MANIFESTS)
    except OSError:  # somebody else's, and private
        return False


def _upwards(cwd: Path) -> Iterator[Path]:
    yield cwd.absolute()
    yield from cwd.absolute().parents


def _known(cwd: Path) -> str:
    names = [path.name for path in packages_around(cwd)]
    if not names:
        return "a problem of a workspace (none is around here)"
    return f"one of {_listed(names)}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:_MOST_NAMES]) + (", …" if len(names) > _MOST_NAMES else "")
