"""The same board against another king: a game is tried once for each answer that the interactor may be given."""

from pathlib import Path

from harness.package import Case, Group
from harness.package.files import File
from harness.search.answers import Answers
from harness.search.sources import cases_of

STYLES = (b"Yes path 1\n", b"Yes trap 1\n", b"Yes trap 2\n", b"No\n")


def test_a_game_is_new_once_for_each_answer_and_other_inputs_once() -> None:
    answers = Answers(known=STYLES)
    assert [answers.is_new(b"2 1\n", None, played=True) for _ in range(5)] == [True] * 4 + [False]
    assert [answers.is_new(b"2 1\n", b"No\n", played=True) for _ in range(2)] == [True, False]
    assert [answers.is_new(b"3 1\n", None, played=False) for _ in range(2)] == [True, False]


def test_every_answer_has_its_turn_and_one_of_another_word_comes_next() -> None:
    answers, firsts = Answers(known=STYLES), []
    for _ in STYLES:
        assert answers.is_new(b"2 1\n", None, played=True)
        order = answers.in_turn(b"2 1\n")
        firsts.append(order[0])
        assert sorted(order) == sorted(STYLES)
        assert {one.split()[0] for one in order[:2]} == {b"Yes", b"No"}
    assert sorted(firsts) == sorted(STYLES)


def test_the_answer_that_an_input_failed_with_is_tried_first() -> None:
    assert all(Answers(known=STYLES).in_turn(b"9 9\n", first)[0] == first for first in STYLES)


def case(name: str, data: bytes) -> Case:
    return Case(name=name, input=File(origin=Path(name), content=data), answer=None)


def test_the_largest_cases_are_those_with_the_most_bytes_or_the_largest_numbers() -> None:
    boards = ("20 19 First", "2 1 Second", "10 10 Second", "4 2 First", "9 " * 60)
    group = Group(name="secret", cases=tuple(case(text[:5], f"{text}\n".encode()) for text in boards))
    for both_ends, order in ((False, (1, 3, 2, 0, 4)), (True, (1, 4, 3, 0, 2))):
        found = [one.data for one in cases_of(group, with_answers=False, both_ends=both_ends)]
        assert found == [f"{boards[at]}\n".encode() for at in order]
