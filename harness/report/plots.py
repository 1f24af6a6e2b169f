"""Plots of a report's page as inline SVG: a bar per case for time and memory, the limit as a line."""

from collections.abc import Callable, Sequence

from harness.results.model import CaseResult
from harness.results.verdict import Verdict
from harness.sandbox.facts import MIB
from harness.values import dataclass

WIDTH, HEIGHT = 640.0, 120.0
_LEFT, _BOTTOM, _TOP = 52.0, 16.0, 10.0
_WIDEST = 28.0
_SHOW_LIMIT_FROM = 0.25


@dataclass(frozen=True, kw_only=True)
class Bar:
    """A case's bar: position, whether accepted, text for screen readers."""

    x: float
    y: float
    width: float
    height: float
    accepted: bool
    title: str


@dataclass(frozen=True, kw_only=True)
class Plot:
    """A bar chart. limit_y: position of the limit's line, None if far above all bars."""

    label: str
    bars: tuple[Bar, ...]
    limit_y: float | None
    limit_text: str
    top_text: str
    baseline: float = HEIGHT - _BOTTOM


def time_plot(cases: Sequence[CaseResult], limit_s: float) -> Plot | None:
    """Plot the CPU seconds of the cases that were run; None if there are none."""
    values = [(case, case.cpu_s) for case in cases if case.cpu_s is not None]
    return _plot(f"CPU time of {_how_many(values, cases)}", values, limit_s, lambda value: f"{value:.3f} s")


def memory_plot(cases: Sequence[CaseResult], limit_mib: int) -> Plot | None:
    """Plot the peak memory of the cases that were run."""
    values = [(case, case.memory_bytes / MIB) for case in cases if case.memory_bytes is not None]
    return _plot(
        f"peak memory of {_how_many(values, cases)}", values, float(limit_mib), lambda value: f"{value:.1f} MiB"
    )


def _how_many(values: Sequence[object], cases: Sequence[CaseResult]) -> str:
    """Say how many cases have figures: of secret cases maybe only the extremes (docs/grading.md)."""
    run = sum(case.judged for case in cases)
    return f"{len(values)} cases" if len(values) == run else f"{len(values)} of {run} cases that were run"


def _plot(
    label: str, values: Sequence[tuple[CaseResult, float]], limit: float, words: Callable[[float], str]
) -> Plot | None:
    if not values:
        return None
    most = max(value for _, value in values)
    shows_limit = most >= _SHOW_LIMIT_FROM * limit
    top = max(most, limit) if shows_limit else most or 1.0
    step = min((WIDTH - _LEFT) / len(values), _WIDEST)
    space = HEIGHT - _BOTTOM - _TOP
    bars = tuple(
        Bar(
            x=round(_LEFT + place * step, 2),
            y=round(HEIGHT - _BOTTOM - value / top * space, 2),
            width=round(max(step - min(2.0, step / 4), 0.5), 2),
            height=round(value / top * space, 2),
            accepted=case.verdict is Verdict.ACCEPTED,
            title=f"{case.name}: {words(value)}, {case.verdict}",
        )
        for place, (case, value) in enumerate(values)
    )
    slowest = max(values, key=lambda item: item[1])
    most_text = f"at most {words(most)} on {slowest[0].name}"
    return Plot(
        label=f"{label}, {most_text}; the limit is {words(limit)}",
        bars=bars,
        limit_y=round(HEIGHT - _BOTTOM - limit / top * space, 2) if shows_limit else None,
        limit_text=f"limit {words(limit)}",
        top_text=words(top),
    )
