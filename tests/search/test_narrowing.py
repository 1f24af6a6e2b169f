"""A guess that is wider than the validators allow is narrowed to what the samples show, and no further than needed."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from harness.host.run_many import OutOfTimeError
from harness.search.learn_rules import Narrowing, draws, valid_part
from harness.search.policy import LEARN
from harness.search.target import other_readings
from harness.shapes import Shape, infer, parsed, read_shape, readings

CARS = b"5 3\nbanana\ncar\nsand\nuncharacteristically\ncounterrevolutionaries\nRRR\nDNA\nSND\n"


def narrowed(text: str, samples: Sequence[bytes], holds: Callable[[bytes], bool]) -> Shape:
    return Narrowing(valid=lambda inputs: list(map(holds, inputs)), samples=samples, shape=read_shape(text)).run(
        lambda: other_readings(samples, read_shape(infer(samples)))
    )


def fits(shape: Shape, data: bytes) -> bool:
    return parsed(shape, data) is not None


def test_only_the_letters_are_narrowed_if_only_these_are_asked_for() -> None:
    shape = narrowed("string(1..15, a..z)", [b"hccdhcd\n", b"shcd\n"], lambda data: set(data) <= set(b"chds\n"))
    assert shape.block == read_shape('string(1..15, "cdhs")').block


def test_a_lower_limit_that_the_validator_has_is_that_of_the_samples_and_the_upper_one_stays() -> None:
    shape = narrowed("n: 1..12 k: 1..50", [b"5 2\n", b"7 3\n"], lambda data: int(data.split()[0]) >= 4)
    assert shape.block == read_shape("n: 5..12 k: 1..50").block


def test_a_guess_that_is_mostly_right_stays_and_no_other_reading_is_asked_for() -> None:
    text = "n: 1..10 k: 1..10"
    shape = Narrowing(
        valid=lambda inputs: [data != b"1 1\n" for data in inputs], samples=[b"2 3\n"], shape=read_shape(text)
    ).run(lambda: 1 / 0)  # type: ignore[arg-type, return-value]
    assert shape.block == read_shape(text).block


def test_rows_that_are_a_square_by_chance_are_read_as_words_where_the_validator_wants_three_letters() -> None:
    def holds(data: bytes) -> bool:
        head, *lines = data.decode().splitlines()
        words, plates = map(int, head.split())
        return (
            len(lines) == words + plates
            and all(re.fullmatch("[a-z]{1,100}", line) for line in lines[:words])
            and all(re.fullmatch("[A-Z]{3}", line) for line in lines[words:])
        )

    assert "grid(m, m" in infer([CARS])
    shape = narrowed(infer([CARS]), [CARS], holds)
    assert fits(shape, b"1 2\nab\nABC\nABD\n")
    assert fits(shape, b"2 5\nab\nz\nABC\nABD\nXXX\nQAB\nABC\n")
    assert all(map(holds, draws(shape, 60)))


def test_rows_of_three_are_no_square_where_three_rows_are_chance() -> None:
    """n rows of three numbers, then m of them; in both samples n is 3."""
    samples = [b"3 2\n1 5 2\n4 4 9\n7 1 3\n2 2 8\n5 9 1\n", b"3 1\n1 1 1\n6 3 2\n4 1 4\n9 9 9\n"]

    def holds(data: bytes) -> bool:
        head, *rows = [line.split() for line in data.splitlines()]
        return len(rows) == sum(map(int, head)) and all(len(row) == 3 for row in rows)

    shape = narrowed(infer(samples), samples, holds)
    assert fits(shape, b"1 2\n1 2 3\n4 5 6\n7 8 9\n")
    assert fits(shape, b"4 1\n1 2 3\n4 5 6\n7 8 9\n1 1 1\n2 2 2\n")


def test_the_readings_begin_with_the_guess_and_parse_all_samples() -> None:
    drafts = readings([CARS])
    assert infer([CARS]).endswith(drafts[0])
    assert len(set(drafts)) == len(drafts) > 3
    assert all(fits(read_shape(draft), CARS) for draft in drafts)


def test_what_was_found_before_the_time_is_over_is_kept() -> None:
    calls = 0

    def valid(inputs: Sequence[bytes]) -> list[bool]:
        nonlocal calls
        calls += 1
        if calls > 4:
            raise OutOfTimeError
        return [set(data) <= set(b"ab\n") for data in inputs]

    shape = Narrowing(valid=valid, samples=[b"abba\n"], shape=read_shape("string(1..9, a..z)")).run(lambda: [])
    assert shape.block == read_shape('string(4..4, "ab")').block


@pytest.mark.parametrize(
    ("sample", "holds"),
    [
        (b"5\n8 2 3 8 5\n", lambda n: n <= 5),
        (b"4\n7 2 9 7\n", lambda n: n % 2 == 0),
        (b"3\n9 2 9\n", lambda n: n <= 3),
    ],
)
def test_a_count_that_cannot_rise_or_is_even_is_no_constant(sample: bytes, holds: Callable[[int], bool]) -> None:
    def valid(data: bytes) -> bool:
        head, row = data.decode().splitlines()
        return int(head) == len(row.split()) and holds(int(head))

    assert "n * (" in narrowed(infer([sample]), [sample], valid).text


def test_no_reading_replaces_the_guess_where_the_validator_refuses_all() -> None:
    guess = infer([CARS])
    assert narrowed(guess, [CARS], lambda _: False).block == read_shape(guess).block


def test_of_slow_validators_fewer_answers_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bytes] = []

    def valid(inputs: Sequence[bytes]) -> list[bool]:
        asked.extend(inputs)
        return [index % 2 == 0 for index in range(len(inputs))]

    shape = read_shape("n: 1..10; n * (1..9)")
    assert valid_part(valid, shape) == 0.5
    quickly = len(asked)
    monkeypatch.setattr("harness.search.learn_rules.LEARN", replace(LEARN, slow_draws_s=-1.0))
    asked.clear()
    assert valid_part(valid, shape) == 0.5
    assert len(asked) == 2 * LEARN.first_draws < quickly
