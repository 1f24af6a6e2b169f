"""Programs that bring their own `build` or `run` script: judge programs by the format ("Other programs"), submissions
by the custom of other tools."""

import stat
from pathlib import Path

from harness.build.languages import Language
from harness.build.toolchains import Toolchain
from harness.package import Program

BUILD, RUN = "build", "run"
CODE = "script"
_SHELL = "/bin/sh"
# A shell says what it cannot start, and ends with an exit code: a failed run of whoever hands in such a script.
_STARTED = ("{sh}", "-c", 'exec "$0" "$@"')
_PROCESSES = 256


def has_scripts(program: Program) -> bool:
    """Whether the program says itself how it is built or run."""
    return BUILD in program.files or RUN in program.files


def brings_build(program: Program) -> bool:
    """Whether it says how it is built, and not with a file of another language that is merely called so."""
    return BUILD in program.files and program.files[BUILD].read()[:2] == b"#!"


def toolchain(program: Program) -> Toolchain:
    """How to build and run it. A script without a first line `#!…` goes to the shell, as a shell would do it."""
    run = _start(program, RUN)
    language = Language(
        code=CODE,
        name="build and run scripts",
        compile=(_start(program, BUILD),) if BUILD in program.files else (),
        run=run,
        # A `run` that `build` makes may be a binary: what it is shows only then.
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
    """Packages come out of archives that keep no modes: scripts that are there to be started may be started."""
    if chosen.language.code != CODE:
        return
    for name in (BUILD, RUN):
        path = folder / name
        if path.is_file() and not path.is_symlink():
            path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
