"""harness stress --slowest: shows the slowest input of a program and how its time grows."""

from pathlib import Path

from rich.table import Table
from rich.text import Text

from harness.cli.console import Counter, console
from harness.cli.show_counterexample import tell_guess, tell_time
from harness.errors import UsageError
from harness.files import atomic
from harness.report import words
from harness.report.growth_plot import growth_plot, growth_words
from harness.report.search import origin
from harness.search.slowest import Slowest, SlowHunt, SlowInput

OVER_THE_LIMIT, WITHIN = 1, 0


def hunt_slowest(hunt: SlowHunt, *, save: Path | None, plot_file: Path | None) -> int:
    """Hunt and show; 1 when an input over the time limit was found."""
    target = hunt.target
    with Counter("looking for slow inputs", unit="inputs") as counter:
        hunt.tell = lambda phase, worst: counter.step(_step(phase, worst))
        found = hunt.run()
    if found is None:
        raise UsageError("no input could be tried: --slowest needs a recipe or a shape")
    _tell(found, hunt.limit_s, target.oracle is not None)
    tell_time(hunt.clock, console())
    tell_guess(target, console())
    if save is not None:
        atomic.deliver(save, found.worst.data)
    if plot_file is not None:
        program, inputs = target.submission.path, f"on {origin(found.worst.candidate)}"
        drawn = growth_plot(found.points, found.fit, hunt.limit_s, program=program, inputs=inputs)
        atomic.deliver(plot_file, drawn.encode())
    return OVER_THE_LIMIT if found.worst.cpu_s > hunt.limit_s else WITHIN


def _step(phase: str, worst: SlowInput | None) -> str:
    return phase if worst is None else f"{phase}: {words.seconds(worst.cpu_s)} {worst.candidate.words}"


def _tell(found: Slowest, limit_s: float, compared: bool) -> None:
    out = console()
    over = f"over the limit of {limit_s:g} s" if found.worst.cpu_s > limit_s else f"the limit is {limit_s:g} s"
    title = f"slowest of {found.tried} inputs: {words.seconds(found.worst.cpu_s)} ({over})"
    out.print(Text(title, style="bold"))
    out.print(Text(f"{origin(found.worst.candidate)}, {len(found.worst.data):,} bytes"))
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column in ("size", "bytes", "CPU", *(("reference",) if compared else ())):
        table.add_column(column, justify="right")
    for point in found.points:
        reference = (words.seconds(point.reference_s),) if compared else ()
        more = "over " if point.stopped else ""
        table.add_row(f"{point.size:,}", f"{point.bytes:,}", more + words.seconds(point.cpu_s), *reference)
    out.print(table)
    if found.fit is not None:
        out.print(Text(growth_words(found.fit)))
