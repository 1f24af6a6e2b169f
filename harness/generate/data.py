"""Builds a package's test data from its recipe: in parallel, incrementally, every input validated, all of it locked.

Stages: group files, inputs (generator or text), validation and answers (the recipe's solution), the lock. What each
file was made from is kept in the build record, so that a second build only hashes.
"""

import hashlib
import shlex
from collections.abc import Callable, Iterable
from dataclasses import field
from pathlib import Path

from harness.build import CompileFailure, Executable
from harness.check import judge_program_limits
from harness.check.input_validators import InputValidators
from harness.errors import Fault, JudgeError, PackageError
from harness.files import atomic
from harness.generate import case_rule
from harness.generate.case_rule import NAME, TEXTS
from harness.generate.program_runs import PackagePrograms, ProgramCall
from harness.generate.programs import default_solution, generator_program, solution_program
from harness.generate.recipe import PlannedCase, Recipe, read_recipe
from harness.generate.record import (
    RECORD,
    BuildRecord,
    Drift,
    ValidInputs,
    compare,
    digest_of,
    read_lock,
    validity_digest,
    write_lock,
)
from harness.host.host import Host
from harness.package import Case, Package, Program, load
from harness.package.model import CONVERSATIONS
from harness.package.workspace import LOCK, RECIPE
from harness.sandbox import Sandbox
from harness.store.identity import digest_of_texts, program_identity, programs_identity
from harness.store.memory import MEMORY, Memory
from harness.values import dataclass

SOLUTION_TIME_S = 120.0
SHOWN_BYTES = 65536
MOST_EDITED = 20  # files that are named

Progress = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class DataReport:
    """What a build did. cases: how many there are; made: how many files had to be made anew.

    lock: the name of the lock that the data was compared with, None without. locked: whether the lock was written.
    overlaid: whether the package itself was left alone.
    warnings: what the package's author should mend, though the data could be built.
    """

    cases: int
    made: int
    bytes: int
    drift: Drift
    locked: bool
    lock: str | None = None
    overlaid: bool = False
    removed: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def needs_building(package: Package) -> bool:
    """Whether a package's secret data is ours to build: it has a recipe, and a lock or no complete data."""
    cases = tuple(package.secret.all_cases())
    complete = bool(cases) and all(case.answer is not None for case in cases)
    return RECIPE in package.files and (LOCK in package.files or not complete)


def build_data(
    root: Path,
    host: Host,
    *,
    relock: bool = False,
    force: bool = False,
    overlay: Path | None = None,
    progress: Progress = lambda _: None,
) -> DataReport:
    """Bring data/ of the package at `root` up to date with its recipe; or `overlay`, and leave the package alone.

    Raises PackageError for a broken recipe or an input that a validator refuses, JudgeError for a generator,
    validator or solution that fails. Never changes the lock unless there is none or `relock` is set. Never overwrites
    or removes a file that somebody edited since it was made, unless `force` is set: PackageError names each.
    """
    package = load(root, built=False, overlay=overlay)
    recipe = read_recipe(package.files, package.constants)
    if recipe is None:
        message = "not found: the package has no recipe, so its cases are those that lie in data/"
        raise PackageError([Fault(path=root / RECIPE, message=message)])
    build = _DataBuild(package=package, recipe=recipe, host=host, overlay=overlay, force=force, progress=progress)
    try:
        build.run()
    finally:
        build.record.write(build.data / RECORD)
    return build.report(relock=relock)


