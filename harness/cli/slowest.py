"""harness stress --slowest: show the slowest input of a program and how its time grows."""

from pathlib import Path

from rich.text import Text

from harness.cli.console import Counter, console, show, show_as_warnings
from harness.errors import UsageError
from harness.files import atomic
from harness.report import words
from harness.report.growth_plot import growth_plot, growth_words
from harness.report.search import guess_lines, origin, time_line
from harness.report.tables import plain_table
from harness.search.slowest import Slowest, SlowHunt, SlowInput

OVER_THE_LIMIT, WITHIN = 1, 0


def hunt_slowest(hunt: SlowHunt, *, save: Path | None, plot_file: Path | None) -> int:
    """Search and show; return exit code 1 if an input exceeds the time limit."""
    target = hunt.target
    with Counter("looking for slow inputs", unit="inputs") as counter:
        hunt.tell = lambda phase, worst: counter.step(_step(phase, worst))
        slowest = hunt.run()
    show_as_warnings(hunt.bench.built.passed_over)
    if slowest is None:
        raise UsageError(f"no input could be tried: {why_nothing(hunt)}")
    _show(slowest, hunt.limit_s, target.oracle is not None)
    show(console(), [time_line(hunt.clock), *guess_lines(target)])
    if save is not None:
        atomic.deliver(save, slowest.worst.data)
    if plot_file is not None:
        program, inputs = target.submission.path, f"on {origin(slowest.worst.candidate)}"
        drawn = growth_plot(slowest.points, slowest.fit, hunt.limit_s, program=program, inputs=inputs)
        atomic.deliver(plot_file, drawn.encode())
    return OVER_THE_LIMIT if slowest.worst.cpu_s > hunt.limit_s else WITHIN


def why_nothing(hunt: SlowHunt) -> str:
    """Say why no input could be tried."""
    building_s = hunt.clock.building_s
    if building_s > hunt.time_s:
        return f"building the programs took {building_s:.0f} s, so give more --search-time"
    return "--slowest needs a recipe or a shape, and inputs that the input validators accept"


def _step(phase: str, worst: SlowInput | None) -> str:
    return phase if worst is None else f"{phase}: {words.seconds(worst.cpu_s)} {worst.candidate.words}"


def _show(slowest: Slowest, limit_s: float, compared: bool) -> None:
    out = console()
    over = f"over the limit of {limit_s:g} s" if slowest.worst.cpu_s > limit_s else f"the limit is {limit_s:g} s"
    title = f"slowest of {slowest.tried} inputs: {words.seconds(slowest.worst.cpu_s)} ({over})"
    out.print(Text(title, style="bold"))
    out.print(Text(f"{origin(slowest.worst.candidate)}, {len(slowest.worst.data):,} bytes"))
    columns = ("size", "bytes", "CPU", *(("reference",) if compared else ()))
    table = plain_table(*columns, right=columns)
    for point in slowest.points:
        reference = (words.seconds(point.reference_s),) if compared else ()
        more = "over " if point.stopped else ""
        table.add_row(f"{point.size:,}", f"{point.bytes:,}", more + words.seconds(point.cpu_s), *reference)
    out.print(table)
    if slowest.fit is not None:
        out.print(Text(growth_words(slowest.fit)))
