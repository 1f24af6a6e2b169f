"""Store the results of mutants and wrong solutions, so that a stopped run can resume.

A topic of the memory covers all that a result depends on except the case: the built programs, the judge programs,
limits, isolation, tools and the harness' own sources. A result on a case counts as long as that case is unchanged.
"""

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from harness.build.model import Executable
from harness.host.host import Host
from harness.mutate.model import CandidateResult, Comparison, OriginalResult
from harness.package import Case, Group, Package
from harness.results.as_json import as_json
from harness.results.reading import read_value
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

_FIRST, _EVERY, _ORIGINAL, _COMPARED = "first", "every", "original", "compared"


@dataclass(kw_only=True)
class CandidateMemory:
    """Results under one topic. Each is on disk when `keep_…` returns; safe to share between threads.

    cases: the digest of every case, by name.
    """

    memory: Memory
    topic: str
    cases: Mapping[str, str]
    _known: dict[str, dict[str, Any]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        for key, value in self.memory.recall(self.topic).items():
            kind, _, name = key.partition("/")
            self._known.setdefault(kind, {})[name] = value

    def result(self, key: str, *, stop: bool) -> CandidateResult | None:
        """Return a candidate's result. stop: until its first kill, else on every case."""
        entry = self._known.get(_FIRST if stop else _EVERY, {}).get(key)
        if entry is None:
            return None
        result, unchanged = read_value(CandidateResult, entry["result"], key), self._unchanged(entry["on"])
        kills = tuple(kill for kill in result.kills if kill.case in unchanged)
        valid = kills if stop and result.kills else unchanged >= self.cases.keys()
        return replace(result, kills=kills) if valid else None

    def survived(self, key: str) -> frozenset[str]:
        """Return the cases that a candidate is known to survive."""
        entry = self._known.get(_FIRST, {}).get(key)
        if entry is None:
            return frozenset()
        return self._unchanged(entry["on"]) - {kill["case"] for kill in entry["result"]["kills"]}

    def keep_result(self, key: str, result: CandidateResult, on: Iterable[str], *, stop: bool) -> None:
        """Keep a candidate's result on these cases."""
        digests = {case: self.cases[case] for case in (*on, *result.not_run)}
        self._keep(_FIRST if stop else _EVERY, key, {"result": result, "on": digests})

    def original(self, case: str) -> OriginalResult | None:
        """Return the original's stored result on a case."""
        entry = self._known.get(_ORIGINAL, {}).get(case)
        if entry is None or case not in self._unchanged(entry["on"]):
            return None
        return read_value(OriginalResult, entry["result"], case)

    def keep_original(self, case: str, result: OriginalResult) -> None:
        """Keep the original's result on a case."""
        self._keep(_ORIGINAL, case, {"result": result, "on": {case: self.cases[case]}})

    def comparison(self, corpus: str, number: int) -> Comparison | None:
        """Return the stored comparison of a mutant with the original on the corpus with this digest."""
        entry = self._known.get(f"{_COMPARED} {corpus}", {}).get(str(number))
        return read_value(Comparison, entry, corpus) if entry is not None else None

    def keep_comparison(self, corpus: str, comparison: Comparison) -> None:
        """Keep a comparison."""
        self._keep(f"{_COMPARED} {corpus}", str(comparison.number), comparison)

    def forget(self) -> None:
        """Forget everything under this topic."""
        with self._lock:
            self._known.clear()
            self.memory.forget(self.topic)

    def _unchanged(self, digests: Mapping[str, str]) -> frozenset[str]:
        return frozenset(case for case, digest in digests.items() if self.cases.get(case) == digest)

    def _keep(self, kind: str, name: str, value: object) -> None:
        with self._lock:
            self._known.setdefault(kind, {})[name] = as_json(value)
            self.memory.keep(self.topic, {f"{kind}/{name}": value})


def open_memory(
    memory: Memory,
    package: Package,
    host: Host,
    cases: Sequence[tuple[Group, Case]],
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
