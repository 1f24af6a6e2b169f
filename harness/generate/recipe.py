"""generators.yaml: which command, text or copy makes each test case. BAPCtools' vocabulary, so that setters know it.

Read here: `solution`, `random_salt`, `generators`, `data` as a mapping or a numbered list, `generate`, `copy`, literal
files, `count`, `test_group.yaml`. `{seed}`, `{name}`, `{count}` and constants are filled in as BAPCtools does, so that
a foreign recipe makes the same bytes here as there.
"""

import hashlib
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import yaml

from harness.errors import Fault, PackageError
from harness.package.cases import CASE_EXTENSIONS, GROUP_FILE
from harness.package.constants import Constants, substitute
from harness.package.files import Files, is_legal
from harness.package.findings import Findings
from harness.package.workspace import RECIPE
from harness.package.yamltext import Section, Value, section_of

_SEED = re.compile(r"\{seed(?::[0-9]+)?\}")
MOST_CASES = 100_000
_COUNT_RANGE = re.compile(r"(-?\d+)\.\.=(-?\d+)")


@dataclass(frozen=True, kw_only=True)
class Invocation:
    """A generator and its arguments, all placeholders filled in. seeded: the places of arguments that hold the seed."""

    generator: str
    arguments: tuple[str, ...]
    seeded: frozenset[int] = frozenset()


@dataclass(frozen=True, kw_only=True)
class PlannedCase:
    """One test case to be made. name: below data/. texts: literal files by extension (`.in`, `.ans`, …)."""

    name: str
    invocation: Invocation | None = None
    texts: Mapping[str, bytes] = field(default_factory=dict)
    solution: str | None = None


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """The whole plan. group_files: `test_group.yaml` contents by path below data/."""

    cases: tuple[PlannedCase, ...]
    group_files: Mapping[str, bytes]
    generators: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, kw_only=True)
class _Scope:
    """What a directory of the recipe hands down."""

    path: str = ""
    solution: str | None = None
    salt: str = ""


def read_recipe(files: Files, constants: Constants) -> Recipe | None:
    """The recipe of a package, None if it has none. Raises PackageError with every fault."""
    file = files.get(RECIPE)
    if file is None:
        return None
    findings = Findings()
    faults = findings.faults
    section = section_of(file, findings)
    recipe = _Reader(files=files, constants=constants).read(section) if section is not None else None
    if faults or recipe is None:
        raise PackageError(faults or [Fault(path=file.origin, message="is empty: it needs a `data` key")])
    return recipe


