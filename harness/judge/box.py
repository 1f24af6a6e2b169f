"""The folder that a submission runs in: its own files, a case's `.files` over them, and what it may write there."""

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from harness import tidy
from harness.build import Executable, write_files
from harness.package import Case
from harness.sandbox import Command, KillReason, RunResult

Sizes = Mapping[tuple[int, str], tuple[int, int]]


@dataclass(frozen=True, kw_only=True)
class Box:
    """One run's folder. writable: the submission may write files there, which count as output."""

    executable: Executable
    writable: bool
    before: Sizes

    def command(self, memory_bytes: int, arguments: tuple[str, ...]) -> Command:
        """The command of the run."""
        command = self.executable.command(memory_bytes, *arguments)
        return replace(command, writable_directory=self.writable)

    def counted(self, run: RunResult, output_bytes: int) -> RunResult:
        """The facts with what was written to files counted as output; over the limit is over it, however written."""
        if not self.writable:
            return run
        written = sum(
            size
            for item, (size, changed) in _sizes(self.executable.directory).items()
            if self.before.get(item) != (size, changed)
        )
        total = run.output_bytes + written
        over = run.killed_for is None and total > output_bytes
        return replace(run, output_bytes=total, killed_for=KillReason.OUTPUT if over else run.killed_for)

    def clear(self, shared: Executable) -> None:
        """Remove the folder, if it is this run's own."""
        if self.executable is not shared:
            tidy.remove(self.executable.directory)


def box_for(executable: Executable, case: Case, folder: Path, *, writable: bool) -> Box:
    """The folder of one run: where the program lies, or a copy of it at `folder` where something is different."""
    if not writable and not case.extra_files:
        return Box(executable=executable, writable=False, before={})
    folder.mkdir(mode=0o755)
    tidy.copy_tree(executable.directory, folder)
    write_files(folder, case.extra_files)
    moved = executable.moved(folder)
    return Box(executable=moved, writable=writable, before=_sizes(folder) if writable else {})


def _sizes(folder: Path) -> dict[tuple[int, str], tuple[int, int]]:
    """Size and time of change of each regular file, by its folder's inode and its name."""
    found = {}
    for descriptor, names in tidy.walk(folder):
        inode = os.fstat(descriptor).st_ino
        for name in names:
            status = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
            if stat.S_ISREG(status.st_mode):
                found[inode, name] = (status.st_size, status.st_mtime_ns)
    return found
