"""The local worker pool: a thread and a sandbox a worker. Programs do the work, so threads are enough."""

import queue
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed, wait
from typing import TypeVar

from harness.sandbox import Isolation, Sandbox

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


class Pool:
    """Hands each piece of work a sandbox of its own. Close it, or use it in a `with`."""

    def __init__(self, sandboxes: Sequence[Sandbox]) -> None:
        self._sandboxes = tuple(sandboxes)
        self._idle: queue.SimpleQueue[Sandbox] = queue.SimpleQueue()
        for sandbox in sandboxes:
            self._idle.put(sandbox)
        self._threads = ThreadPoolExecutor(max_workers=len(sandboxes), thread_name_prefix="worker")

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def size(self) -> int:
        """How many pieces of work run at once."""
        return len(self._sandboxes)

    @property
    def isolation(self) -> Isolation:
        """How well the runs of this pool are contained."""
        return self._sandboxes[0].isolation

    def each(
        self, work: Callable[[Sandbox, Item], Outcome], items: Iterable[Item]
    ) -> Iterator[tuple[Item, Outcome]]:
        """Each item with its outcome, as they come. The first exception ends the rest and is raised."""
        futures: dict[Future[Outcome], Item] = {
            self._threads.submit(self._with_sandbox, work, i): i for i in items
        }
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        except Exception:
            _cancel(futures)
            wait(
                futures
            )  # what runs already ends before anybody hears of the failure: nothing is written after it
            raise
        finally:
            _cancel(futures)

    def in_order(self, work: Callable[[Sandbox, Item], Outcome], items: Iterable[Item]) -> Iterator[Outcome]:
        """The outcomes in the order of the items."""
        return self._threads.map(lambda item: self._with_sandbox(work, item), items)

    def alone(self, work: Callable[[Sandbox, Item], Outcome], item: Item) -> Outcome:
        """Do one piece of work in the calling thread, while nothing else runs."""
        return self._with_sandbox(work, item)

    def close(self) -> None:
        """End every run under way and let the threads go."""
        for sandbox in self._sandboxes:
            sandbox.close()
        self._threads.shutdown(wait=True, cancel_futures=True)

    def _with_sandbox(self, work: Callable[[Sandbox, Item], Outcome], item: Item) -> Outcome:
        sandbox = self._idle.get()
        try:
            return work(sandbox, item)
        finally:
            self._idle.put(sandbox)


def _cancel(futures: Iterable[Future[Outcome]]) -> None:
    for future in futures:
        future.cancel()
