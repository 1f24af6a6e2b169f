"""Remembers what became of one solution's mutants, so that a run that was stopped goes on where it was.

One JSON file a solution, whole or not there, found again by what it was made from: the built mutants, the data, the
judge programs, the limits, how well programs are contained, the version of harness.
"""

import hashlib
import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from harness import __version__, atomic
from harness.errors import MachineError
from harness.generate.record import digest_of_parts
from harness.host import Host
from harness.mutate.building import Schemata
from harness.mutate.comparing import Comparison
from harness.mutate.model import Kill
from harness.mutate.trial import Judged, Standard, Trial
from harness.package import Package
from harness.package.files import File
from harness.verdict import Verdict

_FORMAT = 1  # to be raised when mutants are judged or compared in another way
_FIRST, _MATRIX, _STANDARD, _COMPARED = "first", "matrix", "standard", "compared"


@dataclass(kw_only=True)
class MutantMemory:
    """What is known of one solution's mutants. Every note is on disk when it returns; safe to share between workers."""

    path: Path
    _known: dict[str, dict[str, Any]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def trial(self, name: str, *, stop: bool) -> Trial | None:
        """What happened to a mutant. stop: until its first kill, else on every case."""
        found = self._known.get(_FIRST if stop else _MATRIX, {}).get(name)
        return _trial(found) if found is not None else None

    def keep_trial(self, trial: Trial, *, stop: bool) -> None:
        """Take note of a trial."""
        self._keep(_FIRST if stop else _MATRIX, trial.name, asdict(trial))

    def standard(self, case: str) -> Standard | None:
        """What the original got on a case."""
        found = self._known.get(_STANDARD, {}).get(case)
        return Standard(**found) if found is not None else None

    def keep_standard(self, case: str, standard: Standard) -> None:
        """Take note of what the original got."""
        self._keep(_STANDARD, case, asdict(standard))

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
            atomic.write(self.path, json.dumps(self._known, separators=(",", ":")).encode())


def open_memory(
    folder: Path, package: Package, schemata: Schemata, cases: Sequence[Judged], host: Host
) -> MutantMemory:
    """The memory of a built solution, with what earlier calls have kept."""
    key = _key(package, schemata, cases, host)
    path = folder / f"{package.slug}-{Path(schemata.program.path).name}-{key[:32]}.json"
    return MutantMemory(path=path, _known=_read(path))


def _key(package: Package, schemata: Schemata, cases: Sequence[Judged], host: Host) -> str:
    judges = [digest_of_parts(one) for one in package.output_validators]
    parts: list[object] = [_FORMAT, __version__, digest_of_parts(schemata.executable.program)]
    parts += [repr(schemata.executable.language), judges, repr(package.limits), int(host.pool.isolation.tier)]
    for group, case in cases:
        scoring = (group.name, group.aggregation, group.max_score, len(group.cases))
        extra = sorted((name, _digest(file)) for name, file in case.extra_files.items())
        files = (_digest(case.input), _digest(case.answer), extra)
        parts.append(repr((case.name, case.settings, scoring, files)))
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _digest(file: File | None) -> str:
    return hashlib.sha256(file.read()).hexdigest() if file is not None else ""


def _read(path: Path) -> dict[str, dict[str, Any]]:
    """What was kept. A memory that is gone or broken costs runs, nothing else."""
    try:
        known = json.loads(path.read_bytes())
        for kind, entries in known.items():
            for entry in entries.values():
                _ENTRIES[kind.split()[0]](entry)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise MachineError(f"{path}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError):
        return {}
    return dict(known)


def _trial(entry: Mapping[str, Any]) -> Trial:
    kills = tuple(Kill(**{**one, "verdict": Verdict(one["verdict"])}) for one in entry["kills"])
    return Trial(**{**entry, "kills": kills, "unknown": tuple(entry["unknown"])})


def _comparison(entry: Mapping[str, Any]) -> Comparison:
    killer = bytes.fromhex(entry["killer"]) if entry["killer"] is not None else None
    return Comparison(**{**entry, "killer": killer})


_ENTRIES = {
    _FIRST: _trial,
    _MATRIX: _trial,
    _STANDARD: lambda entry: Standard(**entry),
    _COMPARED: _comparison,
}
