"""The part `time`: which submissions bound the time limit, and which verdicts change on slower or faster machines."""

import enum
import math
from collections.abc import Sequence
from dataclasses import replace

from harness.package import Package, ProblemType
from harness.package.model import rules_for
from harness.results.model import CaseResult, SubmissionResult
from harness.results.verdict import Reason, Verdict
from harness.rules.expectations import check_rules
from harness.rules.time_limit import Bound, TimeLimits, sleeps_beyond
from harness.verify.findings import FindingCollector, PartResult
from harness.verify.setting import JudgedSubmissions

_SUBJECT = "time limit"
MOST_REPEATED = 2  # most submissions of each role whose runs are repeated
MOST_REMEASURES = 4  # how often runs that other work disturbed are measured again
ROUNDS = 5  # most runs of a submission that bounds the time limit, to see how its time varies
REPEATED_S = 2.0  # CPU time of the repeated runs of a submission
VARIATION = 2.0  # largest factor between times of one program on one case
_BUSY = " (measured while other work kept the machine busy)"


class Role(enum.StrEnum):
    """How a submission bounds the time limit (2025-09, "time limit")."""

    LOWER = "must be within"
    UPPER = "must be over"


def check_time(judged: JudgedSubmissions) -> PartResult:
    """Check the time limit; submit-answer problems have no timed programs."""
    if ProblemType.SUBMIT_ANSWER in judged.setting.package.types:
        return PartResult(summary="answers are handed in: nothing is timed", skipped=True)
    package, findings = judged.setting.package, FindingCollector()
    for result in judged.at(judged.widest_s):
        if result.verdict is Verdict.JUDGE_ERROR:
            broken = result.first_failure()
            where = "" if broken is None else f" on {broken.name}"
            findings.error(result.path, f"not timed: judge error{where}")
    if findings.result():
        return findings.part("not known: a judge program failed")
    disturbed = _measure_disturbed_again(judged)
    limit_s = judged.working_limit_s()
    allowed = judged.allowed_limits(package.limits.time_limit_s)
    results = judged.at(judged.widest_s)
    for fault in allowed.faults:
        findings.warning(_SUBJECT, fault + (_BUSY if disturbed else ""))
    for result in results:
        _check_other_machines(judged, result, limit_s, findings)
    tightest = _tightest(allowed)
    repeated = _repeated_times(judged, tightest)
    return findings.part(
        _summary(package, allowed, limit_s),
        disturbed=disturbed,
        columns=("submission", "", "slowest", "on", *_limit_columns(judged), "repeated"),
        rows=tuple(_row(judged, role, bound, repeated.get(bound, ())) for role, bound in tightest),
        figures=_figures(allowed, limit_s, results),
    )  # fmt: skip


def _measure_disturbed_again(judged: JudgedSubmissions) -> bool:
    """Run cases again that bound the time limit and were disturbed by other work; return whether some still are."""
    for _ in range(MOST_REMEASURES):
        starved = _starved(judged)
        if not starved:
            return False
        judged.measure_again([(bound.path, bound.case) for bound in starved])
    return bool(_starved(judged))


def _starved(judged: JudgedSubmissions) -> list[Bound]:
    return [bound for bound in _strictest_and_nearest_bounds(judged) if _case_of(judged, bound).starved]


def _strictest_and_nearest_bounds(judged: JudgedSubmissions) -> list[Bound]:
    """Return the strictest bounds and those nearest to the time limit, except runs that were stopped."""
    allowed = judged.allowed_limits()
    nearest = _nearest_bounds(judged, _tightest(allowed))
    bounds = [bound for bound in (allowed.lowest, allowed.highest, *nearest) if bound and not bound.open_end]
    return list({bound.path: bound for bound in bounds}.values())


def _case_of(judged: JudgedSubmissions, bound: Bound) -> CaseResult:
    return next(case for case in _result_of(judged, bound).cases if case.name == bound.case)


