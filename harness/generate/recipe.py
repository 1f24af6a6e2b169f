"""Read generators.yaml, in BAPCtools' vocabulary: which command, text or copy makes each test case.

Numbers, names, seeds and inherited settings are those of BAPCtools, so that a recipe makes the same bytes here.
"""

import difflib
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from operator import itemgetter

import yaml

from harness.errors import Fault, PackageError
from harness.generate.case_rule import (
    CASE_KEYS,
    MOST_CASES,
    NAME,
    CaseRule,
    Invocation,
    Scope,
    invocation_of,
    is_directory,
    read_counts,
    read_rule,
)
from harness.package.constants import Constants
from harness.package.files import Files, is_legal
from harness.package.findings import Findings, shown_path
from harness.package.formats.cases import GROUP_FILES
from harness.package.model import Package, is_sample_name
from harness.package.names import misspelt
from harness.package.workspace import RECIPE
from harness.package.yaml_lines import YamlSection, YamlValue, section_of
from harness.values import dataclass

__all__ = ["NAME", "Invocation", "PlannedCase", "Recipe", "read_recipe", "readable_recipe"]

# The parts of data/ are made in this order: consecutive numbers through all parts depend on it.
_PARTS = (
    "sample",
    "secret",
    "invalid_output",
    "invalid_answer",
    "invalid_input",
    "valid_output",
    "testing_tool_test",
)
_KEYS_WITH_CASES = (*CASE_KEYS, "data", "include")


@dataclass(frozen=True, kw_only=True)
class PlannedCase:
    """A test case to be made. name: its path below data/. texts: literal files by extension (`.in`, `.ans`, …).

    links: files that are copies of another file of the case, by extension. retries: number of seeds to try.
    match: the patterns that its files must contain, by extension.
    """

    name: str
    invocation: Invocation | None = None
    texts: Mapping[str, bytes] = field(default_factory=dict)
    solution: str | None = None
    links: Mapping[str, str] = field(default_factory=dict)
    retries: int = 1
    match: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """All planned cases and files. group_files: contents of `test_group.yaml` files by path below data/.

    generators: by name, the files of generators/ that a generator consists of. names_solution: whether the recipe
    states which program makes answers, or that none does. solutions, group_lines: the line of each solution, and of
    each group file.
    """

    cases: tuple[PlannedCase, ...]
    group_files: Mapping[str, bytes]
    generators: Mapping[str, tuple[str, ...]]
    warnings: tuple[str, ...] = ()
    names_solution: bool = False
    solutions: Mapping[str, int] = field(default_factory=dict)
    group_lines: Mapping[str, int] = field(default_factory=dict)


def read_recipe(files: Files, constants: Constants) -> Recipe | None:
    """Read the recipe of a package; None without. Raises PackageError with every fault."""
    file = files.get(RECIPE)
    if file is None:
        return None
    findings = Findings(unpacked=shown_path(file.origin.parent.parent))
    section = section_of(file, findings)
    recipe = _Reader(files=files, constants=constants).read(section) if section is not None else None
    if findings.faults or recipe is None:
        raise PackageError(
            findings.faults or [Fault(path=file.origin, message="is empty: it needs a `data` key")],
            findings.warnings,
        )
    return replace(recipe, warnings=tuple(map(str, findings.warnings)))


def readable_recipe(package: Package) -> Recipe | None:
    """Return the recipe of the package; None also for a broken one: `harness generate` says what is wrong with it."""
    try:
        return read_recipe(package.files, package.constants)
    except PackageError:
        return None


