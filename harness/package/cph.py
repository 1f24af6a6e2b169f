"""Read what the editor extension cph keeps in the folder .cph: samples, limits and the kind of a problem."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness.errors import UsageError
from harness.values import dataclass

FOLDER = ".cph"
LISTENED = ".listened.prob"  # what `harness listen` keeps there, for every program of the folder
_MOST_BYTES = 64 << 20
_MOST_SECONDS, _LEAST_MIB, _MOST_MIB = 86_400, 4, 1 << 24  # what --time-limit and --memory take


@dataclass(frozen=True, kw_only=True)
class CphProblem:
    """A problem as cph keeps it. samples: input and answer of each. None: the file states no such limit."""

    path: Path
    samples: tuple[tuple[str, str], ...]
    time_limit_s: float | None = None
    memory_mib: int | None = None
    interactive: bool = False


def read_cph(folder: Path, program: Path) -> CphProblem | None:
    """Read the newest file that cph keeps for `program` below `folder`; None if there is none.

    Raises UsageError, naming the file and the key, for values that cph would not write.
    """
    kept = folder / FOLDER
    paths = sorted(kept.glob(f".{_literal(program.name)}_*.prob")) if program.name and kept.is_dir() else []
    listened = kept / LISTENED
    if not paths and listened.is_file():
        paths = [listened]
    if not paths:
        return None
    path = max(paths, key=lambda path: path.stat().st_mtime_ns)
    values = _values(path)
    try:
        samples = tuple((str(test["input"]), str(test["output"])) for test in values["tests"])
    except (KeyError, TypeError) as error:
        raise UsageError(f"{path}: not what cph writes: {error}") from error
    milliseconds = _limit(values, "timeLimit", 1, _MOST_SECONDS * 1000, path)
    memory = _limit(values, "memoryLimit", _LEAST_MIB, _MOST_MIB, path)
    return CphProblem(
        path=path,
        samples=samples,
        time_limit_s=milliseconds / 1000 if milliseconds is not None else None,
        memory_mib=int(memory) if memory is not None else None,
        interactive=values.get("interactive") is True,
    )


def _literal(name: str) -> str:
    """Return a glob that matches only this name."""
    return "".join(f"[{char}]" if char in "*?[" else char for char in name)


def _values(path: Path) -> Mapping[str, Any]:
    try:
        with path.open("rb") as file:
            text = file.read(_MOST_BYTES + 1)
        if len(text) > _MOST_BYTES:
            raise ValueError(f"more than {_MOST_BYTES} bytes")
        values = json.loads(text.decode())
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"{path}: not what cph writes: {error}") from error
    if not isinstance(values, dict):
        raise UsageError(f"{path}: not what cph writes: expected an object")
    return values


def _limit(values: Mapping[str, Any], key: str, least: int, most: int, path: Path) -> float | None:
    """Return a limit; None where it is missing or 0."""
    value = values.get(key)
    if value is None or value == 0:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise UsageError(
            f"{path}: `{key}` must be a number from {least} to {most}: correct the file, or remove it"
        )
    return value
