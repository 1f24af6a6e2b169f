"""Judge outputs by a package's output validators, or the default validator, over all passes."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import TypeVar

from harness.build.executable import Executable
from harness.check.classify import Judgement
from harness.check.default_validator import compare_files, parse_arguments
from harness.check.interact import Interaction, Player, interact
from harness.check.validator_call import (
    FeedbackRules,
    ValidatorCall,
    judge_program_limits,
    run_validator,
)
from harness.errors import JudgeError, UsageError
from harness.files import untrusted
from harness.host.host import Host
from harness.package import Case, Group, Package, ProblemType
from harness.package.formats.cases import GROUP_FILES
from harness.results.verdict import Verdict
from harness.sandbox.facts import Limits, Sandbox
from harness.sandbox.streams import rewrite
from harness.sandbox.transcript import Tap
from harness.values import dataclass

Result = TypeVar("Result")
# The keys of YAML files that state arguments of the output validator.
_ARGUMENTS = re.compile(rb"^[ \t]*(?:(?:output_)?validator_(?:args|flags)|validation)[ \t]*:", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class RunFiles:
    """The paths of the files of a run, in the folder of a worker."""

    stdout: Path
    stderr: Path
    input: Path
    answer: Path


@lru_cache(maxsize=256)  # making paths was the largest cost outside the runs themselves
def files_in(work: Path) -> RunFiles:
    """Return the paths of the files of a run in the folder `work`."""
    return RunFiles(
        stdout=work / "stdout", stderr=work / "stderr", input=work / "case.in", answer=work / "case.ans"
    )


@dataclass(frozen=True, kw_only=True)
class OutputCheck:
    """Judges the outputs of a package: all validators must accept; without any, the default validator decides.

    limits: of one validator run. passes: most passes allowed. static: the validator of submissions that are not run.
    rules: what may be in the feedback folder of a validator.
    """

    host: Host
    limits: Limits
    validators: tuple[Executable, ...] = ()
    static: Executable | None = None
    interactive: bool = False
    passes: int = 1
    rules: FeedbackRules = field(default_factory=FeedbackRules)

    @contextmanager
    def open(
        self, sandbox: Sandbox, case: Case, work: Path, *, directory: Path | None = None, warm: bool = True
    ) -> Iterator["CaseCheck"]:
        """Prepare to judge outputs of `case` in the folder `work`; remove the feedback folders at the end.

        Validators get copies of the case: their user may not read the package's own files.
        directory: where the validators run; None: in their feedback folders. warm: start them in warm interpreters.
        """
        opened = CaseCheck(check=self, sandbox=sandbox, case=case, work=work, input=files_in(work).input)
        if not self.validators and case.input.content is None and not case.input.crlf:
            with case.input.path() as path:
                yield replace(opened, input=path)
            return
        rewrite(opened.input, case.input.read())
        if not self.validators:
            yield opened
            return
        rewrite(opened.answer, case.read_answer())
        calls = tuple(
            self._call(opened, validator, work / f"feedback{number}", directory, warm=warm)
            for number, validator in enumerate(self.validators)
        )
        try:
            yield replace(opened, calls=calls)
        finally:
            for call in calls:
                call.end()

    def _call(
        self, opened: "CaseCheck", validator: Executable, feedback: Path, directory: Path | None, *, warm: bool
    ) -> ValidatorCall:
        program = self.host.warm(validator, opened.sandbox, self.limits) if warm else None
        return ValidatorCall(
            validator=validator,
            limits=self.limits,
            input=opened.input,
            answer=opened.answer,
            folder=program.scratch.take() if program is not None else feedback,
            directory=directory,
            arguments=opened.case.settings.output_validator_args,
            warm=program,
            rules=self.rules,
            keep=True,
        )

    def judge_files(self, sandbox: Sandbox, group: Group, executable: Executable, work: Path) -> Judgement:
        """Judge the files of a submission without running it. Raises JudgeError if there is no static validator."""
        if self.static is None:
            raise JudgeError(f"{group.name}: a static test case, but the package has no static validator")
        nothing = Path(os.devnull)
        call = ValidatorCall(
            validator=self.static,
            limits=self.limits,
            input=nothing,
            answer=nothing,
            first_arguments=(executable.language.code, executable.entry),
            folder=work / "feedback",
            directory=executable.directory,
            arguments=group.static.arguments if group.static else (),
        )
        return run_validator(call, nothing, sandbox, work)


@dataclass(frozen=True, kw_only=True)
class CaseCheck:
    """The output check of one case, ready in the folder of a worker.

    input: the input of this pass. number: of this pass, from 1. calls: of the validators, empty for the default one.
    """

    check: OutputCheck
    sandbox: Sandbox
    case: Case
    work: Path
    input: Path
    calls: tuple[ValidatorCall, ...] = ()
    number: int = 1

    @property
    def answer(self) -> Path:
        """The copy of the answer that validators read."""
        return files_in(self.work).answer

    def judge(self, output: Path) -> Judgement:
        """Judge an output: every validator must accept it. Raises JudgeError for a validator that fails."""
        if not self.calls:
            comparison = parse_arguments(self.case.settings.output_validator_args)
            return compare_files(output, self.case.answer, comparison)
        judgements = []
        for call in self.calls:
            judgements.append(run_validator(call, output, self.sandbox, self.work))
            if judgements[-1].verdict is not Verdict.ACCEPTED:
                return judgements[-1]
        return next((judgement for judgement in judgements if judgement.score is not None), judgements[0])

    def judge_bytes(self, output: bytes) -> Judgement:
        """Judge an output that no run has printed, and remove its feedback. Raises as `judge` does."""
        path = files_in(self.work).stdout
        path.write_bytes(output)
        try:
            return self.judge(path)
        finally:
            for call in self.calls:
                untrusted.remove(call.folder)

    @property
    def interactor(self) -> ValidatorCall:
        """The call of the interactor. Raises JudgeError if there is none."""
        if not self.calls:
            raise JudgeError("an interactive problem needs an output validator")
        return self.calls[0]

    def interact(self, player: Player, tap: Tap | None = None) -> Interaction:
        """Play one pass of an interactive problem; see `interact`."""
        return interact(self.sandbox, player, self.interactor, self.work, tap)

    def over_passes(
        self, run: Callable[["CaseCheck"], tuple[Result, Judgement]]
    ) -> tuple["CaseCheck", Result, Judgement]:
        """Run pass after pass, until one is not accepted or the validator asks for no other.

        Returns the check and the result of the last pass, and its judgement with the number of passes in its message.
        Raises JudgeError if the validator asks for more passes than are allowed.
        """
        current = self
        while True:
            result, judgement = run(current)
            following = current._next_pass(judgement)
            if following is None:
                return current, result, current._numbered(judgement)
            current = following

    def _next_pass(self, judgement: Judgement) -> "CaseCheck | None":
        """Return the check of the next pass; None after the last."""
        if judgement.verdict is not Verdict.ACCEPTED or not self.calls:
            return None
        number, feedback = self.number + 1, self.calls[0].feedback
        path = self.work / f"pass{number}.in"
        if not feedback.next_pass(path):
            return None
        if number > self.check.passes:
            allowed = f"`limits.validation_passes` allows {self.check.passes}"
            raise JudgeError(f"{feedback.name}: asks for pass {number}, {allowed}")
        return replace(
            self, number=number, input=path, calls=tuple(replace(call, input=path) for call in self.calls)
        )

    def _numbered(self, judgement: Judgement) -> Judgement:
        """Put the number of passes into the message, if the problem is multi-pass."""
        if not self.check.rules.multi_pass:
            return judgement
        accepted = judgement.verdict is Verdict.ACCEPTED
        text = f"{self.number} {'pass' if self.number == 1 else 'passes'}" if accepted else f"pass {self.number}"
        return replace(judgement, message=f"{text}: {judgement.message}" if judgement.message else text)


def output_check_for(package: Package, host: Host) -> OutputCheck:
    """Build the validators of a package; return its output check.

    Raises JudgeError for a validator that does not compile, UsageError for a package that cannot be judged.
    """
    _refuse_impossible(package)
    static = (package.static_validator,) if package.static_validator is not None else ()
    built = host.build_judge_programs((*package.output_validators, *static), package.limits)
    validators = tuple(built[: len(package.output_validators)])
    if not validators:
        _check_arguments(package)
    check = output_check_with(package, host, validators)
    return replace(check, static=built[-1] if static else None)


def output_check_with(package: Package, host: Host, validators: Sequence[Executable]) -> OutputCheck:
    """Return the output check with the package's built validators."""
    multi_pass = ProblemType.MULTI_PASS in package.types
    limits = judge_program_limits(package.limits)
    return OutputCheck(
        host=host,
        limits=limits,
        validators=tuple(validators),
        interactive=ProblemType.INTERACTIVE in package.types,
        passes=package.limits.validation_passes if multi_pass else 1,
        rules=FeedbackRules(
            multi_pass=multi_pass,
            score_on_reject=package.grading is not None,
            most_input_bytes=limits.output_bytes,
        ),
    )


