"""Which cases of a submission count: all up to the point where its fate is decided, in judging order.

Workers run ahead of that point; what they find beyond it is dropped, so that the outcome does not depend on
scheduling. A test group with pass-fail aggregation is decided by its first failure, a pass-fail problem by the first
failure of all, unless a rule still asks for a verdict that a later case could give. A judge error decides everything.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from harness.package import Aggregation, Case, Group, Package, Rule
from harness.results.model import CaseResult
from harness.results.verdict import Reason, Verdict
from harness.rules.expectations import still_required
from harness.rules.group_tree import Graded, Grader, Walk, ordered_cases, root_group
from harness.rules.score import static_case
from harness.values import dataclass

Results = Mapping[str, CaseResult]
Task = tuple[Group, Case]


class Plan(Protocol):
    """The judging order of one package for one submission."""

    def ordered(self) -> Sequence[Task]:
        """Every case with the group that it is scored in, in judging order."""

    def final(self, results: Results) -> tuple[list[CaseResult], list[Task]]:
        """The result of every case, SK where it does not count; and the cases that count but have no result yet."""

    def wanted(self, group: Group, case: Case, results: Results) -> bool:
        """Whether the case may still count, as far as is known now."""


@dataclass(frozen=True, kw_only=True)
class CasePlan:
    """The plan of the 2025-09 format. complete: run every case whatever happens."""

    package: Package
    rules: Sequence[Rule] = ()
    complete: bool = False

    def ordered(self) -> Sequence[Task]:
        """See Plan. The static case of a group comes before its others: it costs least."""
        secret = self.package.secret
        groups = (self.package.sample, secret, *secret.groups)
        return [(group, case) for group in groups for case in _own_cases(group)]

    def final(self, results: Results) -> tuple[list[CaseResult], list[Task]]:
        """See Plan."""
        kept: list[CaseResult] = []
        missing: list[Task] = []
        failed: list[CaseResult] = []
        for group, case in self.ordered():
            result = results.get(case.name)
            if self._skips(group, case, kept, failed):
                result = skipped(group, case)
            if result is None:
                missing.append((group, case))
                continue
            kept.append(result)
            if result.verdict is not Verdict.ACCEPTED:
                failed.append(result)
        return kept, missing

    def wanted(self, group: Group, case: Case, results: Results) -> bool:
        """See Plan."""
        earlier = []
        for _, other in self.ordered():
            if other.name == case.name:
                break
            if other.name in results:
                earlier.append(results[other.name])
        failed = [result for result in earlier if result.verdict is not Verdict.ACCEPTED]
        return not self._skips(group, case, earlier, failed)

    def _skips(
        self, group: Group, case: Case, earlier: Sequence[CaseResult], failed: Sequence[CaseResult]
    ) -> bool:
        """failed: those of `earlier` that are not accepted."""
        secret = self.package.secret
        requires = group.require_pass if group.name == "sample" else (*secret.require_pass, *group.require_pass)
        if any(_failed_in(failed, name) for name in requires):
            return True
        if self.complete:
            return False
        if any(result.verdict is Verdict.JUDGE_ERROR for result in failed):
            return True
        decided = any(self._decides(result, group) for result in failed)
        return decided and not still_required(self.rules, earlier, case.name)

    def _decides(self, result: CaseResult, group: Group) -> bool:
        """Whether a failure there settles this group."""
        if not self.package.scoring:
            return True
        if "sample" in (group.name, result.group):
            return False
        if self.package.secret.aggregation is Aggregation.PASS_FAIL:
            return True
        return group.aggregation is Aggregation.PASS_FAIL and result.group == group.name


@dataclass(frozen=True, kw_only=True)
class TreePlan:
    """The plan of a package with graders: each group says whether it goes on after a rejection."""

    package: Package
    grader: Grader
    complete: bool = False

    def ordered(self) -> Sequence[Task]:
        """See Plan."""
        return ordered_cases(root_group(self.package))

    def grade(self, results: Results) -> Graded:
        """The whole tree, as far as the results go."""
        walk = Walk(cases=results, grader=self.grader, scoring=self.package.scoring)
        return walk.grade(root_group(self.package))

    def final(self, results: Results) -> tuple[list[CaseResult], list[Task]]:
        """See Plan."""
        if self.complete:
            missing = [(group, case) for group, case in self.ordered() if case.name not in results]
            return [results[case.name] for _, case in self.ordered() if case.name in results], missing
        dropped = {case.name for _, case in self.grade(results).skipped}
        kept: list[CaseResult] = []
        awaited: list[Task] = []
        broken = False
        for group, case in self.ordered():
            result = results.get(case.name)
            if broken or case.name in dropped:
                kept.append(skipped(group, case))
            elif result is None:
                awaited.append((group, case))
            else:
                kept.append(result)
                broken = result.verdict is Verdict.JUDGE_ERROR
        return kept, awaited

    def wanted(self, group: Group, case: Case, results: Results) -> bool:
        """See Plan. Only the case's own group is looked at: what its graders would say of others is not known here."""
        if self.complete or group.grading is None or not group.grading.break_on_reject:
            return True
        earlier = [other.name for other in group.cases if other.name < case.name]
        return all(results[name].verdict is Verdict.ACCEPTED for name in earlier if name in results)


def _own_cases(group: Group) -> Iterator[Case]:
    static = static_case(group)
    if static is not None:
        yield static
    yield from group.cases


def skipped(group: Group, case: Case) -> CaseResult:
    """The result of a case that does not count."""
    return CaseResult(name=case.name, group=group.name, verdict=Verdict.SKIPPED)


def _failed_in(failed: Sequence[CaseResult], group: str) -> bool:
    return any(result.group in (group, f"secret/{group}") for result in failed)


def borderline(result: CaseResult, time_limit_s: float, margin: float) -> bool:
    """Whether a second run could change the verdict: near the limit, or over it while other work took the cores."""
    if result.cpu_s is None or result.verdict not in (Verdict.ACCEPTED, Verdict.TIME_LIMIT_EXCEEDED):
        return False
    if result.verdict is Verdict.TIME_LIMIT_EXCEEDED and result.starved:
        return True  # CPU time grows, too, where others throw a program out of the caches
    if result.reason is Reason.WALL_TIME:
        return result.cpu_s > time_limit_s * margin  # a sleeper uses none; a starved program uses some
    return abs(result.cpu_s - time_limit_s) <= margin * time_limit_s
