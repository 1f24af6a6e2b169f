"""The programs of a Polygon package: checker and interactor, validators, generators, and the tests of the first two."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path, PurePosixPath

import yaml

from harness.errors import first_few
from harness.package.files import File, Files, below
from harness.package.findings import Findings
from harness.package.formats.polygon_tests import Test, numbered, unix
from harness.package.headers import C_LIKE, HEADERS, ORIGINAL, nearest, with_headers
from harness.package.model import Program
from harness.package.xml_lines import Element
from harness.values import dataclass

OUTPUT_VALIDATOR = "output_validator"
# The sources in it where an interactor hands over to a checker.
INTERACTOR, CHECKER = "interactor.cpp", "checker.cpp"
_INTERACTOR_BUILD = b"""\
#!/bin/sh -e
# The interactor hands over to the checker when it ends well (testlib.h).
cd -- "$(dirname -- "$0")"
g++ -std=gnu++20 -O2 -o run interactor.cpp
g++ -std=gnu++20 -O2 -o checker checker.cpp
"""
_GENERATOR_BUILD = b"""\
#!/bin/sh -e
cd -- "$(dirname -- "$0")"
for source in *.c*; do g++ -std=gnu++20 -O2 -o generator "$source"; done
"""
# A generator of several tests writes files that are called by the numbers of these, with leading zeros or without.
_GENERATOR_RUN = b"""\
#!/bin/sh -e
# FILE ARGUMENTS...: one of the files that the generator writes
program=$(cd -- "$(dirname -- "$0")" && pwd)/generator
file=$1
shift
cd -- "$(mktemp -d)"
"$program" "$@" > /dev/null
for name in "$file" "0$file" "00$file"; do
    if [ -f "$name" ]; then exec cat -- "$name"; fi
done
echo "the generator writes no file $file" >&2
exit 1
"""
_OF_SHELL = ("|", ">", "<", ";", "&&")
_OF_FREEMARKER = ("${", "<#")
_NAMED = 3  # tests that one fault names
# Stands before the source of a checker whose points are a share of the test's, in percent.
_PERCENT_KEY = "treat-points-from-checker-as-percent"
PERCENT = b"#define HARNESS_POINTS_ARE_PERCENT\n#line 1\n"


@dataclass(frozen=True, kw_only=True)
class Layout:
    """The Polygon package and the files made from it so far. manifest: problem.xml."""

    files: Files
    problem: Element
    findings: Findings
    manifest: Path
    made: dict[str, File] = field(default_factory=dict)
    absent: dict[tuple[Path, str], list[Test]] = field(default_factory=dict)  # by the file that is wrong, and why

    def report_absent(self) -> None:
        """Add a fault for each reason why tests are absent."""
        for (origin, why), tests in self.absent.items():
            names = first_few([test.path for test in tests], _NAMED)
            self.findings.fault(origin, f"{names}: not found, and {why}", tests[0].stated[1])

    def fault(self, element: Element, message: str) -> None:
        self.findings.fault(self.manifest, message, element.line)

    def warn(self, element: Element, message: str) -> None:
        self.findings.warn(self.manifest, message, element.line)

    def add_yaml(self, path: str, values: Mapping[str, object]) -> None:
        text = yaml.safe_dump(dict(values), sort_keys=False, allow_unicode=True, width=1000)
        self.made[path] = File(origin=self.manifest, content=text.encode())

    def add_script(self, path: str, text: bytes) -> None:
        self.made[path] = File(origin=self.manifest, content=text, executable=True)

    def source(self, element: Element | None, what: str) -> tuple[str, File] | None:
        """Return the source of an element of assets, its name and file; None, with a fault, if it is missing."""
        if element is None:
            return None
        source = element.find("source")
        if source is None:
            self.fault(element, f"{what} has no <source>: add it, or remove the element")
            return None
        path = path_of(source)
        file = self.files.get(path)
        if file is None:
            where = f"{path or 'without a path'}, is not in the package: add it or correct the path"
            self.fault(source, f"the source of {what}, {where}")
            return None
        return PurePosixPath(path).name, file

    @cached_property
    def executables(self) -> dict[str, str]:
        """Return the sources of executables in the package, by program name."""
        paths = map(path_of, self.problem.all("files/executables/executable/source"))
        return {PurePosixPath(path).stem: path for path in paths}


def add_headers(layout: Layout) -> None:
    """Lay out the files that programs may include by name, from any folder."""
    for element in layout.problem.all("files/resources/file"):
        path = path_of(element)
        if path.endswith((*HEADERS, *C_LIKE)) and path in layout.files:
            layout.made[f"generators/{PurePosixPath(path).name}"] = layout.files[path]
    for path, file in below(layout.files, "files").items():
        if path.endswith(HEADERS):
            layout.made.setdefault(f"generators/{PurePosixPath(path).name}", file)


def add_checker(layout: Layout) -> None:
    """Lay out the output validator: the checker, or the interactor, which then calls the checker."""
    assets, judging = layout.problem.find("assets"), layout.problem.find("judging")
    checker = layout.source(layout.problem.find("assets/checker"), "the checker")
    interactor = layout.source(layout.problem.find("assets/interactor"), "the interactor")
    if assets is None or assets.find("checker") is None:
        layout.warn(assets or layout.problem, "no checker: outputs are compared token by token")
    if checker is not None and not _is_of_testlib(layout, *checker):
        layout.findings.fault(checker[1].origin, "does not include testlib.h, so how it judges is not known")
    elif checker is not None and judging is not None and judging.get(_PERCENT_KEY) == "true":
        checker = checker[0], replace(checker[1], content=PERCENT + checker[1].read())
    if interactor is not None and checker is not None:
        layout.add_script(f"{OUTPUT_VALIDATOR}/build", _INTERACTOR_BUILD)
        interactor, checker = (INTERACTOR, interactor[1]), (CHECKER, checker[1])
    for source in (interactor, checker):
        if source is not None:
            layout.made[f"{OUTPUT_VALIDATOR}/{source[0]}"] = source[1]


def _is_of_testlib(layout: Layout, name: str, file: File) -> bool:
    """Return whether a program includes testlib.h, directly or by a header of the package."""
    program = Program(path=f"files/{name}", files={name: file})
    return ORIGINAL in with_headers(program, nearest(layout.files, program.path)).files


def add_validators(layout: Layout) -> bool:
    """Lay out the input validators; return whether they take testlib's arguments."""
    added = False
    for element in layout.problem.all("assets/validators/validator"):
        source = layout.source(element, "a validator")
        if source is None:
            continue
        if not _is_of_testlib(layout, *source):
            layout.findings.warn(source[1].origin, "a validator that does not include testlib.h: not run")
            continue
        layout.made[f"input_validators/{source[0]}"] = source[1]
        added = True
    return added


