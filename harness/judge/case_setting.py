"""What judging a case of a package needs: limits, the output check, the files of one run."""

from pathlib import Path

from harness.build import Executable
from harness.check import Judgement
from harness.check.output_check import OutputCheck, RunFiles, files_in
from harness.errors import JudgeError, UsageError
from harness.host.host import Host
from harness.judge.visualizers import Gallery
from harness.package import Case, Group, Package
from harness.results.verdict import Reason, Verdict
from harness.sandbox import RunResult, Sandbox
from harness.sandbox.limits import MIB, MOST_WRITTEN_BYTES, Limits, wall_limit_s
from harness.sandbox.transcript import Tap
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class CaseSetting:
    """What is the same for every case of a judging.

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
    """One case that a submission is judged on. work: an empty folder, for this task alone."""

    setting: CaseSetting
    sandbox: Sandbox
    group: Group
    case: Case
    work: Path

    @property
    def check(self) -> OutputCheck:
        """How the output is judged."""
        return self.setting.check

    @property
    def files(self) -> RunFiles:
        """The files of the run."""
        return files_in(self.work)


@dataclass(frozen=True, kw_only=True)
class CaseOutcome:
    """The outcome of one pass or of all passes. run: None if nothing was run. ran: the program, where it lay then."""

    run: RunResult | None
    judgement: Judgement
    ran: Executable | None = None


def judge_error(error: JudgeError) -> Judgement:
    """Return the judgement for a judge program that failed."""
    return Judgement(verdict=Verdict.JUDGE_ERROR, reason=Reason.VALIDATOR, message=str(error))


def submission_limits(package: Package, time_limit_s: float | None = None) -> Limits:
    """Return what a submission may use on one case. time_limit_s: instead of the package's own.

    Raises UsageError where neither states a time limit.
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
