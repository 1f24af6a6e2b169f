"""Decide which cases of a submission count, in judging order, and when the whole judging stops.

The cases up to the point where the submission's result is decided count. Workers run ahead of that point; results
beyond it are dropped, so that the result does not depend on scheduling. A test group with pass-fail aggregation is
decided by its first failure, a pass-fail problem by the first failure of all, unless a rule requires a verdict or a
message that a later case could still give. A judge error decides everything.
"""

import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field, replace
from functools import cached_property
from typing import Protocol

from harness.package import Aggregation, Case, Group, GroupCase, Package, Rule
from harness.results.model import CaseResult
from harness.results.verdict import Reason, Verdict
from harness.rules.expectations import demands_of, in_scope, meets
from harness.rules.group_tree import Graded, Grader, Walk, ordered_cases, root_group
from harness.rules.score import static_case
from harness.values import dataclass

NOT_JUDGED = "not judged: the judging stopped, because every call of a validator failed"
_ENOUGH_FAILED = 3  # submissions
_AWAKE = 0.15  # of the time limit: CPU time of a program that did not sleep

Results = Mapping[str, CaseResult]


class Plan(Protocol):
    """The judging order of one package for one submission."""

    def ordered(self) -> Sequence[GroupCase]:
        """Return every case with the group that it is scored in, in judging order."""

    def final(self, results: Results) -> tuple[list[CaseResult], list[GroupCase]]:
        """Return the results (SK for cases that do not count), and the counting cases without a result."""

    def wanted(self, group: Group, case: Case, results: Results) -> bool:
        """Return whether the case may still count after these results."""


@dataclass(frozen=True, kw_only=True)
class OwnLimit:
    """The problem's time limit, while submissions run under a wider limit to measure how slow they are.

    seconds: of CPU time. extra_cases: names of cases that are run even when the verdict under this limit is decided,
    since they show how slow a submission is.
    """

    seconds: float
    extra_cases: frozenset[str]

    def result_under(self, result: CaseResult) -> CaseResult:
        """Return the result under this limit."""
        if result.judged and (result.cpu_s or 0.0) > self.seconds:
            return replace(result, verdict=Verdict.TIME_LIMIT_EXCEEDED, reason=Reason.CPU_TIME)
        return result


@dataclass(frozen=True, kw_only=True)
class CasePlan:
    """The plan of the 2025-09 format. complete: every case counts.

    own_limit: set for a submission that must be too slow: cases that cannot change its verdict under that limit do not
    count then, except `own_limit.extra_cases`.
    """

    package: Package
    rules: Sequence[Rule] = ()
    complete: bool = False
    own_limit: OwnLimit | None = None

    def ordered(self) -> Sequence[GroupCase]:
        """See Plan. The static case of a group comes first because it is cheapest."""
        return self._ordered

    @cached_property
    def _ordered(self) -> Sequence[GroupCase]:
        secret = self.package.secret
        groups = (self.package.sample, secret, *secret.groups)
        return [(group, case) for group in groups for case in _own_cases(group)]

    def final(self, results: Results) -> tuple[list[CaseResult], list[GroupCase]]:
        """See Plan."""
        kept: list[CaseResult] = []
        missing: list[GroupCase] = []
        standing = self._standing()
        for group, case in self.ordered():
            result = results.get(case.name)
            if self._skips(group, case, standing):
                result = skipped(group, case)
            if result is None:
                missing.append((group, case))
                continue
            kept.append(result)
            standing.add(result)
        return kept, missing

    def wanted(self, group: Group, case: Case, results: Results) -> bool:
        """See Plan."""
        if not self._skips(group, case, self._worst(results)):
            return True
        standing = self._standing()
        for _, other in self.ordered():
            if other.name == case.name:
                break
            if other.name in results:
                standing.add(results[other.name])
        return not self._skips(group, case, standing)

    def _standing(self) -> "_Standing":
        demands = demands_of(self.rules)
        limited = None if self.own_limit is None else _Standing(demands=demands, limit=self.own_limit)
        return _Standing(demands=demands, limited=limited)

    def _worst(self, results: Results) -> "_Standing":
        """Return the standing if every group had failed: a case that it does not skip is wanted whatever came before.

        Going through all results for each case would take the square of their number.
        """
        has_judge_error = Verdict.JUDGE_ERROR in [result.verdict for result in results.values()]
        limited = _Standing(demands=[], failed=self._group_names)
        return _Standing(demands=[], failed=self._group_names, has_judge_error=has_judge_error, limited=limited)

    @cached_property
    def _group_names(self) -> set[str]:
        return {group.name for group, _ in self._ordered}

    def _skips(self, group: Group, case: Case, standing: "_Standing") -> bool:
        """Return whether the case is skipped. standing: what the results before it have decided."""
        secret = self.package.secret
        requires = group.require_pass if group.name == "sample" else (*secret.require_pass, *group.require_pass)
        if not standing.failed.isdisjoint(requires):
            return True
        if self.complete:
            return False
        if standing.has_judge_error or self._is_decided(group, case, standing):
            return True
        if self.own_limit is None or standing.limited is None or case.name in self.own_limit.extra_cases:
            return False
        return self._is_decided(group, case, standing.limited)

    def _is_decided(self, group: Group, case: Case, standing: "_Standing") -> bool:
        """Return whether the case cannot change the submission's result after these results."""
        return self._has_failed(group, standing.failed) and not any(
            in_scope(demand, case.name) for demand in standing.demands
        )

    def _has_failed(self, group: Group, failed: Set[str]) -> bool:
        """Return whether the failures in these groups decide the result of `group`."""
        if not self.package.scoring:
            return bool(failed)
        if group.name == "sample":
            return False
        if self.package.secret.aggregation is Aggregation.PASS_FAIL:
            return bool(failed - {"sample"})
        return group.aggregation is Aggregation.PASS_FAIL and group.name in failed


