"""The public sets: pairs of a wrong and a right program, with what is public of their problem.

Layouts as their authors publish them; nothing is fetched here and no file of them is kept in this project.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

Test = tuple[bytes, bytes]  # input and answer

_CONTEST = re.compile(r"(\d+)-(\w+)-bug-(\d+)-(\d+)$")
_KINDS = ("wrong_answer", "run_time_error", "time_limit_exceeded", "rejected")
_LANGUAGES = (".c", ".cc", ".cpp", ".py", ".java", ".py3")
_SAMPLES = 2


@dataclass(frozen=True, kw_only=True)
class Pair:
    """A program to break and an accepted one of the same problem.

    samples: the tests that the search may see. tests: all other tests that are whole, first that on which the judge
    rejected the wrong program (`has_failing`). others: more accepted programs. package: of sets that are packages.
    """

    problem: str
    wrong: Path
    right: Path
    samples: Sequence[Test] = ()
    tests: Sequence[Test] = ()
    has_failing: bool = False
    others: Sequence[Path] = ()
    package: Path | None = None
    is_slow: bool = False

    @property
    def name(self) -> str:
        """The problem and the program."""
        return f"{self.problem}/{self.wrong.parent.name if self.package is None else self.wrong.name}"


def codeflaws(folder: Path) -> Iterator[Pair]:
    """Pairs of contests with an odd number; even ones are kept aside. Tests that the judge shortened are left out."""
    problems: dict[str, list[tuple[Path, str, str]]] = {}
    for path in sorted(folder.iterdir()):
        named = _CONTEST.match(path.name)
        if named and int(named[1]) % 2:
            problems.setdefault(f"{named[1]}-{named[2]}", []).append((path, named[3], named[4]))
    for problem, pairs in problems.items():
        rights = {right: path / f"{problem}-{right}.c" for path, _, right in pairs}
        for path, wrong, right in pairs:
            program = path / f"{problem}-{wrong}.c"
            if not (program.is_file() and rights[right].is_file()):
                continue  # a checkout that is not whole
            failing = _whole(path, "input-neg1", "output-neg1")
            held_out = [
                _whole(path, f"heldout-input-pos{number}", f"heldout-output-pos{number}")
                for number in range(1, len(list(path.glob("heldout-input-pos*"))) + 1)
            ]
            whole = [test for test in held_out if test is not None]
            yield Pair(
                problem=problem,
                wrong=program,
                right=rights[right],
                samples=whole[:_SAMPLES],
                tests=[*([failing] if failing else []), *whole[_SAMPLES:]],
                has_failing=failing is not None,
                others=[other for name, other in rights.items() if name != right and other.is_file()],
            )


def condefects(folder: Path) -> Iterator[Pair]:
    """Pairs of the tasks `abc*`, Python and Java, without any test."""
    for task in sorted((folder / "Code").glob("abc*/*")):
        versions = sorted(task.iterdir())
        rights = [next(version.glob("correctVersion.*"), None) for version in versions]
        for version, right in zip(versions, rights, strict=True):
            wrong = next(version.glob("faultyVersion.*"), None)
            if wrong is not None and right is not None:
                others = [other for other in rights if other is not None and other != right]
                yield Pair(problem=f"{task.parent.name}-{task.name}", wrong=wrong, right=right, others=others)


def packages(folder: Path) -> Iterator[Pair]:
    """Each rejected submission of each package, with the accepted ones beside it."""
    for declaration in sorted(folder.rglob("problem.yaml")):
        package = declaration.parent
        submissions = package / "submissions"
        accepted = _programs(submissions / "accepted")
        samples = [
            (path.read_bytes(), path.with_suffix(".ans").read_bytes())
            for path in sorted((package / "data" / "sample").glob("*.in"))
            if path.with_suffix(".ans").is_file()
        ]
        for kind in _KINDS if accepted else ():
            for wrong in _programs(submissions / kind):
                yield Pair(
                    problem=package.name,
                    wrong=wrong,
                    right=accepted[0],
                    samples=samples,
                    others=accepted[1:],
                    package=package,
                    is_slow=kind == "time_limit_exceeded",
                )


def _programs(folder: Path) -> list[Path]:
    """Programs of one file, those in compiled languages first."""
    files = [path for path in folder.iterdir() if path.suffix in _LANGUAGES] if folder.is_dir() else []
    return sorted(files, key=lambda path: (_LANGUAGES.index(path.suffix), path.name))


def _whole(folder: Path, given: str, answer: str) -> Test | None:
    """A test; None where it is missing, or the judge cut it off ("...")."""
    paths = folder / given, folder / answer
    if not all(path.is_file() for path in paths):
        return None
    data, right = (path.read_bytes() for path in paths)
    if data.rstrip().endswith(b"...") or right.rstrip().endswith(b"...") or not data.strip():
        return None
    return data.rstrip(b"\n") + b"\n", right


SETS = {"codeflaws": codeflaws, "condefects": condefects, "packages": packages}
