"""Parsing and printing are inverse to each other, byte by byte, and a parse error names its place."""

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st
from shape_texts import SHAPES, SLUGS, shape_of

from harness.shapes import InputError, Record, draw, fits, parse, read_shape, write
from harness.shapes.limits import with_limits
from harness.shapes.testing import inputs_of, values_of

GRID = 'n m; grid(n, m, ".#X", X=1)'

WRONG = {
    (GRID, b""): (1, 1, "expected n"),
    (GRID, b"2\n"): (1, 2, "one space"),
    (GRID, b"2  3\n"): (1, 3, "expected m"),
    (GRID, b"02 3\n"): (1, 1, "expected n"),
    (GRID, b"+2 3\n"): (1, 1, "expected n"),
    (GRID, b"2 3 \n"): (1, 4, "end of the line"),
    (GRID, b"2 3\r\n"): (1, 4, "end of the line"),
    (GRID, b"0 3\n"): (1, 1, "n is 0, expected 1 or more"),
    (GRID, b"1_0 3\n"): (1, 2, "one space"),
    (GRID, b"9" * 5000 + b" 3\n"): (1, 1, "expected n"),
    (GRID, b"2 3\n..#\n.X \n"): (3, 3, "row 2 of the grid"),
    (GRID, b"2 3\n..#\n.X\n"): (3, 3, "row 2 of the grid"),
    (GRID, b"2 3\n..#\n.X..\n"): (3, 4, "end of the line"),
    (GRID, b"2 3\n..#\n.X."): (3, 4, "end of the line"),
    (GRID, b"2 3\n..#\n...\n"): (2, 1, "expected exactly 1 of 'X', found 0"),
    (GRID, b"2 3\n.X#\n.X.\n"): (2, 1, "found 2"),
    (GRID, b"2 3\n..#\n.X.\n\n"): (4, 1, "end of the input"),
    ("sorted(3 * (1..9))", b"1 3 2\n"): (1, 1, "expected numbers in order"),
    ("5..5 rising(3 * (1..9))", b"5 1 3 3\n"): (1, 3, "larger than the one before it"),
    ("distinct(3 * (1..9))", b"1 3 1\n"): (1, 1, "found one twice"),
    ("distinct(3 times { 1..9 1..9 })", b"1 2\n2 1\n1 2\n"): (1, 1, "expected different blocks, found one twice"),
    ("5..5; rising(2 times { 1..9 1..9 })", b"5\n1 2\n1 3\n"): (2, 1, "each block to be larger"),
    ("1..3 * (string(1..4, a..z))", b"a b c d\n"): (
        1,
        1,
        "expected 1 to 3 more items in the line, found 4",
    ),
    ("1..3 * (string(1..4, a..z)) 1..9", b"7\n"): (
        1,
        1,
        "expected 1 to 3 more items in the line before the last 1, found 0",
    ),
    ("n w: 1..3 * (1..9)", b"5\n"): (1, 2, "expected 1 to 3 more items in the line, found 0"),
    ('until "0 0" { 1..9 1..9 }', b"1 2\n3 4\n"): (3, 1, "expected `0 0`, found the end of the input"),
    ('until "0 0" { 1..9 1..9 }', b"0 0\n"): (1, 1, "1 or more blocks before `0 0`, found 0"),
    ('until "0 0" { 1..9 1..9 }', b"1 2\n0 0\n1 1\n"): (3, 1, "expected the end of the input"),
    ('until "0 0" { 1..9 1..9 }', b"1 2\n0 1\n0 0\n"): (2, 1, "found 0, expected 1 or more"),
    ("1..9; 2..3", b"1\n-5\n"): (2, 1, "found -5, expected 2 or more"),
    ("1..9; 2..3", b"1\n\n"): (2, 1, "expected an integer from 2 to 3, found the end of the line"),
    ("until end { 1..9; 2..3 }", b"1\n2\n9\n"): (4, 1, "expected an integer from 2 to 3"),
}


NO_TREES = {
    "parents(4)": {
        b"1 3 1": "vertex 3 hangs on 3, expected an earlier vertex",
        b"2 1 1": "vertex 2 hangs on 2, expected an earlier vertex",
        b"1 0 1": "found 0, expected 1 or more",
        b"1 1": "one space",
        b"0 1 1 1": "found 0, expected 1 or more",
    },
    "parents(4, anywhere)": {b"3 2 1": "a cycle", b"1 1 4": "a cycle", b"1 5 1": "found 5, expected 4 or less"},
    "parents(4, base=0, root=-1)": {
        b"-1 0 -1 1": "exactly one root, found 2",
        b"-1 2 0 0": "vertex 1 hangs on 2, expected an earlier vertex",
    },
    "parents(4, root=-1)": {b"-1 0 1 1": "vertex 2 hangs on 0, expected an earlier vertex"},
    "parents(4, root=0, anywhere)": {b"2 3 4 1": "exactly one root, found 0", b"0 3 2 1": "a cycle"},
    "parents(4, root=0, anywhere, forest)": {b"0 0 4 3": "a cycle", b"2 1 4 3": "a root, found 0"},
}


