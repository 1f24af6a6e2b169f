"""Runs a program on one case, pass after pass where there are several, and judges what it did."""

import itertools
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from harness.build import Executable
from harness.check import Judgement, Validation, classify_run
from harness.check.interact import Player, interact
from harness.errors import JudgeError
from harness.host.warm_programs import Place
from harness.judge.ask_validators import judge_output, open_validations
from harness.judge.case_setting import CaseOutcome, CaseTask, judge_error
from harness.results.verdict import Reason, Verdict
from harness.sandbox import KillReason, RunResult, Tier
from harness.sandbox.limits import Limits

# A program may run a little past its limit, so that "just over" can be told from "endless".
OVERTIME = 1.15
OVERTIME_FLOOR_S = 0.05


def run_passes(task: CaseTask, executable: Executable) -> CaseOutcome:
    """Run all passes and judge them. Raises JudgeError for an interactor that fails or asks for too many passes."""
    with open_validations(task, executable) as first, _input_on_disk(task) as original:
        input_file, total, validations = original, None, first
        for number in itertools.count(1):
            outcome = _run_pass(task, executable, input_file, validations)
            total = _sum(total, outcome.run)
            next_input = _next_input(task, outcome, validations, number)
            if next_input is None:
                _draw(task, executable, outcome.judgement, input_file, validations)
                judgement = _with_pass_number(task, outcome.judgement, number)
                return replace(outcome, run=total, judgement=judgement)
            input_file = next_input
            validations = [replace(validation, input=next_input) for validation in validations]
    raise AssertionError  # the loop has no other end


@contextmanager
def _input_on_disk(task: CaseTask) -> Iterator[Path]:
    if task.case.input.content is None:
        with task.case.input.path() as path:
            yield path
        return
    task.files.input.write_bytes(task.case.input.content)
    yield task.files.input


def _run_pass(
    task: CaseTask, executable: Executable, input_file: Path, validations: Sequence[Validation]
) -> CaseOutcome:
    limits = _limits_of(task, executable)
    boxes, writable = task.setting.host.boxes, task.setting.files_writable
    with boxes.box(executable, task.case.extra_files, task.sandbox, writable=writable) as box:
        command = box.command(limits.memory_bytes, task.case.settings.args)
        if task.check.interactive:
            player = Player(command=command, limits=limits, generous=_with_overtime(limits))
            game = interact(task.sandbox, player, _interactor(validations), task.work, task.setting.tap)
            return CaseOutcome(run=game.run, judgement=game.judgement, ran=box.executable)
        stdout, stderr = task.files.stdout, task.files.stderr
        run = task.sandbox.run(command, _with_overtime(limits), stdin=input_file, stdout=stdout, stderr=stderr)
        run = box.counted(run, limits.output_bytes)
    if run.killed_for is KillReason.OUTPUT:
        return _run_without_output(task, executable, input_file, run)
    judgement = classify_run(run, limits) or _judge_output_or_error(task, validations)
    return CaseOutcome(run=run, judgement=judgement, ran=box.executable)


def _judge_output_or_error(task: CaseTask, validations: Sequence[Validation]) -> Judgement:
    """Judge the output; a judge error is returned, so that the facts of the run stay beside it."""
    try:
        return judge_output(task, validations)
    except JudgeError as error:
        return judge_error(error)


