"""Candidates are drawn while others run: none is lost, in whatever order the two come."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from harness.search.model import Candidate, CandidateOutcome, Progress, Source, TriedCandidate
from harness.search.search_loop import DrawAhead, SearchLoop
from harness.search.sources import Mixture


def numbered(source: Source, count: int) -> Iterator[Candidate]:
    return (Candidate(source=source, description="", data=b"%d" % number) for number in range(count))


def test_where_runs_take_long_the_size_of_an_input_matters_less(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = [0.0]
    monkeypatch.setattr("harness.search.search_loop.time", SimpleNamespace(monotonic=lambda: now_s[0]))
    mixed = Mixture()
    mixed.add(numbered(Source.TINY, 40), 1, small=True)

    def batch(candidates: list[Candidate], _: float, **__: Any) -> None:
        now_s[0] += 0.1 * len(candidates)

    pool: Any = SimpleNamespace(size=1)
    loop: Any = SearchLoop(pool=pool, evaluate=None, can_shrink=False, progress=Progress())
    loop.try_batch = batch
    with DrawAhead() as ahead:
        assert loop.first_failing(ahead, mixed, float("inf")) is None
    assert mixed.start_cost == 16, "0.1 s are 25 times as long as usual"


def test_no_small_input_is_left_out_when_a_large_one_fails_first(monkeypatch: pytest.MonkeyPatch) -> None:
    mixed = Mixture()
    mixed.add(numbered(Source.TINY, 200), 1, small=True)
    mixed.add(numbered(Source.LARGE, 200), 1)
    tried: list[Candidate] = []

    def batch(candidates: list[Candidate], _: float, **__: Any) -> TriedCandidate | None:
        first = not tried
        tried.extend(candidates)
        return (
            TriedCandidate(candidate=candidates[0], outcome=CandidateOutcome.FAILED, data=b"x" * 9999)
            if first
            else None
        )

    pool: Any = SimpleNamespace(size=2)
    loop: Any = SearchLoop(pool=pool, evaluate=None, can_shrink=False, progress=Progress())
    loop.try_batch = batch
    loop.more_s = lambda _: 1e9
    with DrawAhead() as ahead:
        failing = loop.first_failing(ahead, mixed, float("inf"))
    assert failing is not None
    assert [one.data for one in tried if one.source is Source.TINY] == [b"%d" % number for number in range(200)]
    assert sum(one.source is Source.LARGE for one in tried) <= 8, "once one has failed they are of no use"
