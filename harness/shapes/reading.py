"""From bytes to a value of a shape, strictly: one space, LF, no trailing space, every byte accounted for."""

import re
from dataclasses import replace
from typing import NoReturn

from harness.shapes.decimals import printed, value_at
from harness.shapes.errors import InputError, quoted
from harness.shapes.expressions import Env, count_of
from harness.shapes.fields import expected, word_at
from harness.shapes.model import (
    Array,
    Block,
    Choice,
    Edge,
    Edges,
    Fields,
    Grid,
    Integer,
    Item,
    Parents,
    Part,
    Permutation,
    Record,
    Rows,
    Shape,
    String,
    Times,
    Word,
)
from harness.shapes.violations import constraint_fault

_INTEGER = re.compile(rb"0|-?[1-9][0-9]*")


def parse(shape: Shape, data: bytes) -> Record:
    """The value that `data` prints. Raises InputError at the first byte that is not of the shape."""
    reader = _Reader(data)
    value = _block(reader, shape.block, {})
    reader.end()
    return value


class _Reader:
    """A cursor over bytes."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def fail(self, message: str, at: int | None = None) -> NoReturn:
        at = self.at if at is None else at
        line = self.data.count(b"\n", 0, at) + 1
        raise InputError(line, at - self.data.rfind(b"\n", 0, at), message)

    def expected(self, what: str) -> NoReturn:
        rest = self.data[self.at : self.at + 41]
        shown = rest[: rest.find(b"\n") + 1] or rest
        self.fail(f"expected {what}, found {quoted(shown) if rest else 'the end of the input'}")

    def exactly(self, text: bytes, what: str) -> None:
        if not self.data.startswith(text, self.at):
            self.expected(what)
        self.at += len(text)

    def space(self) -> None:
        self.exactly(b" ", "one space")

    def newline(self) -> None:
        self.exactly(b"\n", "the end of the line")

    def end(self) -> None:
        if self.at != len(self.data):
            self.expected("the end of the input")

    def items_left(self, item: Integer, env: Env, *, begun: bool, behind: int) -> int:
        """How many items the line still holds. begun: others stand before them; behind: so many words follow them."""
        end = self.data.find(b"\n", self.at)
        rest = self.data[self.at : end if end >= 0 else len(self.data)]
        found = (rest.count(b" ") + (not begun) if rest else 0) - behind
        low, high = item.bounds(env)
        if not low <= found <= high:
            what = f" before the last {behind}" if behind else ""
            self.fail(f"expected {low} to {high} more items in the line{what}, found {max(0, found)}")
        return found

    def number(self, item: Integer, name: str, env: Env) -> int:
        """An integer, or a number with decimal places, as the item says."""
        low, high = item.bounds(env)
        if not item.decimals:
            return self.integer(name, low, high)
        found = value_at(item, self.data, self.at)
        if found is None or not low <= found[0] <= high:
            least, most = (printed(item, one).decode() for one in (low, high))
            self.expected(f"{name or 'a number'} from {least} to {most}")
        self.at = found[1]
        return found[0]

    def integer(self, name: str, low: int, high: int) -> int:
        longest = max(len(str(low)), len(str(high)))
        match = _INTEGER.match(self.data, self.at, self.at + longest + 1)
        if match is None or len(match[0]) > longest or not low <= int(match[0]) <= high:
            self.expected(f"{name or 'an integer'} from {low} to {high}")
        self.at = match.end()
        return int(match[0])


def _block(reader: _Reader, block: Block, outer: Env) -> Record:
    env = dict(outer)
    parts: list[Part] = []
    for line in block.lines:
        first = line[0] if len(line) == 1 else None
        if isinstance(first, Integer) and first.hidden:
            parts.append(0)  # known when what it counts was read
        elif isinstance(first, Times) and first.until is not None:
            parts[-1:] = _until(reader, first, first.until, block.items[len(parts) - 1], env)
        elif isinstance(first, Grid | Edges | Times | Choice):
            parts.append(_several_lines(reader, first, env))
        else:
            _line(reader, line, env, parts)
    return Record(names=block.names, parts=tuple(parts))


def _line(reader: _Reader, line: tuple[Item, ...], env: dict[str, int], parts: list[Part]) -> None:
    begun = False
    for place, item in enumerate(line):
        start = reader.at
        if isinstance(item, Integer) and item.hidden:
            env[item.name] = reader.items_left(item, env, begun=begun, behind=len(line) - place - 2)
            parts.append(env[item.name])
            continue
        if begun and not _is_empty(item, env):
            if isinstance(item, String) and item.low.value(env) <= 0 and not reader.data.startswith(b" ", start):
                parts.append(b"")
                continue
            reader.space()
        first = reader.at
        part = _one_line_item(reader, item, env)
        if begun and reader.at == first != start:
            reader.fail("expected the end of the line, found a space", start)
        begun = begun or reader.at > first
        parts.append(part)
        if isinstance(item, Integer) and item.name and not item.decimals:
            env[item.name] = part
    reader.newline()


def _is_empty(item: Item, env: Env) -> bool:
    """Whether the item prints nothing, so that no space stands before it."""
    if isinstance(item, Array | Permutation | Parents):
        return count_of(item.count, env) == 0
    return isinstance(item, String) and item.high.value(env) <= 0


def _one_line_item(reader: _Reader, item: Item, env: Env) -> Part:
    match item:
        case Integer():
            return reader.number(item, item.name, env)
        case Word():
            return _word(reader, item)
        case String():
            return _string(reader, item, env)
        case Fields():
            return _fields(reader, item)
        case Array():
            return _array(reader, item, env)
        case Permutation() | Parents():
            return _numbers_together(reader, item, env)
        case _:
            raise TypeError(item)


def _word(reader: _Reader, item: Word) -> bytes:
    for word in sorted(item.words, key=len, reverse=True):
        after = reader.at + len(word)
        if reader.data.startswith(word, reader.at) and reader.data[after : after + 1] in (b" ", b"\n", b""):
            reader.at = after
            return word
    return reader.expected(" or ".join(word.decode() for word in item.words))


def _string(reader: _Reader, item: String, env: Env) -> bytes:
    low, high = max(0, item.low.value(env)), item.high.value(env)
    head = reader.data[reader.at : reader.at + max(0, high) + 1]
    length = len(head) - len(head.lstrip(item.alphabet))
    if not low <= length <= max(0, high):
        found = f"{length} of them" if length <= high else f"more than {high}"
        reader.fail(f"expected {item.name or 'a string'}, {low} to {high} letters of {quoted(item.alphabet)}, "
                    f"found {found}")  # fmt: skip
    reader.at += length
    return head[:length]


def _fields(reader: _Reader, item: Fields) -> bytes:
    found = word_at(item, reader.data, reader.at) or reader.expected(expected(item))
    reader.at += len(found)
    return found


def _array(reader: _Reader, item: Array, env: Env) -> tuple[Part, ...]:
    start, parts = reader.at, _any_array(reader, item, env)
    fault = constraint_fault(item, parts, env)
    if fault:
        reader.fail(fault, start)
    return parts


def _any_array(reader: _Reader, item: Array, env: Env) -> tuple[Part, ...]:
    count = count_of(item.count, env)
    if isinstance(item.item, Integer) and not item.item.decimals and count > 1:
        return _integers(reader, item.name, count, *item.item.bounds(env))
    parts: list[Part] = []
    for _ in range(count):
        if parts:
            reader.space()
        parts.append(_one_line_item(reader, item.item, env))
    return tuple(parts)


def _integers(reader: _Reader, name: str, count: int, low: int, high: int) -> tuple[int, ...]:
    """Many integers in a row: at the speed of split where they are right, one by one to find the place of a fault."""
    start = reader.at
    end = reader.data.find(b"\n", start)
    tokens = reader.data[start : end if end >= 0 else len(reader.data)].split(b" ", count)[:count]
    longest = max(len(str(low)), len(str(high)))
    matches = _INTEGER.fullmatch
    if len(tokens) == count and all(len(token) <= longest and matches(token) for token in tokens):
        values = tuple(map(int, tokens))
        if low <= min(values) and max(values) <= high:
            reader.at = start + sum(map(len, tokens)) + count - 1
            return values
    found: list[int] = []
    for _ in range(count):
        if found:
            reader.space()
        found.append(reader.integer(name, low, high))
    return tuple(found)


def _numbers_together(reader: _Reader, item: Permutation | Parents, env: Env) -> tuple[int, ...]:
    """A permutation, or a line of parents: integers that must be right together."""
    count, start = count_of(item.count, env), reader.at
    if count == 0:
        return ()
    if isinstance(item, Permutation):
        low, high = item.base, item.base + count - 1
    else:
        low = item.base if item.root is None else min(item.base, item.root)
        high = item.base + count_of(item.vertices, env) - 1
    values = _integers(reader, item.name, count, low, high)
    fault = constraint_fault(item, values, env)
    if fault:
        reader.fail(fault, start)
    return values


def _several_lines(reader: _Reader, item: Grid | Edges | Times | Choice, env: Env) -> Part:
    start = reader.at
    if isinstance(item, Choice):
        return _choice(reader, item, env)
    if isinstance(item, Times):
        return tuple(
            _block(reader, item.block, item.inner(env, number + 1)) for number in range(count_of(item.count, env))
        )
    part: Part = _grid(reader, item, env) if isinstance(item, Grid) else _edges(reader, item, env)
    fault = constraint_fault(item, part, env)
    if fault:
        reader.fail(fault, start)
    return part


def _until(reader: _Reader, item: Times, last: bytes, hidden: Item, env: dict[str, int]) -> list[Part]:
    """How many blocks there are, and the blocks; the line behind them is read too."""
    found: list[Part] = []
    least = hidden.low.value(env) if isinstance(hidden, Integer) else 0
    what = f"`{last.decode()}`" if last else "the end of the input"
    while not (reader.data.startswith(last + b"\n", reader.at) if last else reader.at == len(reader.data)):
        if reader.at == len(reader.data):
            reader.expected(what)
        found.append(_block(reader, item.block, env))
    if len(found) < least:
        reader.fail(f"expected {least} or more blocks before {what}, found {len(found)}")
    reader.at += len(last) + 1 if last else 0
    return [len(found), tuple(found)]


def _choice(reader: _Reader, item: Choice, env: Env) -> Record:
    """The first of its blocks that fits; if none does, the fault is the one that comes last in the input."""
    start, faults = reader.at, []
    likely = [form for form, block in enumerate(item.blocks) if _may_begin(reader, block)]
    for form in likely or range(len(item.blocks)):
        block = item.blocks[form]
        try:
            return replace(_block(reader, block, env), form=form)
        except InputError as error:
            faults.append(error)
            reader.at = start
    raise max(faults, key=lambda fault: (fault.line, fault.column))


def _may_begin(reader: _Reader, block: Block) -> bool:
    """Whether the word that a block begins with, if it is always the same, stands here: to fail costs much more."""
    first = block.items[0]
    if isinstance(first, Word):
        return any(reader.data.startswith(word, reader.at) for word in first.words)
    if isinstance(first, Integer) and first.low == first.high and not (first.low.names or first.hidden):
        return reader.data.startswith(printed(first, first.low.value({})), reader.at)
    return True


def _grid(reader: _Reader, item: Grid, env: Env) -> Rows:
    rows, columns = count_of(item.rows, env), count_of(item.columns, env)
    size = rows * (columns + 1)
    block = reader.data[reader.at : reader.at + size]
    ends = block[columns :: columns + 1]
    cells_are_right = not block.translate(None, item.alphabet + b"\n")
    if len(block) == size and ends == b"\n" * rows == b"\n" * block.count(b"\n") and cells_are_right:
        reader.at += size
        return tuple(block.split(b"\n")[:rows])
    return tuple(_row(reader, item, columns, row) for row in range(1, rows + 1))


def _row(reader: _Reader, item: Grid, columns: int, number: int) -> bytes:
    row = reader.data[reader.at : reader.at + columns]
    strangers = row.translate(None, item.alphabet)
    if strangers or len(row) < columns:
        reader.at += row.find(strangers[:1]) if strangers else len(row)
        reader.expected(f"row {number} of {item.name or 'the grid'}, {columns} letters of {quoted(item.alphabet)}")
    reader.at += columns
    reader.newline()
    return row


def _edges(reader: _Reader, item: Edges, env: Env) -> tuple[Edge, ...]:
    low, high = item.base, item.base + count_of(item.vertices, env) - 1
    found: list[Edge] = []
    for _ in range(count_of(item.edges, env)):
        first = reader.integer("a vertex", low, high)
        reader.space()
        edge: Edge = (first, reader.integer("a vertex", low, high))
        if item.weight is not None:
            reader.space()
            edge = (*edge, reader.number(item.weight, "a weight", env))
        reader.newline()
        found.append(edge)
    return tuple(found)