def _run_without_output(
    task: CaseTask, executable: Executable, input_file: Path, stopped: RunResult
) -> CaseOutcome:
    """Run it again with its output discarded: the verdict depends on whether it would have ended in time.

    Other judges discard what is too much and let the program go on, so one that prints for ever is too slow there.
    """
    limits, nowhere = _limits_of(task, executable), Path(os.devnull)
    boxes, writable = task.setting.host.boxes, task.setting.files_writable
    with boxes.box(executable, task.case.extra_files, task.sandbox, writable=writable) as box:
        command = box.command(limits.memory_bytes, task.case.settings.args)
        run = task.sandbox.run(command, _with_overtime(limits), stdin=input_file, stdout=nowhere, stderr=nowhere)
    judgement = classify_run(run, limits)
    if judgement is not None and judgement.verdict in (Verdict.TIME_LIMIT_EXCEEDED, Verdict.SKIPPED):
        judgement = replace(judgement, message="it also printed more than the output limit")
        counted = replace(run, output_bytes=stopped.output_bytes)
        return CaseOutcome(run=counted, judgement=judgement, ran=box.executable)
    run = replace(stopped, cpu_s=max(run.cpu_s, stopped.cpu_s), wall_s=max(run.wall_s, stopped.wall_s))
    judgement = Judgement(verdict=Verdict.OUTPUT_LIMIT_EXCEEDED, reason=Reason.OUTPUT)
    return CaseOutcome(run=run, judgement=judgement, ran=box.executable)


def _limits_of(task: CaseTask, executable: Executable) -> Limits:
    """Without a PID namespace a submission may have threads, but no process that could outlive it."""
    fitted = executable.fit(task.setting.limits)
    if task.sandbox.isolation.tier in (Tier.FILTERED, Tier.LOCKED):
        return replace(fitted, may_fork=False)
    return fitted


@lru_cache(maxsize=16)
def _with_overtime(limits: Limits) -> Limits:
    return replace(limits, cpu_s=limits.cpu_s * OVERTIME + OVERTIME_FLOOR_S)


def _interactor(validations: Sequence[Validation]) -> Validation:
    if not validations:
        raise JudgeError("an interactive problem needs an output validator")
    return validations[0]


def _next_input(
    task: CaseTask, outcome: CaseOutcome, validations: Sequence[Validation], number: int
) -> Path | None:
    """Return the input of the next pass; None after the last."""
    if outcome.judgement.verdict is not Verdict.ACCEPTED or not validations:
        return None
    next_input = task.work / f"pass{number + 1}.in"
    if not validations[0].feedback.next_pass(next_input):
        return None
    if number >= task.check.passes:
        raise JudgeError(
            f"{validations[0].feedback.name}: asks for pass {number + 1}, "
            f"`limits.validation_passes` allows {task.check.passes}"
        )
    return next_input


def _draw(
    task: CaseTask,
    executable: Executable,
    judgement: Judgement,
    input_file: Path,
    validations: Sequence[Validation],
) -> None:
    """Draw images of an interaction, or of an output that was judged, if the setting asks for them."""
    gallery, interactive = task.setting.gallery, task.check.interactive
    if gallery is None or not (interactive or judgement.verdict in (Verdict.ACCEPTED, Verdict.WRONG_ANSWER)):
        return
    output = Path(os.devnull) if interactive else task.files.stdout
    arguments = task.case.settings.output_visualizer_args
    if validations:
        gallery.draw(task.sandbox, validations[0], output, arguments)
        return
    task.files.input.write_bytes(input_file.read_bytes())
    task.files.answer.write_bytes(task.case.answer.read() if task.case.answer is not None else b"")
    call = Validation(
        validator=gallery.visualizer,
        limits=task.check.limits,
        input=task.files.input,
        answer=task.files.answer,
        place=Place(directory=task.work / "feedback"),
        directory=executable.directory,
    )
    gallery.draw(task.sandbox, call, output, arguments)


def _with_pass_number(task: CaseTask, judgement: Judgement, number: int) -> Judgement:
    if not task.check.rules.multi_pass:
        return judgement
    accepted = judgement.verdict is Verdict.ACCEPTED
    text = f"{number} {'pass' if number == 1 else 'passes'}" if accepted else f"pass {number}"
    return replace(judgement, message=f"{text}: {judgement.message}" if judgement.message else text)


def _sum(total: RunResult | None, run: RunResult | None) -> RunResult | None:
    """Return the facts of the last pass, with the largest time and memory of all passes."""
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
