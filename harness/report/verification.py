"""The tables of `harness verify`: a row per part, then findings, then matrices."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rich.table import Table
from rich.text import Text

from harness.errors import counted
from harness.report.diagnostics import Diagnostic, Severity
from harness.report.escape import one_line, printable
from harness.report.junit import ERROR, FAILURE, SKIPPED, JunitCase, JunitSuite
from harness.report.tables import plain_table
from harness.verify.findings import Finding, Level, PartResult, Verification, failing_levels
from harness.verify.run import PARTS

_LEVEL = {Level.ERROR: "bold red", Level.UNMEASURED: "bold yellow", Level.WARNING: "yellow", Level.NOTE: "dim"}
_VERDICTS = {
    "AC": "green",
    "SK": "dim",
    "WA": "red",
    "TLE": "red",
    "RTE": "red",
    "MLE": "red",
    "OLE": "red",
    "JE": "magenta",
}
SHOWN_ROWS = 60
_SUBJECT = 800  # most characters of the subjects of a finding
_LONG = ("what was looked at", "caught by", "on")  # columns whose cells may wrap


def outcome(part: PartResult) -> Text:
    """Return one word for whether a part holds."""
    if part.skipped:
        return Text("–", style="dim")
    if not part.holds:
        return Text("WRONG", style="bold red")
    if part.count(Level.UNMEASURED):
        return Text("unmeasured", style="bold yellow")
    return Text("warned", style="yellow") if part.count(Level.WARNING) else Text("holds", style="green")


def parts_table(verification: Verification) -> Table:
    """Return a table with a row per part."""
    table = plain_table("part", "", "time", "what was looked at", wrap=_LONG)
    for part in verification.parts:
        took = "cached" if part.cached else f"{part.wall_s:.1f} s"
        table.add_row(part.part, outcome(part), Text(took, style="dim"), Text(printable(part.summary, 400)))
    return table


def finding_lines(parts: Iterable[PartResult], *, notes: bool) -> Iterator[Text]:
    """Yield a line per finding, by part the worst first."""
    for names, finding in _findings(parts, notes=notes):
        yield finding_line(names, finding)


def _findings(parts: Iterable[PartResult], *, notes: bool) -> Iterator[tuple[str, Finding]]:
    """Yield each finding with its part; one of several parts, such as a missing tool, comes once with all of them."""
    names: dict[Finding, list[str]] = {}
    for part in parts:
        for finding in part.findings:
            if notes or finding.level is not Level.NOTE:
                names.setdefault(finding, []).append(part.part)
    return ((", ".join(of_parts), finding) for finding, of_parts in names.items())


def finding_line(part: str, finding: Finding) -> Text:
    """Return the line of a finding."""
    line = Text.assemble(
        (f"{finding.level}", _LEVEL[finding.level]), f" {part}: ", (one_line(finding.subject, _SUBJECT), "bold")
    )
    return line.append(f": {printable(finding.message)}")


def part_table(part: PartResult) -> Table:
    """Return a part's own table."""
    table = plain_table(*part.columns, wrap=_LONG)
    for row in part.rows[:SHOWN_ROWS]:
        table.add_row(*(_cell(value) for value in row))
    if len(part.rows) > SHOWN_ROWS:
        table.add_row(f"… and {len(part.rows) - SHOWN_ROWS} more (--json has all)")
    return table


def conclusion(verification: Verification, *, strict: bool) -> Text:
    """Return the last line."""
    counts = Counter(finding.level for _, finding in _findings(verification.parts, notes=True))
    levels = [level for level in Level if level is not Level.UNMEASURED]
    words = ", ".join(counted(counts[level], level) for level in levels)
    if counts[Level.UNMEASURED]:
        words += f", {counts[Level.UNMEASURED]} unmeasured: see above"
    if len(verification.parts) < len(PARTS):
        words += f"; {len(verification.parts)} of {len(PARTS)} parts looked at"
    holds, decided = verification.holds(strict=strict), verification.decided
    state = ("holds, with warnings" if counts[Level.WARNING] else "all holds") if holds else "does not hold"
    if holds and not decided:
        state = "could not be decided"
    if all(part.skipped for part in verification.parts):
        state, decided = "nothing was checked", False
    style = "bold yellow" if holds and not decided else "bold green" if holds else "bold red"
    return Text(f"{verification.problem}: {state} ({words})", style=style)


def hidden_notes(verification: Verification) -> Iterator[Text]:
    """Yield how to see the notes, if there are any."""
    if any(part.count(Level.NOTE) for part in verification.parts):
        yield Text("-v shows the notes", style="dim")


def _cell(value: str) -> Text:
    return Text(printable(value, 200), style=_VERDICTS.get(value.partition(" ")[0], ""))


def diagnostics(verification: Verification, root: Path, *, strict: bool, notes: bool) -> Iterator[Diagnostic]:
    """Yield every finding with its file. root: the package's folder. strict: warnings are errors."""
    severities = {
        Level.ERROR: Severity.ERROR,
        Level.UNMEASURED: Severity.WARNING,
        Level.WARNING: Severity.ERROR if strict else Severity.WARNING,
        Level.NOTE: Severity.NOTE,
    }
    for names, finding in _findings(verification.parts, notes=notes):
        path, line = _file_of(finding.subject, root)
        yield Diagnostic(
            path=path,
            line=line,
            severity=severities[finding.level],
            text=f"{names}: {finding.subject}: {finding.message}",
            title=f"{verification.problem}: {names}",
        )


def _file_of(subject: str, root: Path) -> tuple[str, int | None]:
    """Return the file of a finding, and the line if named; problem.yaml if the finding concerns no file.

    The first of several subjects counts.
    """
    name, _, line = subject.partition(", ")[0].rpartition(":")
    if not (name and line.isascii() and line.isdecimal() and len(line) < 10):
        name, line = subject.partition(", ")[0], ""
    places = (
        Path(name),
        root / name,
        root / "data" / f"{name}.in",
        root / "data" / name,
        root / "submissions" / name,
    )
    path = next((file for file in places if len(name) < 1000 and file.is_file()), root / "problem.yaml")
    return str(path), int(line) if line else None


def suites(verification: Verification, *, strict: bool) -> list[JunitSuite]:
    """Return a suite for each part: a test for each finding that counts, or one test that passes."""
    return [
        JunitSuite(
            name=f"{verification.problem}: {part.part}",
            classname=f"{verification.problem}.{part.part}",
            tests=tuple(_tests(part, failing_levels(strict=strict))),
            properties={"summary": part.summary} if part.summary else {},
        )
        for part in verification.parts
    ]


def _tests(part: PartResult, failing: Sequence[Level]) -> Iterator[JunitCase]:
    if part.skipped:
        yield JunitCase(name=part.part, kind=SKIPPED, message=part.summary)
        return
    wrong = [finding for finding in part.findings if finding.level in (*failing, Level.UNMEASURED)]
    for finding in wrong:
        kind = ERROR if finding.level is Level.UNMEASURED else FAILURE
        line = one_line(finding.message)
        yield JunitCase(name=finding.subject, kind=kind, type=finding.level, message=line, text=finding.message)
    if not wrong:
        yield JunitCase(name=part.part, seconds=part.wall_s)
