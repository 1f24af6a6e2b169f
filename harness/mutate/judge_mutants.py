"""Judges mutants on a package's data, each until its first kill, in the order in which they die soonest."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Protocol

from harness.build import Executable
from harness.judge.judge_case import CaseJudge
from harness.mutate.errors import MutationError
from harness.mutate.model import Kill
from harness.package import Case, Group
from harness.results.model import CaseResult
from harness.results.verdict import Reason, Verdict
from harness.sandbox import Sandbox
from harness.values import dataclass

ROUND = 24  # so many mutants are judged before the order is learned anew; fixed, so that outcomes do not vary
OVERHEAD_S = 0.004  # what a run costs beside its own time
_TIMES_BEFORE_A_MATRIX_GIVES_UP = 2

Judged = tuple[Group, Case]
Progress = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Contender:
    """A program whose fate is asked for: a mutant, or a wrong solution."""

    name: str
    executable: Executable


@dataclass(frozen=True, kw_only=True)
class Trial:
    """What happened to one contender. kills: by case, in the order of running; unknown: cases that were not run."""

    name: str
    kills: tuple[Kill, ...] = ()
    unknown: tuple[str, ...] = ()
    runs: int = 0
    cpu_s: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Standard:
    """What the original got on a case: it was accepted, in so much time, for so many points."""

    cpu_s: float
    score: float


class TrialMemory(Protocol):
    """Remembers trials; safe to share between workers."""

    def trial(self, name: str, *, stop: bool) -> Trial | None:
        """What is known of a contender. stop: until its first kill, else on every case."""

    def survived(self, name: str) -> frozenset[str]:
        """The cases of which it is known that a contender survives them."""

    def keep_trial(self, trial: Trial, on: Iterable[str], *, stop: bool) -> None:
        """Take note of a trial on these cases."""

    def standard(self, case: str) -> Standard | None:
        """What is known of the original on a case."""

    def keep_standard(self, case: str, standard: Standard) -> None:
        """Take note of what the original got."""


class NoTrialMemory:
    """Everything is run."""

    def trial(self, name: str, *, stop: bool) -> Trial | None:
        """Nothing is known."""
        return None

    def survived(self, name: str) -> frozenset[str]:
        """Nothing is known."""
        return frozenset()

    def keep_trial(self, trial: Trial, on: Iterable[str], *, stop: bool) -> None:
        """Nothing is noted."""

    def standard(self, case: str) -> Standard | None:
        """Nothing is known."""
        return None

    def keep_standard(self, case: str, standard: Standard) -> None:
        """Nothing is noted."""


@dataclass(kw_only=True)
class Court:
    """The cases of a package and what the original got on each. Learns which cases kill.

    label: whose mutants these are, for the progress.
    """

    judge: CaseJudge
    cases: Sequence[Judged]
    memory: TrialMemory = field(default_factory=NoTrialMemory)
    progress: Progress = lambda _: None
    label: str = ""
    baseline: dict[str, Standard] = field(default_factory=dict)
    kills: dict[str, int] = field(default_factory=dict)
    tried: dict[str, int] = field(default_factory=dict)

    def hear_original(self, original: Contender) -> None:
        """Judge the original on every case. Raises MutationError when it is not accepted: then nothing can be told."""

        def work(sandbox: Sandbox, judged: Judged) -> CaseResult:
            return self.judge.judge(sandbox, original.executable, *judged)

        known = {case.name: self.memory.standard(case.name) for _, case in self.cases}
        self.baseline |= {name: standard for name, standard in known.items() if standard is not None}
        unknown = [judged for judged in self.cases if judged[1].name not in self.baseline]
        for (_, case), result in self.judge.host.pool.each(work, unknown):
            if result.verdict is not Verdict.ACCEPTED:
                message = f"{original.name}: gets {result.verdict} on {case.name}, so its mutants tell nothing"
                raise MutationError(f"{message}\n{result.message}".strip())
            self.baseline[case.name] = standard_of(result)
            self.memory.keep_standard(case.name, self.baseline[case.name])
            self.progress(f"{original.name} {case.name.removeprefix('secret/')}")

    def try_all(self, contenders: Sequence[Contender]) -> dict[str, Trial]:
        """Each until its first kill."""
        trials = {}
        for start in range(0, len(contenders), ROUND):
            order = self.order()
            for trial in self._round(contenders[start : start + ROUND], order, stop=True):
                trials[trial.name] = trial
                self._learn(trial, order)
                self.progress(f"{self.label}: judged {len(trials)} of {len(contenders)}")
        return trials

    def matrix(self, contenders: Sequence[Contender]) -> list[Trial]:
        """Each on every case. One that runs out of time again and again is not asked any further."""
        trials: list[Trial] = []
        for trial in self._round(contenders, self.order(), stop=False):
            trials.append(trial)
            self.progress(f"{self.label}: {len(trials)} of {len(contenders)} on every case")
        return sorted(trials, key=lambda trial: trial.name)

    def order(self) -> list[Judged]:
        """The cases, those first that kill most for what they cost."""

        def worth(judged: Judged) -> tuple[float, str]:
            name = judged[1].name
            rate = (self.kills.get(name, 0) + 0.5) / (self.tried.get(name, 0) + 1)
            return -rate / (self._cost_s(name) + OVERHEAD_S), name

        return sorted(self.cases, key=worth)

    def _cost_s(self, name: str) -> float:
        known = self.baseline.get(name)
        return known.cpu_s if known is not None else 0.0

    def _learn(self, trial: Trial, order: Sequence[Judged]) -> None:
        for _, case in order[: trial.runs]:
            self.tried[case.name] = self.tried.get(case.name, 0) + 1
        for kill in trial.kills:
            self.kills[kill.case] = self.kills.get(kill.case, 0) + 1

    def _round(self, contenders: Sequence[Contender], order: Sequence[Judged], *, stop: bool) -> Iterable[Trial]:
        def work(sandbox: Sandbox, contender: Contender) -> Trial:
            known = self.memory.trial(contender.name, stop=stop)
            if known is not None:
                return known
            survived = self.memory.survived(contender.name) if stop else frozenset[str]()
            left = [judged for judged in order if judged[1].name not in survived]
            trial = self._try(sandbox, contender, left, stop=stop)
            run = {case.name for _, case in left[: trial.runs]}
            self.memory.keep_trial(trial, sorted(survived | run), stop=stop)
            return trial

        for _, trial in self.judge.host.pool.each(work, contenders):
            yield trial

    def _try(self, sandbox: Sandbox, contender: Contender, order: Sequence[Judged], *, stop: bool) -> Trial:
        kills: list[Kill] = []
        cpu_s, runs = 0.0, 0
        for group, case in order:
            result = self._judged(sandbox, contender, group, case)
            cpu_s, runs = cpu_s + (result.cpu_s or 0.0), runs + 1
            kill = kill_of(result, self.baseline)
            if kill is not None:
                kills.append(kill)
            if kills and (stop or sum(one.timed_out for one in kills) >= _TIMES_BEFORE_A_MATRIX_GIVES_UP):
                break
        unknown = () if stop else tuple(case.name for _, case in order[runs:])
        return Trial(name=contender.name, kills=tuple(kills), unknown=unknown, runs=runs, cpu_s=cpu_s)

    def _judged(self, sandbox: Sandbox, contender: Contender, group: Group, case: Case) -> CaseResult:
        """The result; who was only waited for in vain is waited for again, for a busy machine may be the reason."""
        result = self.judge.judge(sandbox, contender.executable, group, case)
        if result.reason in (Reason.WALL_TIME, Reason.IDLE):
            return self.judge.judge(sandbox, contender.executable, group, case)
        return result


def standard_of(result: CaseResult) -> Standard:
    """What an accepted result sets as the standard."""
    return Standard(cpu_s=result.cpu_s or 0.0, score=result.score or 0.0)


def kill_of(result: CaseResult, baseline: Mapping[str, Standard]) -> Kill | None:
    """Whether a result tells a program from the original: another verdict than AC, or fewer points."""
    if result.verdict is not Verdict.ACCEPTED:
        return Kill(case=result.name, verdict=result.verdict, message=result.message[:200])
    wanted = baseline.get(result.name)
    if wanted is not None and (result.score or 0.0) < wanted.score - 1e-9:
        lost = f"{result.score or 0:g} points, the original gets {wanted.score:g}"
        return Kill(case=result.name, verdict=Verdict.ACCEPTED, message=lost)
    return None
