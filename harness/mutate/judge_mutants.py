"""Judge mutants and wrong solutions on a package's cases, either until the first kill or on every case."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field

from harness.build.model import Executable
from harness.judge.judge_case import CaseJudge
from harness.mutate.memory import CandidateMemory
from harness.mutate.model import CandidateResult, Kill, MutationError, OriginalResult
from harness.package import Case, Group
from harness.results.model import CaseResult
from harness.results.verdict import Reason, Verdict
from harness.sandbox.facts import Sandbox
from harness.values import dataclass

ROUND = 24  # candidates judged in the same order of cases; constant, so that results are reproducible
OVERHEAD_S = 0.004  # overhead of a run
_MOST_TIMEOUTS = 2  # after this many time-outs, a candidate is run on no further cases

GroupCase = tuple[Group, Case]
Progress = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A program to judge: a mutant or a wrong solution. key: the key of its stored result."""

    name: str
    executable: Executable
    key: str = ""


@dataclass(kw_only=True)
class CandidateJudge:
    """Judges candidates on a package's cases, and learns which cases kill most per second.

    label: shown as progress. original: the original's result, by case.
    """

    judge: CaseJudge
    cases: Sequence[GroupCase]
    memory: CandidateMemory
    progress: Progress = lambda _: None
    label: str = ""
    original: dict[str, OriginalResult] = field(default_factory=dict)
    _kills: dict[str, int] = field(default_factory=dict)
    _tried: dict[str, int] = field(default_factory=dict)

    def judge_original(self, original: Candidate) -> None:
        """Judge the original on every case. Raises MutationError if it is not accepted."""

        def work(sandbox: Sandbox, case: GroupCase) -> CaseResult:
            return self.judge.judge(sandbox, original.executable, *case)

        remembered = {case.name: self.memory.original(case.name) for _, case in self.cases}
        self.original |= {name: result for name, result in remembered.items() if result is not None}
        missing = [(group, case) for group, case in self.cases if case.name not in self.original]
        for (_, case), result in self.judge.host.pool.each(work, missing):
            if result.verdict is not Verdict.ACCEPTED:
                message = f"{original.name}: gets {result.verdict} on {case.name}, so its mutants show nothing"
                raise MutationError(f"{message}\n{result.message}".strip())
            self.original[case.name] = original_result(result)
            self.memory.keep_original(case.name, self.original[case.name])
            self.progress(f"{original.name} {case.name.removeprefix('secret/')}")

    def until_killed(self, candidates: Sequence[Candidate]) -> dict[str, CandidateResult]:
        """Judge each candidate until its first kill; results by name."""
        results = {}
        for start in range(0, len(candidates), ROUND):
            order = self.order()
            for result in self._round(candidates[start : start + ROUND], order, stop=True):
                results[result.name] = result
                self._learn(result, order)
                self.progress(f"{self.label}: judged {len(results)} of {len(candidates)}")
        return results

    def on_every_case(self, candidates: Sequence[Candidate]) -> list[CandidateResult]:
        """Judge each candidate on every case. Stop running a candidate after two time-outs."""
        results: list[CandidateResult] = []
        for result in self._round(candidates, self.order(), stop=False):
            results.append(result)
            self.progress(f"{self.label}: {len(results)} of {len(candidates)} on every case")
        return sorted(results, key=lambda result: result.name)

    def order(self) -> list[GroupCase]:
        """Return the cases, ordered by kills per second, most first."""

        def cost(item: GroupCase) -> tuple[float, str]:
            name = item[1].name
            kill_rate = (self._kills.get(name, 0) + 0.5) / (self._tried.get(name, 0) + 1)
            original = self.original.get(name)
            return -kill_rate / ((original.cpu_s if original is not None else 0.0) + OVERHEAD_S), name

        return sorted(self.cases, key=cost)

    def _learn(self, result: CandidateResult, order: Sequence[GroupCase]) -> None:
        for _, case in order[: result.runs]:
            self._tried[case.name] = self._tried.get(case.name, 0) + 1
        for kill in result.kills:
            self._kills[kill.case] = self._kills.get(kill.case, 0) + 1

    def _round(
        self, candidates: Sequence[Candidate], order: Sequence[GroupCase], *, stop: bool
    ) -> Iterable[CandidateResult]:
        def work(sandbox: Sandbox, candidate: Candidate) -> CandidateResult:
            key = candidate.key or candidate.name
            remembered = self.memory.result(key, stop=stop)
            if remembered is not None:
                return remembered
            survived = self.memory.survived(key) if stop else frozenset[str]()
            left = [(group, case) for group, case in order if case.name not in survived]
            result = self._judge(sandbox, candidate, left, stop=stop)
            run = {case.name for _, case in left[: result.runs]}
            self.memory.keep_result(key, result, sorted(survived | run), stop=stop)
            return result

        for _, result in self.judge.host.pool.each(work, candidates):
            yield result

    def _judge(
        self, sandbox: Sandbox, candidate: Candidate, order: Sequence[GroupCase], *, stop: bool
    ) -> CandidateResult:
        kills: list[Kill] = []
        cpu_s, runs = 0.0, 0
        for group, case in order:
            result = self._judge_case(sandbox, candidate, group, case)
            cpu_s, runs = cpu_s + (result.cpu_s or 0.0), runs + 1
            kill = kill_of(result, self.original)
            if kill is not None:
                kills.append(kill)
            if kills and (stop or sum(kill.timed_out for kill in kills) >= _MOST_TIMEOUTS):
                break
        not_run = () if stop else tuple(case.name for _, case in order[runs:])
        return CandidateResult(name=candidate.name, kills=tuple(kills), not_run=not_run, runs=runs, cpu_s=cpu_s)

    def _judge_case(self, sandbox: Sandbox, candidate: Candidate, group: Group, case: Case) -> CaseResult:
        """Judge a case; repeat it if the wall clock or idling decided: the machine may be busy."""
        result = self.judge.judge(sandbox, candidate.executable, group, case)
        if result.reason in (Reason.WALL_TIME, Reason.IDLE):
            return self.judge.judge(sandbox, candidate.executable, group, case)
        return result


def original_result(result: CaseResult) -> OriginalResult:
    """Reduce an accepted result to what candidates are compared with."""
    return OriginalResult(cpu_s=result.cpu_s or 0.0, score=result.score or 0.0)


def kill_of(result: CaseResult, original: Mapping[str, OriginalResult]) -> Kill | None:
    """Return the kill if the verdict is not AC or the points are fewer than the original's; else None."""
    if result.verdict is not Verdict.ACCEPTED:
        return Kill(case=result.name, verdict=result.verdict, message=result.message[:200])
    expected = original.get(result.name)
    if expected is not None and (result.score or 0.0) < expected.score - 1e-9:
        lost = f"{result.score or 0:g} points, the original gets {expected.score:g}"
        return Kill(case=result.name, verdict=Verdict.ACCEPTED, message=lost)
    return None
