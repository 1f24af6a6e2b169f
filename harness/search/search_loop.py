"""The loop of a search: try batches of candidates on all workers until one fails; meanwhile draw the next batch."""

import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYetError
from dataclasses import field
from queue import SimpleQueue
from threading import TIMEOUT_MAX, Event, Thread

from harness.host.pool import Pool
from harness.host.run_many import OutOfTimeError
from harness.sandbox.facts import Sandbox
from harness.search.candidates import Candidate, CandidateOutcome, Progress, Source, TriedCandidate
from harness.search.evaluate import Evaluator
from harness.search.likeness import is_too_large
from harness.search.likeness_policy import LIKENESS
from harness.search.policy import HUNT, SAMPLE_RULES
from harness.search.sources import Mixture
from harness.values import dataclass

Evaluate = Callable[[Sandbox, Sequence[Candidate]], list[TriedCandidate]]
Take = Callable[[int], Sequence[Candidate]]


@dataclass(kw_only=True)
class DrawAhead:
    """Draws candidates in a thread, since drawing takes as long as running. A context manager; its end stops drawing.

    The thread is a daemon: an endless draw does not block the end of the process.
    """

    _requests: SimpleQueue[tuple[Take, int, "Future[list[Candidate]]"] | None] = field(default_factory=SimpleQueue)
    _over: Event = field(default_factory=Event)

    def __enter__(self) -> "DrawAhead":
        Thread(target=self._work, name="draw ahead", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._requests.put(None)

    def draw(self, take: Take, count: int) -> "Future[list[Candidate]]":
        """Request `count` candidates; they are drawn after those of earlier requests."""
        future: Future[list[Candidate]] = Future()
        self._requests.put((take, count, future))
        return future

    def _work(self) -> None:
        while (request := self._requests.get()) is not None:
            take, count, future = request
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
    """Tries candidates until one fails.

    evaluate: tries candidates by `evaluator`. cross_check: runs other programs on a failing input, and may build them
    first.
    """

    pool: Pool
    evaluator: Evaluator
    evaluate: Evaluate
    progress: Progress
    tell: Callable[[], None] = lambda: None
    cross_check: Callable[[TriedCandidate], TriedCandidate] = lambda failing: failing
    found: TriedCandidate | None = None  # the best failing candidate so far, also after an interrupt
    unlike: TriedCandidate | None = None  # the smallest beside `found` that breaks a rule of the samples
    _input_s: float = HUNT.least_input_s  # time per input of the last batch
    _least_s: float = 0.0  # the least of all batches without a failing input

    def first_failing(
        self, mixed: Mixture, deadline_s: float, found: TriedCandidate | None = None, *, latest_s: float = math.inf
    ) -> TriedCandidate | None:
        """Return the first failing candidate, or a better one that fails soon after: more like samples, or smaller.

        found: a candidate that failed before. deadline_s: by time.monotonic(); time spent on building delays it, but
        not beyond `latest_s`.
        """
        self.found, self.progress.is_exhausted = found, False
        with DrawAhead() as ahead:
            return self._first_failing(ahead, mixed, deadline_s, latest_s)

    def _first_failing(
        self, ahead: DrawAhead, mixed: Mixture, deadline_s: float, latest_s: float
    ) -> TriedCandidate | None:
        count = HUNT.first_batch * self.pool.size
        next_batch = ahead.draw(mixed.take, count)
        while time.monotonic() < deadline_s and (batch := _in_time(next_batch, deadline_s)):
            began_s = time.monotonic()
            if self.found is not None:
                mixed, batch = self._better_than(self.found, mixed, batch)
            slowness = max(1, self._least_s / HUNT.usual_input_s)
            mixed.start_cost = max(factor for factor in HUNT.slow_factors if factor <= slowness)
            next_batch = ahead.draw(mixed.take, count)
            before_s = self.progress.clock.building_s
            try:
                failing = self.failing_in(batch, deadline_s)
            except (KeyboardInterrupt, OutOfTimeError) as error:
                if self.found is None:
                    raise
                self.progress.interrupted = self.progress.interrupted or isinstance(error, KeyboardInterrupt)
                return self.found
            deadline_s = min(deadline_s + self.progress.clock.building_s - before_s, latest_s)
            earlier, self.found = self.found, self.found or failing  # kept if an interrupt comes now
            if failing is not None and (self.progress.interrupted or self.is_small(failing)):
                return failing
            if failing is not None and earlier is None:
                deadline_s = min(deadline_s, time.monotonic() + self.more_s(failing))
            elif failing is not None and earlier is not None:
                self.found, other = sorted((failing, earlier), key=self._sort_key)
                self._note_unlike(other)
            count = self._next_count(count, len(batch), time.monotonic() - began_s)
            if self.found is None:
                self._least_s = min(self._least_s or math.inf, self._input_s)
        self.progress.is_exhausted = _is_empty(next_batch)
        return self.found

    def _note_unlike(self, other: TriedCandidate) -> None:
        """Note a failing candidate if it breaks a rule of the samples and is the smallest such one."""
        is_unlike = not self.evaluator.target.is_as_samples(other.data)
        if is_unlike and (self.unlike is None or len(other.data) < len(self.unlike.data)):
            self.unlike = other

    def failing_in(self, batch: list[Candidate], deadline_s: float) -> TriedCandidate | None:
        """Try a batch; return an input that fails without a doubt, see `try_batch`."""
        failing = self.try_batch(batch, deadline_s)
        if failing is not None and (failing := self.cross_check(failing)).doubt is not None:
            self.progress.count(failing)
            # again: now `evaluate` cross-checks each failing input
            failing = self.try_batch(batch, deadline_s)
        return failing

    def try_batch(self, batch: list[Candidate], deadline_s: float) -> TriedCandidate | None:
        """Try a batch; return an input that fails: the first in order, whichever worker was faster.

        If something was found before, the whole batch is tried, and the best is returned.
        """

        def evaluate(sandbox: Sandbox, chunk: Sequence[Candidate]) -> list[TriedCandidate]:
            if time.monotonic() > deadline_s:
                return []
            try:
                return self.evaluate(sandbox, chunk)
            except OutOfTimeError as error:
                self.progress.running_at_end = str(error)
                return []

        in_time = int((deadline_s - time.monotonic()) / self._input_s)
        width = max(1, min(HUNT.most_in_chunk, -(-len(batch) // self.pool.size), in_time))
        chunks = [batch[start : start + width] for start in range(0, len(batch), width)]
        failed: list[TriedCandidate] = []
        with self.evaluator.programs.until(deadline_s + HUNT.last_inputs_s):
            for trials in self.pool.in_order(evaluate, chunks):
                for tried in trials:
                    self.progress.count(tried)
                self.tell()
                failed += (tried for tried in trials if tried.outcome is CandidateOutcome.FAILED)
                if failed and self.found is None:
                    return failed[0]
        return min(failed, key=self._sort_key, default=None)

    def is_small(self, failing: TriedCandidate) -> bool:
        """Return whether a failing input ends the search: small, shrinkable, and much like the samples."""
        return (
            len(failing.data) <= HUNT.small_bytes and self.evaluator.target.can_shrink and self._is_likely(failing)
        )

    def _is_likely(self, failing: TriedCandidate) -> bool:
        is_as_samples = self.evaluator.target.is_as_samples(failing.data)
        return is_as_samples and self._faults(failing) <= LIKENESS.few_faults

    def _faults(self, failing: TriedCandidate) -> float:
        """Return how unlike the samples a failing input is (harness.search.likeness)."""
        likeness = self.evaluator.target.likeness
        if likeness is None:
            return 0
        made = 0 if failing.candidate.source is Source.CASE else LIKENESS.made
        return made + likeness.faults_of(failing.data)

    def more_s(self, failing: TriedCandidate) -> float:
        """Return for how many seconds to search for a better failing input than this."""
        if not self.evaluator.target.is_as_samples(failing.data):
            return SAMPLE_RULES.better_s
        if len(failing.data) <= HUNT.middling_bytes and not self._is_likely(failing):
            return LIKENESS.likelier_s
        return HUNT.little_smaller_s if len(failing.data) <= HUNT.middling_bytes else HUNT.smaller_s

    def _better_than(
        self, failed: TriedCandidate, mixed: Mixture, batch: Sequence[Candidate]
    ) -> tuple[Mixture, list[Candidate]]:
        """Return the sources and candidates that may be better than a failing input.

        A small failing input is better than a large input that must be made small.
        """
        is_as_samples = self.evaluator.target.is_as_samples
        if not is_as_samples(failed.data):
            return mixed.like_samples(), [each for each in batch if each.data and is_as_samples(each.data)]
        return mixed.small(), [candidate for candidate in batch if candidate.source is not Source.LARGE]

    def _sort_key(self, failing: TriedCandidate) -> tuple[bool, bool, float]:
        """Return a sort key that puts the best failing input first: small, and like the samples."""
        cost = math.log(1 + len(failing.data)) + self._faults(failing) / 100
        return not self.evaluator.target.is_as_samples(failing.data), is_too_large(failing.data), cost

    def _next_count(self, count: int, tried: int, took_s: float) -> int:
        """Return the size of the next batch, which should take about HUNT.batch_s. took_s: time of the last batch."""
        self._input_s = max(HUNT.least_input_s, took_s * self.pool.size / max(1, tried))
        if took_s > 2 * HUNT.batch_s:
            return max(HUNT.first_batch, count // 2)
        return max(HUNT.first_batch, min(HUNT.most_in_batch, 2 * count if took_s < HUNT.batch_s / 2 else count))


def _in_time(batch: "Future[list[Candidate]]", deadline_s: float) -> list[Candidate]:
    """Wait for the drawn candidates; return none if drawing exceeds the deadline."""
    try:
        return batch.result(timeout=min(max(0.0, deadline_s - time.monotonic()), TIMEOUT_MAX))
    except NotYetError:
        return []


def _is_empty(batch: "Future[list[Candidate]]") -> bool:
    """Return whether the candidates were drawn, and there were none left."""
    return batch.done() and batch.exception() is None and not batch.result()
