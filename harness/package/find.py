"""Find packages: by the argument PROBLEM, in a workspace or folder."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from harness.errors import UsageError, first_few
from harness.package.archive import is_archive
from harness.package.load import has_manifest
from harness.package.workspace import slugs_in

MANIFEST = "problem.yaml"
_MISNAMED = ("problem.yml", "problem.yaml.txt")  # in small letters
_MOST_NAMES = 30


def find_package(problem: str | None, cwd: Path) -> Path:
    """Return the package's folder or archive. Raises UsageError that lists the packages nearby."""
    if problem is None:
        return _around(cwd)
    path = cwd / problem
    if has_manifest(path) or is_archive(path):
        return path
    workspace = find_workspace(cwd)
    if workspace is not None and (workspace / "problems" / problem / MANIFEST).is_file():
        return workspace / "problems" / problem
    if path.is_dir():
        inner = [package.name for package in packages_in(path)]
        listed = first_few(inner, _MOST_NAMES)
        inside = (
            f": it holds packages ({listed}), name one of them" if inner else _misnamed(path) or _name_of(path)
        )
        raise UsageError(f"{path}: no {MANIFEST} in it, so it is no problem package{inside}")
    if path.is_file():
        raise UsageError(f"{path}: a file, but no zip: it is no problem package{_name_of(path)}")
    raise UsageError(f"no problem `{problem}`: neither a package's folder or zip nor {_choice(cwd)}")


def _misnamed(folder: Path) -> str:
    """Return how to fix the name of a manifest, such as Problem.yaml or problem.yml; '' if there is none."""
    names = sorted(path.name for path in folder.iterdir() if path.name.lower() in (MANIFEST, *_MISNAMED))
    return f": rename {names[0]} to {MANIFEST}" if names else ""


def _name_of(path: Path) -> str:
    """Return which package to name in place of a path in it; '' if it is in none."""
    package = _package_around(path.parent)
    return f": it lies in the package {package}, name that" if package is not None else ""


def is_in_package(cwd: Path) -> bool:
    """Return whether a folder lies in a problem package."""
    return _package_around(cwd) is not None


def split_arguments(arguments: Sequence[str], cwd: Path) -> tuple[str | None, list[Path]]:
    """Split the arguments into PROBLEM, which may be left out in a package's folder, and the submissions.

    Raises UsageError if the first argument is no problem and, in a package's folder, cannot be a submission.
    """
    if not arguments:
        return None, []
    first, *rest = arguments
    try:
        find_package(first, cwd)
    except UsageError:
        # A file cannot be a package; and in a package's folder, a name is that of a submission.
        if not Path(cwd, first).is_file() and not is_in_package(cwd):
            raise
        return None, [Path(path) for path in arguments]
    return first, [Path(path) for path in rest]


def find_workspace(cwd: Path) -> Path | None:
    """Return the nearest folder at or above `cwd` that has problems/<slug>/problem.yaml."""
    return next((folder for folder in _upwards(cwd) if any(slugs_in(folder))), None)


def packages_around(folder: Path) -> list[Path]:
    """Return the packages of the workspace around a folder; without a workspace, those in the folder."""
    workspace = find_workspace(folder)
    if workspace is not None:
        return [workspace / "problems" / slug for slug in slugs_in(workspace)]
    return packages_in(folder)


def packages_in(folder: Path) -> list[Path]:
    """Return the packages directly in a folder."""
    return sorted(path for path in folder.iterdir() if has_manifest(path))


def _around(cwd: Path) -> Path:
    package = _package_around(cwd)
    if package is None:
        fix = _misnamed(cwd) or f": name {_choice(cwd)}, or the path of one"
        raise UsageError(f"which problem? {cwd} is in no package{fix}")
    return package


def _package_around(cwd: Path) -> Path | None:
    return next((folder for folder in _upwards(cwd) if has_manifest(folder)), None)


def _upwards(cwd: Path) -> Iterator[Path]:
    yield cwd.absolute()
    yield from cwd.absolute().parents


def _choice(cwd: Path) -> str:
    names = [path.name for path in packages_around(cwd)]
    if not names:
        return "a problem of a workspace (none is around here)"
    return f"one of {first_few(names, _MOST_NAMES)}"
