"""The local worker pool: a thread and a sandbox for each worker. Child processes do the work, so threads suffice."""

import contextlib
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from typing import Any, TypeVar

from harness.sandbox.facts import WAKE_S, Isolation, Sandbox

Item = TypeVar("Item")
Result = TypeVar("Result")


class Threads:
    """Runs jobs in a fixed number of threads."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._left_behind: list[Future[Any]] = []
        self._executor = ThreadPoolExecutor(max_workers=size, thread_name_prefix="worker")

    def each(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[tuple[Item, Result]]:
        """Yield each item with its outcome as jobs finish. The first exception cancels the rest and is raised."""
        if self.size == 1:  # a second thread would only compete with the caller for the interpreter
            for item in items:
                yield item, work(item)
        else:
            yield from self._each_in_threads(work, deque(items))

    def _each_in_threads(
        self, work: Callable[[Item], Result], pending: deque[Item]
    ) -> Iterator[tuple[Item, Result]]:
        """Run the jobs in threads, each of which takes the next item until none is left."""
        done: queue.SimpleQueue[tuple[Item, Result] | BaseException] = queue.SimpleQueue()

        def drain() -> None:
            try:
                while (item := _take(pending)) is not None:
                    done.put((item[0], work(item[0])))
            except BaseException as error:
                done.put(error)

        count = len(pending)
        workers = [self._executor.submit(drain) for _ in range(min(self.size, count))]
        try:
            for _ in range(count):
                outcome = _taken(done)
                if isinstance(outcome, BaseException):
                    pending.clear()
                    wait(workers)  # wait for running jobs before raising: nothing is written after it
                    raise outcome
                yield outcome
        finally:
            pending.clear()

    def in_order(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield the outcomes in the order of the items. A caller that stops early must call `settle`."""
        futures = [self._executor.submit(work, item) for item in items]
        try:
            for future in futures:
                while not future.done():
                    wait([future], timeout=WAKE_S)
                yield future.result()
        finally:
            for future in futures:
                future.cancel()
            self._left_behind = [future for future in [*self._left_behind, *futures] if not future.done()]

    def settle(self) -> None:
        """Wait for the jobs of a caller that stopped early; then what they use may be closed."""
        wait(self._left_behind)

    def close(self) -> None:
        """Cancel jobs that have not begun, and wait for the threads."""
        self._executor.shutdown(wait=True, cancel_futures=True)


class Pool:
    """Gives each job a sandbox of its own. Close it, or use it in a `with`.

    A job may give jobs to its own pool only while a sandbox is idle, as in a game with a viewer; else RuntimeError: it
    may wait for itself.
    """

    def __init__(self, sandboxes: Sequence[Sandbox]) -> None:
        self._sandboxes = tuple(sandboxes)
        self._idle: queue.SimpleQueue[Sandbox] = queue.SimpleQueue()
        for sandbox in sandboxes:
            self._idle.put(sandbox)
        self._threads = Threads(len(sandboxes))
        self._job = threading.local()  # `runs`: whether this thread runs a job

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def size(self) -> int:
        """Return how many jobs run at once."""
        return self._threads.size

    @property
    def isolation(self) -> Isolation:
        """Return the isolation of this pool's runs."""
        return self._sandboxes[0].isolation

    def each(
        self, work: Callable[[Sandbox, Item], Result], items: Iterable[Item]
    ) -> Iterator[tuple[Item, Result]]:
        """Yield each item with its outcome as jobs finish. The first exception cancels the rest and is raised."""
        self._refuse_in_job()
        return self._threads.each(partial(self.alone, work), items)

    def in_order(self, work: Callable[[Sandbox, Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield the outcomes in the order of the items. A caller that stops early must call `settle`."""
        self._refuse_in_job()
        return self._threads.in_order(partial(self.alone, work), items)

    def settle(self) -> None:
        """Wait for the jobs of a caller that stopped early; then what they use may be closed."""
        self._threads.settle()

    def alone(self, work: Callable[[Sandbox, Item], Result], item: Item) -> Result:
        """Run a job in the calling thread. The caller must see to it that nothing else runs."""
        self._refuse_in_job()
        sandbox, outer = self._idle.get(), getattr(self._job, "runs", False)
        self._job.runs = True
        try:
            return work(sandbox, item)
        finally:
            self._job.runs = outer
            self._idle.put(sandbox)

    def close(self) -> None:
        """End every current run and stop the threads."""
        for sandbox in self._sandboxes:
            sandbox.close()
        self._threads.close()

    def _refuse_in_job(self) -> None:
        if getattr(self._job, "runs", False) and self._idle.empty():
            raise RuntimeError(
                "a job gives jobs to its own pool, which has no idle sandbox: it may wait for itself"
            )


def _taken(done: "queue.SimpleQueue[Result]") -> Result:
    """Wait for the next outcome."""
    while True:
        with contextlib.suppress(queue.Empty):
            return done.get(timeout=WAKE_S)


def _take(pending: deque[Item]) -> tuple[Item] | None:
    try:
        return (pending.popleft(),)
    except IndexError:  # nothing left, or another worker took the last item
        return None
