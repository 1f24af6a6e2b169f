"""Polygon: a folder with problem.xml, its files laid out as those of a package of 2025-09.

Packages "standard" lack the tests that generators make and all answers; those are a recipe here.
"""

import shlex
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from pathlib import Path, PurePosixPath

import yaml

from harness.package.files import File, Files, below
from harness.package.findings import Findings
from harness.package.formats import kattis
from harness.package.formats.polygon_statements import LANGUAGES, add_statements
from harness.package.formats.polygon_tests import Placement, Test, Tests, numbered, place, read_tests, unix
from harness.package.formats.source import Family
from harness.package.headers import C_LIKE, HEADERS, includes_testlib
from harness.package.workspace import RECIPE
from harness.package.xml_lines import Element, parse_xml
from harness.values import dataclass

MANIFEST = "problem.xml"
OUTPUT_VALIDATOR = "output_validator"
# The sources in it where an interactor hands over to a checker.
INTERACTOR, CHECKER = "interactor.cpp", "checker.cpp"
_OUTPUT_MIB = 256  # Polygon states no limit
# The folder of a tag, and what submissions.yaml says where the folder says nothing.
_TAGS: Mapping[str, tuple[str, dict[str, list[str]]]] = {
    "main": ("accepted", {}),
    "accepted": ("accepted", {}),
    "wrong-answer": ("wrong_answer", {}),
    "presentation-error": ("wrong_answer", {}),
    "time-limit-exceeded": ("time_limit_exceeded", {}),
    "memory-limit-exceeded": ("run_time_error", {}),
    "runtime-error": ("run_time_error", {}),
    "failed": ("rejected", {}),
    "rejected": ("rejected", {}),
    "time-limit-exceeded-or-accepted": ("accepted_or_slow", {"permitted": ["AC", "TLE"]}),
    "time-limit-exceeded-or-memory-limit-exceeded": (
        "slow_or_large",
        {"permitted": ["AC", "TLE", "RTE"], "required": ["TLE", "RTE"]},
    ),
}
_VERDICTS: Mapping[str, dict[str, list[str]]] = {
    "accepted": {"permitted": ["AC"]},
    "wrong_answer": {"permitted": ["AC", "WA"], "required": ["WA"]},
    "time_limit_exceeded": {"permitted": ["AC", "TLE"], "required": ["TLE"]},
    "run_time_error": {"permitted": ["AC", "RTE"], "required": ["RTE"]},
    "rejected": {"required": ["RTE", "TLE", "WA"]},
}
_NOT_RUN = ("do-not-run", "not-run")
# The languages of programs, by how their types begin; the first that fits.
_LANGUAGES = (
    ("cpp", "cpp"), ("c.", "c"), ("java", "java"), ("python.2", "python2"), ("python.pypy2", "python2"),
    ("python", "python3"), ("pas", "pascal"), ("csharp", "csharp"), ("kotlin", "kotlin"), ("go", "go"),
    ("rust", "rust"), ("js", "javascript"), ("ruby", "ruby"), ("php", "php"), ("perl", "perl"),
    ("haskell", "haskell"), ("ocaml", "ocaml"),
)  # fmt: skip
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
# Stands before the source of a checker whose points are a share of the test's, in percent.
PERCENT = b"#define HARNESS_POINTS_AREPERCENT\n#line 1\n"


def lay_out(root: Path, files: Files, findings: Findings) -> Files:
    """The files of the package; faults and what is lost go to the findings."""
    file = files[MANIFEST]
    problem = parse_xml(file, findings)
    if problem is None:
        return {}
    if problem.tag != "problem":
        findings.fault(file.origin, f"the root element is <{problem.tag}>: expected <problem>", problem.line)
        return {}
    return _Layout(files=files, problem=problem, findings=findings, manifest=file.origin).made()


FAMILY = Family(name="Polygon", manifests=(MANIFEST,), lay_out=lay_out, read=kattis.read)