@pytest.mark.parametrize("text", NO_TREES)
def test_parents_that_are_no_tree_are_refused_in_words(text: str) -> None:
    for line, words in NO_TREES[text].items():
        with pytest.raises(InputError, match=f"^line 1, .*{words}"):
            parse(read_shape(text), line + b"\n")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", SHAPES)
def test_what_is_printed_parses_to_the_same_value(name: str) -> None:
    shape = read_shape(SHAPES[name])

    @settings(max_examples=60, deadline=None, database=None, derandomize=True)
    @given(values_of(shape, 40))
    def check(value: Record) -> None:
        assert fits(shape, value)
        assert parse(shape, write(shape, value)) == value

    check()


@pytest.mark.parametrize("slug", SLUGS)
def test_the_strategy_of_each_problem_passes_the_health_checks(slug: str) -> None:
    shape = shape_of(slug)

    @settings(max_examples=20, deadline=None, database=None, derandomize=True)
    @given(inputs_of(shape, 100))
    def check(data: bytes) -> None:
        assert write(shape, parse(shape, data)) == data

    check()


def test_a_grid_of_60_by_60_passes_the_health_checks() -> None:
    @settings(max_examples=30, deadline=None, database=None, derandomize=True)
    @given(values_of('grid(60, 60, ".#X", X=1)', 3600))
    def check(value: Record) -> None:
        assert sum(row.count(b"X") for row in value.parts[0]) == 1

    check()


def shrunk_by_hypothesis(start: int) -> tuple[bytes, ...]:
    """The grid that Hypothesis ends with when a wall right of the X is the failure."""
    found: list[Record] = []

    @seed(start)
    @settings(max_examples=300, deadline=None, database=None)
    @given(values_of('n: 1..60 m: 1..60; g: grid(n, m, ".#X", X=1)', 3600))
    def check(value: Record) -> None:
        if any(b"X#" in row for row in value.part("g")):
            found.append(value)
            raise AssertionError

    with pytest.raises(AssertionError):
        check()
    return tuple(found[-1].part("g"))


@pytest.mark.slow
def test_a_strategy_shrinks_to_the_cells_that_matter_from_most_starts() -> None:
    """Hypothesis draws from what is imported around it, so a single start would prove nothing either way."""
    ends = [shrunk_by_hypothesis(start) for start in range(9)]
    assert ends.count((b"X#",)) >= 5


@pytest.mark.parametrize(("text", "data"), WRONG, ids=range(len(WRONG)))
def test_a_wrong_byte_number_or_order_is_named_by_line_and_column(text: str, data: bytes) -> None:
    line, column, words = WRONG[text, data]
    with pytest.raises(InputError) as caught:
        parse(read_shape(text), data)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert words in str(caught.value)


@settings(max_examples=300, deadline=None, database=None, derandomize=True)
@given(st.sampled_from(sorted(SHAPES)), st.integers(0, 10**6), st.data())
def test_a_changed_byte_is_refused_or_reprinted_as_it_is(name: str, seed: int, data: st.DataObject) -> None:
    shape = read_shape(SHAPES[name])
    text = bytearray(write(shape, draw(shape, Random(seed), 15)))
    at = data.draw(st.integers(0, len(text) - 1))
    text[at] = data.draw(st.sampled_from(b" \n\r0123456789-+.#Xab"))
    try:
        value = parse(shape, bytes(text))
    except InputError:
        return
    assert write(shape, value) == text


def test_empty_arrays_and_strings_take_no_space() -> None:
    shape = read_shape("k: 0..3 k * (1..9); s: string(0..2, a..b)")
    for text in (b"0\n\n", b"2 3 4\nab\n", b"1 9\n\n"):
        assert write(shape, parse(shape, text)) == text
    for text in (b"0 \n\n", b"1\n\n", b"0\n \n"):
        with pytest.raises(InputError):
            parse(shape, text)


def test_only_what_is_for_pytest_imports_hypothesis() -> None:
    sources = (Path(__file__).parent.parent.parent / "harness").rglob("*.py")
    users = {
        path.name
        for path in sources
        if re.search(
            "import hypothesis|from hypothesis|import testing|shapes.testing import", path.read_text("utf-8")
        )
    }
    assert users == {"testing.py"}


def test_a_form_may_begin_with_items_that_no_number_counts() -> None:
    shape = read_shape("either { 1..1 * (string(1..3, a..z)) } or { (string(1..9, a..z)) }")
    assert [parse(shape, data).parts[0].form for data in (b"ab\n", b"abcd\n")] == [0, 1]


def test_a_limit_of_many_digits_is_short_in_errors() -> None:
    with pytest.raises(InputError, match="n is 4, expected 5 or more"):
        parse(with_limits(read_shape("n: 5..9"), 0, high=10**1000), b"4\n")
