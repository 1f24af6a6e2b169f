"""The parts `submissions`, `answers` and `classes`: reference solutions, the jury's answers, the bug classes."""

import re
from collections.abc import Sequence

from harness.build.compile_hints import FIX
from harness.errors import counted
from harness.judge.prepare import with_limits
from harness.mutate.mutation_yaml import NOTES, check_catalogue
from harness.package import Case, Package, ProblemType
from harness.results import python_hints
from harness.results.model import CaseResult, Demand, SubmissionResult, Unmet
from harness.results.verdict import Verdict
from harness.verify.findings import FindingCollector, Level, PartResult, crash_line, error_line, first_line
from harness.verify.setting import LEAST_INDEPENDENT, JudgedSubmissions

CERTAIN = 2.0  # times the limit: other work on the machine cannot slow a program's CPU time this much
MOST_CONTRADICTIONS = 5  # most contradictions that are reported in full
# How the default output validator words a difference.
_DIFFERENCE = re.compile(r"line [0-9]+, token [0-9]+: `(.*?)`(?: \([0-9]+ bytes\))?, expected `(.*?)`")
# A decimal number, and by how much, at most, two of them differ where a tolerance may be meant, relatively from 1 on.
_DECIMAL = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,30})?")
_NEAR = 1e-3


def check_submissions(judged: JudgedSubmissions) -> PartResult:
    """Check that every submission gets the expected result; the table has a verdict for each submission and group."""
    judged.at(judged.widest_s)  # run once at the widest limit; the results under lower limits follow from it
    limit_s = judged.working_limit_s()
    results = judged.at(limit_s)
    if not results:
        return PartResult(summary="no submission in the package: none is judged", skipped=True)
    findings = FindingCollector()
    for result in results:
        _report_submission(judged, result, findings)
    for hint in python_hints.hints(results, lambda: judged.setting.host.builder.offers("pypy3")):
        findings.warning("submissions/accepted", hint)
    met = sum(bool(result.expected and result.expected.met) for result in results)
    groups = _group_names(results)
    return findings.part(
        f"{met} of {len(results)} as they must be, time limit {limit_s:g} s",
        disturbed=any(finding.level is Level.UNMEASURED for finding in findings.result())
        or any(_does_not_compile(result) for result in results),  # what is missing may be installed later
        columns=("submission", *(name.removeprefix("secret/") for name in groups), "slowest", "caught by"),
        rows=tuple(_row(result, groups) for result in results),
    )


def _report_submission(judged: JudgedSubmissions, result: SubmissionResult, findings: FindingCollector) -> None:
    expected = result.expected
    if result.unavailable:
        findings.warning(result.path, f"not judged: {first_line(result.message)}")
    elif _does_not_compile(result):
        findings.error(result.path, f"does not compile: {_compile_error(result.message)}")
        return
    elif result.verdict is Verdict.JUDGE_ERROR:
        broken = result.first_failure()
        where, message = ("", result.message) if broken is None else (f" on {broken.name}", broken.message)
        findings.error(result.path, f"judge error{where}: {crash_line(message)}")
        return  # what it gets says nothing
    if expected is not None and expected.unmet:
        report = findings.unmeasured if _is_in_doubt(judged, result) else findings.error
        for unmet in expected.unmet:
            reason = _reason(unmet, result)
            report(result.path, _describe(unmet) + reason + _tolerance_hint(reason, judged))


def _does_not_compile(result: SubmissionResult) -> bool:
    """Return whether the submission should compile and does not."""
    return result.verdict is Verdict.COMPILE_ERROR and not (result.expected and result.expected.met)


def _is_in_doubt(judged: JudgedSubmissions, result: SubmissionResult) -> bool:
    """Return whether the submission was too slow only because of other work: it is not when run again, alone."""
    limit_s = CERTAIN * judged.working_limit_s()
    return any(
        case.starved
        and judged.run_again(result.path, case.name, limit_s).verdict is not Verdict.TIME_LIMIT_EXCEEDED
        for case in result.cases
        if case.verdict is Verdict.TIME_LIMIT_EXCEEDED
    )


