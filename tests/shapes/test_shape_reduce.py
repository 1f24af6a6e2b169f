"""Reducers: every candidate is a simpler value of the shape; the greedy loop reaches the true minimum."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice
from random import Random

import pytest
from shape_texts import SHAPES, SLUGS, samples_of, shape_of

from harness.shapes import Record, Shape, draw, enumerate_values, fits, parse, read_shape, shrink, size, write
from harness.shapes.shrinking import Shrunk, candidates, others, shrink_ahead, simplest_of_its_size
from harness.shapes.values import is_simpler

Predicate = Callable[[Record], bool]


def law_of_candidates(shape: Shape, value: Record, most: int) -> int:
    seen = set()
    for candidate in islice(candidates(shape, value), most):
        text = write(shape, candidate)
        assert parse(shape, text) == candidate
        assert fits(shape, candidate)
        assert candidate != value
        assert size(shape, candidate) <= size(shape, value)
        assert is_simpler(shape, candidate, value)
        assert text not in seen
        seen.add(text)
    return len(seen)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", SHAPES)
def test_every_candidate_is_a_simpler_value_of_the_shape(name: str) -> None:
    shape = read_shape(SHAPES[name])
    found = sum(law_of_candidates(shape, draw(shape, Random(seed), 40), 400) for seed in range(12))
    assert found > 0


@pytest.mark.parametrize("slug", SLUGS)
def test_every_candidate_for_a_sample_is_of_the_problem(slug: str) -> None:
    shape = shape_of(slug)
    for path in samples_of(slug):
        law_of_candidates(shape, parse(shape, path.read_bytes()), 300)


@pytest.mark.parametrize("name", [*SHAPES])
def test_without_a_condition_the_simplest_value_of_all_is_left(name: str) -> None:
    shape = read_shape(SHAPES[name])
    least = next(enumerate_values(shape, 64))
    for seed in range(4):
        found = shrink(shape, draw(shape, Random(seed), 60), lambda _: True, 3000)
        assert found.is_minimal
        assert size(shape, found.value) == size(shape, least)


def wall_beside_mark(value: Record) -> bool:
    return any(b"X#" in row for row in value.part("g"))


def wall_right_and_wall_lower_left(value: Record) -> bool:
    for number, row in enumerate(value.part("g")):
        at = row.find(b"X")
        if at >= 0:
            return row[at + 1 : at + 2] == b"#" and any(b"#" in low[:at] for low in value.part("g")[number + 1 :])
    return False


def mark_is_shut_in(value: Record) -> bool:
    rows = value.part("g")
    row = next(number for number, cells in enumerate(rows) if b"X" in cells)
    at = rows[row].index(b"X")
    around = ((row - 1, at), (row + 1, at), (row, at - 1), (row, at + 1))
    inside = [rows[y][x] for y, x in around if 0 <= y < len(rows) and 0 <= x < len(rows[0])]
    return len(rows) > 1 < len(rows[0]) and all(cell == ord("#") for cell in inside)


def three_rows_with_walls(value: Record) -> bool:
    return sum(b"#" in row for row in value.part("g")) >= 3


def wide_with_two_walls(value: Record) -> bool:
    return len(value.part("g")[0]) >= 3 and sum(row.count(b"#") for row in value.part("g")) >= 2


def descent(value: Record) -> bool:
    return any(one > other + 2 for one, other in zip(value.part("a"), value.part("a")[1:], strict=False))


def large_sum(value: Record) -> bool:
    return sum(value.part("a")) >= 9


def three_equal(value: Record) -> bool:
    return max(Counter(value.part("a")).values(), default=0) >= 3


def rises_and_falls(value: Record) -> bool:
    return any(
        a < b > c for a, b, c in zip(value.part("a"), value.part("a")[1:], value.part("a")[2:], strict=False)
    )


def degree(value: Record, least: int) -> bool:
    return max(Counter(vertex for edge in value.part("e") for vertex in edge).values(), default=0) >= least


def branching(value: Record) -> bool:
    return degree(value, 3)


def depth_of_three(value: Record) -> bool:
    beside: dict[int, list[int]] = {}
    for one, other in value.part("e"):
        beside.setdefault(one, []).append(other)
        beside.setdefault(other, []).append(one)
    far, queue = {1: 0}, [1]
    for vertex in queue:
        for other in beside.get(vertex, []):
            if other not in far:
                far[other] = far[vertex] + 1
                queue.append(other)
    return max(far.values()) >= 3


def two_inner_vertices(value: Record) -> bool:
    counts = Counter(vertex for edge in value.part("e") for vertex in edge)
    return sum(count >= 2 for count in counts.values()) >= 2


def entrance_behind_a_wall(value: Record) -> bool:
    return any(any(b"E#X" in row for row in case.part("g")) for case in value.parts[1])


def two_cases_that_differ(value: Record) -> bool:
    return len({case.part("g") for case in value.parts[1]}) >= 2


GRID = 'n: 1..40 m: 1..40; g: grid(n, m, ".#X", X=1)'
ARRAY = "n: 1..60; a: n * (0..100)"
TREE = "n: 1..60; e: tree(n)"
CASES = 'T: 1..30; T times { R: 1..30 C: 1..30; g: grid(R, C, ".#EX", E=1, X=1) }'

# The condition, the shape, the size at which to start, the largest size to enumerate, executions allowed in the mean.
MINIMA: dict[Predicate, tuple[str, int, int, int]] = {
    wall_beside_mark: (GRID, 1000, 9, 40),
    wall_right_and_wall_lower_left: (GRID, 1000, 9, 80),
    mark_is_shut_in: (GRID, 1000, 9, 80),
    descent: (ARRAY, 60, 8, 60),
    large_sum: (ARRAY, 60, 12, 60),
    three_equal: (ARRAY, 60, 8, 80),
    rises_and_falls: (ARRAY, 60, 8, 60),
    branching: (TREE, 60, 8, 40),
    depth_of_three: (TREE, 60, 8, 60),
    two_inner_vertices: (TREE, 60, 8, 60),
    entrance_behind_a_wall: (CASES, 400, 9, 60),
}


# Greed ends beside the minimum here: three cells of wall in one column cannot be reached without a larger grid, nor one
# row with two walls from three rows of three.
TRAPS: dict[Predicate, tuple[str, int, int, int]] = {
    three_rows_with_walls: (GRID, 1000, 9, 200),
    wide_with_two_walls: (GRID, 1000, 9, 200),
    two_cases_that_differ: (CASES, 400, 9, 250),
}


def starts(shape: Shape, fails: Predicate, large: int, wanted: int) -> list[Record]:
    """Large random values that fail."""
    found: list[Record] = []
    for seed in range(4000):
        value = draw(shape, Random(seed), large)
        if size(shape, value) > 20 and fails(value):
            found.append(value)
        if len(found) == wanted:
            break
    return found


def least_size(shape: Shape, fails: Predicate, largest: int) -> int:
    """The size of the smallest value that fails, by trying all."""
    return size(shape, next(value for value in enumerate_values(shape, largest) if fails(value)))


def shrink_all(fails: Predicate, wanted: int = 6, exhaustive: int = 0) -> tuple[int, list[Shrunk], Shape]:
    text, large, largest, _ = {**MINIMA, **TRAPS}[fails]
    shape = read_shape(text)
    found = [
        shrink(shape, each, fails, 5000, exhaustive=exhaustive) for each in starts(shape, fails, large, wanted)
    ]
    return least_size(shape, fails, largest), found, shape


@pytest.mark.parametrize("fails", MINIMA, ids=lambda fails: fails.__name__)
def test_shrinking_finds_the_true_minimum_in_few_executions(fails: Predicate) -> None:
    least, found, shape = shrink_all(fails)
    assert len(found) >= 3
    assert [size(shape, each.value) for each in found] == [least] * len(found)
    assert all(fails(each.value) and each.is_minimal for each in found)
    assert sum(each.executions for each in found) <= MINIMA[fails][3] * len(found)


@pytest.mark.parametrize("fails", [*MINIMA, *TRAPS], ids=lambda fails: fails.__name__)
def test_trying_all_smaller_values_proves_the_minimum(fails: Predicate) -> None:
    least, found, shape = shrink_all(fails, 3, exhaustive=5000)
    assert [(size(shape, each.value), each.is_proven) for each in found] == [(least, True)] * len(found)
    if fails in TRAPS:
        assert sum(each.executions for each in found) <= TRAPS[fails][3] * len(found)


def test_of_several_of_the_least_size_the_simplest_is_shown() -> None:
    shape = read_shape('n m; grid(n, m, ".X", X=1)')
    failing = {b"4 1\n.\n.\nX\n.\n", b"1 4\n..X.\n", b"1 4\n...X\n", b"3 2\n..\nX.\n..\n"}
    tall = parse(shape, b"4 1\n.\n.\nX\n.\n")

    def fail(asked: Sequence[Record]) -> list[bool]:
        return [write(shape, one) in failing for one in asked]

    assert write(shape, shrink_ahead(shape, tall, fail, 1000, exhaustive=1000).value) == b"4 1\n.\n.\nX\n.\n"
    assert write(shape, simplest_of_its_size(shape, tall, fail, 1000)) == b"1 4\n..X.\n"
    assert simplest_of_its_size(shape, tall, fail, 0) == tall


def test_shrinking_is_deterministic_and_asks_for_nothing_twice() -> None:
    shape = read_shape(GRID)
    start = starts(shape, mark_is_shut_in, 1000, 1)[0]
    asked: list[list[bytes]] = [[], []]
    for log in asked:

        def fails(value: Record, log: list[bytes] = log) -> bool:
            log.append(write(shape, value))
            return mark_is_shut_in(value)

        found = shrink(shape, start, fails, 5000)
        assert found.executions == len(log) == len(set(log))
    assert asked[0] == asked[1]


def test_shrinking_stops_at_its_budget() -> None:
    shape = read_shape(GRID)
    start = starts(shape, wide_with_two_walls, 1000, 1)[0]
    found = shrink(shape, start, wide_with_two_walls, 5)
    assert (found.executions, found.is_minimal) == (5, False)
    assert wide_with_two_walls(found.value)


def test_a_number_is_lowered_to_the_bound_in_a_logarithm_of_tries() -> None:
    shape = read_shape("n: 1..10^9 k: -10^9..10^9")
    found = shrink(shape, parse(shape, b"987654321 -5\n"), lambda value: value.part("n") >= 123456, 500)
    assert write(shape, found.value) == b"123456 0\n"
    assert found.executions < 100


@pytest.mark.parametrize("sign", [1, -1])
def test_equal_numbers_are_lowered_together(sign: int) -> None:
    """As where a program compares boxed integers: only equal ones from 128 on differ."""
    shape = read_shape("n: 1..5; n * (-10^9..10^9)")

    def fails(value: Record) -> bool:
        first, *others = value.parts[1]
        return len(others) > 1 and sign * first >= 128 and set(others) == {first}

    start = b"3\n%d %d %d\n" % ((sign * 987654321,) * 3)
    found = shrink(shape, parse(shape, start), fails, 500)
    assert write(shape, found.value) == b"3\n%d %d %d\n" % ((sign * 128,) * 3)


def test_a_position_of_deadlock_is_reduced_within_its_format() -> None:
    shape = shape_of("deadlock")

    def fails(value: Record) -> bool:
        return any(b"#$#" in row for case in value.parts[1] for row in case.parts[2])

    start = next(value for seed in range(500) if fails(value := draw(shape, Random(seed), 400)))
    found = shrink(shape, start, fails, 3000)
    assert len(found.value.parts[1]) == 1
    assert size(shape, found.value) <= 14 + 3
    assert fits(shape, found.value)


def test_parallel_arrays_and_indexes_lose_the_same_places() -> None:
    shape = read_shape("n q: 1..9; a: n * (1..9); b: n * (1..9); q times { l: 1..n r: l..n }")
    start = parse(shape, b"5 2\n1 2 7 4 5\n5 4 8 2 1\n1 2\n2 3\n")

    def fails(value: Record) -> bool:
        return any(
            value.part("a")[case.part("r") - 1] == 7 and value.part("b")[case.part("r") - 1] == 8
            for case in value.parts[4]
        )

    assert write(shape, shrink(shape, start, fails, 500).value) == b"1 1\n7\n8\n1 1\n"


def depth(parents: tuple[int, ...]) -> int:
    depths = [0]
    for parent in parents:
        depths.append(depths[parent - 1] + 1)
    return max(depths)


@pytest.mark.parametrize("kind", ["deep", "wide"])
def test_a_tree_of_many_parents_is_reduced_to_what_matters(kind: str) -> None:
    """A path of the depth that fails and nothing else; a star of the degree that fails and nothing else."""
    shape = read_shape("n: 1..300 q: 1..9; parents(n); q times { v: 1..n }")
    fails: Predicate = (
        (lambda value: depth(value.parts[2]) >= 6)
        if kind == "deep"
        else (lambda value: max(Counter(value.parts[2]).values(), default=0) >= 5)
    )
    values = (draw(shape, Random(seed), 300, full=True) for seed in range(60))
    for value in islice(filter(fails, values), 8):
        found = shrink(shape, value, fails, 2000)
        assert found.value.parts[2] == ((1, 2, 3, 4, 5, 6) if kind == "deep" else (1, 1, 1, 1, 1))


def test_a_deep_tree_of_rows_keeps_its_depth_when_its_head_is_cut() -> None:
    """What hung on a row that is gone hangs on the last one before it."""
    shape = read_shape("n: 1..60; n-1 times as i { p: 1..i w: 0..9 }")
    path = b"".join(b"%d %d\n" % (row, row == 39) for row in range(1, 40))
    value = parse(shape, b"40\n" + path)

    def fails(one: Record) -> bool:
        depths = [0]
        for row in one.parts[1]:
            depths.append(depths[row.part("p") - 1] + 1)
        return max(depths) >= 3 and any(row.part("w") for row in one.parts[1])

    assert write(shape, shrink(shape, value, fails, 2000).value) == b"4\n1 0\n2 0\n3 1\n"


def test_what_hung_on_a_dropped_vertex_hangs_on_the_next_above_it() -> None:
    shape = read_shape("n: 1..9; parents(n, root=0, anywhere)")
    first = next(candidates(shape, parse(shape, b"4\n2 3 4 0\n")))
    assert write(shape, first) in (b"1\n0\n", b"2\n2 0\n")


def test_what_a_large_value_can_lose_as_a_whole_goes_before_the_rest_is_cut_finely() -> None:
    """Only the vertices count: without their edges the search for their least number is cheap."""
    shape = read_shape("n: 1..3000 m: 0..3000 w: 1..10^9; graph(n, m, simple); m * (0..10^9)")
    drawn = (draw(shape, Random(seed), 4000, full=True) for seed in range(100))
    large = next(value for value in drawn if value.part("n") > 1500 and value.part("m") > 500)
    shrunk = shrink(shape, large, lambda value: value.part("n") > 1000, budget=60).value
    assert (shrunk.part("n"), shrunk.part("m")) == (1001, 0)


def test_letters_that_matter_nowhere_go_all_at_once() -> None:
    shape = read_shape('(string(1..1000, "a()x"))')
    value = parse(shape, b"".join(Random(1).choices([b"a", b"(", b")", b"x"], k=900)) + b"\n")
    deep = value.parts[0].count(b"(")
    found = shrink(shape, value, lambda one: one.parts[0].count(b"(") >= deep, budget=10_000)
    assert found.value.parts == (b"(" * deep,)
    assert found.executions < 3 * deep


def test_walls_of_a_large_grid_go_before_its_rows_are_dropped_one_by_one() -> None:
    """So many free cells take least room without walls."""
    shape = read_shape('M: 1..90 N: 1..90; g: grid(M, N, ".#")')
    rows = tuple((b"." * 9 + b"#") * 9 if at % 10 else b"#" * 90 for at in range(90))
    walled = parse(shape, b"90 90\n" + b"\n".join(rows) + b"\n")

    def fails(value: Record) -> bool:
        return sum(row.count(b".") for row in value.part("g")) > 2000

    shrunk = shrink(shape, walled, fails, budget=40).value
    assert not any(b"#" in row for row in shrunk.part("g"))
    assert size(shape, shrunk) < 3000


def test_candidates_for_a_large_value_are_asked_about_one_by_one() -> None:
    """To draw them again, where one of many at once fails, would take longer than the questions."""
    shape = read_shape('M: 1..1000 N: 1..1000; grid(M, N, ".#")')
    asked: list[int] = []

    def failing(some: Sequence[Record]) -> list[bool]:
        asked.append(len(some))
        return [value.part("M") * value.part("N") > 120_000 for value in some]

    rows = b"." * 350 + b"\n"
    shrink_ahead(shape, parse(shape, b"350 350\n" + 350 * rows), failing, 12)
    assert len(asked) == 12


def test_other_values_to_begin_with_are_simpler_ones_of_the_shape_and_more_than_one_step_away() -> None:
    shape = read_shape('M: 1..9 N: 1..9; g: grid(M, N, ".#")')
    square = parse(shape, b"7 7\n" + b".......\n" * 7)
    found = list(islice(others(shape, square, Random(1)), 100))
    assert all(fits(shape, one) and is_simpler(shape, one, square) for one in found)
    assert any(one.part("M") == one.part("N") for one in found)


def test_other_values_to_begin_with_end_where_nothing_is_simpler() -> None:
    shape = read_shape("n: 0..3")
    assert list(others(shape, parse(shape, b"0\n"), Random(1))) == []
    assert {write(shape, one) for one in others(shape, parse(shape, b"1\n"), Random(1))} <= {b"0\n"}
