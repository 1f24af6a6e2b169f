"""A package's own output validator, run as the format says: argv, stdin, exit code 42/43, a feedback folder."""

import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from harness.build import Executable
from harness.check.classify import Judgement
from harness.errors import JudgeError
from harness.limits import MIB, Limits
from harness.package.model import ProblemLimits
from harness.sandbox import KillReason, RunResult, Sandbox
from harness.verdict import Reason, Verdict

ACCEPT, REJECT = 42, 43
MESSAGE_BYTES = 4096

_SCORE = re.compile(rb"[+-]?(?:\d*\.\d+|\d+\.|\d+)(?:[eE][+-]?\d+)?")
_SCORE_BYTES = 100


@dataclass(frozen=True, kw_only=True)
class ValidatorInput:
    """What an output validator is given. All three files may be read by the sandbox's user."""

    input: Path
    answer: Path
    output: Path
    arguments: Sequence[str] = ()


def validation_limits(limits: ProblemLimits) -> Limits:
    """What a package's validator may use."""
    return Limits(
        cpu_s=limits.validation_time_s,
        wall_s=limits.validation_time_s + 5,
        memory_bytes=limits.validation_memory_mib * MIB,
        output_bytes=limits.validation_output_mib * MIB,
    )


def run_validator(
    validator: Executable, given: ValidatorInput, limits: Limits, sandbox: Sandbox, work: Path
) -> Judgement:
    """Run it once. `work` is an empty folder for its streams and its feedback.

    Raises JudgeError, naming the program, for whatever is not 42 or 43, and for score files that make no sense.
    """
    feedback = work / "feedback"
    feedback.mkdir()
    command = validator.command(
        limits.memory_bytes, str(given.input), str(given.answer), f"{feedback}/", *given.arguments
    )
    command = replace(
        command,
        directory=feedback,
        writable_directory=True,
        readable=(validator.directory, given.input, given.answer),
        argv=_absolute(command.argv, validator.directory),
    )
    stdout, stderr = work / "stdout", work / "stderr"
    result = sandbox.run(command, validator.fit(limits), stdin=given.output, stdout=stdout, stderr=stderr)
    try:
        return _judgement(validator, result, feedback, stderr)
    finally:
        shutil.rmtree(feedback, ignore_errors=True)


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
