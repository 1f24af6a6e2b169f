"""Print: consoles, warnings, live progress on standard error; call again on every save (--watch)."""

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import click
from rich.console import Console, RenderableType
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from harness.errors import HarnessError
from harness.report.escape import one_line, printable

WIDE = 240
MOST_WARNINGS = 20
_LOOK_S = 0.05
_NOTHING_DONE = 2  # the exit code of an interrupt before the first call has ended
Stamp = tuple[int, int]


class _Pipe(Console):
    """A console that raises BrokenPipeError if its reader has gone, so that main sets the exit code."""

    def on_broken_pipe(self) -> None:
        """Raise: rich would end the process with 1, "not as expected"."""
        raise BrokenPipeError


def console(*, stderr: bool = False) -> Console:
    """Return a console that cuts nothing: the terminal wraps lines that are too long. Wide if there is no terminal."""
    watched = (sys.stderr if stderr else sys.stdout).isatty()
    return _Pipe(stderr=stderr, highlight=False, emoji=False, soft_wrap=True, width=None if watched else WIDE)


def show(out: Console, blocks: Iterable[RenderableType]) -> None:
    """Print texts and tables, one below the other."""
    for block in blocks:
        out.print(block)


def show_warnings(warnings: Sequence[object]) -> None:
    """Print warnings, or faults, on standard error; of very many the first."""
    out = console(stderr=True)
    for warning in warnings[:MOST_WARNINGS]:
        out.print(printable(f"warning: {warning}"), markup=False, style="yellow")
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

    def __exit__(self, *_: object) -> None:
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


def on_every_save(paths: Callable[[], Iterable[Path]], once: Callable[[], int], *, most: int | None = None) -> int:
    """Call `once` after every save; return its last exit code. After an error print it and wait for the next save.

    paths: returns the files and folders to watch. most: the largest number of calls, for tests.
    """
    code, times = _NOTHING_DONE, 0
    try:
        while True:
            stamps = _stamps(paths())
            try:
                code = once()
            except HarnessError as error:
                click.echo(printable(f"error: {error}"), err=True)
                code = 2
            times += 1
            if times == most:
                return code
            click.echo("waiting for the next save; Ctrl-C ends", err=True)
            while _stamps(paths()) == stamps:
                time.sleep(_LOOK_S)
    except KeyboardInterrupt:
        return code


def _stamps(paths: Iterable[Path]) -> dict[Path, Stamp]:
    """Return the time of the last change of each file, also in folders; without files that are being replaced."""
    stamps = {}
    for path in paths:
        for file in path.rglob("*") if path.is_dir() else (path,):
            try:
                status = file.stat()
            except OSError:
                continue
            stamps[file] = (status.st_mtime_ns, status.st_size)
    return stamps
