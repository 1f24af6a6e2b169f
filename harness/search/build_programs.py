"""Build the programs of a search; compiled ones with the batch server, so that one process serves many runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from harness.build import Builder, BuildLimits, Built, CompileFailure, Executable, Unavailable
from harness.errors import MachineError, UsageError
from harness.host.batches import COMPILED_SERVER
from harness.host.host import Host, judge_build_limits
from harness.package import Program
from harness.package.files import File, Files
from harness.sandbox import Sandbox, Tier
from harness.search.target import SearchTarget, references_of

_NAMES = {"cpp": "harness_batch_server.cpp", "c": "harness_batch_server.c"}
_NOTHING: Mapping[str, Files] = MappingProxyType({})
_SCRIPTS = {"build", "run"}
_FLAGS = ("-Wl,--wrap=main",)
_SERVING = dict.fromkeys(_NAMES, _FLAGS)
_COUNTING = dict.fromkeys(_NAMES, (*_FLAGS, "-fsanitize-coverage=trace-pc", "-DHARNESS_COUNTS_STEPS"))
# Where nothing but the sandbox's own rules ends what a program leaves behind, it may not fork: then no server.
_FORKING = (Tier.PLAIN, Tier.NAMESPACED)


@dataclass(frozen=True, kw_only=True)
class Runnable:
    """A built program. serves: it can fork itself for each run of a batch."""

    executable: Executable
    serves: bool


def build_for_search(
    host: Host,
    builder: Builder,
    programs: Sequence[Program],
    limits: BuildLimits,
    include: Mapping[str, Files] = _NOTHING,
) -> list[Runnable]:
    """Build in parallel. Raises UsageError where a program does not compile, MachineError without a compiler.

    include: files that the package gives each submission.
    """

    def build(sandbox: Sandbox, program: Program) -> Runnable:
        return build_one(builder, program, limits, sandbox, include)

    return list(host.pool.in_order(build, programs))


def build_one(
    builder: Builder,
    program: Program,
    limits: BuildLimits,
    sandbox: Sandbox,
    include: Mapping[str, Files] = _NOTHING,
) -> Runnable:
    """A program with the server linked in where that goes, else plain; errors as of `build_for_search`."""
    linked = _linked(builder.with_flags(_SERVING), program, limits, sandbox, include)
    if linked is not None:
        return linked
    executable = _executable(program, builder.build(program, limits, sandbox, include))
    is_python = executable.language.code == "python3" and executable.argv[-1].endswith(".py")
    return Runnable(executable=executable, serves=_may_serve(sandbox) and is_python)


def build_counting(
    builder: Builder,
    program: Program,
    limits: BuildLimits,
    sandbox: Sandbox,
    include: Mapping[str, Files] = _NOTHING,
) -> Runnable | None:
    """A program of which each run counts the basic blocks that it enters (`Ran.steps`); None where that does not go."""
    return _linked(builder.with_flags(_COUNTING), program, limits, sandbox, include)


def _linked(
    builder: Builder, program: Program, limits: BuildLimits, sandbox: Sandbox, include: Mapping[str, Files]
) -> Runnable | None:
    """The program with the server; None where that does not go."""
    language = builder.language(program)
    if (
        not _may_serve(sandbox)
        or _SCRIPTS & program.files.keys()
        or language is None
        or language.code not in _NAMES
    ):
        return None
    built = builder.build(_with_server(program, language.code), limits, sandbox, include)
    if not isinstance(built, Executable):
        return None
    return Runnable(executable=replace(built, program=program), serves=True)


def _may_serve(sandbox: Sandbox) -> bool:
    return sandbox.isolation.tier in _FORKING


def _with_server(program: Program, code: str) -> Program:
    server = File(origin=COMPILED_SERVER, content=COMPILED_SERVER.read_bytes())
    return replace(program, files={**program.files, _NAMES[code]: server})


def _executable(program: Program, outcome: Built) -> Executable:
    match outcome:
        case Executable():
            return outcome
        case CompileFailure(diagnostics=diagnostics):
            raise UsageError(f"{program.origin}: does not compile\n{diagnostics}")
        case Unavailable(message=message):
            raise MachineError(f"{program.origin}: {message}")


@dataclass(frozen=True, kw_only=True)
class BuiltTarget:
    """The programs of a target."""

    submission: Runnable
    oracle: Runnable | None
    checker: Runnable | None
    validators: Sequence[Runnable]


def build(target: SearchTarget, host: Host) -> BuiltTarget:
    """Build the programs of a search. Raises UsageError where one does not compile, MachineError without a compiler."""
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
    """The reference; the package's next accepted program where this machine lacks the language."""
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
    """The input validators, without those in languages that this machine lacks."""
    built = []
    for validator in validators:
        try:
            built += build_for_search(host, host.judges, [validator], limits)
        except MachineError:
            continue
    return built
