"""Run a submission on one case of a package, over all passes, and judge its output."""

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from harness.build.executable import Executable
from harness.check.classify import Judgement, classify_run
from harness.check.interact import Player
from harness.check.output_check import CaseCheck, OutputCheck, RunFiles, files_in
from harness.check.validator_call import ValidatorCall
from harness.errors import JudgeError, UsageError
from harness.host.host import Host
from harness.judge.visualizers import Gallery
from harness.package import Case, Group, Package
from harness.results.verdict import Reason, Verdict
from harness.sandbox.facts import (
    MIB,
    MOST_WRITTEN_BYTES,
    KillReason,
    Limits,
    RunResult,
    Sandbox,
    Tier,
    wall_limit_s,
)
from harness.sandbox.transcript import Tap
from harness.values import dataclass

# A program may run a little longer than its limit, so that its time is known if it is just over.
OVERTIME = 1.15
OVERTIME_FLOOR_S = 0.05


@dataclass(frozen=True, kw_only=True)
class CaseSetting:
    """The common settings of all cases of a judging.

    files_writable: submissions may write files. tap: records interactions, to be shown later. gallery: collects the
    images that the output visualizer draws.
    """

    host: Host
    limits: Limits
    check: OutputCheck
    scoring: bool = False
    files_writable: bool = False
    tap: Tap | None = None
    gallery: Gallery | None = None


@dataclass(frozen=True, kw_only=True)
class CaseTask:
    """A case to judge a submission on. work: an empty folder for this task only."""

    setting: CaseSetting
    sandbox: Sandbox
    group: Group
    case: Case
    work: Path

    @property
    def check(self) -> OutputCheck:
        """The check of the output."""
        return self.setting.check

    @property
    def files(self) -> RunFiles:
        """The files of the run."""
        return files_in(self.work)


@dataclass(frozen=True, kw_only=True)
class CaseOutcome:
    """The outcome of one or all passes. run: None if nothing was run. ran: the program, at the path where it ran."""

    run: RunResult | None
    judgement: Judgement
    ran: Executable | None = None


def judge_error(error: JudgeError) -> Judgement:
    """Return the judgement for a judge program that failed."""
    return Judgement(verdict=Verdict.JUDGE_ERROR, reason=Reason.VALIDATOR, message=str(error))


def submission_limits(package: Package, time_limit_s: float | None = None) -> Limits:
    """Return the limits of a submission on one case. time_limit_s: instead of the package's own.

    Raises UsageError if neither states a time limit.
    """
    if time_limit_s is None:
        time_limit_s = package.limits.time_limit_s
    if time_limit_s is None:
        raise UsageError(f"{package.slug} has no time_limit in its problem.yaml: give --time-limit SECONDS")
    return Limits(
        cpu_s=time_limit_s,
        wall_s=wall_limit_s(time_limit_s),
        memory_bytes=package.limits.memory_mib * MIB,
        output_bytes=package.limits.output_mib * MIB,
        written_bytes=MOST_WRITTEN_BYTES if package.allow_file_writing else None,
    )


def run_passes(task: CaseTask, executable: Executable) -> CaseOutcome:
    """Run all passes and judge them. Raises JudgeError for an interactor that fails or asks for too many passes."""
    runs: list[RunResult] = []

    def run_pass(check: CaseCheck) -> tuple[CaseOutcome, Judgement]:
        outcome = _run_pass(task, executable, check)
        if outcome.run is not None:
            runs.append(outcome.run)
        return outcome, outcome.judgement

    with task.check.open(task.sandbox, task.case, task.work, directory=executable.directory) as first:
        check, outcome, judgement = first.over_passes(run_pass)
        _draw(task, executable, judgement, check)
    return replace(outcome, run=_combined(runs), judgement=judgement)


def _run_pass(task: CaseTask, executable: Executable, check: CaseCheck) -> CaseOutcome:
    """Run one pass in a fresh folder and judge its output."""
    limits = _limits_of(task, executable)
    boxes, writable = task.setting.host.boxes, task.setting.files_writable
    with boxes.box(executable, task.case.extra_files, task.sandbox, writable=writable) as box:
        command = box.command(limits.memory_bytes, task.case.settings.args)
        if task.check.interactive:
            player = Player(command=command, limits=limits, generous=_with_overtime(limits))
            game = check.interact(player, task.setting.tap)
            return CaseOutcome(run=game.run, judgement=game.judgement, ran=box.executable)
        stdout, stderr = task.files.stdout, task.files.stderr
        run = task.sandbox.run(command, _with_overtime(limits), stdin=check.input, stdout=stdout, stderr=stderr)
        run = box.counted(run, limits.output_bytes)
    if run.killed_for is KillReason.OUTPUT:
        return _run_without_output(task, executable, check.input, run)
    judgement = classify_run(run, limits) or _judge_output(task, check)
    return CaseOutcome(run=run, judgement=judgement, ran=box.executable)


