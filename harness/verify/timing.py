"""An honest time limit: who bounds it, by how much, and what would change on another machine."""

import enum
import math
from collections.abc import Sequence
from dataclasses import replace

from harness.judge import Entry, Judging
from harness.package import Package, ProblemType
from harness.results.model import CaseResult, SubmissionResult
from harness.results.verdict import Reason, Verdict
from harness.rules.expectations import hold_against, rules_for
from harness.rules.time_limit import Bound, TimeLimits, sleeps_beyond, time_limits
from harness.verify.findings import Findings, PartResult
from harness.verify.judged_submissions import Judged, first_caught, with_limit

_SUBJECT = "time limit"
BOUNDING = 2
_FINEST_S = 0.001
_BUSY = " (measured while other work kept the machine busy)"


class Role(enum.StrEnum):
    """What a submission says about the time limit (2025-09, "time limit")."""

    LOWER = "must be within"
    UPPER = "must be over"


def limits_at(judged: Judged, given_s: float | None = None) -> TimeLimits:
    """What the submissions, judged at the widest limit, say about the time limit."""
    package, widest_s = judged.setting.package, judged.widest_s
    results = [(result, rules_for(result.path, package.rules)) for result in judged.at(widest_s)]
    limits = package.limits
    if given_s is not None and not limits.time_limit_is_multiple:
        limits = replace(limits, time_resolution_s=_FINEST_S)
    return time_limits(results, limits, given_s=given_s, cap_s=widest_s)


def working_limit_s(judged: Judged) -> float:
    """The package's limit; where it gives none, the one that its submissions suggest.

    Where none fits them all, those that must be within decide: `judge` knows no others.
    """
    limits = judged.setting.package.limits
    if limits.time_limit_s is not None:
        return limits.time_limit_s
    found = limits_at(judged)
    if found.default_s is None and found.lowest is not None:
        steps = math.ceil(found.lowest.limit_s / limits.time_resolution_s)
        return min(max(steps, 1) * limits.time_resolution_s, judged.widest_s)
    return min(found.default_s or judged.widest_s, judged.widest_s)


def check_time(judged: Judged) -> PartResult:
    """The part `time`; where answers are handed in, no program is timed."""
    if ProblemType.SUBMIT_ANSWER in judged.setting.package.types:
        return PartResult(part="time", summary="answers are handed in: nothing is timed", skipped=True)
    package, limit_s, findings = judged.setting.package, working_limit_s(judged), Findings()
    allowed = limits_at(judged, package.limits.time_limit_s)
    results = judged.at(judged.widest_s)
    disturbed = any(case.starved for result in results for case in result.cases)
    for fault in allowed.faults:
        findings.warning(_SUBJECT, fault + (_BUSY if disturbed else ""))
    for result in results:
        _tell_other_machines(judged, result, limit_s, findings)
    tightest = _tightest(allowed)
    return PartResult(
        part="time",
        summary=_summary(package, allowed, limit_s),
        findings=findings.result(),
        disturbed=disturbed,
        columns=("submission", "", "slowest", "on", f"{limit_s / judged.margin:.2g} s", f"{limit_s:g} s",
                 f"{limit_s * judged.margin:.2g} s", "repeated"),
        rows=tuple(_row(judged, role, bound, tightest) for role, bound in tightest),
        figures=_figures(allowed, limit_s, results),
    )  # fmt: skip


def _figures(allowed: TimeLimits, limit_s: float, results: Sequence[SubmissionResult]) -> dict[str, float]:
    """The limit, the bounds nearest to it, and the CPU time that an accepted submission takes on all cases."""
    slowest = max((bound.cpu_s for bound in allowed.lower), default=None)
    fastest = min((bound.cpu_s for bound in allowed.upper), default=None)
    totals = [
        sum(case.cpu_s or 0.0 for case in result.cases) for result in results if result.verdict is Verdict.ACCEPTED
    ]
    figures = {
        "limit_s": limit_s,
        "slowest_accepted_s": slowest,
        "fastest_too_slow_s": fastest,
        "accepted_total_s": sum(totals) / len(totals) if totals else None,
    }
    return {name: number for name, number in figures.items() if number is not None}


def _tightest(allowed: TimeLimits) -> list[tuple[Role, Bound]]:
    """Of each submission the bound of each kind that leaves least room, in the order of their paths."""
    found: dict[tuple[str, Role], Bound] = {}
    for bound in sorted(allowed.lower, key=lambda one: one.limit_s):
        found[bound.path, Role.LOWER] = bound
    for bound in sorted(allowed.upper, key=lambda one: -one.limit_s):
        found[bound.path, Role.UPPER] = bound
    return [(role, found[path, role]) for path, role in sorted(found)]


