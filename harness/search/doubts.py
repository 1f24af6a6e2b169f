"""Run other programs on a failing input, to find out whether the reference is wrong or the input is invalid."""

import math
import time
from collections.abc import Sequence
from dataclasses import field, replace

from harness.build.builder import Builder
from harness.build.executable import Executable
from harness.build.languages import without_lines
from harness.errors import MachineError, UsageError
from harness.host.batches import Call, Ran
from harness.host.host import Host, judge_build_limits
from harness.host.run_many import Runnable, build_one, ending
from harness.package import Case, Program
from harness.results.verdict import Verdict
from harness.sandbox.facts import Sandbox
from harness.search.candidates import CandidateFailure, CandidateOutcome, Doubt, Source, TriedCandidate
from harness.search.evaluate import Evaluator, sample_trial
from harness.search.policy import DOUBTS
from harness.search.target import SearchTarget
from harness.values import dataclass

# An array of 0 items is harmless, and in many right programs.
_NO_FAULTS = dict.fromkeys(("c", "cpp"), ("-fno-sanitize=vla-bound",))


@dataclass(frozen=True, kw_only=True)
class Doubts:
    """The programs that are run on each failing input.

    peers: other accepted programs. checked: the reference, compiled with run-time checks; None if validators or a
    written shape decide which inputs are valid. checked_by_line: as `checked`, but its reports name lines. plain: the
    submission as it is judged; None if it is not in C or C++, whose memory the server of a search changes.
    always_prints: an answer without a word is a reason for doubt, since no case has such an answer.
    slow: by the index of a peer that took long, the bytes of the smallest such input: it runs on smaller ones only.
    """

    evaluator: Evaluator
    peers: Sequence[Runnable] = ()
    checked: Runnable | None = None
    checked_by_line: Runnable | None = None
    plain: Runnable | None = None
    always_prints: bool = False
    slow: dict[int, int] = field(default_factory=dict)

    def cross_check(self, sandbox: Sandbox, tried: TriedCandidate) -> TriedCandidate:
        """Run other programs on a failing input; return it unchanged, or marked as doubtful."""
        tried = self.check_plausibility(tried)
        if tried.outcome is not CandidateOutcome.FAILED or tried.failure is None:
            return tried
        doubt = self._of_answer(sandbox, tried, tried.failure)
        doubt = doubt or self._abnormal_end(sandbox, tried) or self._by_checks(sandbox, tried)
        doubt = doubt or self._by_plain_run(sandbox, tried, tried.failure)
        return tried if doubt is None else _doubtful(tried, doubt)

    def check_plausibility(self, tried: TriedCandidate) -> TriedCandidate:
        """Mark a failing input as doubtful if it is probably invalid, and neither a case nor given. Runs no program."""
        is_made = tried.candidate.source not in (Source.CASE, Source.GIVEN)
        is_made = is_made and tried.outcome is CandidateOutcome.FAILED
        rule = self.evaluator.target.broken_firm_rule(tried.data) if is_made else ""
        return _doubtful(tried, Doubt(reason=f"no sample is like it: {rule}")) if rule else tried

    def _of_answer(self, sandbox: Sandbox, tried: TriedCandidate, failure: CandidateFailure) -> Doubt | None:
        """Doubt the answer if two accepted programs differ; doubt a crash if all accepted programs fail, too."""
        if failure.verdict is Verdict.WRONG_ANSWER and failure.answer is not None:
            if self.always_prints and not failure.answer.strip():
                return Doubt(reason=f"{self._reference} prints nothing here")
            return self._by_answer_file(sandbox, tried, failure.output) or self._dispute(
                sandbox, tried, failure.output, failure.answer
            )
        reference = self.evaluator.built.reference
        if failure.verdict is not Verdict.RUN_TIME_ERROR or reference is None or not self.peers:
            return None
        if any(self._run(sandbox, program, tried).succeeded for program in (reference, *self.peers)):
            return None
        return Doubt(reason="all accepted programs that were run on it fail here, too")

    def _by_answer_file(self, sandbox: Sandbox, tried: TriedCandidate, output: bytes) -> Doubt | None:
        """Doubt the reference on a sample whose answer file says that the submission is right."""
        case = self.evaluator.target.package.sample.case_with(tried.data)
        if case is None or case.answer is None:
            return None
        if self.evaluator.verdict(sandbox, tried, output, case.answer.read()) is not Verdict.ACCEPTED:
            return None
        file = f"the answer file of {case.name}"
        reason = f"{self._reference} and {file} differ here"
        return Doubt(reason=reason, programs=(self._reference, file), agrees=True)

    def _dispute(self, sandbox: Sandbox, tried: TriedCandidate, output: bytes, answer: bytes) -> Doubt | None:
        """Doubt the reference's answer if a peer contradicts it. output: of the submission."""
        for index, program in enumerate(self.peers):
            if len(tried.data) >= self.slow.get(index, math.inf):
                continue
            ran = self._run(sandbox, program, tried)
            if ran.result.cpu_s > DOUBTS.slow_peer_s:  # a small input is not why
                self.slow[index] = len(tried.data) if len(tried.data) > DOUBTS.slow_bytes else 0
            if not ran.succeeded or self.evaluator.verdict(sandbox, tried, ran.output, answer) is Verdict.ACCEPTED:
                continue
            self.slow.pop(index, None)  # it contradicts: it is worth its time
            agrees = self.evaluator.verdict(sandbox, tried, output, ran.output) is Verdict.ACCEPTED
            if agrees or self.evaluator.checker is None:  # else the submission is wrong by both answers
                programs = (self._reference, program.executable.program.path)
                return Doubt(
                    reason=f"{programs[0]} and {programs[1]} differ here", programs=programs, agrees=agrees
                )
        return None

    def _abnormal_end(self, sandbox: Sandbox, tried: TriedCandidate) -> Doubt | None:
        """Doubt the input if the submission stopped without an output to judge and the reference does, too.

        Also if the reference prints nothing, though answers have words. If it only exceeds its time limit, that is no
        reason for doubt.
        """
        reference = self.evaluator.built.reference
        answer = tried.failure.answer if tried.failure is not None else None
        if reference is None or answer is not None or self.evaluator.target.package.input_validators:
            return None
        ran = self._run(sandbox, reference, tried)
        if ran.succeeded and self.always_prints and not ran.output.strip():
            return Doubt(reason=f"{self._reference} prints nothing here")
        if ran.succeeded or ran.is_late:
            return None
        return Doubt(reason=f"{self._reference} fails here, too: {ending(ran)}")

    def _by_checks(self, sandbox: Sandbox, tried: TriedCandidate) -> Doubt | None:
        """Doubt the input if run-time checks report a fault of the reference."""
        if self.checked is None:
            return None
        ran = self._run(sandbox, self.checked, tried, times=DOUBTS.checked_times)
        if ran.result.killed_for is not None:
            return None  # the checks take time and memory
        if not ran.succeeded:
            reason = f"run-time checks report a fault of {self._reference} here"
            return Doubt(reason=reason, errors=ran.errors.decode(errors="replace"))
        answer = tried.failure.answer if tried.failure is not None else None
        if answer is None or self.evaluator.verdict(sandbox, tried, ran.output, answer) is Verdict.ACCEPTED:
            return None
        return Doubt(
            reason=f"{self._reference} gives another answer here with run-time checks: uninitialised memory?"
        )

    def _by_plain_run(self, sandbox: Sandbox, tried: TriedCandidate, failure: CandidateFailure) -> Doubt | None:
        """Doubt a failure that depends on what is in memory: a plain run of the submission is right."""
        if self.plain is None or failure.verdict not in (Verdict.WRONG_ANSWER, Verdict.RUN_TIME_ERROR):
            return None
        ran = self._run(sandbox, self.plain, tried)
        if not ran.succeeded:
            return None
        answer, reference = failure.answer, self.evaluator.built.reference
        if answer is None and reference is not None:  # the reference is not asked where the submission crashes
            replied = self._run(sandbox, reference, tried)
            answer = replied.output if replied.succeeded else None
        if answer is None:
            return None
        is_right = self.evaluator.verdict(sandbox, tried, ran.output, answer) is Verdict.ACCEPTED
        reason = "a plain run of your program is right: does it read what it has not set, or beyond an array?"
        return Doubt(reason=reason, is_unsteady=True) if is_right else None

    @property
    def _reference(self) -> str:
        reference = self.evaluator.built.reference
        return reference.executable.program.path if reference is not None else ""

    def _run(self, sandbox: Sandbox, program: Runnable, tried: TriedCandidate, times: int = 1) -> Ran:
        """Run a program on the input. times: factor on the limits of the reference."""
        limits = self.evaluator.reference.limits
        limits = replace(limits, cpu_s=times * limits.cpu_s, memory_bytes=times * limits.memory_bytes)
        arguments = tried.settings.args if tried.settings is not None else ()
        [ran] = self.evaluator.programs.run(
            sandbox, program, [Call(stdin=tried.data, arguments=arguments)], limits
        )
        return ran

    def explained(self, sandbox: Sandbox, tried: TriedCandidate) -> TriedCandidate:
        """Repeat the run with checks so that the report names lines; other inputs are returned unchanged."""
        if self.checked_by_line is None or tried.doubt is None or not tried.doubt.errors:
            return tried
        ran = self._run(sandbox, self.checked_by_line, tried, times=DOUBTS.checked_times)
        errors = ran.errors.decode(errors="replace")
        return replace(tried, doubt=replace(tried.doubt, errors=errors)) if errors else tried

    def is_clean(self, sandbox: Sandbox, samples: Sequence[Case]) -> bool:
        """Return whether the run-time checks report no fault of the reference on the samples."""
        return all(self._by_checks(sandbox, sample_trial(case)) is None for case in samples)


