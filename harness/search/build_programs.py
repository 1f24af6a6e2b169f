"""Build the programs of a search, as many at once as there are workers."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from harness.build.compiler import BuildLimits
from harness.errors import MachineError, UsageError
from harness.host.host import Host, judge_build_limits
from harness.host.run_many import Runnable, build_one
from harness.package import Program
from harness.sandbox.facts import Sandbox
from harness.search.choose_references import references_of
from harness.search.policy import RUNNING
from harness.search.target import SearchTarget
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class BuiltTarget:
    """The compiled programs of a target. unbuilt_validators: why input validators could not be built."""

    submission: Runnable
    reference: Runnable | None
    checker: Runnable | None
    validators: Sequence[Runnable]
    unbuilt_validators: Sequence[str] = ()

    @property
    def can_have_checks(self) -> bool:
        """Return whether the submission is in C or C++, and compiled without run-time checks."""
        language = self.submission.executable.language
        return language.code in ("c", "cpp") and not any(flag.startswith("-fsanitize") for flag in language.flags)


def build(target: SearchTarget, host: Host) -> BuiltTarget:
    """Build the programs of a search.

    An input validator of the package that cannot be built is skipped; a validator that the user names must compile.
    Raises UsageError if any other program does not compile, MachineError without a compiler.
    """
    package, limits = target.package, judge_build_limits(target.package.limits)
    checkers = [package.output_validator] if package.output_validator is not None else []

    def submission(sandbox: Sandbox) -> Runnable:
        builder = host.builder.for_judges()  # linked statically it forks faster
        return build_one(builder, target.submission, limits, sandbox, package.include)

    def checker(sandbox: Sandbox, program: Program) -> Runnable:
        runnable = build_one(host.judges, program, limits, sandbox)
        host.adopt(runnable.executable)  # it confirms failures, too; headers of checkers compile for seconds
        return runnable

    tasks: list[Callable[[Sandbox], Runnable | str]] = [submission]
    if target.reference is not None:
        tasks.append(partial(_reference, target=target, host=host, limits=limits))
    tasks += [partial(checker, program=program) for program in checkers]
    validator = partial(_validator, host=host, limits=limits, is_own=bool(package.files))
    tasks += [partial(validator, program=program) for program in package.input_validators]
    outcomes = list(host.pool.in_order(lambda sandbox, task: task(sandbox), tasks))
    built = iter([outcome for outcome in outcomes if isinstance(outcome, Runnable)])
    return BuiltTarget(
        submission=next(built),
        reference=next(built) if target.reference is not None else None,
        checker=next(built) if checkers else None,
        validators=list(built),
        unbuilt_validators=[outcome for outcome in outcomes if isinstance(outcome, str)],
    )


def guarded(target: SearchTarget, built: BuiltTarget) -> SearchTarget:
    """Return the target; without its input validators if none of them was built."""
    if built.validators:
        return target
    return replace(target, package=replace(target.package, input_validators=()))


def build_slow_accepted(target: SearchTarget, host: Host) -> list[Runnable]:
    """Build the accepted programs of a package that are in the slowest languages, as far as that is possible here."""
    package, limits = target.package, judge_build_limits(target.package.limits)

    def build_if_possible(sandbox: Sandbox, program: Program) -> Runnable | None:
        with suppress(MachineError, UsageError):
            return build_one(host.judges, program, limits, sandbox, package.include)
        return None

    slow = references_of(package, target.submission)[-RUNNING.estimate_programs :]
    return [built for built in host.pool.in_order(build_if_possible, slow) if built is not None]


def _reference(sandbox: Sandbox, *, target: SearchTarget, host: Host, limits: BuildLimits) -> Runnable:
    """Build the reference, or the package's next accepted program if this machine lacks the language."""
    package, wanted = target.package, [target.reference] if target.reference is not None else []
    others = references_of(package, target.submission) if target.reference in package.submissions else []
    first_error: MachineError | None = None
    for program in {program.path: program for program in (*wanted, *others)}.values():
        try:
            return build_one(host.judges, program, limits, sandbox, package.include)
        except MachineError as error:
            first_error = first_error or error
    raise first_error or MachineError("no reference can be built here")


def _validator(
    sandbox: Sandbox, *, program: Program, host: Host, limits: BuildLimits, is_own: bool
) -> Runnable | str:
    """Build an input validator, or return why that fails. is_own: of the package; the user's own must compile."""
    try:
        return build_one(host.judges, program, limits, sandbox)
    except (MachineError, UsageError) as error:
        if isinstance(error, UsageError) and not is_own:
            raise
        first = str(error).strip().partition("\n")[0]
        return f"{first}: the inputs are not checked by it"