def _result_of(judged: JudgedSubmissions, bound: Bound) -> SubmissionResult:
    return next(result for result in judged.at(judged.widest_s) if result.path == bound.path)


def _figures(allowed: TimeLimits, limit_s: float, results: Sequence[SubmissionResult]) -> dict[str, float]:
    """Return the limit, the nearest bounds, and the mean CPU time of accepted submissions over all cases.

    The CPU time of a submission that waits or sleeps says nothing of how slow it is.
    """
    slowest = max((bound.cpu_s for bound in allowed.lower), default=None)
    too_slow = [(bound.cpu_s, bound.open_end) for bound in allowed.upper if not math.isinf(bound.limit_s)]
    fastest, stopped = min(too_slow, default=(None, False))
    totals = [
        sum(case.cpu_s or 0.0 for case in result.cases) for result in results if result.verdict is Verdict.ACCEPTED
    ]
    figures = {
        "limit_s": limit_s,
        "slowest_accepted_s": slowest,
        "fastest_too_slow_over_s" if stopped else "fastest_too_slow_s": fastest,
        "accepted_total_s": sum(totals) / len(totals) if totals else None,
    }
    return {name: number for name, number in figures.items() if number is not None}


def _tightest(allowed: TimeLimits) -> list[tuple[Role, Bound]]:
    """Return each submission's tightest bound of each role, in the order of their paths."""
    tightest: dict[tuple[str, Role], Bound] = {}
    for bound in sorted(allowed.lower, key=lambda bound: bound.limit_s):
        tightest[bound.path, Role.LOWER] = bound
    for bound in sorted(allowed.upper, key=lambda bound: -bound.limit_s):
        tightest[bound.path, Role.UPPER] = bound
    return [(role, tightest[path, role]) for path, role in sorted(tightest)]


def _summary(package: Package, allowed: TimeLimits, limit_s: float) -> str:
    low, high = allowed.lowest, allowed.highest
    if high is None or math.isinf(high.limit_s):
        upper = "up"
    else:
        upper = f"to {'at least ' if high.open_end else ''}{high.limit_s:.2f} s"
    given = "" if package.limits.time_limit_s is not None else " (none given, this one is suggested)"
    slower = f"; holds on a machine up to {limit_s / low.cpu_s:.1f} times slower" if low and low.cpu_s else ""
    allow = f"submissions allow any limit from {low.limit_s if low else 0:.2f} s {upper}"
    if low and high and not (low.open_end or high.open_end) and low.limit_s > high.limit_s:
        allow = f"no limit fits: submissions need at least {low.limit_s:.2f} s, and at most {high.limit_s:.2f} s"
    return f"limit {limit_s:g} s{given}; {allow}{slower}"


def _check_other_machines(
    judged: JudgedSubmissions, result: SubmissionResult, limit_s: float, findings: FindingCollector
) -> None:
    """Warn of a submission whose verdict changes on a machine that is slower or faster by the margin."""
    met = {factor: _meets_rules(judged, result, limit_s * factor) for factor in _factors(judged)}
    for factor, word in ((1 / judged.margin, "slower"), (judged.margin, "faster")):
        if met[1.0] and not met[factor]:
            findings.warning(
                result.path, f"would not get what it must on a machine {judged.margin:g} times {word}"
            )


def _factors(judged: JudgedSubmissions) -> tuple[float, ...]:
    """Return the factors of the time limit on a slower machine, here and on a faster one; one if there is no margin."""
    return tuple(dict.fromkeys((1 / judged.margin, 1.0, judged.margin)))


def _limit_columns(judged: JudgedSubmissions) -> list[str]:
    limit_s = judged.working_limit_s()
    return [f"{limit_s * factor:{'g' if factor == 1 else '.2g'}} s" for factor in _factors(judged)]


