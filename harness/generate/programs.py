"""Find the programs of a recipe (generators, and the solution that makes answers) and run them in the sandbox."""

import difflib
import shutil
import threading
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from pathlib import Path, PurePosixPath

from harness.build.executable import Executable
from harness.errors import Fault, JudgeError, PackageError
from harness.files import untrusted
from harness.generate import shape_generator
from harness.generate.recipe import Recipe, read_recipe
from harness.host.host import Host
from harness.package import Package, Program
from harness.package.constants import substituted
from harness.package.files import File, below
from harness.package.headers import nearest, with_headers
from harness.package.model import ProblemLimits
from harness.package.names import misspelt
from harness.package.workspace import RECIPE
from harness.sandbox.facts import MIB, Limits, Sandbox
from harness.values import dataclass

_FASTEST_FIRST = (".cpp", ".cc", ".c", ".rs", ".java", ".kt", ".py")
_SOURCES = (".py", ".cpp", ".cc", ".cxx", ".c", ".java", ".kt", ".rs", ".go", ".sh", ".rb", ".js", ".cs", ".hs")
_LARGEST = 1 << 20  # bytes of a file that is searched for names
GENERATOR_TIME_S = 60.0
INPUT_BYTES = 1024 * MIB


def generator_program(package: Package, recipe: Recipe, name: str) -> Program:
    """Return the generator of this name: its files in the recipe, or a file or folder of generators/.

    Raises PackageError when there is none.
    """
    inside = below(package.files, "generators")
    parts = recipe.generators.get(name)
    if parts is None and name in inside:
        parts = (name,)
    chosen = {part: inside[part] for part in parts} if parts else below(inside, name)
    if not chosen and name == shape_generator.NAME:
        return shape_generator.shape_generator(package)
    if not chosen:
        message = f"no generator `{name}` in generators/, nor in the recipe's `generators`"
        near = difflib.get_close_matches(name, [*recipe.generators, *inside], n=1)
        message += f": did you mean `{near[0]}`?" if near else ""
        raise _missing(package, name, message)
    entry = parts[0] if parts else None
    files = {part: substituted(file, package.constants) for part, file in chosen.items()}
    program = Program(path=f"generators/{name}", files=files, entrypoint=_script(entry))
    return with_headers(program, nearest(package.files, f"generators/{next(iter(files))}"))


def _missing(package: Package, name: str, message: str) -> PackageError:
    """Return the fault at the first line of the recipe that names the missing program."""
    recipe = package.files[RECIPE]
    before, match, _ = recipe.read().partition(name.encode())
    line = before.count(b"\n") + 1 if match else None
    return PackageError([Fault(path=recipe.origin, message=message, line=line)])


def solution_program(package: Package, path: str) -> Program:
    """Return the program at `path` of the package, which makes answers. Raises PackageError when there is none."""
    name = path.lstrip("/")
    files = package.files
    chosen = {name.rpartition("/")[2]: files[name]} if name in files else below(files, name)
    if not chosen:
        near = _meant(name, files)
        fix = f", which has {near}: rename one of the two" if near else ": add it, or correct the path"
        raise _missing(package, path, f"the solution {path} is not in the package{fix}")
    return Program(path=name, files={part: substituted(file, package.constants) for part, file in chosen.items()})


def _meant(path: str, files: Iterable[str]) -> str | None:
    """Return the file whose name, or whose folder, is that of `path` but for a typing error; None if there is none."""
    folder, _, own = path.rpartition("/")
    split = [(other, *other.rpartition("/")[::2]) for other in files]
    beside = {name: other for other, parent, name in split if parent == folder}
    elsewhere = {parent: other for other, parent, name in split if name == own}
    for word, files_by_word in ((own, beside), (folder, elsewhere)):
        if near := misspelt(word, files_by_word):
            return files_by_word[near]
    return None


def default_solution(package: Package, recipe: Recipe) -> str | None:
    """Return the first accepted submission of the fastest language, for a recipe that names no solution."""
    if recipe.names_solution:
        return None
    # Keep this order: another solution could print a right answer that differs from the lock's.
    fastest = min((program.path for program in package.accepted), key=_speed, default=None)
    return f"/submissions/{fastest}" if fastest is not None else None


def _speed(path: str) -> tuple[int, str]:
    return next((rank for rank, end in enumerate(_FASTEST_FIRST) if path.endswith(end)), 99), path


def _script(entry: str | None) -> str | None:
    return entry if entry is not None and entry.endswith(".py") else None


@dataclass(frozen=True, kw_only=True)
class ProgramCall:
    """A run of a generator, a solution or the matcher. writes_files: it runs in a copy, where it may write."""

    program: Program
    stdin: Path
    arguments: tuple[str, ...] = ()
    time_s: float = GENERATOR_TIME_S
    writes_files: bool = False


