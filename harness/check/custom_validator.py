"""A package's own output validator, run as the format says: argv, stdin, exit code 42/43, a feedback folder."""

import os
import re
import shutil
import stat
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from harness.build import Executable
from harness.check.classify import Judgement
from harness.errors import JudgeError
from harness.limits import MIB, Limits
from harness.package.model import ProblemLimits
from harness.sandbox import KillReason, Running, RunResult, Sandbox
from harness.verdict import Reason, Verdict
from harness.warm import Place, WarmProgram

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

    input, answer: files that the sandbox's user may read. place: the feedback folder, and who makes it.
    warm: the program's warm interpreter, if it has one.
    """

    validator: Executable
    limits: Limits
    input: Path
    answer: Path
    place: Place
    arguments: Sequence[str] = ()
    warm: WarmProgram | None = None

    def start(self, sandbox: Sandbox, *, wall_s: float, stdin: int, stdout: int, stderr: int) -> Running:
        """Start it with these descriptors: warm if it can be, else in `sandbox`."""
        feedback = self.place.directory
        given = (str(self.input), str(self.answer), f"{feedback}/", *self.arguments)
        streams = {"stdin": stdin, "stdout": stdout, "stderr": stderr}
        if self.warm is not None:
            return self.warm.start(given, self.place, wall_s=wall_s, **streams)
        feedback.mkdir()
        command = self.validator.command(self.limits.memory_bytes, *given)
        command = replace(
            command,
            directory=feedback,
            writable_directory=True,
            readable=(self.validator.directory, self.input, self.answer),
            argv=_absolute(command.argv, self.validator.directory),
        )
        return sandbox.start(command, replace(self.validator.fit(self.limits), wall_s=wall_s), **streams)

    def judgement(self, result: RunResult, stderr: Path) -> Judgement:
        """What its end says; its feedback folder is read and removed.

        Raises JudgeError, naming the program, for whatever is not 42 or 43.
        """
        try:
            return _judgement(self.validator, result, self.place.directory, stderr)
        finally:
            shutil.rmtree(self.place.directory, ignore_errors=True)


def run_validator(validation: Validation, output: Path, sandbox: Sandbox, work: Path) -> Judgement:
    """Judge the `output` of a submission; the validator's own streams go to `work`.

    Raises JudgeError, naming the program, for whatever is not 42 or 43, and for score files that make no sense.
    """
    stdout, stderr = work / "judge_stdout", work / "judge_stderr"
    with output.open("rb") as given, stdout.open("wb") as out, stderr.open("wb") as err:
        streams = {"stdin": given.fileno(), "stdout": out.fileno(), "stderr": err.fileno()}
        result = validation.start(sandbox.partner(), wall_s=validation.limits.wall_s, **streams).wait()
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
    return _first_bytes(path, MESSAGE_BYTES).decode(errors="replace").strip()


def _number(name: Path, path: Path) -> float | None:
    text = _first_bytes(path, _SCORE_BYTES).strip()
    if not text and not path.exists():
        return None
    if not _SCORE.fullmatch(text):
        raise JudgeError(f"{name}: {path.name} holds {text[:40]!r}, not a number")
    return float(text)


def _first_bytes(path: Path, count: int) -> bytes:
    """The start of a regular file that a hostile program may have put there; nothing of a link, pipe or device."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    with os.fdopen(descriptor, "rb") as file:
        return file.read(count) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
