"""Run a package's own validator by the format: arguments, stdin, exit code 42 or 43, feedback folder."""

import os
from collections.abc import Sequence
from dataclasses import field, replace
from functools import lru_cache
from pathlib import Path, PurePath

from harness.build.executable import Executable
from harness.check.classify import Judgement
from harness.check.tokens import FLOAT
from harness.errors import JudgeError
from harness.files import untrusted
from harness.host.warm_programs import ReadyProgram, RunFolders
from harness.package.model import ProblemLimits
from harness.results.verdict import Reason, Verdict
from harness.sandbox.facts import MIB, Command, KillReason, Limits, Running, RunResult, Sandbox
from harness.sandbox.streams import open_emptied
from harness.values import dataclass

ACCEPT, REJECT = 42, 43
_NOT_STARTED = (126, 127)  # for example, a shared library is missing: it may be installed later
_SLEEP_S = 5.0  # wall time beyond the CPU time, for a program that sleeps
MESSAGE_BYTES = 4096
NEXT_PASS, MESSAGE = "nextpass.in", "judgemessage.txt"

_SCORE_BYTES = 1000
MOST_POINTS = 1e300  # larger ones add up to more than any number holds
_STDERR_BYTES = 1 << 20  # of the error output, in which the last line is sought
# A validator that gives up writes the reason here; older packages use the other file.
_ERROR_FILES = ("judgeerror.txt", MESSAGE)


def judge_program_limits(limits: ProblemLimits) -> Limits:
    """Return the limits of one run of a judge program."""
    return Limits(
        cpu_s=limits.validation_time_s,
        wall_s=limits.validation_time_s + _SLEEP_S,
        memory_bytes=limits.validation_memory_mib * MIB,
        output_bytes=limits.validation_output_mib * MIB,
    )


@dataclass(frozen=True, kw_only=True)
class FeedbackRules:
    """The files that a validator may write to its feedback folder.

    multi_pass: `nextpass.in`, of at most most_input_bytes. score_on_reject: a score file although it rejects: the older
    format does not forbid it, and packages use it.
    """

    multi_pass: bool = False
    score_on_reject: bool = False
    most_input_bytes: int = 8 << 20


@dataclass(frozen=True, kw_only=True)
class FeedbackFolder:
    """The feedback folder of a validator, read as untrusted files. name: the program's file, for errors."""

    name: PurePath
    folder: Path
    rules: FeedbackRules = FeedbackRules()

    def judgement(self, result: RunResult, stderr: Path) -> Judgement:
        """Return the judgement after a run. Raises JudgeError, naming the program, unless the exit code is 42 or 43."""
        if result.killed_for is KillReason.REQUEST:
            return Judgement(verdict=Verdict.SKIPPED, reason=Reason.INTERRUPTED)
        if result.killed_for is not None:
            raise self._error(f"the validator was {result.ending}", crashed=False)
        if result.exit_code not in (ACCEPT, REJECT):
            messages = "\n".join(
                filter(None, (_text(stderr), *(_text(self.folder / name) for name in _ERROR_FILES)))
            )
            message = f"the validator ended with {result.ending}, not 42 or 43\n{messages}".strip()
            lacks = result.exit_code in _NOT_STARTED or "ModuleNotFoundError" in messages
            raise self._error(message, crashed=result.ended_by_itself and not lacks)
        return self._accepted() if result.exit_code == ACCEPT else self._rejected(stderr)

    def next_pass(self, target: Path) -> bool:
        """Move `nextpass.in` to `target`; False if there is none. Raises JudgeError unless it is a small file."""
        path = self.folder / NEXT_PASS
        if not self.rules.multi_pass or not self._holds(NEXT_PASS):
            return False
        content = untrusted.first_bytes(path, self.rules.most_input_bytes + 1)
        if content is None:
            raise self._error(f"{NEXT_PASS} is no regular file that can be read")
        if len(content) > self.rules.most_input_bytes:
            raise self._error(f"{NEXT_PASS} is larger than {self.rules.most_input_bytes} bytes")
        path.unlink()
        target.write_bytes(content)
        return True

    def _accepted(self) -> Judgement:
        score, multiplier = self._number("score.txt"), self._number("score_multiplier.txt")
        if score is not None and multiplier is not None:
            raise self._error("the validator wrote score.txt and score_multiplier.txt")
        message = _text(self.folder / MESSAGE)
        return Judgement(verdict=Verdict.ACCEPTED, message=message, score=score, score_multiplier=multiplier)

    def _rejected(self, stderr: Path) -> Judgement:
        if self.rules.multi_pass and self._holds(NEXT_PASS):
            raise self._error(f"the validator rejects, but wrote {NEXT_PASS}")
        for name in ("score.txt", "score_multiplier.txt"):
            if not self.rules.score_on_reject and self._holds(name):
                raise self._error(f"the validator rejects, but wrote {name}")
        message = _text(self.folder / MESSAGE) or _last_line(stderr)
        return Judgement(verdict=Verdict.WRONG_ANSWER, reason=Reason.VALIDATOR, message=message)

    def _number(self, name: str) -> float | None:
        if not self._holds(name):
            return None
        content = untrusted.first_bytes(self.folder / name, _SCORE_BYTES + 1) or b""
        text = content.strip()
        if len(content) > _SCORE_BYTES or not FLOAT.fullmatch(text):
            raise self._error(f"{name} holds {text[:40]!r}, not a number")
        number = float(text)
        if abs(number) > MOST_POINTS:
            raise self._error(f"{name} holds {text[:40]!r}, more than any score")
        return number or 0.0  # not -0.0

    def _holds(self, name: str) -> bool:
        return os.path.lexists(f"{self.folder}/{name}")  # a Path costs more than the call

    def _error(self, message: str, *, crashed: bool = True) -> JudgeError:
        return JudgeError(f"{self.name}: {message}", crashed=crashed)