@dataclass(frozen=True, kw_only=True)
class PackagePrograms:
    """Builds each program once and runs it. limits: of the package. Shared by the workers."""

    host: Host
    limits: ProblemLimits
    _built: dict[str, Executable] = field(default_factory=dict)
    _building: dict[str, threading.Lock] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, sandbox: Sandbox, call: ProgramCall, name: str, work: Path) -> Path:
        """Run a program; standard output goes to `work / "stdout"`.

        Returns the folder in which it ran: its own copy if it may write files. Raises JudgeError if it fails.
        name: the file that it makes, for the message.
        """
        executable = self.executable(sandbox, call.program)
        limits = self.limits_for(call.time_s)
        memory_bytes = limits.memory_bytes
        stdout, stderr = work / "stdout", work / "stderr"
        command = executable.command(memory_bytes, *call.arguments)
        if call.writes_files:
            own = executable.moved(_own_copy(executable, work / "made"))
            command = own.command(memory_bytes, *call.arguments, elsewhere=True).reading(executable.directory)
            command = replace(command, writable_directory=True)
        result = sandbox.run(command, executable.fit(limits), stdin=call.stdin, stdout=stdout, stderr=stderr)
        if not result.succeeded:
            words = " ".join((call.program.path, *call.arguments))
            errors = untrusted.first_text(stderr, 2000)
            raise JudgeError(
                f"{call.program.shown}: `{words}` failed for {name}: {result.ending}\n{errors}".strip()
            )
        return command.directory

    def limits_for(self, time_s: float) -> Limits:
        """Return the limits of a run."""
        memory_bytes = max(self.limits.memory_mib, 1024) * MIB
        return Limits(cpu_s=time_s, wall_s=2 * time_s, memory_bytes=memory_bytes, output_bytes=INPUT_BYTES)

    def executable(self, sandbox: Sandbox, program: Program) -> Executable:
        """Return the built program. Raises JudgeError if it does not compile."""
        with self._lock:
            building = self._building.setdefault(program.path, threading.Lock())
        with building:
            if program.path not in self._built:
                self._built[program.path] = self.host.build_judge_program(program, self.limits, sandbox)
            return self._built[program.path]


def _own_copy(executable: Executable, parent: Path) -> Path:
    """Copy the program's files to a new folder with the program's name: some programs use that name as a seed."""
    shutil.rmtree(parent, ignore_errors=True)  # of a failed run
    folder = parent / executable.program.path.rpartition("/")[2]
    shutil.copytree(executable.directory, folder, symlinks=True)
    for made in (parent, folder):
        made.chmod(0o755)
    return folder


def unused_generators(package: Package) -> tuple[str, ...]:
    """Return the programs of generators/ that neither the recipe nor another file names; none without a recipe.

    A file also counts as used if its name, with or without extension, occurs in a used file of generators/ (as an
    imported module, a header or a called script), or in a script or configuration file elsewhere in the package.
    """
    recipe = read_recipe(package.files, package.constants)
    if recipe is None:
        return ()
    files = {
        path: file for path, file in below(package.files, "generators").items() if f"generators/{path}" != RECIPE
    }
    called = _called(recipe)
    used = {path for path in files if called & {path, *map(str, PurePosixPath(path).parents)}}
    pending = list(used)
    while pending:
        text = _text(files[pending.pop()])
        named = {path for path in files.keys() - used if _names(path) & _words(text)}
        used |= named
        pending += named
    others = _words(b"\n".join(_text(file) for path, file in _texts_beside(package).items()))
    return tuple(
        path for path in sorted(files.keys() - used) if path.endswith(_SOURCES) and not _names(path) & others
    )


def _called(recipe: Recipe) -> set[str]:
    """Return the names of generators that cases call, and their files."""
    names = {case.invocation.generator for case in recipe.cases if case.invocation is not None}
    return names | {part for name in names for part in recipe.generators.get(name, ())}


def _texts_beside(package: Package) -> Mapping[str, File]:
    """Return other files that may name a generator: scripts and configuration."""
    callers = {
        path: file for path, file in package.files.items() if path.endswith((".toml", ".txt", ".sh", "Makefile"))
    }
    return {path: file for path, file in callers.items() if not path.startswith("data/")}


def _names(path: str) -> set[bytes]:
    names = PurePosixPath(path)
    return {names.name.encode(), names.stem.encode()}


def _words(text: bytes) -> set[bytes]:
    words = set(text.translate(bytes.maketrans(b"\"'()<>,;:=/\\`[]{}", b" " * 17)).split())
    return words | {part for word in words for part in word.split(b".")}


def _text(file: File) -> bytes:
    return file.read() if file.size() <= _LARGEST else b""
