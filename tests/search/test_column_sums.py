"""A number that is the sum of a column stays it when a case is changed, made larger or cut."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest

from harness.search.candidates import Source
from harness.search.change_texts import mutations
from harness.search.column_sums import ColumnSums
from harness.search.grow_texts import growing_cases
from harness.search.preparation import Preparation
from harness.search.reduce_texts import shortened
from harness.search.sources import mixture
from harness.search.stopwatch import Stopwatch
from search import candidate, package, program, target

SAMPLES = (b"5 22\n5 7\n2 3\n4 1\n3 3\n10 8\n", b"2 9\n1 4\n7 5\n")
BASES = [(f"sample/{number}", data) for number, data in enumerate(SAMPLES, 1)]


def is_right(text: bytes) -> bool:
    """Whether the first line gives the number of lines below, and the sum of their second words."""
    try:
        first, *rows = ([int(word) for word in line.split()] for line in text.splitlines())
        return first == [len(rows), sum(second for _, second in rows)]
    except ValueError:
        return False


def test_a_sum_is_seen_in_all_samples_and_a_mere_count_is_none() -> None:
    assert ColumnSums.of(SAMPLES).sums == ((1, 1),)
    assert not ColumnSums.of([*SAMPLES, b"1 3\n1 4\n"]).sums
    assert not ColumnSums.of([b"3\n1\n1\n1\n"]).sums
    assert not ColumnSums.of([SAMPLES[1], b"2 7\n1 4\n7 3\n"]).sums  # two lines may be chance
    assert not ColumnSums.of([SAMPLES[0]] * 2).sums  # as may one sample


def test_the_sum_in_a_single_sample_counts_if_the_validators_demand_it() -> None:
    asked: list[bytes] = []

    def accepts(texts: Sequence[bytes]) -> list[bool]:
        asked.extend(texts)
        return list(map(is_right, texts))

    assert ColumnSums.demanded(SAMPLES[0], accepts).sums == ((1, 1),)
    assert [text.splitlines()[0] for text in asked] == [b"5 21", b"5 23"]
    assert not ColumnSums.demanded(SAMPLES[0], lambda texts: [True for _ in texts]).sums
    assert not ColumnSums.demanded(SAMPLES[0], lambda texts: [text.startswith(b"5 23") for text in texts]).sums
    assert not ColumnSums.demanded(b"3\n1\n1\n1\n", accepts).sums


def test_before_a_search_the_validators_are_asked_about_the_sums_of_a_single_sample() -> None:
    known = target(package=replace(package(samples=SAMPLES[:1]), input_validators=(program("v.py"),)))
    assert not known.column_sums.sums
    evaluator: Any = SimpleNamespace(target=known, accepted=lambda _, texts: list(map(is_right, texts)))
    pool: Any = SimpleNamespace(alone=lambda ask, texts: ask(None, texts))
    Preparation(evaluator=evaluator, pool=pool).learn_sums()
    assert evaluator.target.column_sums.sums == ((1, 1),)


@pytest.mark.parametrize("text", [b"", b"\n", b"x\n", b"1 2\n\n", b"1\n1 b\n", b"1 2\n3 4 \n5 -\n"])
def test_an_input_without_a_column_of_numbers_stays_as_it_is(text: bytes) -> None:
    assert ColumnSums.of(SAMPLES).corrected(text) == text
    assert ColumnSums.of([text]).corrected(text) == text


@pytest.mark.slow
def test_changed_cases_keep_the_sum() -> None:
    plain = [each.data or b"" for each in islice(mutations(BASES, 1), 200)]
    kept = list(map(ColumnSums.of(SAMPLES).corrected, plain))
    assert sum(map(is_right, kept)) > 2 * sum(map(is_right, plain)) > 0


def test_drawn_inputs_keep_the_sum_where_validators_may_ask_for_it() -> None:
    for corrects in (True, False):
        known = replace(package(samples=SAMPLES), input_validators=(program("v.py"),) if corrects else ())
        pairs = target("n: 1..9 t: 1..99; n times { a: 1..9 b: 1..9 }", package=known)
        drawn = [each for each in mixture(pairs, 1).take(400) if each.source in (Source.RANDOM, Source.TINY)]
        right = [is_right(each.data or b"") for each in drawn]
        assert len(right) > 50
        assert all(right) is corrects


def test_large_inputs_keep_the_sum() -> None:
    asked: list[bytes] = []
    evaluator: Any = SimpleNamespace(
        target=SimpleNamespace(column_sums=ColumnSums.of(SAMPLES)),
        valid_under=lambda _, inputs: (asked.extend(inputs), [None])[1],
    )
    large = candidate(b"2 0\n1 4\n7 5\n")
    sandbox: Any = None
    assert Stopwatch(evaluator=evaluator, deadline_s=math.inf).timed(sandbox, large, plainly=True) is None
    assert asked == [SAMPLES[1]]


@pytest.mark.slow
def test_larger_cases_keep_the_sum() -> None:
    some = list(islice(growing_cases(BASES, 1), 60))
    right = sum(is_right(growth.at(200) or b"") for growth in some)
    without = sum(is_right(replace(growth, sums=ColumnSums()).at(200) or b"") for growth in some)
    assert right > 2 * without > 0


def test_a_failing_text_is_cut_although_each_cut_changes_the_sum() -> None:
    """The program fails if a first word is 10."""

    def failing(texts: Sequence[bytes]) -> list[bool]:
        return [
            is_right(text) and any(line.startswith(b"10 ") for line in text.splitlines()[1:]) for text in texts
        ]

    corrected = ColumnSums.of(SAMPLES).corrected
    assert shortened(SAMPLES[0], failing, corrected) == b"1 0\n10 0\n"
    assert len(shortened(SAMPLES[0], failing)) > len(b"1 0\n10 0\n")