def _last_line(path: Path) -> str:
    end = (untrusted.first_bytes(path, _STDERR_BYTES) or b"").strip()[-MESSAGE_BYTES:]
    return end.rpartition(b"\n")[2].decode(errors="replace").strip()


def _text(path: Path) -> str:
    return untrusted.first_text(path, MESSAGE_BYTES).strip()


@dataclass(frozen=True, kw_only=True)
class ValidatorCall:
    """One call of an output validator, an interactor or a static validator.

    input, answer: files that the sandbox's user may read. folder: the feedback folder, made when the program is first
    started. directory: the working folder; None: the feedback folder. first_arguments: replace the two files before the
    feedback folder (static validators). warm: the program, kept ready; `folder` is then from its scratch. rules: for
    the feedback folder. keep: leave the folder until the caller calls `end`.
    """

    validator: Executable
    limits: Limits
    input: Path
    answer: Path
    folder: Path
    arguments: Sequence[str] = ()
    warm: ReadyProgram | None = None
    directory: Path | None = None
    first_arguments: tuple[str, ...] | None = None
    rules: FeedbackRules = field(default_factory=FeedbackRules)
    keep: bool = False

    @property
    def feedback(self) -> FeedbackFolder:
        """The feedback folder, to be read after a run."""
        return FeedbackFolder(name=self.validator.program.shown, folder=self.folder, rules=self.rules)

    def end(self) -> None:
        """Remove the feedback folder, or give it back for a later call."""
        if self.warm is None:
            untrusted.remove(self.folder)
        else:
            self.warm.scratch.give_back(self.folder)

    def start(self, sandbox: Sandbox, *, wall_s: float, stdin: int, stdout: int, stderr: int) -> Running:
        """Start the program with these descriptors: as a run of `warm`, or else in `sandbox`."""
        feedback = self.folder
        files = (str(self.input), str(self.answer))
        arguments = (*(self.first_arguments or files), f"{feedback}/", *self.arguments)
        streams = {"stdin": stdin, "stdout": stdout, "stderr": stderr}
        if self.warm is not None:
            folders = RunFolders(directory=feedback, works_in=self.directory)
            return self.warm.start(arguments, folders, wall_s=wall_s, **streams)
        if not feedback.exists():
            feedback.mkdir()
        limits = replace(self.validator.fit(self.limits), wall_s=wall_s)
        return sandbox.start(self._command(arguments), limits, **streams)

    def _command(self, arguments: Sequence[str]) -> Command:
        command = self.validator.command(self.limits.memory_bytes, *arguments, elsewhere=True)
        feedback = self.folder
        return replace(
            command.reading(self.directory or feedback, self.input, self.answer),
            directory=feedback,
            works_in=self.directory,
            writable_directory=True,
        )

    def judgement(self, result: RunResult, stderr: Path) -> Judgement:
        """Read the judgement from a finished run and the feedback folder, which is then removed unless `keep` is set.

        Raises JudgeError, naming the program, unless the exit code is 42 or 43.
        """
        try:
            return self.feedback.judgement(result, stderr)
        except JudgeError as error:
            raise error.reworded(self.validator.as_in_package(str(error))) from error
        finally:
            if not self.keep:
                self.end()


@lru_cache(maxsize=256)
def judge_streams(work: Path) -> tuple[Path, Path]:
    """Return the files for the standard output and the standard error of a validator, in the folder of a worker."""
    return work / "judge_stdout", work / "judge_stderr"


def run_validator(call: ValidatorCall, output: Path, sandbox: Sandbox, work: Path) -> Judgement:
    """Judge the `output` of a submission; the validator's own streams go to `work`.

    Raises JudgeError, naming the program, unless the exit code is 42 or 43, and for invalid score files.
    """
    stdout, stderr = judge_streams(work)
    streams: dict[str, int] = {}
    try:
        streams["stdin"] = os.open(output, os.O_RDONLY | os.O_CLOEXEC)
        streams["stdout"], streams["stderr"] = open_emptied(stdout), open_emptied(stderr)
        result = call.start(sandbox, wall_s=call.limits.wall_s, **streams).wait()
    finally:
        for descriptor in streams.values():
            os.close(descriptor)
    return call.judgement(result, stderr)
