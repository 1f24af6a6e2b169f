"""Builds a solution together with all of its mutants, once; which of them it is, a run learns from HARNESS_MUTANT."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from harness.build import BuildLimits, Built, CompileFailure, Executable
from harness.errors import MachineError
from harness.host.host import Host
from harness.mutate import cpp, python
from harness.mutate.errors import MutationError
from harness.mutate.model import Mutant
from harness.mutate.schema import complaints, schema_of
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
    """A built solution with its mutants. unbuilt: those that do not compile."""

    program: Program
    source: bytes
    executable: Executable
    mutants: tuple[Mutant, ...]
    unbuilt: tuple[Mutant, ...] = ()

    def as_mutant(self, number: int) -> Executable:
        """The program that is mutant `number`; 0: the original."""
        return _with_environment(self.executable, {CHOICE: str(number)})

    def as_batch(self) -> Executable:
        """The program that compares mutants on many inputs."""
        return _with_environment(self.executable, {BATCH: "1"})


def can_mutate(program: Program) -> bool:
    """Whether a program is one file of a language that we mutate: C++ or Python 3."""
    [*names] = program.files
    suffix = PurePosixPath(names[0]).suffix if len(names) == 1 else ""
    return suffix in CPP_SUFFIXES or (suffix == ".py" and python.can_read(program.files[names[0]].read()))


def build_schemata(program: Program, host: Host, include: Mapping[str, Files] = _NOTHING) -> Schemata:
    """Find the mutants of a solution and build them. Raises MutationError when the solution itself does not build.

    include: files that the package gives each submission.
    """
    if not can_mutate(program):
        raise MutationError(f"{program.path}: only a solution of one file in C++ or Python 3 can be mutated")
    [(name, file)] = program.files.items()
    workshop = _Workshop(program=program, source=file.read(), host=host, include=include)
    return workshop.python() if name.endswith(".py") else workshop.cpp()


def _with_environment(executable: Executable, added: Mapping[str, str]) -> Executable:
    language = executable.language
    return replace(
        executable,
        language=replace(language, environment={**language.environment, **added}),
    )


def _python_files(source: bytes, mutants: Sequence[Mutant]) -> dict[str, bytes]:
    edits = {one.number: (one.edit.start, one.edit.end, one.edit.text) for one in mutants}
    loader = (_PROGRAMS / "loader.py").read_bytes()
    return {"main.py": loader, "original.txt": source, "edits.json": json.dumps(edits).encode()}


@dataclass(frozen=True, kw_only=True)
class _Workshop:
    """Builds one solution again and again."""

    program: Program
    source: bytes
    host: Host
    include: Mapping[str, Files]

    def python(self) -> Schemata:
        mutants = python.mutants_of(self.source)
        executable = _executable(self.program, self._build(_python_files(self.source, mutants)))
        return Schemata(program=self.program, source=self.source, executable=executable, mutants=mutants)

    def cpp(self) -> Schemata:
        every = cpp.mutants_of(self.source)
        wanted, outcome = self._without_complaints(every)
        if isinstance(outcome, CompileFailure):
            wanted = self._bisected(wanted)
            outcome = self._build_some(wanted)
        return Schemata(
            program=self.program,
            source=self.source,
            executable=_executable(self.program, outcome),
            mutants=tuple(wanted),
            unbuilt=tuple(one for one in every if one not in wanted),
        )

    def _without_complaints(self, mutants: Sequence[Mutant]) -> tuple[list[Mutant], Built]:
        """Leave out what the compiler names, until it is content or names none of ours."""
        wanted = list(mutants)
        for _ in range(_ROUNDS):
            outcome = self._build_some(wanted)
            if not isinstance(outcome, CompileFailure):
                return wanted, outcome
            bad = complaints(schema_of(self.source, wanted), outcome.diagnostics)
            if not bad:
                return wanted, outcome
            wanted = [one for one in wanted if one.number not in bad]
        return wanted, outcome

    def _bisected(self, mutants: Sequence[Mutant]) -> list[Mutant]:
        """Those that compile, found by halves."""
        if isinstance(self._build_some(mutants), Executable):
            return list(mutants)
        if len(mutants) <= 1:
            return []
        middle = len(mutants) // 2
        return [*self._bisected(mutants[:middle]), *self._bisected(mutants[middle:])]

    def _build_some(self, mutants: Sequence[Mutant]) -> Built:
        driver = (_PROGRAMS / "batch.cpp").read_bytes()
        return self._build({"program.cpp": schema_of(self.source, mutants).encode(), "batch.cpp": driver})

    def _build(self, files: Mapping[str, bytes]) -> Built:
        made = {name: File(origin=self.program.origin, content=content) for name, content in files.items()}
        [outcome] = self.host.build_all([Program(path=self.program.path, files=made)], _LIMITS, self.include)
        return outcome


def _executable(program: Program, outcome: Built) -> Executable:
    if isinstance(outcome, Executable):
        return outcome
    if isinstance(outcome, CompileFailure):
        raise MutationError(f"{program.origin}: does not build\n{outcome.diagnostics[:2000]}")
    raise MachineError(f"{program.origin}: {outcome.message}")
