"""Relations that all samples keep, and inputs that keep more of them."""

import math
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shape_texts import SHAPES

from harness.search.candidates import TriedCandidate
from harness.search.likelier_inputs import Preference, is_comparable, more_like_samples
from harness.search.likeness import _LARGEST_DEGREE, Likeness, likeness_of
from harness.search.likeness_policy import LIKENESS, RELATION_WORDS, RULES
from harness.shapes import Shape, parse, parsed, read_shape, tidy, write
from harness.shapes.limits import loosest
from harness.shapes.testing import values_of
from harness.shapes.values import rank
from search import WRONG, tried

FORMATS = {
    "names": ("name: string(3..6, a..z); n: 2..10; n times { (string(3..6, a..z)) }", (b"ann\n2\nbob\nann\n",)),
    "points": ("n: 1..10; n times { x: 0..9 y: 0..9 }", (b"3\n1 2\n4 5\n6 5\n", b"4\n0 1\n1 2\n4 3\n5 6\n")),
    "grid": ("n: 1..5 m: 1..5 k: 1..26; grid(n, m, A..Z)", (b"2 3 3\nABC\nBCA\n", b"2 2 2\nAB\nAB\n")),
    "lists": ("n: 1..9 m: 1..9; n times { k: 1..9; k * (1..m) }", (b"2 3\n2\n1 3\n1\n2\n",)),
    "forms": (
        "n: 1..9; n times { either { 1 x: 1..n } or { 2 x: 1..n y: 1..n } }",
        (b"3\n1 2\n2 1 3\n2 3 1\n", b"2\n2 1 2\n1 1\n"),
    ),
    "graph": ("n: 1..9 m: 1..9; graph(n, m)", (b"3 2\n1 2\n2 3\n",)),
    "evens": ("n: 1..9 m: 1..9; n * (1..10^9)", (b"2 1\n4 6\n", b"3 2\n8 12 2\n")),
    "spans of time": (
        'n: 1..9; n times { fields(00..23 ":" 00..59 "-" 00..23 ":" 00..59) }',
        (b"2\n09:30-10:15\n08:00-09:00\n", b"1\n10:00-10:01\n"),
    ),
    "dates": (
        'n: 1..9; n times { fields(1000..9999 "-" 01..12 "-" 01..31) }',
        (b"2\n2020-02-28\n2020-03-01\n", b"1\n2001-05-06\n"),
    ),
    "expressions": ('string(1..9, "0123456789+-*")', (b"2+3*4-5\n", b"12+10-4\n")),
    "corners": ('n: 1..9 m: 1..9; grid(n, m, ".#")', (b"2 2\n.#\n#.\n", b"2 3\n.#.\n.#.\n")),
}


def compared(text: str, *samples: bytes) -> tuple[Shape, Likeness]:
    """A shape, and what its samples keep."""
    shape = read_shape(text)
    likeness = likeness_of(shape, samples)
    assert likeness is not None
    return shape, likeness


def faults(name: str, data: bytes) -> int:
    shape, likeness = compared(FORMATS[name][0], *FORMATS[name][1])
    return likeness.faults(parse(shape, data))


def key_of(shape: Shape, likeness: Likeness, data: bytes) -> tuple[object, ...]:
    value = parse(shape, data)
    return likeness.faults(value), len(data), rank(shape, value), data


@pytest.mark.parametrize("name", FORMATS)
def test_samples_are_like_themselves(name: str) -> None:
    assert all(faults(name, sample) == 0 for sample in FORMATS[name][1])


