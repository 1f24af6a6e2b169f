"""Make a Package of a folder of samples, a checker and the limits of the command line."""

import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.errors import UsageError
from harness.package import Case, Group, Package, ProblemType, Program
from harness.package.files import OLD_NAME, File
from harness.package.model import CaseSettings, ProblemLimits
from harness.values import dataclass

FOLDERS = ("test", "tests", "samples", "sample", "testcases", ".")
FOLDERS_IN_WORDS = f"{', '.join(FOLDERS[:-2])} or {FOLDERS[-2]}"  # the last one is the folder itself
DEFAULT_TIME_LIMIT_S, DEFAULT_MEMORY_MIB, DEFAULT = 2.0, 1024, "default"
_BEGINNING = 4096  # bytes that are looked at for CR LF
_ANSWERS = (".out", ".ans", ".a", ".diff", ".expected")


def package_of_cases(
    *,
    name: str,
    root: Path,
    limits: ProblemLimits,
    cases: Iterable[Case] = (),
    checker: Program | None = None,
    validator: Program | None = None,
    arguments: Sequence[str] = (),
    interactive: bool = False,
) -> Package:
    """Return a problem without a package as a package whose samples are the cases.

    arguments: those of the default output validator. interactive: the checker is the interactor.
    """
    settings = CaseSettings(output_validator_args=tuple(arguments))
    return Package(
        slug=name,
        root=root,
        files={},
        names={"en": name},
        types=frozenset({ProblemType.PASS_FAIL, *({ProblemType.INTERACTIVE} if interactive else ())}),
        limits=limits,
        constants={},
        authors=(),
        source=None,
        license="unknown",
        statements={},
        sample=Group(name="sample", cases=tuple(replace(case, settings=settings) for case in cases)),
        secret=Group(name="secret"),
        invalid_inputs=(),
        input_validators=(validator,) if validator is not None else (),
        output_validators=(checker,) if checker is not None else (),
        submissions=(),
        rules=(),
    )


@dataclass(frozen=True, kw_only=True)
class StatedLimits:
    """The limits of a problem without a package, and the source of each: an option, a file of cph, or the default.

    cph: the file of cph, if there is one. interactive: whether that file says that the problem is interactive.
    """

    time_limit_s: float
    time_from: str
    memory_mib: int
    memory_from: str
    cph: Path | None = None
    interactive: bool = False

    @property
    def limits(self) -> ProblemLimits:
        """Return the limits of a package."""
        return ProblemLimits(time_limit_s=self.time_limit_s, memory_mib=self.memory_mib)


def limits_for(
    folders: Iterable[Path],
    program: Path,
    *,
    time_limit_s: float | None,
    memory_mib: int | None,
    has_checker: bool,
) -> StatedLimits:
    """Return the limits as given, else those of cph for `program` in the first of `folders`, else the defaults.

    Raises UsageError for an interactive problem without an interactor.
    """
    kept = next(filter(None, (read_cph(folder, program) for folder in folders)), None)
    stated = kept or CphProblem(path=Path(), samples=())
    file = str(stated.path)
    if stated.interactive and not has_checker:
        raise UsageError(
            f"{file}: this problem is interactive, so its samples alone cannot judge a program: "
            "name its interactor with --interactor (docs/interactive.md)"
        )
    times = ((time_limit_s, "--time-limit"), (stated.time_limit_s, file), (DEFAULT_TIME_LIMIT_S, DEFAULT))
    memories = ((memory_mib, "--memory"), (stated.memory_mib, file), (DEFAULT_MEMORY_MIB, DEFAULT))
    time_s, time_from = next((value, name) for value, name in times if value is not None)
    memory, memory_from = next((value, name) for value, name in memories if value is not None)
    return StatedLimits(
        time_limit_s=time_s,
        time_from=time_from,
        memory_mib=memory,
        memory_from=memory_from,
        cph=kept.path if kept is not None else None,
        interactive=stated.interactive,
    )


def samples_in(folder: Path, program: Path, *, unanswered: bool = False) -> list[Case]:
    """Return the samples of a folder, or of the first usual folder in it. Raises UsageError when there are none.

    unanswered: also return inputs without an answer.
    """
    folders = [folder / name for name in FOLDERS]
    for usual in folders:
        samples = list(_pairs(usual, unanswered=unanswered)) if usual.is_dir() else []
        samples = samples or list(_pairs_of_folders(usual))
        if samples:
            return samples
    samples = list(_of_cph(folder, program))
    if samples:
        return samples
    alone = unanswered_in(folder)
    if alone:
        stem = alone[0].stem
        expected = f"expected {stem}.out or {stem}.ans (interactive? give --interactor)"
        raise UsageError(f"{alone[0]}: no answer beside it: {expected}")
    raise UsageError(
        f"{folder.absolute()}: no samples: expected pairs as 1.in and 1.out (or .ans), in1.txt and out1.txt, "
        f"there or in its folder {FOLDERS_IN_WORDS}"
    )


