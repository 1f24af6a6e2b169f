"""One call of a compiler, in the sandbox: its command, its limits, what it said, and what it left."""

import os
import re
import stat
from pathlib import Path

from harness.build import command_lines
from harness.build.languages import Language
from harness.build.model import BASE_ENVIRONMENT
from harness.sandbox import Command, KillReason, RunResult, Sandbox
from harness.sandbox.limits import KIB, MIB, MOST_WRITTEN_BYTES, Limits
from harness.values import dataclass

DIAGNOSTICS_BYTES = 64 * KIB
BINARY_BYTES = 256 * MIB
_MEMORY_A_BINARY = 8  # how much memory for a compiler goes with a file of this size that it writes
COMPILER_THREADS = 256
MOST_LEFT_ITEMS = 20_000
MOST_LEFT_BYTES = 1024 * MIB
LONGEST_PATH_BYTES = 1000
CHECKS_MISSING = (
    "the compiler's libraries of checks are missing: apt install gcc, dnf install libasan libubsan; "
    "or leave out --sanitize"
)
_NO_CHECKS = re.compile(r"cannot find \S*(?:asan|ubsan)")
_TOO_LARGE = ("File size limit exceeded", "File too large")


@dataclass(frozen=True, kw_only=True)
class BuildLimits:
    """What a build may use. code_bytes caps the sources, None means uncapped (judge programs).

    scripts: whether `build` and `run` in the program's folder come before all else (judge programs); else they are
    heeded where no language is known, or the compiler alone does not do. older_dialects: whether older standards of
    the language are tried where today's does not do (packages from before there was one).
    """

    time_s: float = 60
    memory_bytes: int = 2048 * MIB
    code_bytes: int | None = None
    scripts: bool = False
    older_dialects: bool = False

    @property
    def binary_bytes(self) -> int:
        """How large a compiled file may be: the package decides by the memory that it gives compilers."""
        return max(BINARY_BYTES, min(self.memory_bytes // _MEMORY_A_BINARY, MOST_LEFT_BYTES))


def compiler_command(argv: tuple[str, ...], language: Language, folder: Path) -> Command:
    """A compiler's call in `folder`, where it may write."""
    return Command(
        argv=argv,
        directory=folder,
        environment={
            **BASE_ENVIRONMENT,
            "HOME": str(folder),
            "TMPDIR": str(folder),
            **command_lines.placed(language.environment, folder),
        },
        readable=language.readable_here,
        writable_directory=True,
    )


def run_compiler(command: Command, limits: BuildLimits, sandbox: Sandbox, output: Path) -> RunResult:
    """Run it; what it says goes to `stdout` and `stderr` in the folder `output`.

    It is repeated once where it, or a part of it by what it says, ended by a signal that the sandbox did not send.
    """
    run_limits = Limits(
        cpu_s=limits.time_s,
        wall_s=limits.time_s,
        memory_bytes=limits.memory_bytes,
        output_bytes=limits.binary_bytes,
        written_bytes=MOST_WRITTEN_BYTES,
        cap_data_segment=False,
        threads=COMPILER_THREADS,
        shared_once=False,
    )
    streams = {"stdin": Path(os.devnull), "stdout": output / "stdout", "stderr": output / "stderr"}
    result = sandbox.run(command, run_limits, **streams)
    if result.ended_from_outside or (result.exit_code and _says_killed(output / "stderr")):
        return sandbox.run(command, run_limits, **streams)
    return result


def _says_killed(path: Path) -> bool:
    """Whether a driver says that one of its parts was killed: of gcc, of clang and the linkers."""
    with path.open("rb") as file:
        said = file.read(DIAGNOSTICS_BYTES)
    return b"Killed signal terminated program" in said or b"unable to execute command: Killed" in said


def read_diagnostics(output: Path, folder: Path) -> str:
    """What it said, with files called as in the program and not as where it was staged."""
    texts = []
    for name in ("stdout", "stderr"):
        with (output / name).open("rb") as file:
            texts.append(file.read(DIAGNOSTICS_BYTES).decode(errors="replace"))
    return "".join(texts).replace(f"{folder}/", "")


def lacks_checks(language: Language, said: str) -> bool:
    """Whether the linker looked in vain for what compiled-in checks need, by what it said."""
    return any(flag.startswith("-fsanitize") for flag in language.flags) and bool(_NO_CHECKS.search(said))


def why_killed(result: RunResult, limits: BuildLimits, said: str) -> str:
    """A line on the limit that stopped it or one of its parts, by what it said; nothing if there is none."""
    if result.killed_for is None and any(words in said for words in _TOO_LARGE):
        return (
            f"what is compiled is larger than {limits.binary_bytes // MIB} MiB: "
            "an array with initial values stands in it as a whole, one without costs nothing; for larger ones raise "
            "`limits: compilation_memory` in problem.yaml, of which it may be an eighth\n"
        )
    match result.killed_for:
        case KillReason.CPU | KillReason.WALL:
            return f"the compiler was stopped after {limits.time_s:g} s\n"
        case KillReason.MEMORY:
            return f"the compiler was stopped at {limits.memory_bytes // MIB} MiB of memory\n"
        case KillReason.OUTPUT:
            one, all_mib = limits.binary_bytes // MIB, MOST_WRITTEN_BYTES // MIB
            return f"the compiler was stopped at {one} MiB of output, or {all_mib} MiB of all that it wrote\n"
        case _:
            return ""


def excess_of_build(folder: Path) -> str | None:
    """What is too much in `folder`, in words; None where it is within bounds, and then all of it can be read.

    The sizes count as they look: a copy of a file with holes has none.
    """
    items = size_bytes = 0
    pending = [folder]
    while pending:
        current = pending.pop()
        if len(os.fsencode(current)) > len(os.fsencode(folder)) + LONGEST_PATH_BYTES:
            return f"the build left folders in folders, more than {LONGEST_PATH_BYTES} letters deep"
        current.chmod(0o755)  # programs can close their folders and files to everybody, us too
        with os.scandir(current) as entries:
            for entry in entries:
                items += 1
                status = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(status.st_mode):
                    pending.append(current / entry.name)
                elif stat.S_ISREG(status.st_mode):
                    (current / entry.name).chmod(stat.S_IMODE(status.st_mode) | 0o600)
                    size_bytes += status.st_size
                if items > MOST_LEFT_ITEMS:
                    return f"the build left more than {MOST_LEFT_ITEMS:,} files and folders"
                if size_bytes > MOST_LEFT_BYTES:
                    return f"the build left more than {MOST_LEFT_BYTES // MIB} MiB"
    return None