@pytest.mark.parametrize(
    ("name", "alike", "other"),
    [
        ("spans of time", b"1\n01:00-02:00\n", b"1\n02:00-01:00\n"),
        ("spans of time", b"1\n00:00-02:00\n", b"1\n02:00-01:00\n"),
        ("dates", b"1\n2001-05-07\n", b"1\n1000-01-01\n"),
        ("expressions", b"1-1-1\n", b"1--1\n"),
        ("expressions", b"1-1\n", b"-1\n"),
        ("names", b"abc\n2\nnob\nabc\n", b"abc\n2\nabc\nnob\n"),  # the last is the name
        ("names", b"abc\n2\nnob\nabc\n", b"abc\n2\nabc\nabc\n"),  # no two are equal
        ("points", b"2\n1 2\n2 1\n", b"2\n1 1\n2 1\n"),  # the two numbers are neighbours
        ("points", b"2\n1 2\n2 3\n", b"2\n2 1\n1 2\n"),  # the first numbers rise
        ("points", b"3\n1 2\n4 3\n5 6\n", b"3\n1 2\n4 3\n8 9\n"),  # beyond all numbers of the samples
        ("grid", b"2 2 2\nAB\nBA\n", b"2 2 2\nAA\nAA\n"),  # as many letters as said
        ("lists", b"2 2\n1\n2\n1\n1\n", b"2 2\n1\n2\n1\n2\n"),  # each number of 1 to m occurs
        ("forms", b"3\n1 2\n2 1 3\n2 3 2\n", b"3\n1 2\n2 1 3\n2 3 3\n"),  # two different numbers
        ("corners", b"2 2\n.#\n..\n", b"2 2\n#.\n..\n"),
        ("evens", b"1 1\n8\n", b"1 1\n9\n"),
        ("evens", b"1 1\n90\n", b"1 1\n90000\n"),  # how far beyond the samples counts
    ],
)
def test_what_samples_keep_is_more_alike(name: str, alike: bytes, other: bytes) -> None:
    assert faults(name, alike) < faults(name, other)


def test_without_a_sample_of_the_shape_there_is_no_likeness() -> None:
    assert likeness_of(read_shape("n: 1..9"), [b"many\n"]) is None


@settings(max_examples=25)
@given(st.data(), st.sampled_from(sorted(FORMATS)))
def test_inputs_more_like_samples_are_of_the_shape_no_larger_and_in_order(data: st.DataObject, name: str) -> None:
    text, samples = FORMATS[name]
    shape, likeness = compared(text, *samples)
    value = data.draw(values_of(shape, 30))
    before, better = write(shape, value), more_like_samples(value, likeness, samples, math.inf)
    keys = [key_of(shape, likeness, other) for other in better]
    assert all(len(other) <= len(before) and len(other.split()) <= len(before.split()) for other in better)
    assert keys == sorted(keys)
    assert all(key < key_of(shape, likeness, before) for key in keys)


@pytest.mark.parametrize("name", SHAPES)
@settings(max_examples=5)
@given(st.data())
def test_every_shape_can_be_compared_with_its_samples(name: str, data: st.DataObject) -> None:
    shape = read_shape(SHAPES[name])
    samples = [write(shape, data.draw(values_of(shape, 15))) for _ in range(2)]
    likeness = likeness_of(shape, samples)
    if likeness is None:  # an empty last line is no part of a sample
        assert not any(parsed(shape, tidy(sample)) for sample in samples)
        return
    kept = [value for sample in samples if (value := parsed(shape, tidy(sample))) is not None]
    assert all(likeness.faults(value) == 0 for value in kept)
    value = data.draw(values_of(shape, 15))
    assert all(parse(shape, other) for other in more_like_samples(value, likeness, samples, 0.03))


@pytest.mark.parametrize(
    ("text", "sample"),
    [("s: string(0..5, a..z)", b"abc\n"), ("0..3 * (0..9)", b"1 2 3\n"), ("0..3 * (0..9)", b"\n")],
)
def test_an_input_without_words_has_no_others(text: str, sample: bytes) -> None:
    shape = loosest(read_shape(text))
    likeness = likeness_of(shape, [sample])
    assert likeness is not None
    assert not more_like_samples(parse(shape, b"\n"), likeness, [sample], math.inf)
    assert not is_comparable(b"\n")


