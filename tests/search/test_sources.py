"""Which inputs come when: a package's own cases are all tried, however large they are."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from harness.package import Case, Group, Program
from harness.package.ad_hoc import package_of_cases
from harness.package.files import File
from harness.package.model import ProblemLimits
from harness.search.candidates import Candidate, Source
from harness.search.sources import Mixture, mixture
from harness.search.target import SearchTarget
from harness.search.tried_inputs import TriedInputs
from harness.shapes import read_shape


def test_all_secret_cases_have_their_turn_however_large_they_are() -> None:
    names = [f"secret/{number}" for number in range(80)]
    cases = [
        Case(name=name, input=File(origin=Path(name), content=b"7 " * 100_000 + name.encode()), answer=None)
        for name in names
    ]
    package = package_of_cases(name="p", root=Path("p"), cases=[], limits=ProblemLimits())
    target = SearchTarget(
        package=replace(package, secret=Group(name="secret", cases=tuple(cases)), input_validators=("some",)),  # type: ignore[arg-type]
        submission=Program(path="my.py", files={}),
        reference=None,
        shape=read_shape("n: 1..50; n * (1..9)"),
        recipe=None,
    )
    tried = [one.description for one in mixture(target, 1).take(5000)]
    assert set(names) <= set(tried)
    assert any(one in names for one in tried[:60])


def test_what_is_left_for_last_comes_when_all_else_is_at_its_end() -> None:
    def numbered(word: str, count: int) -> Iterator[Candidate]:
        return (Candidate(source=Source.TINY, description=f"{word} {number}", data=b"") for number in range(count))

    mixed = Mixture(last=numbered("last", 3))
    mixed.add(numbered("first", 2), 1)
    assert [each.description for each in mixed.take(9)] == ["first 0", "first 1"]
    assert [each.description for each in mixed.take(2)] == ["last 0", "last 1"]
    assert len(mixed.take(9)) == 1
    assert mixed.take(9) == []


def test_shapes_that_samples_do_not_show_wait_for_as_many_runs_however_slow_they_are() -> None:
    def endless(word: str) -> Iterator[Candidate]:
        return (Candidate(source=Source.RANDOM, description=word, data=b"1\n") for _ in itertools.count())

    for start_cost in (1, 64):
        mixed = Mixture(start_cost=start_cost)
        mixed.add(endless("shown"), 1)
        mixed.add(endless("wide"), 1, from_runs=10)
        assert {one.description for one in mixed.take(10)} == {"shown"}
        assert {one.description for one in mixed.take(10)} == {"shown", "wide"}


def test_large_inputs_come_as_often_as_tiny_ones_where_each_run_takes_long() -> None:
    def endless(data: bytes) -> Iterator[Candidate]:
        return (Candidate(source=Source.RANDOM, description="", data=data) for _ in itertools.count())

    def large_of_1000(start_cost: float) -> int:
        mixed = Mixture(start_cost=start_cost)
        mixed.add(endless(b"1\n"), 1)
        mixed.add(endless(b"1 " * 40_000), 1)
        return sum(len(candidate.data or b"") > 9 for candidate in mixed.take(1000))

    assert large_of_1000(1) < 100
    assert large_of_1000(200) > 450


def test_without_a_case_draws_are_changed_so_that_words_of_the_programs_come() -> None:
    source = b"s = input()\nprint(s == 'xyzzy')\n"
    shape = read_shape("string(1..8, a..c)")
    target = SearchTarget(
        package=package_of_cases(name="p", root=Path("p"), cases=[], limits=ProblemLimits()),
        submission=Program(path="my.py", files={"my.py": File(origin=Path("my.py"), content=source)}),
        reference=None,
        shape=shape,
        recipe=None,
        guessed=True,
        drafts=(shape,),
    )
    assert any(b"xyzzy" in (each.data or b"") for each in mixture(target, 1).take(2000))


def test_what_was_tried_is_left_out_and_a_source_that_only_repeats_ends() -> None:
    def constant(data: bytes) -> Iterator[Candidate]:
        return (Candidate(source=Source.RANDOM, description="", data=data) for _ in itertools.count())

    tried = {b"1"}
    mixed = Mixture(was_tried=tried.__contains__, last=constant(b"3"))
    mixed.add(constant(b"1"), 1)
    mixed.add(constant(b"2"), 1)
    assert {candidate.data for candidate in mixed.take(1000)} == {b"2"}
    assert len(mixed.streams) == 1
    tried.clear()  # as when the failures of a batch are tried again
    assert {candidate.data for candidate in mixed.take(9)} == {b"2"}
    tried.add(b"2")
    assert {candidate.data for candidate in mixed.take(9)} == {b"3"}


def test_repeated_inputs_that_take_long_to_draw_do_not_keep_other_sources_waiting() -> None:
    drawn = 0

    def repeated() -> Iterator[Candidate]:
        nonlocal drawn
        while True:
            drawn += 1
            yield Candidate(source=Source.MUTATION, description="", data=b"1\n", refused=1000)

    mixed = Mixture(was_tried={b"1\n"}.__contains__)
    mixed.add(repeated(), 1)
    mixed.add((Candidate(source=Source.TINY, description="", data=b"%d\n" % number) for number in range(2, 99)), 1)
    assert len(mixed.take(50)) == 50
    assert drawn <= 2


def test_a_search_that_goes_on_has_all_its_sources() -> None:
    """Its sources first give what they gave before."""
    target = SearchTarget(
        package=package_of_cases(name="p", root=Path("p"), cases=[], limits=ProblemLimits()),
        submission=Program(path="my.py", files={}),
        reference=None,
        shape=read_shape("n: 0..1000000000"),
        recipe=None,
        guessed=False,
    )
    tried = TriedInputs()
    for candidate in mixture(target, 1).take(1000):
        tried.count_try(candidate.data or b"", None, played=False)
    kept = mixture(target, 1, tried=tried)
    lost = replace(mixture(target, 1), was_tried=tried.was_tried)
    assert len(kept.take(500)) > len(lost.take(500))
    assert len(kept.streams) > len(lost.streams)
