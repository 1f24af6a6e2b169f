"""Derive the time limits that a package's submissions allow (2025-09, "Timelimit inference")."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from harness.package.globs import matches
from harness.package.model import ProblemLimits, Rule
from harness.results.model import CaseResult, SubmissionResult
from harness.results.verdict import Reason, Verdict
from harness.sandbox.facts import wall_limit_s
from harness.values import dataclass

_ROUNDING = 1e-9
_NOT_TIMED = (Reason.WALL_TIME, Reason.IDLE)
_RESOLUTIONS_S = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01)  # finer than the usual 1 s
_LONG_S = 60.0  # rarely meant; a limit written in milliseconds is at least so many seconds
_FAR, _LEAST_S = 300.0, 0.05  # a limit of so many times the slowest accepted run, taken as at least so long
_BUSY = 0.1  # CPU share of wall time; a program below it counts as sleeping if its sleep was not measured


@dataclass(frozen=True, kw_only=True)
class Bound:
    """A submission's slowest case in the scope of a rule, and the time limit that follows from it.

    open_end: it was stopped and would have taken longer.
    """

    path: str
    rule: str
    scope: str
    case: str
    cpu_s: float
    limit_s: float
    open_end: bool


@dataclass(frozen=True, kw_only=True)
class TimeLimits:
    """The range of time limits that the package's submissions allow.

    lower, upper: bounds from below and from above. default_s: the limit that the format infers; None: there is none.
    faults: why there is none, or why the stated limit is wrong.
    """

    lower: tuple[Bound, ...]
    upper: tuple[Bound, ...]
    default_s: float | None
    faults: tuple[str, ...]

    @property
    def lowest(self) -> Bound | None:
        """The strictest bound from below; None if there is none."""
        return max(self.lower, key=lambda bound: bound.limit_s, default=None)

    @property
    def highest(self) -> Bound | None:
        """The strictest bound from above; None if there is none."""
        return min(self.upper, key=lambda bound: bound.limit_s, default=None)

    def allows(self, limit_s: float) -> bool:
        """Return whether the time limit is in the range."""
        low, high = self.lowest, self.highest
        return (low is None or limit_s >= low.limit_s - _ROUNDING) and (
            high is None or limit_s <= high.limit_s + _ROUNDING
        )


def time_limits(
    judged: Iterable[tuple[SubmissionResult, Sequence[Rule]]],
    limits: ProblemLimits,
    *,
    stated_s: float | None = None,
    cap_s: float | None = None,
) -> TimeLimits:
    """Return the range that these results allow. judged: the results, with the rules of their submissions.

    stated_s: the package's own limit, compared with the range. cap_s: the limit that the submissions were run under.
    """
    lower: list[Bound] = []
    upper: list[Bound] = []
    for result, rules in judged:
        for rule in rules:
            scope = _timed(result, rule)
            if not scope:
                continue
            if rule.bounds_from_below:
                lower.append(_bound(result, rule, max(scope, key=_cpu_s), limits.ac_to_time_limit, cap_s))
            if rule.bounds_from_above:
                longest = max(scope, key=lambda case: (sleeps_beyond(case, 0.0), _cpu_s(case)))
                upper.append(_bound(result, rule, longest, 1 / limits.time_limit_to_tle, cap_s))
    bounds = TimeLimits(lower=tuple(lower), upper=tuple(upper), default_s=None, faults=())
    default_s = _default_s(bounds, limits)
    faults = (
        *_faults(bounds, default_s, limits),
        *(() if stated_s is None else _faults_of_stated(bounds, limits, stated_s)),
    )
    return replace(bounds, default_s=default_s, faults=faults)


def least_multiple_s(limit_s: float, limits: ProblemLimits) -> float:
    """Return the least multiple of time_resolution that is not below the limit; an infinite limit as it is."""
    if math.isinf(limit_s):
        return limit_s
    steps = max(math.ceil(limit_s / limits.time_resolution_s - _ROUNDING), 1)
    return round(steps * limits.time_resolution_s, 9)


def sleeps_beyond(case: CaseResult, limit_s: float) -> bool:
    """Return whether the run slept so long that the wall clock stopped it, or would under this time limit."""
    if case.reason in _NOT_TIMED:
        return True
    wall_s = case.wall_s or 0.0
    asleep_s = case.asleep_s
    if asleep_s is None:
        asleep_s = wall_s if _cpu_s(case) < _BUSY * wall_s else 0.0
    return asleep_s > wall_limit_s(limit_s)


def _timed(result: SubmissionResult, rule: Rule) -> list[CaseResult]:
    return [
        case
        for case in result.cases
        if case.cpu_s is not None and (rule.cases is None or matches(rule.cases, case.name))
    ]


def _cpu_s(case: CaseResult) -> float:
    return case.cpu_s or 0.0


def _bound(result: SubmissionResult, rule: Rule, slowest: CaseResult, factor: float, cap_s: float | None) -> Bound:
    cpu_s = slowest.cpu_s or 0.0
    stopped = slowest.verdict is Verdict.TIME_LIMIT_EXCEEDED and (cap_s is None or cpu_s > cap_s)
    return Bound(
        path=result.path,
        rule=rule.pattern,
        scope=rule.cases or "",
        case=slowest.name,
        cpu_s=cpu_s,
        # A sleeping program is over any limit, regardless of its CPU time.
        limit_s=math.inf if sleeps_beyond(slowest, 0.0) else cpu_s * factor,
        open_end=stopped or sleeps_beyond(slowest, 0.0),
    )


def _default_s(bounds: TimeLimits, limits: ProblemLimits) -> float | None:
    """Return the smallest multiple of time_resolution in the range; None if there is none."""
    if bounds.lowest is None or math.isinf(bounds.lowest.limit_s):
        return None
    default_s = least_multiple_s(bounds.lowest.limit_s, limits)
    return default_s if bounds.allows(default_s) else None


def _faults(bounds: TimeLimits, default_s: float | None, limits: ProblemLimits) -> Iterable[str]:
    """Say why no time limit fits, if none does."""
    low, high = bounds.lowest, bounds.highest
    if low is None:
        yield "no submission bounds the time limit from below: one must, by not being permitted TLE"
    elif math.isinf(low.limit_s):
        yield f"{low.path} waits or sleeps on {low.case} ({low.cpu_s:.2f} s of CPU time): its time is not known"
    elif low.open_end:
        yield f"{low.path} was stopped on {low.case} at {low.cpu_s:.2f} s: its time is not known"
    elif default_s is None and high is not None:
        need = f"{low.path} ({low.cpu_s:.2f} s on {low.case}) asks for at least {low.limit_s:.2f} s"
        if high.open_end:
            yield f"{need}; whether {high.path} is slow enough is not known: it was stopped at {high.cpu_s:.2f} s"
        else:
            fitting, fix = "time limit", ""
            if low.limit_s <= high.limit_s:
                fitting = f"multiple of {limits.time_resolution_s:g} s"
                fix = _finer(low.limit_s, high.limit_s, limits)
            yield (
                f"no {fitting} fits: {need}, {high.path} ({high.cpu_s:.2f} s on {high.case}) for at most "
                f"{high.limit_s:.2f} s{fix}"
            )


def _finer(low_s: float, high_s: float, limits: ProblemLimits) -> str:
    """Return the keys of problem.yaml with which a limit in this range fits; '' if the range is too narrow."""
    for resolution_s in _RESOLUTIONS_S:
        limit_s = least_multiple_s(low_s, replace(limits, time_resolution_s=resolution_s))
        if limit_s <= high_s + _ROUNDING:
            finer = f"`time_resolution: {resolution_s:g}` and " if limits.time_limit_is_multiple else ""
            return f": write {finer}`time_limit: {limit_s:g}` below `limits`"
    return ""


def _faults_of_stated(bounds: TimeLimits, limits: ProblemLimits, stated_s: float) -> Iterable[str]:
    """Say why the stated time limit is wrong, if it is."""
    steps = stated_s / limits.time_resolution_s
    if abs(steps - round(steps)) > 1e-6:
        yield f"time_limit {stated_s:g} is no multiple of time_resolution {limits.time_resolution_s:g}"
    low, high = bounds.lowest, bounds.highest
    may_be_ms = low is None or low.limit_s <= stated_s / 1000
    if stated_s >= _LONG_S and may_be_ms:
        yield f"time_limit {stated_s:g} counts seconds, not milliseconds: did you mean {stated_s / 1000:g}?"
    elif low is not None and not low.open_end and stated_s > _FAR * max(low.cpu_s, _LEAST_S):
        often = f"{stated_s / max(low.cpu_s, 0.001):.0f} times the {low.cpu_s:.3f} s"
        yield f"time_limit {stated_s:g} is {often} that {low.path} takes on {low.case}: lower it"
    if low is not None and not low.open_end and stated_s < low.limit_s - _ROUNDING:
        yield (
            f"time_limit {stated_s:g} is under {low.limit_s:.2f} s: {low.path} takes {low.cpu_s:.2f} s on {low.case}, "
            f"ac_to_time_limit is {limits.ac_to_time_limit:g}"
        )
    if high is not None and stated_s > high.limit_s + _ROUNDING:
        yield (
            f"time_limit {stated_s:g} is over {high.limit_s:.2f} s: {high.path} takes {high.cpu_s:.2f} s on "
            f"{high.case}, time_limit_to_tle is {limits.time_limit_to_tle:g}"
        )
