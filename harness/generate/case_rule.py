"""Read a test case of a recipe: the command with its placeholders filled in; literal, copied and linked files."""

import difflib
import hashlib
import re
import shlex
from collections.abc import Mapping
from dataclasses import field, replace

import yaml

from harness.package.constants import Constants, substitute
from harness.package.files import Files
from harness.package.formats.cases import CASE_EXTENSIONS
from harness.package.yaml_lines import YamlSection, YamlValue
from harness.values import dataclass

_PLACEHOLDER = re.compile(r"\{([a-z]+)(?::[0-9]+)?\}")
SEED = re.compile(r"\{seed(?::[0-9]+)?\}")
MOST_CASES = 100_000
MOST_RETRIES = 1_000_000
LARGEST_COUNT = 999_999_999
_COUNTED = f"at most {MOST_CASES:,} of them, none beyond {LARGEST_COUNT:,}"
# The name, without extension, of the files that a generator writes in its folder.
NAME = "testcase"
# `.hint` and `.desc` occur in older recipes.
TEXTS = (*CASE_EXTENSIONS, ".hint", ".desc")
CASE_KEYS = ("copy", "generate", "count", "match", *(extension[1:] for extension in TEXTS))
_COUNT_RANGE = re.compile(r"(-?\d{1,9})\.\.=(-?\d{1,9})")


@dataclass(frozen=True, kw_only=True)
class Invocation:
    """A generator and its arguments, all placeholders filled in.

    seeded: indices of the arguments that contain the seed, for retries with another seed.
    """

    generator: str
    arguments: tuple[str, ...]
    seeded: frozenset[int] = frozenset()
    seed: int = 0

    def retried(self, times: int) -> "Invocation":
        """Return the same call with the seed raised by `times`."""
        seed = (self.seed + times) % 2**31
        words = enumerate(self.arguments)
        arguments = tuple(
            word.replace(str(self.seed), str(seed)) if index in self.seeded else word for index, word in words
        )
        return replace(self, arguments=arguments, seed=seed)


@dataclass(frozen=True, kw_only=True)
class Scope:
    """The settings that the entries of a directory of the recipe inherit."""

    path: str = ""
    solution: str | None = None
    salt: str = ""
    retries: int = 1

    def inside(self, section: YamlSection) -> "Scope":
        """Override this scope with the keys of `section`; `solution:` without a value switches it off."""
        off = "solution" in section.entries and section.entries["solution"].plain is None
        solution = section.string("solution", None if off else self.solution)
        visualizer = section.take("visualizer")
        if visualizer is not None and visualizer.plain is not None:
            visualizer.warn("`visualizer` is not run: a program in input_visualizer/ draws the inputs now")
        if solution is not None and solution != self.solution and not solution.startswith("/"):
            section.value.fault(
                f"the solution {solution!r} must start with /: it is a path from the package's top"
            )
        return replace(
            self,
            solution=solution,
            salt=section.string("random_salt", self.salt) or "",
            retries=section.integer("retries", 1, self.retries, high=MOST_RETRIES) or 1,
        )


@dataclass(frozen=True, kw_only=True)
class CaseRule:
    """An entry of the recipe, before `count` makes several test cases of it.

    texts: literal files by extension. links: files that are copies of another: extension → extension. counts: the
    numbers of `count`. match: patterns by extension.
    """

    scope: Scope
    command: str | None
    texts: Mapping[str, bytes] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)
    counts: tuple[int, ...] | None = None
    match: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def suffix(self, count: int) -> str:
        """Return the suffix of the name for `count`; consecutive numbers are padded to equal length."""
        if self.counts is None:
            return ""
        in_a_row = max(self.counts) - min(self.counts) == len(self.counts) - 1
        width = max(len(str(number)) for number in self.counts) if in_a_row else 0
        return f"-{count:0{width}}"


def is_directory(value: YamlValue) -> bool:
    """Return whether an entry of `data` is a directory: a mapping without any key of a test case."""
    return value.is_mapping and not any(key in YamlSection(value=value).entries for key in CASE_KEYS)


def read_rule(key: str, value: YamlValue, scope: Scope, files: Files) -> CaseRule:
    """Read an entry of `data`. An entry without a value is a case with handwritten files in data/."""
    if value.plain is None:
        return CaseRule(scope=scope, command=None, texts=_in_data(key, value, scope, files))
    if not value.is_mapping:
        command = value.text or ""
        if command.endswith(".in"):  # older recipes name the file to copy
            return CaseRule(scope=scope, command=None, texts=_copied(value, command, files))
        return CaseRule(scope=scope, command=command)
    section = YamlSection(value=value)
    counts = read_counts(section.take("count"))
    copied = section.take("copy")
    links: dict[str, str] = {}
    rule = CaseRule(
        scope=scope.inside(section),
        command=section.string("generate"),
        texts={
            **(_copied(copied, copied.text or "", files) if copied is not None else {}),
            **_literal(section, links),
        },
        links=links,
        counts=counts,
        match=read_match(section.take("match")),
    )
    section.finish("a test case")
    return rule


