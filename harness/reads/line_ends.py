"""Guess the ends of lines where a program reads word by word, and which of its branches the input decides."""

import re
from collections.abc import Sequence, Set
from dataclasses import replace

from harness.reads.model import Branch, Loop, Newline, Node, Space, Value

_DECIDING = re.compile(r"\d+|[^-\d].+")  # literals that tell rows apart: numbers and commands, no letters


def in_lines(nodes: Sequence[Node], *, row: bool = False) -> list[Node]:
    """Add the ends of lines: consecutive numbers share a line; each word, and each list of numbers, has its own.

    row: whether the lines are repeated; then words may follow numbers on the same line.
    """
    lines: list[Node] = []
    line: list[Node] = []  # the current line, without its end
    for node in nodes:
        if isinstance(node, Branch):
            end = [] if node.name in map(_name, line) else _ended(line)
            lines, line = [*lines, *line, *end, replace(node, body=_form(node.body), other=_form(node.other))], []
            continue
        if not (isinstance(node, Value) and _go_together(line, node, row=row)) and not isinstance(node, Space):
            lines, line = [*lines, *line, *_ended(line)], []
        if isinstance(node, Loop) and node.separator is None:
            lines += _repeated(node, in_lines(node.body, row=True))
        elif not isinstance(node, Newline):
            line.append(node)
    return [*lines, *line, *_ended(line)]


def _ended(line: Sequence[Node]) -> list[Node]:
    return [Newline()] if line else []


def _repeated(loop: Loop, body: Sequence[Node]) -> list[Node]:
    """Return repeated lines; but if each round reads a single number or letter, one line with all of these."""
    match body:
        case [Value() as value, Newline()] if value.kind != "word" or value.length == ("1", "1"):
            return [replace(loop, body=(value,)), Newline()]
    return [replace(loop, body=tuple(body))] if body else []


def _form(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Return the lines of a branch. The first continues the line of the deciding value, unless it is a block."""
    lines = in_lines(nodes, row=True)
    is_block = isinstance(next(iter(lines), None), Loop) and lines[1:2] != [Newline()]
    return (Newline(), *lines) if is_block else tuple(lines)


def decided_branches(nodes: Sequence[Node], counting: Set[str], names: Set[str] = frozenset()) -> tuple[Node, ...]:
    """Return the reads without the branches that no word of the input decides: of these, the first part is kept.

    A command decides, or a number that counts nothing. names: of numbers and words that are read before.
    """
    decided: list[Node] = []
    for node in nodes:
        names |= {_name(node)} - counting
        if isinstance(node, Loop):
            decided.append(replace(node, body=decided_branches(node.body, counting)))
        elif not isinstance(node, Branch):
            decided.append(node)
        elif _DECIDING.fullmatch(node.literal) and node.name in names:
            body, other = (decided_branches(part, counting, names) for part in (node.body, node.other))
            decided.append(replace(node, body=body, other=other))
        else:
            decided += decided_branches(node.body or node.other, counting, names)
    return tuple(decided)


def _name(node: Node) -> str:
    return node.name if isinstance(node, Value) and node.kind in ("integer", "word") else ""


def _go_together(line: Sequence[Node], more: Value, *, row: bool) -> bool:
    """Return whether a value continues the line. row: see `in_lines`."""
    if line and isinstance(line[-1], Space):  # a line that is split at its spaces
        return True
    values = [node for node in (*line, more) if isinstance(node, Value)]
    has_words = any(value.kind == "word" and not value.length[0] for value in values)
    return len(values) == len(line) + 1 and (not has_words or (row and values[0].kind == "integer"))
