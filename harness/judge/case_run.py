"""One submission on one case: run, classify, ask the validators; pass after pass where there are several."""

import itertools
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from harness.build import Executable
from harness.check import (
    Comparison,
    Judgement,
    Validation,
    classify_run,
    compare_files,
    output_difference,
    run_static_validator,
    run_validator,
)
from harness.check.difference_window import MOST_BYTES
from harness.check.interact import Player, interact
from harness.errors import JudgeError
from harness.host.warm_programs import Place
from harness.judge.context import OutputCheck, Setting
from harness.judge.submitted_answers import Answers
from harness.package import Case, Group
from harness.results.model import CaseResult, OutputDifference
from harness.results.verdict import Reason, Verdict
from harness.rules import group_tree
from harness.rules.score import case_score, static_case_name
from harness.sandbox import KillReason, RunResult, Sandbox, Tier
from harness.sandbox.limits import Limits

# A program is let run a little past its limit, so that "just over" can be told from "endless".
OVERTIME = 1.15
OVERTIME_FLOOR_S = 0.05
MESSAGE_CHARACTERS = 3000
STDERR_CHARACTERS = 16_000
_STDERR_WINDOW = 32_768  # bytes at either end, for what is shown once long paths are short
OUTPUT_BYTES = 4000


@dataclass(frozen=True, kw_only=True)
class _Outcome:
    """What one pass or all of them came to. run: None when nothing was run; ran: what was run, where it lay then."""

    run: RunResult | None
    judgement: Judgement
    ran: Executable | None = None


@dataclass(frozen=True, kw_only=True)
class _Files:
    """What lies where in a worker's folder."""

    stdout: Path
    stderr: Path
    input: Path
    answer: Path


