"""The package's own submissions, judged once at the widest limit that any part asks about."""

from collections.abc import Sequence
from dataclasses import field, replace

from harness.judge import Entry, Judging, Observer
from harness.package import Package, Program
from harness.results.model import CaseResult, SubmissionResult
from harness.results.verdict import Verdict
from harness.rules.expectations import rules_for
from harness.values import dataclass
from harness.verify.context import Setting

UNKNOWN_LIMIT_S = 10.0


@dataclass(kw_only=True)
class Judged:
    """Judges on demand and keeps the results by limit; the setting's memory answers what an earlier run tells."""

    setting: Setting
    _by_limit: dict[float, tuple[SubmissionResult, ...]] = field(default_factory=dict)

    @property
    def margin(self) -> float:
        """By how much a time is allowed to vary from machine to machine."""
        return self.setting.package.limits.time_limit_to_tle

    @property
    def widest_s(self) -> float:
        """The limit of the one run that tells about all lower ones."""
        given = self.setting.package.limits.time_limit_s
        return UNKNOWN_LIMIT_S if given is None else given * self.margin

    def at(self, limit_s: float) -> tuple[SubmissionResult, ...]:
        """Every submission's result under this time limit."""
        if limit_s not in self._by_limit:
            self._by_limit[limit_s] = self._judge(limit_s, self.setting.package.submissions)
        return self._by_limit[limit_s]

    def accepted_on_all(self) -> tuple[SubmissionResult, ...]:
        """The solutions that must be accepted, on every case: one that fails is not stopped at its first failure."""
        found = self.at(self.widest_s)
        accepted = [one for one in found if one.expected is not None and one.expected.permitted == ("AC",)]
        if all(case.judged for one in accepted for case in one.cases):
            return tuple(accepted)
        names = {one.path for one in accepted}
        programs = [one for one in self.setting.package.submissions if one.path in names]
        return self._judge(self.widest_s, programs, complete=True)

    def _judge(
        self, limit_s: float, programs: Sequence[Program], *, complete: bool = False
    ) -> tuple[SubmissionResult, ...]:
        setting = self.setting
        judging = Judging(
            package=with_limit(setting.package, limit_s),
            host=setting.host,
            memory=setting.memory,
            complete=complete,
            observer=Observer(
                case=lambda path, result: setting.progress(f"{path} {result.name} {result.verdict}")
            ),
        )
        rules = setting.package.rules
        entries = [Entry(program=one, rules=rules_for(one.path, rules)) for one in programs]
        return tuple(judging.run(entries))


def with_limit(package: Package, limit_s: float) -> Package:
    """The package under another time limit."""
    return replace(package, limits=replace(package.limits, time_limit_s=limit_s))


def first_caught(result: SubmissionResult) -> CaseResult | None:
    """The first case, in judging order, that does not accept the submission."""
    return next((case for case in result.cases if case.judged and case.verdict is not Verdict.ACCEPTED), None)
