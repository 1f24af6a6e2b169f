"""The live screen of a search: inputs, speed, the best input so far; plain lines without a terminal."""

from types import TracebackType

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from harness.report.escape import lines_of
from harness.report.search import how
from harness.search import CandidateOutcome, Hunt, Progress, SearchTarget
from harness.search.model import SEARCHING

_BEST_LINES = 14


def warn_of_misfit(target: SearchTarget) -> None:
    """Warn if a sample does not fit the given shape, which is then probably wrong."""
    if target.misfit:
        text = f"warning: {target.misfit}\n  inputs are made after the shape: is there a mistake in it?"
        Console(stderr=True, highlight=False, emoji=False).print(Text(text, style="yellow"), soft_wrap=True)


class Screen:
    """Shows a hunt's progress on standard error while it lasts."""

    def __init__(self, hunt: Hunt) -> None:
        self._hunt = hunt
        self._console = Console(stderr=True, highlight=False, emoji=False)
        self._phase = ""
        self._live = Live(self, console=self._console, transient=True, refresh_per_second=5)
        hunt.tell = self._show_phase

    def __enter__(self) -> "Screen":
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._console.is_terminal:
            self._live.stop()

    def __rich__(self) -> RenderableType:
        progress = self._hunt.progress
        best = progress.best
        if best is None or best.failure is None:
            return Text(self._headline(progress))
        title = f"fails with {best.failure.verdict}: {how(best.failure)}; {len(best.data)} bytes"
        shown = "\n".join(f"    {line}" for line in lines_of(best.data, _BEST_LINES, 100))
        return Group(Text(self._headline(progress)), Text(title, style="bold"), Text(shown))

    def _headline(self, progress: Progress) -> str:
        seconds = progress.elapsed_s
        searching_s = progress.clock.seconds.get(SEARCHING, 0.0)
        rate = progress.executions / searching_s if searching_s > 0.5 else 0.0
        parts = [f"{progress.phase}: {progress.executions} inputs", f"{seconds:.0f} s"]
        parts += [f"{rate:.0f} per second"] if progress.phase == SEARCHING and rate else []
        parts += [f"{source.value} {count}" for source, count in progress.tried.items()]
        refused = progress.outcomes[CandidateOutcome.REFUSED]
        parts += [f"{refused} not valid"] if refused else []
        parts += [f"made smaller {progress.shrinking} times"] if progress.shrinking else []
        return " · ".join([*parts, "Ctrl-C keeps the best" if progress.best else "Ctrl-C ends"])

    def _show_phase(self, progress: Progress) -> None:
        if not self._console.is_terminal and progress.phase != self._phase:
            self._phase = progress.phase
            self._console.print(Text(f"{progress.phase} …", style="dim"))