@lru_cache(maxsize=256)  # joining paths costs more than all else that is done to them
def _files_in(work: Path) -> _Files:
    return _Files(
        stdout=work / "stdout",
        stderr=work / "stderr",
        input=work / "case.in",
        answer=work / "case.ans",
    )


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One submission on one case, with a folder to work in."""

    setting: Setting
    sandbox: Sandbox
    submission: Executable | Answers
    group: Group
    case: Case
    work: Path

    @property
    def check(self) -> OutputCheck:
        return self.setting.check

    @property
    def _files(self) -> _Files:
        return _files_in(self.work)

    def result(self) -> CaseResult:
        """Run and judge; a judge program's failure becomes the verdict JE.

        A run that may have ended by somebody else's signal is repeated once: only what happens twice is its own end.
        """
        try:
            outcome = self._outcome()
            if outcome.run is not None and outcome.run.ended_from_outside:
                outcome = self._outcome()
        except JudgeError as error:
            outcome = _Outcome(run=None, judgement=_judge_error(error))
        judgement = self._scored(outcome.judgement)
        message = judgement.message
        if judgement.verdict is Verdict.RUN_TIME_ERROR and outcome.ran is not None:
            message = " ".join(filter(None, (message, _told(self._files.stderr, outcome.ran, MESSAGE_CHARACTERS))))
        run = outcome.run
        is_wrong = judgement.verdict is Verdict.WRONG_ANSWER and run is not None and not self.check.interactive
        return CaseResult(
            name=self.case.name,
            group=self.group.name,
            verdict=judgement.verdict,
            score=judgement.score,
            reason=judgement.reason,
            cpu_s=run.cpu_s if run else None,
            wall_s=run.wall_s if run else None,
            asleep_s=run.asleep_s if run else None,
            starved_s=run.starved_s if run else None,
            memory_bytes=run.memory_bytes if run else None,
            exit_code=run.exit_code if run else None,
            signal=run.signal if run else None,
            message=message,
            output=self._shown_output() if is_wrong else "",
            difference=self._difference() if is_wrong else None,
            stderr=self._sample_stderr(outcome),
        )

    def _shown_output(self) -> str:
        """The start of what was judged wrong."""
        with self._files.stdout.open("rb") as file:
            return file.read(OUTPUT_BYTES).decode(errors="replace")

    def _difference(self) -> OutputDifference | None:
        """Where the output leaves the answer, which is that of the first pass."""
        stdout = self._files.stdout
        if self.check.rules.multi_pass or self.case.answer is None or stdout.stat().st_size > MOST_BYTES:
            return None
        exact = Comparison(case_sensitive=True)  # the package's own validator may ask for anything
        comparison = self.check.comparisons.get(self.case.settings.output_validator_args, exact)
        return output_difference(stdout.read_bytes(), self.case.answer.read(), comparison)

    def _sample_stderr(self, outcome: _Outcome) -> str:
        """What the last pass wrote to standard error; only on samples, for it could carry an input out."""
        if self.group.name != "sample" or outcome.ran is None or self._files.stderr.stat().st_size == 0:
            return ""
        return _told(self._files.stderr, outcome.ran, STDERR_CHARACTERS)

    def _outcome(self) -> _Outcome:
        if isinstance(self.submission, Answers):
            return self._hand_in(self.submission)
        if self.case.name == static_case_name(self.group):
            return self._static(self.submission)
        return self._passes(self.submission)

    # Static validation and submit-answer: nothing is run.

    def _static(self, executable: Executable) -> _Outcome:
        validator = self.check.static
        if validator is None:
            raise JudgeError(f"{self.group.name}: a static test case, but the package has no static validator")
        validation = Validation(
            validator=validator,
            limits=self.check.limits,
            input=Path(os.devnull),
            answer=Path(os.devnull),
            told=(executable.language.code, executable.entry),
            place=Place(directory=self.work / "feedback"),
            directory=executable.directory,
            arguments=self.group.static.arguments if self.group.static else (),
        )
        return _Outcome(run=None, judgement=run_static_validator(validation, self.sandbox, self.work))

    def _hand_in(self, answers: Answers) -> _Outcome:
        most_bytes = self.setting.limits.output_bytes
        answer = answers.answer(self.case, most_bytes)
        if answer is None:
            message = f"no answer was handed in: expected {answers.names_tried(self.case)}"
            judgement = Judgement(verdict=Verdict.WRONG_ANSWER, reason=Reason.VALIDATOR, message=message)
        elif len(answer) > most_bytes:
            judgement = Judgement(verdict=Verdict.OUTPUT_LIMIT_EXCEEDED, reason=Reason.OUTPUT)
        else:
            self._files.stdout.write_bytes(answer)
            with self._validations(None) as validations:
                judgement = self._check_output(validations)
        return _Outcome(run=None, judgement=judgement)

    # Programs: one pass, or several.

    def _passes(self, executable: Executable) -> _Outcome:
        with self._validations(executable) as first, self._on_disk() as original:
            given, total, validations = original, None, first
            for number in itertools.count(1):
                outcome = self._pass(executable, given, validations)
                total = _sum(total, outcome.run)
                following = self._following(outcome, validations, number)
                if following is None:
                    self._draw(executable, outcome.judgement, given, validations)
                    judgement = self._numbered(outcome.judgement, number)
                    return replace(outcome, run=total, judgement=judgement)
                given, validations = following, [replace(one, input=following) for one in validations]
        raise AssertionError  # the loop has no other end

    def _draw(
        self, executable: Executable, judgement: Judgement, given: Path, validations: Sequence[Validation]
    ) -> None:
        """What was judged has images, if they are asked for: what ended by itself, and every game."""
        gallery, game = self.setting.gallery, self.check.interactive
        if gallery is None or not (game or judgement.verdict in (Verdict.ACCEPTED, Verdict.WRONG_ANSWER)):
            return
        output = Path(os.devnull) if game else self._files.stdout
        arguments = self.case.settings.output_visualizer_args
        if validations:
            gallery.draw(self.sandbox, validations[0], output, arguments)
            return
        answer = self._files.answer
        self._files.input.write_bytes(given.read_bytes())
        answer.write_bytes(self.case.answer.read() if self.case.answer is not None else b"")
        here = Validation(
            validator=gallery.visualizer,
            limits=self.check.limits,
            input=self._files.input,
            answer=answer,
            place=Place(directory=self.work / "feedback"),
            directory=executable.directory,
        )
        gallery.draw(self.sandbox, here, output, arguments)

    def _following(self, outcome: _Outcome, validations: Sequence[Validation], number: int) -> Path | None:
        """The input of the next pass, if there is to be one."""
        if outcome.judgement.verdict is not Verdict.ACCEPTED or not validations:
            return None
        following = self.work / f"pass{number + 1}.in"
        if not validations[0].feedback.next_pass(following):
            return None
        if number >= self.check.passes:
            raise JudgeError(
                f"{validations[0].feedback.name}: asks for pass {number + 1}, "
                f"`limits.validation_passes` allows {self.check.passes}"
            )
        return following

    def _numbered(self, judgement: Judgement, number: int) -> Judgement:
        if not self.check.rules.multi_pass:
            return judgement
        accepted = judgement.verdict is Verdict.ACCEPTED
        text = f"{number} {'pass' if number == 1 else 'passes'}" if accepted else f"pass {number}"
        return replace(judgement, message=f"{text}: {judgement.message}" if judgement.message else text)

    def _pass(self, executable: Executable, given: Path, validations: Sequence[Validation]) -> _Outcome:
        limits = self._limits_of(executable)
        boxes, writable = self.setting.host.boxes, self.setting.files_writable
        with boxes.box(executable, self.case.extra_files, self.sandbox, writable=writable) as box:
            command = box.command(limits.memory_bytes, self.case.settings.args)
            if self.check.interactive:
                player = Player(command=command, limits=limits, generous=_generous(limits))
                game = interact(self.sandbox, player, _only(validations), self.work, self.setting.tap)
                return _Outcome(run=game.run, judgement=game.judgement, ran=box.executable)
            stdout, stderr = self._files.stdout, self._files.stderr
            run = self.sandbox.run(command, _generous(limits), stdin=given, stdout=stdout, stderr=stderr)
            run = box.counted(run, limits.output_bytes)
        if run.killed_for is KillReason.OUTPUT:
            return self._unread(executable, given, run)
        judgement = classify_run(run, limits) or self._guarded_check(validations)
        return _Outcome(run=run, judgement=judgement, ran=box.executable)

    def _unread(self, executable: Executable, given: Path, stopped: RunResult) -> _Outcome:
        """Once more, with nobody who takes the output: whether it would have come to an end in time decides.

        Other judges throw away what is too much and let the program go on, so one that prints for ever is too slow.
        """
        limits, nowhere = self._limits_of(executable), Path(os.devnull)
        boxes, writable = self.setting.host.boxes, self.setting.files_writable
        with boxes.box(executable, self.case.extra_files, self.sandbox, writable=writable) as box:
            command = box.command(limits.memory_bytes, self.case.settings.args)
            run = self.sandbox.run(command, _generous(limits), stdin=given, stdout=nowhere, stderr=nowhere)
        judgement = classify_run(run, limits)
        if judgement is not None and judgement.verdict in (Verdict.TIME_LIMIT_EXCEEDED, Verdict.SKIPPED):
            judgement = replace(judgement, message="it also printed more than the output limit")
            counted = replace(run, output_bytes=stopped.output_bytes)
            return _Outcome(run=counted, judgement=judgement, ran=box.executable)
        run = replace(stopped, cpu_s=max(run.cpu_s, stopped.cpu_s), wall_s=max(run.wall_s, stopped.wall_s))
        judgement = Judgement(verdict=Verdict.OUTPUT_LIMIT_EXCEEDED, reason=Reason.OUTPUT)
        return _Outcome(run=run, judgement=judgement, ran=box.executable)

    def _limits_of(self, executable: Executable) -> Limits:
        """Without a PID namespace a submission may have threads, but no process that could outlive it."""
        fitted = executable.fit(self.setting.limits)
        if self.sandbox.isolation.tier in (Tier.FILTERED, Tier.LOCKED):
            return replace(fitted, may_fork=False)
        return fitted

    @contextmanager
    def _on_disk(self) -> Iterator[Path]:
        if self.case.input.content is None:
            with self.case.input.path() as path:
                yield path
            return
        self._files.input.write_bytes(self.case.input.content)
        yield self._files.input

    # What the validators say.

    def _guarded_check(self, validations: Sequence[Validation]) -> Judgement:
        """A judge error keeps the facts of the run beside it."""
        try:
            return self._check_output(validations)
        except JudgeError as error:
            return _judge_error(error)

    def _check_output(self, validations: Sequence[Validation]) -> Judgement:
        output = self._files.stdout
        if not validations:
            comparison = self.check.comparisons[self.case.settings.output_validator_args]
            return compare_files(output, self.case.answer, comparison)
        judgements = []
        for validation in validations:
            judgements.append(run_validator(validation, output, self.sandbox, self.work))
            if judgements[-1].verdict is not Verdict.ACCEPTED:
                return judgements[-1]
        return next((one for one in judgements if one.score is not None), judgements[0])

    @contextmanager
    def _validations(self, executable: Executable | None) -> Iterator[list[Validation]]:
        """Each validator's call on copies of the case, for its user may not reach the place where the package lies."""
        given, answer = self._files.input, self._files.answer
        if self.check.validators:
            given.write_bytes(self.case.input.read())
            answer.write_bytes(self.case.answer.read() if self.case.answer is not None else b"")
        validations = [
            self._validation(validator, (given, answer), number, executable)
            for number, validator in enumerate(self.check.validators)
        ]
        try:
            yield validations
        finally:
            for validation in validations:
                validation.feedback.remove()

    def _validation(
        self, validator: Executable, files: tuple[Path, Path], number: int, executable: Executable | None
    ) -> Validation:
        warm = self.setting.host.warm(validator, self.sandbox, self.check.limits)
        return Validation(
            validator=validator,
            limits=self.check.limits,
            input=files[0],
            answer=files[1],
            place=warm.fresh_place() if warm is not None else Place(directory=self.work / f"feedback{number}"),
            directory=executable.directory if executable is not None else None,
            arguments=self.case.settings.output_validator_args,
            warm=warm,
            rules=self.check.rules,
            keep=True,
        )

    def _scored(self, judgement: Judgement) -> Judgement:
        """With its points. Score files that break the rules are a judge error, which names the validator."""
        if not self.setting.scoring and self.group.grading is not None:
            return judgement
        if self.group.grading is not None:
            points = group_tree.case_score(self.group.grading, judgement.verdict, judgement.score)
            return replace(judgement, score=points)
        if judgement.verdict is not Verdict.ACCEPTED or self.group.name == "sample":
            return judgement if judgement.score is None else replace(judgement, score=None)
        static = self.case.name == static_case_name(self.group)
        try:
            score = case_score(
                self.group, score=judgement.score, multiplier=judgement.score_multiplier, static=static
            )
        except JudgeError as error:
            return _judge_error(JudgeError(f"{self._validator_name(static=static)}: {error}"))
        return judgement if score == judgement.score else replace(judgement, score=score)

    def _validator_name(self, *, static: bool) -> Path | str:
        validators = (self.check.static,) if static else self.check.validators
        found = next((one for one in validators if one is not None), None)
        return found.program.origin if found is not None else self.case.name