def _meets_rules(judged: JudgedSubmissions, result: SubmissionResult, limit_s: float) -> bool:
    package = judged.setting.package
    rules = [replace(rule, score=None) for rule in rules_for(result.path, package.rules)]
    view, graded = _result_under_limit(result, limit_s), package.secret.grading is not None
    return check_rules(rules, view.cases, (), None, view.verdict if graded else None, graded=graded).met


def _row(judged: JudgedSubmissions, role: Role, bound: Bound, times_s: Sequence[float]) -> tuple[str, ...]:
    """Return the table row of a bound. times_s: the CPU times of its repeated runs, sorted."""
    result = _result_of(judged, bound)
    limits_s = [judged.working_limit_s() * factor for factor in _factors(judged)]
    verdicts = [
        _result_under_limit(result, limit_s).verdict.value
        + ("" if _meets_rules(judged, result, limit_s) else " (!)")
        for limit_s in limits_s
    ]
    more = "over " if bound.open_end else ""
    repeated = f"{times_s[0]:.3f} to {times_s[-1]:.3f} s in {len(times_s)} runs" if times_s else ""
    return (bound.path, role.value, f"{more}{bound.cpu_s:.3f} s", bound.case, *verdicts, repeated)


def _result_under_limit(result: SubmissionResult, limit_s: float) -> SubmissionResult:
    """Return the result that the measured times give under another time limit."""
    cases = tuple(_case_under_limit(case, limit_s) for case in result.cases)
    view = replace(result, cases=cases)
    failed = view.failed_cases()
    return replace(view, verdict=failed[0].verdict if failed else Verdict.ACCEPTED)


def _case_under_limit(case: CaseResult, limit_s: float) -> CaseResult:
    if case.judged and case.cpu_s is not None and case.cpu_s > limit_s:
        return replace(case, verdict=Verdict.TIME_LIMIT_EXCEEDED, reason=Reason.CPU_TIME)
    if case.judged and sleeps_beyond(case, limit_s):
        return replace(case, verdict=Verdict.TIME_LIMIT_EXCEEDED, reason=case.reason or Reason.WALL_TIME)
    return case


def _repeated_times(judged: JudgedSubmissions, tightest: Sequence[tuple[Role, Bound]]) -> dict[Bound, list[float]]:
    """Run the cases of the bounds nearest to the limit again; return their CPU times, the first run's too, sorted."""
    bounds = _nearest_bounds(judged, tightest)
    return {bound: sorted([bound.cpu_s, *_times_of_more_runs(judged, bound)]) for bound in bounds}


def _nearest_bounds(judged: JudgedSubmissions, tightest: Sequence[tuple[Role, Bound]]) -> list[Bound]:
    """Return the few bounds nearest to the limit from either side, if times vary enough to matter.

    The limit is that on a faster or slower machine. A run that was stopped shows no time.
    """
    limit_s = judged.working_limit_s()
    low_s, high_s = limit_s / judged.margin, limit_s * judged.margin
    measured = [(role, bound) for role, bound in tightest if not bound.open_end]
    lower = [bound for role, bound in measured if role is Role.LOWER and bound.cpu_s * VARIATION > low_s]
    upper = [bound for role, bound in measured if role is Role.UPPER and bound.cpu_s / VARIATION < high_s]
    slowest = sorted(lower, key=lambda bound: -bound.cpu_s)[:MOST_REPEATED]
    return slowest + sorted(upper, key=lambda bound: bound.cpu_s)[:MOST_REPEATED]


def _times_of_more_runs(judged: JudgedSubmissions, bound: Bound) -> list[float]:
    """Run the bounding case again, at least once and for about REPEATED_S in all; return the CPU times."""
    rounds = min(ROUNDS - 1, max(1, int(REPEATED_S / (bound.cpu_s or REPEATED_S))))
    results = [judged.run_again(bound.path, bound.case, judged.widest_s) for _ in range(rounds)]
    cases = [case for result in results if (case := result.slowest()) is not None]
    return [case.cpu_s for case in cases if case.cpu_s is not None]
