"""Build the programs of a search."""

from collections.abc import Sequence

from harness.build.compiler import BuildLimits
from harness.errors import MachineError
from harness.host.host import Host, judge_build_limits
from harness.host.run_many import Runnable, build_for_search
from harness.package import Program
from harness.search.target import SearchTarget, references_of
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class BuiltTarget:
    """The programs of a target."""

    submission: Runnable
    oracle: Runnable | None
    checker: Runnable | None
    validators: Sequence[Runnable]


def build(target: SearchTarget, host: Host) -> BuiltTarget:
    """Build the programs of a search. Raises UsageError if one does not compile, MachineError without a compiler."""
    package = target.package
    checkers = [package.output_validator] if package.output_validator is not None else []
    limits = judge_build_limits(package.limits)
    submissions = build_for_search(host, host.builder, [target.submission], limits, package.include)
    judging = build_for_search(host, host.judges, checkers, limits)
    return BuiltTarget(
        submission=submissions[0],
        oracle=_oracle(target, host, limits),
        checker=judging[0] if checkers else None,
        validators=_buildable(package.input_validators, host, limits),
    )


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


def _buildable(validators: Sequence[Program], host: Host, limits: BuildLimits) -> list[Runnable]:
    """Build the input validators, without those whose language this machine lacks."""
    built = []
    for validator in validators:
        try:
            built += build_for_search(host, host.judges, [validator], limits)
        except MachineError:
            continue
    return built
