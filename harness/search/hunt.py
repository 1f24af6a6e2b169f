"""The search: try candidates on all workers until one fails, make it small, confirm it by a plain judged run."""

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import field, replace
from typing import Any

from harness.host.host import Host
from harness.host.run_many import OutOfTimeError, Programs
from harness.package import Group
from harness.results.model import CaseResult
from harness.results.verdict import Verdict
from harness.sandbox.facts import Sandbox
from harness.search.build_programs import BuiltTarget, build, guarded
from harness.search.candidates import (
    BUILDING,
    BUILDING_TO_CONFIRM,
    CONFIRMING,
    REDUCING,
    SEARCHING,
    Candidate,
    CandidateOutcome,
    Progress,
    SearchResult,
    Source,
    TriedCandidate,
)
from harness.search.confirm import Confirming, doubt_of_reference
from harness.search.doubts import Doubts, always_has_answer, with_programs
from harness.search.evaluate import Evaluator
from harness.search.policy import HUNT, REDUCE, SOURCES
from harness.search.preparation import Preparation
from harness.search.reduce import Reduction
from harness.search.search_loop import SearchLoop
from harness.search.sources import is_changed_and_passed, mixture
from harness.search.target import SearchTarget
from harness.search.time_guard import ended_by
from harness.search.tried_inputs import TriedInputs
from harness.values import dataclass


