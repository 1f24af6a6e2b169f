"""Word the slowest input and the growth of the time, for people and as JSON (schema version 1, docs/stress.md)."""

from collections.abc import Iterator
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from harness.report import words
from harness.report.escape import printable
from harness.report.growth_plot import growth_words
from harness.report.search import guess_lines, input_as_json, origin, searched_as_json, time_line
from harness.report.tables import plain_table
from harness.search.slowest import SlowHunt
from harness.search.stopwatch import Slowest

_LONGEST = 200  # letters of a program's own words


def slowest_lines(hunt: SlowHunt, result: Slowest) -> Iterator[RenderableType]:
    """Yield the slowest input, its size, the run times at growing sizes, and the exponent."""
    limit_s = hunt.limit_s
    over = f"over the limit of {limit_s:g} s" if result.worst.cpu_s > limit_s else f"the limit is {limit_s:g} s"
    title = f"slowest of {result.tried} inputs: {words.seconds(result.worst.cpu_s)} ({over})"
    yield Text(title, style="bold")
    yield Text(f"{origin(result.worst.candidate)}, {len(result.worst.data):,} bytes")
    yield _growth_table(result, is_compared=hunt.target.reference is not None)
    if result.fit is not None:
        yield Text(growth_words(result.fit))
    yield time_line(hunt.clock)
    if result.crashes:
        crash = printable(result.crashes[0], _LONGEST)
        valid = ", if they are valid" if hunt.target.guessed else ""
        text = f"your program crashes on {len(result.crashes)} of these inputs{valid} ({crash})"
        yield Text(f"{text}: a search without --slowest may show one", style="bold yellow")
    if hunt.interrupted:
        yield Text("interrupted: this is the slowest so far", style="bold yellow")
    elif not hunt.has_grown and result.worst.cpu_s <= limit_s:
        text = "the time was over before the largest inputs were tried: a longer --search-time tries them"
        yield Text(text, style="bold yellow")
    yield from guess_lines(hunt.target)


def _growth_table(result: Slowest, *, is_compared: bool) -> Table:
    columns = ("size", "bytes", "CPU", *(("reference",) if is_compared else ()))
    table = plain_table(*columns, right=columns)
    for point in result.points:
        times = [_time(point.cpu_s, stopped=point.stopped)]
        if is_compared:
            times.append(_time(point.reference_s or 0.0, stopped=point.reference_stopped))
        table.add_row(f"{point.size:,}", f"{point.bytes:,}", *times)
    return table


def _time(cpu_s: float, *, stopped: bool) -> str:
    return f"{'over ' if stopped else ''}{words.seconds(cpu_s)}"


def slowest_as_json(hunt: SlowHunt, result: Slowest | None) -> dict[str, Any]:
    """Return the outcome of `--slowest` as JSON values; `slowest` is null if no input could be tried."""
    return {
        **searched_as_json(hunt.target, hunt.clock, seed=hunt.seed, interrupted=hunt.interrupted),
        "executions": result.tried if result is not None else 0,
        "crashed": len(result.crashes) if result is not None else 0,
        "time_limit_s": hunt.limit_s,
        "slowest": _found_as_json(hunt, result) if result is not None else None,
    }


def _found_as_json(hunt: SlowHunt, result: Slowest) -> dict[str, Any]:
    worst, is_compared = result.worst, hunt.target.reference is not None
    return {
        **input_as_json(worst.data),
        "source": worst.candidate.source.value,
        "words": worst.candidate.description,
        "cpu_s": worst.cpu_s,
        "reference_cpu_s": worst.reference.cpu_s if is_compared else None,
        "is_over_limit": worst.cpu_s > hunt.limit_s,
        "exponent": result.fit.exponent if result.fit is not None else None,
        "points": [
            {
                "size": point.size,
                "bytes": point.bytes,
                "cpu_s": point.cpu_s,
                "reference_cpu_s": point.reference_s if is_compared else None,
                "was_stopped": point.stopped,
                "reference_was_stopped": point.reference_stopped,
            }
            for point in result.points
        ],
    }