@dataclass(kw_only=True)
class _Reader:
    """Reads a recipe. keys: of its test cases and directories. width: digits of the numbers of numbered cases."""

    files: Files
    constants: Constants
    cases: dict[str, PlannedCase] = field(default_factory=dict)
    group_files: dict[str, bytes] = field(default_factory=dict)
    group_lines: dict[str, int] = field(default_factory=dict)
    solutions: dict[str, int] = field(default_factory=dict)
    # For `include`: the cases by key of the recipe. A key with several lists is ambiguous.
    plans: dict[str, list[list[PlannedCase]]] = field(default_factory=dict)
    # The case of which an included case is a copy, by name.
    sources: dict[str, str] = field(default_factory=dict)
    keys: frozenset[str] = frozenset()
    width: int = 0
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def read(self, section: YamlSection) -> Recipe:
        section.skip("version", "gitignore_generated", "parallel")
        if "data" not in section.entries:
            section.value.fault("the recipe needs a `data` key")
        generators = self._generators(section.take("generators"))
        names_solution = "solution" in section.entries
        self.keys = frozenset(_keys_in(section.value))
        self.width = len(str(_count_numbered(section.value)))
        self._directory(section, Scope(), at_top=True)
        return Recipe(
            cases=tuple(self.cases.values()),
            group_files=self.group_files,
            generators=generators,
            names_solution=names_solution or any(case.solution for case in self.cases.values()),
            solutions=self.solutions,
            group_lines=self.group_lines,
        )

    def _generators(self, value: YamlValue | None) -> dict[str, tuple[str, ...]]:
        section = value.section() if value is not None else None
        if section is None:
            return {}
        generators = {}
        for name, entry in tuple(section.entries.items()):
            parts = [self._files_at(part, entry, name) for part in section.strings(name)]
            generators[name] = tuple(path for files in parts for path in files)
        return generators

    def _files_at(self, part: str, value: YamlValue, generator: str) -> list[str]:
        """Return the file that a generator lists, or all files of a folder."""
        if f"generators/{part}" in self.files:
            return [part]
        prefix = f"generators/{part.rstrip('/')}/"
        inside = [path.removeprefix("generators/") for path in self.files if path.startswith(prefix)]
        if not inside:
            value.fault(f"the generator `{generator}` needs {part}, which is not in generators/")
        return inside

    def _directory(self, section: YamlSection, scope: Scope, *, at_top: bool = False) -> list[PlannedCase]:
        """Plan the cases in a directory of the recipe."""
        self._note_solution(section.entries.get("solution"))
        scope = scope.inside(section)
        for name in GROUP_FILES:
            group_file = section.take(name)
            if group_file is not None:
                text = yaml.safe_dump(group_file.plain, sort_keys=False)
                path = f"{scope.path}/{name}".lstrip("/")
                self.group_files[path], self.group_lines[path] = text.encode(), group_file.line
        included = self._included(section.take("include"), scope)
        planned = self._children(section.take("data"), scope, at_top=at_top)
        for case in included:
            again = replace(case, name=f"{scope.path}/{case.name.rpartition('/')[2]}")
            source = self.sources.get(case.name, case.name)
            if self.sources.get(again.name) != source:  # the same case may be included twice
                planned.append(again)
                self._add(again, section.value)
                self.sources[again.name] = source
        for key, near in [(key, misspelt(key, _KEYS_WITH_CASES)) for key in section.entries]:
            if near not in (None, key):  # its cases would be lost
                section.entries.pop(key).fault(f"unknown key `{key}`: did you mean `{near}`?")
        section.finish(f"the directory {scope.path or 'data'}", strict=False)
        return planned

    def _note_solution(self, value: YamlValue | None) -> None:
        if value is not None and value.text is not None:
            self.solutions.setdefault(value.text, value.line)

    def _included(self, value: YamlValue | None, scope: Scope) -> list[PlannedCase]:
        cases: dict[str, PlannedCase] = {}
        for item in value.items() if value is not None else ():
            plans = self.plans.get(item.text or "", [])
            if len(plans) == 1:
                cases |= {case.name: case for case in plans[0]}
            else:
                why = "stands for several" if plans else "stands for nothing before it"
                fix = "name one test case or directory that comes earlier"
                if not plans and item.text in self.keys:
                    here = scope.path.rpartition("/")[2]
                    fix = (
                        f"entries go by name, `{here}` before `{item.text}`: call them 1-{item.text} and 2-{here}"
                    )
                item.fault(f"`include: {item.text}` {why}: {fix}")
        return list(cases.values())

    def _children(self, value: YamlValue | None, scope: Scope, *, at_top: bool) -> list[PlannedCase]:
        """Plan the cases in a `data` mapping, or in a list of mappings, whose entries are numbered."""
        if value is None:
            return []
        numbered = isinstance(value.plain, list)
        if value.text is not None or (numbered and at_top):
            value.fault("`data` must be a mapping" if at_top else "`data` must be a mapping or a list of mappings")
            return []
        items = list(value.items())
        folders = sum(is_directory(child) for item in items for _, child in _entries(item))
        width, folder_numbers = len(str(folders)), itertools.count(1)
        planned: list[PlannedCase] = []
        for item in items:
            entries = _entries(item)
            if numbered and len(entries) != 1:
                item.fault("an entry of a numbered list must hold exactly one test case or directory")
                continue
            for key, child in sorted(entries, key=_part_order if at_top else _key_order):
                near = difflib.get_close_matches(key, _PARTS, n=1) if at_top and key not in _PARTS else []
                if near:
                    note = child.fault if near[0] == misspelt(key, _PARTS) else child.warn
                    note(f"`{key}` is no part of the data: did you mean `{near[0]}`?")
                name = "" if key == "~" else key
                number = f"{next(folder_numbers):0{width}}" if numbered and is_directory(child) else None
                planned += self._child(name, child, scope, number=number, numbered=numbered)
        return planned

    def _child(
        self, key: str, value: YamlValue, scope: Scope, *, number: str | None, numbered: bool
    ) -> list[PlannedCase]:
        """Plan the cases of an entry: a directory, or a test case."""
        planned: list[PlannedCase] = []
        if isinstance(value.plain, list) or (value.plain is None and numbered):
            value.fault(f"{scope.path}/{key}: neither a test case nor a directory")
        elif is_directory(value):
            self.plans.setdefault(key, []).append(planned)
            name = _joined(number, key)
            if self._is_legal(name, value):
                planned += self._directory(
                    YamlSection(value=value), replace(scope, path=f"{scope.path}/{name}".lstrip("/"))
                )
        else:
            planned += self._cases(key, value, scope, numbered=numbered)
        return planned

    def _cases(self, key: str, value: YamlValue, scope: Scope, *, numbered: bool) -> list[PlannedCase]:
        self._note_solution(YamlSection(value=value).entries.get("solution") if value.is_mapping else None)
        rule = read_rule(key, value, scope, self.files)
        planned = []
        for count in rule.counts or (1,):
            number = f"{next(self.numbers):0{self.width}}" if numbered else None
            name = _joined(number, key) + rule.suffix(count)
            if not self._is_legal(name, value):
                break
            case = self._case(f"{scope.path}/{name}".lstrip("/"), rule, count, value)
            if case is not None:
                planned.append(case)
                self.plans.setdefault(key, []).append([case])
                self._add(case, value)
        return planned

    def _case(self, name: str, rule: CaseRule, count: int, value: YamlValue) -> PlannedCase | None:
        """Return the planned case of a rule for one count; None if it is faulty."""
        shown = is_sample_name(name) and {".in.statement", ".interaction"} & {*rule.texts, *rule.links}
        if rule.command is None and ".in" not in rule.texts and not shown:
            value.fault(f"{name}: a test case needs `generate`, `copy` or `in`")
            return None
        invocation = invocation_of(rule, count, self.constants, value)
        if invocation is not None and invocation.generator == "":
            value.fault(f"{name}: an empty command")
            return None
        return PlannedCase(
            name=name,
            invocation=invocation,
            texts=rule.texts,
            solution=rule.scope.solution,
            links=rule.links,
            retries=rule.scope.retries,
            match=rule.match,
        )

    def _add(self, case: PlannedCase, value: YamlValue) -> None:
        if case.name in self.cases:
            value.fault(f"{case.name} is made twice: rename one")
        elif len(self.cases) >= MOST_CASES:
            value.findings.fault(value.path, f"more than {MOST_CASES:,} test cases")
        self.cases.setdefault(case.name, case)

    def _is_legal(self, name: str, value: YamlValue) -> bool:
        if is_legal(name):
            return True
        value.fault(f"the name {name!r} is not allowed: use letters, digits, _ . -")
        return False


