"""The errors that a setter, an author or an operator can fix.

A contestant's failure is never an exception: it is a verdict. Everything here names whose fault it is,
where (file and line) and how to fix it; the command line words it and exits with 2.
"""

from collections.abc import Sequence
from pathlib import PurePath

from harness.values import dataclass


class HarnessError(Exception):
    """Base of every error that is reported without a traceback."""


class UsageError(HarnessError):
    """The call asks for something that does not exist or cannot be combined."""


class MachineError(HarnessError):
    """This machine lacks something (a compiler, disk space, a permission)."""


class JudgeError(HarnessError):
    """A judge program (validator, checker, interactor, generator) failed; never the contestant's fault."""


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One thing wrong with a package: where, what, and how to fix it."""

    path: PurePath
    message: str
    line: int | None = None

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else str(self.path)
        return f"{where}: {self.message}"


class PackageError(HarnessError):
    """A package is broken; holds *all* of its faults, and its lesser ones as warnings: one run shows them all."""

    def __init__(self, faults: Sequence[Fault], warnings: Sequence[Fault] = ()) -> None:
        self.faults = tuple(faults)
        self.warnings = tuple(warnings)
        super().__init__("\n".join([*map(str, faults), *(f"warning: {warning}" for warning in warnings)]))