@dataclass(frozen=True, kw_only=True)
class _Layout:
    files: Files
    problem: Element
    findings: Findings
    manifest: Path
    made_files: dict[str, File] = field(default_factory=dict)

    def made(self) -> Files:
        tests = read_tests(self.files, self.problem, self.findings)
        self._add_headers()
        self._checker()
        testlib = self._validators()
        placed = place(tests, self.findings, self.manifest, testlib=testlib)
        main = self._solutions(placed)
        languages = add_statements(self.files, self.made_files)
        self._yaml("problem.yaml", self._problem(tests, placed, languages))
        for folder, settings in placed.groups.items():
            self._yaml(f"data/{folder}/test_group.yaml", settings)
        self._data(tests, placed, main)
        self._program_tests()
        self._attachments()
        return dict(sorted(self.made_files.items()))

    def _fault(self, element: Element, message: str) -> None:
        self.findings.fault(self.manifest, message, element.line)

    def _warn(self, element: Element, message: str) -> None:
        self.findings.warn(self.manifest, message, element.line)

    def _yaml(self, path: str, values: Mapping[str, object]) -> None:
        text = yaml.safe_dump(dict(values), sort_keys=False, allow_unicode=True, width=1000)
        self.made_files[path] = File(origin=self.manifest, content=text.encode())

    def _script(self, path: str, text: bytes) -> None:
        self.made_files[path] = File(origin=self.manifest, content=text, executable=True)

    def _source(self, element: Element | None, what: str) -> tuple[str, File] | None:
        """The source of an element of assets: its name and the file; None, with a fault, where it is not there."""
        source = element.find("source") if element is not None else None
        if element is None or source is None:
            return None
        path = _path(source)
        file = self.files.get(path)
        if file is None:
            self._fault(source, f"the source of {what}, {path or 'without a path'}, is not in the package")
            return None
        return PurePosixPath(path).name, file

    def _add_headers(self) -> None:
        """What the programs may include: found by its name wherever it lies."""
        for element in self.problem.all("files/resources/file"):
            path = _path(element)
            if path.endswith((*HEADERS, *C_LIKE)) and path in self.files:
                self.made_files[f"generators/{PurePosixPath(path).name}"] = self.files[path]
        for path, file in below(self.files, "files").items():
            if path.endswith(HEADERS):
                self.made_files.setdefault(f"generators/{PurePosixPath(path).name}", file)

    def _checker(self) -> None:
        """The output validator: the checker, or the interactor, which hands over to it."""
        assets = self.problem.find("assets")
        checker = self._source(self.problem.find("assets/checker"), "the checker")
        interactor = self._source(self.problem.find("assets/interactor"), "the interactor")
        if assets is None or assets.find("checker") is None:
            self._warn(assets or self.problem, "no checker: outputs are compared token by token")
        if checker is not None and not includes_testlib(checker[1].read()):
            self.findings.fault(checker[1].origin, "does not include testlib.h, so how it judges is not known")
        elif checker is not None and self._judging("treat-points-from-checker-as-percent") == "true":
            checker = checker[0], File(origin=checker[1].origin, content=PERCENT + checker[1].read())
        if interactor is None:
            if checker is not None:
                self.made_files[f"{OUTPUT_VALIDATOR}/{checker[0]}"] = checker[1]
            return
        if checker is None:
            self.made_files[f"{OUTPUT_VALIDATOR}/{interactor[0]}"] = interactor[1]
            return
        self._script(f"{OUTPUT_VALIDATOR}/build", _INTERACTOR_BUILD)
        self.made_files[f"{OUTPUT_VALIDATOR}/{INTERACTOR}"] = interactor[1]
        self.made_files[f"{OUTPUT_VALIDATOR}/{CHECKER}"] = checker[1]

    def _judging(self, attribute: str) -> str:
        judging = self.problem.find("judging")
        return judging.get(attribute) if judging is not None else ""

    def _validators(self) -> bool:
        """Lay out the input validators; whether they take testlib's arguments."""
        added = False
        for element in self.problem.all("assets/validators/validator"):
            source = self._source(element, "a validator")
            if source is None:
                continue
            if not includes_testlib(source[1].read()):
                self.findings.warn(source[1].origin, "a validator that does not include testlib.h: not run")
                continue
            self.made_files[f"input_validators/{source[0]}"] = source[1]
            added = True
        return added

    def _solutions(self, placed: Placement) -> str | None:
        """Lay out the solutions with what they must get; the path of the main one."""
        rules: dict[str, object] = {}
        mains: dict[str, str] = {}
        for element in self.problem.all("assets/solutions/solution"):
            tag, source = element.get("tag"), self._source(element, "a solution")
            if source is None:
                continue
            if tag not in _TAGS:
                if tag not in _NOT_RUN:
                    self._warn(element, f"the tag {tag!r} is not known: {source[0]} is not judged")
                continue
            folder, demands = _TAGS[tag]
            path = f"{folder}/{source[0]}"
            self.made_files[f"submissions/{path}"] = source[1]
            mains.setdefault(tag, f"/submissions/{path}")
            rules[path] = {
                "language": _language(element),
                **({"model_solution": True} if tag == "main" else {}),
                **demands,
                **dict(self._group_demands(element, placed)),
            }
        self._yaml("submissions/submissions.yaml", rules)
        if "main" not in mains:
            where = self.problem.find("assets/solutions") or self.problem
            note = self._warn if "accepted" in mains else self._fault
            note(where, "no solution has the tag `main`: answers are made by that")
        return mains.get("main") or mains.get("accepted")

    def _group_demands(self, element: Element, placed: Placement) -> Iterable[tuple[str, object]]:
        for extra in element.all("extra-tags/extra-tag"):
            folders = placed.folders.get(extra.get("group"), ())
            folder, demands = _TAGS.get(extra.get("tag"), ("", {}))
            for name in folders if folder else ():
                yield name, demands or _VERDICTS[folder]

    def _problem(self, tests: Tests, placed: Placement, languages: Iterable[str]) -> dict[str, object]:
        types = ["scoring" if placed.scoring else "pass-fail"]
        if self.problem.find("assets/interactor") is not None:
            types.append("interactive")
        self._note_losses()
        names = {
            LANGUAGES.get(element.get("language"), "en"): element.get("value")
            for element in self.problem.all("names/name")
        }
        short = self.problem.get("short-name") or "problem"
        first = next(iter(names.values()), short)
        return {
            "problem_format_version": "2025-09",
            "type": types,
            "name": {language: names.get(language, first) for language in languages} or names or first,
            "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, self.problem.get("url") or short)),
            "keywords": [tag.get("value") for tag in self.problem.all("tags/tag") if tag.get("value")],
            "limits": {
                "time_limit": tests.time_limit_s,
                "time_resolution": 0.001,
                # Polygon's limit is held to as it is.
                "time_multipliers": {"ac_to_time_limit": 1.0, "time_limit_to_tle": 1.0},
                "memory": tests.memory_mib,
                "output": _OUTPUT_MIB,
                "validation_output": _OUTPUT_MIB,
            },
        }

    def _note_losses(self) -> None:
        judging = self.problem.find("judging") or self.problem
        if judging.get("run-count", "1") not in ("", "1"):
            self._fault(judging, "a solution that runs twice on each test (`run-count`) is not supported")
        names = [judging.get(name) for name in ("input-file", "output-file") if judging.get(name)]
        if names:
            self._warn(
                judging,
                f"solutions read and write files ({', '.join(names)}): here they use standard input and output, "
                "so those that open the files fail",
            )
        scorer = self.problem.find("assets/scorer")
        if scorer is not None:
            self._warn(scorer, "the scorer is not run: points are those of the groups and tests")

    def _data(self, tests: Tests, placed: Placement, main: str | None) -> None:
        """The tests that are there, and a recipe: for what is not there, else for all that was generated."""
        generators: dict[str, list[str]] = {}
        data: dict[str, object] = {}
        for test in tests.tests:
            entry: object = self._command(test, generators) if test.input is None or tests.complete else None
            if test.input is not None and test.answer is None:
                self.made_files[f"generators/tests/{test.index}.in"] = test.input
                entry = {"copy": f"tests/{test.index}"}
            for name in placed.names[test.index]:
                if entry is not None:
                    _put(data, name.split("/"), entry)
                for end, file in ((".in", test.input), (".ans", test.answer)):
                    if file is not None:
                        self.made_files[f"data/{name}{end}"] = file
        if data:
            self._yaml(RECIPE, {"solution": main, "generators": generators, "data": data})
        if not tests.complete and self.problem.find("assets/interactor") is not None:
            message = (
                "the answers of an interactive problem are made by its interactor: absent ones are empty here"
            )
            self._warn(self.problem, f"{message}; take the full package")

    def _command(self, test: Test, generators: dict[str, list[str]]) -> str | None:
        """The generator's call in the recipe's words, its program added to `generators`; None where there is none."""
        words = _words(test.command)
        name = self._generator(words[0]) if words else None
        if name is None:
            why = (
                f"its generator `{words[0]}` is not among the <executables>" if words else "no generator makes it"
            )
            if test.input is None:
                self._fault(test.element, f"{test.path}: not found, and {why}")
            return None
        path = self._executables[name]
        source = PurePosixPath(path).name
        self.made_files[f"generators/{source}"] = self.files[path]
        if not test.from_file:
            generators[name] = [source]
            return shlex.join([name, *words[1:]])
        self._script("generators/build", _GENERATOR_BUILD)
        self._script("generators/run", _GENERATOR_RUN)
        generators[f"{name}.file"] = [source, "build", "run"]
        return shlex.join([f"{name}.file", test.from_file, *words[1:]])

    def _generator(self, word: str) -> str | None:
        """The executable that a call names: by itself, or as the file that Windows would start."""
        base = word.replace("\\", "/").rpartition("/")[2]
        return next((name for name in (base, PurePosixPath(base).stem) if name in self._executables), None)

    @cached_property
    def _executables(self) -> dict[str, str]:
        """The sources of executables that are in the package, by the names of the programs."""
        paths = map(_path, self.problem.all("files/executables/executable/source"))
        return {PurePosixPath(path).stem: path for path in paths if path in self.files}

    def _program_tests(self) -> None:
        """The tests of validators and of the checker, as far as 2025-09 has a place for them."""
        for number, validator in enumerate(self.problem.all("assets/validators/validator")):
            for index, test in enumerate(validator.all("testset/tests/test"), start=1):
                file = self._test_file(validator, "input-path-pattern", index)
                if test.get("verdict").upper() == "INVALID" and file is not None:
                    self.made_files[f"data/invalid_input/{number}-{index:02d}.in"] = file
        checker = self.problem.find("assets/checker")
        for index, test in enumerate(checker.all("testset/tests/test") if checker is not None else (), start=1):
            patterns = {".in": "input-path-pattern", ".out": "output-path-pattern", ".ans": "answer-path-pattern"}
            found = {end: self._test_file(checker, pattern, index) for end, pattern in patterns.items()}
            folder = {"OK": "valid_output", "CRASHED": ""}.get(test.get("verdict").upper(), "invalid_output")
            if folder and self.problem.find("assets/interactor") is None and all(found.values()):
                for end, file in found.items():
                    if file is not None:
                        self.made_files[f"data/{folder}/{index:02d}{end}"] = file

    def _test_file(self, program: Element | None, pattern: str, index: int) -> File | None:
        element = program.find(f"testset/{pattern}") if program is not None else None
        return unix(self.files.get(numbered(element.text, index) or "")) if element is not None else None

    def _attachments(self) -> None:
        """Attachments, and the files that are compiled into every solution."""
        for element in self.problem.all("files/attachments/file"):
            path = _path(element)
            if path in self.files:
                self.made_files[f"attachments/{PurePosixPath(path).name}"] = self.files[path]
        for element in self.problem.all("files/resources/file"):
            path = _path(element)
            assets = {element.get("asset"), *(one.get("name") for one in element.all("assets/asset"))}
            if "solution" in assets and path in self.files:
                code = _language_of(element.get("for-types")) or "cpp"
                self.made_files[f"include/{code}/{PurePosixPath(path).name}"] = self.files[path]


def _path(element: Element) -> str:
    return element.get("path").replace("\\", "/")


def _put(data: dict[str, object], path: Sequence[str], entry: object) -> None:
    """Put an entry of the recipe at its place below `data`."""
    for part in path[:-1]:
        folder = data.setdefault(part, {"data": {}})
        data = folder["data"]  # type: ignore[index]
    data[path[-1]] = entry


def _language(solution: Element) -> str | None:
    source = solution.find("source")
    return _language_of(source.get("type")) if source is not None else None


def _language_of(kind: str) -> str | None:
    return next((code for start, code in _LANGUAGES if kind.startswith(start)), None)


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return command.split()
