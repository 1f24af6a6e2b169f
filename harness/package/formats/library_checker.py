"""Problems of Library Checker (yosupo06/library-checker-problems): info.toml, gen/, sol/, verifier.cpp, checker.cpp.

The folder is laid out as a package of 2025-09. Its programs take `params.h`, made of the constants, and the headers of
the repository's folder common/. A generator gets the number of its case as seed; hash.json is the lock of the data.
"""

import json
import posixpath
import re
import uuid
from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

from harness.package.files import File, Files, below, is_legal, read_folder
from harness.package.findings import Findings
from harness.package.formats.library_checker_info import Info, fault_of_encoding, read_info
from harness.package.formats.source import Family
from harness.package.headers import adapted
from harness.package.model import Program
from harness.package.workspace import LOCK, RECIPE
from harness.values import dataclass

INFO, SUMS, TASK, PARAMS = "info.toml", "hash.json", "task.md", "params.h"
CORRECT = "correct.cpp"
_MEMORY_MIB, _OUTPUT_MIB, _CODE_KIB = 1024, 256, 1024
_MOST_CASES = 10_000  # of a generator
_ABOVE = 4  # folders up to common/
_LONGEST_S = 86_400
_SHA256 = re.compile(r"[0-9a-f]{64}")
_OF_C = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TEST_KEYS = {"name": str, "number": int}
_ALLOWS = {"allow_wa": "WA", "allow_tle": "TLE", "allow_re": "RTE"}
_SOLUTION_KEYS = {"name": str, "expect": str, "wrong": bool, "function": bool, **dict.fromkeys(_ALLOWS, bool)}
_EXPECTED = {"AC": None, "WA": "WA", "TLE": "TLE", "RE": "RTE"}
# Its own tool sets no memory limit: a solution that is over the time limit there may lack memory first here.
_FOLDERS = {None: "accepted", "WA": "wrong_answer", "TLE": "brute_force", "RTE": "run_time_error"}
_MIXED = "mixed"
_COMMON = ("random.h", "fastio.h")
_KEYWORDS = {
    "en": {
        "statement": "Problem Statement", "constraints": "Constraints", "input": "Input", "output": "Output",
    },
    "ja": {"statement": "問題文", "constraints": "制約", "input": "入力", "output": "出力"},
}  # fmt: skip
_MARK = re.compile(r"@\{(\w+)\.(\w+)\}")
_BLOCK = re.compile(r"@\{lang\.(\w+)\}(.*?)(?=@\{lang\.|\Z)", re.DOTALL)
_SAMPLE_HEADING = re.compile(r"^#+ *@\{keyword\.sample\}[ \t\r]*$", re.MULTILINE)  # harness writes one above each
_FENCE = re.compile(r"^```\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]{1,200})"', re.MULTILINE)


def lay_out(root: Path, files: Files, findings: Findings) -> Files:
    """Return the files of the problem at `root`, laid out as a package of 2025-09."""
    info = read_info(files[INFO], findings) if INFO in files else None
    if info is None:
        return {}
    return _Layout(root=root, files=files, common=_common(root), info=info, findings=findings).package()


FAMILY = Family(name="Library Checker", manifests=(INFO,), lay_out=lay_out)


def _common(root: Path) -> Files:
    """Return the headers of the repository, in its folder common/ above the problem."""
    for folder in root.resolve().parents[:_ABOVE]:
        if any((folder / "common" / name).is_file() for name in ("testlib.h", *_COMMON)):
            return read_folder(folder / "common", Findings(), old_names=True)
    return {}


@dataclass(frozen=True, kw_only=True)
class _Layout:
    """A problem being laid out as a package. common: the headers of the repository. made: the package's files."""

    root: Path
    files: Files
    common: Files
    info: Info
    findings: Findings
    made: dict[str, File] = field(default_factory=dict)

    def package(self) -> Files:
        """Lay out all parts; return the package's files."""
        limits = self._limits()
        self._add_yaml("problem.yaml", self._manifest(self._statements(), limits))
        self._judge_program("verifier", "verifier.cpp", "input_validators/verifier")
        self._judge_program("checker", "checker.cpp", "output_validator")
        self._add_yaml(RECIPE, self._recipe())
        self._add_yaml("submissions/submissions.yaml", self._solutions())
        self._lock()
        return dict(sorted(self.made.items()))

    def _limits(self) -> dict[str, float]:
        limits: dict[str, float] = {"memory": _MEMORY_MIB, "output": _OUTPUT_MIB, "code": _CODE_KIB}
        seconds = self.info.values.get("timelimit")
        if "timelimit" not in self.info.stated:
            self.info.fault("no `timelimit`: give the seconds that a solution may take", "timelimit")
        elif seconds is not None and 0 < seconds <= _LONGEST_S:
            limits["time_limit"] = seconds
        elif seconds is not None:
            self.info.fault(
                f"`timelimit` is {seconds}: expected seconds, above 0, at most {_LONGEST_S:,}", "timelimit"
            )
        return limits

    def _manifest(self, languages: tuple[str, ...], limits: dict[str, float]) -> dict[str, Any]:
        slug = self.root.resolve().name
        title = self.info.values.get("title")
        if "title" not in self.info.stated:
            self.info.warn("no `title`: the folder's name stands in", "title")
        return {
            "problem_format_version": "2025-09",
            "name": dict.fromkeys(languages or ("en",), title or slug),
            "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, f"library-checker/{slug}")),
            "limits": limits,
            "constants": {
                name: {"value": value, "tex": _as_tex(value)} for name, value in self._parameters().items()
            },
        }

    def _parameters(self) -> dict[str, int | float | str]:
        parameters = {}
        for name, value in self.info.values.get("params", {}).items():
            if isinstance(value, int | float | str) and not isinstance(value, bool) and _OF_C.fullmatch(name):
                parameters[name] = value
            else:
                self.info.fault(f"`{name}` must be a name of C and its value a number or a text", name, "params")
        return parameters

    def _statements(self) -> tuple[str, ...]:
        """Lay out the statement in each language; returns the languages."""
        if TASK not in self.files:
            return ()
        content = self.files[TASK].read()
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            fault_of_encoding(self.files[TASK], content, error, self.findings)
            return ()
        languages = tuple(code for code in _KEYWORDS if code == "en" or f"@{{lang.{code}}}" in text)
        for code in languages:
            own = _BLOCK.sub(lambda block: block[2] if block[1] in ("end", code) else "", text)  # noqa: B023
            resolved = _MARK.sub(lambda mark: self._meaning(mark, code, text), _SAMPLE_HEADING.sub("", own))  # noqa: B023
            content = _FENCE.sub(_with_formulas, resolved).encode()
            self.made[f"statement/problem.{code}.md"] = replace(self.files[TASK], content=content)
        return languages

    def _meaning(self, mark: re.Match[str], language: str, text: str) -> str:
        """Return the text for a mark of the statement. text: the whole statement, for the line of a fault."""
        kind, name = mark[1], mark[2]
        if kind == "keyword" and name in _KEYWORDS[language]:
            return _KEYWORDS[language][name]
        if kind == "param" and name in self.info.values.get("params", {}):
            return f"{{{{{name}.tex}}}}"
        if kind != "example":
            line = text.count("\n", 0, text.find(mark[0])) + 1
            self.findings.warn(self.files[TASK].origin, f"`{mark[0]}` stands for nothing: correct it", line)
        return "{{nextsample}}" if kind == "example" else mark[0]

    def _recipe(self) -> dict[str, Any]:
        """Return generators.yaml: a call of a generator with its number for each case; examples are samples."""
        generators: dict[str, list[str]] = {}
        data: dict[str, dict[str, Any]] = {"sample": {}, "secret": {}}
        for index, test in self.info.tables("tests", _TEST_KEYS):
            name, number = test.get("name", ""), test.get("number", 0)
            stem, end = posixpath.splitext(name)
            if not is_legal(name) or end not in (".cpp", ".in") or not 0 < number <= _MOST_CASES:
                message = "a test needs the `name` of a .cpp or .in file of gen/, and a `number` of cases"
                self.info.fault(f"{message} from 1 to {_MOST_CASES:,}", "name", "tests", index)
                continue
            if any(f"{stem}_00" in cases for cases in data.values()):
                self.info.fault(
                    f"another test makes {stem}_00.in, too: use each name once", "name", "tests", index
                )
                continue
            if end == ".cpp" and f"gen/{name}" in self.files:
                generators[stem] = self._judge_files("generators", f"gen/{name}")
            elif end == ".cpp":
                self.info.fault(f"gen/{name} is not there: add it or correct the name", "name", "tests", index)
            for seed in range(number):
                case = f"{stem}_{seed:02d}"
                part = "sample" if stem == "example" and end == ".in" else "secret"
                data[part][case] = f"{stem} {seed}" if end == ".cpp" else self._literal(case, index)
        self._report_unused(generators)
        if not any(data.values()) and not self.findings.faults:
            self.info.fault("no [[tests]]: a problem needs at least one", "tests")
        parts = {part: {"data": cases} for part, cases in data.items() if cases}
        return {"solution": f"/submissions/{self._correct()}", "generators": generators, "data": parts}

    def _literal(self, case: str, index: int) -> dict[str, str]:
        path = f"gen/{case}.in"
        if path in self.files:
            self.made[f"generators/{path}"] = self.files[path]
        else:
            self.info.fault(f"{path} is not there: add it or lower the `number`", "number", "tests", index)
        return {"copy": path}

    def _report_unused(self, generators: Mapping[str, list[str]]) -> None:
        for name, file in below(self.files, "gen").items():
            used = name.removesuffix(".cpp") in generators or f"generators/gen/{name}" in self.made
            if name.endswith((".cpp", ".in")) and not used:
                self.findings.warn(file.origin, "no test uses it: name it in [[tests]] of info.toml, or remove it")

    def _judge_program(self, key: str, usual: str, folder: str) -> None:
        path = posixpath.normpath(self.info.values.get(key, usual))
        if path in self.files:
            self._judge_files(folder, path)
        elif key in self.info.values:
            self.info.fault(f"{path} is not there: add it or correct the name", key)
        else:
            self.findings.fault(self.root / usual, f"not found: a problem has a {key}")

    def _correct(self) -> str:
        """Lay out the solution that makes the answers; returns its path below submissions/."""
        if f"sol/{CORRECT}" in self.files:
            return self._solution(CORRECT, _FOLDERS[None])
        self.findings.fault(self.root / "sol" / CORRECT, "not found: it makes the answers")
        return CORRECT

    def _solutions(self) -> dict[str, Any]:
        """Lay out the other solutions by the verdict that each must get; returns the rules of those with several."""
        rules: dict[str, Any] = {}
        named = {CORRECT}
        for index, solution in self.info.tables("solutions", _SOLUTION_KEYS):
            name = solution.get("name", "")
            expect = solution.get("expect", "WA" if solution.get("wrong") else "AC")
            named.add(name)
            if not name:
                self.info.fault("a solution needs the `name` of a file of sol/", "name", "solutions", index)
            elif f"sol/{name}" not in self.files or not is_legal(name):
                self.info.fault(f"sol/{name} is not there: add it or correct the name", "name", "solutions", index)
            elif expect not in _EXPECTED:
                self.info.fault(f"`expect` must be one of {', '.join(_EXPECTED)}", "expect", "solutions", index)
            else:
                required = _EXPECTED[expect]
                allowed = [code for key, code in _ALLOWS.items() if solution.get(key) and code != required]
                if "TLE" in allowed and "RTE" not in (*allowed, required):
                    allowed.append("RTE")  # it may lack memory first
                folder = _MIXED if allowed else _FOLDERS[required]
                path = self._solution(name, folder, function=solution.get("function", False))
                if allowed:
                    rules[path] = {"permitted": ["AC", *allowed, *([required] if required else [])]}
                    rules[path] |= {"required": [required]} if required else {}
        for name, file in below(self.files, "sol").items():
            if "/" not in name and name.endswith((".cpp", ".py")) and name not in named:
                self.findings.warn(file.origin, "info.toml does not name it in [[solutions]]: not judged")
        return rules

    def _solution(self, name: str, folder: str, *, function: bool = False) -> str:
        """Lay out a solution, as a folder if it has headers or a grader; returns its path below submissions/."""
        files = self._with_headers(f"sol/{name}")
        if function and "grader/grader.cpp" in self.files:
            files |= self._with_headers("grader/grader.cpp")
        elif function:
            self.findings.fault(self.root / "grader" / "grader.cpp", "not found: a solution is a function for it")
        flat = {PurePosixPath(path).name: file for path, file in files.items()}
        same_folder = {posixpath.dirname(path) for path in files} <= {"sol", "grader"}
        if same_folder and len(flat) == len({file.origin for file in files.values()}):
            files = flat
        path = f"{folder}/{name}" if len(files) == 1 else f"{folder}/{PurePosixPath(name).stem}"
        inside = f"submissions/{folder if len(files) == 1 else path}"
        self.made.update({f"{inside}/{name}": file for name, file in files.items()})
        return path

    def _judge_files(self, folder: str, source: str) -> list[str]:
        """Lay out a judge program with its headers in `folder`; returns their paths in there."""
        files = adapted(Program(path=folder, files=self._with_headers(source))).files
        self.made.update({f"{folder}/{path}": file for path, file in files.items()})
        return list(files)

    def _with_headers(self, source: str) -> dict[str, File]:
        """Return a source and its included headers, each at the path that its compiler searches first."""
        chosen = {source: self.files[source]}
        pending = [source]
        while pending:
            path = pending.pop()
            text = chosen[path].read()
            for included in _INCLUDE.finditer(text):
                name = included[1].decode("utf-8", "replace")
                target = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
                header = self._header(target, name)
                if header is not None and target not in chosen and is_legal(target):
                    chosen[target] = header
                    pending.append(target)
                elif header is None and name in _COMMON:
                    message = (
                        f"{name} is in common/ of its repository, which is no folder above: unpack it in there"
                    )
                    self.findings.fault(chosen[path].origin, message, text.count(b"\n", 0, included.start()) + 1)
        return chosen

    def _header(self, target: str, name: str) -> File | None:
        if PurePosixPath(target).name == PARAMS:
            defined = "".join(_definition(*parameter) for parameter in self._parameters().items())
            return File(origin=self.info.file.origin, content=defined.encode())
        return self.files.get(target) or self.files.get(f"grader/{name}") or self.common.get(name)

    def _lock(self) -> None:
        """Lay out hash.json as the lock of the data."""
        file = self.files.get(SUMS)
        if file is None:
            self.findings.warn(self.root / SUMS, "not found: nothing says which data the generators must make")
            return
        try:
            sums = json.loads(file.read(1 << 24))
        except (ValueError, RecursionError) as error:
            line = error.lineno if isinstance(error, json.JSONDecodeError) else None
            self.findings.fault(file.origin, f"not JSON: {error}"[:200], line)
            return
        if not isinstance(sums, dict):
            self.findings.fault(file.origin, 'expected {"NAME": "SHA-256 OF THE FILE", …}')
            return
        wrong = next((name for name, digest in sums.items() if not _is_sum(digest)), None)
        if wrong is not None:
            self.findings.fault(
                file.origin, f"`{wrong[:80]}`: expected the SHA-256 of the file, 64 of 0-9 and a-f"
            )
            return
        lines = [f"{digest}  {self._locked(name)}\n" for name, digest in sorted(sums.items())]
        self.made[LOCK] = replace(file, content="".join(lines).encode("utf-8", "replace"))

    def _locked(self, name: str) -> str:
        """Return the path below data/ of a file that hash.json names."""
        stem, end = posixpath.splitext(name)
        part = "sample" if f"generators/gen/{stem}.in" in self.made and stem.startswith("example_") else "secret"
        return f"{part}/{stem}{'.ans' if end == '.out' else end}"

    def _add_yaml(self, path: str, content: Any) -> None:
        text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True)
        self.made[path] = File(origin=self.info.file.origin, content=text.encode())


def _is_sum(digest: object) -> bool:
    return isinstance(digest, str) and _SHA256.fullmatch(digest) is not None


def _definition(name: str, value: float | str) -> str:
    """Return a constant's definition as the repository's tool writes it."""
    if isinstance(value, str):
        return f'#define {name} "{value}"\n'
    return f"#define {name} {'(long long)' if isinstance(value, int) else ''}{value}\n"


def _as_tex(value: float | str) -> str:
    """Return a number as shown in a statement: 500000 is 5 × 10^5."""
    if not isinstance(value, int) or value == 0 or value % 100_000:
        return str(value)
    digits = str(value).rstrip("0")
    power = f"10^{{{len(str(value)) - len(digits)}}}"
    return {"1": power, "-1": f"-{power}"}.get(digits, rf"{digits} \times {power}")


def _with_formulas(fence: re.Match[str]) -> str:
    """Turn a code block that holds formulas into lines of text: in code, formulas are not typeset."""
    if "$" not in fence[1]:
        return fence[0]
    return "".join(f"> {line}\\\n" for line in fence[1].splitlines()).removesuffix("\\\n") + "\n"
