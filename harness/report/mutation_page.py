"""`harness mutate` as one self-contained HTML page: the sources with the mutants of each line."""

from collections.abc import Sequence
from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from harness.mutate.outcomes import Fate, MutantOutcome, SolutionFindings
from harness.mutate.run import MutationResult
from harness.report.escape import printable
from harness.report.mutation import further_lines, input_text, skipped_lines, summary
from harness.values import dataclass

_NOT_KILLED = (Fate.SURVIVED, Fate.PRESUMED, Fate.PROVED, Fate.LISTED)


@dataclass(frozen=True, kw_only=True)
class MarkedLine:
    """A source line. killed: number of killed mutants; alive: the other mutants; state: a CSS class."""

    number: int
    text: str
    killed: int
    alive: tuple[MutantOutcome, ...]
    state: str


def render(result: MutationResult) -> str:
    """Return the page as HTML."""
    report = result.report
    assets = files("harness.report")
    template = Environment(autoescape=True, undefined=StrictUndefined).from_string(
        (assets / "mutation_page.html.jinja").read_text("utf-8")
    )
    return template.render(
        report=report,
        summary=summary(report),
        style=Markup((assets / "mutation_page.css").read_text("utf-8")),  # noqa: S704 - our own file
        solutions=[(solution, counts(solution), lines_of(solution)) for solution in report.solutions],
        notes=[*skipped_lines(report), *further_lines(result)],
        shown=input_text,
        printable=printable,
    )


def counts(solution: SolutionFindings) -> list[tuple[str, int]]:
    """Count the mutants of each fate."""
    return [(fate.value, len(solution.of(fate))) for fate in Fate if solution.of(fate)]


def lines_of(solution: SolutionFindings) -> list[MarkedLine]:
    """Return the lines of a source with the fates of their mutants."""
    by_line: dict[int, list[MutantOutcome]] = {}
    for finding in solution.findings:
        by_line.setdefault(finding.mutant.line, []).append(finding)
    texts = solution.source.decode("utf-8", errors="replace").splitlines()
    return [_line(number, text, by_line.get(number, [])) for number, text in enumerate(texts, start=1)]


def _line(number: int, text: str, findings: Sequence[MutantOutcome]) -> MarkedLine:
    alive = tuple(finding for finding in findings if finding.fate in _NOT_KILLED)
    killed = sum(finding.fate is Fate.KILLED for finding in findings)
    state = (
        "open"
        if any(finding.fate is Fate.SURVIVED for finding in alive)
        else "alive"
        if alive
        else "killed"
        if killed
        else ""
    )
    return MarkedLine(number=number, text=printable(text), killed=killed, alive=alive, state=state)
