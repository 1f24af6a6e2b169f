"""A package's own output validator, run as the format says: argv, stdin, exit code 42/43, a feedback folder."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from harness.build import Executable
from harness.check.classify import Judgement
from harness.errors import JudgeError
from harness.limits import MIB, Limits
from harness.package.model import ProblemLimits
from harness.sandbox import Command, KillReason, RunResult, Sandbox
from harness.verdict import Reason, Verdict

ACCEPT, REJECT = 42, 43
MESSAGE_BYTES = 4096

_SCORE = re.compile(rb"[+-]?(?:\d*\.\d+|\d+\.|\d+)(?:[eE][+-]?\d+)?")
_SCORE_BYTES = 100


def validation_limits(limits: ProblemLimits) -> Limits:
    """What a package's validator may use."""
    return Limits(
        cpu_s=limits.validation_time_s,
        wall_s=limits.validation_time_s + 5,
        memory_bytes=limits.validation_memory_mib * MIB,
        output_bytes=limits.validation_output_mib * MIB,
    )


@dataclass(frozen=True, kw_only=True)
class Validation:
    """One call of an output validator or interactor: the program, what it is given, and where it works.

    input, answer: files that the sandbox's user may read. work: an empty folder for streams and feedback.
    """

    validator: Executable
    limits: Limits
    input: Path
    answer: Path
    work: Path
    arguments: Sequence[str] = ()

    def command(self) -> Command:
        """The command, with its feedback folder made."""
        feedback = self.work / "feedback"
        feedback.mkdir()
        given = (str(self.input), str(self.answer), f"{feedback}/", *self.arguments)
        command = self.validator.command(self.limits.memory_bytes, *given)
        return replace(
            command,
            directory=feedback,
            writable_directory=True,
            readable=(self.validator.directory, self.input, self.answer),
            argv=_absolute(command.argv, self.validator.directory),
        )

    def judgement(self, result: RunResult, stderr: Path) -> Judgement:
        """What its end says. Raises JudgeError, naming the program, for whatever is not 42 or 43."""
        return _judgement(self.validator, result, self.work / "feedback", stderr)


def run_validator(validation: Validation, output: Path, sandbox: Sandbox) -> Judgement:
    """Judge the `output` of a submission.

    Raises JudgeError, naming the program, for whatever is not 42 or 43, and for score files that make no sense.
    """
    stdout, stderr = validation.work / "stdout", validation.work / "stderr"
    limits = validation.validator.fit(validation.limits)
    result = sandbox.run(validation.command(), limits, stdin=output, stdout=stdout, stderr=stderr)
    return validation.judgement(result, stderr)


def _absolute(argv: Sequence[str], folder: Path) -> tuple[str, ...]:
    # The validator works in its feedback folder, so the script's name must not depend on the working directory.
    return tuple(
        str(folder / part) if index and (folder / part).is_file() else part for index, part in enumerate(argv)
    )


def _judgement(validator: Executable, result: RunResult, feedback: Path, stderr: Path) -> Judgement:
    if result.killed_for is KillReason.REQUEST:
        return Judgement(verdict=Verdict.SKIPPED, reason=Reason.INTERRUPTED)
    name = validator.program.origin
    if result.killed_for is not None:
        raise JudgeError(f"{name}: the output validator was stopped for its {result.killed_for}")
    if result.exit_code not in (ACCEPT, REJECT):
        ended = f"signal {result.signal}" if result.signal else f"exit code {result.exit_code}"
        raise JudgeError(f"{name}: the output validator ended with {ended}, not 42 or 43\n{_text(stderr)}".strip())
    accepted = result.exit_code == ACCEPT
    score, multiplier = _number(name, feedback / "score.txt"), _number(name, feedback / "score_multiplier.txt")
    if score is not None and multiplier is not None:
        raise JudgeError(f"{name}: the output validator wrote score.txt and score_multiplier.txt")
    if not accepted and (score is not None or multiplier is not None):
        raise JudgeError(f"{name}: the output validator rejects, and yet wrote a score")
    return Judgement(
        verdict=Verdict.ACCEPTED if accepted else Verdict.WRONG_ANSWER,
        reason=None if accepted else Reason.VALIDATOR,
        message=_text(feedback / "judgemessage.txt"),
        score=score,
        score_multiplier=multiplier,
    )


def _text(path: Path) -> str:
    if path.is_symlink() or not path.is_file():
        return ""
    with path.open("rb") as file:
        return file.read(MESSAGE_BYTES).decode(errors="replace").strip()


def _number(name: Path, path: Path) -> float | None:
    if path.is_symlink() or not path.is_file():
        return None
    with path.open("rb") as file:
        text = file.read(_SCORE_BYTES).strip()
    if not _SCORE.fullmatch(text):
        raise JudgeError(f"{name}: {path.name} holds {text[:40]!r}, not a number")
    return float(text)