def places_of_samples(folder: Path) -> list[Path]:
    """Return where samples of a folder may lie: the files directly in it, and the usual folders in it."""
    pairs = list(_paths_of_pairs(folder, unanswered=True)) if folder.is_dir() else []
    files = [path for pair in pairs for path in pair if path is not None]
    return [*files, *(folder / name for name in (*FOLDERS, "in", "out", FOLDER) if name != ".")]


def case_at(name: str | None, program: Path) -> Case:
    """Return the case of an input file, or the sample of this name here, or the first. It needs no answer."""
    if name is not None and Path(name).is_file():
        return Case(name=Path(name).stem, input=File(origin=Path(name)), answer=None)
    for case in samples_in(Path(), program, unanswered=True):
        if name in (None, case.name, case.name.removeprefix("sample/")):
            return case
    raise UsageError(f"{name}: no such file, and no sample here has this name")


def sample_folder(program: Path, *, unanswered: bool = False) -> Path | None:
    """Return the folder of a program's samples: the current one, as for oj, else the program's own, else None."""
    places = (Path(), program.parent)
    return next((folder for folder in places if has_samples(folder, program, unanswered=unanswered)), None)


def has_samples(folder: Path, program: Path, *, unanswered: bool = False) -> bool:
    """Return whether samples of the program lie in the folder."""
    try:
        return bool(samples_in(folder, program, unanswered=unanswered))
    except UsageError:
        return False


def folder_and_program(arguments: Sequence[str], *, has_command: bool) -> tuple[Path, Path]:
    """Return what the arguments of `harness test` name. has_command: a command is given, so they name no program."""
    paths = [Path(argument) for argument in arguments]
    match paths:
        case [] if has_command:
            return Path(), Path()
        case [folder] if has_command and folder.is_dir():
            return folder, Path()
        case [folder] if folder.is_dir() and not has_command and has_samples(folder, Path()):
            raise UsageError(f"{folder} holds samples: name the program too: harness test {folder} PROGRAM")
        case [program] if not has_command:
            return sample_folder(program) or Path(), program
        case [folder, program] if folder.is_dir() and not has_command:
            return folder, program
        case [program, folder] if folder.is_dir() and not has_command:
            return folder, program
    raise UsageError("harness test [DIR] PROGRAM: one folder at most, and one program")


def unanswered_in(folder: Path) -> list[Path]:
    """Return the inputs without an answer, in the first usual folder that holds inputs."""
    for usual in [folder / name for name in FOLDERS]:
        given = list(_pairs(usual, unanswered=True)) if usual.is_dir() else []
        if given:
            return [case.input.origin for case in given if case.answer is None]
    return []


def marked_in(cases: Iterable[Case]) -> list[Path]:
    """Return the files of samples that begin with a byte order mark, which is left out."""
    files = (file for case in cases for file in (case.input, case.answer) if file is not None)
    return [file.origin for file in files if _begins_with_mark(file.origin)]


def ended_by_cr_lf(cases: Iterable[Case]) -> list[Path]:
    """Return the inputs of samples, each file once, of which lines near the beginning end with CR LF."""
    return list(dict.fromkeys(case.input.origin for case in cases if b"\r\n" in case.input.read(_BEGINNING)))


