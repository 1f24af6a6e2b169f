"""Judge mutants and wrong solutions on a package's cases, either until the first kill or on every case.

Results are stored, so that a stopped run can resume. A topic of the memory is a digest of all that a result depends on
except the case: the built programs, the judge programs, limits, isolation, tools and the harness' own sources. A result
on a case is valid as long as that case is unchanged.
"""

import math
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from harness.build.executable import Executable
from harness.host.host import Host
from harness.judge.judge_case import CaseJudge
from harness.mutate.mutants import MutationError
from harness.mutate.outcomes import CandidateResult, Comparison, Kill, OriginalResult
from harness.package import Case, Group, GroupCase, Package
from harness.results.as_json import as_json
from harness.results.model import CaseResult
from harness.results.reading import read_value
from harness.results.verdict import Reason, Verdict
from harness.sandbox.facts import Sandbox
from harness.store.identity import (
    case_identity,
    digest_of_texts,
    harness_identity,
    judging_identity,
    machine_identity,
    program_identity,
    tools_identity,
)
from harness.store.memory import Memory
from harness.values import dataclass

_JUDGED, _ORIGINAL, _COMPARED = "judged", "original", "compared"
ROUND = 24  # candidates judged in the same order of cases; constant, so that results are reproducible
OVERHEAD_S = 0.004  # overhead of a run
_MOST_TIMEOUTS = 2  # after this many time-outs, a candidate is run on no further cases
Progress = Callable[[str], None]


