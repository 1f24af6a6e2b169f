"""The loop of a search: try batches of candidates on all workers until one fails, and draw the next ones meanwhile."""

import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYetError
from contextlib import AbstractContextManager, nullcontext
from dataclasses import field
from queue import SimpleQueue
from threading import TIMEOUT_MAX, Event, Thread

from harness.host.pool import Pool
from harness.host.run_many import OutOfTimeError
from harness.sandbox.facts import Sandbox
from harness.search.model import Candidate, CandidateOutcome, Progress, Source, TriedCandidate
from harness.search.policy import HUNT, SHOWN
from harness.search.sources import Mixture
from harness.values import dataclass

Look = Callable[[Sandbox, Sequence[Candidate]], list[TriedCandidate]]
Take = Callable[[int], Sequence[Candidate]]


@dataclass(kw_only=True)
class DrawAhead:
    """Draw candidates in a thread: drawing takes as long as running. A context manager; its end stops drawing.

    An endless draw does not block the end of the process: it is a daemon thread.
    """

    _orders: SimpleQueue[tuple[Take, int, "Future[list[Candidate]]"] | None] = field(default_factory=SimpleQueue)
    _over: Event = field(default_factory=Event)

    def __enter__(self) -> "DrawAhead":
        self._thread = Thread(target=self._work, name="draw ahead", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._orders.put(None)
        self._thread.join(HUNT.late_s)

    def draw(self, take: Take, count: int) -> "Future[list[Candidate]]":
        """Draw `count` candidates, after those of earlier requests."""
        order: Future[list[Candidate]] = Future()
        self._orders.put((take, count, order))
        return order

    def _work(self) -> None:
        while (order := self._orders.get()) is not None:
            take, count, future = order
            try:
                future.set_result(self._drawn(take, count))
            except BaseException as error:
                future.set_exception(error)

    def _drawn(self, take: Take, count: int) -> list[Candidate]:
        drawn: list[Candidate] = []
        while len(drawn) < count and not self._over.is_set() and (more := take(1)):
            drawn += more
        return drawn


@dataclass(kw_only=True)
class SearchLoop:
    """Try candidates until one fails.

    may_shrink: whether an input may be made smaller. until: sets a deadline for all programs. vet:
    asks other programs about a failing input; it may enter a phase of building. is_as_samples: whether an input keeps
    the rules that samples show.
    """

    pool: Pool
    look: Look
    may_shrink: bool
    progress: Progress
    tell: Callable[[], None] = lambda: None
    until: Callable[[float], AbstractContextManager[object]] = nullcontext
    vet: Callable[[TriedCandidate], TriedCandidate] = lambda failing: failing
    is_as_samples: Callable[[bytes], bool] = lambda _: True
    _each_s: float = HUNT.least_input_s  # time per input of the last batch

    def first_failing(
        self,
        ahead: DrawAhead,
        mixed: Mixture,
        deadline_s: float,
        failed: TriedCandidate | None = None,
        *,
        latest_s: float = math.inf,
    ) -> TriedCandidate | None:
        """Return the first failing candidate, or a better one that failed soon after it: more like samples, smaller.

        failed: a known failing candidate. deadline_s: by time.monotonic(); building meanwhile delays it, to `latest_s`
        at most.
        """
        count = HUNT.first_batch * self.pool.size
        coming = ahead.draw(mixed.take, count)
        while time.monotonic() < deadline_s and (batch := _in_time(coming, deadline_s)):
            began_s = time.monotonic()
            if failed is not None:
                mixed, batch = self._better_than(failed, mixed, batch)
            coming = ahead.draw(mixed.take, count)
            before_s = self.progress.clock.building_s
            try:
                failing = self.failing_in(batch, deadline_s)
            except (KeyboardInterrupt, OutOfTimeError) as error:
                if failed is None:
                    raise
                self.progress.interrupted = self.progress.interrupted or isinstance(error, KeyboardInterrupt)
                return failed
            deadline_s = min(deadline_s + self.progress.clock.building_s - before_s, latest_s)
            if failing is not None and self.is_small(failing):
                return failing
            if failing is not None and failed is None:
                deadline_s = min(deadline_s, time.monotonic() + self.more_s(failing))
            failed = min((each for each in (failing, failed) if each is not None), key=self._badness, default=None)
            count = self._next_count(count, len(batch), time.monotonic() - began_s)
        return failed

    def failing_in(self, batch: list[Candidate], deadline_s: float) -> TriedCandidate | None:
        """Try a batch; return the first in order that fails without doubt."""
        failing = self.try_batch(batch, deadline_s)
        if failing is not None and (failing := self.vet(failing)).doubt is not None:
            self.progress.count(failing)
            failing = self.try_batch(
                batch, deadline_s
            )  # from now on each failing input is vetted when it is tried
        return failing

    def try_batch(self, batch: list[Candidate], deadline_s: float) -> TriedCandidate | None:
        """Try a batch; return the first in order that fails, whichever worker was faster."""

        def look(sandbox: Sandbox, some: Sequence[Candidate]) -> list[TriedCandidate]:
            if time.monotonic() > deadline_s:
                return []
            try:
                return self.look(sandbox, some)
            except OutOfTimeError:
                return []

        in_time = int((deadline_s - time.monotonic()) / self._each_s)
        width = max(1, min(HUNT.most_in_chunk, -(-len(batch) // self.pool.size), in_time))
        chunks = [batch[start : start + width] for start in range(0, len(batch), width)]
        with self.until(deadline_s + HUNT.last_inputs_s):
            for trials in self.pool.in_order(look, chunks):
                for tried in trials:
                    self.progress.count(tried)
                self.tell()
                failing = next((each for each in trials if each.outcome is CandidateOutcome.FAILED), None)
                if failing is not None:
                    return failing
        return None

    def is_small(self, failing: TriedCandidate) -> bool:
        """Return whether it is small enough to end the search, and as the samples are.

        Never if inputs may not be made smaller.
        """
        return len(failing.data) <= HUNT.small_bytes and self.may_shrink and self.is_as_samples(failing.data)

    def more_s(self, failing: TriedCandidate) -> float:
        """Return how long to look for a better input than this before it is made small, in seconds."""
        if not self.is_as_samples(failing.data):
            return SHOWN.seconds
        return HUNT.little_smaller_s if len(failing.data) <= HUNT.middling_bytes else HUNT.smaller_s

    def _better_than(
        self, failed: TriedCandidate, mixed: Mixture, batch: Sequence[Candidate]
    ) -> tuple[Mixture, list[Candidate]]:
        """Return the sources and candidates that may be better than a failing input.

        A small failing input is better than a large input that must be made small.
        """
        if not self.is_as_samples(failed.data):
            shown = [each for each in batch if each.data is not None and self.is_as_samples(each.data)]
            return mixed.shown(), shown
        return mixed.small(), [each for each in batch if each.source is not Source.LARGE]

    def _badness(self, failing: TriedCandidate) -> tuple[bool, int]:
        return not self.is_as_samples(failing.data), len(failing.data)

    def _next_count(self, count: int, tried: int, took_s: float) -> int:
        """Return the size of the next batch: about a second's work."""
        self._each_s = max(HUNT.least_input_s, took_s * self.pool.size / max(1, tried))
        if took_s > 2 * HUNT.batch_s:
            return max(HUNT.first_batch, count // 2)
        return max(HUNT.first_batch, min(HUNT.most_in_batch, 2 * count if took_s < HUNT.batch_s / 2 else count))


def _in_time(coming: "Future[list[Candidate]]", deadline_s: float) -> list[Candidate]:
    """Return the drawn candidates; empty if drawing exceeds the deadline."""
    try:
        return coming.result(timeout=min(max(0.0, deadline_s - time.monotonic()), TIMEOUT_MAX))
    except NotYetError:
        return []