def _compile_error(message: str) -> str:
    """Return the compiler's first error, with the fix if the harness has a hint for it."""
    first = first_line(message)
    return f"{error_line(message)} ({first})" if first.startswith(FIX) else error_line(message)


def _describe(unmet: Unmet) -> str:
    scope = f" in {unmet.scope}" if unmet.scope else ""
    match unmet.demand:
        case Demand.REQUIRED:
            return f"must get {unmet.wanted} on some case{scope}, got {unmet.found_words}"
        case Demand.SCORE:
            return f"must score {unmet.wanted}{scope}, got {unmet.found_words}"
        case Demand.MESSAGE:
            return f"must get a message of the judge with {unmet.wanted}{scope}, which is {unmet.found}"
        case _:
            return f"must get {unmet.wanted}{scope}, got {unmet.found_words}"


def _reason(unmet: Unmet, result: SubmissionResult) -> str:
    """Return the judge's message on the case whose result breaks the expectation."""
    if unmet.demand is not Demand.PERMITTED:
        return ""
    stray = next((case for case in result.cases if case.name == unmet.case), None)
    if stray is not None:
        return f": {message}" if (message := _message_of(stray)) else ""
    failed = result.first_failure()
    if failed is None:
        return ""
    return f" ({failed.name}: {message})" if (message := _message_of(failed)) else f" ({failed.name})"


def _tolerance_hint(reason: str, judged: JudgedSubmissions) -> str:
    """Return how to permit small differences, if two decimal numbers differ by little; else ''."""
    difference = _DIFFERENCE.search(reason)  # in the words of the default output validator
    tokens = (difference[1], difference[2]) if difference is not None else ()
    if not any("." in token for token in tokens) or not all(_DECIMAL.fullmatch(token) for token in tokens):
        return ""
    given, right = map(float, tokens)
    if abs(given - right) > _NEAR * max(1.0, abs(right)):
        return ""
    return (
        f"; to permit small differences, set {judged.setting.package.validator_args_key} to float_tolerance 1e-6"
    )


def _message_of(case: CaseResult) -> str:
    if case.verdict is not Verdict.RUN_TIME_ERROR:
        return first_line(case.message)
    ended = f"exit code {case.exit_code}" if case.exit_code else f"signal {case.signal}" if case.signal else ""
    last_line = case.message.strip().rpartition("\n")[2]  # of a traceback
    return ": ".join(part for part in (ended, first_line(last_line)) if part)


def _group_names(results: Sequence[SubmissionResult]) -> list[str]:
    names = list(dict.fromkeys(name for result in results for name in result.group_names()))
    return [name for name in names if name != "secret"] if any("/" in name for name in names) else names


def _row(result: SubmissionResult, groups: Sequence[str]) -> tuple[str, ...]:
    verdicts = {group.name: group.verdict.value for group in result.groups}
    slowest, failed = result.slowest(), result.first_failure()
    seconds = f"{slowest.cpu_s:.3f} s" if slowest is not None and slowest.cpu_s is not None else ""
    cells = [verdicts.get(name, result.verdict.value) for name in groups]
    return (result.path, *cells, seconds, f"{failed.verdict} {failed.name}" if failed is not None else "")