@dataclass(kw_only=True)
class CandidateMemory:
    """The stored results under one topic. A `keep_…` writes before it returns; safe to share between threads.

    cases: the digest of every case, by name.
    """

    memory: Memory
    topic: str
    cases: Mapping[str, str]
    _stored: dict[str, dict[str, Any]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        for key, value in self.memory.recall(self.topic).items():
            kind, _, name = key.partition("/")
            self._stored.setdefault(kind, {})[name] = value

    def result(self, key: str, *, stop: bool) -> CandidateResult | None:
        """Return a candidate's stored result, None if it is incomplete. stop: a kill completes it; else every case."""
        stored, ran = self.partial_result(key)
        is_complete = ran | set(stored.not_run) >= self.cases.keys()
        return stored if is_complete or (stop and stored.kills) else None

    def partial_result(self, key: str) -> tuple[CandidateResult, frozenset[str]]:
        """Return a candidate's stored result on unchanged cases, and those of these cases that it was run on."""
        entry = self._stored.get(_JUDGED, {}).get(key)
        if entry is None:
            return CandidateResult(name=key), frozenset()
        result, unchanged = read_value(CandidateResult, entry["result"], key), self._unchanged(entry["on"])
        kills = tuple(kill for kill in result.kills if kill.case in unchanged)
        not_run = tuple(case for case in result.not_run if case in unchanged)
        if len(kills) < len(result.kills):  # cases may have been skipped because of a kill that no longer counts
            not_run = ()
        return replace(result, kills=kills, not_run=not_run), unchanged - set(result.not_run)

    def keep_result(self, key: str, result: CandidateResult, ran: Iterable[str]) -> None:
        """Keep a candidate's result. ran: the cases that it was run on."""
        digests = {case: self.cases[case] for case in (*ran, *result.not_run)}
        self._keep(_JUDGED, key, {"result": result, "on": digests})

    def original(self, case: str) -> OriginalResult | None:
        """Return the original's stored result on a case."""
        entry = self._stored.get(_ORIGINAL, {}).get(case)
        if entry is None or case not in self._unchanged(entry["on"]):
            return None
        return read_value(OriginalResult, entry["result"], case)

    def keep_original(self, case: str, result: OriginalResult) -> None:
        """Keep the original's result on a case."""
        self._keep(_ORIGINAL, case, {"result": result, "on": {case: self.cases[case]}})

    def comparison(self, corpus: str, number: int) -> Comparison | None:
        """Return the stored comparison of a mutant with the original on the corpus with this digest."""
        entry = self._stored.get(f"{_COMPARED} {corpus}", {}).get(str(number))
        return read_value(Comparison, entry, corpus) if entry is not None else None

    def keep_comparison(self, corpus: str, comparison: Comparison) -> None:
        """Keep a comparison."""
        self._keep(f"{_COMPARED} {corpus}", str(comparison.number), comparison)

    def forget(self) -> None:
        """Forget everything under this topic."""
        with self._lock:
            self._stored.clear()
            self.memory.forget(self.topic)

    def _unchanged(self, digests: Mapping[str, str]) -> frozenset[str]:
        return frozenset(case for case, digest in digests.items() if self.cases.get(case) == digest)

    def _keep(self, kind: str, name: str, value: object) -> None:
        with self._lock:
            self._stored.setdefault(kind, {})[name] = as_json(value)
            self.memory.keep(self.topic, {f"{kind}/{name}": value})


def open_memory(
    memory: Memory,
    package: Package,
    host: Host,
    cases: Sequence[GroupCase],
    executable: Executable | None,
) -> CandidateMemory:
    """Open the topic of a built solution with its mutants; executable None: the submissions' topic."""
    texts = [
        harness_identity(),
        machine_identity(),
        judging_identity(package),
        tools_identity(host.builder.tools_of(package.output_validators)),
        candidate_key(executable, host) if executable is not None else "submissions",
        repr((package.limits, host.pool.isolation.tier.value)),
    ]
    digests = {case.name: case_identity(package, group, case) for group, case in cases}
    return CandidateMemory(memory=memory, topic=f"mutants {digest_of_texts(*texts)}", cases=digests)


def candidate_key(executable: Executable, host: Host) -> str:
    """Return the digest of a program, of its compiler or interpreter, and of how it is started."""
    tools = tools_identity(host.builder.tools_of([executable.program]))
    return digest_of_texts(program_identity(executable.program), tools, repr(executable.language))


@dataclass(frozen=True, kw_only=True)
class CandidateProgram:
    """A program to judge: a mutant or a wrong solution. key: the key of its stored result."""

    name: str
    executable: Executable
    key: str = ""


@dataclass(kw_only=True)
class CandidateJudge:
    """Judges candidates on a package's cases, and learns which cases kill most per second.

    label: for progress messages. until_s: by time.monotonic(); later only stored results are returned. original: the
    original's result, by case.
    """

    judge: CaseJudge
    cases: Sequence[GroupCase]
    memory: CandidateMemory
    progress: Progress = lambda _: None
    label: str = ""
    until_s: float = math.inf
    original: dict[str, OriginalResult] = field(default_factory=dict)
    _kills: dict[str, int] = field(default_factory=dict)
    _tried: dict[str, int] = field(default_factory=dict)

    def judge_original(self, original: CandidateProgram) -> None:
        """Judge the original on every case, on fewer when time is up. Raises MutationError if it is not accepted."""

        def work(sandbox: Sandbox, case: GroupCase) -> CaseResult:
            return self.judge.judge(sandbox, original.executable, *case)

        stored = {case.name: self.memory.original(case.name) for _, case in self.cases}
        self.original |= {name: result for name, result in stored.items() if result is not None}
        missing = [(group, case) for group, case in self.cases if case.name not in self.original]
        for (_, case), result in self.judge.host.pool.each(work, missing):
            if result.verdict is not Verdict.ACCEPTED:
                message = f"{original.name}: gets {result.verdict} on {case.name}, so its mutants show nothing"
                raise MutationError(f"{message}\n{result.message}".strip())
            self.original[case.name] = original_result(result)
            self.memory.keep_original(case.name, self.original[case.name])
            self.progress(f"{original.name} {case.name.removeprefix('secret/')}")
            if time.monotonic() >= self.until_s:
                break

    def until_killed(self, candidates: Sequence[CandidateProgram]) -> dict[str, CandidateResult]:
        """Judge each candidate until its first kill; results by name, fewer when time is up."""
        results: dict[str, CandidateResult] = {}
        for start in range(0, len(candidates), ROUND):
            order = self.order()
            for result in self._round(candidates[start : start + ROUND], order, stop=True):
                results[result.name] = result
                self._learn(result, order)
                self.progress(f"{self.label}: judged {len(results)} of {len(candidates)}")
        return results

    def on_every_case(self, candidates: Sequence[CandidateProgram]) -> dict[str, CandidateResult]:
        """Judge each candidate on every case; results by name, fewer when time is up.

        Stop running a candidate after two time-outs.
        """
        results: dict[str, CandidateResult] = {}
        for result in self._round(candidates, self.order(), stop=False):
            results[result.name] = result
            self.progress(f"{self.label}: {len(results)} of {len(candidates)} on every case")
        return dict(sorted(results.items()))

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
        self, candidates: Sequence[CandidateProgram], order: Sequence[GroupCase], *, stop: bool
    ) -> Iterable[CandidateResult]:
        def work(sandbox: Sandbox, candidate: CandidateProgram) -> CandidateResult | None:
            key = candidate.key or candidate.name
            result = self.memory.result(key, stop=stop)
            if result is None:
                self._judge(sandbox, candidate, order, stop=stop)
                result = self.memory.result(key, stop=stop)
            return replace(result, name=candidate.name) if result is not None else None

        for _, result in self.judge.host.pool.each(work, candidates):
            if result is not None:
                yield result

    def _judge(
        self, sandbox: Sandbox, candidate: CandidateProgram, order: Sequence[GroupCase], *, stop: bool
    ) -> None:
        """Judge a candidate on the cases that it was not run on yet, and store the result."""
        key = candidate.key or candidate.name
        stored, before = self.memory.partial_result(key)
        left = [(group, case) for group, case in order if case.name not in before]
        kills, cpu_s, runs = list(stored.kills), stored.cpu_s, 0
        not_run: tuple[str, ...] = ()
        for group, case in left:
            if not stop and sum(kill.timed_out for kill in kills) >= _MOST_TIMEOUTS:
                not_run = tuple(case.name for _, case in left[runs:])
                break
            if (stop and kills) or time.monotonic() >= self.until_s:
                break
            result = self._judge_case(sandbox, candidate, group, case)
            cpu_s, runs = cpu_s + (result.cpu_s or 0.0), runs + 1
            kill = kill_of(result, self.original)
            kills += [kill] if kill is not None else []
        judged = CandidateResult(
            name=candidate.name, kills=tuple(kills), not_run=not_run, runs=stored.runs + runs, cpu_s=cpu_s
        )
        self.memory.keep_result(key, judged, (*before, *(case.name for _, case in left[:runs])))

    def _judge_case(self, sandbox: Sandbox, candidate: CandidateProgram, group: Group, case: Case) -> CaseResult:
        """Judge a case; judge it again if it was stopped by the wall clock or for idling: the machine may be busy."""
        result = self.judge.judge(sandbox, candidate.executable, group, case)
        if result.reason in (Reason.WALL_TIME, Reason.IDLE):
            return self.judge.judge(sandbox, candidate.executable, group, case)
        return result


def original_result(result: CaseResult) -> OriginalResult:
    """Return the parts of the original's accepted result with which candidates are compared."""
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
