"""The folder that a submission runs in: its own files, a case's `.files` over them, and what it writes there.

No run sees what an earlier run has written. Copying a folder costs more than a small run, so a worker reuses the folder
of its last run while that is unchanged. A change is always seen: a file must change its mode before it can be opened
for writing, and what is changed, replaced or made has a later change time, which no program can set back.
"""

import contextlib
import stat
import time
from collections.abc import Iterator
from dataclasses import field, replace
from pathlib import Path

from harness.build import Executable, Stage, write_files
from harness.files import untrusted
from harness.package.files import Files
from harness.sandbox import Command, KillReason, RunResult, Sandbox
from harness.values import dataclass

_COARSE = 5  # CLOCK_REALTIME_COARSE of Linux, by which it dates changes
_TICKS = 20
_TICK_S = 0.002  # the kernel's times move on every 1 to 10 ms


@dataclass(kw_only=True)
class Box:
    """The folder of a run. writable: the submission may write files there, which count as output.

    lent: it belongs to the sandbox's user and may be reused. origin: the program in its original folder.
    """

    executable: Executable
    writable: bool = False
    lent: bool = False
    origin: Executable | None = None
    before: untrusted.Marks = field(default_factory=dict)
    after: untrusted.Marks | None = None

    def command(self, memory_bytes: int, arguments: tuple[str, ...]) -> Command:
        """Return the command of the run."""
        command = self.executable.command(memory_bytes, *arguments)
        if not self.writable:
            return command
        return replace(command, writable_directory=True, directory_is_lent=self.lent, submission_rules=True)

    def counted(self, run: RunResult, output_bytes: int) -> RunResult:
        """Return the facts with written files counted as output, held against the output limit."""
        if not self.writable:
            return run
        self.after = _marks(self.executable.directory)
        if self.after == self.before:
            return run
        written = sum(mark.size for item, mark in self.after.items() if _is_written(mark, self.before.get(item)))
        total = run.output_bytes + written
        over = run.killed_for is None and total > output_bytes
        return replace(run, output_bytes=total, killed_for=KillReason.OUTPUT if over else run.killed_for)


def _is_written(mark: untrusted.Mark, before: untrusted.Mark | None) -> bool:
    if not stat.S_ISREG(mark.mode):
        return False
    return before is None or (mark.size, mark.modified_ns) != (before.size, before.modified_ns)


@dataclass(frozen=True, kw_only=True)
class Boxes:
    """The folders of all workers. Each worker keeps at most a single folder between its runs."""

    stage: Stage
    _kept: dict[int, Box] = field(default_factory=dict, init=False)

    @contextlib.contextmanager
    def box(self, executable: Executable, files: Files, sandbox: Sandbox, *, writable: bool) -> Iterator[Box]:
        """Give the folder of a run: the program's own, or a copy if it may be written or has extra files."""
        if not writable and not files:
            yield Box(executable=executable)
            return
        box = self._fresh(executable, files, writable=writable) if files else self._lent(executable, sandbox)
        try:
            yield box
        except BaseException:
            untrusted.remove(box.executable.directory)
            raise
        if box.lent and _untouched(box):
            self._kept[id(sandbox)] = box
        else:
            untrusted.remove(box.executable.directory)

    def _lent(self, executable: Executable, sandbox: Sandbox) -> Box:
        """Return the worker's kept folder if it is of this program, else a new folder, kept if that is safe."""
        kept = self._kept.pop(id(sandbox), None)
        if kept is not None:
            folder = kept.executable.directory
            if kept.origin is not None and kept.origin.directory == executable.directory:
                same = kept.origin == executable  # a mutant lies in the same folder, but has other arguments
                called = kept.executable if same else executable.moved(folder)
                return replace(kept, executable=called, origin=executable, after=None)
            untrusted.remove(folder)
        box = self._fresh(executable, {}, writable=True)
        folder = box.executable.directory
        if not sandbox.isolation.contained:  # another run could write here
            return box
        untrusted.protect(folder)
        sandbox.lend(folder)
        before = untrusted.marks(folder)
        return replace(box, lent=_is_past(before), origin=executable, before=before)

    def _fresh(self, executable: Executable, files: Files, *, writable: bool) -> Box:
        folder = self.stage.folder("box")
        untrusted.copy_tree(executable.directory, folder)
        write_files(folder, files)
        before = untrusted.marks(folder) if writable else {}
        return Box(executable=executable.moved(folder), writable=writable, before=before)


def _marks(folder: Path) -> untrusted.Marks:
    try:
        return untrusted.marks(folder)
    except PermissionError:
        untrusted.unlock(folder)
        return untrusted.marks(folder)


def _untouched(box: Box) -> bool:
    after = box.after if box.after is not None else _marks(box.executable.directory)
    return after == box.before


def _is_past(marks: untrusted.Marks) -> bool:
    """Wait until a change would get a later time than all files have. Return False if the clocks do not agree."""
    newest_ns = max(mark.changed_ns for mark in marks.values())
    for _ in range(_TICKS):
        if time.clock_gettime_ns(_COARSE) > newest_ns:
            return True
        time.sleep(_TICK_S)
    return False
