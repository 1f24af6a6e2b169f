"""Build a package's test data from its recipe, in parallel and incrementally; validate the inputs; check the lock.

Stages: group files, inputs (generator or text), validation, answers (the recipe's solution), the lock. The build record
holds a digest of the sources of each file, so that a second build only compares digests.
"""

import contextlib
import hashlib
import shlex
from collections.abc import Callable, Iterable
from dataclasses import field
from pathlib import Path

from harness.errors import Fault, JudgeError, PackageError
from harness.files import atomic
from harness.generate.case_rule import NAME, TEXTS
from harness.generate.checks import Progress, match_files, validate_inputs, wrong_solutions
from harness.generate.interactive_answers import AnswerGame, interactor_alone
from harness.generate.planned import load_planned
from harness.generate.programs import (
    PackagePrograms,
    ProgramCall,
    default_solution,
    generator_program,
    solution_program,
)
from harness.generate.recipe import PlannedCase, Recipe, alternating, read_recipe
from harness.generate.record import (
    RECORD,
    BuildRecord,
    Drift,
    compare,
    digest_of,
    read_lock,
    write_lock,
)
from harness.host.host import Host
from harness.package import Package
from harness.package.load import load
from harness.package.model import CONVERSATIONS
from harness.package.workspace import LOCK, MISNAMED_RECIPES, RECIPE
from harness.sandbox.facts import Sandbox
from harness.store.identity import digest_of_texts, program_identity
from harness.values import dataclass

SOLUTION_TIME_S = 120.0
MOST_EDITED = 20  # files named in the message


@dataclass(frozen=True, kw_only=True)
class DataReport:
    """Result of a build. cases: number of cases; made: number of files that were written; bytes: size of all files.

    drift: differences from the lock. lock: the name of the lock, None if there was none. locked: whether the lock was
    written. overlaid: whether the data was built outside of the package. removed: files that were deleted. warnings:
    for the package's author.
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


def was_built_in(root: Path) -> bool:
    """Return whether the data in the package's own data/ was built from its recipe."""
    return (root / "data" / RECORD).is_file()


def needs_building(package: Package) -> bool:
    """Return whether to build a package's data: it has a recipe, and a lock or incomplete secret data.

    In a package of another family, cases of the recipe that are absent count as incomplete, too; in an author's own
    package the recipe may simply be out of date.
    """
    if RECIPE not in package.files or LOCK in package.files:
        return RECIPE in package.files
    if was_built_in(package.root):
        return True  # with a lock that was removed since
    cases = tuple(package.secret.all_cases())
    if not cases or any(case.answer is None for case in cases):
        return True
    recipe = read_recipe(package.files, package.constants) if package.foreign_family is not None else None
    present = {case.name for case in package.judged_cases() if case.answer is not None}
    return recipe is not None and any(case.name not in present for case in recipe.cases)


def build_data(
    root: Path,
    host: Host,
    *,
    relock: bool = False,
    force: bool = False,
    overlay: Path | None = None,
    locks: bool = True,
    progress: Progress = lambda _: None,
) -> DataReport:
    """Bring data/ of the package at `root` up to date with its recipe.

    Args:
        locks: write the lock if there is none.
        relock: write the lock, even if there is one.
        force: overwrite or remove files that were edited since they were made.
        overlay: build in this folder instead of data/, and do not change the package.

    Raises:
        PackageError: A broken recipe, an input that a validator refuses, or edited files.
        JudgeError: A generator, validator or solution fails.
    """
    package = load_planned(root, overlay)
    recipe = read_recipe(package.files, package.constants)
    if recipe is None:
        other = next((path for path in package.files if path in MISNAMED_RECIPES), None)
        fix = (
            f"rename {other} so"
            if other
            else "the package has no recipe, so its cases are those that lie in data/"
        )
        message = f"not found: {fix}"
        raise PackageError([Fault(path=root / RECIPE, message=message)])
    build = _DataBuild(
        package=package, recipe=recipe, host=host, overlay=overlay, locks=locks, force=force, progress=progress
    )
    try:
        build.run()
    finally:
        build.record.write(build.data / RECORD)
    return build.report(relock=relock)


