"""Random values: of the shape, of about the size, and the same for the same seed on every Python."""

import hashlib
from itertools import pairwise
from math import isqrt
from random import Random

import pytest
from shape_texts import SHAPES, SLUGS, shape_of

from harness.shapes import ShapeError, draw, fits, parse, read_shape, size, write

GOLDEN = "24fece7142210d600cac4f027097af9922a56eaf947ecc68de13dbd572445821"


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


def test_only_bits_are_taken_from_the_source() -> None:
    class OnlyBits(Random):
        def random(self) -> float:
            raise AssertionError

    shape = read_shape(SHAPES["cases"])
    assert write(shape, draw(shape, OnlyBits(3), 50)) == write(shape, draw(shape, Random(3), 50))


def test_a_shape_of_giants_is_refused() -> None:
    with pytest.raises(ShapeError, match="larger than"):
        draw(read_shape("10^9 * (0..9)"), Random(0), 10)


def test_a_shape_without_values_says_so() -> None:
    with pytest.raises(ShapeError, match="contradict"):
        draw(read_shape('grid(2, 2, ".X", X=5)'), Random(0), 10)


def test_numbers_beside_squares_and_powers_are_drawn() -> None:
    shape = read_shape("n: 0..10^18")
    drawn = {draw(shape, Random(seed), 30)["n"] for seed in range(3000)}
    assert any(number > 10**15 and isqrt(number + 1) ** 2 == number + 1 for number in drawn)
    assert any(number > 2**40 and number & (number - 1) == 0 for number in drawn)
    assert 10**18 in drawn


def test_arrays_come_sorted_constant_and_in_a_row_too() -> None:
    shape = read_shape("n: 50..60; a: n * (-1000..1000)")
    drawn = [draw(shape, Random(seed), 1000)["a"] for seed in range(300)]
    varied = [one for one in drawn if len(set(one)) > 20]
    assert any(list(one) == sorted(one) for one in varied)
    assert any(list(one) == sorted(one, reverse=True) for one in varied)
    assert any(len(set(one)) == 1 for one in drawn)
    assert any(all(two - first == 1 for first, two in pairwise(one)) for one in drawn)


def test_full_draws_are_mostly_as_large_as_the_size_allows() -> None:
    shape = read_shape("n: 1..100000; n * (0..9)")
    lengths = [draw(shape, Random(seed), 2000, full=True)["n"] for seed in range(60)]
    assert sum(length > 1900 for length in lengths) > 30
