"""The report as one self-contained HTML page: no network, no fonts, no third-party scripts."""

import base64
import hashlib
import re
from collections.abc import Callable, Sequence
from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape

from harness.report import differences, words
from harness.report.escape import printable
from harness.report.grades import case_line, passed, summary
from harness.report.input_grids import InputGrid, grids
from harness.report.tables import shown_groups
from harness.results.model import (
    CaseResult,
    CaseText,
    Counterexample,
    Feedback,
    Image,
    RecordedGame,
    Report,
    SubmissionResult,
    SubmissionSource,
)
from harness.results.verdict import Verdict
from harness.sandbox.facts import MIB
from harness.values import dataclass

WIDTH, HEIGHT = 640.0, 120.0  # of a plot: a bar for each case, the limit as a line
_LEFT, _BOTTOM, _TOP = 52.0, 16.0, 10.0
_WIDEST = 28.0
_SHOW_LIMIT_FROM = 0.25
MOST_CELLS = 40_000  # browsers are slow beyond; then the matrix has a column per test group
MOST_ROWS = 20_000
FAILURES = 5
PASSED_OVER = 200
_TEXT = 4000
_SOURCE = 4 << 16  # of 64 KiB in which each byte is escaped
_IMAGE_TYPES = ("image/svg+xml", "image/png", "image/jpeg")
_BASE64 = re.compile("[A-Za-z0-9+/]*={0,2}")


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
            x=round(_LEFT + index * step, 2),
            y=round(HEIGHT - _BOTTOM - value / top * space, 2),
            width=round(max(step - min(2.0, step / 4), 0.5), 2),
            height=round(value / top * space, 2),
            accepted=case.verdict is Verdict.ACCEPTED,
            title=f"{case.name}: {words(value)}, {case.verdict}",
        )
        for index, (case, value) in enumerate(values)
    )
    slowest = max(values, key=lambda item: item[1])
    most_text = f"at most {words(most)} on {slowest[0].name}"
    return Plot(
        label=f"{label}, {most_text}; the limit is {words(limit)}",
        bars=bars,
        limit_y=round(HEIGHT - _BOTTOM - limit / top * space, 2) if shows_limit else None,
    )


@dataclass(frozen=True, kw_only=True)
class Failure:
    """A failed case, with the facts that the feedback level allows."""

    case: CaseResult
    line: str
    message: str
    text: CaseText | None
    rows: tuple[differences.DifferenceRow, ...]
    totals: str
    stderr: str
    grids: tuple[InputGrid, ...]
    printed: str


@dataclass(frozen=True, kw_only=True)
class SubmissionSection:
    """A submission with all values that its part of the page shows."""

    anchor: str
    result: SubmissionResult
    passed: str
    remark: str
    time: Plot | None
    memory: Plot | None
    failures: tuple[Failure, ...]
    games: tuple[RecordedGame, ...]
    images: tuple[Image, ...]
    counterexamples: tuple[Counterexample, ...]
    sources: tuple[SubmissionSource, ...]
    lines: tuple[tuple[CaseResult, str], ...]
    message: str


@dataclass(frozen=True, kw_only=True)
class PageProblem:
    """One problem of the report.

    columns: (test group, its cases); points: (test group, its maximal points), if several groups give points.
    by_group: the matrix has no room for cases. key: explanation of SK, if shown.
    """

    report: Report
    sections: tuple[SubmissionSection, ...]
    groups: tuple[str, ...]
    columns: tuple[tuple[str, int], ...]
    points: tuple[tuple[str, float], ...]
    by_group: bool
    scored: bool
    key: str
    banner: str


def html(reports: Sequence[Report]) -> str:
    """Return the page."""
    folder = files("harness.report")
    script = (folder / "page.js").read_text("utf-8").strip()
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_shown
    )
    environment.filters |= {"seconds": words.seconds, "mebibytes": words.mebibytes, "points": words.points}
    environment.filters["printable"] = printable
    environment.filters |= {"data_url": _data_url, "source_text": _source_text}
    cells = sum(len(submission.cases) for report in reports for submission in report.submissions)
    return environment.from_string((folder / "page.html.jinja").read_text("utf-8")).render(
        most_passed_over=PASSED_OVER,
        title=", ".join(report.title for report in reports),
        summary=summary(reports),
        parts=[_part(number, report, cells) for number, report in enumerate(reports)],
        verdicts=_verdicts(reports),
        style=Markup((folder / "page.css").read_text("utf-8")),  # noqa: S704 - our own file
        script=Markup(script),  # noqa: S704 - our own file
        script_hash="sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii"),
    )


