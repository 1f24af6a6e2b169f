"""Keep judged cases on disk, and derive results under other limits from them.

A run that ended within its limits stands for wider ones; a time-out at 2 s says nothing about 3 s; a run at a high
limit gives the verdicts at all lower ones.
"""

import threading
from collections.abc import Sequence
from dataclasses import field, replace

from harness.build.executable import Executable
from harness.package import Case, Group, Package
from harness.results.model import CaseResult
from harness.results.verdict import Reason, Verdict
from harness.sandbox.facts import Limits
from harness.store.identity import case_identity, digest_of_texts, judging_identity, program_identity
from harness.store.memory import Memory
from harness.values import dataclass

MOST_PER_CASE = 4  # results under different limits
_NOT_STORED = (Verdict.JUDGE_ERROR, Verdict.SKIPPED, Verdict.COMPILE_ERROR)


@dataclass(frozen=True, kw_only=True)
class StoredRun:
    """The result of a case, and the limits that it was run under."""

    cpu_s: float
    memory_bytes: int
    output_bytes: int
    result: CaseResult


def result_under(limits: Limits, stored: StoredRun) -> CaseResult | None:
    """Return the result under other limits; None if it does not follow from the stored one."""
    result = stored.result
    if not _memory_fits(stored, limits) or not _output_fits(stored, limits):
        return None
    if result.reason is Reason.WALL_TIME:
        return result if limits.cpu_s <= stored.cpu_s else None
    if result.cpu_s is not None and result.cpu_s > limits.cpu_s:
        return replace(result, verdict=Verdict.TIME_LIMIT_EXCEEDED, reason=Reason.CPU_TIME, score=None, message="")
    asleep_s = result.wall_s if result.asleep_s is None else result.asleep_s
    if result.reason is not Reason.IDLE and (asleep_s or 0.0) > limits.wall_s:
        return None  # it slept: the wall clock may stop it under these limits
    return None if result.reason is Reason.CPU_TIME else result


def _memory_fits(stored: StoredRun, limits: Limits) -> bool:
    """Return whether the outcome is the same under the other memory limit; so does _output_fits for output."""
    if stored.result.reason is Reason.MEMORY:
        return limits.memory_bytes <= stored.memory_bytes
    return limits.memory_bytes >= stored.memory_bytes


def _output_fits(stored: StoredRun, limits: Limits) -> bool:
    if stored.result.reason is Reason.OUTPUT:
        return limits.output_bytes <= stored.output_bytes
    return limits.output_bytes >= stored.output_bytes


@dataclass(kw_only=True)
class StoredRuns:
    """The stored runs of one package's submissions; safe to share between workers.

    identity: a digest of the harness, the machine and the tier. fresh: ignore runs of earlier calls.
    """

    memory: Memory
    package: Package
    identity: str
    fresh: bool = False
    _runs: dict[str, dict[str, Sequence[StoredRun]]] = field(default_factory=dict)  # by program, then by case
    _changed: dict[str, set[str]] = field(default_factory=dict)
    _program_keys: dict[str, str] = field(default_factory=dict)
    _case_keys: dict[str, str] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def recall(self, executable: Executable, group: Group, case: Case, limits: Limits) -> CaseResult | None:
        """Return the result that follows from stored runs, or None; prefer the run that was repeated most often."""
        program, key = self._program_key(executable), self._case_key(group, case)
        with self._lock:
            results = [result_under(limits, stored) for stored in self._of(program).get(key, [])]
        following = [result for result in results if result is not None]
        return max(following, key=lambda result: len(result.cpu_runs_s), default=None)

    def keep(self, executable: Executable, group: Group, case: Case, limits: Limits, result: CaseResult) -> None:
        """Store a result, unless the judge itself failed."""
        if result.verdict in _NOT_STORED:
            return
        run = StoredRun(
            cpu_s=limits.cpu_s,
            memory_bytes=limits.memory_bytes,
            output_bytes=limits.output_bytes,
            result=result,
        )
        program, key = self._program_key(executable), self._case_key(group, case)
        with self._lock:
            earlier = [
                stored for stored in self._of(program).get(key, []) if replace(stored, result=result) != run
            ]
            self._of(program)[key] = [*earlier, run][-MOST_PER_CASE:]
            self._changed.setdefault(program, set()).add(key)

    def save(self) -> None:
        """Write new runs to disk, but no time-out of a program that waited for the cores because of other work."""
        with self._lock:
            for program, keys in self._changed.items():
                runs = self._runs[program]
                self.memory.keep(
                    _topic(program), {key: list(filter(_is_settled, runs[key])) for key in sorted(keys)}
                )
            self._changed.clear()

    def _of(self, program: str) -> dict[str, Sequence[StoredRun]]:
        if program not in self._runs:
            self._runs[program] = (
                {} if self.fresh else self.memory.recall_as(tuple[StoredRun, ...], _topic(program))
            )
        return self._runs[program]

    def _program_key(self, executable: Executable) -> str:
        path = executable.program.path  # unique: all programs are of one package
        if path not in self._program_keys:
            limits = self.package.limits
            validating = (limits.validation_time_s, limits.validation_memory_mib, limits.validation_output_mib)
            self._program_keys[path] = digest_of_texts(
                program_identity(executable.program),
                executable.language.code,
                self.identity,
                judging_identity(self.package),
                repr((validating, limits.validation_passes)),
            )
        return self._program_keys[path]

    def _case_key(self, group: Group, case: Case) -> str:
        if case.name not in self._case_keys:
            self._case_keys[case.name] = f"{case.name} {case_identity(self.package, group, case)}"
        return self._case_keys[case.name]


def _is_settled(stored: StoredRun) -> bool:
    return not (stored.result.starved and stored.result.verdict is Verdict.TIME_LIMIT_EXCEEDED)


def _topic(program: str) -> str:
    return f"verify runs {program}"
