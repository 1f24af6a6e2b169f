"""Try candidates: is the input valid, what does the submission do with it, and is that right?"""

import time
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from functools import partial
from itertools import compress

from harness.check.batch_checks import ManyInputs, ManyOutputs, Question
from harness.check.classify import Judgement, classify_run
from harness.check.default_validator import compare, parse_arguments
from harness.check.output_check import output_check_with
from harness.check.validator_call import judge_program_limits as limits_of_validation
from harness.errors import JudgeError
from harness.host.batches import Call, Ran
from harness.host.run_many import Programs
from harness.package import Case
from harness.package.model import CaseSettings
from harness.results.verdict import Verdict
from harness.sandbox.facts import MIB, KillReason, Limits, Sandbox, wall_limit_s
from harness.search.build_programs import BuiltTarget
from harness.search.candidates import Candidate, CandidateOutcome, Source, TriedCandidate
from harness.search.games import GameRunner, Games, concluded
from harness.search.policy import HUNT, RUNNING
from harness.search.reference import BEYOND, NOT_ASKED, Reference, ReferenceReply, ShortLimit
from harness.search.target import SearchTarget
from harness.search.tried_inputs import TriedInputs
from harness.search.validity import Generators, SourceTrust, quick_limits
from harness.values import dataclass

_LATE = Verdict.TIME_LIMIT_EXCEEDED
_OUT_OF_RESOURCES = (_LATE, Verdict.MEMORY_LIMIT_EXCEEDED)
# Verdicts that need no output check; invalid inputs cause them, too.
_WITHOUT_CHECK = (Verdict.RUN_TIME_ERROR, *_OUT_OF_RESOURCES)
# Outcomes after which the input validators are asked, if they were not before the run.
_VALIDATED_LATE = (CandidateOutcome.FAILED, CandidateOutcome.UNANSWERED)
_OUT_OF_MEMORY = (b"MemoryError", b"bad_alloc")


@dataclass(frozen=True, kw_only=True)
class _Step:
    """A candidate during `Evaluator.evaluate`, with the results so far.

    validated: whether the input validators were asked. judgement None: not judged yet.
    """

    tried: TriedCandidate
    validated: bool = False
    ran: Ran | None = None
    judgement: Judgement | None = None
    reply: ReferenceReply = NOT_ASKED

    @property
    def is_pending(self) -> bool:
        """Return whether the outcome is still open."""
        return self.tried.outcome is CandidateOutcome.PENDING

    @property
    def is_late(self) -> bool:
        """Return whether the submission exceeded its time limit."""
        return self.ran is not None and self.ran.is_late

    @property
    def verdict(self) -> Verdict | None:
        """Return the verdict on the submission; None: it is not judged yet."""
        return self.judgement.verdict if self.judgement is not None else None

    def ended(self, outcome: CandidateOutcome, message: str = "") -> "_Step":
        """Return the step with an outcome that needs no judgement."""
        return replace(self, tried=replace(self.tried, outcome=outcome, message=message))


