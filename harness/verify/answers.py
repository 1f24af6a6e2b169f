"""Whether the jury's answers stand on more than one accepted solution."""

import re
from collections.abc import Iterator, Sequence

from harness.package import Case, Package
from harness.results.model import CaseResult, SubmissionResult
from harness.results.verdict import Verdict
from harness.verify.findings import Findings, PartResult, first_line
from harness.verify.judged_submissions import Judged

LEAST_INDEPENDENT = 2
TOLD = 5  # contradicted answers that are told in full
# How the default output validator words a difference.
_DIFFERENCE = re.compile(r"line [0-9]+, token [0-9]+: `(.*?)`(?: \([0-9]+ bytes\))?, expected `(.*?)`")


def check_answers(judged: Judged) -> PartResult:
    """The part `answers`: how many accepted solutions agree with each answer."""
    accepted = judged.accepted_on_all()
    package, findings = judged.setting.package, Findings()
    cases, right = package.judged_cases(), dict[str, int]()
    for case in cases:
        results = list(_on(case, accepted))
        if results:  # a case that was never run says nothing of its answer
            right[case.name] = sum(_is_right(result, results) for _, result in results)
    _tell_wrong([case for case in cases if right.get(case.name) == 0], accepted, package, findings)
    for name, count in right.items():
        if 0 < count < LEAST_INDEPENDENT:
            findings.warning(name, "only one accepted solution gets this case right: nothing confirms the answer")
    if not right and cases:
        findings.error("submissions/accepted", "no accepted solution could be run: nothing confirms the answers")
    elif len(accepted) < LEAST_INDEPENDENT:
        findings.warning("submissions/accepted", "one solution alone: an error of it would be the answer")
    languages = sorted({result.language or "" for result in accepted})
    least = min((right.get(case.name, 0) for case in cases), default=0)
    return PartResult(
        part="answers",
        summary=f"{len(accepted)} accepted solutions in {', '.join(languages) or 'no language'}; "
        f"each answer is confirmed by at least {least}",
        findings=findings.result(),
    )


def _on(case: Case, results: Sequence[SubmissionResult]) -> Iterator[tuple[str, CaseResult]]:
    """What each submission did on the case, if it was run on it."""
    for result in results:
        for one in result.cases:
            if one.name == case.name and one.judged:
                yield result.path, one


def _is_right(result: CaseResult, others: Sequence[tuple[str, CaseResult]]) -> bool:
    """Accepted, and no other solution got more points on the same case."""
    most = max((other.score or 0.0 for _, other in others), default=0.0)
    return result.verdict is Verdict.ACCEPTED and (result.score is None or result.score >= most)


def _tell_wrong(
    cases: Sequence[Case], accepted: Sequence[SubmissionResult], package: Package, findings: Findings
) -> None:
    for number, case in enumerate(cases):
        found = _contradiction(case, list(_on(case, accepted)), package) if number < TOLD else ""
        findings.error(case.name, "no accepted solution gets this case right" + (found and f": {found}"))


def _contradiction(case: Case, results: Sequence[tuple[str, CaseResult]], package: Package) -> str:
    """What the answer says and what the solutions print instead, where all of them speak against it."""
    if not results or any(result.verdict is not Verdict.WRONG_ANSWER for _, result in results):
        return ""
    path, first = results[0]
    difference = None if package.output_validators else _DIFFERENCE.fullmatch(first_line(first.message))
    if difference is None:
        said = first_line(first.message)
        return f"{_answer_file(case, package)} or {path} is wrong" + (f" ({said})" if said else "")
    same = sum(result.message == first.message for _, result in results) - 1
    others = f" and {same} more print" if same else " prints"
    return f"{_answer_file(case, package)} says {difference[2]}, {path}{others} {difference[1]}"


def _answer_file(case: Case, package: Package) -> str:
    path = f"data/{case.name}.ans"
    return path if path in package.files or case.answer is None else str(case.answer.origin)
