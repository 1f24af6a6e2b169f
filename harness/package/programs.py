"""The programs of a package: a file or a folder each, constants substituted (2025-09, "Programs")."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from harness.package.checktestdata import CHECKTESTDATA, SourceError, as_python
from harness.package.constants import Constants, substituted
from harness.package.files import File, Files, below
from harness.package.findings import Findings
from harness.package.headers import HEADERS, nearest, with_headers
from harness.package.model import Program
from harness.values import dataclass

LARGEST_FILE = 64 << 20
PYTHON_2 = "python2"

NO_PROGRAMS = (
    ".txt", ".md", ".pdf", ".yaml", ".yml", ".json", ".in", ".ans", ".out", ".class", ".o", ".exe", ".orig",
    ".bak", ".disabled",
)  # fmt: skip
_MISNAMED = ("submissions.yml", "submission.yaml")
_UNSUPPORTED = {".viva": "VIVA"}
_SHEBANG_2 = re.compile(rb"#![^\n]{0,200}python2")
# Syntax of Python 2 only: for old packages whose programs do not state their Python version.
_WORDS_OF_2 = re.compile(rb"^[ \t]*print[ \t]+[\"'\w]|\braw_input[ \t]*\(|\bxrange[ \t]*\(", re.MULTILINE)
_MAIN = re.compile(rb"\bmain\s{0,9}\(")
_IMPORTED = re.compile(rb"^[ \t]*(?:from[ \t]+\.?|import[ \t]+)([A-Za-z0-9_]+)", re.MULTILINE)
_KINDS = {".c": "c", ".py": "py"} | dict.fromkeys((".cc", ".cpp", ".cxx", ".c++", ".C"), "cpp")


@dataclass(frozen=True, kw_only=True)
class ProgramReader:
    """Read the programs of a package. guess_python_2: old packages do not state the Python version.

    answers: submissions are data (submit-answer), so files of any extension count.
    """

    files: Files
    constants: Constants
    findings: Findings
    guess_python_2: bool = False
    answers: bool = False

    def judge_programs(self, folder: str) -> tuple[Program, ...]:
        """Return the judge programs of `folder`, each a file or folder directly in it, sorted by name.

        With a `build` or `run` directly in it, or parts of one program, the files belong together, as on DOMjudge.
        """
        inside = below(self.files, folder)
        if inside.keys() & {"build", "run"}:
            whole = self.judge_program(folder)
            return () if whole is None else (whole,)
        names = sorted({path.split("/")[0] for path in inside})
        programs = (self.judge_program(f"{folder}/{name}") for name in names)
        return joined(program for program in programs if program is not None)

    def judge_program(self, path: str) -> Program | None:
        """Return the judge program at `path` with the headers that it includes; None, with a warning, if it is none."""
        if not self._is_program(path):
            return None
        program = self.program(path)
        return self._translated(program) if _is_checktestdata(program) else self._with_headers(program)

    def folder_program(self, folder: str) -> Program | None:
        """Return the folder as a program; a single file in it is the program itself."""
        inside = {path: file for path, file in below(self.files, folder).items() if not path.endswith(NO_PROGRAMS)}
        if not inside:
            return None
        first = next(iter(inside))
        if len(inside) == 1 and "/" not in first:
            return self.judge_program(f"{folder}/{first}")
        parts = {path.split("/")[0] for path in inside}
        # Some packages put the program one folder deeper, as in the older format.
        return self.judge_program(f"{folder}/{parts.pop()}" if len(parts) == 1 else folder)

    def program(self, path: str) -> Program:
        """Return the program at `path`: a single file, or all files below a folder."""
        single = path in self.files
        chosen = {path.rpartition("/")[2]: self.files[path]} if single else below(self.files, path)
        files = {name: self._substituted(file) for name, file in chosen.items()}
        return Program(path=path, files=files, language=self._python_2(files))

    def submissions(self) -> tuple[Program, ...]:
        """Return the submissions: the files and folders one level below each folder of submissions/."""
        submissions = []
        for folder in sorted({path.split("/")[0] for path in below(self.files, "submissions") if "/" in path}):
            names = sorted({path.split("/")[0] for path in below(self.files, f"submissions/{folder}")})
            for name in names:
                path = f"submissions/{folder}/{name}"
                no_program = path in self.files and name.endswith((*NO_PROGRAMS, *HEADERS))
                if no_program and not self.answers:
                    self.findings.warn(self.files[path].origin, "no program by its ending: not judged")
                else:
                    submissions.append(replace(self.program(path), path=f"{folder}/{name}"))
        for path, file in below(self.files, "submissions").items():
            if "/" not in path and path not in ("submissions.yaml", "submissions.json"):
                fix = "rename it to submissions.yaml" if path in _MISNAMED else "not judged; move it into a folder"
                self.findings.warn(file.origin, f"lies directly in submissions/: {fix}")
        return tuple(submissions)

    def _substituted(self, file: File) -> File:
        if file.size() > LARGEST_FILE:
            self.findings.fault(file.origin, f"a program's file of more than {LARGEST_FILE >> 20} MiB")
            return replace(file, content=b"")
        return substituted(file, self.constants)

    def _python_2(self, files: Files) -> str | None:
        scripts = [file.read() for name, file in files.items() if name.endswith(".py")]
        if any(_SHEBANG_2.match(text) for text in scripts):
            return PYTHON_2
        guessed = self.guess_python_2 and any(_WORDS_OF_2.search(text) for text in scripts)
        return (
            PYTHON_2
            if guessed and not any(text.startswith(b"#!") and b"python3" in text[:200] for text in scripts)
            else None
        )

    def _is_program(self, path: str) -> bool:
        names = [path] if path in self.files else list(below(self.files, path))
        endings = {PurePosixPath(name).suffix for name in names}
        unsupported = next((_UNSUPPORTED[ending] for ending in sorted(endings) if ending in _UNSUPPORTED), None)
        if unsupported is not None and endings <= {*_UNSUPPORTED, *NO_PROGRAMS, ""}:
            self._warn(path, f"{path}: {unsupported} programs are not supported; this one is not run")
            return False
        if path in self.files and endings & {*HEADERS, *NO_PROGRAMS}:
            if not endings & set(HEADERS):
                self._warn(path, "no program by its ending: not run")
            return False
        if path in self.files and "" in endings and not self.files[path].executable:
            self._warn(path, "not run: its name does not tell its language; give it an ending, such as .py")
            return False
        return True

    def _translated(self, program: Program) -> Program | None:
        """Translate a program in checktestdata's language to Python; None, with a warning, if it is faulty."""
        [(name, file)] = program.files.items()
        try:
            text = as_python(file.read().decode("latin-1"))
        except SourceError as error:
            self.findings.warn(file.origin, f"{error}: this input validator is not run", error.line)
            return None
        python = name.removesuffix(CHECKTESTDATA) + ".py"
        return replace(program, files={python: replace(file, content=text.encode("utf-8"))})

    def _with_headers(self, program: Program) -> Program:
        near = nearest(self.files, program.path)

        def find(base: str) -> File | None:
            header = near(base)
            return self._substituted(header) if header is not None else None

        return with_headers(program, find)

    def _warn(self, path: str, message: str) -> None:
        file = self.files.get(path)
        first = file or next(iter(below(self.files, path).values()))
        self.findings.warn(first.origin if file is not None else first.origin.parent, message)


