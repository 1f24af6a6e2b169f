"""Which cases of a submission count: all up to the point where its fate is decided, in judging order.

Workers run ahead of that point; what they find beyond it is dropped, so that the outcome does not depend on
scheduling. A test group with pass-fail aggregation is decided by its first failure, a pass-fail problem by the first
failure of all, unless a rule still asks for a verdict that a later case could give.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from harness.expect import still_required
from harness.package import Aggregation, Case, Group, Package, Rule
from harness.results import CaseResult
from harness.verdict import Reason, Verdict

Results = Mapping[str, CaseResult]


@dataclass(frozen=True, kw_only=True)
class CasePlan:
    """The judging order of one package for one submission. complete: run every case whatever happens."""

    package: Package
    rules: Sequence[Rule] = ()
    complete: bool = False

    def groups(self) -> tuple[Group, ...]:
        """The groups that hold cases, in judging order."""
        secret = self.package.secret
        return (self.package.sample, *(secret.groups or (secret,)))

    def final(self, results: Results) -> tuple[list[CaseResult], list[tuple[Group, Case]]]:
        """The result of every case, SK where it does not count; and the cases that count but have no result yet."""
        kept: list[CaseResult] = []
        missing: list[tuple[Group, Case]] = []
        failed: list[CaseResult] = []
        for group, case in self._ordered():
            result = results.get(case.name)
            if self._skips(group, case, kept, failed):
                result = CaseResult(name=case.name, group=group.name, verdict=Verdict.SKIPPED)
            if result is None:
                missing.append((group, case))
                continue
            kept.append(result)
            if result.verdict is not Verdict.ACCEPTED:
                failed.append(result)
        return kept, missing

    def wanted(self, group: Group, case: Case, results: Results) -> bool:
        """Whether the case may still count, as far as is known now."""
        earlier = []
        for _, other in self._ordered():
            if other.name == case.name:
                break
            if other.name in results:
                earlier.append(results[other.name])
        failed = [result for result in earlier if result.verdict is not Verdict.ACCEPTED]
        return not self._skips(group, case, earlier, failed)

    def _ordered(self) -> Iterator[tuple[Group, Case]]:
        for group in self.groups():
            for case in group.all_cases():
                yield group, case

    def _skips(
        self, group: Group, case: Case, earlier: Sequence[CaseResult], failed: Sequence[CaseResult]
    ) -> bool:
        """failed: those of `earlier` that are not accepted."""
        if any(_failed_in(failed, name) for name in group.require_pass):
            return True
        if self.complete:
            return False
        decided = any(self._decides(result, group) for result in failed)
        return decided and not still_required(self.rules, earlier, case.name)

    def _decides(self, result: CaseResult, group: Group) -> bool:
        """Whether a failure there settles this group."""
        if not self.package.scoring:
            return True
        return group.aggregation is Aggregation.PASS_FAIL and result.group == group.name and group.name != "sample"


def _failed_in(failed: Sequence[CaseResult], group: str) -> bool:
    return any(result.group in (group, f"secret/{group}") for result in failed)


def borderline(result: CaseResult, time_limit_s: float, margin: float) -> bool:
    """Whether a second run could change the verdict: near the limit, or stopped by the clock while others ran."""
    if result.cpu_s is None or result.verdict not in (Verdict.ACCEPTED, Verdict.TIME_LIMIT_EXCEEDED):
        return False
    if result.reason is Reason.WALL_TIME:
        return result.cpu_s > time_limit_s * margin  # a sleeper uses none; a starved program uses some
    return abs(result.cpu_s - time_limit_s) <= margin * time_limit_s
