"""The errors that a setter, an author or an operator can fix.

A contestant's failure is never an exception: it is a verdict. Everything here names whose fault it is,
where (file and line) and how to fix it; the command line words it and exits with 2.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath

from harness.values import dataclass

_MOST_ALIKE = 5  # faults with the same message that are worded in full


def counted(number: int, noun: str) -> str:
    """Return number and noun: `1 case`, `2 cases`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def first_few(names: Sequence[str], most: int) -> str:
    """Return the first names, and how many more there are: `a, b and 3 more`."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


class HarnessError(Exception):
    """Base of every error that is reported without a traceback."""


class UsageError(HarnessError):
    """The call asks for something that does not exist or cannot be combined."""


class UnbuiltError(UsageError):
    """A program that the call needs does not compile. file: the program; the message ends with the compiler's."""

    def __init__(self, message: str, *, file: Path) -> None:
        super().__init__(message)
        self.file = file


class MachineError(HarnessError):
    """This machine lacks something (a compiler, disk space, a permission)."""


class JudgeError(HarnessError):
    """A judge program (validator, checker, interactor, generator) failed; never the contestant's fault.

    crashed: it failed by itself, so it would fail again; False if a limit or the machine may be the reason.
    """

    def __init__(self, message: str, *, crashed: bool = False) -> None:
        super().__init__(message)
        self.crashed = crashed

    def reworded(self, message: str) -> "JudgeError":
        """Return the error with another message."""
        return JudgeError(message, crashed=self.crashed)


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One thing wrong with a package: where, what, and how to fix it."""

    path: PurePath
    message: str
    line: int | None = None

    @property
    def where(self) -> str:
        """Return the file, and the line if it is known."""
        return f"{self.path}:{self.line}" if self.line else str(self.path)

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"


def _worded(faults: Sequence[Fault]) -> Iterator[str]:
    """Word each fault; of many alike (but for their own names) the first ones, and how many more there are."""
    kinds = [fault.message.replace(f"`{fault.path.stem}.", "`….") for fault in faults]
    counts, seen = Counter(kinds), Counter[str]()
    for fault, kind in zip(faults, kinds, strict=True):
        seen[kind] += 1
        left = counts[kind] - _MOST_ALIKE
        if left <= 1 or seen[kind] <= _MOST_ALIKE:
            yield str(fault)
        elif seen[kind] == counts[kind]:
            yield f"{left} more like it: {kind}"


class PackageError(HarnessError):
    """A package is broken; holds *all* of its faults, and its lesser ones as warnings: one run shows every kind."""

    def __init__(self, faults: Sequence[Fault], warnings: Sequence[Fault] = ()) -> None:
        self.faults = tuple(faults)
        self.warnings = tuple(warnings)
        lesser = (f"warning: {warning}" for warning in _worded(warnings))
        super().__init__("\n".join([*_worded(faults), *lesser]))
