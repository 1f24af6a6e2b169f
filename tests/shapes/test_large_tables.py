"""Large tables of integers are handled column by column, with the same outcome as row by row."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.shapes import draw_large, parse, read_shape, write
from harness.shapes.kinds import Record, Shape, Times, times
from harness.shapes.reader import InputError, Reader
from harness.shapes.values import draw, fits, rank

SHAPES = (
    "n: 100..140; n times { x: -3..9 }",
    "n: 100..140; n times { x: 0..9 y: x..20 z: 0..10^30 }; m: 1..3",
    "n: 100..140; n times { x: 0..9 y: x-20..x-12 }",
    "n: 100..140; k: 1..9; distinct(n times { u: 1..n v: 1..n w: k..k+9 })",
    "n: 101..140; n-1 times as i { p: 1..i w: 0..9 }",
    "n: 100..140; n times { x: 0.00..9.99 y: 0..9 }",
)


def outcome(shape: Shape, data: bytes, cut: tuple[int, int]) -> Any:
    """What is done with an input: its value, rank, and a cut of it; or the error."""
    try:
        value = parse(shape, data)
    except InputError as error:
        return str(error)
    shorter = shape.block.drop(value, {}, "n", cut)
    return value, rank(shape, value), shorter, fits(shape, shorter)


def outcomes(act: Callable[[], Any]) -> tuple[Any, Any]:
    """The outcome by columns, and row by row."""
    with pytest.MonkeyPatch.context() as patch:
        by_columns = act()
        patch.setattr(times, "_MANY_ROWS", 10**9)
        return by_columns, act()


@given(st.sampled_from(SHAPES), st.integers(0, 10**9), st.integers(0, 90), st.integers(1, 9))
def test_tables_are_handled_as_their_rows(text: str, seed: int, start: int, count: int) -> None:
    shape = read_shape(text)
    data = write(shape, draw(shape, Random(seed), 500))
    by_columns, by_rows = outcomes(lambda: outcome(shape, data, (start, count)))
    assert isinstance(by_columns[0], Record)
    assert by_columns == by_rows


@given(st.sampled_from(SHAPES), st.integers(0, 10**9), st.binary(max_size=2), st.integers(0, 3), st.data())
def test_broken_tables_have_the_same_error(
    text: str, seed: int, new: bytes, width: int, data: st.DataObject
) -> None:
    shape = read_shape(text)
    whole = write(shape, draw(shape, Random(seed), 500))
    at = data.draw(st.integers(0, len(whole)))
    broken = whole[:at] + new + whole[at + width :]
    by_columns, by_rows = outcomes(lambda: outcome(shape, broken, (0, 1)))
    assert by_columns == by_rows


@pytest.mark.parametrize(
    "text", ["k: 1..100 q: k+1..200", "a: 1..n", "a: -5..5 b: a..2*a+20 c: 0..0", "a: 1..9 b: 7"]
)
def test_many_rows_are_checked_as_one_by_one(text: str) -> None:
    """Columns at once, with a cell changed by one or not at all."""
    shape = read_shape(f"n: 1..300\nn times {{ {text} }}\n")
    [table] = [item for item in shape.block.items if isinstance(item, Times)]
    source, verdicts = Random(0), set[bool]()
    for seed in range(60):
        value = draw_large(shape, seed, 300)
        rows, env = list(value.parts[1]), {"n": len(value.parts[1])}
        if len(rows) >= 100:
            at = source.randrange(len(rows))
            parts = [part + source.choice((-1, 0, 0, 1)) for part in rows[at].parts]
            rows[at] = rows[at]._replace(parts=tuple(parts))
            one_by_one = all(table.block.fits(row, env) for row in rows)
            assert table.fits(tuple(rows), env) == one_by_one
            verdicts.add(one_by_one)
    assert verdicts == {True, False}


def test_a_table_is_read_without_a_copy_of_all_that_follows_it() -> None:
    """Many tables would be read in quadratic time."""
    taken: list[int] = []

    class Counting(bytes):
        def __getitem__(self, index: Any) -> Any:
            part = super().__getitem__(index)
            taken.append(len(part))
            return part

    table = b"-%d %d\n" % (10**24, 10**24) * 100
    reader = Reader(Counting(table + bytes(10**6)))
    assert len(reader.rows_of_integers(100, 2)) == 200
    assert reader.at == len(table)
    assert max(taken) < 10_000