@dataclass(kw_only=True)
class _Reader:
    files: Files
    constants: Constants
    cases: list[PlannedCase] = field(default_factory=list)
    group_files: dict[str, bytes] = field(default_factory=dict)
    width: int = 0
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def read(self, section: Section) -> Recipe:
        section.take("version")
        generators = self._generators(section.take("generators"))
        self.width = len(str(_numbered_cases(section.value)))
        self._directory(section, _Scope())
        section.finish("generators.yaml")
        return Recipe(cases=tuple(self.cases), group_files=self.group_files, generators=generators)

    def _generators(self, value: Value | None) -> dict[str, tuple[str, ...]]:
        section = value.section() if value is not None else None
        if section is None:
            return {}
        generators = {name: section.strings(name) for name in tuple(section.entries)}
        for name, parts in generators.items():
            for part in parts:
                if f"generators/{part}" not in self.files:
                    section.value.fault(f"the generator `{name}` needs {part}, which is not in generators/")
        return generators

    def _directory(self, section: Section, scope: _Scope) -> None:
        scope = replace(
            scope,
            solution=section.string("solution", scope.solution),
            salt=section.string("random_salt", scope.salt) or "",
        )
        section.take("retries")
        include = section.take("include")
        if include is not None:
            include.fault("`include` is not known to this version of harness: list the cases")
        group_file = section.take(GROUP_FILE)
        if group_file is not None:
            path = f"{scope.path}/{GROUP_FILE}".lstrip("/")
            self.group_files[path] = yaml.safe_dump(group_file.plain, sort_keys=False).encode()
        for name, value in self._children(section.take("data")):
            self._child(name, value, replace(scope, path=f"{scope.path}/{name}".lstrip("/")))

    def _children(self, value: Value | None) -> Iterator[tuple[str, Value]]:
        if value is None:
            return
        numbered = isinstance(value.node, yaml.SequenceNode)
        folders = itertools.count(1)
        for item in value.items():
            section = item.section()
            for name, child in (section.entries if section is not None else {}).items():
                if not numbered:
                    yield name, child
                elif _is_directory(child):
                    yield _joined(str(next(folders)), name), child
                else:
                    yield _joined(f"{next(self.numbers):0{self.width}}", name), child

    def _child(self, name: str, value: Value, scope: _Scope) -> None:
        section = _section_of(value)
        if not is_legal(name):
            value.fault(f"the name {name!r} is not allowed: use letters, digits, _ . -")
            return
        if _is_directory(value) and section is not None:
            self._directory(section, scope)
            section.finish(f"the directory {name}")
        elif isinstance(value.node, yaml.ScalarNode):
            self._case(scope, str(value.plain), value, count=None)
        elif section is not None:
            self._cases(section, scope)

    def _cases(self, section: Section, scope: _Scope) -> None:
        command = section.string("generate")
        counts = _counts(section.take("count"))
        copied = self._copied(section.take("copy"))
        scope = replace(scope, solution=section.string("solution", scope.solution))
        scope = replace(scope, salt=section.string("random_salt", scope.salt) or "")
        for passive in ("match", "retries"):
            section.take(passive)
        texts = {**copied, **_texts(section)}
        section.finish("a test case")
        width = max(len(str(count)) for count in counts) if counts else 0
        choices: Sequence[int | None] = counts or [None]
        for count in choices:
            named = scope if count is None else replace(scope, path=f"{scope.path}-{count:0{width}}")
            self._case(named, command, section.value, count=count, texts=texts)

    def _case(
        self,
        scope: _Scope,
        command: str | None,
        value: Value,
        *,
        count: int | None,
        texts: Mapping[str, bytes] | None = None,
    ) -> None:
        texts = texts or {}
        if command is None and ".in" not in texts:
            value.fault(f"{scope.path}: a test case needs `generate`, `copy` or `in`")
            return
        invocation = self._invocation(command, scope, count) if command is not None else None
        if invocation is not None and invocation.generator == "":
            value.fault(f"{scope.path}: an empty command")
            return
        self.cases.append(
            PlannedCase(name=scope.path, invocation=invocation, texts=texts, solution=scope.solution)
        )

    def _invocation(self, command: str, scope: _Scope, count: int | None) -> Invocation:
        command = substitute(command.encode(), self.constants).decode()
        if count is not None:
            command = command.replace("{count}", str(count))
        salted = scope.salt + (f":{count - 1}" if count is not None and count != 1 else "") + command.strip()
        seed = int(hashlib.sha512(salted.encode()).hexdigest(), 16) % 2**31
        raw = command.replace("{name}", scope.path.rpartition("/")[2]).split()
        words = [_SEED.sub(str(seed), word) for word in raw]
        return Invocation(
            generator=words[0] if words else "",
            arguments=tuple(words[1:]),
            seeded=frozenset(place for place, word in enumerate(raw[1:]) if _SEED.search(word)),
        )

    def _copied(self, value: Value | None) -> dict[str, bytes]:
        if value is None:
            return {}
        base = f"generators/{value.plain}"
        found = {end: self.files[base + end].read() for end in CASE_EXTENSIONS if base + end in self.files}
        if not found:
            value.fault(f"nothing to copy: no {base}.in in the package")
        return found


def _is_directory(value: Value) -> bool:
    plain = value.plain
    return isinstance(plain, dict) and ("data" in plain or GROUP_FILE in plain or "include" in plain)


def _section_of(value: Value) -> Section | None:
    return value.section() if isinstance(value.node, yaml.MappingNode) else None


def _joined(number: str, name: str) -> str:
    return f"{number}-{name}" if name else number


def _texts(section: Section) -> dict[str, bytes]:
    texts = {}
    for extension in CASE_EXTENSIONS:
        value = section.take(extension[1:])
        if value is not None:
            plain = value.plain
            text = plain if isinstance(plain, str) else yaml.safe_dump(plain, sort_keys=False)
            texts[extension] = text.encode()
    return texts


def _counts(value: Value | None) -> list[int]:
    if value is None:
        return []
    plain = value.plain
    span = _COUNT_RANGE.fullmatch(str(plain))
    if span and int(span[2]) - int(span[1]) < MOST_CASES:
        return list(range(int(span[1]), int(span[2]) + 1))
    if isinstance(plain, int) and plain <= MOST_CASES:
        return list(range(1, plain + 1))
    if isinstance(plain, list) and all(isinstance(item, int) for item in plain):
        return plain
    value.fault("`count` must be a number, a list of numbers or a range as 1..=3")
    return []


def _numbered_cases(value: Value) -> int:
    plain = value.plain
    return _count_numbered(plain) if isinstance(plain, dict) else 0


def _count_numbered(directory: Mapping[str, object]) -> int:
    data = directory.get("data")
    numbered = isinstance(data, list)
    entries = data if isinstance(data, list) else [data]
    total = 0
    for entry in entries:
        for child in entry.values() if isinstance(entry, dict) else ():
            if isinstance(child, dict) and "data" in child:
                total += _count_numbered(child)
            elif numbered:
                total += 1
    return total
