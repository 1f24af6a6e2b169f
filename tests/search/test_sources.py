"""Which inputs come when: a package's own cases are all tried, however large they are."""

import itertools
from collections.abc import Iterator
from dataclasses import replace

from harness.package import Group
from harness.search.candidates import Candidate
from harness.search.sources import Mixture, mixture
from harness.search.tried_inputs import TriedInputs
from harness.shapes import read_shape
from search import candidate, case, package, program, target


def test_all_secret_cases_have_their_turn_however_large_they_are() -> None:
    names = [f"secret/{number}" for number in range(80)]
    cases = tuple(case(name, b"7 " * 100_000 + name.encode()) for name in names)
    large = replace(package(), secret=Group(name="secret", cases=cases), input_validators=(program("valid.py"),))
    shaped = target("n: 1..50; n * (1..9)", package=large)
    tried = [one.description for one in mixture(shaped, 1).take(5000)]
    assert set(names) <= set(tried)
    assert any(one in names for one in tried[:60])


def test_what_is_left_for_last_comes_when_all_else_is_at_its_end() -> None:
    def numbered(word: str, count: int) -> Iterator[Candidate]:
        return (candidate(b"", description=f"{word} {number}") for number in range(count))

    mixed = Mixture(last=numbered("last", 3))
    mixed.add(numbered("first", 2), 1)
    assert [each.description for each in mixed.take(9)] == ["first 0", "first 1"]
    assert [each.description for each in mixed.take(2)] == ["last 0", "last 1"]
    assert len(mixed.take(9)) == 1
    assert mixed.take(9) == []


def test_shapes_that_samples_do_not_show_wait_for_as_many_runs_however_slow_they_are() -> None:
    for start_cost in (1, 64):
        mixed = Mixture(start_cost=start_cost)
        mixed.add(itertools.repeat(candidate(b"1\n", description="shown")), 1)
        mixed.add(itertools.repeat(candidate(b"1\n", description="wide")), 1, from_runs=10)
        assert {one.description for one in mixed.take(10)} == {"shown"}
        assert {one.description for one in mixed.take(10)} == {"shown", "wide"}


def test_large_inputs_come_as_often_as_tiny_ones_where_each_run_takes_long() -> None:
    def large_of_1000(start_cost: float) -> int:
        mixed = Mixture(start_cost=start_cost)
        mixed.add(itertools.repeat(candidate(b"1\n")), 1)
        mixed.add(itertools.repeat(candidate(b"1 " * 40_000)), 1)
        return sum(len(one.data or b"") > 9 for one in mixed.take(1000))

    assert large_of_1000(1) < 100
    assert large_of_1000(200) > 450


def test_without_a_case_draws_are_changed_so_that_words_of_the_programs_come() -> None:
    text, mine = "string(1..8, a..c)", program(source="s = input()\nprint(s == 'xyzzy')\n")
    drafted = target(text, submission=mine, guessed=True, drafts=(read_shape(text),))
    assert any(b"xyzzy" in (each.data or b"") for each in mixture(drafted, 1).take(2000))


def test_what_was_tried_is_left_out_and_a_source_that_only_repeats_ends() -> None:
    tried = {b"1"}
    mixed = Mixture(was_tried=tried.__contains__, last=itertools.repeat(candidate(b"3")))
    mixed.add(itertools.repeat(candidate(b"1")), 1)
    mixed.add(itertools.repeat(candidate(b"2")), 1)
    assert {one.data for one in mixed.take(1000)} == {b"2"}
    assert len(mixed.streams) == 1
    tried.clear()  # as when the failures of a batch are tried again
    assert {one.data for one in mixed.take(9)} == {b"2"}
    tried.add(b"2")
    assert {one.data for one in mixed.take(9)} == {b"3"}


def test_repeated_inputs_that_take_long_to_draw_do_not_keep_other_sources_waiting() -> None:
    drawn = 0

    def repeated() -> Iterator[Candidate]:
        nonlocal drawn
        while True:
            drawn += 1
            yield replace(candidate(b"1\n"), refused=1000)

    mixed = Mixture(was_tried={b"1\n"}.__contains__)
    mixed.add(repeated(), 1)
    mixed.add((candidate(b"%d\n" % number) for number in range(2, 99)), 1)
    assert len(mixed.take(50)) == 50
    assert drawn <= 2


def test_a_search_that_goes_on_has_all_its_sources() -> None:
    """Its sources first give what they gave before."""
    numbers, tried = target("n: 0..1000000000"), TriedInputs()
    for one in mixture(numbers, 1).take(1000):
        tried.count_try(one.data or b"", None, played=False)
    kept = mixture(numbers, 1, tried=tried)
    lost = replace(mixture(numbers, 1), was_tried=tried.was_tried)
    assert len(kept.take(500)) > len(lost.take(500))
    assert len(kept.streams) > len(lost.streams)
