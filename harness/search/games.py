"""Play interactive and multi-pass problems on one input, with the answer file that the interactor gets beside it."""

from dataclasses import replace
from pathlib import Path

from harness.check.batch_checks import Question
from harness.check.classify import Judgement, classify_run
from harness.check.interact import Player
from harness.check.output_check import CaseCheck, OutputCheck, files_in
from harness.errors import JudgeError
from harness.host.batches import Call, Ran
from harness.host.run_many import Programs, Runnable, kept_errors
from harness.package import Case
from harness.package.files import File
from harness.package.model import CaseSettings
from harness.results.verdict import Verdict
from harness.sandbox.facts import Limits, Sandbox
from harness.search.candidates import CandidateFailure, CandidateOutcome, TriedCandidate
from harness.search.policy import RUNNING
from harness.search.reference import Reference
from harness.search.tried_inputs import TriedInputs
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class GameRunner:
    """Plays a program against the interactor, or through all passes of the output validator."""

    programs: Programs
    check: OutputCheck

    def game(
        self, sandbox: Sandbox, submission: Runnable, question: Question, limits: Limits
    ) -> tuple[Ran, Judgement]:
        """Play a game, or all passes; return the last run, judged. Raises JudgeError if the validator fails."""

        def play_pass(check: CaseCheck) -> tuple[Ran, Judgement]:
            if self.check.interactive:
                with self.programs.in_time(limits) as cut:
                    return _interaction(check, submission, cut)
            call = Call(stdin=check.input.read_bytes(), arguments=question.settings.args)
            [ran] = self.programs.run(sandbox, submission, [call], limits)
            judgement = classify_run(ran.result, limits)
            if judgement is None:
                output = files_in(check.work).stdout
                output.write_bytes(ran.output)
                judgement = check.judge(output)
            return ran, judgement

        case = Case(
            name="candidate",
            input=File(origin=Path("candidate"), content=question.input),
            answer=File(origin=Path("candidate"), content=question.answer),
            settings=question.settings,
        )
        host = self.programs.host
        with host.work_folder(sandbox) as work, self.check.open(sandbox, case, work) as first:
            _, ran, judgement = first.over_passes(play_pass)
        return ran, judgement


def _interaction(check: CaseCheck, submission: Runnable, limits: Limits) -> tuple[Ran, Judgement]:
    fitted = submission.executable.fit(limits)
    command = submission.executable.command(fitted.memory_bytes, *check.case.settings.args)
    game = check.interact(Player(command=command, limits=fitted, generous=fitted))
    errors = kept_errors(files_in(check.work).stderr)
    return Ran(result=game.run, output=b"", errors=errors), game.judgement


def concluded(
    tried: TriedCandidate, submission: Runnable, ran: Ran, judgement: Judgement, answer: bytes | None
) -> TriedCandidate:
    """Return the candidate with the outcome of its run. answer: of the reference, None if it did not run."""
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


@dataclass(frozen=True, kw_only=True)
class Games:
    """Plays games of the submission against the output validator. limits: of the problem."""

    runner: GameRunner
    submission: Runnable
    reference: Reference
    limits: Limits
    tried_inputs: TriedInputs

    def play(
        self, sandbox: Sandbox, tried: TriedCandidate, settings: CaseSettings, *, limits: Limits, games: int
    ) -> TriedCandidate:
        """Play up to `games` games, each with another answer that fits the input, until the submission loses one."""
        missing = "no answer file goes with this input"
        ended = replace(tried, outcome=CandidateOutcome.UNANSWERED, message=missing)
        for number, answer in enumerate(self.tried_inputs.in_turn(tried.data, tried.candidate.answer)):
            if games == 0 or (ended.outcome is CandidateOutcome.PASSED and number >= 2 * RUNNING.games_again):
                break
            question = Question(input=tried.data, answer=answer, output=b"", settings=settings)
            try:
                ran, judgement = self.runner.game(sandbox, self.submission, question, limits)
                if judgement.verdict is not Verdict.ACCEPTED:
                    late = judgement.verdict is Verdict.TIME_LIMIT_EXCEEDED
                    self._check_winnable(sandbox, question, late=late)
            except JudgeError as error:
                if ended.outcome is not CandidateOutcome.PASSED:
                    ended = replace(ended, message=str(error))
                continue
            ended, games = concluded(tried, self.submission, ran, judgement, answer), games - 1
            if ended.outcome is CandidateOutcome.FAILED:
                break
        return ended

    def _check_winnable(self, sandbox: Sandbox, question: Question, *, late: bool) -> None:
        """Raise JudgeError if there is a reference and it loses: input and answer may be of different cases.

        late: the submission was too slow; then a reference of the package must win within the problem's time limit.
        """
        reference = self.reference
        if reference.program is None:
            return
        limits = reference.limits
        if late and reference.is_own:
            limits = replace(self.limits, wall_s=limits.wall_s)
        if self.runner.game(sandbox, reference.program, question, limits)[1].verdict is not Verdict.ACCEPTED:
            raise JudgeError("the reference fails on it")
