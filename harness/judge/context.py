"""What judging any case of a package needs: limits, validators built, how outputs are compared."""

from dataclasses import dataclass, field

from harness.build import Executable
from harness.check import Comparison, FeedbackRules, judge_program_limits, parse_arguments
from harness.errors import UsageError
from harness.host.host import Host
from harness.judge.visualizers import Gallery
from harness.package import Package, ProblemType
from harness.sandbox.limits import MIB, MOST_WRITTEN_BYTES, Limits, wall_limit_s
from harness.sandbox.transcript import Tap


@dataclass(frozen=True, kw_only=True)
class OutputCheck:
    """How outputs are judged: by the package's validators, all of which must accept, or by the default one.

    comparisons: the default validator's, by a case's arguments. passes: how many there may be. static: the validator
    of submissions that are not run.
    """

    validators: tuple[Executable, ...]
    limits: Limits
    interactive: bool = False
    comparisons: dict[tuple[str, ...], Comparison]
    passes: int = 1
    static: Executable | None = None
    rules: FeedbackRules = field(default_factory=FeedbackRules)


@dataclass(frozen=True, kw_only=True)
class Setting:
    """Everything that judging a case needs, but the case. files_writable: submissions may write files.

    tap: records the games, when they are played to be shown. gallery: takes the images of the output visualizer then.
    """

    host: Host
    limits: Limits
    check: OutputCheck
    scoring: bool = False
    files_writable: bool = False
    tap: Tap | None = None
    gallery: Gallery | None = None


def submission_limits(package: Package, time_limit_s: float) -> Limits:
    """What a submission may use on one case."""
    return Limits(
        cpu_s=time_limit_s,
        wall_s=wall_limit_s(time_limit_s),
        memory_bytes=package.limits.memory_mib * MIB,
        output_bytes=package.limits.output_mib * MIB,
        written_bytes=MOST_WRITTEN_BYTES if package.allow_file_writing else None,
    )


def output_check_for(package: Package, host: Host) -> OutputCheck:
    """How this package's outputs are judged, its validators built.

    Raises JudgeError for one that does not compile, UsageError for what cannot be judged as it is asked for.
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
    """What the default output validator makes of each case's arguments."""
    found: dict[tuple[str, ...], Comparison] = {}
    for case in package.judged_cases():
        given = case.settings.output_validator_args
        try:
            found[given] = found.get(given) or parse_arguments(given)
        except UsageError as error:
            arguments = f"{package.validator_args_key} `{' '.join(given)}`"
            message = f"{case.name}: {arguments}: {error}; correct problem.yaml or the case's group"
            raise UsageError(f"{package.root}: {message}") from error
    return found


def _refuse_impossible(package: Package, *, one_only: bool) -> None:
    if one_only and len(package.output_validators) != 1:
        names = ", ".join(program.path for program in package.output_validators) or "none"
        message = "an interactive or multi-pass problem has one output validator"
        raise UsageError(f"{package.root}: {message}, this one has {names}")