def _doubtful(tried: TriedCandidate, doubt: Doubt) -> TriedCandidate:
    return replace(tried, outcome=CandidateOutcome.DOUBTFUL, doubt=doubt)


def with_programs(doubts: Doubts, host: Host, until_s: float) -> Doubts:
    """Return the doubts with the programs to run on failing inputs, except those that cannot be built here.

    until_s: by time.monotonic(), when no further one is begun.

    There are up to three peers: the first two and the last of them, the user's own first, then fast languages. At the
    same time the submission is built as `judge` builds it, for the confirmation.
    """
    evaluator = doubts.evaluator
    target, reference = evaluator.target, evaluator.built.reference
    if reference is None or target.played:
        return doubts
    right = reference.executable.program
    others = [program for program in target.peers if program.path != right.path]
    chosen = others if len(others) <= DOUBTS.most_peers else [*others[: DOUBTS.most_peers - 1], others[-1]]
    has_checks = not target.can_validate and _has_checks(host.judges, right)

    def build(sandbox: Sandbox, program: Program) -> Runnable | None:
        if program is target.submission:
            return _plain(evaluator, host, sandbox)
        left_s = until_s - time.monotonic()
        if left_s <= 0:
            return None
        if program is right:
            builder = host.judges.with_checks().with_flags(_NO_FAULTS)
            return _built(evaluator, builder, _for_linux(program), sandbox, left_s) if has_checks else None
        return _built(evaluator, host.judges, program, sandbox, left_s)

    checked, *peers, plain = host.pool.in_order(build, [right, *chosen, target.submission])
    doubts = replace(doubts, peers=[peer for peer in peers if peer is not None], plain=plain)
    with_checked = replace(doubts, checked=_without_lines(checked), checked_by_line=checked)
    cases = [case for case in target.package.sample.all_cases() if case.input.size() <= DOUBTS.sample_bytes]
    return with_checked if host.pool.alone(with_checked.is_clean, cases[: DOUBTS.samples]) else doubts