def read_counts(value: YamlValue | None) -> tuple[int, ...] | None:
    """Read the numbers of `count`; None without it."""
    if value is None:
        return None
    plain = value.plain
    span = _COUNT_RANGE.fullmatch(str(plain)[:100])
    if span and 0 <= int(span[2]) - int(span[1]) < MOST_CASES:
        return tuple(range(int(span[1]), int(span[2]) + 1))
    if type(plain) is int and 1 <= plain <= MOST_CASES:
        return tuple(range(1, plain + 1))
    if isinstance(plain, list) and _all_different(plain):
        return tuple(plain)
    value.fault(f"`count` must be a number, a list of different numbers or a range as 1..=3; {_COUNTED}")
    return (1,)


def _all_different(items: list[object]) -> bool:
    numbers = all(type(item) is int and abs(item) <= LARGEST_COUNT for item in items)
    return 0 < len(items) <= MOST_CASES and numbers and len(set(items)) == len(items)


def invocation_of(rule: CaseRule, count: int, constants: Constants, value: YamlValue) -> Invocation | None:
    """Fill in the command of a case for this count: constants, `{count}`, then the seed, computed as by BAPCtools."""
    if rule.command is None:
        return None
    command = substitute(rule.command.encode(), constants, value.path).decode()
    if rule.counts is not None:
        command = command.replace("{count}", str(count))
    salted = rule.scope.salt + (f":{count - 1}" if count != 1 else "") + command.strip()
    seed = int(hashlib.sha512(salted.encode()).hexdigest(), 16) % 2**31
    try:
        raw = [word.replace("{name}", NAME) for word in shlex.split(command)]
    except ValueError as error:
        value.fault(f"the command {command[:80]!r} cannot be split into words: {error}")
        raw = command.split()
    if sum(len(SEED.findall(word)) for word in raw) > 1:
        value.fault("`{seed}` stands in the command more than once: keep one")
    words = [SEED.sub(str(seed), word) for word in raw]
    for unknown in (name for word in words for name in _PLACEHOLDER.findall(word)):
        near = difflib.get_close_matches(unknown, ("seed", "count", "name"), n=1)
        if near and near[0] != unknown:
            value.fault(f"unknown placeholder `{{{unknown}}}`: did you mean `{{{near[0]}}}`?")
    seeded = frozenset(index for index, word in enumerate(raw[1:]) if SEED.search(word))
    return Invocation(generator=words[0] if words else "", arguments=tuple(words[1:]), seeded=seeded, seed=seed)


def _copied(value: YamlValue, name: str, files: Files) -> dict[str, bytes]:
    base = f"generators/{name.removesuffix('.in')}"
    texts = {end: files[base + end].read() for end in TEXTS if base + end in files}
    if not texts or name.startswith("/"):
        value.fault(f"nothing to copy: no {base}.in in the package")
    return texts


def _in_data(key: str, value: YamlValue, scope: Scope, files: Files) -> dict[str, bytes]:
    """Return the files of a case in data/. An existing answer is kept."""
    base = f"data/{scope.path}/{key}"
    if base + ".in" not in files:
        value.fault(f"{scope.path}/{key}: no test case: write `generate`, `copy` or `in`, or {base}.in by hand")
    return {end: files[base + end].read() for end in TEXTS if base + end in files}


def _literal(section: YamlSection, links: dict[str, str]) -> dict[str, bytes]:
    """Read the files that the recipe contains; a non-empty text gets a final newline."""
    texts = {}
    for extension in TEXTS:
        value = section.take(extension[1:])
        if value is None:
            continue
        if value.is_mapping and extension != ".yaml":
            _link(value, extension, links)
            continue
        plain = value.plain
        text = (value.text or "") if not isinstance(plain, dict | list) else yaml.safe_dump(plain, sort_keys=False)
        texts[extension] = (text + "\n" if text and not text.endswith("\n") else text).encode()
    return texts


def _link(value: YamlValue, extension: str, links: dict[str, str]) -> None:
    section = YamlSection(value=value)
    target = f".{section.string('link', '')}"
    section.finish(f"`{extension[1:]}`")
    if target not in TEXTS or target == extension:
        value.fault(f"`link: {target[1:]}` is no other file of the test case")
    else:
        links[extension] = target


def read_match(value: YamlValue | None) -> Mapping[str, tuple[str, ...]]:
    """Read the patterns of `match` by file extension; a string or a list without a key is for the input."""
    if value is None:
        return {}
    if not value.is_mapping:
        return {".in": _patterns(value)}
    section = YamlSection(value=value)
    values = {f".{key}": section.take(key) for key in ("in", "ans")}
    section.finish("`match`")
    return {extension: _patterns(patterns) for extension, patterns in values.items() if patterns is not None}


def _patterns(value: YamlValue) -> tuple[str, ...]:
    plain = value.plain
    patterns = tuple(plain) if isinstance(plain, list) else (plain,)
    if all(isinstance(pattern, str) and _is_text(pattern) for pattern in patterns):
        return patterns
    value.fault("`match` is a string, a list of strings, or a mapping of `in` and `ans` to these")
    return ()


def _is_text(pattern: str) -> bool:
    """Return whether the pattern can be the argument of a program."""
    try:
        return b"\0" not in pattern.encode()
    except UnicodeEncodeError:
        return False
