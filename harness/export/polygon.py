"""Export a full Polygon package: problem.xml, tests, testlib.h programs, solutions, statements."""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from xml.etree import ElementTree

from harness.build.languages import language_of, load_table
from harness.errors import UsageError
from harness.export.archive import ExportedFiles
from harness.export.groups import TestGroup, groups_of
from harness.export.latex import escaped, statement_as_latex
from harness.export.polygon_programs import PolygonPrograms
from harness.export.submissions import PARTIAL, home_of
from harness.package import Package, ProblemType, Program
from harness.package.constants import substitute
from harness.package.files import INCLUDED_EVERYWHERE, File
from harness.package.formats.polygon_statements import LANGUAGES, SECTIONS
from harness.package.headers import HEADERS
from harness.package.model import is_sample_name, rules_for
from harness.statement.source import files_beside, title_of
from harness.values import dataclass

_DEFAULT_LIMIT_S = 2.0
_NAME = re.compile(r"\\problemname\{(?:[^{}]|\{[^{}]{0,100}\}){0,200}\}")
_HEADING = re.compile(
    r"\\(?:(?:sub)?section\*?\{([A-Za-z ]{1,40})\}|(InputFile|OutputFile|Interaction|Scoring|Note)(?![a-z]))"
)
_COMMANDS = {
    "InputFile": "input", "OutputFile": "output", "Interaction": "interaction", "Scoring": "scoring", "Note": "notes"
}  # fmt: skip
_SECTION_OF = {
    heading.lower(): name
    for heading, name in (*_COMMANDS.items(), *((heading, name) for name, heading in SECTIONS.items() if heading))
}
_FIGURES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".pdf", ".eps")
_TAGS = {
    ("AC",): "accepted",
    ("WA",): "wrong-answer",
    ("TLE",): "time-limit-exceeded",
    ("AC", "TLE"): "time-limit-exceeded-or-accepted",
    ("TLE", "RTE"): "time-limit-exceeded-or-memory-limit-exceeded",
}
_TYPES = {
    "cpp": "cpp.g++17", "c": "c.gcc", "java": "java11", "python3": "python.3", "python2": "python.2",
    "kotlin": "kotlin", "pypy3": "python.pypy3", "pascal": "pas.fpc",
    "csharp": "csharp.mono", "go": "go", "rust": "rust", "ruby": "ruby",
    "javascript": "js.node", "php": "php", "perl": "perl", "haskell": "haskell", "ocaml": "ocaml",
}  # fmt: skip


def polygon(package: Package) -> ExportedFiles:
    """Return the package for Polygon. Raises UsageError if Polygon cannot hold the problem at all."""
    for kind in (ProblemType.MULTI_PASS, ProblemType.SUBMIT_ANSWER):
        if kind in package.types:
            raise UsageError(f"{package.slug} is of the type {kind}, which Polygon does not know")
    exported = ExportedFiles(folder="")
    programs = PolygonPrograms(package=package, exported=exported)
    _Export(package=package, exported=exported, programs=programs).write()
    return exported


