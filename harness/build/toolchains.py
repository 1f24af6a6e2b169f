"""Find compilers and interpreters: the real binary, never a shim, and only if the sandbox's user can execute it.

For a tool outside the system's folders (a Python of pyenv, conda, uv or a CI runner's tool cache, a Node of nvm, a Rust
of rustup), runs must also be able to read its installation folder.
"""

import os
import pwd
import shutil
import stat
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from harness.build.languages import Language
from harness.package import Program
from harness.values import dataclass

SYSTEM_PATH = ("/usr/local/bin", "/usr/bin", "/bin")
_SYSTEM = tuple(map(Path, ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")))
_STORES = tuple(map(Path, ("/nix/store", "/gnu/store")))  # a tool there needs others beside it
_ASK_S = 300.0  # a tool that takes longer hangs; on a busy machine no language may seem missing
_PERSONAL = (".local", ".cargo")  # folders of a home that hold tools, and secrets too
BUILD, RUN = "build", "run"
SCRIPT = "script"
_SHELL = "/bin/sh"
# A script that cannot be started is a failed run of its author: the shell reports it and ends with an exit code.
_STARTED = ("{sh}", "-c", 'exec "$0" "$@"')
_PROCESSES = 256


@dataclass(frozen=True, kw_only=True)
class Toolchain:
    """A language with the paths of its tools, and the names of missing tools."""

    language: Language
    paths: Mapping[str, Path]
    missing: tuple[str, ...]

    @property
    def available(self) -> bool:
        """Return whether programs of this language can be built and run here."""
        return not self.missing

    @property
    def explanation(self) -> str:
        """Return what is missing and how to install it."""
        return f"{self.language.name} needs {', '.join(self.missing)}: {self.language.install}"


def find_toolchain(language: Language, *, search_path: str, as_other_user: bool) -> Toolchain:
    """Look for every tool of `language` on `search_path`, then in the system's folders.

    as_other_user: programs run as an unprivileged user, who cannot use a tool below a private folder (/root).
    """
    paths: dict[str, Path] = {}
    missing: list[str] = []
    for name, candidates in language.tools.items():
        tool = _first_usable(_candidates(candidates, search_path), as_other_user=as_other_user)
        if tool is None:
            missing.append(" or ".join(candidates))
        else:
            paths[name] = tool
    installed = {str(folder) for tool in paths.values() if (folder := _installation(tool)) is not None}
    language = replace(language, readable=tuple(dict.fromkeys((*language.readable, *sorted(installed)))))
    return Toolchain(language=language, paths=paths, missing=tuple(missing))


def _installation(tool: Path) -> Path | None:
    """Return the folder that a tool outside the system must read: <folder> of <folder>/bin/tool; else None.

    Never a home folder: then only the tool's file.
    """
    real = tool.resolve()
    if _of_system(real):
        return None
    store = next((folder for folder in _STORES if folder in real.parents), None)
    if store is not None:
        return store
    folder = real.parent.parent if real.parent.name in ("bin", "sbin") else real.parent
    return real if any(_is_private(folder, _home(uid)) for uid in (os.getuid(), folder.stat().st_uid)) else folder


def _is_private(folder: Path, home: Path | None) -> bool:
    return home is not None and folder in (home, *home.parents, *(home / name for name in _PERSONAL))


def _home(uid: int) -> Path | None:
    try:
        return Path(pwd.getpwuid(uid).pw_dir).resolve()
    except KeyError:  # a user without an entry in the password file
        return None


def _of_system(path: Path) -> bool:
    return any(folder in path.parents for folder in _SYSTEM)


def _candidates(names: Iterable[str], search_path: str) -> Iterator[Path]:
    for name in names:
        for folder in dict.fromkeys((*search_path.split(os.pathsep), *SYSTEM_PATH)):
            program = shutil.which(name, path=folder) if folder else None
            if program:
                yield Path(program)


def _first_usable(candidates: Iterable[Path], *, as_other_user: bool) -> Path | None:
    for candidate in candidates:
        real = _behind_shim(candidate)
        if real is not None and (not as_other_user or _reachable_by_all(real)):
            return real if _of_system(real) else real.resolve()  # programs cannot see the folder of the link
    return None


def _behind_shim(path: Path) -> Path | None:
    """Return the binary behind a shim (pyenv's, say): a script that costs 70 ms a start."""
    real = path.resolve()
    if real.name == "rustup":  # every tool of Rust is a link to it: it may download, then starts the real tool
        return _asked(real, "which", path.name)
    if "python" not in path.name and "pypy" not in path.name:
        return path
    if _is_script(path):
        path = _asked(path, "-I", "-S", "-c", "import sys; print(sys.executable)") or path
    return None if _is_script(path) else _outside_venv(path)


def _asked(*command: str | Path) -> Path | None:
    """Return the binary whose path a command prints.

    It is asked in `/`: a `rust-toolchain.toml` or `.python-version` of the working directory would name another one.
    """
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_ASK_S, cwd="/")
    except (OSError, subprocess.TimeoutExpired):
        return None
    named = Path(done.stdout.strip())
    return named if done.returncode == 0 and named.is_file() else None


def _outside_venv(python: Path) -> Path:
    """Return the interpreter that a virtual environment was made from: programs must not see our packages."""
    try:
        lines = (python.parent.parent / "pyvenv.cfg").read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return python
    settings = dict(line.split("=", 1) for line in lines if "=" in line)
    home = next((value.strip() for key, value in settings.items() if key.strip() == "home"), "")
    base = Path(home) / python.name
    return base if home and base.is_file() and not _is_script(base) else python


def _is_script(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return True


def _reachable_by_all(path: Path) -> bool:
    real = path.resolve()
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in (real, *real.parents))


def has_scripts(program: Program) -> bool:
    """Return whether the program has a `build` or `run` script."""
    return BUILD in program.files or RUN in program.files


def brings_build(program: Program) -> bool:
    """Return whether the program has a `build` script, not a file of another language with that name."""
    return BUILD in program.files and program.files[BUILD].read()[:2] == b"#!"


def script_toolchain(program: Program) -> Toolchain:
    """Return the toolchain of a program with scripts. The shell runs a script without a first line `#!…`."""
    run = _start(program, RUN)
    language = Language(
        code=SCRIPT,
        name="build and run scripts",
        compile=(_start(program, BUILD),) if BUILD in program.files else (),
        run=run,
        # `build` may make `run`, also as a binary: only afterwards is its kind known.
        entry=(RUN,),
        cap_data=False,
        threads=_PROCESSES,
    )
    return Toolchain(language=language, paths={"sh": Path(_SHELL)}, missing=())


def _start(program: Program, name: str) -> tuple[str, ...]:
    path = "{dir}/{entry}" if name == RUN else f"{{dir}}/{name}"
    file = program.files.get(name)
    given = file.read()[:4] if file is not None else b"#!"
    direct = given.startswith(b"#!") or given.startswith(b"\x7fELF")
    return (*_STARTED, path) if direct else ("{sh}", path)


def make_startable(folder: Path, chosen: Toolchain) -> None:
    """Make the scripts executable: archives may have lost their modes."""
    if chosen.language.code != SCRIPT:
        return
    for name in (BUILD, RUN):
        path = folder / name
        if path.is_file() and not path.is_symlink():
            path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
