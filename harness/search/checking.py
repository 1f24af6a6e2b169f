"""The package's own output validator in a search: many outputs at once, or the other side of a game."""

import itertools
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness.check import Judgement, Validation
from harness.interact import Player, interact
from harness.limits import Limits
from harness.package.model import CaseSettings
from harness.sandbox import Sandbox
from harness.search.batch import Call, Ran
from harness.search.linked import Runnable
from harness.search.programs import ERROR_BYTES, Programs, end_of
from harness.verdict import Reason, Verdict
from harness.warm import Place

ACCEPT, REJECT = 42, 43


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """What a validator is asked about."""

    given: bytes
    answer: bytes
    output: bytes
    settings: CaseSettings


@dataclass(frozen=True, kw_only=True)
class Checker:
    """The output validator. In a search its exit code counts; what it has to say is asked for at the end."""

    programs: Programs
    program: Runnable
    limits: Limits
    _numbers: "itertools.count[int]" = field(default_factory=itertools.count)

    def judgements(self, sandbox: Sandbox, exchanges: Sequence[Exchange]) -> list[Judgement]:
        """A judgement each; a judge error where it does neither accept nor reject."""
        calls = [self._call(sandbox, place, one) for place, one in enumerate(exchanges)]
        ran = self.programs.run(sandbox, self.program, calls, self.limits, judges=True)
        for call in calls:
            shutil.rmtree(call.directory, ignore_errors=True)
        return [_judgement(one) for one in ran]

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
        """Play a game against the submission. Raises JudgeError when the interactor fails."""
        folder, executable = self.programs.folder(sandbox), submission.executable
        given, answer = folder / "game.in", folder / "game.ans"
        given.write_bytes(exchange.given)
        answer.write_bytes(exchange.answer)
        warm = self.programs.warm(sandbox, self.program, self.limits)
        feedback = Place(directory=folder / "feedback")
        shutil.rmtree(feedback.directory, ignore_errors=True)
        validation = Validation(
            validator=self.program.executable,
            limits=self.limits,
            input=given,
            answer=answer,
            place=warm.fresh_place() if warm is not None else feedback,
            arguments=exchange.settings.output_validator_args,
            warm=warm,
        )
        fitted = executable.fit(limits)
        player = Player(
            command=executable.command(fitted.memory_bytes, *exchange.settings.args),
            limits=fitted,
            generous=fitted,
        )
        game = interact(sandbox, player, validation, folder)
        errors = end_of(folder / "stderr", ERROR_BYTES)
        return Ran(result=game.run, output=b"", errors=errors), game.judgement


def _judgement(ran: Ran) -> Judgement:
    if ran.result.killed_for is None and ran.result.exit_code == ACCEPT:
        return Judgement(verdict=Verdict.ACCEPTED)
    if ran.result.killed_for is None and ran.result.exit_code == REJECT:
        return Judgement(verdict=Verdict.WRONG_ANSWER, reason=Reason.VALIDATOR)
    said = ran.errors.decode(errors="replace").strip()
    return Judgement(verdict=Verdict.JUDGE_ERROR, message=f"the output validator failed: {said}")