@dataclass(frozen=True, kw_only=True)
class _Export:
    package: Package
    exported: ExportedFiles
    programs: PolygonPrograms

    def write(self) -> None:
        root = ElementTree.Element("problem", {"revision": "1", "short-name": self.package.slug})
        self._statements(root)
        judging = _add(root, "judging", **{"input-file": "", "output-file": "", "run-count": "1"})
        self._tests(judging)
        files, assets = _add(root, "files"), _add(root, "assets")
        self._judges(assets, judging)
        self._solutions(assets)
        self._resources(files)
        tags = _add(root, "tags")
        for keyword in self.package.keywords:
            _add(tags, "tag", value=keyword)
        ElementTree.indent(root, "    ")
        text = ElementTree.tostring(root, encoding="unicode")
        self.exported.add(
            "problem.xml", f'<?xml version="1.0" encoding="utf-8" standalone="no"?>\n{text}\n'.encode()
        )

    def _statements(self, root: ElementTree.Element) -> None:
        names, statements = _add(root, "names"), _add(root, "statements")
        by_code = {code: name for name, code in reversed(LANGUAGES.items())}
        for code in self.package.statements or self.package.names:
            if code not in by_code:
                self.exported.note_loss(f"the statement in `{code}`, a language that Polygon does not have")
                continue
            title, language = title_of(self.package, code), by_code[code]
            _add(names, "name", language=language, value=title)
            file = self.package.statements.get(code)
            latex = self._latex(file, title) if file is not None else None
            if latex is None:
                continue
            sections = _sections(latex)
            for name, text in {"name": escaped(title), **sections}.items():
                self.exported.add(f"statement-sections/{language}/{name}.tex", text.encode())
            for name, figure in files_beside(self.package).items():
                if name.endswith(_FIGURES) and "/" not in name:
                    self.exported.add(f"statement-sections/{language}/{name}", figure)
            path = f"statements/{language}/problem.tex"
            self.exported.add(path, _whole(title, sections).encode())
            _add(statements, "statement", charset="UTF-8", language=language, path=path, type="application/x-tex")

    def _latex(self, file: File, title: str) -> str | None:
        text = substitute(file.read(), self.package.constants, file.origin).decode("utf-8", errors="replace")
        match file.origin.suffix:
            case ".tex":
                return text
            case ".md":
                pictures = {name: PurePosixPath(name).name for name in files_beside(self.package)}
                return statement_as_latex(self.exported, text, title, pictures)
        self.exported.note_loss(f"the statement {file.origin.name}: Polygon has LaTeX")
        return None

    def _tests(self, judging: ElementTree.Element) -> None:
        limits, cases = self.package.limits, self.package.judged_cases()
        if limits.time_limit_s is None:
            self.exported.note_loss(
                f"a time limit: the package states none, and {_DEFAULT_LIMIT_S:g} s are written"
            )
        testset = _add(judging, "testset", name="tests")
        digits = max(len(str(len(cases))), 2)
        for tag, text in (
            ("time-limit", round(1000 * (limits.time_limit_s or _DEFAULT_LIMIT_S))),
            ("memory-limit", limits.memory_mib << 20),
            ("test-count", len(cases)),
            ("input-path-pattern", f"tests/%0{digits}d"),
            ("answer-path-pattern", f"tests/%0{digits}d.a"),
        ):
            _add(testset, tag).text = str(text)
        groups = groups_of(self.package, self.exported) if self.package.scoring else []
        attributes = {name: values for group in groups for name, values in group.tests()}
        tests = _add(testset, "tests")
        for index, case in enumerate(cases, start=1):
            path = f"tests/{index:0{digits}}"
            self.exported.add(path, case.input)
            self.exported.add(f"{path}.a", case.answer if case.answer is not None else b"")
            sample = {"sample": "true"} if is_sample_name(case.name) else {}
            _add(tests, "test", method="manual", **attributes.get(case.name, {}), **sample)
            if case.settings.args or case.extra_files:
                self.exported.note_loss("arguments and files of single cases (`args`, `.files`)")
        if groups:
            _add_groups(_add(testset, "groups"), groups)

    def _judges(self, assets: ElementTree.Element, judging: ElementTree.Element) -> None:
        """Add checker, interactor and input validators; the invalid inputs are tests of the first validator."""
        for role, path in self.programs.judges().items():
            named = {"name": PurePosixPath(path).name, "type": "testlib"} if role == "checker" else {}
            _add(_add(assets, role, **named), "source", path=path, type=_TYPES["cpp"])
        if self.programs.points_are_percent:
            judging.set("treat-points-from-checker-as-percent", "true")
        inputs = list(self.package.invalid_inputs)
        validators = _add(assets, "validators")
        for path in self.programs.validators():
            validator = _add(validators, "validator")
            _add(validator, "source", path=path, type=_TYPES["cpp"])
            testset, folder = _add(validator, "testset"), "files/tests/validator-tests"
            _add(testset, "test-count").text = str(len(inputs))
            _add(testset, "input-path-pattern").text = f"{folder}/%02d"
            tests = _add(testset, "tests")
            for index, case in enumerate(inputs, start=1):
                self.exported.add(f"{folder}/{index:02d}", case.input)
                _add(tests, "test", verdict="INVALID")
            inputs = []

    def _solutions(self, assets: ElementTree.Element) -> None:
        solutions, table = _add(assets, "solutions"), load_table(())
        tags = {program.path: _tag(self.package, program) for program in self.package.submissions}
        main = next((path for path, tag in tags.items() if tag == "accepted"), None)
        for program in self.package.submissions:
            language = language_of(table, program.files, program.language)
            kind = _TYPES.get(language.code) if language is not None else None
            tag = "main" if program.path == main else tags[program.path]
            if len(program.files) != 1 or kind is None:
                self.exported.note_loss(
                    f"the submission {program.path}: one of Polygon is one file in one of its languages"
                )
            elif tag is None:
                self.exported.note_loss(f"the submission {program.path}, which may be right or wrong")
            else:
                _add(_add(solutions, "solution", tag=tag), "source", path=self._solution(program), type=kind)

    def _solution(self, program: Program) -> str:
        [(name, file)] = program.files.items()
        path = f"solutions/{name}"
        if path in self.exported.contents:
            path = f"solutions/{program.path.replace('/', '_')}"
        self.exported.add_substituted(path, file, self.package.constants)
        return path

    def _resources(self, files: ElementTree.Element) -> None:
        """Add headers, files that every solution gets, and attachments."""
        elements, attachments = _add(files, "resources"), _add(files, "attachments")
        for name in sorted(name for name in self.programs.names if name.endswith(HEADERS)):
            _add(elements, "file", path=f"files/{name}", type="h.g++")
        for path, codes in self._included().items():
            kinds = ";".join(f"{_TYPES.get(code, code).partition('.')[0]}.*" for code in codes)
            types = {} if INCLUDED_EVERYWHERE in codes else {"for-types": kinds}
            element = _add(elements, "file", path=path, **types)
            _add(_add(element, "assets"), "asset", name="solution")
            _add(_add(element, "stages"), "stage", name="compile")
        for name, file in self.package.attachments.items():
            self.exported.add(f"files/{PurePosixPath(name).name}", file)
            _add(attachments, "file", path=f"files/{PurePosixPath(name).name}")
        for what, there in {
            "valid and invalid outputs": self.package.valid_outputs or self.package.invalid_outputs,
            "the static validator": self.package.static_validator,
            "authors, source and license": self.package.authors
            or self.package.source
            or self.package.rights_owner,
            "visualizers": self.package.input_visualizer or self.package.output_visualizer,
        }.items():
            if there:
                self.exported.note_loss(what)

    def _included(self) -> dict[str, list[str]]:
        """Put the files of include/ into files/; return the languages of each path."""
        codes: dict[str, list[str]] = {}
        for code, included in self.package.include.items():
            for name, file in included.items():
                path = self.programs.add(name, file.read())
                codes.setdefault(path, []).append(code)
                if path != f"files/{name}":
                    self.exported.note_loss(f"the name of include/{code}/{name}, which is {path} there")
        return codes