def _shown(value: object) -> object:
    """Escape control characters in every value that the template prints."""
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _data_url(image: Image) -> Markup:
    """Return the data URL for an <img>, where a picture cannot run scripts or load files. It is not cut."""
    safe = image.media_type in _IMAGE_TYPES and _BASE64.fullmatch(image.content)
    return Markup(f"data:{image.media_type};base64,{image.content}" if safe else "data:,")  # noqa: S704


def _source_text(text: str) -> Markup:
    """A source is longer than other texts may be. Line ends of Windows are line ends."""
    return escape(printable(text.replace("\r\n", "\n"), _SOURCE))


def _verdicts(reports: Sequence[Report]) -> list[tuple[Verdict, int]]:
    verdicts = [submission.verdict for report in reports for submission in report.submissions]
    return [(verdict, verdicts.count(verdict)) for verdict in Verdict if verdict in verdicts]


def _part(number: int, report: Report, cells: int) -> PageProblem:
    sections = tuple(
        _section(f"p{number}s{index}", report, submission, with_lines=cells <= MOST_ROWS)
        for index, submission in enumerate(report.submissions)
    )
    longest = max((submission.cases for submission in report.submissions), key=len, default=())
    columns: dict[str, int] = {}
    for case in longest:
        columns[case.group] = columns.get(case.group, 0) + 1
    return PageProblem(
        report=report,
        sections=sections,
        groups=tuple(shown_groups(report.submissions)),
        columns=tuple((name.removeprefix("secret/"), count) for name, count in columns.items()),
        points=_points(report),
        by_group=cells > MOST_CELLS or not longest,
        scored=report.scored,
        key=words.key_of(case.verdict for submission in report.submissions for case in submission.cases),
        banner=words.isolation_banner(report.isolation),
    )


def _points(report: Report) -> tuple[tuple[str, float], ...]:
    most = {group.name: group.max_score for submission in report.submissions for group in submission.groups}
    most_points = [(name, most[name]) for name in shown_groups(report.submissions)]
    scored = tuple((name, points) for name, points in most_points if points)
    return scored if len(scored) > 1 else ()


def _section(anchor: str, report: Report, submission: SubmissionResult, *, with_lines: bool) -> SubmissionSection:
    failed = submission.failed_cases()
    detailed = [case for case in failed if _may_show(report, case)][:FAILURES]
    listed = submission.cases if with_lines else ()
    return SubmissionSection(
        anchor=anchor,
        result=submission,
        passed=passed(submission),
        remark=words.remark(submission),
        time=time_plot(submission.cases, report.time_limit_s),
        memory=memory_plot(submission.cases, report.memory_limit_mib),
        failures=tuple(_failure(report, case) for case in detailed),
        games=tuple(game for game in report.games if game.submission == submission.path),
        images=_images(report, submission, {case.name for case in failed}),
        counterexamples=tuple(item for item in report.counterexamples if item.submission == submission.path),
        sources=tuple(source for source in report.sources if source.submission == submission.path),
        lines=tuple((case, _why(report, case)) for case in listed),
        message=printable(submission.message, _TEXT),
    )


def _images(report: Report, submission: SubmissionResult, failed: set[str]) -> tuple[Image, ...]:
    """Return the images of the failed cases, input images first."""
    inputs = [image for image in report.images if not image.submission and image.case in failed]
    return (*inputs, *(image for image in report.images if image.submission == submission.path))


def _may_show(report: Report, case: CaseResult) -> bool:
    return report.feedback not in (Feedback.SAMPLES, Feedback.SHRUNK) or case.group == "sample"


def _why(report: Report, case: CaseResult) -> str:
    runs = f"run again alone: {', '.join(f'{run:.3f} s' for run in case.cpu_runs_s)}" if case.cpu_runs_s else ""
    if not case.failed:
        return runs
    why = words.why(case, report.time_limit_s, report.memory_limit_mib)
    return "; ".join(text for text in (why, runs) if text)


def _failure(report: Report, case: CaseResult) -> Failure:
    text = next((shown for shown in report.shown if shown.name == case.name), None)
    return Failure(
        case=case,
        line=case_line(report, case),
        message=printable(case.message, _TEXT) if "\n" in case.message.strip() else "",
        text=text,
        rows=tuple(differences.rows(case.difference)) if case.difference is not None else (),
        totals=differences.totals(case.difference) if case.difference is not None else "",
        stderr=case.stderr if case.verdict is not Verdict.RUN_TIME_ERROR else "",  # else the message has it
        grids=tuple(grids(text.input)) if text is not None else (),
        printed=printable(case.output, _TEXT),
    )