def test_the_most_edges_at_a_node_count() -> None:
    shape, likeness = compared(FORMATS["graph"][0], b"3 2\n1 2\n2 3\n", b"4 2\n4 1\n1 2\n")

    def broken(data: bytes) -> set[str]:
        compared = likeness.compared(parse(shape, data))
        return {
            str(name) for (name, *places), _, holds in compared if not holds and places[-1][-1] == _LARGEST_DEGREE
        }

    assert not broken(b"4 3\n1 2\n2 3\n3 4\n")
    assert broken(b"4 3\n1 2\n1 3\n1 4\n") == {"high"}


def test_a_relation_that_is_more_often_a_rule_weighs_more() -> None:
    """A lower limit was a rule in one of three problems after two numbers, an upper limit in one of fourteen."""
    shape, likeness = compared("n: -100..100", b"4\n", b"7\n")
    faults = [likeness.faults(parse(shape, b"%d\n" % number)) for number in (5, 8, 3, -3)]
    assert 0 == faults[0] < faults[1] < faults[2] == faults[3]


def test_every_relation_has_words() -> None:
    assert RELATION_WORDS.keys() == RULES.keys()


def test_of_what_an_input_breaks_and_a_better_one_keeps_the_most_probable_rule_is_named() -> None:
    shape, likeness = compared("n: 1..9; n * (1..9)", b"4\n1 2 5 7\n", b"5\n1 3 4 8 9\n")
    better, *others = (parse(shape, data) for data in (b"4\n1 2 3 4\n", b"4\n4 4 4 4\n", b"4\n1 3 2 4\n"))
    assert [likeness.broken_by(other, better) for other in others] == [
        "in all samples the items of a list differ",
        "in all samples the numbers of a list rise",
    ]


def test_the_cost_of_an_input_is_its_length_divided_by_the_chance_that_it_is_valid() -> None:
    shape, likeness = compared("n: 1..9; n * (1..9)", b"4\n1 2 5 7\n", b"5\n1 3 4 8 9\n")
    rising, equal, short = b"4\n1 2 3 4\n", b"4\n4 4 4 4\n", b"1\n3\n"
    assert likeness.cost(short) < likeness.cost(rising) < likeness.cost(equal)
    value = parse(shape, short)
    assert math.exp(likeness.cost(short)) == pytest.approx(
        (1 + len(short)) * math.exp(likeness.faults(value) / 100)
    )
    assert likeness.cost(b"4\n1 2 3\n") == math.inf, "it is not of the shape"


def test_an_input_that_is_too_large_to_be_compared_is_no_cheap_one() -> None:
    _, likeness = compared("n: 1..10^4; n * (1..9)", b"4\n1 2 5 7\n", b"5\n1 3 4 8 9\n")

    def failing(count: int) -> TriedCandidate:
        return tried(b"%d\n%s\n" % (count, b" ".join([b"4"] * count)), WRONG)

    preference, small, large = Preference(likeness=likeness), failing(300), failing(3000)
    assert likeness.faults_of(small.data) > 0 == likeness.faults_of(large.data)
    assert preference.best_of([small, large]) is preference.best_of([large, small]) is small
    assert preference.is_kept(small.data, large.data), "whatever makes a large input small enough"
    assert not preference.is_kept(failing(301).data, small.data)
    assert likeness.faults_of(failing(4).data) <= LIKENESS.most_faults


def test_short_lists_are_no_less_alike_than_long_ones_for_the_order_of_their_items() -> None:
    shape, likeness = compared("n: 1..9; n * (1..9)", b"3\n1 9 2\n", b"3\n2 9 4\n")
    low, high = b"3\n3 2 4\n", b"5\n3 2 4 5 6\n"
    assert likeness.faults(parse(shape, low)) > likeness.faults_of(low)
    assert likeness.faults(parse(shape, high)) == likeness.faults_of(high)


def test_how_often_relations_are_rules_grows_with_the_comparisons() -> None:
    assert all(len(shares) == len(LIKENESS.comparisons) for shares in RULES.values())
    assert all(list(shares) == sorted(shares) and shares[-1] < 100 for shares in RULES.values())


