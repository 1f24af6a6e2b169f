"""Candidates are drawn while others run: none is lost, in whatever order the two come."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

from harness.search.candidates import Candidate, Progress, Source, TriedCandidate
from harness.search.search_loop import DrawAhead, SearchLoop
from harness.search.sources import Mixture
from search import WRONG, candidate, tried


def search_loop(
    pool: Any, evaluate: Any = None, *, can_shrink: bool = True, is_as_samples: Callable[[bytes], bool] = bool
) -> Any:
    """Return a loop that knows of its target nothing but this."""
    target = SimpleNamespace(can_shrink=can_shrink, is_as_samples=is_as_samples, likeness=None)
    evaluator: Any = SimpleNamespace(target=target, programs=SimpleNamespace(until=nullcontext))
    return SearchLoop(pool=pool, evaluator=evaluator, evaluate=evaluate, progress=Progress())


def numbered(source: Source, count: int) -> Iterator[Candidate]:
    return (candidate(b"%d" % number, source) for number in range(count))


def test_where_runs_take_long_the_size_of_an_input_matters_less(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = [0.0]
    monkeypatch.setattr("harness.search.search_loop.time", SimpleNamespace(monotonic=lambda: now_s[0]))
    mixed = Mixture()
    mixed.add(numbered(Source.TINY, 40), 1, small=True)

    def batch(candidates: list[Candidate], _: float) -> None:
        now_s[0] += 0.1 * len(candidates)

    pool: Any = SimpleNamespace(size=1)
    loop = search_loop(pool, can_shrink=False)
    loop.try_batch = batch
    assert loop.first_failing(mixed, float("inf")) is None
    assert mixed.start_cost == 16, "0.1 s are 25 times as long as usual"


def test_no_small_input_is_left_out_when_a_large_one_fails_first(monkeypatch: pytest.MonkeyPatch) -> None:
    mixed = Mixture()
    mixed.add(numbered(Source.TINY, 200), 1, small=True)
    mixed.add(numbered(Source.LARGE, 200), 1)
    given: list[Candidate] = []

    def batch(candidates: list[Candidate], _: float) -> TriedCandidate | None:
        first = not given
        given.extend(candidates)
        return tried(b"x" * 9999, WRONG) if first else None

    pool: Any = SimpleNamespace(size=2)
    loop = search_loop(pool, can_shrink=False)
    loop.try_batch = batch
    loop.more_s = lambda _: 1e9
    failing = loop.first_failing(mixed, float("inf"))
    assert failing is not None
    assert [one.data for one in given if one.source is Source.TINY] == [b"%d" % number for number in range(200)]
    assert sum(one.source is Source.LARGE for one in given) <= 8, "once one has failed they are of no use"


def test_after_an_unlikely_failing_input_a_likelier_one_is_sought_and_of_a_batch_the_best_is_taken() -> None:
    mixed = Mixture()
    mixed.add(numbered(Source.TINY, 400), 1, small=True)

    def evaluate(_: object, candidates: list[Candidate]) -> list[TriedCandidate]:
        inputs = [one.data or b"" for one in candidates]
        return [tried(data, WRONG if data >= b"5" else None) for data in inputs]

    pool: Any = SimpleNamespace(size=1, in_order=lambda run, chunks: [run(None, chunk) for chunk in chunks])

    def found(faults: Callable[[TriedCandidate], float]) -> bytes | None:
        loop = search_loop(pool, evaluate)
        loop._faults = faults
        loop.more_s = lambda _: 1e9
        failing = loop.first_failing(mixed, time.monotonic() + 60)
        return None if failing is None else failing.data

    assert found(lambda failing: 0 if failing.data == b"77" else 500) == b"77"


def test_the_smallest_failing_input_that_breaks_a_rule_is_kept_beside_a_larger_one_that_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = [b"%d" % number * size for number, size in enumerate((30, 90, 20, 2000, 40))]
    mixed = Mixture()
    mixed.add(map(candidate, texts), 1, small=True, like_samples=True)

    def drawn(take: Callable[[int], list[Candidate]], _: int) -> "Future[list[Candidate]]":
        one: Future[list[Candidate]] = Future()
        one.set_result(take(1))
        return one

    def batch(candidates: list[Candidate], _: float) -> TriedCandidate:
        [one] = candidates
        return tried(one.data or b"", WRONG)

    pool: Any = SimpleNamespace(size=1)
    loop = search_loop(pool, is_as_samples=lambda data: len(data) == 2000)
    loop.try_batch = batch
    loop.more_s = lambda _: 1e9
    loop._better_than = lambda _, *more: more
    monkeypatch.setattr(DrawAhead, "draw", lambda _, *request: drawn(*request))
    assert loop.first_failing(mixed, float("inf")).data == texts[3]
    assert loop.unlike.data == texts[2]
