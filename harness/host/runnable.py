"""Builds programs that serve: each forks itself for every run, so that one process takes many inputs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from harness.build import Builder, BuildLimits, Built, CompileFailure, Executable, Unavailable
from harness.errors import MachineError, UsageError
from harness.host.batches import COMPILED_SERVER
from harness.host.host import Host
from harness.package import Program
from harness.package.files import File, Files
from harness.sandbox import Sandbox, Tier
from harness.values import dataclass

_NAMES = {"cpp": "harness_fork_server.cpp", "c": "harness_fork_server.c"}
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