@dataclass(kw_only=True)
class Evaluator:
    """Tries candidates with the compiled programs of a target. Shared by the workers."""

    target: SearchTarget
    programs: Programs
    built: BuiltTarget
    tried_inputs: TriedInputs = field(default_factory=TriedInputs)
    short_limit: ShortLimit = field(default_factory=ShortLimit)

    def __post_init__(self) -> None:
        limits = self.target.package.limits
        limit_s = limits.time_limit_s or RUNNING.default_limit_s
        self.limits = Limits(
            cpu_s=limit_s,
            wall_s=wall_limit_s(limit_s),
            memory_bytes=limits.memory_mib * MIB,
            output_bytes=limits.output_mib * MIB,
        )
        reference_s = max(RUNNING.reference_s, limit_s)
        self.reference = Reference(
            programs=self.programs,
            program=self.built.reference,
            limits=replace(self.limits, cpu_s=reference_s, wall_s=RUNNING.reference_asleep_s),
            is_own=self.target.reference in self.target.package.submissions,
        )
        checking = limits_of_validation(limits)
        self.generators = Generators(target=self.target, programs=self.programs, limits=checking)
        self.validators = ManyInputs(programs=self.programs, validators=self.built.validators, limits=checking)
        self.settings = self.target.settings
        arguments = {(settings.args, settings.output_validator_args) for settings in self.settings}
        self.trust = SourceTrust(asks_always=len(arguments) > 1)  # programs need the right arguments
        programs = (self.built.submission, self.built.reference)
        if any(program is not None and program.java_server is not None for program in programs):
            self.short_limit = replace(self.short_limit, short_s=RUNNING.short_java_s)
        self.checker: ManyOutputs | None = None
        self.games: Games | None = None
        if (checker := self.built.checker) is not None:
            self.checker = ManyOutputs(programs=self.programs, validator=checker, limits=checking)
            check = output_check_with(self.target.package, self.programs.host, [checker.executable])
            self.games = Games(
                runner=GameRunner(programs=self.programs, check=check),
                submission=self.built.submission,
                reference=self.reference,
                limits=self.limits,
                tried_inputs=self.tried_inputs,
            )

    def evaluate(
        self,
        sandbox: Sandbox,
        candidates: Sequence[Candidate],
        *,
        cpu_s: float | None = None,
        again: bool = False,
    ) -> list[TriedCandidate]:
        """Try candidates: make, validate, run and judge each.

        cpu_s: a lower time limit than the problem's. again: try candidates again that were tried before.
        """
        limits = self.limits if cpu_s is None else replace(self.limits, cpu_s=min(cpu_s, self.limits.cpu_s))
        reference_s = self.limits.cpu_s if cpu_s is None else min(cpu_s, RUNNING.reducing_reference_s)
        play = partial(self._played, sandbox, limits=limits, games=RUNNING.games_again if again else 1)
        judge = partial(self._judged, sandbox, limits=limits, reference_s=reference_s)
        validate = partial(self._validated, sandbox)
        steps = [_Step(tried=tried) for tried in self.generators.trials(sandbox, candidates, again=again)]
        if not again:
            steps = [
                step if not step.is_pending or self._is_new(step.tried) else step.ended(CandidateOutcome.REPEATED)
                for step in steps
            ]
        steps = _changed(
            steps,
            lambda step: step.is_pending and self.trust.must_ask(step.tried.candidate.source),
            validate,
        )
        steps = _changed(steps, lambda step: step.is_pending, play if self.target.played else judge)
        steps = _changed(
            steps, lambda step: step.tried.outcome in _VALIDATED_LATE and not step.validated, validate
        )
        return [step.tried for step in steps]

    def valid_under(self, sandbox: Sandbox, inputs: Sequence[bytes]) -> list[CaseSettings | None]:
        """Return for each input the first settings under which every input validator accepts it, or None."""
        # Some validators never end on an invalid input.
        quick = quick_limits(self.validators.limits, max(map(len, inputs), default=0))
        return replace(self.validators, limits=quick).first_settings(sandbox, inputs, self.settings)

    def accepted(self, sandbox: Sandbox, inputs: Sequence[bytes]) -> list[bool]:
        """Return which inputs every input validator accepts, under some settings."""
        return [settings is not None for settings in self.valid_under(sandbox, inputs)]

    def settings_of(self, tried: TriedCandidate) -> CaseSettings:
        """Return the settings under which the input is valid, or else the first settings."""
        return tried.settings or self.settings[0]

    def call_of(self, tried: TriedCandidate) -> Call:
        """Return the call of the submission or the reference with this input."""
        return Call(stdin=tried.data, arguments=self.settings_of(tried).args)

    def verdict(self, sandbox: Sandbox, tried: TriedCandidate, output: bytes, answer: bytes) -> Verdict:
        """Judge another program's output for an input."""
        question = Question(input=tried.data, answer=answer, output=output, settings=self.settings_of(tried))
        [judgement] = self.checked(sandbox, [question])
        return judgement.verdict

    def checked(self, sandbox: Sandbox, questions: Sequence[Question]) -> list[Judgement]:
        """Judge outputs by the output validator, else by comparison; without a reference all are accepted."""
        if self.checker is not None:
            return self.checker.judge(sandbox, questions)
        if self.built.reference is None:
            return [Judgement(verdict=Verdict.ACCEPTED)] * len(questions)
        return [
            compare(question.output, question.answer, parse_arguments(question.settings.output_validator_args))
            for question in questions
        ]

    def _is_new(self, tried: TriedCandidate) -> bool:
        return self.tried_inputs.count_try(tried.data, tried.candidate.answer, played=self.target.played)

    def _validated(self, sandbox: Sandbox, steps: Sequence[_Step]) -> list[_Step]:
        """Ask the input validators: note the settings under which an input is valid, or refuse the candidate."""
        done = []
        inputs = [step.tried.data for step in steps]
        for step, settings in zip(steps, self.valid_under(sandbox, inputs), strict=True):
            tried = replace(step.tried, settings=settings)
            if settings is None:
                tried = replace(tried, outcome=CandidateOutcome.REFUSED)
            self.trust.note(tried.candidate.source, refused=settings is None, late=not step.is_pending)
            done.append(replace(step, tried=tried, validated=True))
        return done

    def _judged(
        self, sandbox: Sandbox, steps: Sequence[_Step], *, limits: Limits, reference_s: float
    ) -> list[_Step]:
        """Run the submission, run the reference, check the output, and conclude.

        reference_s: see `_must_ask_reference`.
        """
        short_s = min(limits.cpu_s, self.short_limit.cpu_s(self.reference.time_limit.least_s))
        shortly = partial(self._ran, sandbox, limits=limits, stopped_s=short_s)
        steps = _changed(steps, self._has_short_limit, shortly)
        steps = _changed(steps, lambda step: step.ran is None, partial(self._ran, sandbox, limits=limits))
        if short_s < limits.cpu_s:
            late = partial(self._ran_in_full, sandbox, limits=limits, short_s=short_s)
            steps = _changed(steps, lambda step: self._has_short_limit(step) and step.is_late, late)
        steps = _changed(steps, lambda step: step.judgement is None, partial(self._replied, sandbox))
        steps = _changed(
            steps,
            lambda step: step.judgement is None and step.reply.output is not None,
            partial(self._output_checked, sandbox),
        )
        asking = partial(self._unless_reference_fails, sandbox, reference_s=reference_s)
        steps = _changed(steps, partial(self._must_ask_reference, reference_s=reference_s), asking)
        return [self._concluded(step) for step in steps]

    def _has_short_limit(self, step: _Step) -> bool:
        """Return whether the first run has a short limit: servers run both programs, and the input is small.

        A program that never ends would take its full time for each input of the batch.
        """
        reference = self.reference.program
        are_served = reference is not None and reference.serves and self.built.submission.serves
        return are_served and len(step.tried.data) <= HUNT.middling_bytes

    def _ran(
        self, sandbox: Sandbox, steps: Sequence[_Step], *, limits: Limits, stopped_s: float | None = None
    ) -> list[_Step]:
        """Run the submission. stopped_s: CPU seconds after which a run is stopped, if sooner than at its limit.

        A run that ends by itself a moment later is judged as any other.
        """
        stopping = limits if stopped_s is None else replace(limits, cpu_s=stopped_s)
        calls = [self.call_of(step.tried) for step in steps]
        runs = self.programs.run(sandbox, self.built.submission, calls, stopping)
        for ran in runs:
            if not ran.is_late:
                self.short_limit.note(ran.result.cpu_s)
        return [
            replace(step, ran=ran, judgement=classify_run(ran.result, limits))
            for step, ran in zip(steps, runs, strict=True)
        ]

    def _ran_in_full(
        self, sandbox: Sandbox, steps: Sequence[_Step], *, limits: Limits, short_s: float
    ) -> list[_Step]:
        """Run steps that exceeded the short limit again with the full limit, up to the first that exceeds that, too.

        If an input may be invalid, only where the reference succeeds in the short limit `short_s`, in CPU seconds, or
        in RUNNING.longer_short_s: both programs often loop without end on inputs that are not valid, such as 0.
        """
        done, is_late = list[_Step](), False
        for step in steps:
            soon = BEYOND if is_late else self._soon_replied(sandbox, step, short_s)
            if soon.fault:
                done.append(replace(step, reply=soon))
                continue
            [now] = self._ran(sandbox, [step], limits=limits)
            done.append(now)
            is_late = now.is_late
        return done

    def _soon_replied(self, sandbox: Sandbox, step: _Step, short_s: float) -> ReferenceReply:
        """Return the reply within `short_s` or RUNNING.longer_short_s; unasked if inputs are known to be valid."""
        if self.target.can_validate:
            return NOT_ASKED
        call = self.call_of(step.tried)
        [ran] = self.reference.runs(sandbox, [call], short_s)
        if ran.is_late and short_s < RUNNING.longer_short_s and self.short_limit.may_be_longer:
            began_s = time.monotonic()
            [ran] = self.reference.runs(sandbox, [call], RUNNING.longer_short_s)
            if ran.is_late:
                self.short_limit.lost_s += time.monotonic() - began_s
        return BEYOND if ran.is_late else self.reference.reply_of(ran)

    def _replied(self, sandbox: Sandbox, steps: Sequence[_Step]) -> list[_Step]:
        """Run the reference."""
        replies = self.reference.replies(sandbox, [self.call_of(step.tried) for step in steps])
        return [replace(step, reply=reply) for step, reply in zip(steps, replies, strict=True)]

    def _output_checked(self, sandbox: Sandbox, steps: Sequence[_Step]) -> list[_Step]:
        """Judge the outputs of the submission."""
        questions = [
            Question(
                input=step.tried.data,
                answer=step.reply.output or b"",
                output=step.ran.output if step.ran is not None else b"",
                settings=self.settings_of(step.tried),
            )
            for step in steps
        ]
        judgements = self.checked(sandbox, questions)
        return [replace(step, judgement=judgement) for step, judgement in zip(steps, judgements, strict=True)]

    def _must_ask_reference(self, step: _Step, *, reference_s: float) -> bool:
        """Return whether to run the reference where the submission crashed or ran out of time or memory.

        If it fails, too, the submission is excused. So nothing must show that the input is valid; where the
        submission ran out of time, also if something does, but only for a reference of the package, which must keep
        the limit. reference_s: CPU seconds for a reference from outside of the package.
        """
        reference = self.reference
        if step.reply.fault:
            return False
        if reference.program is None or step.verdict not in _WITHOUT_CHECK:
            return False
        if self.target.can_validate and not (reference.is_own and step.verdict is _LATE):
            return False
        full_time = reference.is_own or reference_s >= self.limits.cpu_s
        return full_time or reference.time_limit.next_batch([len(step.tried.data)])[1] > 0

    def _unless_reference_fails(
        self, sandbox: Sandbox, steps: Sequence[_Step], *, reference_s: float
    ) -> list[_Step]:
        """Run the reference; where it fails, too, the failure of the submission is excused: it does not count."""
        limit_s = self.limits.cpu_s if self.reference.is_own else reference_s
        runs = self.reference.runs(sandbox, [self.call_of(step.tried) for step in steps], limit_s)
        return [
            replace(step, reply=BEYOND if ran.is_late or ran.succeeded else self.reference.reply_of(ran))
            if self._clears_submission(step, ran)
            else step
            for step, ran in zip(steps, runs, strict=True)
        ]

    def _clears_submission(self, step: _Step, reference_ran: Ran) -> bool:
        """Return whether this run of the reference shows that the input is invalid, or too hard for it.

        An input counts as invalid if the reference crashes on it, or sleeps; if the reference runs out of memory,
        only where the submission takes too much time or memory.
        """
        ended = reference_ran.result.killed_for is None
        late = self.reference.is_own and step.verdict is _LATE and not ended
        sleeps = reference_ran.result.killed_for is KillReason.WALL
        crashed = sleeps or (ended and reference_ran.result.exit_code != 0)
        invalid = step.verdict in _OUT_OF_RESOURCES if _is_out_of_memory(reference_ran) else crashed
        return late or (not self.target.can_validate and invalid)

    def _concluded(self, step: _Step) -> _Step:
        """Return the step with its outcome."""
        if step.reply.fault:
            return step.ended(CandidateOutcome.UNANSWERED, step.reply.fault)
        if step.ran is None or step.judgement is None:
            raise AssertionError  # every step was run and judged
        return replace(
            step, tried=concluded(step.tried, self.built.submission, step.ran, step.judgement, step.reply.output)
        )

    def _played(self, sandbox: Sandbox, steps: Sequence[_Step], *, limits: Limits, games: int) -> list[_Step]:
        if self.games is None:
            raise JudgeError("an interactive or multi-pass problem needs an output validator")
        played = partial(self.games.play, sandbox, limits=limits, games=games)
        return [replace(step, tried=played(step.tried, self.settings_of(step.tried))) for step in steps]


def sample_trial(case: Case) -> TriedCandidate:
    """Return the trial of a sample, before it is judged."""
    data = case.input.read()
    candidate = Candidate(source=Source.CASE, description=case.name, data=data)
    return TriedCandidate(candidate=candidate, data=data, settings=case.settings)


def _changed(
    steps: Sequence[_Step], chosen: Callable[[_Step], bool], work: Callable[[Sequence[_Step]], Sequence[_Step]]
) -> list[_Step]:
    """Return the steps in order; those for which `chosen` is true are replaced by what one call of `work` returns."""
    flags = list(map(chosen, steps))
    wanted = list(compress(steps, flags))
    done = iter(work(wanted) if wanted else [])
    return [next(done) if flag else step for step, flag in zip(steps, flags, strict=True)]


def _is_out_of_memory(ran: Ran) -> bool:
    """Return whether the run was stopped for memory, or its error output reports that memory ran out."""
    return ran.result.killed_for is KillReason.MEMORY or any(word in ran.errors for word in _OUT_OF_MEMORY)
