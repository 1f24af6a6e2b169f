"""Check many inputs or outputs with few validator processes. Only exit codes count."""

import itertools
import shutil
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import field

from harness.check.classify import Judgement
from harness.check.input_validators import arguments_for
from harness.check.validator_call import ACCEPT, REJECT
from harness.host.batches import Call, Ran
from harness.host.run_many import Programs, Runnable, ending
from harness.package.model import CaseSettings
from harness.results.verdict import Reason, Verdict
from harness.sandbox.facts import Limits, Sandbox
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class ManyInputs:
    """Runs input validators on many inputs. Validators that were stopped on some run last: another may refuse these."""

    programs: Programs
    validators: Sequence[Runnable]
    limits: Limits
    _endless: Counter[str] = field(default_factory=Counter)  # by path

    def accepted(self, sandbox: Sandbox, inputs: Sequence[bytes], settings: CaseSettings) -> list[bool]:
        """Return for each input whether every validator accepts it with the arguments in `settings`."""
        left = list(range(len(inputs)))
        for validator in sorted(
            self.validators, key=lambda runnable: self._endless[runnable.executable.program.path]
        ):
            arguments = arguments_for(settings, validator.executable.program.path)
            calls = [Call(stdin=inputs[index], arguments=arguments) for index in left]
            results = [ran.result for ran in self.programs.run(sandbox, validator, calls, self.limits)]
            stopped = sum(result.killed_for is not None for result in results)
            self._endless[validator.executable.program.path] += stopped
            left = [
                index
                for index, result in zip(left, results, strict=True)
                if result.killed_for is None and result.exit_code == ACCEPT
            ]
        accepted = set(left)
        return [index in accepted for index in range(len(inputs))]

    def first_settings(
        self, sandbox: Sandbox, inputs: Sequence[bytes], settings: Iterable[CaseSettings]
    ) -> list[CaseSettings | None]:
        """Return for each input the first settings under which every validator accepts it, or None."""
        valid: list[CaseSettings | None] = [None] * len(inputs)
        for each in settings:
            left = [index for index, accepted in enumerate(valid) if accepted is None]
            answers = self.accepted(sandbox, [inputs[index] for index in left], each)
            for index, accepted in zip(left, answers, strict=True):
                valid[index] = each if accepted else None
        return valid


@dataclass(frozen=True, kw_only=True)
class Question:
    """An output to judge, with the input and the answer that it belongs to."""

    input: bytes
    answer: bytes
    output: bytes
    settings: CaseSettings


@dataclass(frozen=True, kw_only=True)
class ManyOutputs:
    """Judges outputs by the exit code of an output validator."""

    programs: Programs
    validator: Runnable
    limits: Limits
    _numbers: "itertools.count[int]" = field(default_factory=itertools.count)

    def judge(self, sandbox: Sandbox, questions: Sequence[Question]) -> list[Judgement]:
        """Return a judgement for each output; a judge error if the validator neither accepts nor rejects."""
        calls = [self._call(sandbox, index, question) for index, question in enumerate(questions)]
        results = self.programs.run(sandbox, self.validator, calls, self.limits, judges=True)
        for call in calls:
            shutil.rmtree(call.directory, ignore_errors=True)
        return [_judgement(result) for result in results]

    def _call(self, sandbox: Sandbox, index: int, question: Question) -> Call:
        folder = self.programs.folder(sandbox)
        feedback = self.programs.scratch(sandbox) / f"feedback{next(self._numbers)}"
        input_file, answer = folder / f"{index}.in", folder / f"{index}.ans"
        input_file.write_bytes(question.input)
        answer.write_bytes(question.answer)
        arguments = (str(input_file), str(answer), f"{feedback}/", *question.settings.output_validator_args)
        return Call(stdin=question.output, arguments=arguments, directory=str(feedback))


# Many checkers that are no packages' take the output as a file, and end with 0 or 1.
_CALLED = "; it is called as `INPUT ANSWER FEEDBACK/ < OUTPUT`, and ends with 42 if that is right, 43 if wrong"


def _judgement(ran: Ran) -> Judgement:
    if ran.result.killed_for is None and ran.result.exit_code == ACCEPT:
        return Judgement(verdict=Verdict.ACCEPTED)
    if ran.result.killed_for is None and ran.result.exit_code == REJECT:
        return Judgement(verdict=Verdict.WRONG_ANSWER, reason=Reason.VALIDATOR)
    message = f"the output validator failed: {ending(ran)}"
    code, crashed = ran.result.exit_code, b"Traceback" in ran.errors and b"IsADirectoryError" not in ran.errors
    is_other_kind = ran.result.killed_for is None and (code == 0 or (code == 1 and not crashed))
    return Judgement(verdict=Verdict.JUDGE_ERROR, message=message + (_CALLED if is_other_kind else ""))