def _check_arguments(package: Package) -> None:
    """Raise UsageError, with file and line, for arguments of the default output validator that it does not know."""
    for case in package.judged_cases():
        arguments = case.settings.output_validator_args
        try:
            parse_arguments(arguments)
        except UsageError as error:
            text = f"{package.validator_args_key} `{' '.join(arguments)}`"
            raise UsageError(f"{_stated_in(package, case)}: {text} of {case.name}: {error}") from error


def _stated_in(package: Package, case: Case) -> str:
    """Return file and line of the output validator's arguments: the nearest file that has such a key counts."""
    folders = [folder.as_posix() for folder in PurePosixPath("data", case.name).parents][:-1]
    settings = [f"{folder}/{name}" for folder in folders for name in GROUP_FILES]
    for path in (f"data/{case.name}.yaml", *settings, "problem.yaml"):
        file = package.files.get(path)
        key = _ARGUMENTS.search(file.read()) if file is not None else None
        if file is not None and key is not None:
            line = file.read().count(b"\n", 0, key.start()) + 1
            return f"{file.shown}:{line}"
    return str(package.root)


def _refuse_impossible(package: Package) -> None:
    if {ProblemType.INTERACTIVE, ProblemType.MULTI_PASS} & package.types and len(package.output_validators) != 1:
        names = ", ".join(program.path for program in package.output_validators) or "none"
        message = "an interactive or multi-pass problem has one output validator"
        raise UsageError(f"{package.root}: {message}, this one has {names}")
