"""The names that TAB may complete: problems, submissions and cases around the current folder.

Only globs: loading packages would take longer than a person waits for TAB.
"""

from collections.abc import Iterator
from pathlib import Path

_MOST = 2000


def _workspace() -> Path | None:
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents) if any(folder.glob("problems/*/problem.yaml"))), None)


def problems() -> Iterator[str]:
    """Yield the slugs of the workspace, and the packages in this folder."""
    workspace = _workspace()
    if workspace is not None:
        yield from sorted(path.parent.name for path in workspace.glob("problems/*/problem.yaml"))
    yield from sorted(path.parent.name for path in Path.cwd().glob("*/problem.yaml"))


def package_folder(problem: str | None) -> Path | None:
    """Return the folder of a problem by its slug or path, else the package around this folder."""
    here, workspace = Path.cwd(), _workspace()
    places = [here / problem] if problem is not None else []
    places += [workspace / "problems" / problem] if problem is not None and workspace is not None else []
    places += [here, *here.parents]
    return next((place for place in places if (place / "problem.yaml").is_file()), None)


def submissions(package: Path | None) -> Iterator[str]:
    """Yield the names of a package's submissions below submissions/: whole paths, then last parts."""
    workspace = _workspace()
    if package is None:
        return
    folder = package / "submissions"
    if workspace is not None and package.parent == workspace / "problems":
        folder = workspace / "reference" / package.name
    paths = sorted(folder.glob("*/*"))[:_MOST]
    yield from (path.relative_to(folder).as_posix() for path in paths)
    yield from (path.name for path in paths)


def cases(package: Path | None) -> Iterator[str]:
    """Yield the names of a package's test cases below data/."""
    if package is not None:
        data = package / "data"
        for path in sorted(data.glob("s*/**/*.in"))[:_MOST]:
            yield path.relative_to(data).with_suffix("").as_posix()
