"""Builds a package's test data from its recipe: in parallel, incrementally, every input validated, all of it locked.

Stages: group files, inputs (generator or text), validation and answers (the recipe's solution), the lock. What each
file was made from is kept in the build record, so that a second build only hashes.
"""

import hashlib
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from harness import atomic
from harness.build import Executable
from harness.errors import Fault, JudgeError, PackageError
from harness.generate.lock import LOCK, Drift, compare, digest_of, read_lock, write_lock
from harness.generate.recipe import Invocation, PlannedCase, Recipe, read_recipe
from harness.generate.record import RECORD, Record, digest_of_parts
from harness.host import Host
from harness.limits import MIB, Limits
from harness.package import Case, Package, Program, load
from harness.package.constants import substituted
from harness.package.files import below
from harness.package.workspace import RECIPE
from harness.sandbox import Sandbox
from harness.validate import InputValidators

GENERATOR_TIME_S = 60.0
SOLUTION_TIME_S = 120.0
INPUT_BYTES = 1024 * MIB

Progress = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class DataReport:
    """What a build did. cases: how many there are; made: how many files had to be made anew."""

    cases: int
    made: int
    bytes: int
    drift: Drift
    locked: bool
    removed: tuple[str, ...] = ()


def needs_building(package: Package) -> bool:
    """Whether a package's secret data is ours to build: it has a recipe, and a lock or no complete data."""
    cases = tuple(package.secret.all_cases())
    complete = bool(cases) and all(case.answer is not None for case in cases)
    return RECIPE in package.files and (LOCK in package.files or not complete)


def build_data(root: Path, host: Host, *, relock: bool = False, progress: Progress = lambda _: None) -> DataReport:
    """Bring data/ of the package at `root` up to date with its recipe.

    Raises PackageError for a broken recipe or an input that a validator refuses, JudgeError for a generator,
    validator or solution that fails. Never changes the lock unless there is none or `relock` is set.
    """
    package = load(root, built=False)
    recipe = read_recipe(package.files, package.constants)
    if recipe is None:
        raise PackageError([Fault(path=root / RECIPE, message="not found: there is nothing to build data from")])
    build = _DataBuild(package=package, recipe=recipe, host=host, progress=progress)
    try:
        build.run()
    finally:
        build.record.write(build.data / RECORD)
    return build.report(relock=relock)


@dataclass(frozen=True, kw_only=True)
class _Call:
    """One run of a generator or of the solution."""

    program: Program
    stdin: Path
    arguments: tuple[str, ...] = ()
    time_s: float = GENERATOR_TIME_S


