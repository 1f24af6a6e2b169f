"""Guess the ends of lines where a program reads word by word."""

from collections.abc import Sequence
from dataclasses import replace

from harness.reads.nodes import Loop, Newline, Node, ReadValue, Space


def in_lines(nodes: Sequence[Node], *, row: bool = False) -> list[Node]:
    """Add the ends of lines: consecutive numbers share a line; each word, and each list of numbers, has its own.

    row: whether the lines are repeated; then words may follow numbers on the same line.
    """
    lines: list[Node] = []
    line: list[Node] = []  # the current line, without its end
    for node in nodes:
        if not (isinstance(node, ReadValue) and _go_together(line, node, row=row)) and not isinstance(node, Space):
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
        case [ReadValue() as value, Newline()] if value.kind != "word" or value.length == ("1", "1"):
            return [replace(loop, body=(value,)), Newline()]
    return [replace(loop, body=tuple(body))] if body else []


def _go_together(line: Sequence[Node], more: ReadValue, *, row: bool) -> bool:
    """Return whether a value continues the line. row: see `in_lines`."""
    if line and isinstance(line[-1], Space):  # a line that is split at its spaces
        return True
    values = [node for node in (*line, more) if isinstance(node, ReadValue)]
    has_words = any(value.kind == "word" and not value.length[0] for value in values)
    return len(values) == len(line) + 1 and (not has_words or (row and values[0].kind == "integer"))
