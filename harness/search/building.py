"""Builds what a search runs: the submission, what is right, the judge programs."""

from collections.abc import Sequence
from dataclasses import dataclass

from harness.build import BuildLimits
from harness.errors import MachineError
from harness.host.host import Host, judge_build_limits
from harness.package import Program
from harness.search.linked_programs import Runnable, build_for_search
from harness.search.target import Target, references_of


@dataclass(frozen=True, kw_only=True)
class Built:
    """The programs of a target."""

    submission: Runnable
    oracle: Runnable | None
    checker: Runnable | None
    validators: Sequence[Runnable]


def build(target: Target, host: Host) -> Built:
    """Build what the search runs. Raises UsageError where one does not compile, MachineError without a compiler."""
    package = target.package
    checkers = [package.output_validator] if package.output_validator is not None else []
    limits = judge_build_limits(package.limits)
    submissions = build_for_search(host, host.builder, [target.submission], limits, package.include)
    judging = build_for_search(host, host.judges, checkers, limits)
    return Built(
        submission=submissions[0],
        oracle=_oracle(target, host, limits),
        checker=judging[0] if checkers else None,
        validators=_buildable(package.input_validators, host, limits),
    )


def _oracle(target: Target, host: Host, limits: BuildLimits) -> Runnable | None:
    """What is right; of the package's own programs the next one, where this machine lacks a language."""
    package, wanted = target.package, target.oracle
    if wanted is None:
        return None
    others = references_of(package, target.submission) if wanted in package.submissions else []
    lacking: MachineError | None = None
    for program in [wanted, *(one for one in others if one.path != wanted.path)]:
        try:
            return build_for_search(host, host.judges, [program], limits, package.include)[0]
        except MachineError as error:
            lacking = lacking or error
    raise lacking or MachineError(f"{wanted.path}: cannot be built here")


def _buildable(validators: Sequence[Program], host: Host, limits: BuildLimits) -> list[Runnable]:
    """The input validators that this machine can build; one in a language that it lacks is passed over."""
    found = []
    for validator in validators:
        try:
            found += build_for_search(host, host.judges, [validator], limits)
        except MachineError:
            continue
    return found
