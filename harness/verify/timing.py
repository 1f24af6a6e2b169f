"""An honest time limit: who bounds it, by how much, and what would change on another machine."""

import enum
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from harness.expect import hold_against, rules_for
from harness.judge import Entry, Judging
from harness.package import Package, Program
from harness.package.model import Rule
from harness.results import CaseResult, SubmissionResult
from harness.verdict import Reason, Verdict
from harness.verify.findings import Findings, PartResult
from harness.verify.judged import Judged, first_caught, with_limit

BOUNDING = 2


class Role(enum.StrEnum):
    """What a submission says about the time limit (2025-09, "time limit")."""

    LOWER = "must be within"
    UPPER = "must be over"


@dataclass(frozen=True, kw_only=True)
class Timed:
    """A submission's slowest case. open_end: it was stopped there, so its true time is unknown but longer."""

    path: str
    role: Role
    case: str
    cpu_s: float
    open_end: bool


@dataclass(frozen=True, kw_only=True)
class Range:
    """Between which limits a package's submissions show what they must; high_s None: nothing bounds it above."""

    low_s: float
    high_s: float | None
    suggested_s: float | None


def role_of(rules: Sequence[Rule]) -> Role | None:
    """Who must be over the limit, who within; `use_for_time_limit` has the last word."""
    said = [rule.use_for_time_limit for rule in rules if rule.use_for_time_limit is not None]
    if said:
        return {"lower": Role.LOWER, "upper": Role.UPPER}.get(str(said[-1]))
    if any(rule.required == frozenset({"TLE"}) for rule in rules):
        return Role.UPPER
    within = any(rule.permitted is not None and "TLE" not in rule.permitted for rule in rules)
    return Role.LOWER if within else None


def timed(package: Package, results: Sequence[SubmissionResult], within_s: float) -> list[Timed]:
    """The submissions that bound the limit, judged at `within_s`."""
    found = []
    for result in results:
        role, slowest = role_of(rules_for(result.path, package.rules)), result.slowest()
        if role is None or slowest is None or slowest.cpu_s is None:
            continue
        stopped = slowest.cpu_s > within_s or slowest.reason in (Reason.WALL_TIME, Reason.IDLE)
        found.append(Timed(path=result.path, role=role, case=slowest.name, cpu_s=slowest.cpu_s, open_end=stopped))
    return found


def limit_range(package: Package, times: Sequence[Timed]) -> Range:
    """The limits that the format allows: ac_to_time_limit above the slow that must be within, and so on."""
    limits = package.limits
    low_s = max((one.cpu_s for one in times if one.role is Role.LOWER), default=0.0) * limits.ac_to_time_limit
    over = [one.cpu_s for one in times if one.role is Role.UPPER]
    high_s = min(over) / limits.time_limit_to_tle if over else None
    steps = max(math.ceil(low_s / limits.time_resolution_s - 1e-9), 1)
    suggested_s = steps * limits.time_resolution_s
    fits = high_s is None or suggested_s <= high_s + 1e-9
    return Range(low_s=low_s, high_s=high_s, suggested_s=suggested_s if fits else None)


def working_limit_s(judged: Judged) -> float:
    """The package's limit; where it gives none, the one that its submissions suggest."""
    package = judged.setting.package
    if package.limits.time_limit_s is not None:
        return package.limits.time_limit_s
    widest_s = judged.widest_s
    found = limit_range(package, timed(package, judged.at(widest_s), widest_s))
    return min(found.suggested_s or widest_s, widest_s)


def check_time(judged: Judged) -> PartResult:
    """The part `time`."""
    package, widest_s = judged.setting.package, judged.widest_s
    limit_s, findings = working_limit_s(judged), Findings()
    results = judged.at(widest_s)
    times = timed(package, results, widest_s)
    allowed = limit_range(package, times)
    _tell_range(package, allowed, limit_s, times, findings)
    rows = [_row(judged, result, times, limit_s, findings) for result in results if result.slowest() is not None]
    return PartResult(
        part="time",
        summary=_summary(package, allowed, limit_s, times),
        findings=findings.result(),
        columns=("submission", "", "slowest", "on", f"{limit_s / judged.margin:.2g} s", f"{limit_s:g} s",
                 f"{limit_s * judged.margin:.2g} s", "repeated"),
        rows=tuple(row for row in rows if row is not None),
    )  # fmt: skip


def _summary(package: Package, allowed: Range, limit_s: float, times: Sequence[Timed]) -> str:
    high = "without end" if allowed.high_s is None else f"to {allowed.high_s:.2f} s"
    if any(one.role is Role.UPPER and one.open_end for one in times) and allowed.high_s is not None:
        high = f"to at least {allowed.high_s:.2f} s"
    given = "" if package.limits.time_limit_s is not None else " (none given, this one is suggested)"
    slow = max((one.cpu_s for one in times if one.role is Role.LOWER), default=0.0)
    slower = f"; holds on a machine up to {limit_s / slow:.1f} times slower" if slow else ""
    return f"limit {limit_s:g} s{given}; submissions allow {allowed.low_s:.2f} s {high}{slower}"