def _add(parent: ElementTree.Element, name: str, /, **attributes: str) -> ElementTree.Element:
    return ElementTree.SubElement(parent, name, attributes)


def _add_groups(parent: ElementTree.Element, groups: list[TestGroup]) -> None:
    for group in groups:
        policy = "each-test" if group.each else "complete-group"
        attributes = {
            "name": group.name,
            "points": str(group.points),
            "points-policy": policy,
            "feedback-policy": "complete",
        }
        element = _add(parent, "group", **attributes)
        if group.needs:
            needs = _add(element, "dependencies")
            for name in group.needs:
                _add(needs, "dependency", group=name)


def _tag(package: Package, program: Program) -> str | None:
    """Return the solution tag that matches the package's expectations; None if nothing is expected."""
    home = home_of(package, program)
    fails = "AC" not in home.possible or home.folder == PARTIAL
    rules = rules_for(program.path, package.rules)
    fails |= any(rule.requires_failure and rule.cases is None for rule in rules)
    codes = tuple(code for code in home.possible if code != "AC" or not fails)
    return _TAGS.get(codes) or ("rejected" if fails else None)


def _whole(title: str, sections: Mapping[str, str]) -> str:
    """Return the statement in Polygon's own LaTeX style."""
    commands = {"legend": "", **{name: f"\\{heading}\n" for heading, name in _COMMANDS.items()}}
    parts = [f"{commands[name]}{text}" for name, text in sections.items()]
    head = f"\\begin{{problem}}{{{escaped(title)}}}{{standard input}}{{standard output}}{{}}{{}}"
    return "\n".join((head, "", *parts, "\\end{problem}", ""))


def _sections(latex: str) -> Mapping[str, str]:
    """Split the statement at the headings that are sections in Polygon."""
    sections, name, start = {}, "legend", 0
    text = _NAME.sub("", latex)
    for match in _HEADING.finditer(text):
        section = _SECTION_OF.get((match[1] or match[2]).strip().lower())
        if section is not None:
            sections[name] = text[start : match.start()]
            name, start = section, match.end()
    sections[name] = text[start:]
    return {name: f"{part.strip()}\n" for name, part in sections.items() if part.strip()}
