"""A judge host: workers, builders and temporary folders (the stage), opened and closed together."""

import contextlib
import os
import re
import stat
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from types import MappingProxyType

from harness.build.builder import Builder
from harness.build.compile_hints import FIX
from harness.build.compiler import BuildLimits
from harness.build.executable import Built, CompileFailure, Executable, Unavailable
from harness.build.languages import LanguageTable
from harness.build.stage import Stage, staging, write_files
from harness.errors import JudgeError, MachineError
from harness.files import untrusted
from harness.host.pool import Pool
from harness.host.warm_programs import ReadyProgram, WarmPrograms
from harness.package import Package, Program
from harness.package.files import Files
from harness.package.model import ProblemLimits
from harness.sandbox.facts import MIB, Command, KillReason, Limits, RunResult, Sandbox
from harness.values import dataclass

_COARSE = 5  # CLOCK_REALTIME_COARSE of Linux, by which it dates changes
_TICKS = 20
_TICK_S = 0.002  # the kernel's times move on every 1 to 10 ms
# Written again for each run: making and removing four files costs as much as starting a small program.
_REWRITTEN = ("stdout", "stderr", "judge_stdout", "judge_stderr", "case.in", "case.ans")
_HEADER = re.compile(r"fatal error: '?([\w./+-]{1,100}\.h(?:pp)?)'?(?:: No such file| file not found)")
_HEADERS_OF = {"validation.h": "BAPCtools"}
_NOTHING: Mapping[str, Files] = MappingProxyType({})


@dataclass(kw_only=True)
class Box:
    """The folder of a run. writable: the submission may write files there, which count as output.

    executable: the program in this folder; origin: the program in its own folder. lent: the folder belongs to the
    sandbox's user and may be reused. before, after: file times and sizes around the run.
    """

    executable: Executable
    writable: bool = False
    lent: bool = False
    origin: Executable | None = None
    before: untrusted.Marks = field(default_factory=dict)
    after: untrusted.Marks | None = None

    def command(self, memory_bytes: int, arguments: tuple[str, ...]) -> Command:
        """Return the command of the run."""
        command = self.executable.command(memory_bytes, *arguments)
        if not self.writable:
            return command
        return replace(command, writable_directory=True, directory_is_lent=self.lent, submission_rules=True)

    def counted(self, run: RunResult, output_bytes: int) -> RunResult:
        """Return the facts with written files counted as output and compared with the output limit."""
        if not self.writable:
            return run
        self.after = _marks(self.executable.directory)
        if self.after == self.before:
            return run
        written = sum(mark.size for item, mark in self.after.items() if _is_written(mark, self.before.get(item)))
        total = run.output_bytes + written
        over = run.killed_for is None and total > output_bytes
        return replace(run, output_bytes=total, killed_for=KillReason.OUTPUT if over else run.killed_for)


def _is_written(mark: untrusted.Mark, before: untrusted.Mark | None) -> bool:
    if not stat.S_ISREG(mark.mode):
        return False
    return before is None or (mark.size, mark.modified_ns) != (before.size, before.modified_ns)


@dataclass(frozen=True, kw_only=True)
class Boxes:
    """The folders that submissions run in. No run sees files of an earlier run.

    Copying a folder costs more than a small run, so a worker keeps its last folder while it is unchanged. A change
    is always detected: a file's mode must change before it can be written, and every changed, replaced or new file has
    a later change time, which no program can set back.
    """

    stage: Stage
    _kept: dict[int, Box] = field(default_factory=dict, init=False)

    @contextlib.contextmanager
    def box(self, executable: Executable, files: Files, sandbox: Sandbox, *, writable: bool) -> Iterator[Box]:
        """Provide the folder of a run: the program's own, or a copy if the run may write or needs extra files."""
        if not writable and not files:
            yield Box(executable=executable)
            return
        box = self._new(executable, files, writable=writable) if files else self._lent(executable, sandbox)
        try:
            yield box
        except BaseException:
            untrusted.remove(box.executable.directory)
            raise
        if box.lent and _untouched(box):
            self._kept[id(sandbox)] = box
        else:
            untrusted.remove(box.executable.directory)

    def _lent(self, executable: Executable, sandbox: Sandbox) -> Box:
        """Return the worker's kept folder if it is of this program, else a new folder, kept if that is safe."""
        kept = self._kept.pop(id(sandbox), None)
        if kept is not None:
            folder = kept.executable.directory
            if kept.origin is not None and kept.origin.directory == executable.directory:
                same = kept.origin == executable  # mutants share a folder, but have different arguments
                moved = kept.executable if same else executable.moved(folder)
                return replace(kept, executable=moved, origin=executable, after=None)
            untrusted.remove(folder)
        box = self._new(executable, {}, writable=True)
        folder = box.executable.directory
        if not sandbox.isolation.contained:  # another run could write here
            return box
        untrusted.make_read_only(folder)
        sandbox.lend(folder)
        before = untrusted.marks(folder)
        return replace(box, lent=_wait_until_past(before), origin=executable, before=before)

    def _new(self, executable: Executable, files: Files, *, writable: bool) -> Box:
        folder = self.stage.folder("box")
        untrusted.copy_tree(executable.directory, folder)
        write_files(folder, files)
        before = untrusted.marks(folder) if writable else {}
        return Box(executable=executable.moved(folder), writable=writable, before=before)


