"""Live progress on a terminal (standard error), nothing or plain lines elsewhere."""

import time
from types import TracebackType

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from harness.report.escape import one_line


class Counter:
    """A spinner with the number of steps done and the last one's name.

    Where nobody watches, a plain line at most every `plain_every_s` seconds; None: silent there.
    """

    def __init__(self, verb: str, *, unit: str, plain_every_s: float | None = None) -> None:
        self._verb, self._unit, self._every_s = verb, unit, plain_every_s
        self._done, self._told_s = 0, time.monotonic()
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
        """One more done."""
        self._done += 1
        if not self._console.is_terminal:
            self._tell_plainly(name)
            return
        self._progress.update(self._task, advance=1, name=one_line(name, 60))

    def _tell_plainly(self, name: str) -> None:
        now_s = time.monotonic()
        if self._every_s is not None and now_s - self._told_s >= self._every_s:
            self._told_s = now_s
            self.say(f"{self._verb}: {self._done} {self._unit}, {one_line(name)}")

    def say(self, line: str) -> None:
        """A plain line above the live part."""
        self._progress.console.print(line, markup=False, highlight=False, soft_wrap=True)
