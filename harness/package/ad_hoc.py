"""A problem without a package: a folder of samples, a checker, limits from the command line; made into a Package."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from harness.errors import UsageError
from harness.package import Case, Group, Package, ProblemType, Program
from harness.package.cph import read_cph
from harness.package.files import File
from harness.package.model import CaseSettings, ProblemLimits
from harness.values import dataclass

FOLDERS = ("test", "tests", "samples", "sample", "testcases", ".")
DEFAULT_TIME_LIMIT_S, DEFAULT_MEMORY_MIB, DEFAULT = 2.0, 1024, "default"
_ANSWERS = (".out", ".ans", ".a", ".diff", ".expected")


@dataclass(frozen=True, kw_only=True)
class Loose:
    """What is known of such a problem. arguments: those of the default output validator.

    interactive: the checker is the interactor.
    """

    name: str
    root: Path
    cases: Sequence[Case] = ()
    limits: ProblemLimits
    checker: Program | None = None
    validator: Program | None = None
    arguments: Sequence[str] = ()
    interactive: bool = False

    def package(self) -> Package:
        """As a package whose samples are the cases."""
        settings = CaseSettings(output_validator_args=tuple(self.arguments))
        cases = [
            Case(name=case.name, input=case.input, answer=case.answer, settings=settings) for case in self.cases
        ]
        return Package(
            slug=self.name,
            root=self.root,
            files={},
            names={"en": self.name},
            types=frozenset({ProblemType.PASS_FAIL, *({ProblemType.INTERACTIVE} if self.interactive else ())}),
            limits=self.limits,
            constants={},
            authors=(),
            source=None,
            license="unknown",
            statements={},
            sample=Group(name="sample", cases=tuple(cases)),
            secret=Group(name="secret"),
            invalid_inputs=(),
            input_validators=(self.validator,) if self.validator is not None else (),
            output_validators=(self.checker,) if self.checker is not None else (),
            submissions=(),
            rules=(),
        )


@dataclass(frozen=True, kw_only=True)
class StatedLimits:
    """The limits of such a problem, and who states each: an option, a file of cph, or the default.

    cph: the file that cph keeps, if there is one. interactive: it says that the problem is.
    """

    time_limit_s: float
    time_from: str
    memory_mib: int
    memory_from: str
    cph: Path | None = None
    interactive: bool = False

    @property
    def limits(self) -> ProblemLimits:
        """As a package has them."""
        return ProblemLimits(time_limit_s=self.time_limit_s, memory_mib=self.memory_mib)


def stated_limits(
    folders: Iterable[Path], program: Path, *, time_limit_s: float | None, memory_mib: int | None
) -> StatedLimits:
    """The limits as given, or else as cph keeps them for `program` in the first of `folders`, or else the defaults."""
    kept = next(filter(None, (read_cph(folder, program) for folder in folders)), None)
    file = str(kept.path) if kept is not None else ""
    times = (
        (time_limit_s, "--time-limit"),
        (kept.time_limit_s if kept is not None else None, file),
        (DEFAULT_TIME_LIMIT_S, DEFAULT),
    )
    memories = (
        (memory_mib, "--memory"),
        (kept.memory_mib if kept is not None else None, file),
        (DEFAULT_MEMORY_MIB, DEFAULT),
    )
    time_s, time_from = next((value, name) for value, name in times if value is not None)
    memory, memory_from = next((value, name) for value, name in memories if value is not None)
    return StatedLimits(
        time_limit_s=time_s,
        time_from=time_from,
        memory_mib=memory,
        memory_from=memory_from,
        cph=kept.path if kept is not None else None,
        interactive=kept is not None and kept.interactive,
    )


def samples_in(folder: Path, program: Path, *, unanswered: bool = False) -> list[Case]:
    """The samples of a folder, or of the first usual folder in it. Raises UsageError when there are none.

    unanswered: also return inputs without an answer.
    """
    folders = [folder / name for name in FOLDERS]
    for place in folders:
        samples = list(_pairs(place, unanswered=unanswered)) if place.is_dir() else []
        if samples:
            return samples
    samples = list(_of_cph(folder, program))
    if samples:
        return samples
    alone = unanswered_in(folder)
    if alone:
        raise UsageError(f"{alone[0]}: no answer beside it: expected {alone[0].stem}.out or {alone[0].stem}.ans")
    raise UsageError(
        f"{folder.absolute()}: no samples: expected pairs as 1.in and 1.out (or .ans), in1.txt and out1.txt, "
        "there or in test/"
    )


def sample_folder(program: Path, *, unanswered: bool = False) -> Path | None:
    """Where a program's samples lie: here, as oj looks for them, or else beside the program. None: in neither."""
    places = (Path(), program.parent)
    return next((place for place in places if has_samples(place, program, unanswered=unanswered)), None)


