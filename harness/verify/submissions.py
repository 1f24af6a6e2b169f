"""All reference solutions against what they must show."""

from collections.abc import Sequence

from harness.build.compile_hints import MEND
from harness.results import python_hints
from harness.results.model import CaseResult, Demand, SubmissionResult, Unmet
from harness.results.verdict import Verdict
from harness.verify.findings import Findings, Level, PartResult, error_line, first_line
from harness.verify.judged_submissions import Judged, first_caught
from harness.verify.timing import run_again, working_limit_s

CERTAIN = 2.0  # times the limit: no other work makes a program need so much more CPU time


def check_submissions(judged: Judged) -> PartResult:
    """The part `submissions`: a matrix of submission and test group."""
    judged.at(judged.widest_s)  # one run at the widest limit; the next line only looks it up
    results = judged.at(working_limit_s(judged))
    findings = Findings()
    for result in results:
        _tell(judged, result, findings)
    for hint in python_hints.hints(results, lambda: judged.setting.host.builder.offers("pypy3")):
        findings.warning("submissions/accepted", hint)
    found = findings.result()
    met = sum(bool(result.expected and result.expected.met) for result in results)
    groups = _groups(results)
    return PartResult(
        part="submissions",
        summary=f"{met} of {len(results)} as they must be, time limit {working_limit_s(judged):g} s",
        findings=found,
        disturbed=any(one.level is Level.UNMEASURED for one in found),
        columns=("submission", *(name.removeprefix("secret/") for name in groups), "slowest", "caught by"),
        rows=tuple(_row(result, groups) for result in results),
    )


def _tell(judged: Judged, result: SubmissionResult, findings: Findings) -> None:
    if result.unavailable:
        findings.warning(result.path, f"not judged: {first_line(result.message)}")
    elif result.verdict is Verdict.COMPILE_ERROR and not (result.expected and result.expected.met):
        findings.error(result.path, f"does not compile: {_compile_error(result.message)}")
        return
    elif result.verdict is Verdict.JUDGE_ERROR:
        broken = next((case for case in result.cases if case.verdict is Verdict.JUDGE_ERROR), None)
        where, said = ("", result.message) if broken is None else (f" on {broken.name}", broken.message)
        findings.error(result.path, f"judge error{where}: {first_line(said)}")
    if result.expected is not None:
        in_doubt = bool(result.expected.unmet) and _is_in_doubt(judged, result)
        tell = findings.unmeasured if in_doubt else findings.error
        for unmet in result.expected.unmet:
            tell(result.path, _worded(unmet) + _why(unmet, result))


def _is_in_doubt(judged: Judged, result: SubmissionResult) -> bool:
    """Whether it was too slow only while other work took the cores: alone, it needs no more than a wider limit."""
    slow = [case for case in result.cases if case.verdict is Verdict.TIME_LIMIT_EXCEEDED]
    limit_s = CERTAIN * working_limit_s(judged)
    return any(
        case.starved
        and run_again(judged, result.path, case.name, limit_s).verdict is not Verdict.TIME_LIMIT_EXCEEDED
        for case in slow
    )


def _compile_error(message: str) -> str:
    """The first error of the compiler, and what mends it where that is known."""
    first = first_line(message)
    return f"{error_line(message)} ({first})" if first.startswith(MEND) else error_line(message)


def _worded(item: Unmet) -> str:
    scope = f" in {item.scope}" if item.scope else ""
    match item.demand:
        case Demand.REQUIRED:
            return f"must get {item.wanted} on some case{scope}, got {item.found}"
        case Demand.SCORE:
            return f"must score {item.wanted}{scope}, got {item.found}"
        case Demand.MESSAGE:
            return f"must be told {item.wanted} by the judge{scope}, which is {item.found}"
        case _:
            return f"must get {item.wanted}{scope}, got {item.found}"


def _why(item: Unmet, result: SubmissionResult) -> str:
    """What the judge said of the case on which the verdict is not permitted, or which gave the submission its own."""
    if item.demand is not Demand.PERMITTED:
        return ""
    stray = next((case for case in result.cases if f"{case.verdict} on {case.name}" == item.found), None)
    if stray is not None:
        return f": {why}" if (why := _said(stray)) else ""
    caught = first_caught(result)
    if caught is None:
        return ""
    return f" ({caught.name}: {why})" if (why := _said(caught)) else f" ({caught.name})"


def _said(case: CaseResult) -> str:
    if case.verdict is not Verdict.RUN_TIME_ERROR:
        return first_line(case.message)
    ended = f"exit code {case.exit_code}" if case.exit_code else f"signal {case.signal}" if case.signal else ""
    telling = case.message.strip().rpartition("\n")[2]  # of a traceback the last line
    return ": ".join(part for part in (ended, first_line(telling)) if part)


def _groups(results: Sequence[SubmissionResult]) -> list[str]:
    names = list(dict.fromkeys(group.name for result in results for group in result.groups))
    return [name for name in names if name != "secret"] if any("/" in name for name in names) else names


def _row(result: SubmissionResult, groups: Sequence[str]) -> tuple[str, ...]:
    verdicts = {group.name: group.verdict.value for group in result.groups}
    slowest, caught = result.slowest(), first_caught(result)
    seconds = f"{slowest.cpu_s:.3f} s" if slowest is not None and slowest.cpu_s is not None else ""
    cells = [verdicts.get(name, result.verdict.value) for name in groups]
    return (result.path, *cells, seconds, f"{caught.verdict} {caught.name}" if caught is not None else "")
