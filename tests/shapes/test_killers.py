"""Each known killer does what it is named for."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_line import invoke
from harness.shapes import parse, read_shape
from harness.shapes.killers import (
    GRAPHS,
    GROWTH,
    HASHES,
    NAMES,
    RESERVED,
    WORDS,
    beyond_floats,
    cliques,
    colliding,
    collision,
    distinct_in_one_bucket,
    falling,
    hash_of,
    hubs,
    late_improvements,
    long_path,
    median_of_three,
    middle_pivot,
    one_bucket,
    organ_pipe,
    overflow_pairs,
    square_roots,
    thue_morse,
    two_sides,
)
from harness.shapes.place_killers import killer_inputs, without_misfits

DOCUMENT = Path(__file__).parents[2] / "docs" / "shapes.md"
LETTERS = b"abcdefghijklmnopqrstuvwxyz"


def comparisons(numbers: list[int], *, median: bool) -> int:
    """Of quicksort with the middle item, or the median of three, as its pivot."""
    steps, parts = 0, [list(numbers)]
    while parts:
        part = parts.pop()
        if len(part) < 3:
            continue
        steps += len(part)
        low, high = 0, len(part) - 1
        middle = (low + high) // 2
        if median:
            for first, second in ((low, middle), (middle, high), (low, middle)):
                if part[first] > part[second]:
                    part[first], part[second] = part[second], part[first]
        pivot = part[middle]
        while low <= high:
            while part[low] < pivot:
                low += 1
            while part[high] > pivot:
                high -= 1
            if low <= high:
                part[low], part[high] = part[high], part[low]
                low, high = low + 1, high - 1
        parts += [part[: high + 1], part[low:]]
    return steps


@pytest.mark.parametrize(("median", "killer"), [(False, middle_pivot), (True, median_of_three)])
def test_quicksort_takes_quadratic_time(median: bool, killer: object) -> None:
    order = list(killer(2000, 1, 2000 + 1))  # type: ignore[operator]
    assert sorted(order) == list(range(1, 2001))
    assert comparisons(order, median=median) > 10 * comparisons(
        [at * 7919 % 2003 for at in range(2000)], median=median
    )


@pytest.mark.parametrize(("count", "high"), [(1000, 10**9), (100_000, 10**9), (200_000, 10**18), (200_000, 10**8)])
def test_keys_fill_the_bucket_of_a_table_that_has_grown(count: int, high: int) -> None:
    numbers = one_bucket(GROWTH, count, 5, high)
    keys = set(numbers)
    [buckets] = [buckets for before, buckets in GROWTH if before < len(keys) <= buckets]
    assert len(numbers) == count and all(5 <= key <= high and key % buckets == 0 for key in keys)
    assert numbers[len(keys) :] == [numbers[0]] * (count - len(keys))
    assert one_bucket(GROWTH, 1000, 1, 1000) == []


def test_distinct_keys_begin_with_those_of_one_bucket() -> None:
    numbers = distinct_in_one_bucket(100_000, 1, 10**9)
    assert len(set(numbers)) == 100_000
    in_one = len(one_bucket(GROWTH, 100_000, 1, 10**9)) and numbers.index(1)
    assert any(before < in_one <= buckets and numbers[in_one - 1] % buckets == 0 for before, buckets in GROWTH)
    assert distinct_in_one_bucket(1000, 1, 999) == []


def test_keys_are_those_on_which_the_slowest_of_several_tables_is_slow() -> None:
    keys = one_bucket(RESERVED, 10_000, 1, 10**9)
    assert len(set(keys)) == 10**9 // 107_897 and all(key % 107_897 == 0 for key in keys)


@pytest.mark.parametrize(
    ("killer", "count", "low", "high", "numbers"),
    [
        (organ_pipe, 5, 1, 9, [1, 2, 3, 2, 1]),
        (falling, 3, 1, 9, [9, 8, 7]),
        (falling, 3, 8, 9, []),
        (overflow_pairs, 3, -5, 7, [-5, 7, -5]),
        (square_roots, 7, 0, 100, [9, 10, 11, 100, 99, 81, 80]),
        *[
            (beyond_floats, 4, 0, high, [2**power - 1, 2**power, 2**power + 1, 2**power - 1])
            for power, high in ((53, 10**18), (32, 10**10), (31, 3 * 10**9), (24, 10**9))
        ],
    ],
)
def test_numbers_at_which_programs_overflow_round_or_loop(
    killer: Callable[..., list[int]], count: int, low: int, high: int, numbers: list[int]
) -> None:
    assert list(killer(count, low, high)) == numbers


@pytest.mark.parametrize("base", [31, 131, 10**9 + 7])
def test_halves_have_the_same_hash_modulo_two_to_the_64(base: int) -> None:
    word, _ = thue_morse(4096, b"ab")
    assert word[:2048] != word[2048:]
    assert hash_of(word[:2048], base, 1 << 64) == hash_of(word[2048:], base, 1 << 64)
    assert thue_morse(2047, b"ab") == [], "too short for equal hashes"


@pytest.mark.parametrize(("base", "modulus"), HASHES[:2])
def test_two_words_have_the_same_hash(base: int, modulus: int) -> None:
    pair = collision(base, modulus, LETTERS)
    assert pair is not None
    assert pair[0] != pair[1]
    assert hash_of(pair[0], base, modulus) == hash_of(pair[1], base, modulus)
    [word] = colliding(base, modulus, 30, LETTERS)
    assert len(word) == 30 and word.startswith(pair[0] + pair[1]), "a longer word holds both"


def test_a_queue_relaxes_the_leaves_of_the_hub_again_and_again() -> None:
    """SPFA: relaxations go with the square of the edges."""
    edges = late_improvements(400, 600, 10**9)
    assert len(edges) == 600
    beside: dict[int, list[tuple[int, int]]] = {}
    for first, second, weight in edges:
        beside.setdefault(first, []).append((second, weight))
    distance, queue, relaxed = {1: 0}, [1], 0
    for vertex in queue:
        for other, weight in beside.get(vertex, ()):
            relaxed += 1
            if distance[vertex] + weight < distance.get(other, 10**18):
                distance[other] = distance[vertex] + weight
                queue.append(other)
    assert relaxed > 20 * len(edges)


def test_single_numbers_are_equal_to_those_of_lists() -> None:
    shape = read_shape("n: 1..10^5 x: 1..10^9 y: 1..10^9; n * (1..10^9)")
    [(_, data)] = killer_inputs(shape, 2000, names=["all equal, single numbers too"])
    count, *numbers = data.split()
    assert int(count) > 100 and set(numbers) == {b"1"}


@pytest.mark.parametrize(
    ("name", "word"),
    [("last letter differs", b"aaaaaab"), ("two letters in turn", b"abababa"), ("two halves", b"aaaabbb")],
)
def test_words_of_two_letters(name: str, word: bytes) -> None:
    assert WORDS[name](7, LETTERS) == [word]
    assert WORDS[name](7, b"a") == WORDS[name](0, b"") == []


@pytest.mark.parametrize("rows", ["m * (1..n)", "m times { (1..n) }"])
def test_two_lists_have_a_killer_each(rows: str) -> None:
    shape = read_shape(f"n: 1..10^5 m: 1..10^5; n * (1..10^6); {rows}")
    found = {name: data.splitlines() for name, data in killer_inputs(shape, 4000) if ", then " in name}
    assert len(found) == 7
    pairs = {(first.split()[:3] == [b"1", b"2", b"3"], len({*b" ".join(rest).split()}) == 1)
             for _, first, *rest in found.values()}  # fmt: skip
    assert (True, True) in pairs
    assert not [name for name, _ in killer_inputs(read_shape("n: 1..9; n * (1..9)"), 40) if ", then " in name]


def test_a_long_path_reaches_every_vertex_one_after_the_other() -> None:
    assert long_path(5, 4, 9) == [(1, 2, 1), (2, 3, 1), (3, 4, 1), (4, 5, 1)]
    assert long_path(5, 5, 9)[4:] == [(1, 3, 9)]


@given(st.integers(2, 40), st.integers(1, 200))
def test_dense_graphs_have_all_edges_once_or_none(vertices: int, edges: int) -> None:
    for connect in (cliques, hubs, two_sides):
        drawn = [edge[:2] for edge in connect(vertices, edges, 9)]
        assert len(set(drawn)) == len(drawn) == (edges if drawn else 0)
        assert all(1 <= one < other <= vertices for one, other in drawn)


@pytest.mark.parametrize(
    "limits", ["n: 1..10^5 m: 1..10^5", "n: 200..10^5 m: 1..10^5", "n: 1..10^5 m: 1..n", "n: 1..10^5 m: 0..2*n"]
)
def test_limits_that_small_sparse_or_dense_graphs_break_rule_out_no_graph(limits: str) -> None:
    assert without_misfits(read_shape(f"{limits}; graph(n, m, simple)"), list(GRAPHS)) == list(GRAPHS)


def test_the_cliques_of_a_sparse_graph_are_whole() -> None:
    (_, data), *_ = killer_inputs(read_shape("n: 1..10^5 m: 1..10^5; graph(n, m)"), 302, names=["cliques"])
    count, *ends = data.split()[0], *data.split()[2:]
    assert (count, set(Counter(ends).values())) == (b"150", {2})


def test_cliques_stand_side_by_side_and_hubs_and_sides_touch_all() -> None:
    assert [edge[:2] for edge in cliques(6, 6, 1)] == [(1, 2), (1, 3), (2, 3), (4, 5), (4, 6), (5, 6)]
    assert [edge[:2] for edge in hubs(4, 5, 1)] == [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4)]
    assert [edge[:2] for edge in two_sides(5, 6, 1)] == [(1, 3), (1, 4), (1, 5), (2, 3), (2, 4), (2, 5)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("n: 1..10^5; n * (1..10^9)", {"largest", "square roots", "unordered_map", "quicksort, middle pivot"}),
        ("n: 1..10^5; n times { x: 0..10^9 }", {"largest", "overflow", "organ pipe", "all equal"}),
        ("n: 1..10^5 x: 1..10^9 y: 1..10^9; n * (1..10^9)", {"all equal", "all equal, single numbers too"}),
        ("n: 1..10^5; distinct(n * (1..10^9))", {"quicksort, median of three", "rising"}),
        ("n: 1..10^5; n times { (1..n) }", {"rising", "organ pipe", "quicksort, middle pivot"}),
        ('brackets(1..10^5, "()")', {"two letters in turn", "two halves"}),
        ("string(1..10^5, a..z)", {"hash modulo 2^64", "hash 31 modulo 1000000007"}),
        (
            "n: 2..10^5 m: 1..10^5; graph(n, m, weight=1..10^9)",
            {"long path", "late improvements", "cliques", "hubs", "two sides"},
        ),
        ("n: 2..10^5 m: 1..10^5; graph(n, m, base=0)", {"long path", "cliques", "hubs", "two sides"}),
    ],
)
def test_killers_are_written_where_they_fit(text: str, names: set[str]) -> None:
    shape = read_shape(text)
    known = dict(killer_inputs(shape, 20_000))
    assert names <= known.keys()
    for data in known.values():
        parse(shape, data)


def test_a_small_table_of_a_shape_takes_no_large_killer() -> None:
    assert not any("unordered" in name for name, _ in killer_inputs(read_shape("n: 1..10; n * (1..9)"), 100))


@pytest.mark.slow
def test_a_hash_is_broken_by_words_that_collide(tmp_path: Path) -> None:
    hashed = "sum(len({{{key} for i in range(len(s) - 6)}}) for _ in [0])"
    for name, key in (("wrong", "h(s[i:i+7])"), ("right", "s[i:i+7]")):
        (tmp_path / f"{name}.py").write_text(
            "def h(w):\n    v = 0\n    for c in w:\n        v = (v * 31 + ord(c)) % (10**9 + 7)\n    return v\n"
            f"s = input()\nprint({hashed.format(key=key)})\n"
        )
    words = ("--brute", tmp_path / "right.py", "--shape", "string(1..2000, a..z)", "--time", "30")
    assert "Wrong answer" in invoke("stress", tmp_path / "wrong.py", *words).output


def test_the_documentation_names_every_killer() -> None:
    text = DOCUMENT.read_text("utf-8")
    assert [name for name in NAMES if f"`{name}`" not in text] == [
        f"hash {base} modulo {prime}" for base, prime in HASHES
    ]
    assert "`hash B modulo P`" in text
