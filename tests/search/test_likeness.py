"""Relations that all samples keep, and inputs that keep more of them."""

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.search.likeness import likeness_of, more_alike
from harness.shapes import parse, read_shape, write
from harness.shapes.testing import values_of

FORMATS = {
    "names": ("name: string(3..6, a..z); n: 1..10; n times { (string(3..6, a..z)) }", (b"ann\n2\nbob\nann\n",)),
    "points": ("n: 1..10; n times { x: 0..9 y: 0..9 }", (b"3\n1 2\n4 5\n6 5\n", b"4\n0 1\n1 2\n4 3\n5 6\n")),
    "grid": ("n: 1..5 m: 1..5 k: 1..26; grid(n, m, A..Z)", (b"2 3 3\nABC\nBCA\n", b"2 2 2\nAB\nAB\n")),
    "lists": ("n: 1..9 m: 1..9; n times { k: 1..9; k * (1..m) }", (b"2 3\n2\n1 3\n1\n2\n",)),
    "forms": (
        "n: 1..9; n times { either { 1 x: 1..n } or { 2 x: 1..n y: 1..n } }",
        (b"3\n1 2\n2 1 3\n2 3 1\n", b"2\n2 1 2\n1 1\n"),
    ),
    "graph": ("n: 1..9 m: 1..9; graph(n, m)", (b"3 2\n1 2\n2 3\n",)),
    "corners": ('n: 1..9 m: 1..9; grid(n, m, ".#")', (b"2 2\n.#\n#.\n", b"2 3\n.#.\n.#.\n")),
}


def faults(name: str, data: bytes) -> int:
    text, samples = FORMATS[name]
    shape = read_shape(text)
    likeness = likeness_of(shape, samples)
    assert likeness is not None
    return likeness.faults(parse(shape, data))


@pytest.mark.parametrize("name", FORMATS)
def test_samples_are_like_themselves(name: str) -> None:
    assert all(faults(name, sample) == 0 for sample in FORMATS[name][1])


@pytest.mark.parametrize(
    ("name", "alike", "other"),
    [
        ("names", b"abc\n2\nnob\nabc\n", b"abc\n2\nabc\nnob\n"),  # the last is the name
        ("names", b"abc\n2\nnob\nabc\n", b"abc\n2\nabc\nabc\n"),  # no two are equal
        ("points", b"2\n1 2\n2 1\n", b"2\n1 1\n2 1\n"),  # the two numbers are neighbours
        ("points", b"2\n1 2\n2 3\n", b"2\n2 1\n1 2\n"),  # the first numbers rise
        ("points", b"3\n1 2\n4 3\n5 6\n", b"3\n1 2\n4 3\n8 9\n"),  # beyond all numbers of the samples
        ("grid", b"2 2 2\nAB\nBA\n", b"2 2 2\nAA\nAA\n"),  # as many letters as said
        ("lists", b"2 2\n1\n2\n1\n1\n", b"2 2\n1\n2\n1\n2\n"),  # each number of 1 to m occurs
        ("forms", b"3\n1 2\n2 1 3\n2 3 2\n", b"3\n1 2\n2 1 3\n2 3 3\n"),  # two different numbers
        ("corners", b"2 2\n.#\n..\n", b"2 2\n#.\n..\n"),
    ],
)
def test_what_samples_keep_is_more_alike(name: str, alike: bytes, other: bytes) -> None:
    assert faults(name, alike) < faults(name, other)


def test_without_a_sample_of_the_shape_there_is_no_likeness() -> None:
    assert likeness_of(read_shape("n: 1..9"), [b"many\n"]) is None


@given(st.data(), st.sampled_from(sorted(FORMATS)))
def test_inputs_that_are_more_alike_are_of_the_shape_no_larger_and_in_order(
    data: st.DataObject, name: str
) -> None:
    text, samples = FORMATS[name]
    shape = read_shape(text)
    value = data.draw(values_of(shape, 30))
    likeness = likeness_of(shape, samples)
    assert likeness is not None
    before, better = write(shape, value), more_alike(shape, value, likeness, samples)
    left = [(likeness.faults(parse(shape, other)), len(other), other) for other in better]
    assert all(len(other) <= len(before) for other in better)
    assert all(simpler < (likeness.faults(value), len(before), before) for simpler in left)
    assert left == sorted(left)


def test_the_last_line_becomes_the_name() -> None:
    text, samples = FORMATS["names"]
    shape = read_shape(text)
    likeness = likeness_of(shape, samples)
    assert likeness is not None
    value = parse(shape, b"aaa\n3\naaa\naaa\naaa\n")
    while better := more_alike(shape, value, likeness, samples):
        value = parse(shape, better[0])
    name, _, *names = chain.from_iterable(line.split() for line in write(shape, value).splitlines())
    assert len(set(names)) == len(names)
    assert names[-1] == name
