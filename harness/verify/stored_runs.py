"""Remembers judged cases on disk, and knows what a run under one limit says about another.

A run that ended within its limits stands for wider ones; a time-out at 2 s says nothing about 3 s; one run at the
higher limit gives the verdicts at all lower ones.
"""

import threading
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from harness.build import Executable
from harness.package import Case, Group, Package
from harness.results.model import CaseResult
from harness.results.verdict import Reason, Verdict
from harness.sandbox.limits import Limits
from harness.store.identity import case_identity, digest_of_texts, judging_identity, program_identity
from harness.store.memory import Memory
from harness.values import dataclass

KEPT = 4  # results of one case under different limits
_NOT_KEPT = (Verdict.JUDGE_ERROR, Verdict.SKIPPED, Verdict.COMPILE_ERROR)


@dataclass(frozen=True, kw_only=True)
class Known:
    """A result and the limits under which it was found."""

    cpu_s: float
    memory_bytes: int
    output_bytes: int
    result: CaseResult


def follows(known: Known, limits: Limits) -> CaseResult | None:
    """The result under `limits`, if it follows from the known one."""
    result = known.result
    if not _memory_fits(known, limits) or not _output_fits(known, limits):
        return None
    if result.reason is Reason.WALL_TIME:
        return result if limits.cpu_s <= known.cpu_s else None
    if result.cpu_s is not None and result.cpu_s > limits.cpu_s:
        return replace(result, verdict=Verdict.TIME_LIMIT_EXCEEDED, reason=Reason.CPU_TIME, score=None, message="")
    asleep_s = result.wall_s if result.asleep_s is None else result.asleep_s
    if result.reason is not Reason.IDLE and (asleep_s or 0.0) > limits.wall_s:
        return None  # it slept: the clock may stop it now
    return None if result.reason is Reason.CPU_TIME else result


def _memory_fits(known: Known, limits: Limits) -> bool:
    if known.result.reason is Reason.MEMORY:
        return limits.memory_bytes <= known.memory_bytes
    return limits.memory_bytes >= known.memory_bytes


def _output_fits(known: Known, limits: Limits) -> bool:
    if known.result.reason is Reason.OUTPUT:
        return limits.output_bytes <= known.output_bytes
    return limits.output_bytes >= known.output_bytes


@dataclass(kw_only=True)
class RunMemory:
    """The memory of one package's judgings; safe to share between workers. identity: of harness, machine and tier.

    fresh: what an earlier call has kept is not asked.
    """

    memory: Memory
    package: Package
    identity: str
    fresh: bool = False
    _programs: dict[str, dict[str, list[Known]]] = field(default_factory=dict)
    _changed: dict[str, set[str]] = field(default_factory=dict)
    _digests: dict[str, str] = field(default_factory=dict)
    _keys: dict[str, str] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def recall(self, executable: Executable, group: Group, case: Case, limits: Limits) -> CaseResult | None:
        """What follows from an earlier run; of several the one that was measured most often."""
        program, key = self._program_key(executable), self._case_key(group, case)
        with self._lock:
            known = self._of(program).get(key, [])
            found = [result for one in known if (result := follows(one, limits)) is not None]
        return max(found, key=lambda result: len(result.cpu_runs_s), default=None)

    def keep(self, executable: Executable, group: Group, case: Case, limits: Limits, result: CaseResult) -> None:
        """Take note, unless the judge itself failed."""
        if result.verdict in _NOT_KEPT:
            return
        known = Known(
            cpu_s=limits.cpu_s,
            memory_bytes=limits.memory_bytes,
            output_bytes=limits.output_bytes,
            result=result,
        )
        program, key = self._program_key(executable), self._case_key(group, case)
        with self._lock:
            earlier = [one for one in self._of(program).get(key, []) if replace(one, result=result) != known]
            self._of(program)[key] = [*earlier, known][-KEPT:]
            self._changed.setdefault(program, set()).add(key)

    def save(self) -> None:
        """Write what changed, but no time-out of a program that other work had starved."""
        with self._lock:
            for program, keys in self._changed.items():
                runs = self._programs[program]
                self.memory.keep(_topic(program), {key: list(filter(_settled, runs[key])) for key in sorted(keys)})
            self._changed.clear()

    def _of(self, program: str) -> dict[str, list[Known]]:
        if program not in self._programs:
            self._programs[program] = {} if self.fresh else _read(self.memory, program)
        return self._programs[program]

    def _program_key(self, executable: Executable) -> str:
        path = executable.program.path  # of one package, so it says which program
        if path not in self._keys:
            limits = self.package.limits
            validating = (limits.validation_time_s, limits.validation_memory_mib, limits.validation_output_mib)
            self._keys[path] = digest_of_texts(
                program_identity(executable.program),
                executable.language.code,
                self.identity,
                judging_identity(self.package),
                repr((validating, limits.validation_passes)),
            )
        return self._keys[path]

    def _case_key(self, group: Group, case: Case) -> str:
        if case.name not in self._digests:
            self._digests[case.name] = f"{case.name} {case_identity(self.package, group, case)}"
        return self._digests[case.name]


def _settled(known: Known) -> bool:
    return not (known.result.starved and known.result.verdict is Verdict.TIME_LIMIT_EXCEEDED)


def _topic(program: str) -> str:
    return f"verify runs {program}"


def _read(memory: Memory, program: str) -> dict[str, list[Known]]:
    stored = memory.recall(_topic(program))
    return {key: [_from_json(one) for one in known] for key, known in stored.items()}


def _from_json(value: Mapping[str, Any]) -> Known:
    result = dict(value["result"])
    result["verdict"] = Verdict(result["verdict"])
    result["reason"] = Reason(result["reason"]) if result["reason"] is not None else None
    result["cpu_runs_s"] = tuple(result["cpu_runs_s"])
    return Known(
        cpu_s=float(value["cpu_s"]),
        memory_bytes=int(value["memory_bytes"]),
        output_bytes=int(value["output_bytes"]),
        result=CaseResult(**result),
    )