@dataclass(kw_only=True)
class _Standing:
    """What the results so far have decided.

    demands: of rules that no result has met yet. failed: the groups with a result that is not accepted. limit: under
    which the results count. limited: the same under the own limit of the problem.
    """

    demands: list[Rule]
    failed: set[str] = field(default_factory=set)
    has_judge_error: bool = False
    limit: OwnLimit | None = None
    limited: "_Standing | None" = None

    def add(self, result: CaseResult) -> None:
        """Add the next result."""
        if self.limited is not None:
            self.limited.add(result)
        if self.limit is not None:
            result = self.limit.result_under(result)
        if result.verdict is not Verdict.ACCEPTED:
            self.failed.add(result.group)
            self.has_judge_error = self.has_judge_error or result.verdict is Verdict.JUDGE_ERROR
        if self.demands:
            self.demands = [demand for demand in self.demands if not meets(demand, result)]


@dataclass(frozen=True, kw_only=True)
class TreePlan:
    """The plan of a package with graders: each group sets whether judging continues after a rejection."""

    package: Package
    grader: Grader
    complete: bool = False

    def ordered(self) -> Sequence[GroupCase]:
        """See Plan."""
        return ordered_cases(root_group(self.package))

    def grade(self, results: Results) -> Graded:
        """Grade the whole tree with the results so far."""
        walk = Walk(cases=results, grader=self.grader, scoring=self.package.scoring)
        return walk.grade(root_group(self.package))

    def final(self, results: Results) -> tuple[list[CaseResult], list[GroupCase]]:
        """See Plan."""
        if self.complete:
            missing = [(group, case) for group, case in self.ordered() if case.name not in results]
            return [results[case.name] for _, case in self.ordered() if case.name in results], missing
        dropped = {case.name for _, case in self.grade(results).skipped}
        kept: list[CaseResult] = []
        missing_cases: list[GroupCase] = []
        broken = False
        for group, case in self.ordered():
            result = results.get(case.name)
            if broken or case.name in dropped:
                kept.append(skipped(group, case))
            elif result is None:
                missing_cases.append((group, case))
            else:
                kept.append(result)
                broken = result.verdict is Verdict.JUDGE_ERROR
        return kept, missing_cases

    def wanted(self, group: Group, case: Case, results: Results) -> bool:
        """See Plan. Only results of the case's own group are considered: other groups may have no grade yet."""
        if self.complete or group.grading is None or not group.grading.break_on_reject:
            return True
        earlier = [other.name for other in group.cases if other.name < case.name]
        return all(results[name].verdict is Verdict.ACCEPTED for name in earlier if name in results)


