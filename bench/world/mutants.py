"""Mutants of accepted programs that pass the samples and fail on the secret data: wrong programs without end."""

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from subprocess import CompletedProcess

from sets import Pair

from harness.mutate import cpp, python
from harness.mutate.mutants import Mutant, MutationError

_MUTANTS_OF = {".cpp": cpp.mutants_of, ".cc": cpp.mutants_of, ".py": python.mutants_of, ".py3": python.mutants_of}
_ALL_S, _JUDGED_S = 60.0, 20.0  # for the mutants of a program, for each of them

Call = Callable[[Sequence[str | Path], Path, float], "CompletedProcess[str]"]


def mutant_of(pair: Pair, seed: int, samples_only: Path, call: Call) -> Path | None:
    """A mutant of one of the accepted programs, as the seed says; None: none was found in time.

    samples_only: the package without secret data; the mutant is put beside it. call: runs harness in a folder.
    """
    source = Random(f"{seed} {pair.problem}")
    programs = [program for program in (pair.right, *pair.others) if program.suffix in _MUTANTS_OF]
    if not programs or pair.package is None:
        return None
    program = source.choice(programs)
    text = program.read_bytes()
    try:
        mutants = list(_MUTANTS_OF[program.suffix](text))
    except MutationError:
        return None
    source.shuffle(mutants)
    folder, end_s = samples_only.parent, time.monotonic() + _ALL_S
    for mutant in mutants:
        if time.monotonic() > end_s:
            break
        made = folder / f"{program.stem}_{mutant.operator}_{mutant.line}{program.suffix}"
        made.write_bytes(_changed(text, mutant))
        if _verdicts(call, samples_only, made, folder) != {"AC"}:
            continue
        if _verdicts(call, pair.package, made, folder) & {"WA", "RTE"}:
            return made
    return None


def _changed(text: bytes, mutant: Mutant) -> bytes:
    edit = mutant.edit
    return text[: edit.start] + edit.text.encode() + text[edit.end :]


def _verdicts(call: Call, package: Path, program: Path, folder: Path) -> set[str]:
    """The verdicts of the cases by `harness judge`; none if it did not end in time."""
    file = folder / "judged.json"
    file.unlink(missing_ok=True)
    call(["judge", package, program, "-q", "-j", "1", "--json", file], folder, _JUDGED_S)
    if not file.exists():
        return set()
    [submission] = json.loads(file.read_bytes())["submissions"]
    return {case["verdict"] for case in submission["cases"]}
