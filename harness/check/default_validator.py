"""The default output validator of the 2025-09 format: tokens, compared on capped bytes.

Short outputs are compared in process, long ones in a separate process with bounded memory (tokens.py).
"""

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from harness.check.classify import Judgement
from harness.check.tokens import FLOAT, ComparisonRules, difference_message
from harness.errors import JudgeError, UsageError
from harness.package.files import File
from harness.package.names import misspelt
from harness.results.verdict import Reason, Verdict

_FLAGS = ("case_sensitive", "space_change_sensitive")  # fields of ComparisonRules
_TOLERANCES = ("float_tolerance", "float_relative_tolerance", "float_absolute_tolerance")
_KNOWN = (*_FLAGS, *(f"{name} NUMBER" for name in _TOLERANCES))
_IN_PROCESS_BYTES = 4 << 20
_PROGRAM = Path(__file__).with_name("tokens.py")


def parse_arguments(arguments: Sequence[str]) -> ComparisonRules:
    """Read the comparison from `output_validator_args`. Raises UsageError for an unknown argument."""
    flags: dict[str, Any] = {}
    tolerances: dict[str, Decimal] = {}
    rest = list(arguments)
    while rest:
        name = rest.pop(0)
        if name in flags or name in tolerances:
            raise UsageError(f"`{name}` stands twice")
        if name in _FLAGS:
            flags[name] = True
        elif name in _TOLERANCES:
            tolerances[name] = _tolerance(name, rest.pop(0) if rest else "")
        else:
            meant = misspelt(name, (*_FLAGS, *_TOLERANCES))
            fix = f": did you mean `{meant}`?" if meant else f", only {', '.join(_KNOWN)}"
            raise UsageError(f"the default output validator knows no `{name}`{fix}")
    if "float_tolerance" in tolerances and len(tolerances) > 1:
        raise UsageError("`float_tolerance` excludes the other two tolerances")
    both = tolerances.get("float_tolerance")
    return ComparisonRules(
        **flags,
        relative=tolerances.get("float_relative_tolerance", both),
        absolute=tolerances.get("float_absolute_tolerance", both),
    )


def _tolerance(name: str, text: str) -> Decimal:
    try:
        if FLOAT.fullmatch(text.encode(errors="replace")) and Decimal(text) >= 0:
            return Decimal(text)
    except InvalidOperation:  # for example, an exponent of twenty digits
        pass
    raise UsageError(f"`{name}` needs a number from 0, not {text[:80]!r}")


def compare(output: bytes, answer: bytes, comparison: ComparisonRules) -> Judgement:
    """Return AC, or WA with the first difference."""
    return _judgement(difference_message(output, answer, comparison))


def compare_files(output: Path, answer: File | None, comparison: ComparisonRules) -> Judgement:
    """Compare an output in a file of the judge; a missing answer counts as empty.

    Raises JudgeError if the process that compares long outputs fails.
    """
    answer = answer or File(origin=Path(os.devnull), content=b"")
    if max(output.stat().st_size, answer.size()) <= _IN_PROCESS_BYTES:
        return compare(output.read_bytes(), answer.read(), comparison)
    with output.open("rb") as printed, _on_disk(answer) as expected:
        return _judgement(_compare_in_subprocess((printed.fileno(), expected.fileno()), comparison))


@contextlib.contextmanager
def _on_disk(file: File) -> Iterator[io.BufferedIOBase]:
    """Open the content as a file on disk with a descriptor that another process can read."""
    content = file.in_memory
    if content is None:
        with file.open() as stream:
            yield stream
        return
    with tempfile.TemporaryFile() as copy:
        copy.write(content)
        copy.flush()
        yield copy


def _compare_in_subprocess(descriptors: tuple[int, int], comparison: ComparisonRules) -> str | None:
    """Compare two open files (output, answer) by tokens.py as a program; return the message, None if they are equal."""
    command = [sys.executable, "-I", "-S", str(_PROGRAM), *map(str, descriptors), comparison.as_json()]
    done = subprocess.run(
        command, env={}, stdin=subprocess.DEVNULL, capture_output=True, pass_fds=descriptors, check=False
    )
    if done.returncode != 0:
        last_line = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise JudgeError(f"the comparison of a long output ended with exit code {done.returncode}: {last_line}")
    message: str | None = json.loads(done.stdout)
    return message


def _judgement(message: str | None) -> Judgement:
    if message is None:
        return Judgement(verdict=Verdict.ACCEPTED)
    return Judgement(verdict=Verdict.WRONG_ANSWER, reason=Reason.VALIDATOR, message=message)
