"""A package's own validator, run as the format says: argv, stdin, exit code 42/43, a feedback folder."""

from collections.abc import Sequence
from dataclasses import field, replace
from pathlib import Path

from harness.build import Executable
from harness.check.classify import Judgement
from harness.check.feedback import Feedback, FeedbackRules
from harness.errors import JudgeError
from harness.host.warm_programs import Place, WarmProgram
from harness.sandbox import Command, Running, RunResult, Sandbox
from harness.sandbox.limits import Limits
from harness.values import dataclass

# Works in the first argument's folder and becomes the rest; the feedback folder is what the sandbox lets it write.
_IN_FOLDER = ("/bin/sh", "-c", 'cd -- "$0" && exec "$@"')


@dataclass(frozen=True, kw_only=True)
class Validation:
    """One call of an output validator, an interactor or a static validator: what it is given, and where it works.

    input, answer: files that the sandbox's user may read. place: the feedback folder, and who makes it (when it is
    first started; later passes find it there). directory: where it works, None: in the feedback folder.
    told: what it is told before the feedback folder instead of the two files (static validators).
    warm: the program's warm interpreter, if it has one. rules: what may lie in the feedback folder.
    keep: whether the feedback folder outlives the judgement; whoever says so removes it (`feedback.remove()`).
    """

    validator: Executable
    limits: Limits
    input: Path
    answer: Path
    place: Place
    arguments: Sequence[str] = ()
    warm: WarmProgram | None = None
    directory: Path | None = None
    told: tuple[str, ...] | None = None
    rules: FeedbackRules = field(default_factory=FeedbackRules)
    keep: bool = False

    @property
    def feedback(self) -> Feedback:
        """What it left behind."""
        return Feedback(name=self.validator.program.origin, folder=self.place.directory, rules=self.rules)

    def start(self, sandbox: Sandbox, *, wall_s: float, stdin: int, stdout: int, stderr: int) -> Running:
        """Start it with these descriptors: warm if it can be, else in `sandbox`."""
        feedback = self.place.directory
        told = (str(self.input), str(self.answer)) if self.told is None else self.told
        arguments = (*told, f"{feedback}/", *self.arguments)
        streams = {"stdin": stdin, "stdout": stdout, "stderr": stderr}
        made = feedback.exists()
        if self.warm is not None:
            place = replace(self.place, made_by_run=not made, works_in=self.directory)
            return self.warm.start(arguments, place, wall_s=wall_s, **streams)
        if not made:
            feedback.mkdir()
        limits = replace(self.validator.fit(self.limits), wall_s=wall_s)
        return sandbox.start(self._command(arguments), limits, **streams)

    def _command(self, arguments: Sequence[str]) -> Command:
        command = self.validator.command(self.limits.memory_bytes)
        feedback = self.place.directory
        argv = (*_absolute(command.argv, self.validator.directory), *arguments)
        command = command.reading(self.validator.directory, self.directory or feedback, self.input, self.answer)
        return replace(
            command,
            argv=argv if self.directory is None else (*_IN_FOLDER, str(self.directory), *argv),
            directory=feedback,
            writable_directory=True,
        )

    def judgement(self, result: RunResult, stderr: Path) -> Judgement:
        """What its end says; its feedback folder is read, and removed unless it is to be kept.

        Raises JudgeError, naming the program, for whatever is not 42 or 43.
        """
        try:
            return self.feedback.judgement(result, stderr)
        except JudgeError as error:
            raise JudgeError(self.validator.as_in_package(str(error))) from error
        finally:
            if not self.keep:
                self.feedback.remove()


def run_validator(validation: Validation, output: Path, sandbox: Sandbox, work: Path) -> Judgement:
    """Judge the `output` of a submission; the validator's own streams go to `work`.

    A validator that is not warm runs in `sandbox`.
    Raises JudgeError, naming the program, for whatever is not 42 or 43, and for score files that make no sense.
    """
    stdout, stderr = work / "judge_stdout", work / "judge_stderr"
    with output.open("rb") as given, stdout.open("wb") as out, stderr.open("wb") as err:
        streams = {"stdin": given.fileno(), "stdout": out.fileno(), "stderr": err.fileno()}
        result = validation.start(sandbox, wall_s=validation.limits.wall_s, **streams).wait()
    return validation.judgement(result, stderr)


def _absolute(argv: Sequence[str], folder: Path) -> tuple[str, ...]:
    # The validator works elsewhere, so the script's name must not depend on the working directory.
    return tuple(
        str(folder / part) if index and (folder / part).is_file() else part for index, part in enumerate(argv)
    )
