"""Enumeration: all values, in order of size, none twice; proved by counting what mathematics counts."""

from collections.abc import Callable, Iterator
from itertools import islice, product
from math import comb, factorial

import pytest
from shape_texts import SHAPES, shape_of

from harness.shapes import Record, enumerate_values, fits, parse, read_shape, size, write
from harness.shapes.values import is_simpler

COUNTS: dict[str, tuple[str, int, int]] = {
    "grids of 2×3 with exactly one X": ('grid(2, 3, ".#X", X=1)', 6, 6 * 2**5),
    "all grids up to 2×2 with one X": (
        'n m: 1..2 ; grid(n, m, ".#X", X=1)'.replace("n m", "n: 1..2 m"),
        9,
        1 + 4 + 4 + 32,
    ),
    "grids of 3×3 with one E and one X": ('grid(3, 3, ".#EX", E=1, X=1)', 9, 9 * 8 * 2**7),
    "inputs of eight queens": ('grid(8, 8, ".Q", Q=3)', 64, comb(64, 3)),
    "grids of a and b in any numbers": ('grid(2, 2, "ab", a=0..4, b=0..4)', 4, 2**4),
    "grids with as many boxes as goals": ('grid(2, 2, "-$.", "$"=".")', 4, 1 + 4 * 3 + comb(4, 2)),
    "borders are no choice": ('grid(3, 4, ".#", border="#")', 12, 4),
    "integers": ("n: -3..4", 10, 8),
    "pairs": ("a: 1..12 b: 0..12", 30, 12 * 13),
    "arrays of three digits": ("3 * (0..9)", 30, 1000),
    "arrays up to length 3": ("n: 0..3; n * (0..1)", 12, 1 + 2 + 4 + 8),
    "sizes of arrays": ("n: 0..99; n * (0..10^9)", 4, 1 + 3 + 1),
    "permutations": ("n: 1..5; permutation(n)", 12, sum(map(factorial, range(1, 6)))),
    "strings": ("string(0..3, a..c)", 3, 1 + 3 + 9 + 27),
    "words": ("yes|no; 2 * (a|b|c)", 9, 2 * 9),
    "labelled trees on five vertices": ("n: 5; tree(n)", 9, 5**3),
    "directed trees on three vertices": ("tree(3, directed)", 9, 3 * 4),
    "parents that are earlier vertices": ("n: 1..5; parents(n)", 9, sum(factorial(n - 1) for n in range(1, 6))),
    "rooted trees, told from the second vertex on": ("parents(5, anywhere)", 9, 5**3),
    "rooted trees with a root anywhere": ("parents(4, base=0, root=-1, anywhere)", 9, 4**3),
    "rooted forests": ("parents(4, root=-1, anywhere, forest)", 9, 5**3),
    "forests that hang on earlier vertices": ("parents(4, root=0, forest)", 9, factorial(4)),
    "weighted trees on three vertices": ("tree(3, weight=1..4)", 99, 3 * 16),
    "connected simple graphs on four vertices": ("m: 0..6; graph(4, m, connected, simple)", 12, 38),
    "simple graphs on four vertices": ("m: 0..6; graph(4, m, simple)", 12, 2**6),
    "graphs on two vertices with two edges": ("graph(2, 2)", 2, 6),
    "directed simple graphs on three vertices": ("m: 0..6; graph(3, m, simple, directed)", 12, 2**6),
    "labelled graphs on four vertices without a way back": ("m: 0..6; graph(4, m, simple, acyclic)", 12, 543),
    "graphs on two vertices with two edges and no loop": ("graph(2, 2, loopless)", 2, 1),
    "repeated cases": ("T: 1..2; T times { a: 1..3 }", 9, 3 + 9),
    "spans": ("n: 1..4; l: 1..n r: l..n", 12, 1 + 3 + 6 + 10),
}


@pytest.mark.parametrize("name", COUNTS)
def test_there_are_as_many_as_mathematics_says(name: str) -> None:
    text, largest, count = COUNTS[name]
    shape = read_shape(text)
    printed = [write(shape, value) for value in enumerate_values(shape, largest)]
    assert len(printed) == count
    assert len(set(printed)) == count


def every(letters: bytes, length: int) -> Iterator[bytes]:
    return map(bytes, product(letters, repeat=length))


def test_all_short_bytes_that_parse_are_enumerated() -> None:
    """Independent of counting: whatever the parser takes among all texts of a small alphabet is there."""
    shape = read_shape("n: 0..2; n * (0..2)")
    texts = {text for length in range(8) for text in every(b"012 \n", length) if parses(shape_parser(shape), text)}
    assert {write(shape, value) for value in enumerate_values(shape, 20)} == texts


def shape_parser(shape: object) -> Callable[[bytes], Record]:
    return lambda text: parse(shape, text)  # type: ignore[arg-type]


def parses(parser: Callable[[bytes], Record], text: bytes) -> bool:
    try:
        parser(text)
    except Exception:
        return False
    return True


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", SHAPES)
def test_sizes_ascend_and_every_value_is_of_the_shape(name: str) -> None:
    shape = read_shape(SHAPES[name])
    values = list(islice(enumerate_values(shape, 64 if name == "fixed" else 14), 1500))
    assert values
    sizes = [size(shape, value) for value in values]
    assert sizes == sorted(sizes)
    for value in values:
        assert fits(shape, value)
        assert parse(shape, write(shape, value)) == value
    assert len(set(values)) == len(values)


def test_enumeration_is_lazy() -> None:
    first = next(enumerate_values(read_shape('n m; grid(n, m, ".#")'), 10**6))
    assert first.part("n") == first.part("m") == 1


def test_simpler_is_a_strict_total_order() -> None:
    shape = read_shape('n: 1..2 m: 1..2; grid(n, m, ".#X", X=1)')
    values = list(enumerate_values(shape, 99))
    for one in values:
        for other in values:
            assert is_simpler(shape, one, other) + is_simpler(shape, other, one) == (one != other)


@pytest.mark.parametrize(("slug", "largest", "count"), [("bridgit", 2, 12), ("apples", 2, 6), ("deadlock", 14, 8)])
def test_problems_have_small_inputs(slug: str, largest: int, count: int) -> None:
    shape = shape_of(slug)
    assert sum(1 for _ in enumerate_values(shape, largest)) == count


def test_sizes_without_a_value_cost_nothing() -> None:
    shape = read_shape("8 times { 8 * (string(1..8, a..c)) }")  # the least size is 136
    assert list(enumerate_values(shape, 100)) == []


def test_blocks_of_words_are_enumerated_completely() -> None:
    shape = read_shape('2 times { 2 * (string(1..2, "ab")) }')
    assert len({write(shape, value) for value in enumerate_values(shape, 14)}) == (2 + 4) ** 4


def test_many_words_in_a_row_cost_no_more_than_their_values() -> None:
    shape = read_shape("; ".join(['string(3..4, "ab")'] * 14))  # the least size is 42
    assert list(enumerate_values(shape, 41)) == []
    assert sum(1 for _ in islice(enumerate_values(shape, 42), 100)) == 100


def test_many_fixed_words_cost_no_more_than_their_values() -> None:
    shape = read_shape('"a" "b"\n' * 25 + "1..9")  # only the last item has a size
    assert [write(shape, value)[-2:] for value in enumerate_values(shape, 3)] == [b"1\n", b"2\n", b"3\n", b"4\n"]
