"""What lies around a package: the repository or contest folder that it is a part of."""

from collections.abc import Iterator
from pathlib import Path

# A repository's own top, then what shows a contest's folder or a repository that came as an archive.
_TOPS = (".git", ".hg")
_SIGNS = (
    "contest.yaml", "problems.yaml", "problemset.yaml", ".github", ".gitlab-ci.yml", ".gitignore", "LICENSE",
    "pyproject.toml",
)  # fmt: skip
_HOMES = ("home", "Users")
FURTHEST = 5


def enclosing(package: Path) -> Path:
    """The repository or contest folder around `package` (resolved), or `package` itself where there is none.

    Never a whole home or the top of the file system: what lies there is nobody's package.
    """
    folders = list(_above(package))
    top = next((one for one in folders if any((one / name).exists() for name in _TOPS)), None)
    if top is not None:
        return top
    signed = [one for one in folders if any((one / name).exists() for name in _SIGNS)]
    return signed[-1] if signed else package


def _above(package: Path) -> Iterator[Path]:
    for folder in (package, *package.parents)[: FURTHEST + 1]:
        if len(folder.parts) <= 2 or (len(folder.parts) == 3 and folder.parts[1] in _HOMES):
            return
        yield folder
