"""What every part of a verification is given: the package, the host that runs its programs, the memory."""

from collections.abc import Callable

from harness.check import judge_program_limits
from harness.check.input_validators import InputValidators
from harness.host.host import Host
from harness.judge import Memory, NoMemory
from harness.package import Package, Program
from harness.package.constants import substitute, unknown_constant, unknown_constants
from harness.shapes import Shape, ShapeError, read_shape
from harness.values import dataclass
from harness.verify.findings import Findings

SHAPE = "generators/shape.txt"
Progress = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A package under verification.

    progress: called with a word on each step, in the calling thread. memory: of the runs of submissions.
    rounds: how often a submission that bounds the time limit is run, to see how its time varies.
    """

    package: Package
    host: Host
    progress: Progress = lambda _: None
    memory: Memory = NoMemory()
    rounds: int = 5


def input_validators(setting: Setting, findings: Findings | None = None) -> InputValidators:
    """Build the input validators that this machine has the tools for; `findings` gets a warning for each other one.

    Raises JudgeError for one that does not compile.
    """
    missing = {program.path: _missing_tools(setting, program) for program in setting.package.input_validators}
    if findings is not None:
        for path, explanation in missing.items():
            if explanation is not None:
                findings.warning(path, f"not run: {explanation}")
    programs = [program for program in setting.package.input_validators if missing[program.path] is None]
    limits = setting.package.limits
    return InputValidators(
        executables=setting.host.build_judge_programs(programs, limits),
        limits=judge_program_limits(limits),
        host=setting.host,
    )


def _missing_tools(setting: Setting, program: Program) -> str | None:
    """Say what the program's language lacks here; None if nothing, or if the program has its own build script."""
    language = setting.host.builder.language(program)
    if language is None or program.files.keys() & {"build", "run"}:
        return None
    toolchain = setting.host.builder.toolchain(language)
    return None if toolchain.available else toolchain.explanation


def declared_shape(package: Package) -> Shape | None:
    """Read the shape in generators/shape.txt, constants filled in; None if there is none. Raises ShapeError."""
    file = package.files.get(SHAPE)
    if file is None:
        return None
    text = file.read()
    try:
        return read_shape(substitute(text, package.constants, file.origin).decode("utf-8", errors="replace"))
    except ShapeError as error:
        unknown = next(unknown_constants(text, package.constants), None)
        if unknown is None:
            raise
        line, use = unknown
        raise ShapeError(f"line {line}: {unknown_constant(use, package.constants)}") from error


def shape_if_sound(package: Package) -> Shape | None:
    """Read the declared shape; None also for one that makes no sense, which the part `bounds` reports."""
    try:
        return declared_shape(package)
    except ShapeError:
        return None
