"""The tables of `harness contest verify`: problem by part, time limits side by side, findings."""

from collections.abc import Iterator, Mapping

from rich.table import Table
from rich.text import Text

from harness.contest.contest import Contest, ContestProblem, clock
from harness.contest.verify import PEAK, SUBMISSIONS_PER_PROBLEM, TEAMS, ContestReport, ProblemReport
from harness.report.escape import one_line, printable
from harness.report.tables import plain_table
from harness.report.verification import finding_line, finding_lines, outcome
from harness.verify.findings import Finding, Level, PartResult, verification_as_json
from harness.verify.run import PARTS

Cells = Mapping[tuple[str, str], PartResult | str]


def problem_table(contest: Contest, cells: Cells) -> Table:
    """Return a row per problem, a column per part. cells: result by short name and part; `…`: running."""
    table = plain_table("", "problem", *PARTS, wrap=())
    for problem in contest.problems:
        row = [cells.get((problem.slug, part), "") for part in PARTS]
        table.add_row(
            problem.label, problem.slug, *(Text(cell) if isinstance(cell, str) else _short(cell) for cell in row)
        )
    return table


def _short(part: PartResult) -> Text:
    text = outcome(part)
    return Text("ok", style=text.style) if text.plain == "holds" else text


def time_table(report: ContestReport) -> Table:
    """Return a table of the time limits and the distance of the nearest submissions on both sides."""
    table = plain_table(
        "", "problem", "limit", "slowest accepted", "room", "fastest too slow", "room", "on all cases", wrap=()
    )
    for item in report.problems:
        times = item.times
        over = "over " if times.fastest_too_slow_over_s is not None else ""
        too_slow_s = times.fastest_too_slow_over_s if over else times.fastest_too_slow_s
        table.add_row(
            item.problem.label, item.problem.slug, _limit(item), _seconds(times.slowest_accepted_s),
            _ratio(times.limit_s, times.slowest_accepted_s), over + _seconds(too_slow_s),
            over + _ratio(too_slow_s, times.limit_s), _seconds(times.accepted_total_s),
        )  # fmt: skip
    return table


def _limit(item: ProblemReport) -> str:
    return _seconds(item.times.limit_s) + (" (inferred)" if item.limit_inferred and item.times.limit_s else "")


def _seconds(seconds: float | None) -> str:
    return f"{seconds:.3g} s" if seconds is not None else ""


def _ratio(upper: float | None, lower: float | None) -> str:
    return f"{upper / lower:.1f} ×" if upper is not None and lower else ""


def judging_line(report: ContestReport) -> str:
    """Say how long judging all teams' submissions takes."""
    cpu_s = report.judging_cpu_s()
    judged = f"{TEAMS} teams, {SUBMISSIONS_PER_PROBLEM:g} submissions a problem each"
    line = f"{judged}: {clock(round(cpu_s))} (h:mm:ss) of one core"
    hosts = report.judgehosts()
    if hosts is None:
        return line
    number = max(1, -int(-hosts // 1))
    keep = "judgehost keeps" if number == 1 else "judgehosts keep"
    return f"{line}; {number} {keep} up with {PEAK:g} times the average"


def finding_rows(report: ContestReport, *, notes: bool) -> Iterator[Text]:
    """Yield a line per finding: the contest's, then each problem's."""
    for finding in report.findings:
        if notes or finding.level is not Level.NOTE:
            yield finding_line("contest", finding)
    for item in report.problems:
        if item.problem.root is None:
            continue  # a fault of the contest's file
        if item.verification is None:
            error = Finding(level=Level.ERROR, subject=item.problem.slug, message=item.error)
            yield finding_line(item.problem.label, error)
            continue
        for line in finding_lines(item.verification.parts, notes=notes):
            yield Text(f"{item.problem.label} {item.problem.slug}: ").append_text(line)


def conclusion(report: ContestReport, *, strict: bool) -> Text:
    """Return the last line."""
    wrong = [item.problem.label for item in report.problems if not item.holds(strict=strict)]
    name = printable(report.contest.name)
    if not report.holds(strict=strict):
        which = (
            f"problem{'s' if len(wrong) > 1 else ''} {', '.join(wrong)}" if wrong else "the contest's own files"
        )
        return Text(f"{name}: does not hold: {which}", style="bold red")
    if not report.decided:
        return Text(
            f"{name}: could not be decided here: `harness verify` of the problem says why", style="bold yellow"
        )
    looked_at = max((len(item.verification.parts) for item in report.problems if item.verification), default=0)
    partly = f" ({looked_at} of {len(PARTS)} parts looked at)" if looked_at < len(PARTS) else ""
    warned = "" if report.holds(strict=True) else ", with warnings"
    return Text(f"{name}: {len(report.problems)} problems, all hold{warned}{partly}", style="bold green")


def contest_table(contest: Contest, facts: Mapping[str, tuple[str, ...]]) -> Table:
    """Return a row per problem for `contest list`. facts: the cells after the colour, by short name."""
    table = plain_table("", "problem", "colour", "title", "type", "time", "cases here", "submissions", wrap=())
    for problem in contest.problems:
        table.add_row(problem.label, problem.slug, _colored(problem), *map(Text, facts[problem.slug]))
    return table


def _colored(problem: ContestProblem) -> Text:
    dot = Text("● ", style=problem.rgb or "")
    return dot.append(problem.color or "", style="default") if problem.rgb else Text(problem.color or "")


def contest_line(contest: Contest) -> str:
    """Summarize the contest on one line."""
    length = clock(contest.duration_s).removesuffix(":00") + " h" if contest.duration_s else ""
    languages = ", ".join(contest.languages)
    parts = (one_line(contest.name), contest.start_time or "", length, languages)
    return "  ".join(part for part in parts if part)


def report_as_json(report: ContestReport, *, strict: bool) -> dict[str, object]:
    """Return the report as JSON values; `verification` has the form of `harness verify --json`."""
    return {
        "schema_version": 1,
        "contest": report.contest.slug,
        "name": report.contest.name,
        "holds": report.holds(strict=strict),
        "decided": report.decided,
        "judging_cpu_s": report.judging_cpu_s(),
        "findings": [vars(finding) for finding in report.findings],
        "problems": [_problem_as_json(item, strict=strict) for item in report.problems],
    }


def _problem_as_json(item: ProblemReport, *, strict: bool) -> dict[str, object]:
    return {
        "label": item.problem.label,
        "problem": item.problem.slug,
        "holds": item.holds(strict=strict),
        "error": item.error,
        "languages": sorted(item.languages),
        "times": vars(item.times),
        "limit_inferred": item.limit_inferred,
        "verification": verification_as_json(item.verification, strict=strict) if item.verification else None,
    }