def _tell_range(
    package: Package, allowed: Range, limit_s: float, times: Sequence[Timed], findings: Findings
) -> None:
    limits = package.limits
    slow = max((one for one in times if one.role is Role.LOWER), key=lambda one: one.cpu_s, default=None)
    if slow is None:
        findings.warning("submissions", "no submission bounds the time limit from below")
    elif limit_s < allowed.low_s:
        findings.warning(
            slow.path,
            f"{slow.cpu_s:.2f} s on {slow.case}: with ac_to_time_limit {limits.ac_to_time_limit:g} "
            f"the limit would be {allowed.low_s:.2f} s or more",
        )
    fast = min((one for one in times if one.role is Role.UPPER), key=lambda one: one.cpu_s, default=None)
    if fast is not None and allowed.high_s is not None and limit_s > allowed.high_s + 1e-9:
        findings.warning(
            fast.path,
            f"over the limit by {fast.cpu_s / limit_s:.2f} times only: time_limit_to_tle asks for "
            f"{limits.time_limit_to_tle:g}",
        )


def _row(
    judged: Judged, result: SubmissionResult, times: Sequence[Timed], limit_s: float, findings: Findings
) -> tuple[str, ...] | None:
    package = judged.setting.package
    rules = [replace(rule, score=None) for rule in rules_for(result.path, package.rules)]
    views = {factor: _at(result, limit_s * factor) for factor in (1 / judged.margin, 1.0, judged.margin)}
    met = {factor: hold_against(rules, view.cases, (), None).met for factor, view in views.items()}
    own = next((one for one in times if one.path == result.path), None)
    for factor, word in ((1 / judged.margin, "slower"), (judged.margin, "faster")):
        if met[1.0] and not met[factor]:
            message = f"a machine {judged.margin:g} times {word} would not show what it must"
            findings.warning(result.path, message)
    slowest = result.slowest()
    if own is None or slowest is None:
        return None
    verdicts = [view.verdict.value + ("" if met[factor] else " (!)") for factor, view in views.items()]
    more = "over " if own.open_end else ""
    repeated = _repeated(judged, own, times)
    return (result.path, own.role.value, f"{more}{own.cpu_s:.3f} s", own.case, *verdicts, repeated)


def _at(result: SubmissionResult, limit_s: float) -> SubmissionResult:
    cases = tuple(_case_at(case, limit_s) for case in result.cases)
    view = replace(result, cases=cases)
    caught = first_caught(view)
    return replace(view, verdict=caught.verdict if caught is not None else Verdict.ACCEPTED)


def _case_at(case: CaseResult, limit_s: float) -> CaseResult:
    if case.judged and case.cpu_s is not None and case.cpu_s > limit_s:
        return replace(case, verdict=Verdict.TIME_LIMIT_EXCEEDED, reason=Reason.CPU_TIME)
    return case


def _repeated(judged: Judged, own: Timed, times: Sequence[Timed]) -> str:
    """Several more runs, one after the other, of the few that lie nearest to the limit from either side."""
    if own not in _nearest(times):
        return ""
    runs = sorted([own.cpu_s, *_again(judged, own)])
    return f"{runs[0]:.3f} to {runs[-1]:.3f} s in {len(runs)} runs"


def _nearest(times: Sequence[Timed]) -> list[Timed]:
    lower = sorted((one for one in times if one.role is Role.LOWER), key=lambda one: -one.cpu_s)
    upper = sorted(
        (one for one in times if one.role is Role.UPPER and not one.open_end), key=lambda one: one.cpu_s
    )
    return lower[:BOUNDING] + upper[:BOUNDING]


def _again(judged: Judged, own: Timed) -> list[float]:
    setting = judged.setting
    package = _only(with_limit(setting.package, judged.widest_s), own.case)
    program = next(one for one in package.submissions if one.path == own.path)
    runs = []
    for _ in range(setting.rounds - 1):
        setting.progress(f"{own.path} {own.case} again")
        slowest = _one_run(judged, package, program).slowest()
        if slowest is not None and slowest.cpu_s is not None:
            runs.append(slowest.cpu_s)
    return runs


def _one_run(judged: Judged, package: Package, program: Program) -> SubmissionResult:
    [result] = Judging(package=package, host=judged.setting.host).run([Entry(program=program)])
    return result


def _only(package: Package, name: str) -> Package:
    """The package with this one case."""
    groups = [package.sample, *(package.secret.groups or (package.secret,))]
    home = next(group for group in groups for case in group.all_cases() if case.name == name)
    case = next(case for case in home.all_cases() if case.name == name)
    return replace(
        package,
        sample=replace(package.sample, cases=(case,), groups=()),
        secret=replace(package.secret, cases=(), groups=()),
    )
