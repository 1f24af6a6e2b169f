"""Rules that samples are too few to show are learnt from the input validators."""

from collections.abc import Callable

import pytest

from harness.search.learn import add_rules
from harness.shapes import Shape, read_shape

Lines = list[list[int]]


def learnt(text: str, sample: str, holds: Callable[[Lines], bool]) -> Shape:
    def valid(inputs: object) -> list[bool]:
        return [holds([list(map(int, line.split())) for line in data.decode().splitlines()]) for data in inputs]  # type: ignore[attr-defined]

    return add_rules(read_shape(text), valid, [sample.encode()])


@pytest.mark.parametrize(
    ("guess", "sample", "holds", "wanted"),
    [
        ("n: 1..9 k: 1..9", "5 2\n", lambda lines: lines[0][1] <= lines[0][0], "n: 1..9 k: 1..n"),
        ("n: 1..9 k: 1..9", "5 2\n", lambda lines: lines[0][1] < lines[0][0], "n: 1..9 k: 1..n-1"),
        (
            "l: 1..9 r: 1..9 x: 1..9",
            "3 8 5\n",
            lambda lines: lines[0][0] <= lines[0][2] <= lines[0][1],
            "l: 1..9 r: 1..9 x: l..r",
        ),
        (
            "n: 1..9; n * (1..9)",
            "2\n2 5\n",
            lambda lines: len(set(lines[1])) == len(lines[1]),
            "n: 1..9; distinct(n * (1..9))",
        ),
        (
            "n: 2..9 m: 0..9; graph(n, m)",
            "2 1\n1 2\n",
            lambda lines: all(one != other for one, other in lines[1:]),
            "n: 2..9 m: 0..9; graph(n, m, loopless)",
        ),
        (
            "T: 1..3; T times { n: 1..9 k: 1..9; n * (0..9) }",
            "1\n3 1\n0 0 9\n",
            lambda lines: all(k <= n for n, k in lines[1::2]),
            "T: 1..3; T times { n: 1..9 k: 1..n; n * (0..9) }",
        ),
    ],
)
def test_a_rule_that_the_validator_asks_for_is_learnt(
    guess: str, sample: str, holds: Callable[[Lines], bool], wanted: str
) -> None:
    assert learnt(guess, sample, holds).block == read_shape(wanted).block


def test_nothing_is_learnt_where_nothing_is_asked_for_or_a_sample_breaks_the_rule() -> None:
    guess = "n: 1..9 k: 1..9"
    assert learnt(guess, "5 2\n", lambda lines: True).block == read_shape(guess).block
    assert learnt(guess, "2 2\n", lambda lines: lines[0][0] in (2, 3)).block == read_shape(guess).block
