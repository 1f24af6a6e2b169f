"""A package as a mapping from package-relative path to content, wherever the bytes lie.

Loading, judging and exporting see only this mapping, so what is judged is what is exported.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath

from harness.errors import Fault

# 2025-09, "Package structure": any other name is treated as absent.
LEGAL_NAME = re.compile(r"[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,254}")


def is_legal(path: str) -> bool:
    """Whether a package-relative path is made of legal names only: not absolute, nothing that leads upwards."""
    return all(LEGAL_NAME.fullmatch(part) for part in path.split("/"))


@dataclass(frozen=True, kw_only=True)
class File:
    """One file of a package. `origin` is where a person mends it; `content` overrides what lies there."""

    origin: Path
    content: bytes | None = None
    executable: bool = False

    def read(self) -> bytes:
        """The bytes that the package holds for this file."""
        return self.origin.read_bytes() if self.content is None else self.content


Files = Mapping[str, File]


def below(files: Files, folder: str) -> dict[str, File]:
    """The files under `folder`, keyed by their path relative to it."""
    prefix = folder.rstrip("/") + "/"
    return {path[len(prefix) :]: file for path, file in files.items() if path.startswith(prefix)}


def read_folder(root: Path, faults: list[Fault]) -> dict[str, File]:
    """Every legally named file below `root`; a link that leaves `root` and an illegal name become faults.

    Hidden files and folders (a leading dot) are absent by the format's rule and are passed over in silence.
    """
    home = root.resolve()
    found: dict[str, File] = {}
    for path, linked in _walk(root):
        relative = path.relative_to(root)
        if any(part.startswith(".") or part == "__pycache__" for part in relative.parts):
            continue
        illegal = next((part for part in relative.parts if not LEGAL_NAME.fullmatch(part)), None)
        if illegal is not None:
            faults.append(
                Fault(path=path, message=f"the name {illegal!r} is not allowed: use letters, digits, _ . -")
            )
        elif linked and not path.resolve().is_relative_to(home):
            faults.append(Fault(path=path, message="the link leaves the package: copy the file in"))
        elif not path.exists():
            faults.append(Fault(path=path, message="the link points to nothing: copy the file in"))
        elif not path.is_file():
            faults.append(Fault(path=path, message="neither a file nor a folder: a package holds nothing else"))
        else:
            found[relative.as_posix()] = File(origin=path, executable=bool(path.stat().st_mode & 0o111))
    return found


def _walk(folder: Path) -> Iterator[tuple[Path, bool]]:
    """Every file below `folder`, and whether a link leads to it."""
    for path in sorted(folder.iterdir()):
        linked = path.is_symlink()
        if not path.is_dir():
            yield path, linked
        elif linked:
            yield from ((inside, True) for inside in _walk_link(path))
        else:
            yield from _walk(path)


def _walk_link(link: Path) -> Iterator[Path]:
    # A linked folder is read like any other, unless it would lead back into itself.
    if not link.absolute().is_relative_to(link.resolve()):
        target = link.resolve()
        yield from (link / path.relative_to(target) for path, _ in _walk(target))


def origin_of(files: Files, path: str, root: PurePath) -> PurePath:
    """Where a person finds `path`: its origin on disk, or the place where it should have been."""
    return files[path].origin if path in files else root / path