@dataclass(kw_only=True)
class _DataBuild:
    """A build of the data in the folder `data`."""

    package: Package
    recipe: Recipe
    host: Host
    overlay: Path | None
    locks: bool
    force: bool
    progress: Progress
    # Files of the recipe that were edited since they were made.
    edited: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    # Warnings of validators that cannot be built.
    unchecked: list[str] = field(default_factory=list)
    # By case, the extensions of the files that its generator wrote.
    written: dict[str, set[str]] = field(default_factory=dict)
    # By case, the arguments that the case gives to every submission, and so to the solution.
    _arguments: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.data = self.overlay or self.package.root / "data"
        self.programs = PackagePrograms(host=self.host, limits=self.package.limits)
        self.record = BuildRecord.read(self.data / RECORD)
        self._locked = {} if self.overlay is not None else read_lock(self.package.files.get(LOCK)) or {}

    def run(self) -> None:
        """Run all stages, in order."""
        for name, content in self.recipe.group_files.items():
            self._write(name, content)
        self._each(self._make_input, alternating(self.recipe.cases))
        self._remove_stale()
        self._refuse_edited()
        self.package = load(self.package.root, built=False, overlay=self.overlay)
        settings = {case.name: case for case in self.package.judged_cases()}
        self._arguments = {name: case.settings.args for name, case in settings.items()}
        planned = {case.name: case for case in self.recipe.cases}
        self.unchecked = validate_inputs(self.package, settings.values(), self.host, self.progress)
        self._each(self._make_answer, [planned[name] for name in settings if name in planned])
        self._make_links()
        self._refuse_edited()
        self.warnings += wrong_solutions(self.package, self.recipe)
        self.warnings += match_files(self.programs, self.data, self.recipe.cases)

    def report(self, *, relock: bool) -> DataReport:
        """Compare the data with the lock; if there is none, write it.

        Not if the data is outside of the package, or a validator could not be built. Raises JudgeError if that prevents
        a new lock that was asked for.
        """
        names = self._file_names()
        built = {name: digest for name in names if (digest := digest_of(self.data / name)) is not None}
        lock = self.package.files.get(LOCK)
        locked = read_lock(lock)
        if relock and self.unchecked:
            raise JudgeError(
                "\n".join(["the lock is left as it was, as some inputs are unchecked:", *self.unchecked])
            )
        wanted = self.overlay is None and (relock or (locked is None and self.locks))
        writes = wanted and not self.unchecked
        unlocked = [f"{self.package.root / LOCK}: not written, as some inputs are unchecked"] * (
            wanted and not writes
        )
        if writes:
            write_lock(self.package.root / LOCK, built)
        return DataReport(
            cases=len(self.recipe.cases),
            made=self.record.written,
            bytes=sum((self.data / name).stat().st_size for name in built),
            drift=Drift() if writes or locked is None else compare(built, locked),
            locked=writes,
            lock=lock.origin.name if lock is not None else None,
            overlaid=self.overlay is not None,
            removed=tuple(self.removed),
            warnings=(*self.recipe.warnings, *self.unchecked, *unlocked, *self.warnings),
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

    def _write(self, name: str, content: bytes) -> None:
        key, path = hashlib.sha256(content).hexdigest(), self._inside(name)
        if digest_of(path) != key and self._is_ours(name, key):
            atomic.write(path, content)
            self.record.note(name, key, path)

    def _make_input(self, sandbox: Sandbox, case: PlannedCase) -> None:
        """Write the literal files of a case, and run its generator, with other seeds if it fails."""
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
        """Return whether all files that the generator made from the same sources (`key`) are unchanged."""
        noted = {end: self.record.made[case.name + end] for end in TEXTS if case.name + end in self.record.made}
        own = {end for end, (made_from, _) in noted.items() if made_from == key}
        self.written[case.name] = own
        return ".in" in own and all(noted[end][1] == digest_of(self.data / f"{case.name}{end}") for end in own)

    def _generate(self, sandbox: Sandbox, case: PlannedCase, key: str, call: ProgramCall) -> None:
        """Run a generator; its output is the input, unless it writes `testcase.in` itself."""
        with self.host.work_folder(sandbox) as work:
            folder = self.programs.run(sandbox, call, f"{case.name}.in", work)
            made_files = {".in": work / "stdout", **_regular_files(folder)}
            self.written[case.name] = {end for end in made_files if end not in case.texts}
            for extension in sorted(self.written[case.name]):
                name = f"{case.name}{extension}"
                path = self._inside(name)
                if self._is_ours(name, digest_of(made_files[extension])):
                    atomic.copy(made_files[extension], path)
                    self.record.note(name, key, path)

    def _make_answer(self, sandbox: Sandbox, case: PlannedCase) -> None:
        """Make the answer of a case, unless the recipe or the generator gave it."""
        if ".ans" in case.texts or ".ans" in self.written.get(case.name, ()):
            return
        solution = case.solution or default_solution(self.package, self.recipe)
        if self.package.types & CONVERSATIONS:
            self._make_answer_by_game(sandbox, case, solution)
            return
        if solution is None:
            message = f"{case.name} has no answer: give the recipe a `solution`, or the case an `ans`"
            raise PackageError([Fault(path=self.package.files[RECIPE].origin, message=message)])
        program = solution_program(self.package, solution)
        input_path = self.data / f"{case.name}.in"
        arguments = self._arguments.get(case.name, ())
        key = digest_of_texts(program_identity(program), digest_of(input_path) or "", *arguments)
        call = ProgramCall(program=program, stdin=input_path, arguments=arguments, time_s=SOLUTION_TIME_S)
        self._make(sandbox, f"{case.name}.ans", key, call)

    def _make_answer_by_game(self, sandbox: Sandbox, case: PlannedCase, solution: str | None) -> None:
        """Write the answer that the interactor writes for its checker; an empty answer if no checker reads it."""
        interactor, name = interactor_alone(self.package), f"{case.name}.ans"
        if interactor is None or solution is None:
            self._write(name, b"")
            return
        player, case_input = solution_program(self.package, solution), self.data / f"{case.name}.in"
        key = digest_of_texts(program_identity(interactor), program_identity(player), digest_of(case_input) or "")
        if self.record.made.get(name) == [key, digest_of(self._inside(name))]:
            return
        game = AnswerGame(
            interactor=self.programs.executable(sandbox, interactor),
            solution=self.programs.executable(sandbox, player),
            solution_limits=self.programs.limits_for(SOLUTION_TIME_S),
            limits=self.package.limits,
        )
        with self.host.work_folder(sandbox) as work:
            answer = game.answer(sandbox, case_input, work)
        if self._is_ours(name, hashlib.sha256(answer).hexdigest()):
            atomic.write(self.data / name, answer)
            self.record.note(name, key, self.data / name)

    def _make_links(self) -> None:
        for case in self.recipe.cases:
            for extension, target in case.links.items():
                source = self.data / f"{case.name}{target}"
                if source.is_file():
                    self._write(f"{case.name}{extension}", source.read_bytes())

    def _is_ours(self, name: str, made: str | None) -> bool:
        """Return whether a file may be replaced by one with the digest `made` (None: removed); else note it as edited.

        It may if it is as the last build wrote it, or as in the lock: a fresh checkout has only the lock.
        """
        present = digest_of(self.data / name)
        written = self.record.made.get(name)
        ours = {made, self._locked.get(name), *(written[1:] if isinstance(written, list) else ())}
        if self.force or self.overlay is not None or present is None or present in ours:
            return True
        self.edited.append(name)
        return False

    def _refuse_edited(self) -> None:
        """Raise PackageError with the edited files."""
        if not self.edited:
            return
        names = sorted(set(self.edited))
        message = "is not what the recipe makes, and was edited or written by hand: left as it is"
        faults = [Fault(path=self.data / name, message=message) for name in names[:MOST_EDITED]]
        more = f" ({len(names) - MOST_EDITED} files more)" if len(names) > MOST_EDITED else ""
        fix = (
            f"put what you changed into the recipe (`in` or `ans` of the case){more}, "
            "or make the files anew with --force: "
        )
        command = f"harness generate {shlex.quote(str(self.package.root))} --force"
        raise PackageError([*faults, Fault(path=self.package.root / RECIPE, message=fix + command)])

    def _inside(self, name: str) -> Path:
        """Return the path of a file in data/. Raises PackageError if a link leads out of it."""
        path = self.data / name
        if not path.parent.resolve().is_relative_to(self.data.resolve()):
            message = "leads out of data/ by a link: nothing is written there"
            raise PackageError([Fault(path=path, message=message)])
        return path

    def _make(self, sandbox: Sandbox, name: str, key: str, call: ProgramCall) -> None:
        """Run a program and store its output as a file, unless that was made from the same sources before."""
        path = self._inside(name)
        if self.record.made.get(name) == [key, digest_of(path)]:
            return
        with self.host.work_folder(sandbox) as work:
            self.programs.run(sandbox, call, name, work)
            if self._is_ours(name, digest_of(work / "stdout")):
                atomic.copy(work / "stdout", path)
                self.record.note(name, key, path)

    def _remove_stale(self) -> None:
        """Delete files of an earlier build that the recipe no longer makes."""
        current = set(self._file_names())
        for name in sorted(set(self.record.made) - current):
            if not self._is_ours(name, None):
                continue
            with contextlib.suppress(FileNotFoundError):  # somebody else removed it
                self._inside(name).unlink()
                self.removed.append(name)
            del self.record.made[name]


def _regular_files(folder: Path) -> dict[str, Path]:
    """Return the generator's files `testcase.*`, by extension; no links, which could lead anywhere."""
    paths = {extension: folder / f"{NAME}{extension}" for extension in TEXTS}
    return {end: path for end, path in paths.items() if path.is_file() and not path.is_symlink()}
