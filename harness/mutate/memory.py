"""Remembers what became of one solution's mutants, so that a run that was stopped goes on where it was.

One file of JSON Lines a solution, a note a line, found again by what it was made from: the built mutants, the judge
programs, the limits, how well programs are contained, the version of harness. What was found on a test case counts
while that case stays as it is: a case more costs one run of each mutant that is alive.
"""

import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from harness import __version__
from harness.errors import MachineError
from harness.generate.record import digest_of_parts
from harness.host.host import Host
from harness.mutate.building import Schemata
from harness.mutate.compare import Comparison
from harness.mutate.judge_mutants import Judged, Standard, Trial
from harness.mutate.model import Kill
from harness.package import Aggregation, Case, Group, Package
from harness.package.files import File
from harness.results.verdict import Verdict

_FORMAT = 4  # to be raised when mutants are judged or compared in another way
_FIRST, _MATRIX, _STANDARD, _COMPARED = "first", "matrix", "standard", "compared"


@dataclass(kw_only=True)
class MutantMemory:
    """What is known of one solution's mutants. Every note is on disk when it returns; safe to share between workers.

    cases: the digest of every case, by name.
    """

    path: Path
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
            self.path.unlink(missing_ok=True)

    def _keep(self, kind: str, name: str, value: Mapping[str, object]) -> None:
        with self._lock:
            self._known.setdefault(kind, {})[name] = value
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab") as file:  # the line end comes first: it ends a line that a kill has torn
                file.write(b"\n" + json.dumps([kind, name, value], separators=(",", ":")).encode())


def open_memory(
    folder: Path, package: Package, schemata: Schemata, cases: Sequence[Judged], host: Host
) -> MutantMemory:
    """The memory of a built solution, with what earlier calls have kept."""
    key = _key(package, schemata, host)
    path = folder / f"{package.slug}-{Path(schemata.program.path).name}-{key[:32]}.jsonl"
    digests = {case.name: _case_digest(group, case, scoring=package.scoring) for group, case in cases}
    return MutantMemory(path=path, cases=digests, _known=_read(path))


def _key(package: Package, schemata: Schemata, host: Host) -> str:
    judges = [digest_of_parts(one) for one in package.output_validators]
    parts: list[object] = [_FORMAT, __version__, digest_of_parts(schemata.executable.program)]
    parts += [repr(schemata.executable.language), judges, repr(package.limits), int(host.pool.isolation.tier)]
    parts += [sorted(package.types), package.allow_file_writing]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _case_digest(group: Group, case: Case, *, scoring: bool) -> str:
    shares = len(group.cases) if group.aggregation is Aggregation.SUM else 1  # one case more makes each worth less
    points = (group.aggregation, group.max_score, shares) if scoring else ()
    extra = sorted((name, _digest(file)) for name, file in case.extra_files.items())
    files = (_digest(case.input), _digest(case.answer), extra)
    parts = repr((case.settings, group.name, points, files))
    return hashlib.sha256(parts.encode()).hexdigest()[:20]


def _digest(file: File | None) -> str:
    return hashlib.sha256(file.read()).hexdigest() if file is not None else ""


def _read(path: Path) -> dict[str, dict[str, Any]]:
    """What was kept, the last note of each. A line that is torn or broken costs runs, nothing else."""
    known: dict[str, dict[str, Any]] = {}
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise MachineError(f"{path}: {error.strerror}") from error
    for line in lines:
        try:
            kind, name, value = json.loads(line)
            _ENTRIES[kind.split()[0]](value)
            known.setdefault(kind, {})[name] = value
        except (ValueError, KeyError, TypeError, AttributeError, IndexError):
            continue
    return known


def _trial(entry: Mapping[str, Any]) -> Trial:
    kills = tuple(Kill(**{**one, "verdict": Verdict(one["verdict"])}) for one in entry["kills"])
    return Trial(**{**entry, "kills": kills, "unknown": tuple(entry["unknown"])})


def _comparison(entry: Mapping[str, Any]) -> Comparison:
    killer = bytes.fromhex(entry["killer"]) if entry["killer"] is not None else None
    return Comparison(**{**entry, "killer": killer})


def _check_trial(entry: Mapping[str, Any]) -> None:
    _trial(entry["trial"])
    dict(entry["on"])


def _check_standard(entry: Mapping[str, Any]) -> None:
    Standard(**entry["got"])
    dict(entry["on"])


_ENTRIES: Mapping[str, Callable[[Mapping[str, Any]], object]] = {
    _FIRST: _check_trial,
    _MATRIX: _check_trial,
    _STANDARD: _check_standard,
    _COMPARED: _comparison,
}