@dataclass(kw_only=True)
class _DataBuild:
    package: Package
    recipe: Recipe
    host: Host
    progress: Progress
    removed: list[str] = field(default_factory=list)
    _built: dict[str, Executable] = field(default_factory=dict)
    _building: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.data = self.package.root / "data"
        self.record = Record.read(self.data / RECORD)

    def run(self) -> None:
        """All stages, in order."""
        self._write_group_files()
        self._each(self._make_input, self.recipe.cases)
        self._remove_stale()
        self.package = load(self.package.root, built=False)
        settings = {case.name: case for case in self.package.judged_cases()}
        planned = {case.name: case for case in self.recipe.cases}
        self._validate(settings.values())
        self._each(self._make_answer, [planned[name] for name in settings if name in planned])

    def report(self, *, relock: bool) -> DataReport:
        """Hold the outcome against the lock, which is written when there is none."""
        names = self._file_names()
        built = {name: digest for name in names if (digest := digest_of(self.data / name)) is not None}
        lock_path = self.package.root / LOCK
        locked = read_lock(lock_path)
        writes = relock or locked is None
        if writes:
            write_lock(lock_path, built)
        return DataReport(
            cases=len(self.recipe.cases),
            made=self.record.fresh,
            bytes=sum((self.data / name).stat().st_size for name in built),
            drift=Drift() if writes else compare(built, locked or {}),
            locked=writes,
            removed=tuple(self.removed),
        )

    def _each(self, work: Callable[[Sandbox, PlannedCase], None], cases: Iterable[PlannedCase]) -> None:
        for case, _ in self.host.pool.each(work, cases):
            self.progress(case.name)

    def _file_names(self) -> list[str]:
        extensions = {case.name: {".in", ".ans", *case.texts} for case in self.recipe.cases}
        cases = [name + extension for name, ends in extensions.items() for extension in sorted(ends)]
        return [*self.recipe.group_files, *cases]

    def _write_group_files(self) -> None:
        for name, content in self.recipe.group_files.items():
            self._write(name, content)

    def _write(self, name: str, content: bytes) -> None:
        key, path = hashlib.sha256(content).hexdigest(), self.data / name
        if digest_of(path) != key:
            atomic.write(path, content)
            self.record.note(name, key, path)

    def _make_input(self, sandbox: Sandbox, case: PlannedCase) -> None:
        for extension, content in case.texts.items():
            self._write(case.name + extension, content)
        if case.invocation is None or ".in" in case.texts:
            return
        program = self._generator(case.invocation)
        key = digest_of_parts(program, *case.invocation.arguments)
        call = _Call(program=program, arguments=case.invocation.arguments, stdin=Path("/dev/null"))
        self._make(sandbox, f"{case.name}.in", key, call)

    def _make_answer(self, sandbox: Sandbox, case: PlannedCase) -> None:
        if ".ans" in case.texts:
            return
        if case.solution is None:
            message = f"{case.name} has no answer: give the recipe a `solution`, or the case an `ans`"
            raise PackageError([Fault(path=self._recipe_origin(), message=message)])
        program = self._solution(case.solution)
        input_path = self.data / f"{case.name}.in"
        key = digest_of_parts(program, digest_of(input_path) or "")
        self._make(
            sandbox, f"{case.name}.ans", key, _Call(program=program, stdin=input_path, time_s=SOLUTION_TIME_S)
        )

    def _make(self, sandbox: Sandbox, name: str, key: str, call: _Call) -> None:
        path = self.data / name
        if self.record.made.get(name) == [key, digest_of(path)]:
            return
        with self.host.work_folder(sandbox) as work:
            self._run(sandbox, call, name, work)
            atomic.copy(work / "stdout", path)
        self.record.note(name, key, path)

    def _run(self, sandbox: Sandbox, call: _Call, name: str, work: Path) -> None:
        executable = self._executable(sandbox, call.program)
        memory_bytes = max(self.package.limits.memory_mib, 1024) * MIB
        limits = Limits(
            cpu_s=call.time_s, wall_s=2 * call.time_s, memory_bytes=memory_bytes, output_bytes=INPUT_BYTES
        )
        stdout, stderr = work / "stdout", work / "stderr"
        command = executable.command(memory_bytes, *call.arguments)
        result = sandbox.run(command, executable.fit(limits), stdin=call.stdin, stdout=stdout, stderr=stderr)
        if result.exit_code != 0 or result.killed_for is not None:
            words = " ".join((call.program.path, *call.arguments))
            ended = result.killed_for or f"exit code {result.exit_code}, signal {result.signal}"
            said = stderr.read_bytes()[:2000].decode(errors="replace")
            raise JudgeError(f"{call.program.origin}: `{words}` failed for {name}: {ended}\n{said}".strip())

    def _executable(self, sandbox: Sandbox, program: Program) -> Executable:
        with self._building:
            if program.path not in self._built:
                limits = self.package.limits
                self._built[program.path] = self.host.build_judge_program(program, limits, sandbox)
            return self._built[program.path]

    def _generator(self, invocation: Invocation) -> Program:
        return generator_program(self.package, self.recipe, invocation.generator)

    def _solution(self, path: str) -> Program:
        name = path.lstrip("/")
        files = self.package.files
        chosen = {name.rpartition("/")[2]: files[name]} if name in files else below(files, name)
        if not chosen:
            raise PackageError(
                [Fault(path=self._recipe_origin(), message=f"the solution {path} is not in the package")]
            )
        constants = self.package.constants
        return Program(path=name, files={part: substituted(file, constants) for part, file in chosen.items()})

    def _recipe_origin(self) -> Path:
        return self.package.files[RECIPE].origin

    def _validate(self, cases: Iterable[Case]) -> None:
        digest = digest_of_parts(*self.package.input_validators)
        keys = {case.name: f"{digest} {digest_of(case.input.origin)} {case.settings}" for case in cases}
        pending = [case for case in cases if self.record.valid.get(case.name) != keys[case.name]]
        if not pending:
            return
        limits = Limits(
            cpu_s=self.package.limits.validation_time_s,
            wall_s=2 * self.package.limits.validation_time_s,
            memory_bytes=self.package.limits.validation_memory_mib * MIB,
            output_bytes=self.package.limits.validation_output_mib * MIB,
        )
        executables = self.host.build_judge_programs(self.package.input_validators, self.package.limits)
        validators = InputValidators(executables=executables, limits=limits, host=self.host)
        faults: list[Fault] = []

        def validate(sandbox: Sandbox, case: Case) -> None:
            for refusal in validators.refusals(case, case.input.origin, sandbox):
                message = f"refused by {refusal.validator}: {refusal.message}"
                faults.append(Fault(path=case.input.origin, message=message))

        for case, _ in self.host.pool.each(validate, pending):
            self.progress(case.name)
        if faults:
            raise PackageError(sorted(faults, key=str))
        self.record.valid = keys

    def _remove_stale(self) -> None:
        """Delete what an earlier build made and the recipe no longer asks for."""
        known = set(self._file_names())
        for name in sorted(set(self.record.made) - known):
            (self.data / name).unlink(missing_ok=True)
            del self.record.made[name]
            self.removed.append(name)


def generator_program(package: Package, recipe: Recipe, name: str) -> Program:
    """The generator that a recipe calls by this name: its listed files, or a file or folder of generators/.

    Raises PackageError when there is none.
    """
    inside = below(package.files, "generators")
    parts = recipe.generators.get(name)
    if parts is None and name in inside:
        parts = (name,)
    chosen = {part: inside[part] for part in parts} if parts else below(inside, name)
    if not chosen:
        message = f"no generator `{name}` in generators/, nor in the recipe's `generators`"
        raise PackageError([Fault(path=package.files[RECIPE].origin, message=message)])
    entry = parts[0] if parts else None
    return Program(path=f"generators/{name}", files=chosen, entrypoint=_script(entry))


def _script(entry: str | None) -> str | None:
    return entry if entry is not None and entry.endswith(".py") else None
