"""Find the samples of a folder: pairs of files, as oj and others save them, or what cph keeps."""

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from harness.errors import UsageError
from harness.package import Case
from harness.package.cph import FOLDER, read_cph
from harness.package.files import OLD_NAME, File

FOLDERS = ("test", "tests", "samples", "sample", "testcases", ".")
FOLDERS_IN_WORDS = f"{', '.join(FOLDERS[:-2])} or {FOLDERS[-2]}"  # the last one is the folder itself
_BEGINNING = 4096  # bytes that are looked at for CR LF
_ANSWERS = (".out", ".ans", ".a", ".diff", ".expected")


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
