"""Live progress on a terminal (standard error), nothing or plain lines elsewhere."""

from types import TracebackType

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from harness.report.escape import one_line


class Counter:
    """A spinner with the number of steps done and the last one's name. Silent when nobody watches."""

    def __init__(self, verb: str, *, unit: str) -> None:
        self._console = Console(stderr=True)
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
        if not self._console.is_terminal:
            return
        self._progress.update(self._task, advance=1, name=one_line(name, 60))

    def say(self, line: str) -> None:
        """A plain line above the live part."""
        self._progress.console.print(line, markup=False, highlight=False, soft_wrap=True)
