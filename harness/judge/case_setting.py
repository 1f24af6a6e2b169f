"""What judging a case of a package needs: limits, built validators, comparisons, the files of one run."""

from dataclasses import field
from functools import lru_cache
from pathlib import Path

from harness.build import Executable
from harness.check import Comparison, FeedbackRules, Judgement, judge_program_limits, parse_arguments
from harness.errors import JudgeError, UsageError
from harness.host.host import Host
from harness.judge.visualizers import Gallery
from harness.package import Case, Group, Package, ProblemType
from harness.results.verdict import Reason, Verdict
from harness.sandbox import RunResult, Sandbox
from harness.sandbox.limits import MIB, MOST_WRITTEN_BYTES, Limits, wall_limit_s
from harness.sandbox.transcript import Tap
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class OutputCheck:
    """How outputs are judged: by the package's validators, all of which must accept, or by the default validator.

    comparisons: those of the default validator, by the arguments of a case. passes: the most that are allowed.
    static: the validator of submissions that are not run.
    """

    validators: tuple[Executable, ...]
    limits: Limits
    interactive: bool = False
    comparisons: dict[tuple[str, ...], Comparison]
    passes: int = 1
    static: Executable | None = None
    rules: FeedbackRules = field(default_factory=FeedbackRules)


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
class CaseFiles:
    """The paths of a run's files in the folder of a worker."""

    stdout: Path
    stderr: Path
    input: Path
    answer: Path


@lru_cache(maxsize=256)  # building paths was the largest cost outside the runs themselves
def _files_in(work: Path) -> CaseFiles:
    return CaseFiles(
        stdout=work / "stdout",
        stderr=work / "stderr",
        input=work / "case.in",
        answer=work / "case.ans",
    )


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
    def files(self) -> CaseFiles:
        """The files of the run."""
        return _files_in(self.work)


@dataclass(frozen=True, kw_only=True)
class CaseOutcome:
    """The outcome of one pass or of all passes. run: None if nothing was run. ran: the program, where it lay then."""

    run: RunResult | None
    judgement: Judgement
    ran: Executable | None = None


def judge_error(error: JudgeError) -> Judgement:
    """Return the judgement for a judge program that failed."""
    return Judgement(verdict=Verdict.JUDGE_ERROR, reason=Reason.VALIDATOR, message=str(error))


def submission_limits(package: Package, time_limit_s: float) -> Limits:
    """Return what a submission may use on one case."""
    return Limits(
        cpu_s=time_limit_s,
        wall_s=wall_limit_s(time_limit_s),
        memory_bytes=package.limits.memory_mib * MIB,
        output_bytes=package.limits.output_mib * MIB,
        written_bytes=MOST_WRITTEN_BYTES if package.allow_file_writing else None,
    )


def output_check_for(package: Package, host: Host) -> OutputCheck:
    """Build the validators of a package; return how its outputs are judged.

    Raises JudgeError for a validator that does not compile, UsageError for a package that cannot be judged.
    """
    interactive = ProblemType.INTERACTIVE in package.types
    multi_pass = ProblemType.MULTI_PASS in package.types
    _refuse_impossible(package, one_only=interactive or multi_pass)
    static = (package.static_validator,) if package.static_validator is not None else ()
    built = host.build_judge_programs((*package.output_validators, *static), package.limits)
    validators = tuple(built[: len(package.output_validators)])
    limits = judge_program_limits(package.limits)
    return OutputCheck(
        validators=validators,
        limits=limits,
        interactive=interactive,
        comparisons={} if validators else _comparisons(package),
        passes=package.limits.validation_passes if multi_pass else 1,
        static=built[-1] if static else None,
        rules=FeedbackRules(
            multi_pass=multi_pass,
            score_on_reject=package.secret.grading is not None,
            most_input_bytes=limits.output_bytes,
        ),
    )


def _comparisons(package: Package) -> dict[tuple[str, ...], Comparison]:
    """Read each case's arguments as the default output validator does."""
    comparisons: dict[tuple[str, ...], Comparison] = {}
    for case in package.judged_cases():
        given = case.settings.output_validator_args
        try:
            comparisons[given] = comparisons.get(given) or parse_arguments(given)
        except UsageError as error:
            arguments = f"{package.validator_args_key} `{' '.join(given)}`"
            message = f"{case.name}: {arguments}: {error}; correct problem.yaml or the case's group"
            raise UsageError(f"{package.root}: {message}") from error
    return comparisons


def _refuse_impossible(package: Package, *, one_only: bool) -> None:
    if one_only and len(package.output_validators) != 1:
        names = ", ".join(program.path for program in package.output_validators) or "none"
        message = "an interactive or multi-pass problem has one output validator"
        raise UsageError(f"{package.root}: {message}, this one has {names}")