class Schedule:
    """Hands the cases of a round to the workers in judging order, with one exception.

    A submission that must be too slow runs on one case at a time while other submissions have cases left: only its
    first time-out counts, so a second one at the same time would be wasted. Safe to share between workers.
    """

    def __init__(self, tasks: Iterable[tuple[Hashable, bool]]) -> None:
        """tasks: the submission of each case, in judging order, and whether it must be too slow."""
        self._tasks = list(tasks)
        self._left: OrderedDict[Hashable, deque[int]] = OrderedDict()
        for index, (submission, _) in enumerate(self._tasks):
            self._left.setdefault(submission, deque()).append(index)
        self._running: Counter[Hashable] = Counter()
        self._lock = threading.Lock()

    def take(self) -> int:
        """Return the index of the task to run next."""
        with self._lock:
            submission = next(filter(self._may_start, self._left), None)
            if submission is None:
                submission = next(iter(self._left))
            left = self._left[submission]
            index = left.popleft()
            if not left:
                del self._left[submission]
            self._running[submission] += 1
            return index

    def finish(self, index: int) -> None:
        """Report that the task at this index has ended."""
        with self._lock:
            self._running[self._tasks[index][0]] -= 1

    def _may_start(self, submission: Hashable) -> bool:
        _, is_slow = self._tasks[self._left[submission][0]]
        return not (is_slow and self._running[submission])


def _own_cases(group: Group) -> Iterator[Case]:
    static = static_case(group)
    if static is not None:
        yield static
    yield from group.cases


def skipped(group: Group, case: Case) -> CaseResult:
    """Return the result of a case that does not count."""
    return CaseResult(name=case.name, group=group.name, verdict=Verdict.SKIPPED)


def borderline(result: CaseResult, time_limit_s: float, margin: float) -> bool:
    """Return whether a rerun could change the verdict: near the limit, or over it on a busy machine."""
    if result.cpu_s is None or result.verdict not in (Verdict.ACCEPTED, Verdict.TIME_LIMIT_EXCEEDED):
        return False
    if result.verdict is Verdict.TIME_LIMIT_EXCEEDED and result.starved:
        return True  # CPU time also grows if other programs evict a program from the caches
    if result.reason is Reason.WALL_TIME:
        return result.cpu_s > time_limit_s * _AWAKE  # a sleeper uses no CPU time; a starved program does
    return abs(result.cpu_s - time_limit_s) <= margin * time_limit_s


@dataclass(kw_only=True)
class ValidatorTrust:
    """Tracks whether the validators of a package work; the judging stops once they are shown to fail.

    They fail if, in judging order, the first cases that reach a validator are judge errors of three submissions
    (fewer if fewer are judged): a single submission may attack the validator. The judging order decides, not the
    clock, so that the same judging always stops after the same case. established: a validator has worked once, so
    later failures are the fault of a submission; or all cases are wanted (--all). lost: the validators fail.
    """

    established: bool = False
    lost: bool = False

    @property
    def decided(self) -> bool:
        """Return whether no further result can change the decision."""
        return self.established or self.lost


@dataclass(kw_only=True)
class TrustRound:
    """Collects the results of tasks as workers finish them, and updates `trust` with them in judging order.

    submissions: number of submissions of the tasks. counted: number of tasks, from the first, that were applied.
    """

    trust: ValidatorTrust
    submissions: int
    counted: int = 0
    _waiting: dict[int, tuple[CaseResult | None, Callable[[], bool], str]] = field(default_factory=dict)
    _failed: set[str] = field(default_factory=set)

    def add(self, index: int, result: CaseResult | None, counts: Callable[[], bool], submission: str) -> None:
        """Add the result of the task at `index` in judging order; None if it was not run.

        counts: whether the result counts, called after all results before it were added.
        """
        if not self.trust.decided:
            self._waiting[index] = result, counts, submission
        while not self.trust.decided and self.counted in self._waiting:
            result, counts, submission = self._waiting.pop(self.counted)
            self.counted += 1
            if result is not None and counts():
                self.trust.established = result.verdict in (Verdict.ACCEPTED, Verdict.WRONG_ANSWER)
                if result.verdict is Verdict.JUDGE_ERROR:
                    self._failed.add(submission)
                self.trust.lost = len(self._failed) >= min(_ENOUGH_FAILED, self.submissions)