def _marks(folder: Path) -> untrusted.Marks:
    try:
        return untrusted.marks(folder)
    except PermissionError:
        untrusted.make_accessible(folder)
        return untrusted.marks(folder)


def _untouched(box: Box) -> bool:
    after = box.after if box.after is not None else _marks(box.executable.directory)
    return after == box.before


def _wait_until_past(marks: untrusted.Marks) -> bool:
    """Wait until a change would get a later time than every file. Return False if the clocks disagree."""
    newest_ns = max(mark.changed_ns for mark in marks.values())
    for _ in range(_TICKS):
        if time.clock_gettime_ns(_COARSE) > newest_ns:
            return True
        time.sleep(_TICK_S)
    return False


@dataclass(frozen=True, kw_only=True)
class Host:
    """Everything that is needed to run programs: workers, builders, folders.

    builder: builds submissions. judges: builds judge programs, with other flags.
    """

    pool: Pool
    builder: Builder
    judges: Builder
    stage: Stage
    _adopted: list[Executable] | None = field(default=None, init=False)
    _work_folders: dict[int, Path] = field(default_factory=dict, init=False)
    _warm: WarmPrograms = field(init=False)
    boxes: Boxes = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_warm", WarmPrograms(self.stage))
        object.__setattr__(self, "boxes", Boxes(stage=self.stage))

    def build_all(
        self, programs: Sequence[Program], limits: BuildLimits, include: Mapping[str, Files] = _NOTHING
    ) -> list[Built]:
        """Build programs in parallel; the outcomes are in the order of the programs. `include`: see Builder.build."""

        def build(sandbox: Sandbox, program: Program) -> Built:
            return self.builder.build(program, limits, sandbox, include)

        return list(self.pool.in_order(build, programs))

    def build_submissions(self, package: Package, programs: Sequence[Program]) -> list[Built]:
        """Build submissions of a package: within its limits, with the files that it gives to each."""

        def build(sandbox: Sandbox, program: Program) -> Built:
            return self.build_submission(package, program, sandbox)

        return list(self.pool.in_order(build, programs))

    def build_submission(self, package: Package, program: Program, sandbox: Sandbox) -> Built:
        """Build a submission in the sandbox of the calling worker; see `build_submissions`."""
        limits = BuildLimits(
            time_s=package.limits.compilation_time_s,
            memory_bytes=package.limits.compilation_memory_mib * MIB,
            code_bytes=package.limits.code_kib * 1024,
            older_dialects=package.older_dialects,
        )
        return self.builder.build(program, limits, sandbox, package.include)

    def try_judge_programs(self, programs: Sequence[Program], limits: ProblemLimits) -> list[Built]:
        """Build validators, generators and the like; the outcomes are in the order of the programs."""

        def build(sandbox: Sandbox, program: Program) -> Built:
            return self._try_judge_program(program, limits, sandbox)

        return list(self.pool.in_order(build, programs))

    def build_judge_programs(self, programs: Sequence[Program], limits: ProblemLimits) -> list[Executable]:
        """Build judge programs. Raises JudgeError or MachineError for the first that fails."""
        outcomes = self.try_judge_programs(programs, limits)
        return [executable_of(program, outcome) for program, outcome in zip(programs, outcomes, strict=True)]

    def build_judge_program(self, program: Program, limits: ProblemLimits, sandbox: Sandbox) -> Executable:
        """Build a judge program in the sandbox of the calling worker; see `build_judge_programs`."""
        return executable_of(program, self._try_judge_program(program, limits, sandbox))

    @contextlib.contextmanager
    def adopting(self) -> Iterator[None]:
        """Inside the `with`, use what `adopt` is given. Outside it has no effect: a grading builds its own programs."""
        object.__setattr__(self, "_adopted", [])
        try:
            yield
        finally:
            object.__setattr__(self, "_adopted", None)

    def adopt(self, executable: Executable) -> None:
        """Use this executable wherever its program is needed as a judge program, in place of building it again."""
        if self._adopted is not None:
            self._adopted.append(executable)

    def _try_judge_program(self, program: Program, limits: ProblemLimits, sandbox: Sandbox) -> Built:
        adopted = (each for each in self._adopted or () if each.program == program)
        return next(adopted, None) or self.judges.build(program, judge_build_limits(limits), sandbox)

    @contextlib.contextmanager
    def work_folder(self, sandbox: Sandbox) -> Iterator[Path]:
        """Provide the worker's folder for the files of a run; it may hold streams and case files of an earlier run.

        It is reused: making and deleting a folder costs a quarter of a small run. Warm programs may read it.
        """
        folder = self._folder_of(sandbox)
        yield folder
        _clear(folder)

    def warm(self, executable: Executable, sandbox: Sandbox, limits: Limits) -> ReadyProgram:
        """Return a judge program that this worker keeps ready."""
        # A validator's working folder may be that of the submission, anywhere in the stage.
        readable = (self._folder_of(sandbox), self.stage.of("run"))
        return self._warm.get(executable, sandbox, limits, readable)

    def _folder_of(self, sandbox: Sandbox) -> Path:
        if id(sandbox) not in self._work_folders:
            self._work_folders[id(sandbox)] = self.stage.folder("work")
        return self._work_folders[id(sandbox)]


