"""Random values: of the shape, of about the size, and the same for the same seed on every Python."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import isqrt, lcm
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shape_texts import SHAPES, SLUGS, shape_of

from harness.shapes import ShapeError, draw, draw_large, fits, parse, read_shape, size, write
from harness.shapes.drawing import Bits, Drawer
from harness.shapes.expressions import Env
from harness.shapes.kinds.times import Times
from harness.shapes.values import ATTEMPTS

GOLDEN = "511fcf5d94059430d9f45d7c99fd97432587a85df59eb1c2919dac0803ef93ff"


@pytest.mark.parametrize("name", SHAPES)
def test_what_is_drawn_is_of_the_shape(name: str) -> None:
    shape = read_shape(SHAPES[name])
    for seed in range(120):
        value = draw(shape, Random(seed), 1 + seed // 2)
        assert fits(shape, value)
        assert parse(shape, write(shape, value)) == value


@pytest.mark.parametrize("slug", SLUGS)
def test_values_of_the_problems_differ(slug: str) -> None:
    shape = shape_of(slug)
    drawn = {write(shape, draw(shape, Random(seed), 60)) for seed in range(100)}
    assert len(drawn) > 50


def test_grids_are_about_as_large_as_asked_for() -> None:
    shape = read_shape('n: 1..1000 m: 1..1000; grid(n, m, ".#")')
    sizes = sorted(size(shape, draw(shape, Random(seed), 400)) for seed in range(200))
    assert sizes[-1] <= 400 + 399  # cells, and what the sides are above 1
    assert sizes[20] < 60 < 300 < sizes[160]


def test_many_test_cases_of_a_size_are_drawn_at_once_as_far_as_the_shape_allows() -> None:
    shape = read_shape("T: 1..20; T times { n: 0..50; n * (1..9) }")
    values = [draw(shape, Random(seed), 12, many=30) for seed in range(50)]
    assert {value.part("T") for value in values} == {20}
    sizes = [len(case.parts[1]) for value in values for case in value.parts[1]]
    assert max(sizes) > 6 and sum(sizes) < 12 * len(sizes)
    alone = read_shape("n: 1..20; n * (1..9)")
    assert draw(alone, Random(1), 12, many=30) == draw(alone, Random(1), 12)


def test_large_grids_can_be_drawn() -> None:
    shape = read_shape('n: 1000 m: 1000; grid(n, m, ".#X", X=1)')
    value = draw(shape, Random(1), 10**6)
    assert len(value.parts[2]) == 1000


def test_the_same_seed_gives_the_same_bytes_on_every_python() -> None:
    digest = hashlib.sha256()
    for text in SHAPES.values():
        shape = read_shape(text)
        for seed in range(20):
            digest.update(write(shape, draw(shape, Random(seed), 30)))
    assert digest.hexdigest() == GOLDEN


@pytest.mark.parametrize(
    "before", ["w * (string(1..3, a..z))", "w * (1..10^9)", "w times { k: 1..5; k * (1..10) }"]
)
def test_an_array_of_one_kind_looks_alike_at_all_sizes_whatever_stands_before_it(before: str) -> None:
    """But where one of the sizes leaves it a few numbers."""
    shape = read_shape(f"w: 1..10^4; {before}; n: 1..10^4; n * (1..10^9)")

    def order(kind: int, size: int) -> tuple[bool, bool]:
        numbers = draw_large(shape, 5, size, kind=kind).parts[-1]
        pairs = list(pairwise(numbers))
        return all(one <= other for one, other in pairs), all(one >= other for one, other in pairs)

    alike = [kind for kind in range(20) if len({order(kind, size) for size in (400, 4000, 8000)}) == 1]
    assert len(alike) >= 16


def test_a_single_case_gets_the_whole_size_only_if_it_can_be_large() -> None:
    small, large = (read_shape(f"t: 1..10^5; t times {{ k: 1..{most}; k * (1..1000) }}") for most in (3, 10**5))
    assert all(draw_large(small, 1, 2000, kind=kind).part("t") > 1 for kind in range(30))
    assert any(draw_large(large, 1, 2000, kind=kind).part("t") == 1 for kind in range(30))


def test_only_bits_are_taken_from_the_source() -> None:
    class OnlyBits(Random):
        def random(self) -> float:
            raise AssertionError

    shape = read_shape(SHAPES["cases"])
    assert write(shape, draw(shape, OnlyBits(3), 50)) == write(shape, draw(shape, Random(3), 50))


def test_blocks_that_are_drawn_one_by_one_are_not_a_million() -> None:
    shape = read_shape("T: 1..10^6; T times { n: 1..9; n * (1..9) }")
    assert max(draw(shape, Random(seed), 10**6, full=True).part("T") for seed in range(3)) <= 10_000


def test_more_blocks_are_read_than_are_drawn() -> None:
    assert len(parse(read_shape("until end { 1..9 }"), b"7\n" * 5000).parts[1]) == 5000


def test_a_shape_of_giants_is_refused() -> None:
    with pytest.raises(ShapeError, match="larger than"):
        draw(read_shape("10^9 * (0..9)"), Random(0), 10)


def test_a_shape_without_values_says_so() -> None:
    with pytest.raises(ShapeError, match="contradict"):
        draw(read_shape('grid(2, 2, ".X", X=5)'), Random(0), 10)


def test_numbers_beside_squares_and_powers_are_drawn() -> None:
    shape = read_shape("n: 0..10^18")
    drawn = {draw(shape, Random(seed), 30).part("n") for seed in range(3000)}
    assert any(number > 10**15 and isqrt(number + 1) ** 2 == number + 1 for number in drawn)
    assert any(number > 2**40 and number & (number - 1) == 0 for number in drawn)
    assert 10**18 in drawn


def test_arrays_come_sorted_constant_and_in_a_row_too() -> None:
    shape = read_shape("n: 50..60; a: n * (-1000..1000)")
    drawn = [draw(shape, Random(seed), 1000).part("a") for seed in range(300)]
    varied = [one for one in drawn if len(set(one)) > 20]
    assert any(list(one) == sorted(one) for one in varied)
    assert any(list(one) == sorted(one, reverse=True) for one in varied)
    assert any(len(set(one)) == 1 for one in drawn)
    assert any(all(two - first == 1 for first, two in pairwise(one)) for one in drawn)


def test_full_draws_are_mostly_as_large_as_the_size_allows() -> None:
    shape = read_shape("n: 1..100000; n * (0..9)")
    lengths = [draw(shape, Random(seed), 2000, full=True).part("n") for seed in range(60)]
    assert sum(length > 1900 for length in lengths) > 30


@pytest.mark.parametrize(
    "body", ["a: 1..n b: a..n c: -9..9", "either { 1 x: 1..n y: x..n } or { (string(1..3, a..z)) }"]
)
def test_many_rows_are_of_the_shape_too(body: str) -> None:
    """They are drawn column by column."""
    shape = read_shape(f"n: 3..5; 300 times {{ {body} }}")
    for seed in range(5):
        value = draw(shape, Random(seed), 1000)
        assert parse(shape, write(shape, value)) == value


def test_many_rows_come_in_order_now_and_then() -> None:
    shape = read_shape("200 times { a: 1..10^6 b: 1..10^6 }")
    drawn = [[row.part("a") for row in draw(shape, Random(seed), 10**6).parts[0]] for seed in range(60)]
    assert any(column == sorted(column) and len(set(column)) > 100 for column in drawn)
    assert any(column == sorted(column, reverse=True) and len(set(column)) > 100 for column in drawn)
    assert any(len(set(column)) == 1 for column in drawn)


def test_many_pairs_of_places_are_a_path_now_and_then() -> None:
    shape = read_shape("n: 300; 200 times { either { 1 a: 1..n b: 1..n } or { 2 a: 1..n } }")
    drawn = [[one.parts[0] for one in draw(shape, Random(seed), 1000).parts[1]] for seed in range(40)]
    joined = [[(one.part("a"), one.part("b")) for one in rows if one.form == 0] for rows in drawn]
    assert any(len(pairs) > 20 and all(b == a + 1 for a, b in pairs) for pairs in joined)
    assert any(len(pairs) > 20 and len({a for a, _ in pairs}) == 1 for pairs in joined)


def circles(permutation: Sequence[int]) -> list[int]:
    """The lengths of the circles of a permutation of 1 to n."""
    left, found = set(permutation), []
    while left:
        start = vertex = min(left)
        length = 0
        while not length or vertex != start:
            left.discard(vertex)
            vertex, length = permutation[vertex - 1], length + 1
        found.append(length)
    return found


def test_permutations_have_circles_of_many_lengths_now_and_then() -> None:
    shape = read_shape("n: 900..1000; permutation(n)")
    drawn = [draw(shape, Random(seed), 1000).parts[1] for seed in range(40)]
    assert all(sorted(one) == list(range(1, len(one) + 1)) for one in drawn)
    assert any(lcm(*circles(one)) > 2**63 for one in drawn)


def test_a_graph_without_a_way_back_is_drawn_in_any_order_of_its_vertices() -> None:
    shape = read_shape("n: 4..6 m: 8..40; graph(n, m, acyclic)")
    graphs = [draw(shape, Random(seed), 40).parts[2] for seed in range(30)]
    rising = [all(one < other for one, other in graph) for graph in graphs]
    assert any(rising)
    assert not all(rising)


@pytest.mark.parametrize("kind", ["", ", root=-1", ", anywhere", ", root=0, anywhere, forest"])
def test_lines_of_many_parents_are_deep_wide_and_both_now_and_then(kind: str) -> None:
    shape = read_shape(f"n: 1000; parents(n{kind})")
    trees = [draw(shape, Random(seed), 1000).parts[1] for seed in range(60)]
    counts = [[Counter(Counter(tree).values()), len(set(tree))] for tree in trees]
    assert any(distinct >= 999 for _, distinct in counts)  # a path
    assert any(distinct <= 2 for _, distinct in counts)  # a star
    legs = [times for times, distinct in counts if 498 <= distinct <= 502 and times[2] >= 498]
    assert legs  # a path, and on each of its vertices a leaf


def test_full_draws_are_often_of_one_case_that_is_as_large_as_can_be() -> None:
    shape = read_shape("T: 1..100; T times { n: 1..1000; n * (0..9) }")
    drawn = [draw(shape, Random(seed), 5000, full=True) for seed in range(40)]
    assert sum(value.part("T") == 1 and value.parts[1][0].part("n") == 1000 for value in drawn) >= 8
    assert sum(value.part("T") == 100 for value in drawn) >= 8


def test_a_form_of_many_rows_may_be_bounded_by_what_stands_before_it_in_its_row() -> None:
    shape = read_shape("q: 150..200\nq times { k: 1..9; either { 1 x: 1..k } or { 2 } }")
    for seed in range(5):
        text = write(shape, draw(shape, Random(seed), 300))
        assert parse(shape, text) is not None


@given(st.integers(0, 10**6), st.integers(-(10**12), 10**12), st.integers(0, 10**12))
def test_numbers_of_one_order_of_magnitude(seed: int, low: int, length: int) -> None:
    """With numbers of any size, products overflow in every program; with these in one program and not in another."""
    bits = Bits(source=Random(seed))
    drawer = Drawer(bits=bits, size=30, steady=True, full=False, many=1, magnitudes=True).integer_drawer(None, 0)
    numbers = [number for _ in range(5) for number in drawer.draw(low, low + length, 4)]
    assert all(low <= number <= low + length for number in numbers)
    if low <= 0 < low + length:
        distances = [abs(number) for number in numbers]
        assert max(distances) < 2 * max(1, min(distances))


def test_a_large_input_has_many_different_short_words() -> None:
    shape = read_shape("n: 1..200000; n times { string(1..3, a..z) }")
    drawn = [set(write(shape, draw(shape, Random(seed), 60_000, full=True)).split()) for seed in range(4)]
    assert max(map(len, drawn)) > 5_000


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ('n: 1..10^5; distinct(n times { fields(0..10 ".") })', 11),
        ('n: 1..10^5; distinct(n times { fields(0..2 "-" string(1..2, "ab")) a|b })', 36),
        ('n: 1..10^5; distinct(n times { string(1..2, "ab") 0..1 })', 12),
    ],
)
def test_all_different_blocks_of_words_are_drawn_where_there_are_few(text: str, most: int) -> None:
    shape = read_shape(text)
    drawn = [write(shape, draw(shape, Random(seed), 10**5, full=True)).splitlines()[1:] for seed in range(40)]
    assert all(len(set(lines)) == len(lines) for lines in drawn)
    assert max(map(len, drawn)) == most


def test_different_blocks_are_drawn_where_nearly_all_are_needed() -> None:
    shape = read_shape('n: 14..14; distinct(n times { grid(2, 2, "ab") })')  # of 16
    for seed in range(20):
        assert fits(shape, draw(shape, Random(seed), 60))


def test_many_different_blocks_that_do_not_exist_are_given_up_early(monkeypatch: pytest.MonkeyPatch) -> None:
    shape, original = read_shape("n: 1000..1000; distinct(n times { a: 1..13 b: 1..a })"), Times._drawn
    drawn: list[int] = []

    def counted(self: Times, drawer: Drawer, env: Env, budget: int, count: int) -> Any:
        drawn.append(count)
        return original(self, drawer, env, budget, count)

    monkeypatch.setattr(Times, "_drawn", counted)
    with pytest.raises(ShapeError, match="no value found"):  # there are 91
        draw(shape, Random(0), 100)
    assert len(drawn) <= 4 * ATTEMPTS