def _is_checktestdata(program: Program) -> bool:
    return len(program.files) == 1 and next(iter(program.files)).endswith(CHECKTESTDATA)


def joined(programs: Iterable[Program]) -> tuple[Program, ...]:
    """Return the programs of a folder, with files that are parts of a program joined to it.

    In the format each file is a separate program; for DOMjudge all files of a folder are one. A file without `main`,
    and a script that another script imports, is a part.
    """
    all_programs = tuple(programs)
    for kind, parts_of in (("c", _without_main), ("cpp", _without_main), ("py", _imported)):
        loose = [program for program in all_programs if _kind(program) == kind]
        parts = parts_of(loose) if len(loose) > 1 else []
        wholes = [program for program in loose if program not in parts]
        if parts and wholes:
            whole = {
                program.path: _with(program, _used(program, parts) if kind == "py" else parts)
                for program in wholes
            }
            all_programs = tuple(
                whole.get(program.path, program) for program in all_programs if program not in parts
            )
    return all_programs


def _kind(program: Program) -> str | None:
    """Return the language of a program of one source file (and perhaps headers); None for a folder."""
    path = PurePosixPath(program.path)
    return _KINDS.get(path.suffix) if path.name in program.files else None


def _without_main(programs: Sequence[Program]) -> list[Program]:
    """Return the programs without a `main` in their sources or headers."""
    return [
        program
        for program in programs
        if not any(_MAIN.search(file.read()) is not None for file in program.files.values())
    ]


def _imported(programs: Sequence[Program]) -> list[Program]:
    stems = {PurePosixPath(program.path).stem: program for program in programs}
    imported = {
        word.decode()
        for stem, program in stems.items()
        for file in program.files.values()
        for word in _IMPORTED.findall(file.read())
        if word.decode() != stem
    }
    return [program for stem, program in stems.items() if stem in imported]


def _used(program: Program, parts: Sequence[Program]) -> list[Program]:
    """Return the scripts that a program imports, and those that these import."""
    used: list[Program] = []
    pending = [program]
    while pending:
        words = {word.decode() for file in pending.pop().files.values() for word in _IMPORTED.findall(file.read())}
        imported = [part for part in parts if PurePosixPath(part.path).stem in words and part not in used]
        used += imported
        pending += imported
    return used


def _with(program: Program, parts: Sequence[Program]) -> Program:
    name = PurePosixPath(program.path).name
    brought = {path: file for part in parts for path, file in part.files.items()}
    entrypoint = name if parts and name.endswith(".py") else program.entrypoint
    return replace(program, files={**brought, **program.files}, entrypoint=entrypoint)
