"""Several gradings of the same submission laid over each other: does any verdict depend on the day?"""

from collections.abc import Sequence
from dataclasses import replace

from harness.results.model import CaseResult, SubmissionResult


def combined(results: Sequence[SubmissionResult]) -> SubmissionResult:
    """The first result, with the verdicts of all; a case that flipped is then seen to be unstable."""
    first = results[0]
    if len(results) == 1:
        return first
    by_name = [{case.name: case for case in result.cases} for result in results]
    cases = tuple(_combined_case(case, [names[case.name] for names in by_name]) for case in first.cases)
    return replace(first, cases=cases, repeats=tuple(result.verdict for result in results))


def _combined_case(first: CaseResult, all_of_it: Sequence[CaseResult]) -> CaseResult:
    return replace(first, repeats=tuple(case.verdict for case in all_of_it))
