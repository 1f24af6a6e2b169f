"""Print: consoles, warnings, and live progress on standard error."""

import sys
import time
from collections.abc import Iterable, Sequence
from types import TracebackType

from rich.console import Console, RenderableType
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.text import Text

from harness.errors import Fault
from harness.package import Package
from harness.report.escape import one_line, printable

WIDE = 240
MOST_WARNINGS = 20


class _Pipe(Console):
    """A console that raises BrokenPipeError if its reader has gone, so that main sets the exit code."""

    def on_broken_pipe(self) -> None:
        """Raise: rich would end the process with 1, "not as expected"."""
        raise BrokenPipeError


def console(*, stderr: bool = False) -> Console:
    """Return a console, plain and wide if the stream is no terminal."""
    watched = (sys.stderr if stderr else sys.stdout).isatty()
    return _Pipe(
        stderr=stderr, highlight=False, emoji=False, soft_wrap=not watched, width=None if watched else WIDE
    )


def show(out: Console, blocks: Iterable[RenderableType]) -> None:
    """Print texts without wrapping them, and tables within the width."""
    for block in blocks:
        out.print(block, soft_wrap=isinstance(block, Text))


def show_warnings(package: Package) -> None:
    """Print what the package's author should mend, on standard error."""
    show_as_warnings(package.warnings)


def show_faults(faults: Sequence[Fault]) -> None:
    """Print the faults of a package as warnings: only its texts are needed."""
    show_as_warnings([str(fault) for fault in faults])


def show_as_warnings(warnings: Sequence[str]) -> None:
    """Print warnings on standard error; of very many the first."""
    out = console(stderr=True)
    for warning in warnings[:MOST_WARNINGS]:
        out.print(printable(f"warning: {warning}"), markup=False, style="yellow", soft_wrap=True)
    if len(warnings) > MOST_WARNINGS:
        out.print(f"and {len(warnings) - MOST_WARNINGS} more warnings", style="yellow")


class Counter:
    """A spinner with the number of steps done and the name of the last step.

    Without a terminal, a plain line at most every `plain_every_s` seconds; None: no output.
    """

    def __init__(self, verb: str, *, unit: str, plain_every_s: float | None = None) -> None:
        self._verb, self._unit, self._every_s = verb, unit, plain_every_s
        self._done, self._shown_s = 0, time.monotonic()
        self._console = Console(stderr=True, emoji=False)
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            TextColumn("{task.completed} " + unit),
            TimeElapsedColumn(),
            TextColumn("{task.fields[name]}", markup=False, style="dim"),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._task = self._progress.add_task(verb, total=None, name="")

    def __enter__(self) -> "Counter":
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def step(self, name: str) -> None:
        """Count a step."""
        self._done += 1
        if not self._console.is_terminal:
            self._show_plainly(name)
            return
        self._progress.update(self._task, advance=1, name=one_line(name, 60))

    def _show_plainly(self, name: str) -> None:
        now_s = time.monotonic()
        if self._every_s is not None and now_s - self._shown_s >= self._every_s:
            self._shown_s = now_s
            self.say(f"{self._verb}: {self._done} {self._unit}, {one_line(name)}")

    def say(self, line: str) -> None:
        """Print a plain line above the live part."""
        self._progress.console.print(line, markup=False, highlight=False, soft_wrap=True)