@dataclass(kw_only=True)
class Hunt:
    """A search for one target, within `time_s` seconds; building, shrinking and confirming may take `beyond_s` more.

    given: the only input to try. spares_secret: do not derive inputs from secret cases. reducing_s, exhaustive_s:
    seconds for making small, and of these for trying all smaller inputs. tell: called whenever `progress` has
    changed.
    """

    target: SearchTarget
    host: Host
    seed: int
    time_s: float
    given: bytes | None = None
    spares_secret: bool = False
    reducing_s: float = REDUCE.reducing_s
    exhaustive_s: float = REDUCE.exhaustive_s
    beyond_s: float = REDUCE.beyond_s
    tell: Callable[[Progress], None] = lambda _: None
    progress: Progress = field(default_factory=Progress)
    _doubts: Doubts | None = None  # opened at the first failure
    _passed: deque[TriedCandidate] = field(default_factory=lambda: deque(maxlen=SOURCES.most_passed))

    def run(self) -> SearchResult | None:
        """Build, search, reduce, confirm. Return None if no input fails in time."""
        self._enter(BUILDING)
        built = build(self.target, self.host)
        self.progress.unbuilt_validators = built.unbuilt_validators
        self.target = guarded(self.target, built)
        with Programs(host=self.host) as programs:
            self._open(programs, built)
            first = self._first() or self.progress.doubtful
            if first is None:
                return None
            result = self._confirmed(first)
            return replace(result, doubtful=self.progress.doubtful if result.trial.doubt is None else None)

    def run_to_the_end(self) -> SearchResult | None:
        """Do as `run`, but raise KeyboardInterrupt after Ctrl-C, so that no unfinished search is remembered."""
        result = self.run()
        if self.progress.interrupted:
            raise KeyboardInterrupt
        return result

    def _confirmed(self, first: TriedCandidate) -> SearchResult:
        """Make a failing input small that fails in a plain run, too; search on for one while there is time.

        A program that draws random numbers or measures its own time may fail in the search only.
        """
        first_result: SearchResult | None = None
        latest: TriedCandidate | None = first
        to_find = self.progress.executions
        while latest is not None:
            if self._fails_plainly(latest):
                result = self._made_small(latest, to_find=self.progress.executions)
                if result.is_confirmed:
                    return result
                first_result = first_result or result
            latest = self._next_failing()
        return first_result or self._made_small(first, to_find=to_find)

    def _fails_plainly(self, failing: TriedCandidate) -> bool:
        """Return whether a plain run fails, too.

        True also where none is made before the input is made small: a time limit was exceeded, or the search is over.
        """
        self.progress.best = failing
        self._enter(BUILDING_TO_CONFIRM)
        with self._keeping_the_find():
            self.confirming.build(failing)
        if (
            failing.failure is None
            or failing.failure.verdict is Verdict.TIME_LIMIT_EXCEEDED
            or not self._may_go_on
        ):
            return True
        self._enter(CONFIRMING)
        trial, result = self._judged_plainly(failing, failing)
        return result is None or trial.fails_with(result.verdict)

    def _judged_plainly(
        self, best: TriedCandidate, first: TriedCandidate
    ) -> tuple[TriedCandidate, CaseResult | None]:
        """Judge an input as `harness judge` does, if need be `first`, too; None: interrupted, or there is no time."""
        trial, result = best, None
        with self._keeping_the_find(), suppress(OutOfTimeError), ended_by(self._end_s, anywhere=True):
            trial, result = self.confirming.confirmed(best, first)
        return trial, result

    def _next_failing(self) -> TriedCandidate | None:
        """Search on after a failure that was not confirmed; return the next one, None if there is no time for it."""
        if self._may_go_on:
            with self._keeping_the_find():
                return self._searched_in_time(None)
        return None

    @property
    def _may_go_on(self) -> bool:
        return self.given is None and not self.progress.interrupted and time.monotonic() < self._search_end_s

    @contextmanager
    def _keeping_the_find(self) -> Iterator[None]:
        """Catch Ctrl-C in the block. The input that was found before is then shown as it is, not made small."""
        try:
            yield
        except KeyboardInterrupt:
            self.progress.interrupted, self.reducing_s = True, 0.0

    def _first(self) -> TriedCandidate | None:
        """Prepare and search; return a failing input, or None."""
        if self.given is not None:
            return self._first_given()
        return self._searched_in_time(self._prepared_in_time())

    def _searched_in_time(self, early: TriedCandidate | None) -> TriedCandidate | None:
        """Search until the time is over; return a failing input, at least `early`."""
        self._loop.found = early
        try:
            with suppress(OutOfTimeError), ended_by(self._least_end_s + HUNT.last_inputs_s + HUNT.late_s):
                return self._searched(early)
        except KeyboardInterrupt:
            if self._loop.found is None:
                raise
            self.progress.interrupted = True
        return self._loop.found

    def _first_given(self) -> TriedCandidate | None:
        """Try the given input, and return it if it fails, after the preparation to make it smaller."""
        failing: TriedCandidate | None = None
        with suppress(OutOfTimeError), ended_by(self._least_end_s + HUNT.last_inputs_s + HUNT.late_s):
            failing = self._given()
        if failing is not None:
            self.progress.best = failing
            try:
                self._prepared_in_time()
            except KeyboardInterrupt:
                self.progress.interrupted = True
        return failing

    def _prepared_in_time(self) -> TriedCandidate | None:
        """Prepare until the time is over; return an input that fails meanwhile."""
        preparation = Preparation(
            evaluator=self.evaluator,
            pool=self.host.pool,
            time_s=self.time_s,
            enter=self._enter,
            raises_numbers=self.given is None,
            loop=self._loop if self.given is None else None,
            seed=self.seed,
            spares_secret=self.spares_secret,
        )
        latest_s = self._search_end_s + HUNT.late_s
        try:
            with suppress(OutOfTimeError), ended_by(latest_s), self.evaluator.programs.until(latest_s):
                return preparation.run(self._search_end_s)
            return None
        finally:
            self.target = self.evaluator.target

    def _open(self, programs: Programs, built: BuiltTarget) -> None:
        """Set up the programs and the loop, start the clock, and check the reference on samples."""
        tried = TriedInputs(distinct=self.target.answers())
        self.evaluator = Evaluator(target=self.target, programs=programs, built=built, tried_inputs=tried)
        self._loop = SearchLoop(
            pool=self.host.pool,
            evaluator=self.evaluator,
            evaluate=self._evaluate,
            progress=self.progress,
            tell=lambda: self.tell(self.progress),
            cross_check=self._cross_check,
        )
        self._enter(SEARCHING)
        programs.deadline_s = self._end_s
        self.progress.doubt_of_reference = self._doubt_of_reference()

    def _enter(self, phase: str) -> None:
        self.progress.clock.enter(phase)
        self.tell(self.progress)

    @property
    def _end_s(self) -> float:
        """Return when everything must be finished, by time.monotonic()."""
        return self.progress.clock.end_s(self.time_s, self.beyond_s)

    def _evaluate(self, sandbox: Sandbox, candidates: Sequence[Candidate], **options: Any) -> list[TriedCandidate]:
        """Try candidates; once a failure has occurred, run other programs on each failing candidate."""
        trials = self.evaluator.evaluate(sandbox, candidates, **options)
        self._passed += filter(is_changed_and_passed, trials)
        return trials if self._doubts is None else [self._doubts.cross_check(sandbox, tried) for tried in trials]

    def _cross_check(self, failing: TriedCandidate) -> TriedCandidate:
        """Run other programs on the first failing input, after building them; `_evaluate` cross-checks later ones."""
        if self._doubts is not None:
            return failing
        phase = self.progress.clock.phase
        always_prints = self.given is None and always_has_answer(self.target)
        doubts = Doubts(evaluator=self.evaluator, always_prints=always_prints)
        failing = doubts.check_plausibility(failing)
        with self._keeping_the_find(), suppress(OutOfTimeError):
            self._enter(BUILDING)
            doubts = with_programs(doubts, self.host, self._least_end_s)
            self._enter(phase)
            failing = self.host.pool.alone(doubts.cross_check, failing)
        self._enter(phase)
        self._doubts = doubts
        if failing.doubt is not None:
            self.evaluator.tried_inputs.forget()  # other failures of the batch were not examined
        return failing

    def _doubt_of_reference(self) -> str:
        """Describe a sample that the reference answers wrongly; "" if there is none."""

        def run_samples(sandbox: Sandbox, samples: Group) -> str:
            deadline_s = time.monotonic() + max(HUNT.least_samples_s, self.time_s / 4)
            with self.evaluator.programs.until(deadline_s):
                return doubt_of_reference(self.evaluator, sandbox, list(samples.all_cases()), deadline_s)

        try:
            return self.host.pool.alone(run_samples, self.target.package.sample)
        except OutOfTimeError:
            return ""

    def _searched(self, early: TriedCandidate | None) -> TriedCandidate | None:
        """Return a failing candidate, or None. early: a candidate that failed during the preparation."""
        self._enter(SEARCHING)
        mixed = mixture(
            self.target,
            self.seed,
            spares_secret=self.spares_secret,
            tried=self.evaluator.tried_inputs,
            passed=self._passed,
        )
        deadline_s = self._least_end_s
        if early is not None:  # look for a smaller failing input
            is_enough = self.progress.interrupted or self._loop.is_small(early)
            deadline_s = time.monotonic() + (0 if is_enough else self._loop.more_s(early))
        latest_s = self._end_s - self.beyond_s / 2
        return self._loop.first_failing(mixed, deadline_s, early, latest_s=latest_s)

    @property
    def _search_end_s(self) -> float:
        return self.progress.clock.search_end_s(self.time_s, self.beyond_s)

    @property
    def _least_end_s(self) -> float:
        """Return the end of the search by time.monotonic(), with some time left even after a long preparation."""
        least_s = time.monotonic() + min(self.time_s, HUNT.least_search_s)
        return max(self._search_end_s, min(least_s, self._end_s - self.beyond_s / 2))

    def _given(self) -> TriedCandidate | None:
        """Try the given input; in games with each answer for the interactor in turn."""
        self._enter(SEARCHING)
        candidate = Candidate(source=Source.GIVEN, description="the given input", data=self.given)
        with suppress(OutOfTimeError), self.evaluator.programs.until(self._least_end_s + HUNT.last_inputs_s):
            for _ in self.evaluator.tried_inputs.distinct:
                [trial] = self.host.pool.alone(self.evaluator.evaluate, [candidate])
                if trial.outcome is CandidateOutcome.REPEATED:
                    break
                self.progress.count(trial)
                if trial.outcome is CandidateOutcome.FAILED:
                    return self._cross_check(trial)
                if time.monotonic() > self._search_end_s:
                    break
        return None

    def _made_small(self, first: TriedCandidate, *, to_find: int) -> SearchResult:
        """Reduce a failing input, then judge the result as `harness judge` does. to_find: see SearchResult."""
        self.progress.best = first
        self._enter(REDUCING)
        self.evaluator.programs.deadline_s = self._end_s
        reduction = self.host.pool.alone(self._reduced, first)
        self._enter(CONFIRMING)
        trial, confirmed = self._judged_plainly(reduction.best, first)
        if self._doubts is not None and not self.progress.interrupted:
            with self._keeping_the_find(), suppress(OutOfTimeError), ended_by(self._end_s, anywhere=True):
                trial = self.host.pool.alone(self._doubts.explained, trial)
        is_reduced = trial.data == reduction.best.data
        return SearchResult(
            first=first,
            trial=trial,
            confirmed=confirmed,
            proven=reduction.proven and is_reduced and not trial.is_unsteady,
            to_find=to_find,
            to_shrink=reduction.executions,
            less_certain=reduction.less_certain if is_reduced else None,
            is_cut=reduction.is_cut,
        )

    def _reduced(self, sandbox: Sandbox, first: TriedCandidate) -> Reduction:
        """Reduce a failing trial; leave a share of the time after the search for confirming."""
        share_s = min(self.beyond_s / 2, HUNT.confirming_runs * self.limit_s + HUNT.confirming_s)
        reduction = Reduction(
            evaluator=self.evaluator,
            sandbox=sandbox,
            best=first,
            evaluate=self._evaluate,
            deadline_s=min(time.monotonic() + self.reducing_s, self._end_s - share_s),
            unlike=self._loop.unlike,
            exhaustive_s=self.exhaustive_s,
            tell=self._note_smaller,
        )
        latest_s = reduction.deadline_s + HUNT.late_s
        with suppress(OutOfTimeError), ended_by(latest_s), self.evaluator.programs.until(latest_s):
            reduction.run()
        self.progress.interrupted = self.progress.interrupted or reduction.interrupted
        return reduction

    def _note_smaller(self, trial: TriedCandidate) -> None:
        self.progress.best = trial
        self.progress.shrinking += 1
        self.tell(self.progress)

    @property
    def limit_s(self) -> float:
        """Return the time limit of a run, in seconds."""
        return self.evaluator.limits.cpu_s

    def doubt_of_answer(self, result: SearchResult) -> str:
        """Return why the reference's answer to a result may be wrong: it fails on a sample; "" if it does not."""
        is_of_output = any(map(result.trial.fails_with, (Verdict.WRONG_ANSWER, Verdict.OUTPUT_LIMIT_EXCEEDED)))
        return self.progress.doubt_of_reference if is_of_output else ""

    @property
    def generator_fault(self) -> str:
        """Return how the generator of the user, or one of the recipe, failed; "" if one succeeded."""
        return self.evaluator.generators.fault

    @property
    def confirming(self) -> Confirming:
        """Return the means to judge a failing input as `harness judge` does."""
        return Confirming(host=self.host, evaluator=self.evaluator)