def _begins_with_mark(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return stream.read(len(BOM_UTF8)) == BOM_UTF8
    except OSError:
        return False  # whoever reads all of it says why


def _file(path: Path) -> File:
    """Return a file of a sample, without a byte order mark: programs take it as a part of the first word."""
    is_marked = _begins_with_mark(path)
    return File(origin=path, content=path.read_bytes().removeprefix(BOM_UTF8) if is_marked else None)


def _pairs(folder: Path, *, unanswered: bool) -> Iterator[Case]:
    for path, answer in _paths_of_pairs(folder, unanswered=unanswered):
        yield _case(path.stem, _file(path), _file(answer) if answer is not None else None)


def _paths_of_pairs(folder: Path, *, unanswered: bool) -> Iterator[tuple[Path, Path | None]]:
    names = sorted((path.name for path in folder.iterdir() if path.is_file()), key=_natural)
    existing = set(names)
    for name in names:
        answer = next((other for other in _answers_to(name) if other in existing), None)
        if answer is not None:
            yield folder / name, folder / answer
        elif unanswered and name.endswith(".in"):
            yield folder / name, None


def _pairs_of_folders(folder: Path) -> Iterator[Case]:
    """Yield the samples of the folders `in` and `out`, whose file names are equal except for the extension."""
    inputs, outputs = folder / "in", folder / "out"
    if not inputs.is_dir() or not outputs.is_dir():
        return
    for path in sorted(
        (path for path in inputs.iterdir() if path.is_file()), key=lambda path: _natural(path.name)
    ):
        names = (path.name, *(f"{path.stem}{ending}" for ending in (*_ANSWERS, ".txt")))
        answer = next((outputs / name for name in names if (outputs / name).is_file()), None)
        if answer is not None:
            yield _case(path.stem, _file(path), _file(answer))


def _answers_to(name: str) -> Iterator[str]:
    """Yield the possible file names of the answer to an input."""
    stem, dot, end = name.rpartition(".")
    if end == "in":
        yield from (f"{stem}{answer}" for answer in _ANSWERS)
    for word, other in (("input", "output"), ("in", "out"), ("in", "ans"), ("input", "answer")):
        if name.startswith(word) and dot:
            yield other + name.removeprefix(word)
        if stem.endswith((f"_{word}", f"-{word}", f".{word}")) and dot:
            yield f"{stem.removesuffix(word)}{other}.{end}"


def _of_cph(folder: Path, program: Path) -> Iterator[Case]:
    """Yield the samples that the editor extension cph keeps for a program."""
    problem = read_cph(folder, program)
    if problem is None:
        return
    for number, (given, answer) in enumerate(problem.samples, start=1):
        yield _case(
            str(number),
            File(origin=problem.path, content=given.encode(errors="replace")),
            File(origin=problem.path, content=answer.encode(errors="replace")),
        )


def _case(name: str, given: File, answer: File | None) -> Case:
    is_legal = OLD_NAME.fullmatch(name) is not None and name.isprintable()
    legal = name if is_legal else re.sub(r"[^A-Za-z0-9_.-]", "_", name)
    return Case(name=f"sample/{legal}", input=given, answer=answer)


def _natural(name: str) -> list[tuple[int, int, str]]:
    """Sort 2 before 10. Numbers of more than 18 digits are text."""
    parts: Iterable[str] = re.findall(r"\d{1,18}|\D+|\d+", name)
    return [
        (0, int(part), "") if part.isascii() and part.isdecimal() and len(part) < 19 else (1, 0, part)
        for part in parts
    ]


def comparison_arguments(options: Mapping[str, str | bool | None]) -> tuple[str, ...]:
    """Return the arguments of the default output validator: flags that are set, and names with their values."""
    given = {name: value for name, value in options.items() if value not in (None, False)}
    return tuple(
        word for name, value in given.items() for word in ((name,) if value is True else (name, str(value)))
    )


def answers_have_decimals(cases: Iterable[Case]) -> bool:
    """Return whether a word of an answer is a number with decimal places."""
    answers = (case.answer for case in cases)
    return any(_DECIMAL.search(answer.read()) for answer in answers if answer is not None)


# The editor extension cph keeps samples, limits and the kind of a problem in the folder .cph.
FOLDER = ".cph"
LISTENED = ".listened.prob"  # what `harness listen` keeps there, for every program of the folder
_DECIMAL = re.compile(rb"(?<!\S)[+-]?\d*\.\d+(e[+-]?\d+)?(?!\S)", re.IGNORECASE)
_MOST_BYTES = 64 << 20
_MOST_SECONDS, _LEAST_MIB, _MOST_MIB = 86_400, 4, 1 << 24  # what --time-limit and --memory take


@dataclass(frozen=True, kw_only=True)
class CphProblem:
    """A problem as cph keeps it. samples: input and answer of each. None: the file states no such limit."""

    path: Path
    samples: tuple[tuple[str, str], ...]
    time_limit_s: float | None = None
    memory_mib: int | None = None
    interactive: bool = False


def read_cph(folder: Path, program: Path) -> CphProblem | None:
    """Read the newest file that cph keeps for `program` below `folder`; None if there is none.

    Raises UsageError, naming the file and the key, for values that cph would not write.
    """
    kept = folder / FOLDER
    paths = sorted(kept.glob(f".{_literal(program.name)}_*.prob")) if program.name and kept.is_dir() else []
    listened = kept / LISTENED
    if not paths and listened.is_file():
        paths = [listened]
    if not paths:
        return None
    path = max(paths, key=lambda path: path.stat().st_mtime_ns)
    values = _values(path)
    try:
        samples = tuple((str(test["input"]), str(test["output"])) for test in values["tests"])
    except (KeyError, TypeError) as error:
        raise UsageError(f"{path}: not what cph writes: {error}") from error
    milliseconds = _limit(values, "timeLimit", 1, _MOST_SECONDS * 1000, path)
    memory = _limit(values, "memoryLimit", _LEAST_MIB, _MOST_MIB, path)
    return CphProblem(
        path=path,
        samples=samples,
        time_limit_s=milliseconds / 1000 if milliseconds is not None else None,
        memory_mib=int(memory) if memory is not None else None,
        interactive=values.get("interactive") is True,
    )


def _literal(name: str) -> str:
    """Return a glob that matches only this name."""
    return "".join(f"[{char}]" if char in "*?[" else char for char in name)


def _values(path: Path) -> Mapping[str, Any]:
    try:
        with path.open("rb") as file:
            text = file.read(_MOST_BYTES + 1)
        if len(text) > _MOST_BYTES:
            raise ValueError(f"more than {_MOST_BYTES} bytes")
        values = json.loads(text.decode())
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"{path}: not what cph writes: {error}") from error
    if not isinstance(values, dict):
        raise UsageError(f"{path}: not what cph writes: expected an object")
    return values


def _limit(values: Mapping[str, Any], key: str, least: int, most: int, path: Path) -> float | None:
    """Return a limit; None where it is missing or 0."""
    value = values.get(key)
    if value is None or value == 0:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise UsageError(
            f"{path}: `{key}` must be a number from {least} to {most}: correct the file, or remove it"
        )
    return value