def samples_of(program: Path, *, unanswered: bool = False) -> list[Case]:
    """The samples of a program as `sample_folder` finds them; none where it finds no folder."""
    folder = sample_folder(program, unanswered=unanswered)
    return samples_in(folder, program, unanswered=unanswered) if folder is not None else []


def has_samples(folder: Path, program: Path, *, unanswered: bool = False) -> bool:
    """Whether samples of the program lie in the folder."""
    try:
        return bool(samples_in(folder, program, unanswered=unanswered))
    except UsageError:
        return False


def unanswered_in(folder: Path) -> list[Path]:
    """The inputs without an answer, in the first usual folder that holds inputs."""
    for place in [folder / name for name in FOLDERS]:
        given = list(_pairs(place, unanswered=True)) if place.is_dir() else []
        if given:
            return [case.input.origin for case in given if case.answer is None]
    return []


def _pairs(folder: Path, *, unanswered: bool) -> Iterator[Case]:
    names = sorted((path.name for path in folder.iterdir() if path.is_file()), key=_natural)
    existing = set(names)
    for name in names:
        answer = next((other for other in _answers_to(name) if other in existing), None)
        if answer is not None:
            yield _case(Path(name).stem, File(origin=folder / name), File(origin=folder / answer))
        elif unanswered and name.endswith(".in"):
            yield _case(Path(name).stem, File(origin=folder / name), None)


def _answers_to(name: str) -> Iterator[str]:
    """The names under which the answer to an input may lie."""
    stem, dot, end = name.rpartition(".")
    if end == "in":
        yield from (f"{stem}{answer}" for answer in _ANSWERS)
    for word, other in (("input", "output"), ("in", "out"), ("in", "ans"), ("input", "answer")):
        if name.startswith(word) and dot:
            yield other + name.removeprefix(word)
        if stem.endswith((f"_{word}", f"-{word}", f".{word}")) and dot:
            yield f"{stem.removesuffix(word)}{other}.{end}"


def _of_cph(folder: Path, program: Path) -> Iterator[Case]:
    """The samples that the editor extension cph keeps for a program."""
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
    legal = re.sub(r"[^A-Za-z0-9_.-]", "_", name)
    return Case(name=f"sample/{legal}", input=given, answer=answer)


def _natural(name: str) -> list[tuple[int, int, str]]:
    """2 before 10; digits beyond reason are text."""
    parts: Iterable[str] = re.findall(r"\d{1,18}|\D+|\d+", name)
    return [
        (0, int(part), "") if part.isascii() and part.isdecimal() and len(part) < 19 else (1, 0, part)
        for part in parts
    ]


def comparison_arguments(options: Mapping[str, str | bool | None]) -> tuple[str, ...]:
    """The arguments of the default output validator: those that are on, and those that have a value with it."""
    given = {name: value for name, value in options.items() if value not in (None, False)}
    return tuple(
        word for name, value in given.items() for word in ((name,) if value is True else (name, str(value)))
    )