def _only(validations: Sequence[Validation]) -> Validation:
    if not validations:
        raise JudgeError("an interactive problem needs an output validator")
    return validations[0]


def _judge_error(error: JudgeError) -> Judgement:
    return Judgement(verdict=Verdict.JUDGE_ERROR, reason=Reason.VALIDATOR, message=str(error))


@lru_cache(maxsize=16)
def _generous(limits: Limits) -> Limits:
    return replace(limits, cpu_s=limits.cpu_s * OVERTIME + OVERTIME_FLOOR_S)


def _sum(total: RunResult | None, run: RunResult | None) -> RunResult | None:
    """The last pass, with the time and memory of the one that took most."""
    if total is None or run is None:
        return run or total
    return replace(
        run,
        cpu_s=max(total.cpu_s, run.cpu_s),
        wall_s=max(total.wall_s, run.wall_s),
        asleep_s=_longest(total.asleep_s, run.asleep_s),
        starved_s=max(total.starved_s, run.starved_s),
        memory_bytes=max(total.memory_bytes, run.memory_bytes),
    )


def _longest(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else max(first, second)


def _told(path: Path, ran: Executable, most: int) -> str:
    """What a program said on standard error: all, or the first and the last of it, about `most` characters.

    Its files are called as in the package: where they lay is another place in every judging.
    """
    with path.open("rb") as file:
        first = file.read(_STDERR_WINDOW)
        left = path.stat().st_size - _STDERR_WINDOW
        file.seek(max(left, _STDERR_WINDOW))
        last = file.read(_STDERR_WINDOW)
    text = ran.as_in_package((first + last).decode(errors="replace")).strip()
    if left <= _STDERR_WINDOW and len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half].strip()}\n[…]\n{text[-half:].strip()}"
