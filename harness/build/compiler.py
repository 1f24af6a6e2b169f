"""Call a compiler in the sandbox: its command, limits and diagnostics, and bounds on the files it leaves."""

import os
import re
import stat
from pathlib import Path

from harness.build.executable import BASE_ENVIRONMENT, with_folder
from harness.build.languages import Language
from harness.files import untrusted
from harness.sandbox.facts import KIB, MIB, MOST_WRITTEN_BYTES, Command, KillReason, Limits, RunResult, Sandbox
from harness.values import dataclass

DIAGNOSTICS_BYTES = 64 * KIB
BINARY_BYTES = 256 * MIB
_MEMORY_A_BINARY = 8  # memory limit of the compiler that allows it to write a file of this size
COMPILER_THREADS = 256
MOST_LEFT_ITEMS = 20_000
MOST_LEFT_BYTES = 1024 * MIB
LONGEST_PATH_BYTES = 1000
CHECKS_MISSING = (
    "the compiler's libraries of checks are missing: apt install gcc, dnf install libasan libubsan; "
    "or leave out --sanitize"
)
# Python prints `Sorry: TabError: …`; users took the apology for ours.
_OBJECT = re.compile(
    r"(?:(?<![\w/-])/[\w/-]+/)?\bcc[A-Za-z0-9]{6}\.([os])\b"
)  # what GCC passes on, by a random name
_APOLOGY = re.compile(r"^Sorry: (?=\w{1,40}: )", re.MULTILINE)
_NO_CHECKS = re.compile(r"cannot find \S*(?:asan|ubsan)")
_TOO_LARGE = ("File size limit exceeded", "File too large")


@dataclass(frozen=True, kw_only=True)
class BuildLimits:
    """The limits of a build. code_bytes: cap on the sources; None: uncapped (judge programs).

    scripts: `build` and `run` in the program's folder come first (judge programs); otherwise they are used only if the
    language is unknown or the compiler fails. older_dialects: what fails is tried again with other names, with missing
    headers and by older standards (old packages).
    """

    time_s: float = 60
    memory_bytes: int = 2048 * MIB
    code_bytes: int | None = None
    scripts: bool = False
    older_dialects: bool = False

    @property
    def binary_bytes(self) -> int:
        """Return how large a compiled file may be: it grows with the compilers' memory limit."""
        return max(BINARY_BYTES, min(self.memory_bytes // _MEMORY_A_BINARY, MOST_LEFT_BYTES))


def compiler_command(argv: tuple[str, ...], language: Language, folder: Path) -> Command:
    """Return the command of a compiler in `folder`, where it may write."""
    return Command(
        argv=argv,
        directory=folder,
        environment={
            **BASE_ENVIRONMENT,
            "HOME": str(folder),
            "TMPDIR": str(folder),
            **with_folder(language.environment, folder),
        },
        readable=language.readable_here,
        writable_directory=True,
    )


def run_compiler(command: Command, limits: BuildLimits, sandbox: Sandbox, output: Path) -> RunResult:
    """Run a compiler; its diagnostics go to `stdout` and `stderr` in the folder `output`.

    It runs once more if a signal that the sandbox did not send ended it or, by its message, a part of it.
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
    """Return whether the driver of gcc or clang reports that a part of it was killed."""
    text = untrusted.first_text(path, DIAGNOSTICS_BYTES)
    return "Killed signal terminated program" in text or "unable to execute command: Killed" in text


def read_diagnostics(output: Path, folder: Path) -> str:
    """Return the diagnostics, with the file names of the program, not of the stage."""
    texts = (untrusted.first_text(output / name, DIAGNOSTICS_BYTES) for name in ("stdout", "stderr"))
    text = _APOLOGY.sub("", "".join(texts).replace(f"{folder}/", ""))
    return _OBJECT.sub(r"program.\1", text)


def lacks_checks(language: Language, diagnostics: str) -> bool:
    """Return whether the linker lacks the libraries of the compiled-in checks."""
    return any(flag.startswith("-fsanitize") for flag in language.flags) and bool(_NO_CHECKS.search(diagnostics))


def why_killed(result: RunResult, limits: BuildLimits, diagnostics: str) -> str:
    """Return a line on the limit that stopped the compiler or a part of it; "" if there is none."""
    if result.killed_for is None and any(words in diagnostics for words in _TOO_LARGE):
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
            file_mib, all_mib = limits.binary_bytes // MIB, MOST_WRITTEN_BYTES // MIB
            return f"the compiler was stopped at {file_mib} MiB of output, or {all_mib} MiB of all that it wrote\n"
        case _:
            return ""


def excess_of_build(folder: Path) -> str | None:
    """Describe how the files of a build exceed the bounds; None if they do not. Makes all of them readable.

    A build may run untrusted code, and the judge copies the files. A sparse file counts in full, as its copy is not
    sparse.
    """
    items = size_bytes = 0
    pending = [folder]
    while pending:
        current = pending.pop()
        if len(os.fsencode(current)) > len(os.fsencode(folder)) + LONGEST_PATH_BYTES:
            return f"the build left folders in folders, more than {LONGEST_PATH_BYTES} letters deep"
        current.chmod(0o755)  # programs can make folders and files unreadable, for us too
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