def test_numbers_with_decimals_are_compared_as_they_are_printed() -> None:
    shape, likeness = compared("n: 1..5 x: 0.00..1.50", b"3 0.50\n", b"2 1.25\n")
    assert likeness.faults(parse(shape, b"3 0.51\n")) < likeness.faults(parse(shape, b"1 1.25\n"))


def test_halves_of_a_word_are_compared_with_each_other_but_not_with_the_word() -> None:
    shape, likeness = compared('fields(00..23 ":" 00..59 "-" 00..23 ":" 00..59)', b"09:00-10:30\n")
    broken = {relation[0] for relation, _, holds in likeness.compared(parse(shape, b"00:00-10:00\n")) if not holds}
    assert broken <= {"low", "digits"}


def test_of_dates_that_end_with_the_year_the_later_is_the_larger() -> None:
    shape, likeness = compared('2 times { fields(01..31 "." 01..12 "." 1000..9999) }', b"05.01.2020\n03.02.2020\n")
    faults = [
        likeness.faults(parse(shape, data)) for data in (b"09.01.2020\n08.02.2020\n", b"08.02.2020\n09.01.2020\n")
    ]
    assert faults[0] < faults[1]


def test_two_words_of_a_line_are_compared() -> None:
    shape, likeness = compared("a: string(1..5, a..z) b: string(1..5, a..z)", b"ab bc\n", b"ca ab\n")
    assert likeness.faults(parse(shape, b"ac ab\n")) < likeness.faults(parse(shape, b"ac ac\n"))
    assert likeness.faults(parse(shape, b"ac ab\n")) < likeness.faults(parse(shape, b"ac abc\n"))


def test_of_inputs_as_like_the_samples_the_simplest_comes_first() -> None:
    samples = (b"2 4\n.#.#\n#..#\n", b"2 4\n#...\n..#.\n")
    shape, likeness = compared('n: 1..4 m: 1..4; grid(n, m, ".#")', *samples)
    value = parse(shape, b"2 4\n....\n..#.\n")
    assert likeness.faults(value) == 0
    better = more_like_samples(value, likeness, samples, math.inf)
    assert all(rank(shape, parse(shape, other)) <= rank(shape, value) for other in better)


def test_the_last_line_becomes_the_name() -> None:
    text, samples = FORMATS["names"]
    shape, likeness = compared(text, *samples)
    value = parse(shape, b"aaa\n3\naaa\naaa\naaa\n")
    while better := more_like_samples(value, likeness, samples, math.inf):
        value = parse(shape, better[0])
    name, _, *names = chain.from_iterable(line.split() for line in write(shape, value).splitlines())
    assert len(set(names)) == len(names) > 1
    assert names[-1] == name


def test_numbers_that_keep_their_distances_are_moved_to_lower_ones() -> None:
    samples = (b"3\n1 2 3\n", b"4\n-3 -2 -1 0\n")
    shape, likeness = compared("n: 3..9; n * (-9..9)", *samples)
    value = parse(shape, b"3\n-6 -5 -4\n")
    while better := [
        other
        for other in more_like_samples(value, likeness, samples, math.inf)
        if all(number < 0 for number in parse(shape, other).parts[1])
    ]:
        value = parse(shape, better[0])
    assert value.parts[1] == (-3, -2, -1)


def test_a_grid_without_rows_and_long_numbers_are_compared_too() -> None:
    shape, likeness = compared('n: 0..3 m: 1..3; grid(n, m, ".#")', b"0 2\n", b"1 2\n.#\n")
    assert likeness.faults(parse(shape, b"0 2\n")) == 0
    decimals, likeness = compared("x: 0.0..10^9", b"900000000.5\n")
    assert likeness.faults(parse(decimals, b"0.5\n")) > 0
    more_like_samples(parse(decimals, b"0.5\n"), likeness, [b"9" * 5000 + b"\n"], math.inf)