@dataclass(kw_only=True)
class _DataBuild:
    package: Package
    recipe: Recipe
    host: Host
    overlay: Path | None
    force: bool
    progress: Progress
    # Files of the recipe that somebody edited, and that are left as they are.
    edited: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    unmatched: list[str] = field(default_factory=list)
    # What each case's generator wrote beside its input, by extension.
    written: dict[str, set[str]] = field(default_factory=dict)
    # What each case gives every submission, and so the solution, as arguments.
    _arguments: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _matcher: Program = field(default_factory=case_rule.matcher)

    def __post_init__(self) -> None:
        self.data = self.overlay or self.package.root / "data"
        self.programs = PackagePrograms(host=self.host, limits=self.package.limits)
        self.record = BuildRecord.read(self.data / RECORD)
        self._locked = {} if self.overlay is not None else read_lock(self.package.files.get(LOCK)) or {}

    def run(self) -> None:
        """All stages, in order."""
        self._write_group_files()
        self._each(self._make_input, self.recipe.cases)
        self._remove_stale()
        self._refuse_edited()
        self.package = load(self.package.root, built=False, overlay=self.overlay)
        settings = {case.name: case for case in self.package.judged_cases()}
        self._arguments = {name: case.settings.args for name, case in settings.items()}
        planned = {case.name: case for case in self.recipe.cases}
        self._validate(settings.values())
        self._each(self._make_answer, [planned[name] for name in settings if name in planned])
        self._make_links()
        self._refuse_edited()
        self._each(self._match, [case for case in self.recipe.cases if case.match])

    def report(self, *, relock: bool) -> DataReport:
        """Compare the data with the lock, which is written when there is none; beside a package nothing is written."""
        names = self._file_names()
        built = {name: digest for name in names if (digest := digest_of(self.data / name)) is not None}
        lock = self.package.files.get(LOCK)
        locked = read_lock(lock)
        writes = self.overlay is None and (relock or locked is None)
        if writes:
            write_lock(self.package.root / LOCK, built)
        return DataReport(
            cases=len(self.recipe.cases),
            made=self.record.fresh,
            bytes=sum((self.data / name).stat().st_size for name in built),
            drift=Drift() if writes or locked is None else compare(built, locked),
            locked=writes,
            lock=lock.origin.name if lock is not None else None,
            overlaid=self.overlay is not None,
            removed=tuple(self.removed),
            warnings=(*self.recipe.warnings, *self.unchecked, *sorted(self.unmatched)),
        )

    def _each(self, work: Callable[[Sandbox, PlannedCase], None], cases: Iterable[PlannedCase]) -> None:
        for case, _ in self.host.pool.each(work, cases):
            self.progress(case.name)

    def _file_names(self) -> list[str]:
        extensions = {
            case.name: {".in", ".ans", *case.texts, *case.links, *self.written.get(case.name, ())}
            for case in self.recipe.cases
        }
        cases = [name + extension for name, ends in extensions.items() for extension in sorted(ends)]
        return [*self.recipe.group_files, *cases]

    def _write_group_files(self) -> None:
        for name, content in self.recipe.group_files.items():
            self._write(name, content)

    def _write(self, name: str, content: bytes) -> None:
        key, path = hashlib.sha256(content).hexdigest(), self._inside(name)
        if digest_of(path) != key and self._is_ours(name, key):
            atomic.write(path, content)
            self.record.note(name, key, path)

    def _make_input(self, sandbox: Sandbox, case: PlannedCase) -> None:
        for extension, content in case.texts.items():
            self._write(case.name + extension, content)
        if case.invocation is None or ".in" in case.texts:
            return
        program = generator_program(self.package, self.recipe, case.invocation.generator)
        key = digest_of_texts(program_identity(program), *case.invocation.arguments)
        if self._is_made(case, key):
            return
        for retry in range(case.retries):
            invocation = case.invocation.retried(retry)
            call = ProgramCall(
                program=program, arguments=invocation.arguments, stdin=Path("/dev/null"), writes_files=True
            )
            try:
                self._generate(sandbox, case, key, call)
                return
            except JudgeError:
                if retry + 1 == case.retries:
                    raise

    def _is_made(self, case: PlannedCase, key: str) -> bool:
        """Whether all that a generator writes lies there as it was written."""
        noted = {end: self.record.made[case.name + end] for end in TEXTS if case.name + end in self.record.made}
        own = {end for end, (made_from, _) in noted.items() if made_from == key}
        self.written[case.name] = own
        return ".in" in own and all(noted[end][1] == digest_of(self.data / f"{case.name}{end}") for end in own)

    def _generate(self, sandbox: Sandbox, case: PlannedCase, key: str, call: ProgramCall) -> None:
        """Run a generator: what it prints is the input, unless it writes `testcase.in` itself."""
        with self.host.work_folder(sandbox) as work:
            folder = self.programs.run(sandbox, call, f"{case.name}.in", work)
            made_files = {".in": work / "stdout", **_regular_files(folder)}
            self.written[case.name] = {end for end in made_files if end not in case.texts}
            for extension in sorted(self.written[case.name]):
                name = f"{case.name}{extension}"
                if self._is_ours(name, digest_of(made_files[extension])):
                    atomic.copy(made_files[extension], self.data / name)
                    self.record.note(name, key, self.data / name)

    def _make_answer(self, sandbox: Sandbox, case: PlannedCase) -> None:
        if ".ans" in case.texts or ".ans" in self.written.get(case.name, ()):
            return
        if self.package.types & CONVERSATIONS:
            self._write(f"{case.name}.ans", b"")  # no program could make it: the other side holds what it needs
            return
        solution = case.solution or default_solution(self.package, self.recipe)
        if solution is None:
            message = f"{case.name} has no answer: give the recipe a `solution`, or the case an `ans`"
            raise PackageError([Fault(path=self.package.files[RECIPE].origin, message=message)])
        program = solution_program(self.package, solution)
        input_path = self.data / f"{case.name}.in"
        arguments = self._arguments.get(case.name, ())
        key = digest_of_texts(program_identity(program), digest_of(input_path) or "", *arguments)
        call = ProgramCall(program=program, stdin=input_path, arguments=arguments, time_s=SOLUTION_TIME_S)
        self._make(sandbox, f"{case.name}.ans", key, call)

    def _match(self, sandbox: Sandbox, case: PlannedCase) -> None:
        for extension, patterns in case.match.items():
            name = f"{case.name}{extension}"
            if not patterns or not (self.data / name).is_file():
                continue
            call = ProgramCall(
                program=self._matcher, stdin=self.data / name, arguments=patterns, time_s=case_rule.MATCH_TIME_S
            )
            with self.host.work_folder(sandbox) as work:
                try:
                    self.programs.run(sandbox, call, name, work)
                except JudgeError:
                    self.unmatched.append(f"{name}: `match`: its patterns took too long, and were given up")
                    continue
                with (work / "stdout").open("rb") as said:
                    self.unmatched += case_rule.match_warnings(name, patterns, said.read(SHOWN_BYTES))

    def _make_links(self) -> None:
        for case in self.recipe.cases:
            for extension, target in case.links.items():
                source = self.data / f"{case.name}{target}"
                if source.is_file():
                    self._write(f"{case.name}{extension}", source.read_bytes())

    def _is_ours(self, name: str, made: str | None) -> bool:
        """Whether the file may be replaced by one whose digest is `made`; one that somebody edited is noted.

        It is ours as we wrote it last, and as the lock has it, which is all that a fresh checkout knows.
        """
        there = digest_of(self.data / name)
        written = self.record.made.get(name)
        ours = {made, self._locked.get(name), *(written[1:] if isinstance(written, list) else ())}
        if self.force or self.overlay is not None or there is None or there in ours:
            return True
        self.edited.append(name)
        return False

    def _refuse_edited(self) -> None:
        """Raise PackageError that names the files that were edited."""
        if not self.edited:
            return
        names = sorted(set(self.edited))
        message = "is not what the recipe makes, and was edited or written by hand: left as it is"
        faults = [Fault(path=self.data / name, message=message) for name in names[:MOST_EDITED]]
        more = f" ({len(names) - MOST_EDITED} files more)" if len(names) > MOST_EDITED else ""
        mend = (
            f"put what you changed into the recipe (`in` or `ans` of the case){more}, "
            "or make the files anew with --force: "
        )
        command = f"harness generate {shlex.quote(str(self.package.root))} --force"
        raise PackageError([*faults, Fault(path=self.package.root / RECIPE, message=mend + command)])

    def _inside(self, name: str) -> Path:
        """Where `name` lies. Raises PackageError where a linked folder would lead out of data/."""
        path = self.data / name
        if not path.parent.resolve().is_relative_to(self.data.resolve()):
            message = "leads out of data/ by a link: nothing is written there"
            raise PackageError([Fault(path=path, message=message)])
        return path

    def _make(self, sandbox: Sandbox, name: str, key: str, call: ProgramCall) -> None:
        path = self._inside(name)
        if self.record.made.get(name) == [key, digest_of(path)]:
            return
        with self.host.work_folder(sandbox) as work:
            self.programs.run(sandbox, call, name, work)
            if self._is_ours(name, digest_of(work / "stdout")):
                atomic.copy(work / "stdout", path)
                self.record.note(name, key, path)

    def _validate(self, cases: Iterable[Case]) -> None:
        digest = programs_identity(self.package.input_validators)
        digests = {case.name: validity_digest(digest, digest_of(case.input.origin), case) for case in cases}
        remembered = ValidInputs(
            memory=Memory(path=self.host.builder.cache.parent / MEMORY), slug=self.package.slug
        )
        accepted = remembered.digests()
        pending = [case for case in cases if digests[case.name] not in accepted]
        if not pending:
            return
        limits = judge_program_limits(self.package.limits)
        executables = self._input_validators()
        validators = InputValidators(executables=executables, limits=limits, host=self.host)
        faults: list[Fault] = []

        def validate(sandbox: Sandbox, case: Case) -> None:
            for refusal in validators.refusals(sandbox, case):
                message = f"refused by {refusal.validator}: {refusal.message}"
                faults.append(Fault(path=case.input.origin, message=message))

        for case, _ in self.host.pool.each(validate, pending):
            self.progress(case.name)
        if faults:
            raise PackageError(sorted(faults, key=str))
        if self.unchecked:
            return
        remembered.keep(digests.values())

    def _input_validators(self) -> list[Executable]:
        """Those that can be built here: the data is the same without, and `harness verify` says what is wrong."""
        programs = self.package.input_validators
        outcomes = self.host.try_judge_programs(programs, self.package.limits)
        for program, outcome in zip(programs, outcomes, strict=True):
            if not isinstance(outcome, Executable):
                why = outcome.diagnostics if isinstance(outcome, CompileFailure) else outcome.message
                first = why.strip().partition("\n")[0]
                self.unchecked.append(f"{program.origin}: cannot be built, so it checks no input: {first}")
        return [outcome for outcome in outcomes if isinstance(outcome, Executable)]

    def _remove_stale(self) -> None:
        """Delete what an earlier build made and the recipe no longer asks for."""
        current = set(self._file_names())
        for name in sorted(set(self.record.made) - current):
            if not self._is_ours(name, None):
                continue
            (self.data / name).unlink(missing_ok=True)
            del self.record.made[name]
            self.removed.append(name)


def _regular_files(folder: Path) -> dict[str, Path]:
    """What a generator left as `testcase.*`, by extension: files only, for a link could lead anywhere."""
    paths = {extension: folder / f"{NAME}{extension}" for extension in TEXTS}
    return {end: path for end, path in paths.items() if path.is_file() and not path.is_symlink()}
