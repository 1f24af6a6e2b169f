"""Inputs like a slow one differ from it in one place, and keep its form."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from harness.search.change_parts import with_one_part_changed
from harness.shapes.drawing import Bits

EDGES = b"4 3\n1 2 x\n2 3 y\n4 1 x\n"


def every(data: bytes, seed: int = 0) -> list[bytes]:
    return list(with_one_part_changed(data, Bits(source=Random(seed))))


def test_a_column_of_edges_becomes_a_star_and_a_path() -> None:
    many = {data for seed in range(40) for data in every(EDGES, seed)}
    assert b"4 3\n1 2 x\n1 3 y\n1 1 x\n" in many, "all the least"
    assert b"4 3\n1 2 x\n2 3 y\n3 1 x\n" in many, "one after the other"
    assert b"4 3\n1 2 x\n2 3 x\n4 1 x\n" in many, "words, too"


def test_single_numbers_are_halved_doubled_and_moved_by_one() -> None:
    many = set(every(b"40 500\n"))
    assert {b"20 500\n", b"80 500\n", b"39 500\n", b"41 500\n", b"40 0\n", b"40 250\n"} <= many


def test_a_long_word_gets_its_letters_in_order() -> None:
    many = {data for seed in range(20) for data in every(b"cabab\n", seed)}
    assert {b"aabbc\n", b"cbbaa\n", b"aaaaa\n"} <= many


@given(
    st.lists(st.lists(st.sampled_from([b"1", b"-7", b"30", b"x", b"ab"]), min_size=1, max_size=9), min_size=1),
    st.integers(0, 9),
)
def test_each_input_differs_in_words_only_and_no_line_gets_longer(rows: list[list[bytes]], seed: int) -> None:
    data = b"".join(b" ".join(row) + b"\n" for row in rows)
    for other in every(data, seed):
        assert other != data
        assert [len(line.split(b" ")) for line in other.splitlines()] == list(map(len, rows))


def test_the_same_seed_gives_the_same_inputs() -> None:
    assert every(EDGES, 5) == every(EDGES, 5) != every(EDGES, 6)


def test_of_a_large_input_with_many_short_lines_some_places_are_changed() -> None:
    data = b"2000\n" + b"3\n1 2 3\n" * 2000
    assert len(every(data)) in range(1, 1001)
