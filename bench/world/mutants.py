"""Mutants of accepted programs that pass the samples and fail on the secret data: wrong programs without end."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from subprocess import CompletedProcess

from sets import Pair

from harness.mutate import cpp, python
from harness.mutate.model import Mutant, MutationError

_MUTANTS_OF = {".cpp": cpp.mutants_of, ".cc": cpp.mutants_of, ".py": python.mutants_of, ".py3": python.mutants_of}
_MOST_JUDGED = 12  # mutants of a program
_JUDGED_S = 60.0

Call = Callable[[Sequence[str | Path], Path, float], "CompletedProcess[str]"]


def mutant_of(pair: Pair, seed: int, folder: Path, call: Call) -> Path | None:
    """A mutant of one of the accepted programs, as the seed says; None: of the first, none passes and fails so.

    folder: where to put it. call: runs harness with some arguments in a folder.
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
    folder.mkdir()
    for mutant in mutants[:_MOST_JUDGED]:
        made = folder / f"{program.stem}_{mutant.operator}_{mutant.line}{program.suffix}"
        made.write_bytes(_changed(text, mutant))
        call(["judge", pair.package, made, "-q", "-j", "1", "--json", folder / "judged.json"], folder, _JUDGED_S)
        if _fails_on_secret_only(folder / "judged.json"):
            return made
    return None


def _changed(text: bytes, mutant: Mutant) -> bytes:
    edit = mutant.edit
    return text[: edit.start] + edit.text.encode() + text[edit.end :]


def _fails_on_secret_only(file: Path) -> bool:
    """Whether the report says so; a program that is too slow may be slow on nothing that a search makes."""
    if not file.exists():
        return False
    [submission] = json.loads(file.read_bytes())["submissions"]
    file.unlink()
    samples = [case["verdict"] for case in submission["cases"] if case["group"] == "sample"]
    return submission["verdict"] in ("WA", "RTE") and bool(samples) and set(samples) == {"AC"}
