"""The worker pool: what is left behind, and what may be closed when."""

import threading
from collections.abc import Callable, Iterator
from typing import cast

import pytest

from harness.errors import MachineError
from harness.host.pool import Pool
from harness.sandbox.facts import Sandbox
from harness.sandbox.opening import IsolationMode, open_sandboxes


class _Nothing:
    """Stands where a sandbox would."""

    def close(self) -> None:
        pass


@pytest.fixture
def pool() -> Iterator[Pool]:
    with Pool([cast(Sandbox, _Nothing()), cast(Sandbox, _Nothing())]) as opened:
        yield opened


def test_who_leaves_early_can_wait_for_what_still_runs(pool: Pool) -> None:
    begun, gate, ended = threading.Event(), threading.Event(), threading.Event()

    def work(_: Sandbox, waits: bool) -> bool:
        if waits:
            begun.set()
            gate.wait()
            ended.set()
        return waits

    outcomes = pool.in_order(work, [False, True, False])
    assert next(outcomes) is False
    begun.wait()
    cast(Iterator[bool] | Callable[[], None], outcomes).close()  # type: ignore[union-attr]
    opener = threading.Timer(0.05, gate.set)
    opener.start()
    pool.settle()
    assert ended.is_set()


def test_a_job_that_may_wait_for_its_own_pool_is_refused() -> None:
    with Pool([cast(Sandbox, _Nothing())]) as one:

        def nested(way: Callable[..., object]) -> Callable[[Sandbox, int], object]:
            return lambda _, item: way(lambda _, inner: inner, [item])

        for inner in (one.each, one.in_order, one.alone):
            for outer in (one.each, one.in_order):
                with pytest.raises(RuntimeError, match="may wait for itself"):
                    list(outer(nested(inner), [1]))
            with pytest.raises(RuntimeError, match="may wait for itself"):
                one.alone(nested(inner), 1)
        assert one.alone(lambda _, item: item, 1) == 1  # afterwards the thread may give jobs again


def test_a_job_may_use_an_idle_sandbox_of_its_pool(pool: Pool) -> None:
    def outer(_: Sandbox, item: int) -> int:
        once = pool.alone(lambda _, inner: inner + 1, item)
        return pool.alone(lambda _, inner: inner + 1, once)

    assert pool.alone(outer, 1) == 3


@pytest.mark.parametrize("mode", [IsolationMode.AUTO, IsolationMode.NONE])
def test_a_closed_sandbox_makes_no_partner_that_nobody_would_close(mode: IsolationMode) -> None:
    [sandbox] = open_sandboxes(mode, 1)
    sandbox.close()
    with pytest.raises(MachineError, match="closed"):
        sandbox.partner("other")
