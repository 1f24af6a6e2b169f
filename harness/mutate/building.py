"""Build a solution and all of its mutants as one program; HARNESS_MUTANT selects the mutant at run time."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from harness.build import BuildLimits, Built, CompileFailure, Executable
from harness.errors import MachineError
from harness.host.host import Host
from harness.mutate import cpp, python
from harness.mutate.mutants import Mutant, MutationError
from harness.mutate.schema import failing_mutants, schema_of
from harness.package import Program
from harness.package.files import File, Files
from harness.sandbox.limits import MIB
from harness.values import dataclass

CHOICE, BATCH = "HARNESS_MUTANT", "HARNESS_BATCH"
CPP_SUFFIXES = (".cpp", ".cc", ".cxx")
_PROGRAMS = Path(__file__).parent / "programs"
_LIMITS = BuildLimits(time_s=300, memory_bytes=3072 * MIB)
_ROUNDS = 12
_NOTHING: Mapping[str, Files] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True)
class Schemata:
    """A built solution with its mutants. unbuilt: mutants that do not compile."""

    program: Program
    source: bytes
    executable: Executable
    mutants: tuple[Mutant, ...]
    unbuilt: tuple[Mutant, ...] = ()

    def as_mutant(self, number: int) -> Executable:
        """Return the program that runs as mutant `number`; 0: the original."""
        return _with_environment(self.executable, {CHOICE: str(number)})

    def as_batch(self) -> Executable:
        """Return the program that compares mutants on many inputs (programs/batch.cpp, programs/loader.py)."""
        return _with_environment(self.executable, {BATCH: "1"})


def can_mutate(program: Program) -> bool:
    """Whether a program is one file in C++ or Python 3."""
    [*names] = program.files
    suffix = PurePosixPath(names[0]).suffix if len(names) == 1 else ""
    return suffix in CPP_SUFFIXES or (suffix == ".py" and python.can_read(program.files[names[0]].read()))


def build_schemata(
    program: Program, host: Host, include: Mapping[str, Files] = _NOTHING, unbuilt: Collection[int] = ()
) -> Schemata:
    """Make the mutants of a solution and build them.

    include: files that the package gives each submission. unbuilt: numbers of mutants that are known not to compile.
    Raises MutationError when the solution does not build.
    """
    if not can_mutate(program):
        raise MutationError(f"{program.path}: only a solution of one file in C++ or Python 3 can be mutated")
    [(name, file)] = program.files.items()
    builder = _SchemataBuilder(program=program, source=file.read(), host=host, include=include, unbuilt=unbuilt)
    return builder.python() if name.endswith(".py") else builder.cpp()


def _with_environment(executable: Executable, added: Mapping[str, str]) -> Executable:
    language = executable.language
    return replace(
        executable,
        language=replace(language, environment={**language.environment, **added}),
    )


def _python_files(source: bytes, mutants: Sequence[Mutant]) -> dict[str, bytes]:
    edits = {mutant.number: (mutant.edit.start, mutant.edit.end, mutant.edit.text) for mutant in mutants}
    loader = (_PROGRAMS / "loader.py").read_bytes()
    return {"main.py": loader, "original.txt": source, "edits.json": json.dumps(edits).encode()}


@dataclass(frozen=True, kw_only=True)
class _SchemataBuilder:
    program: Program
    source: bytes
    host: Host
    include: Mapping[str, Files]
    unbuilt: Collection[int]

    def python(self) -> Schemata:
        mutants = python.mutants_of(self.source)
        executable = _executable(self.program, self._build(_python_files(self.source, mutants)))
        return Schemata(program=self.program, source=self.source, executable=executable, mutants=mutants)

    def cpp(self) -> Schemata:
        every = cpp.mutants_of(self.source)
        kept, built = self._without_failing([mutant for mutant in every if mutant.number not in self.unbuilt])
        if isinstance(built, CompileFailure):
            kept = self._bisected(kept)
            built = self._build_cpp(kept)
        return Schemata(
            program=self.program,
            source=self.source,
            executable=_executable(self.program, built),
            mutants=tuple(kept),
            unbuilt=tuple(mutant for mutant in every if mutant not in kept),
        )

    def _without_failing(self, mutants: Sequence[Mutant]) -> tuple[list[Mutant], Built]:
        """Leave out the mutants that compiler errors name, until it compiles or no error names a mutant."""
        kept = list(mutants)
        for _ in range(_ROUNDS):
            built = self._build_cpp(kept)
            if not isinstance(built, CompileFailure):
                break
            failing = failing_mutants(schema_of(self.source, kept), built.diagnostics)
            if not failing:
                break
            kept = [mutant for mutant in kept if mutant.number not in failing]
        return kept, built

    def _bisected(self, mutants: Sequence[Mutant]) -> list[Mutant]:
        """Return the mutants that compile, by halving."""
        if isinstance(self._build_cpp(mutants), Executable):
            return list(mutants)
        if len(mutants) <= 1:
            return []
        middle = len(mutants) // 2
        return [*self._bisected(mutants[:middle]), *self._bisected(mutants[middle:])]

    def _build_cpp(self, mutants: Sequence[Mutant]) -> Built:
        driver = (_PROGRAMS / "batch.cpp").read_bytes()
        return self._build({"program.cpp": schema_of(self.source, mutants).encode(), "batch.cpp": driver})

    def _build(self, contents: Mapping[str, bytes]) -> Built:
        files = {name: File(origin=self.program.origin, content=content) for name, content in contents.items()}
        [built] = self.host.build_all([Program(path=self.program.path, files=files)], _LIMITS, self.include)
        return built


def _executable(program: Program, built: Built) -> Executable:
    if isinstance(built, Executable):
        return built
    if isinstance(built, CompileFailure):
        raise MutationError(f"{program.origin}: does not build\n{built.diagnostics[:2000]}")
    raise MachineError(f"{program.origin}: {built.message}")
