"""A mutant, the kinds of mistakes, and what the makers of mutants (cpp.py, python.py) share."""

import enum
import hashlib
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from harness.errors import HarnessError
from harness.values import dataclass

Item = TypeVar("Item")
TABLE_LENGTH = 4  # entries of a list that may be a table of directions
_SPACES = re.compile(r"\s+")
# Names of the two axes of a grid, which contestants mix up.
_AXES = (
    "rows:columns rows:cols row:column row:col height:width people:apples h:w H:W R:C r:c n:m N:M i:j x:y "
    "dx:dy dr:dc di:dj rising:falling"
)
_AXIS_PAIRS = tuple(pair.split(":") for pair in _AXES.split())


class MutationError(HarnessError):
    """A solution cannot be mutated: unknown language, build failure, or not accepted on the data."""


class UnsearchableError(MutationError):
    """No new inputs can be searched for the mutants of a solution; the message says why and how to fix it."""


class Operator(enum.StrEnum):
    """A kind of mistake."""

    BOUNDARY = "boundary"  # < for <=
    RELATION = "relation"  # == for !=, < for >
    CONDITION = "condition"  # if (!x) for if (x)
    CONJUNCTION = "conjunction"  # || for &&, or one side left out
    CONSTANT = "constant"  # 8 for 7
    ARITHMETIC = "arithmetic"  # + for -
    DIVISION = "division"  # rounded up for down, % left out
    MINMAX = "minmax"  # min for max, or one side left out
    AXES = "axes"  # rows for columns, a[j][i]
    ARGUMENTS = "arguments"  # f(b, a)
    DIRECTIONS = "directions"  # two entries of a table swapped
    STATEMENT = "statement"  # a statement left out
    RESET = "reset"  # a reset left out
    LATE_MARK = "late_mark"  # marked when taken out of a queue, not when put in
    ORDER = "order"  # two statements swapped
    JUMP = "jump"  # break for continue
    UPDATE = "update"  # = for +=
    NARROW = "narrow"  # 32 bits for 64


@dataclass(frozen=True, kw_only=True)
class Edit:
    """Bytes of the source from `start` to `end` become `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """One small change of a solution.

    number: from 1 within its solution; it selects the mutant at run time. id: a digest of operator, function, text of
    the line and change, for people's notes: it survives edits elsewhere in the file. statement: whether the edit
    replaces a whole statement.
    """

    operator: Operator
    function: str
    line: int
    before: str
    after: str
    edit: Edit
    number: int = 0
    id: str = ""
    statement: bool = False


def squeezed(text: str) -> str:
    """Put a text on one line."""
    return _SPACES.sub(" ", text).strip()


def axis_partner(name: str, identifiers: frozenset[str]) -> str | None:
    """Return the name of the grid's other axis if it is among the identifiers; None if `name` is no axis."""
    for first, second in _AXIS_PAIRS:
        if name == first and second in identifiers:
            return second
        if name == second and first in identifiers:
            return first
    return None


def swaps(items: list[Item]) -> list[list[Item]]:
    """Return the list with each pair of neighbours swapped in turn."""
    return [[*items[:at], items[at + 1], items[at], *items[at + 2 :]] for at in range(len(items) - 1)]


def numbered(mutants: Iterable[Mutant], source: bytes) -> tuple[Mutant, ...]:
    """Order mutants by position, drop duplicates, and set their numbers and ids."""
    lines = source.decode(errors="replace").splitlines()
    unique: dict[tuple[int, int, str], Mutant] = {}
    for mutant in sorted(mutants, key=lambda mutant: (mutant.edit.start, mutant.edit.end)):
        edit = mutant.edit
        if source[edit.start : edit.end].decode(errors="replace") != edit.text:
            unique.setdefault((edit.start, edit.end, edit.text), mutant)
    seen: dict[tuple[str, ...], int] = {}
    result = []
    for number, mutant in enumerate(unique.values(), start=1):
        line = squeezed(lines[mutant.line - 1]) if mutant.line <= len(lines) else ""
        key = (mutant.operator.value, mutant.function, line, mutant.before, mutant.after)
        seen[key] = seen.get(key, 0) + 1
        digest = hashlib.sha256("\0".join((*key, str(seen[key]))).encode()).hexdigest()
        result.append(replace(mutant, number=number, id=digest[:10]))
    return tuple(result)