def _entries(item: YamlValue) -> list[tuple[str, YamlValue]]:
    section = item.section()
    return list(section.entries.items()) if section is not None else []


def _keys_in(directory: YamlValue) -> Iterator[str]:
    """Yield the keys of all test cases and directories in a directory."""
    data = YamlSection(value=directory).entries.get("data")
    for item in data.items() if data is not None else ():
        for key, child in YamlSection(value=item).entries.items() if item.is_mapping else ():
            yield key
            if is_directory(child):
                yield from _keys_in(child)


def _key_order(entry: tuple[str, YamlValue]) -> str:
    return "" if entry[0] == "~" else entry[0]


def _part_order(entry: tuple[str, YamlValue]) -> int:
    return _PARTS.index(entry[0]) if entry[0] in _PARTS else len(_PARTS)


def _joined(number: str | None, name: str) -> str:
    return "-".join(part for part in (number, name) if part)


def _count_numbered(directory: YamlValue) -> int:
    """Count the numbered test cases in all directories: numbers are padded to equal length."""
    data = YamlSection(value=directory).entries.get("data")
    if data is None or (not data.is_mapping and not isinstance(data.plain, list)):
        return 0
    total = 0
    for item in data.items():
        for _, child in YamlSection(value=item).entries.items() if item.is_mapping else ():
            if is_directory(child):
                total += _count_numbered(child)
            elif not data.is_mapping:
                total += _cases_of(child)
    return total


def _cases_of(value: YamlValue) -> int:
    section = YamlSection(value=value) if value.is_mapping else None
    counts = read_counts(section.take("count")) if section is not None else None
    return len(counts) if counts is not None else 1


def alternating(cases: Iterable[PlannedCase]) -> list[PlannedCase]:
    """Order cases so that the first cases of all generators come first: then workers build generators in parallel."""
    counts: Counter[str] = Counter()
    ranked = []
    for case in cases:
        generator = case.invocation.generator if case.invocation is not None else ""
        ranked.append((counts[generator], case))
        counts[generator] += 1
    return [case for _, case in sorted(ranked, key=itemgetter(0))]