def _summary(package: Package, allowed: TimeLimits, limit_s: float) -> str:
    low, high = allowed.lowest, allowed.highest
    if high is None or math.isinf(high.limit_s):
        upper = "without end"
    else:
        upper = f"to {'at least ' if high.open_end else ''}{high.limit_s:.2f} s"
    given = "" if package.limits.time_limit_s is not None else " (none given, this one is suggested)"
    slower = f"; holds on a machine up to {limit_s / low.cpu_s:.1f} times slower" if low and low.cpu_s else ""
    return f"limit {limit_s:g} s{given}; submissions allow {low.limit_s if low else 0:.2f} s {upper}{slower}"


def _tell_other_machines(judged: Judged, result: SubmissionResult, limit_s: float, findings: Findings) -> None:
    """A machine somewhat slower, or faster, that would not show what this one does."""
    met = {factor: _met(judged, result, limit_s * factor) for factor in _factors(judged)}
    for factor, word in ((1 / judged.margin, "slower"), (judged.margin, "faster")):
        if met[1.0] and not met[factor]:
            findings.warning(result.path, f"a machine {judged.margin:g} times {word} would not show what it must")


def _factors(judged: Judged) -> tuple[float, float, float]:
    return (1 / judged.margin, 1.0, judged.margin)


def _met(judged: Judged, result: SubmissionResult, limit_s: float) -> bool:
    package = judged.setting.package
    rules = [replace(rule, score=None) for rule in rules_for(result.path, package.rules)]
    seen, graded = _at(result, limit_s), package.secret.grading is not None
    return hold_against(rules, seen.cases, (), None, seen.verdict if graded else None, graded=graded).met


def _row(judged: Judged, role: Role, bound: Bound, tightest: Sequence[tuple[Role, Bound]]) -> tuple[str, ...]:
    result = next(one for one in judged.at(judged.widest_s) if one.path == bound.path)
    limits_s = [working_limit_s(judged) * factor for factor in _factors(judged)]
    verdicts = [
        _at(result, limit_s).verdict.value + ("" if _met(judged, result, limit_s) else " (!)")
        for limit_s in limits_s
    ]
    more = "over " if bound.open_end else ""
    repeated = _repeated(judged, bound) if bound in _nearest(tightest) else ""
    return (bound.path, role.value, f"{more}{bound.cpu_s:.3f} s", bound.case, *verdicts, repeated)


def _at(result: SubmissionResult, limit_s: float) -> SubmissionResult:
    cases = tuple(_case_at(case, limit_s) for case in result.cases)
    view = replace(result, cases=cases)
    caught = first_caught(view)
    return replace(view, verdict=caught.verdict if caught is not None else Verdict.ACCEPTED)


def _case_at(case: CaseResult, limit_s: float) -> CaseResult:
    if case.judged and case.cpu_s is not None and case.cpu_s > limit_s:
        return replace(case, verdict=Verdict.TIME_LIMIT_EXCEEDED, reason=Reason.CPU_TIME)
    if case.judged and sleeps_beyond(case, limit_s):
        return replace(case, verdict=Verdict.TIME_LIMIT_EXCEEDED, reason=case.reason or Reason.WALL_TIME)
    return case


def _repeated(judged: Judged, bound: Bound) -> str:
    """Several more runs, one after the other, of the few that lie nearest to the limit from either side."""
    runs = sorted([bound.cpu_s, *_again(judged, bound)])
    return f"{runs[0]:.3f} to {runs[-1]:.3f} s in {len(runs)} runs"


def _nearest(tightest: Sequence[tuple[Role, Bound]]) -> list[Bound]:
    lower = sorted((bound for role, bound in tightest if role is Role.LOWER), key=lambda one: -one.cpu_s)
    upper = sorted(
        (bound for role, bound in tightest if role is Role.UPPER and not bound.open_end),
        key=lambda one: one.cpu_s,
    )
    return lower[:BOUNDING] + upper[:BOUNDING]


def _again(judged: Judged, bound: Bound) -> list[float]:
    runs = []
    for _ in range(judged.setting.rounds - 1):
        slowest = run_again(judged, bound.path, bound.case, judged.widest_s).slowest()
        if slowest is not None and slowest.cpu_s is not None:
            runs.append(slowest.cpu_s)
    return runs


def run_again(judged: Judged, path: str, case: str, limit_s: float) -> SubmissionResult:
    """Judge one submission on one case alone, whatever is remembered of it."""
    setting = judged.setting
    setting.progress(f"{path} {case} again")
    package = _only(with_limit(setting.package, limit_s), case)
    program = next(one for one in package.submissions if one.path == path)
    [result] = Judging(package=package, host=setting.host).run([Entry(program=program)])
    return result


def _only(package: Package, name: str) -> Package:
    """The package with this one case."""
    case = next(case for case in package.judged_cases() if case.name == name)
    return replace(
        package,
        sample=replace(package.sample, cases=(case,), groups=()),
        secret=replace(package.secret, cases=(), groups=()),
    )
