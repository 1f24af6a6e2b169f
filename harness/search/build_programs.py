"""Build the programs of a search."""

from collections.abc import Sequence
from dataclasses import replace

from harness.build.compiler import BuildLimits
from harness.errors import MachineError, UsageError
from harness.host.host import Host, judge_build_limits
from harness.host.run_many import Runnable, build_for_search
from harness.package import Program
from harness.search.target import SearchTarget, references_of
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class BuiltTarget:
    """The programs of a target. passed_over: why input validators of the package do not guard the search."""

    submission: Runnable
    oracle: Runnable | None
    checker: Runnable | None
    validators: Sequence[Runnable]
    passed_over: Sequence[str] = ()


def build(target: SearchTarget, host: Host) -> BuiltTarget:
    """Build the programs of a search.

    An input validator of the package that cannot be built is passed over; one that the user names must compile.
    Raises UsageError if a program does not compile, MachineError without a compiler.
    """
    package = target.package
    checkers = [package.output_validator] if package.output_validator is not None else []
    limits = judge_build_limits(package.limits)
    submissions = build_for_search(host, host.builder, [target.submission], limits, package.include)
    judging = build_for_search(host, host.judges, checkers, limits)
    validators, passed_over = _buildable(package.input_validators, host, limits, are_own=bool(package.files))
    return BuiltTarget(
        submission=submissions[0],
        oracle=_oracle(target, host, limits),
        checker=judging[0] if checkers else None,
        validators=validators,
        passed_over=passed_over,
    )


def guarded(target: SearchTarget, built: BuiltTarget) -> SearchTarget:
    """Return the target, without input validators if none was built: nothing tells then which inputs are valid."""
    if built.validators:
        return target
    return replace(target, package=replace(target.package, input_validators=()))


def _oracle(target: SearchTarget, host: Host, limits: BuildLimits) -> Runnable | None:
    """Build the reference, or the package's next accepted program if this machine lacks the language."""
    package, wanted = target.package, target.oracle
    if wanted is None:
        return None
    others = references_of(package, target.submission) if wanted in package.submissions else []
    lacking: MachineError | None = None
    for program in [wanted, *(other for other in others if other.path != wanted.path)]:
        try:
            return build_for_search(host, host.judges, [program], limits, package.include)[0]
        except MachineError as error:
            lacking = lacking or error
    raise lacking or MachineError(f"{wanted.path}: cannot be built here")


def _buildable(
    validators: Sequence[Program], host: Host, limits: BuildLimits, *, are_own: bool
) -> tuple[list[Runnable], list[str]]:
    """Build the input validators; return those that can be built, and why others cannot.

    are_own: they belong to the package, so one may be broken.
    """
    built, failures = [], []
    for validator in validators:
        try:
            built += build_for_search(host, host.judges, [validator], limits)
        except (MachineError, UsageError) as error:
            if isinstance(error, UsageError) and not are_own:
                raise
            first = str(error).strip().partition("\n")[0]
            failures.append(f"{first}: the inputs are not checked by it")
    return built, failures
