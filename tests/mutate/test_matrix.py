"""The smallest set of cases, redundancy and order, from kill matrices that are written down here."""

import itertools
from random import Random

from harness.mutate.kill_matrix import KillMatrix, smallest_cover


def sets(text: str) -> dict[str, frozenset[str]]:
    """`a:xy b:yz` as a kill matrix."""
    return {part[0]: frozenset(part[2:]) for part in text.split()}


def test_smallest_set_is_smaller_than_a_greedy_one() -> None:
    kills = sets("g:cdef a:acdx b:befy h:ab")  # greed takes g first, and then needs two more
    cover = smallest_cover(sets("a:123 b:456 g:2345 "))
    assert cover.cases == ("a", "b")
    assert cover.exact
    assert set(smallest_cover(kills).cases) == {"a", "b"}


def test_smallest_set_keeps_every_kill_and_none_smaller_does() -> None:
    source = Random(5)
    for _ in range(60):
        kills = {str(case): frozenset(one for one in "abcdefgh" if source.random() < 0.35) for case in range(7)}
        everyone = frozenset().union(*kills.values())
        cover = smallest_cover(kills)
        assert frozenset().union(*(kills[case] for case in cover.cases)) == everyone
        smaller = itertools.combinations(kills, len(cover.cases) - 1) if cover.cases else ()
        assert not any(frozenset().union(*(kills[one] for one in few)) == everyone for few in smaller)


def matrix(text: str, **costs_s: float) -> KillMatrix:
    return KillMatrix(by_case=sets(text), costs_s=costs_s, survivors=(), not_run=0)


def test_case_is_redundant_when_others_make_all_its_kills() -> None:
    assert matrix("a:12 b:23 c:13 d:4 e:").redundant == ("a", "b", "c", "e")


def test_wrong_programs_die_soonest_when_cheap_cases_with_many_kills_come_first() -> None:
    assert matrix("a:123 b:12 c:9 d:9", a=1.0, b=0.001, c=0.002, d=0.5).soonest()[:2] == ("b", "c")


def test_matrix_without_kills_needs_no_case() -> None:
    assert smallest_cover({"a": frozenset(), "b": frozenset()}).cases == ()