def _clear(folder: Path) -> None:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                untrusted.remove(Path(entry.path))
            elif entry.name not in _REWRITTEN or entry.is_symlink():
                Path(entry.path).unlink()


def judge_build_limits(limits: ProblemLimits) -> BuildLimits:
    """Return the limits for compiling a judge program."""
    return BuildLimits(
        time_s=limits.compilation_time_s,
        memory_bytes=limits.compilation_memory_mib * MIB,
        scripts=True,
        older_dialects=True,
    )


def executable_of(program: Program, outcome: Built, error: Callable[[str], Exception] = JudgeError) -> Executable:
    """Return the executable. Raises MachineError without a compiler, and `error` if the program does not compile."""
    match outcome:
        case Executable():
            return outcome
        case CompileFailure(diagnostics=diagnostics):
            raise error(f"{program.shown}: does not compile{_missing_header(diagnostics)}\n{diagnostics}")
        case Unavailable(message=message):
            raise MachineError(f"{program.shown}: cannot be built here: {message}")


def _missing_header(diagnostics: str) -> str:
    """Name the missing header of a judge program; "" if there is none, or if the compile error names the fix."""
    match = _HEADER.search(diagnostics)
    if match is None or diagnostics.startswith(FIX):
        return ""
    home = _HEADERS_OF.get(match[1].rpartition("/")[2])
    whose = f" (it comes with {home})" if home is not None else ""
    return f": {match[1]} is not in the package{whose}: put it beside the program"


@contextlib.contextmanager
def open_host(
    sandboxes: Sequence[Sandbox],
    *,
    table: LanguageTable,
    search_path: str,
    cache: Path,
    as_other_user: bool,
    sanitize: bool = False,
) -> Iterator[Host]:
    """Open a host on these sandboxes. Leaving the `with` ends everything it holds, also on Ctrl-C.

    sanitize: compile submissions in C and C++ with run-time checks.
    """
    with staging() as stage, Pool(sandboxes) as pool:
        plain = Builder(
            table=table, search_path=search_path, cache=cache, stage=stage, as_other_user=as_other_user
        )
        builder = plain.with_checks() if sanitize else plain
        yield Host(pool=pool, builder=builder, judges=plain.for_judges(), stage=stage)