def always_has_answer(target: SearchTarget) -> bool:
    """Return whether each case has an answer with a word, and no validator and no written shape decides validity."""
    answers = [case.answer for case in target.package.judged_cases()]
    return (not target.can_validate and bool(answers)) and all(
        answer is not None and (answer.size() > DOUBTS.sample_bytes or answer.read().strip()) for answer in answers
    )


def _for_linux(program: Program) -> Program:
    """Replace `%I64d` by `%lld`, since with it the C library of Linux sets only half of a number."""
    files = program.files.items()
    return replace(
        program,
        files={name: replace(file, content=file.read().replace(b"%I64", b"%ll")) for name, file in files},
    )


def _built(
    evaluator: Evaluator, builder: Builder, program: Program, sandbox: Sandbox, left_s: float
) -> Runnable | None:
    """Build a program in the time that is left, but at least in `DOUBTS.build_s`; None if that fails."""
    package = evaluator.target.package
    limits = judge_build_limits(package.limits)
    limits = replace(limits, time_s=min(limits.time_s, max(left_s, DOUBTS.build_s)))
    try:
        return build_one(builder, program, limits, sandbox, package.include)
    except (MachineError, UsageError):
        return None


def _plain(evaluator: Evaluator, host: Host, sandbox: Sandbox) -> Runnable | None:
    """Build the submission as it is judged; None if it runs in the same way in a search, or cannot be built."""
    target = evaluator.target
    try:
        built = host.build_submission(target.package, target.submission, sandbox)
    except MachineError:
        return None
    if not isinstance(built, Executable) or built.language.code not in ("c", "cpp"):
        return None
    return Runnable(executable=built, serves=False) if evaluator.built.submission.serves else None


def _without_lines(checked: Runnable | None) -> Runnable | None:
    if checked is None:
        return None
    executable = checked.executable
    return replace(checked, executable=replace(executable, language=without_lines(executable.language)))


def _has_checks(builder: Builder, program: Program) -> bool:
    """Return whether a compiler can add run-time checks to a program: in C or C++, or of an unknown language."""
    language = builder.language(program)
    return language is None or language.code in ("c", "cpp")
