"""Remembers what became of one solution's mutants, so that a run that was stopped goes on where it was.

Found again by what it was made from: the built mutants, the judge programs, the limits, how well programs are
contained, the harness' own sources. What was found on a test case counts
while that case stays as it is: a case more costs one run of each mutant that is alive.
"""

import hashlib
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, field, replace
from typing import Any

from harness.host.host import Host
from harness.mutate.building import Schemata
from harness.mutate.compare import Comparison
from harness.mutate.judge_mutants import Judged, Standard, Trial
from harness.mutate.model import Kill
from harness.package import Aggregation, Case, Group, Package
from harness.results.verdict import Verdict
from harness.store.identity import (
    digest_of_texts,
    file_identity,
    harness_identity,
    program_identity,
    programs_identity,
    tools_identity,
)
from harness.store.memory import Memory
from harness.values import dataclass

_FIRST, _MATRIX, _STANDARD, _COMPARED = "first", "matrix", "standard", "compared"


@dataclass(kw_only=True)
class MutantMemory:
    """What is known of one solution's mutants. Every note is on disk when it returns; safe to share between workers.

    cases: the digest of every case, by name.
    """

    memory: Memory
    topic: str
    cases: Mapping[str, str]
    _known: dict[str, dict[str, Any]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def trial(self, name: str, *, stop: bool) -> Trial | None:
        """What happened to a mutant. stop: until its first kill, else on every case."""
        found = self._known.get(_FIRST if stop else _MATRIX, {}).get(name)
        if found is None:
            return None
        trial, same = _trial(found["trial"]), self._same(found["on"])
        kills = tuple(one for one in trial.kills if one.case in same)
        known = kills if stop and trial.kills else same >= self.cases.keys()
        return replace(trial, kills=kills) if known else None

    def survived(self, name: str) -> frozenset[str]:
        """The cases of which it is known that a mutant survives them."""
        found = self._known.get(_FIRST, {}).get(name)
        return self._same(found["on"]) - {one["case"] for one in found["trial"]["kills"]} if found else frozenset()

    def keep_trial(self, trial: Trial, on: Iterable[str], *, stop: bool) -> None:
        """Take note of a trial on these cases."""
        digests = {case: self.cases[case] for case in on}
        self._keep(_FIRST if stop else _MATRIX, trial.name, {"trial": asdict(trial), "on": digests})

    def standard(self, case: str) -> Standard | None:
        """What the original got on a case."""
        found = self._known.get(_STANDARD, {}).get(case)
        return Standard(**found["got"]) if found is not None and case in self._same(found["on"]) else None

    def keep_standard(self, case: str, standard: Standard) -> None:
        """Take note of what the original got."""
        self._keep(_STANDARD, case, {"got": asdict(standard), "on": {case: self.cases[case]}})

    def _same(self, digests: Mapping[str, str]) -> frozenset[str]:
        """The cases that are as they were."""
        return frozenset(case for case, digest in digests.items() if self.cases.get(case) == digest)

    def comparison(self, corpus: str, number: int) -> Comparison | None:
        """How a mutant compares with the original on the corpus of that digest."""
        found = self._known.get(f"{_COMPARED} {corpus}", {}).get(str(number))
        return _comparison(found) if found is not None else None

    def keep_comparison(self, corpus: str, found: Comparison) -> None:
        """Take note of a comparison."""
        killer = found.killer.hex() if found.killer is not None else None
        self._keep(f"{_COMPARED} {corpus}", str(found.number), {**asdict(found), "killer": killer})

    def forget(self) -> None:
        """What earlier calls have kept is gone."""
        with self._lock:
            self._known.clear()
            self.memory.forget(self.topic)

    def _keep(self, kind: str, name: str, value: Mapping[str, object]) -> None:
        with self._lock:
            self._known.setdefault(kind, {})[name] = value
            self.memory.keep(self.topic, {f"{kind}/{name}": value})


def open_memory(
    memory: Memory, package: Package, schemata: Schemata, cases: Sequence[Judged], host: Host
) -> MutantMemory:
    """The memory of a built solution, with what earlier calls have kept."""
    topic = f"mutants {_key(package, schemata, host)}"
    digests = {case.name: _case_digest(group, case, scoring=package.scoring) for group, case in cases}
    return MutantMemory(memory=memory, topic=topic, cases=digests, _known=_read(memory, topic))


def _key(package: Package, schemata: Schemata, host: Host) -> str:
    judges = programs_identity(package.output_validators)
    tools = tools_identity(host.builder.tools_of([schemata.program, *package.output_validators]))
    parts = [harness_identity(), tools, program_identity(schemata.executable.program), judges]
    parts += [repr(schemata.executable.language), repr(package.limits), f"T{int(host.pool.isolation.tier)}"]
    parts += [repr(sorted(package.types)), repr(package.allow_file_writing)]
    return digest_of_texts(*parts)


def _case_digest(group: Group, case: Case, *, scoring: bool) -> str:
    shares = len(group.cases) if group.aggregation is Aggregation.SUM else 1  # one case more makes each worth less
    points = (group.aggregation, group.max_score, shares) if scoring else ()
    extra = sorted((name, file_identity(file)) for name, file in case.extra_files.items())
    files = (file_identity(case.input), file_identity(case.answer), extra)
    parts = repr((case.settings, group.name, points, files))
    return hashlib.sha256(parts.encode()).hexdigest()[:20]


def _read(memory: Memory, topic: str) -> dict[str, dict[str, Any]]:
    known: dict[str, dict[str, Any]] = {}
    for key, value in memory.recall(topic).items():
        kind, _, name = key.partition("/")
        known.setdefault(kind, {})[name] = value
    return known


def _trial(entry: Mapping[str, Any]) -> Trial:
    kills = tuple(Kill(**{**one, "verdict": Verdict(one["verdict"])}) for one in entry["kills"])
    return Trial(**{**entry, "kills": kills, "unknown": tuple(entry["unknown"])})


def _comparison(entry: Mapping[str, Any]) -> Comparison:
    killer = bytes.fromhex(entry["killer"]) if entry["killer"] is not None else None
    return Comparison(**{**entry, "killer": killer})
