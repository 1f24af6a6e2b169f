"""All reference solutions against what they must show, and whether the answers stand on more than one of them."""

from collections.abc import Sequence

from harness.results import CaseResult, SubmissionResult, Unmet
from harness.verdict import Verdict
from harness.verify.findings import Findings, PartResult, first_line
from harness.verify.judged import Judged, first_caught
from harness.verify.timing import working_limit_s

LEAST_INDEPENDENT = 2


def check_submissions(judged: Judged) -> PartResult:
    """The part `submissions`: a matrix of submission and test group."""
    judged.at(judged.widest_s)  # one run at the widest limit; the next line only looks it up
    results = judged.at(working_limit_s(judged))
    findings = Findings()
    for result in results:
        _tell(result, findings)
    met = sum(bool(result.expected and result.expected.met) for result in results)
    groups = _groups(results)
    return PartResult(
        part="submissions",
        summary=f"{met} of {len(results)} as they must be, time limit {working_limit_s(judged):g} s",
        findings=findings.result(),
        columns=("submission", *(name.removeprefix("secret/") for name in groups), "slowest", "caught by"),
        rows=tuple(_row(result, groups) for result in results),
    )


def _tell(result: SubmissionResult, findings: Findings) -> None:
    if result.unavailable:
        findings.warning(result.path, f"not judged: {first_line(result.message)}")
    elif result.verdict is Verdict.COMPILE_ERROR and not (result.expected and result.expected.met):
        findings.error(result.path, f"does not compile: {first_line(result.message)}")
        return
    elif result.verdict is Verdict.JUDGE_ERROR:
        broken = next((case for case in result.cases if case.verdict is Verdict.JUDGE_ERROR), None)
        where, said = ("", result.message) if broken is None else (f" on {broken.name}", broken.message)
        findings.error(result.path, f"judge error{where}: {first_line(said)}")
    if result.expected is not None:
        for unmet in result.expected.unmet:
            findings.error(result.path, _worded(unmet))


def _worded(item: Unmet) -> str:
    scope = f" in {item.scope}" if item.scope else ""
    return f"{item.demand}{scope}: wanted {item.wanted}, found {item.found}"


def _groups(results: Sequence[SubmissionResult]) -> list[str]:
    names = list(dict.fromkeys(group.name for result in results for group in result.groups))
    return [name for name in names if name != "secret"] if any("/" in name for name in names) else names


def _row(result: SubmissionResult, groups: Sequence[str]) -> tuple[str, ...]:
    verdicts = {group.name: group.verdict.value for group in result.groups}
    slowest, caught = result.slowest(), first_caught(result)
    seconds = f"{slowest.cpu_s:.3f} s" if slowest is not None and slowest.cpu_s is not None else ""
    cells = [verdicts.get(name, result.verdict.value) for name in groups]
    return (result.path, *cells, seconds, f"{caught.verdict} {caught.name}" if caught is not None else "")


def check_answers(judged: Judged) -> PartResult:
    """The part `answers`: how many accepted solutions agree with each answer."""
    results = judged.at(judged.widest_s)
    accepted = [result for result in results if _is_accepted(result)]
    findings = Findings()
    confirmed = {case.name: 0 for case in judged.setting.package.judged_cases()}
    for result in accepted:
        for case in result.cases:
            confirmed[case.name] += case.verdict is Verdict.ACCEPTED and _is_full(case, accepted)
    few = [name for name, count in confirmed.items() if count < LEAST_INDEPENDENT]
    _tell_few(few, confirmed, findings)
    languages = sorted({result.language or "" for result in accepted})
    if len(accepted) < LEAST_INDEPENDENT:
        findings.warning("submissions/accepted", "one solution alone: an error of it would be the answer")
    least = min(confirmed.values(), default=0)
    return PartResult(
        part="answers",
        summary=f"{len(accepted)} accepted solutions in {', '.join(languages) or 'no language'}; "
        f"each answer is confirmed by at least {least}",
        findings=findings.result(),
    )


def _tell_few(few: Sequence[str], confirmed: dict[str, int], findings: Findings) -> None:
    for name in few:
        if confirmed[name] == 0:
            findings.error(name, "no accepted solution gets this case right")
        else:
            findings.warning(name, "only one accepted solution gets this case right: nothing confirms the answer")


def _is_accepted(result: SubmissionResult) -> bool:
    return result.expected is not None and result.expected.permitted == ("AC",)


def _is_full(case: CaseResult, results: Sequence[SubmissionResult]) -> bool:
    """Whether no other solution got more points on the same case."""
    scores = [one.score or 0.0 for result in results for one in result.cases if one.name == case.name]
    return case.score is None or case.score >= max(scores, default=0.0)