def command_of(layout: Layout, test: Test, generators: dict[str, list[str]]) -> str | None:
    """Return the generator's call for the recipe, adding its program to `generators`; None if there is no call."""
    words = _words(test.command)
    name = _generator(layout, words[0]) if words else None
    why = _why_not(layout, test.command, words, name)
    if name is None or why:
        if test.input is None:
            layout.absent.setdefault((test.stated[0], why), []).append(test)
        return None
    path = layout.executables[name]
    source = PurePosixPath(path).name
    layout.made[f"generators/{source}"] = layout.files[path]
    if not test.from_file:
        generators[name] = [source]
        return shlex.join([name, *words[1:]])
    layout.add_script("generators/build", _GENERATOR_BUILD)
    layout.add_script("generators/run", _GENERATOR_RUN)
    generators[f"{name}.file"] = [source, "build", "run"]
    return shlex.join([f"{name}.file", test.from_file, *words[1:]])


def _why_not(layout: Layout, command: str, words: Sequence[str], name: str | None) -> str:
    """Return why a generator's call cannot be run, "" if it can. name: of the executable that it names."""
    if not words:
        return "no generator makes it: add the file, or a call of a generator (`cmd`)"
    pipe = next((word for word in words if word in _OF_SHELL), None)
    mark = next((mark for mark in _OF_FREEMARKER if mark in command), None)
    if pipe is not None:
        return f"its call `{command}` is one of a shell (`{pipe}`): put the test in"
    if mark is not None:
        why = f"its call `{command}` is of a script that is not expanded (`{mark}`)"
        return f"{why}: use the package that Polygon builds"
    if name is None:
        return f"its generator `{words[0]}` is not among the <executables>: add it there, or put the test in"
    if layout.executables[name] not in layout.files:
        return f"{layout.executables[name]}, the source of its generator, is not in the package: add it"
    return ""


def _generator(layout: Layout, word: str) -> str | None:
    """Return the executable that a call names: by its name, or by its Windows file name."""
    base = word.replace("\\", "/").rpartition("/")[2]
    return next((name for name in (base, PurePosixPath(base).stem) if name in layout.executables), None)


def add_program_tests(layout: Layout) -> None:
    """Lay out the tests of validators and of the checker, as far as 2025-09 supports them."""
    for number, validator in enumerate(layout.problem.all("assets/validators/validator")):
        for index, test in enumerate(validator.all("testset/tests/test"), start=1):
            file = _test_file(layout, validator, "input-path-pattern", index)
            if test.get("verdict").upper() == "INVALID" and file is not None:
                layout.made[f"data/invalid_input/{number}-{index:02d}.in"] = file
    checker = layout.problem.find("assets/checker")
    for index, test in enumerate(checker.all("testset/tests/test") if checker is not None else (), start=1):
        patterns = {".in": "input-path-pattern", ".out": "output-path-pattern", ".ans": "answer-path-pattern"}
        files = {end: _test_file(layout, checker, pattern, index) for end, pattern in patterns.items()}
        folder = {"OK": "valid_output", "CRASHED": ""}.get(test.get("verdict").upper(), "invalid_output")
        if folder and layout.problem.find("assets/interactor") is None and all(files.values()):
            for end, file in files.items():
                if file is not None:
                    layout.made[f"data/{folder}/{index:02d}{end}"] = file


def _test_file(layout: Layout, program: Element | None, pattern: str, index: int) -> File | None:
    element = program.find(f"testset/{pattern}") if program is not None else None
    return unix(layout.files.get(numbered(element.text, index) or "")) if element is not None else None


def path_of(element: Element) -> str:
    return element.get("path").replace("\\", "/")


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return command.split()
