"""The package's own output validator in a search: many outputs at once, or the other side of a game, in all passes."""

import itertools
import shutil
from collections.abc import Sequence
from dataclasses import field, replace
from pathlib import Path

from harness.check import ACCEPT, REJECT, FeedbackRules, Judgement, Validation, classify_run, run_validator
from harness.check.interact import Player, interact
from harness.errors import JudgeError
from harness.host.batches import Call, Ran
from harness.host.run_many import KEPT_ERROR_BYTES, Programs, end_of, ending
from harness.host.runnable import Runnable
from harness.host.warm_programs import Place
from harness.package.model import CaseSettings
from harness.results.verdict import Reason, Verdict
from harness.sandbox import Sandbox
from harness.sandbox.limits import Limits
from harness.search.model import CandidateFailure, CandidateOutcome, TriedCandidate
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """What a validator is asked about."""

    given: bytes
    answer: bytes
    output: bytes
    settings: CaseSettings


@dataclass(frozen=True, kw_only=True)
class Checker:
    """The output validator. In a search its exit code counts; what it has to say is asked for at the end.

    interactive: it talks with the submission. passes: how many there may be at most.
    """

    programs: Programs
    program: Runnable
    limits: Limits
    interactive: bool = False
    passes: int = 1
    _numbers: "itertools.count[int]" = field(default_factory=itertools.count)

    def judgements(self, sandbox: Sandbox, exchanges: Sequence[Exchange]) -> list[Judgement]:
        """A judgement each; a judge error where it does neither accept nor reject."""
        calls = [self._call(sandbox, number, exchange) for number, exchange in enumerate(exchanges)]
        ran = self.programs.run(sandbox, self.program, calls, self.limits, judges=True)
        for call in calls:
            shutil.rmtree(call.directory, ignore_errors=True)
        return [_judgement(each) for each in ran]

    def _call(self, sandbox: Sandbox, place: int, exchange: Exchange) -> Call:
        folder, feedback = self.programs.folder(sandbox), self._feedback(sandbox)
        given, answer = folder / f"{place}.in", folder / f"{place}.ans"
        given.write_bytes(exchange.given)
        answer.write_bytes(exchange.answer)
        arguments = (str(given), str(answer), f"{feedback}/", *exchange.settings.output_validator_args)
        return Call(given=exchange.output, arguments=arguments, directory=str(feedback))

    def _feedback(self, sandbox: Sandbox) -> Path:
        return self.programs.scratch(sandbox) / f"feedback{next(self._numbers)}"

    def game(
        self, sandbox: Sandbox, submission: Runnable, exchange: Exchange, limits: Limits
    ) -> tuple[Ran, Judgement]:
        """A game against the submission, or all of its passes. Raises JudgeError when the validator fails."""
        folder = self.programs.folder(sandbox)
        given, answer, following = (folder / name for name in ("game.in", "game.ans", "next.in"))
        given.write_bytes(exchange.given)
        answer.write_bytes(exchange.answer)
        validation = self._validation(sandbox, given, answer, exchange.settings)
        try:
            for number in itertools.count(1):
                ran, judgement = self._pass(sandbox, submission, validation, exchange.settings, limits)
                goes_on = judgement.verdict is Verdict.ACCEPTED and validation.feedback.next_pass(following)
                if not goes_on:
                    return ran, self._numbered(judgement, number)
                if number >= self.passes:
                    raise JudgeError(f"the output validator asks for pass {number + 1} of {self.passes}")
                validation = replace(validation, input=following)
        finally:
            validation.feedback.remove()
        raise AssertionError  # the loop has no other end

    def _validation(self, sandbox: Sandbox, given: Path, answer: Path, settings: CaseSettings) -> Validation:
        warm = self.programs.warm(sandbox, self.program, self.limits)
        feedback = Place(directory=self.programs.folder(sandbox) / "feedback")
        shutil.rmtree(feedback.directory, ignore_errors=True)
        return Validation(
            validator=self.program.executable,
            limits=self.limits,
            input=given,
            answer=answer,
            place=warm.fresh_place() if warm is not None else feedback,
            arguments=settings.output_validator_args,
            warm=warm,
            rules=FeedbackRules(multi_pass=self.passes > 1),
            keep=True,
        )

    def _pass(
        self,
        sandbox: Sandbox,
        submission: Runnable,
        validation: Validation,
        settings: CaseSettings,
        limits: Limits,
    ) -> tuple[Ran, Judgement]:
        folder = self.programs.folder(sandbox)
        if not self.interactive:
            call = Call(given=validation.input.read_bytes(), arguments=settings.args)
            [ran] = self.programs.run(sandbox, submission, [call], limits)
            output = folder / "game.out"
            output.write_bytes(ran.output)
            known = classify_run(ran.result, limits)
            return ran, known or run_validator(validation, output, sandbox, folder)
        fitted = submission.executable.fit(limits)
        player = Player(
            command=submission.executable.command(fitted.memory_bytes, *settings.args),
            limits=fitted,
            generous=fitted,
        )
        game = interact(sandbox, player, validation, folder)
        errors = end_of(folder / "stderr", KEPT_ERROR_BYTES)
        return Ran(result=game.run, output=b"", errors=errors), game.judgement

    def _numbered(self, judgement: Judgement, number: int) -> Judgement:
        if self.passes == 1 or judgement.verdict is Verdict.ACCEPTED:
            return judgement
        text = f"pass {number}"
        return replace(judgement, message=f"{text}: {judgement.message}" if judgement.message else text)


def _judgement(ran: Ran) -> Judgement:
    if ran.result.killed_for is None and ran.result.exit_code == ACCEPT:
        return Judgement(verdict=Verdict.ACCEPTED)
    if ran.result.killed_for is None and ran.result.exit_code == REJECT:
        return Judgement(verdict=Verdict.WRONG_ANSWER, reason=Reason.VALIDATOR)
    return Judgement(verdict=Verdict.JUDGE_ERROR, message=f"the output validator failed: {ending(ran)}")


def concluded(
    tried: TriedCandidate, submission: Runnable, ran: Ran, judgement: Judgement, answer: bytes | None
) -> TriedCandidate:
    """The candidate with the outcome of its run and judgement. answer: the reference's, None where it was not asked."""
    if judgement.verdict is Verdict.JUDGE_ERROR:
        return replace(tried, outcome=CandidateOutcome.UNANSWERED, message=judgement.message)
    if judgement.verdict in (Verdict.ACCEPTED, Verdict.SKIPPED):
        return replace(tried, outcome=CandidateOutcome.PASSED, cpu_s=ran.result.cpu_s)
    stderr = submission.executable.as_in_package(ran.errors.decode(errors="surrogateescape"))
    failure = CandidateFailure(
        verdict=judgement.verdict,
        reason=judgement.reason,
        signal=ran.result.signal,
        exit_code=ran.result.exit_code,
        message=judgement.message,
        output=ran.output,
        stderr=stderr.encode(errors="surrogateescape"),
        answer=answer,
        cpu_s=ran.result.cpu_s,
    )
    return replace(tried, outcome=CandidateOutcome.FAILED, failure=failure, cpu_s=ran.result.cpu_s)
