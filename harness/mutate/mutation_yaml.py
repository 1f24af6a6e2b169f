"""Read generators/mutation.yaml: bug classes, mutants that people reviewed, generators for the search.

docs/mutation.md describes the file.
"""

from collections.abc import Mapping
from dataclasses import field

from harness.errors import PackageError
from harness.package import Package
from harness.package.findings import Findings
from harness.package.yaml_lines import Section, Value, section_of
from harness.values import dataclass

NOTES = "generators/mutation.yaml"


@dataclass(frozen=True, kw_only=True)
class BugClass:
    """A kind of mistake. solutions: wrong solutions that make it; cases: globs of the cases that catch it."""

    name: str
    what: str
    solutions: tuple[str, ...]
    cases: tuple[str, ...]
    line: int


@dataclass(frozen=True, kw_only=True)
class SearchCommand:
    """A generator to run `count` times with different seeds for new inputs."""

    generate: str
    count: int


@dataclass(frozen=True, kw_only=True)
class Notes:
    """The content of mutation.yaml. listed: the reason by the mutant's id."""

    classes: tuple[BugClass, ...] = ()
    listed: Mapping[str, str] = field(default_factory=dict)
    search: tuple[SearchCommand, ...] = ()


def read_notes(package: Package) -> Notes:
    """Read the package's notes; empty without the file. Raises PackageError with every fault."""
    file = package.files.get(NOTES)
    if file is None:
        return Notes()
    findings = Findings()
    section = section_of(file, findings)
    notes = _notes(section) if section is not None else Notes()
    if findings.faults:
        raise PackageError(findings.faults)
    return notes


def _notes(section: Section) -> Notes:
    classes = _section(section.take("classes"))
    listed = section.take("listed")
    search = section.take("search")
    notes = Notes(
        classes=tuple(_class(name, value) for name, value in (classes.entries if classes else {}).items()),
        listed=_listed(listed),
        search=tuple(_command(item) for item in (search.items() if search is not None else ())),
    )
    section.finish("mutation.yaml")
    return notes


def _section(value: Value | None) -> Section | None:
    return value.section() if value is not None else None


def _class(name: str, value: Value) -> BugClass:
    section = value.section()
    if section is None:
        return BugClass(name=name, what="", solutions=(), cases=(), line=value.line)
    bug_class = BugClass(
        name=name,
        what=section.string("what", "") or "",
        solutions=section.strings("solutions"),
        cases=section.strings("cases"),
        line=value.line,
    )
    for key, given in (("what", bug_class.what), ("solutions", bug_class.solutions), ("cases", bug_class.cases)):
        if not given:
            value.fault(f"the bug class `{name}` lacks `{key}`")
    section.finish(f"the bug class {name}")
    return bug_class


def _listed(value: Value | None) -> dict[str, str]:
    """Read a list of reasons, each with its mutants."""
    reasons: dict[str, str] = {}
    for item in value.items() if value is not None else ():
        section = item.section()
        if section is None:
            continue
        why = section.string("why") or ""
        mutants = _section(section.take("mutants"))
        if not why or mutants is None:
            item.fault("a listed reason needs `why`, and `mutants` (id: the change, for the reader)")
            continue
        for name, given in mutants.entries.items():
            if name in reasons:
                given.fault(f"the mutant {name} is listed twice: keep one reason")
            reasons[name] = why
        section.finish("a listed reason")
    return reasons


def _command(value: Value) -> SearchCommand:
    section = value.section()
    if section is None:
        return SearchCommand(generate="", count=0)
    command = SearchCommand(
        generate=section.string("generate", "") or "", count=section.integer("count", 1, 1) or 1
    )
    if not command.generate:
        value.fault("a search command lacks `generate`")
    section.finish("a search command")
    return command
