"""Draws the next candidates while the workers are busy with the last ones: drawing takes as long as running."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event

from harness.search.model import Candidate

Take = Callable[[int], Sequence[Candidate]]


@dataclass(kw_only=True)
class Ahead:
    """A thread that draws. Use it in a `with`: what is not drawn yet at its end never is."""

    _thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(max_workers=1))
    _over: Event = field(default_factory=Event)

    def __enter__(self) -> "Ahead":
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.shutdown(wait=True, cancel_futures=True)

    def draw(self, take: Take, count: int) -> "Future[list[Candidate]]":
        """So many candidates, one after the other, in the order in which they are asked for."""
        return self._thread.submit(self._drawn, take, count)

    def _drawn(self, take: Take, count: int) -> list[Candidate]:
        found: list[Candidate] = []
        while len(found) < count and not self._over.is_set() and (more := take(1)):
            found += more
        return found