def check_answers(judged: JudgedSubmissions) -> PartResult:
    """Check how many accepted solutions confirm each answer of the jury."""
    accepted, package, findings = judged.accepted_on_all(), judged.setting.package, FindingCollector()
    cases = package.judged_cases()
    results = {case.name: _results_on(case, accepted) for case in cases}
    confirmations = {  # a case that was never run confirms nothing
        name: sum(_is_right(result, on_case) for _, result in on_case)
        for name, on_case in results.items()
        if on_case
    }
    wrong = [case for case in cases if confirmations.get(case.name) == 0]
    shown = set[str]()
    for case in wrong:
        detail = _contradiction(case, results[case.name], package)
        detail = detail if detail in shown or len(shown) < MOST_CONTRADICTIONS else ""
        shown.add(detail)
        findings.error(case.name, "no accepted solution gets this case right" + (detail and f": {detail}"))
    for name, count in confirmations.items() if len(accepted) >= LEAST_INDEPENDENT else ():
        if 0 < count < LEAST_INDEPENDENT:
            findings.warning(name, "only one accepted solution gets this case right: nothing confirms the answer")
    if not confirmations and cases:
        findings.error(
            "submissions/accepted", "no accepted solution could be judged: nothing confirms the answers"
        )
    elif len(accepted) < LEAST_INDEPENDENT:
        findings.warning("submissions/accepted", "one solution alone: an error of it would be the answer")
    languages = sorted({result.language or "" for result in accepted})
    least = min((confirmations.get(case.name, 0) for case in cases), default=0)
    if not accepted:
        return findings.part("no accepted solution: no answer is confirmed")
    solutions = f"{counted(len(accepted), 'accepted solution')} in {', '.join(languages)}"
    return findings.part(f"{solutions}; each answer is confirmed by at least {least}")


def _results_on(case: Case, submissions: Sequence[SubmissionResult]) -> list[tuple[str, CaseResult]]:
    """Return the results of the submissions that were run on the case, each with the submission's path."""
    return [
        (submission.path, result)
        for submission in submissions
        for result in submission.cases
        if result.name == case.name and result.judged and result.verdict is not Verdict.JUDGE_ERROR
    ]


def _is_right(result: CaseResult, on_case: Sequence[tuple[str, CaseResult]]) -> bool:
    """Return whether the result is accepted and no other solution got more points on the case."""
    most = max((other.score or 0.0 for _, other in on_case), default=0.0)
    return result.verdict is Verdict.ACCEPTED and (result.score is None or result.score >= most)


def _contradiction(case: Case, results: Sequence[tuple[str, CaseResult]], package: Package) -> str:
    """Describe how the answer and the outputs differ if all solutions contradict the answer; else return ''."""
    path, first = results[0]
    message = first_line(first.message)
    if ProblemType.INTERACTIVE in package.types:  # answers are not compared
        return f"the interactor or {path} is wrong" + (f" ({message})" if message else "")
    if any(result.verdict is not Verdict.WRONG_ANSWER for _, result in results):
        return ""
    difference = None if package.output_validators else _DIFFERENCE.fullmatch(message)
    if difference is None:
        return f"{_answer_file(case, package)} or {path} is wrong" + (f" ({message})" if message else "")
    same = sum(result.message == first.message for _, result in results) - 1
    prints = f" and {same} more print" if same else " prints"
    return f"{_answer_file(case, package)} says {difference[2]}, {path}{prints} {difference[1]}"


def _answer_file(case: Case, package: Package) -> str:
    path = f"data/{case.name}.ans"
    return path if path in package.files or case.answer is None else str(case.answer.origin)


def check_classes(judged: JudgedSubmissions) -> PartResult:
    """Check that every bug class of the package's catalogue has a wrong solution that its own cases catch."""
    setting = judged.setting
    nothing = PartResult(summary=f"no catalogue of bug classes in {NOTES}", skipped=True)
    if NOTES not in setting.package.files:
        return nothing
    package = with_limits(setting.package, judged.working_limit_s(), None)
    catalogue = check_catalogue(
        package, setting.host, memory=setting.memory, progress=setting.progress, lenient_s=judged.widest_s
    )
    if not catalogue.classes:
        return nothing
    findings, covered = FindingCollector(), 0
    for check in catalogue.classes:
        subject, name = f"{NOTES}:{check.line}", f"bug class {check.name}"
        for fault in check.faults:
            findings.error(subject, f"{name}: {fault}")
        if not check.faults and not check.killers:
            findings.warning(subject, f"{name}: this machine can build none of its solutions")
        covered += bool(check.killers) and not check.faults
    return findings.part(
        f"{covered} of {len(catalogue.classes)} bug classes have a wrong solution that their cases catch",
        columns=("class", "mistake", "solution", "caught by"),
        rows=tuple(
            (check.name, check.what, path, ", ".join(cases))
            for check in catalogue.classes
            for path, cases in check.killers.items()
        ),
    )
