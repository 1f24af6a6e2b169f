"""Finds compilers and interpreters: the real binary, never a shim, and one that the sandbox's user can execute."""

import os
import shutil
import stat
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from harness.languages.table import Language

SYSTEM_PATH = ("/usr/local/bin", "/usr/bin", "/bin")


@dataclass(frozen=True, kw_only=True)
class Toolchain:
    """A language with each of its tools found, or the names of those that are missing."""

    language: Language
    paths: Mapping[str, Path]
    missing: tuple[str, ...]

    @property
    def available(self) -> bool:
        """Whether programs of this language can be built and run here."""
        return not self.missing

    @property
    def explanation(self) -> str:
        """What is missing and how to install it."""
        return f"{self.language.name} needs {', '.join(self.missing)}: {self.language.install}"


def find_toolchain(language: Language, *, search_path: str, as_other_user: bool) -> Toolchain:
    """Look for every tool of `language` on `search_path`, then in the system's folders.

    as_other_user: the runs drop to an unprivileged user, so a tool below a private folder (/root) is of no use.
    """
    found: dict[str, Path] = {}
    missing: list[str] = []
    for name, candidates in language.tools.items():
        tool = _first_usable(_candidates(candidates, search_path), as_other_user=as_other_user)
        if tool is None:
            missing.append(" or ".join(candidates))
        else:
            found[name] = tool
    return Toolchain(language=language, paths=found, missing=tuple(missing))


def _candidates(names: Iterable[str], search_path: str) -> Iterator[Path]:
    for name in names:
        for folder in dict.fromkeys((*search_path.split(os.pathsep), *SYSTEM_PATH)):
            found = shutil.which(name, path=folder) if folder else None
            if found:
                yield Path(found)


def _first_usable(candidates: Iterable[Path], *, as_other_user: bool) -> Path | None:
    for candidate in candidates:
        real = _behind_shim(candidate)
        if real is not None and (not as_other_user or _reachable_by_all(real)):
            return real
    return None


def _behind_shim(path: Path) -> Path | None:
    """The binary itself. A shim (pyenv's, say) is a script that costs 70 ms a start; Python tells what it starts."""
    if not _is_script(path):
        return path
    if "python" not in path.name and "pypy" not in path.name:
        return path
    asked = subprocess.run(
        [path, "-I", "-S", "-c", "import sys; print(sys.executable)"],
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    real = Path(asked.stdout.strip())
    return real if asked.returncode == 0 and real.is_file() and not _is_script(real) else None


def _is_script(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return True


def _reachable_by_all(path: Path) -> bool:
    real = path.resolve()
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in (real, *real.parents))
