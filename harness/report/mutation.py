"""`harness mutate` in words and JSON."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from harness.errors import counted, first_few
from harness.mutate.kill_matrix import KillMatrix
from harness.mutate.new_cases import Proposal
from harness.mutate.outcomes import Fate, MutantOutcome, MutationReport, SolutionFindings
from harness.mutate.run import MutationResult
from harness.mutate.strength import Exposure, MissedInput, Strength
from harness.report.diagnostics import Diagnostic, Severity
from harness.report.escape import one_line, printable
from harness.report.junit import FAILURE, JunitCase, JunitSuite
from harness.report.tables import plain_table

_SHOWN_BYTES = 300
_CHANGE = 70
_FEW = 8
_EMPTY = "(empty)"


def result_lines(result: MutationResult) -> Iterator[RenderableType]:
    """Yield all that people read of the results: table, what was left out, surviving mutants, summary."""
    report = result.report
    yield table(report)
    yield from (Text(line, style="yellow") for line in (*skipped_lines(report), *time_lines(result)))
    yield from map(Text, survivor_lines(report))
    yield from map(Text, further_lines(result))
    yield Text(summary(report), style="bold")
    if not result.proposals and any(finding.killer is not None for _, finding in report.survivors()):
        yield Text("--heal makes small cases of the inputs that kill survivors; --apply adds them to the data")


def table(report: MutationReport) -> Table:
    """Make a table with a row for each solution."""
    numbers = ("mutants", "killed", "proved", "presumed", "by hand", "open", "runs", "CPU")
    made = plain_table("solution", *numbers, right=numbers)
    for solution in report.solutions:
        counts = [len(solution.of(fate)) for fate in (Fate.KILLED, Fate.PROVED, Fate.PRESUMED, Fate.LISTED)]
        left = len(solution.of(Fate.SURVIVED))
        style = "bold red" if left else "green"
        made.add_row(
            printable(solution.path),
            str(solution.tested),
            *map(str, counts),
            f"[{style}]{left}[/]",
            str(solution.runs),
            f"{solution.cpu_s:.1f} s",
        )
    return made


def skipped_lines(report: MutationReport) -> Iterator[str]:
    """Word which steps were skipped for a solution, and why."""
    yield from (f"left out: {printable(line)}" for line in report.left_out)
    for solution in report.solutions:
        if solution.unsearched:
            yield f"{printable(solution.path)}: no search for killing inputs: {printable(solution.unsearched)}"
        if solution.failing:
            where = f"{solution.failing:,} inputs that are valid, `{printable(solution.failing_on)}` is one"
            yield f"{printable(solution.path)}: does not end well on {where}: is the input validator too lax?"


def time_lines(result: MutationResult) -> Iterator[str]:
    """Word what was not done because time was up."""
    if not result.decided:
        undecided, unjudged = counted(result.report.undecided, "mutant"), counted(result.unjudged, "program")
        parts = f"{undecided} not decided, {unjudged} not run on every case"
        yield f"time is up: {parts}; these count nowhere; the same command goes on there"


def survivor_lines(report: MutationReport) -> Iterator[str]:
    """Word the surviving mutants, each with its line and, if available, an input that kills it."""
    for solution, finding in report.survivors():
        position = printable(f"{solution.path}:{finding.mutant.line}")
        yield f"{position}: {mutant_line(finding)}"
        if finding.killer is not None:
            yield "  killed by this input, which no case is like:"
            yield from (f"    {printable(line)}" for line in input_text(finding.killer).splitlines())
    for name in report.stale:
        yield f"mutation.yaml lists {name}, which is no mutant any more: remove it"


def mutant_line(finding: MutantOutcome) -> str:
    """Word a mutant on one line, with its id."""
    mutant = finding.mutant
    change = f"{one_line(mutant.before, _CHANGE)} → {one_line(mutant.after, _CHANGE)}"
    searched = f", searched {finding.searched:,}" if finding.searched and finding.killer is None else ""
    return f"{mutant.operator} in {printable(mutant.function)}: {change} ({mutant.id}{searched})"


def input_text(data: bytes) -> str:
    """Return an input as text, cut."""
    text = data[:_SHOWN_BYTES].decode("ascii", errors="backslashreplace")
    return text if len(data) <= _SHOWN_BYTES else f"{text}\n… ({len(data)} bytes)"


def summary(report: MutationReport) -> str:
    """Sum up on one line."""
    tested = sum(solution.tested for solution in report.solutions)
    fates = ", ".join(
        f"{count} {fate}"
        for fate in (Fate.KILLED, Fate.PROVED, Fate.PRESUMED, Fate.LISTED, Fate.SURVIVED, Fate.OUT_OF_TIME)
        if (count := sum(len(solution.of(fate)) for solution in report.solutions))
    )
    searched = f"; searched {report.searched_inputs:,} inputs" if report.searched_inputs else ""
    if report.unsearched:
        searched = f"; no search for new inputs: {report.unsearched}"
    solutions = counted(len(report.solutions), "solution")
    return f"{report.problem}: {tested} mutants of {solutions}: {fates or 'nothing to change'}{searched}"


def further_lines(result: MutationResult) -> Iterator[str]:
    """Word the kill matrix, the strength and the proposed cases if computed."""
    yield from matrix_lines(result.kills)
    if result.passing_wrong_solutions:
        yield f"wrong solutions that no case kills: {', '.join(map(printable, result.passing_wrong_solutions))}"
    yield from strength_lines(result.strength, result.report)
    yield from proposal_lines(result.proposals)


def matrix_lines(kills: KillMatrix | None) -> Iterator[str]:
    """Word the results of the kill matrix."""
    if kills is None:
        return
    cover, redundant, order = kills.cover(), kills.redundant, kills.soonest()
    if not cover.cases:
        yield f"kill matrix: {len(kills.by_case)} cases, and no program that ran on all of them fails on one"
        return
    kind = "the smallest set" if cover.exact else "a small set (greedy: a smaller one may exist)"
    yield f"kill matrix: {len(kills.by_case)} cases, {kills.not_run} runs left out after repeated time-outs"
    yield f"{kind} of cases that keeps every kill has {len(cover.cases)}: {', '.join(map(printable, cover.cases))}"
    yield f"each kill of these is made by some other case, too ({len(redundant)}): {_few(redundant) or 'none'}"
    yield f"wrong programs die soonest in this order: {_few(order)}"


def _ids(report: MutationReport) -> dict[str, str]:
    """Return the names of mutants as reports show them, `path#id`, by those of the kill matrix, `path#number`."""
    return {
        f"{solution.path}#{finding.mutant.number}": f"{solution.path}#{finding.mutant.id}"
        for solution in report.solutions
        for finding in solution.findings
    }


def _changes(report: MutationReport) -> dict[str, str]:
    """Word the change of each mutant that survives, by `path#id`."""
    return {
        f"{solution.path}#{finding.mutant.id}": mutant_line(finding) for solution, finding in report.survivors()
    }


def strength_lines(strength: Strength | None, report: MutationReport) -> Iterator[str]:
    """Word what the data rejects and what it misses."""
    if strength is None:
        return
    changes, ids = _changes(report), _ids(report)
    yield f"accepted solutions that pass: {strength.passing} of {strength.accepted} (TPR {_percent(strength.tpr)})"
    rows = (("wrong solutions", strength.wrong), ("mutants", strength.mutants))
    yield from (f"{name}: {_exposed(exposure)}" for name, exposure in rows if exposure.programs)
    if strength.basis:
        of_rank = f"basis of maximal rank: {len(strength.basis)} programs, {_fault_exposure(strength.on_basis)}"
        yield f"{of_rank}: {_few([ids.get(name, name) for name in strength.basis])}"
        needless = strength.needless
        yield f"cases that no wrong program needs ({len(needless)}): {_few(needless) or 'none'}"
    for item in strength.missed:
        yield from _missed_lines(item, changes)
    for item in strength.disputed:
        agree = f"{counted(len(item.confirmed_by), 'accepted solution')} against {len(item.disputed_by)}"
        yield f"accepted solutions disagree on an input that the validators accept ({agree}): {_few(item.disputed_by)}"
        yield from _input_lines(item)


def _exposed(exposure: Exposure) -> str:
    return (
        f"{exposure.rejected} of {exposure.programs} rejected (TNR {_percent(exposure.rejected / exposure.programs)}), "
        f"{exposure.by_samples} by the samples alone; {_fault_exposure(exposure)}"
    )


def _fault_exposure(exposure: Exposure) -> str:
    return f"fault exposure of a case {_percent(exposure.fault_exposure)}"


def _percent(share: float | None) -> str:
    return f"{100 * share:.0f} %" if share is not None else "-"


def _missed_lines(item: MissedInput, changes: Mapping[str, str]) -> Iterator[str]:
    agree = f"{counted(len(item.confirmed_by), 'accepted solution')} agree with the answer"
    disputed = f", disputed by {_few(item.disputed_by)}" if item.disputed_by else ""
    if item.accepted:
        yield f"a valid input breaks an accepted solution ({item.verdict}; {agree}{disputed}): {_few(item.programs)}"
        yield "  is the solution wrong, or do the input validators let through what the statement forbids?"
    else:
        yield f"a valid input breaks wrong programs that pass all cases ({item.verdict}; {agree}{disputed}):"
        yield from (
            f"  {printable(name.partition('#')[0])}: {changes.get(name, 'passes')}" for name in item.programs
        )
    yield from _input_lines(item)


def _input_lines(item: MissedInput) -> Iterator[str]:
    yield from (f"    {printable(line)}" for line in input_text(item.input).splitlines() or [_EMPTY])
    yield f"  answer: {one_line(item.answer.decode('ascii', errors='backslashreplace'), _CHANGE) or _EMPTY}"


def proposal_lines(proposals: Sequence[Proposal]) -> Iterator[str]:
    """Word test cases to add, as lines of the recipe."""
    for proposal in proposals:
        small = "" if proposal.minimal else " (not as small as it might be)"
        yield f"proposed for {proposal.group}: kills {len(proposal.kills)}{small}: {_few(proposal.kills)}"
        yield from map(printable, proposal.recipe_lines)


def _few(names: Sequence[str]) -> str:
    return first_few([printable(name) for name in names], _FEW)


def as_json(result: MutationResult) -> dict[str, object]:
    """Return the results as JSON values, schema version 1."""
    report, kills, strength = result.report, result.kills, result.strength
    return {
        "schema_version": 1,
        "kind": "mutation",
        **_picked(report, "problem searched_inputs unsearched stale left_out"),
        "solutions": [_solution(solution) for solution in report.solutions],
        "matrix": _matrix(kills) if kills is not None else None,
        "strength": _strength(strength) if strength is not None else None,
        "proposals": [
            {
                **_picked(proposal, "group name"),
                "input": proposal.input.decode("ascii", errors="replace"),
                **_picked(proposal, "kills minimal"),
            }
            for proposal in result.proposals
        ],
    }


def _picked(value: object, names: str) -> dict[str, object]:
    """Return the named fields of a value."""
    return {name: getattr(value, name) for name in names.split()}


def _strength(strength: Strength) -> dict[str, object]:
    return {
        **_picked(strength, "accepted passing tpr tnr"),
        "wrong": vars(strength.wrong),
        "mutants": vars(strength.mutants),
        "basis": {**vars(strength.on_basis), "names": strength.basis},
        "needless": strength.needless,
        "missed": [_missed(item) for item in strength.missed],
        "disputed": [_missed(item) for item in strength.disputed],
    }


def _missed(item: MissedInput) -> dict[str, object]:
    texts = {name: getattr(item, name).decode("ascii", errors="backslashreplace") for name in ("input", "answer")}
    return {**vars(item), **texts}


def _matrix(kills: KillMatrix) -> dict[str, object]:
    return {
        "kills": {case: sorted(killed) for case, killed in kills.by_case.items()},
        "redundant": kills.redundant,
        "smallest": _picked(kills.cover(), "cases exact"),
        "soonest": kills.soonest(),
        "survivors": kills.survivors,
        "unknown_runs": kills.not_run,
        "unjudged": kills.unjudged,
    }


def _solution(solution: SolutionFindings) -> dict[str, object]:
    return {
        "path": solution.path,
        "counts": {fate: len(solution.of(fate)) for fate in Fate},
        **_picked(solution, "runs cpu_s unsearched failing failing_on"),
        "mutants": [_finding(finding) for finding in solution.findings],
    }


def _finding(finding: MutantOutcome) -> dict[str, object]:
    kill, killer = finding.kill, finding.killer
    return {
        **_picked(finding.mutant, "id operator function line before after"),
        "fate": finding.fate,
        "case": kill.case if kill else None,
        "verdict": kill.verdict if kill else None,
        "searched": finding.searched,
        "killer": killer.decode(errors="replace") if killer is not None else None,
        **_picked(finding, "reason note"),
    }


def diagnostics(report: MutationReport, origins: Mapping[str, Path]) -> Iterator[Diagnostic]:
    """Yield every surviving mutant at its line. origins: each solution's path on disk."""
    for solution, finding in report.survivors():
        yield Diagnostic(
            path=str(origins.get(solution.path, solution.path)),
            line=finding.mutant.line,
            severity=Severity.WARNING,
            text=f"the data does not notice {mutant_line(finding)}",
            title=f"{report.problem}: mutant survives",
        )
    for line in report.left_out:
        yield Diagnostic(path=report.problem, severity=Severity.WARNING, text=f"left out: {line}")


def suites(report: MutationReport) -> list[JunitSuite]:
    """Return a suite for each solution: a failing test for each mutant that survives, one test for the rest."""
    return [
        JunitSuite(
            name=f"{report.problem}: mutants of {solution.path}",
            classname=f"{report.problem}.{solution.path}",
            tests=(
                JunitCase(name="mutants that the data notices"),
                *(
                    JunitCase(
                        name=f"line {finding.mutant.line}: {finding.mutant.id}",
                        kind=FAILURE,
                        type=finding.mutant.operator,
                        message=mutant_line(finding),
                        text=input_text(finding.killer) if finding.killer is not None else "",
                    )
                    for finding in solution.of(Fate.SURVIVED)
                ),
            ),
            properties={"mutants": str(solution.tested), "killed": str(len(solution.of(Fate.KILLED)))},
        )
        for solution in report.solutions
    ]