def _judge_output(task: CaseTask, check: CaseCheck) -> Judgement:
    """Judge the output; a judge error is returned, not raised, to keep the facts of the run."""
    try:
        return check.judge(task.files.stdout)
    except JudgeError as error:
        return judge_error(error)


def _run_without_output(
    task: CaseTask, executable: Executable, input_file: Path, stopped: RunResult
) -> CaseOutcome:
    """Rerun a program with its output discarded: the verdict depends on whether it ends in time.

    Other judges discard excess output and let the program run, so endless printing is TLE there.
    """
    limits, nowhere = _limits_of(task, executable), Path(os.devnull)
    boxes, writable = task.setting.host.boxes, task.setting.files_writable
    with boxes.box(executable, task.case.extra_files, task.sandbox, writable=writable) as box:
        command = box.command(limits.memory_bytes, task.case.settings.args)
        run = task.sandbox.run(command, _with_overtime(limits), stdin=input_file, stdout=nowhere, stderr=nowhere)
    judgement = classify_run(run, limits)
    if judgement is not None and judgement.verdict in (Verdict.TIME_LIMIT_EXCEEDED, Verdict.SKIPPED):
        judgement = replace(judgement, message="it also wrote more than the output limit")
        counted = replace(run, output_bytes=stopped.output_bytes)
        return CaseOutcome(run=counted, judgement=judgement, ran=box.executable)
    run = replace(stopped, cpu_s=max(run.cpu_s, stopped.cpu_s), wall_s=max(run.wall_s, stopped.wall_s))
    judgement = Judgement(verdict=Verdict.OUTPUT_LIMIT_EXCEEDED, reason=Reason.OUTPUT)
    return CaseOutcome(run=run, judgement=judgement, ran=box.executable)


def _limits_of(task: CaseTask, executable: Executable) -> Limits:
    """Return the limits; without a PID namespace no child processes are allowed, since they could outlive the run."""
    fitted = executable.fit(task.setting.limits)
    if task.sandbox.isolation.tier in (Tier.FILTERED, Tier.LOCKED):
        return replace(fitted, may_fork=False)
    return fitted


@lru_cache(maxsize=16)
def _with_overtime(limits: Limits) -> Limits:
    return replace(limits, cpu_s=limits.cpu_s * OVERTIME + OVERTIME_FLOOR_S)


def _draw(task: CaseTask, executable: Executable, judgement: Judgement, check: CaseCheck) -> None:
    """Draw images of an interaction, or of an output that was judged, if the setting asks for them."""
    gallery, interactive = task.setting.gallery, task.check.interactive
    if gallery is None or not (interactive or judgement.verdict in (Verdict.ACCEPTED, Verdict.WRONG_ANSWER)):
        return
    output = Path(os.devnull) if interactive else task.files.stdout
    arguments = task.case.settings.output_visualizer_args
    if check.calls:
        gallery.draw(task.sandbox, check.calls[0], output, arguments)
        return
    if check.input != task.files.input:
        task.files.input.write_bytes(check.input.read_bytes())
    task.files.answer.write_bytes(task.case.read_answer())
    call = ValidatorCall(
        validator=gallery.visualizer,
        limits=task.check.limits,
        input=task.files.input,
        answer=task.files.answer,
        folder=task.work / "feedback",
        directory=executable.directory,
    )
    gallery.draw(task.sandbox, call, output, arguments)


def _combined(runs: Sequence[RunResult]) -> RunResult | None:
    """Return the facts of the last pass, with the largest time and memory of all passes; None if nothing was run."""
    if len(runs) < 2:
        return runs[0] if runs else None
    asleep_s = [run.asleep_s for run in runs if run.asleep_s is not None]
    return replace(
        runs[-1],
        cpu_s=max(run.cpu_s for run in runs),
        wall_s=max(run.wall_s for run in runs),
        asleep_s=max(asleep_s) if len(asleep_s) == len(runs) else None,
        starved_s=max(run.starved_s for run in runs),
        memory_bytes=max(run.memory_bytes for run in runs),
    )
