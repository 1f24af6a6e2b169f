"""Candidates are drawn while others run: none is lost, in whatever order the two come."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from harness.search import hunt
from harness.search.draw_ahead import Ahead
from harness.search.model import Candidate, Outcome, Source, Trial
from harness.search.sources import Mixture


def numbered(source: Source, count: int) -> Iterator[Candidate]:
    return (Candidate(source=source, words="", data=b"%d" % number) for number in range(count))


def test_no_small_input_is_left_out_when_a_large_one_fails_first(monkeypatch: pytest.MonkeyPatch) -> None:
    mixed = Mixture()
    mixed.add(numbered(Source.TINY, 200), 1, small=True)
    mixed.add(numbered(Source.LARGE, 200), 1)
    tried: list[Candidate] = []

    def batch(candidates: list[Candidate], _: float) -> Trial | None:
        first = not tried
        tried.extend(candidates)
        return Trial(candidate=candidates[0], outcome=Outcome.FAILED, data=b"x" * 9999) if first else None

    pool = SimpleNamespace(size=2)
    own: Any = SimpleNamespace(_batch=batch, _is_small=lambda _: False, host=SimpleNamespace(pool=pool))
    monkeypatch.setattr(hunt, "_more_s", lambda _: 1e9)
    with Ahead() as ahead:
        found = hunt.Hunt._found(own, ahead, mixed, float("inf"), None)
    assert found is not None
    assert [one.data for one in tried if one.source is Source.TINY] == [b"%d" % number for number in range(200)]
    assert sum(one.source is Source.LARGE for one in tried) <= 8, "once one has failed they are of no use"
