"""YAML with line numbers: typed getters that add findings, so that all faults are reported at once."""

import codecs
import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from pathlib import PurePath
from types import MappingProxyType
from typing import TypeVar

import yaml

from harness.package.files import File
from harness.package.findings import Findings
from harness.values import dataclass

LARGEST = 1 << 24  # of any number without its own bound
LARGEST_SCORE = 1e15  # sums of larger scores lose whole points
LARGEST_FILE = 4 << 20
DEEPEST = 60
MOST_NODES = 200_000
MOST_DIGITS = 300
_LONGEST_KEY = 60
_SUFFIXES = (".yaml", ".yml")

# 2025-09, "General requirements": decimal only, no nan, inf, hexadecimal, sexagesimal or underscore.
_FLOAT = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
_SHORT = rf"(?=[^:]{{1,{MOST_DIGITS}}}\Z)"
# The C scanner, if PyYAML was built with it, is ten times faster; both give the same nodes.
_SAFE_LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_SAFE_LOADER):  # type: ignore[misc, valid-type]
    """Takes numbers of base 60 (`1:30`) and of more than MOST_DIGITS characters as texts."""

    yaml_implicit_resolvers = {  # noqa: RUF012
        first: [
            (tag, re.compile(f"{_SHORT}(?:{pattern.pattern})", re.VERBOSE) if tag in _NUMBERS else pattern)
            for tag, pattern in pairs
        ]
        for first, pairs in _SAFE_LOADER.yaml_implicit_resolvers.items()
    }


Default = TypeVar("Default")
Result = TypeVar("Result")
Word = TypeVar("Word", bound=str)


def decimal(text: str) -> float | None:
    """Return `text` as a number by the format's syntax of floats; None if it is not a finite number."""
    if len(text) > MOST_DIGITS or not _FLOAT.fullmatch(text):
        return None
    number = float(text)
    return number if abs(number) < float("inf") else None


def score_in(text: str) -> float | None:
    """Return `text` as a score of at most LARGEST_SCORE above or below zero; else None."""
    number = decimal(text)
    return number if number is not None and abs(number) <= LARGEST_SCORE else None


@dataclass(frozen=True, kw_only=True)
class YamlValue:
    """A YAML node: its plain Python value and its line: that of its key, if it has one, else its first one."""

    node: yaml.Node
    path: PurePath
    findings: Findings
    key: yaml.Node | None = None

    @property
    def line(self) -> int:
        """Return the 1-based line in the file."""
        return int((self.key or self.node).start_mark.line) + 1

    @property
    def _stated_line(self) -> int | None:
        """Return the line; None in YAML that was made from a file of another family."""
        return self.line if self.path.suffix in _SUFFIXES else None

    @property
    def plain(self) -> object:
        """Return the value as lists, dicts and scalars."""
        constructor = yaml.constructor.SafeConstructor()
        return constructor.construct_document(self.node) if self.node is not None else None

    @property
    def text(self) -> str | None:
        """Return a scalar as written; None for a list, a mapping or null."""
        is_text = isinstance(self.node, yaml.ScalarNode) and self.node.tag != "tag:yaml.org,2002:null"
        return str(self.node.value) if is_text else None

    def fault(self, message: str) -> None:
        """Add a fault at this node."""
        self.findings.fault(self.path, message, self._stated_line)

    def warn(self, message: str) -> None:
        """Add a warning at this node."""
        self.findings.warn(self.path, message, self._stated_line)

    def items(self) -> Iterator["YamlValue"]:
        """Yield the items of a list node; a scalar counts as a list of one item."""
        nodes = self.node.value if isinstance(self.node, yaml.SequenceNode) else [self.node]
        return (YamlValue(node=node, path=self.path, findings=self.findings) for node in nodes)

    @property
    def is_mapping(self) -> bool:
        """Return whether this node is a mapping."""
        return isinstance(self.node, yaml.MappingNode)

    def section(self) -> "YamlSection | None":
        """Return this node as a mapping, or None with a fault."""
        if self.is_mapping:
            return YamlSection(value=self)
        self.fault(f"expected a mapping (key: value), found {shown(self)}")
        return None


def _within(value: YamlValue, low: float, high: float) -> float | None:
    number = decimal(value.text or "")
    return number if number is not None and low <= number <= high else None


def shown(value: YamlValue) -> str:
    """Return a value as messages show it."""
    text = repr(value.plain)
    return text if len(text) <= 80 else text[:77] + "…"


@dataclass(kw_only=True)
class YamlSection:
    """A mapping node. Keys are taken one by one; `finish` reports the remaining keys."""

    value: YamlValue
    entries: dict[str, YamlValue] = field(init=False)
    known_keys: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.entries = {}
        if isinstance(self.value.node, yaml.MappingNode):
            yaml.constructor.SafeConstructor().flatten_mapping(self.value.node)  # `<<: *name`
        for key_node, node in self.value.node.value:
            key = YamlValue(node=key_node, path=self.value.path, findings=self.value.findings)
            name = str(key_node.value) if isinstance(key_node, yaml.ScalarNode) else str(key.plain)
            value = YamlValue(node=node, path=self.value.path, findings=self.value.findings, key=key_node)
            if name in self.entries:
                same = self.entries[name].plain == value.plain
                taken = value.findings.last_key_counts and not same
                note = key.warn if same or taken else key.fault
                note(f"the key `{name}` stands twice: keep one{' (the last one counts)' if taken else ''}")
            self.entries[name] = value

    def take(self, key: str) -> YamlValue | None:
        """Take the value of `key`; None when absent or null."""
        self.known_keys.add(key)
        value = self.entries.pop(key, None)
        return None if value is None or value.plain is None else value

    def string(self, key: str, default: str | None = None) -> str | None:
        """Take a string (a number as it is written), or `default`."""
        return self._converted(key, default, lambda value: value.text, "a string")

    def boolean(self, key: str, default: bool) -> bool:
        """Take true or false, or `default`."""
        return self._converted(
            key, default, lambda value: value.plain if isinstance(value.plain, bool) else None, "true or false"
        )

    def number(
        self, key: str, low: float, default: Default, *, high: float = LARGEST, unit: str = ""
    ) -> float | Default:
        """Take a number from `low` to `high`, or `default`. unit: as messages name it (` (in seconds)`)."""
        wanted = f"a number from {low:g} to {high:,.0f}{unit}"
        return self._converted(key, default, lambda value: _within(value, low, high), wanted)

    def integer(
        self, key: str, low: int, default: Default, *, high: int = LARGEST, unit: str = ""
    ) -> int | Default:
        """Take a whole number from `low` to `high`, or `default`. unit: as of `number`."""

        def whole(value: YamlValue) -> int | None:
            number = _within(value, low, high)
            return int(number) if number is not None and number == int(number) else None

        return self._converted(key, default, whole, f"a whole number from {low} to {high:,}{unit}")

    def choice(self, key: str, choices: Iterable[Word], default: Default) -> Word | Default:
        """Take a word out of `choices`, or `default`."""
        words = {str(word): word for word in choices}
        return self._converted(
            key, default, lambda value: words.get(str(value.plain)), f"one of: {', '.join(words)}"
        )

    def _converted(
        self, key: str, default: Default, convert: Callable[[YamlValue], Result | None], wanted: str
    ) -> Result | Default:
        """Take the converted value of `key`, or `default`; None from `convert` is a fault."""
        value = self.take(key)
        result = convert(value) if value is not None else None
        if value is not None and result is None:
            value.fault(f"`{key}` must be {wanted}, not {shown(value)}")
        return default if result is None else result

    def strings(self, key: str) -> tuple[str, ...]:
        """Take a list of strings; a single string counts as a list."""
        value = self.take(key)
        if value is None:
            return ()
        texts = []
        for item in value.items():
            if item.text is not None:
                texts.append(item.text)
            else:
                item.fault(f"`{key}` must hold strings only")
        return tuple(texts)

    def skip(self, *keys: str) -> None:
        """Ignore these keys: they are part of the format, and nothing here depends on them."""
        for key in keys:
            self.known_keys.add(key)
            self.entries.pop(key, None)

    def finish(self, where: str, *, strict: bool = True, places: Mapping[str, str] = MappingProxyType({})) -> None:
        """Report each key that was not taken: a fault, or a warning if not strict. places: how to write some keys."""
        for key, value in self.entries.items():
            note = value.fault if strict else value.warn
            near = _nearest(key, self.known_keys)
            fix = f"did you mean `{near}`?" if near else "remove it or correct its name"
            note(f"unknown key `{key}` in {where}: {places.get(key, fix)}")
        self.entries.clear()


def _nearest(key: str, known: Iterable[str]) -> str | None:
    """Return the known key that is spelt like `key`, else the shortest that begins with it (`time`: `time_limit`)."""
    alike = difflib.get_close_matches(key[:_LONGEST_KEY], known, n=1)
    longer = sorted(
        (other for other in known if other.startswith(f"{key}_")), key=lambda other: (len(other), other)
    )
    return next(iter((*alike, *longer)), None)


def parse(path: PurePath, text: bytes, findings: Findings) -> YamlValue | None:
    """Return the document of a YAML file; None, with a fault, when it is broken; None when it is empty."""
    try:
        decoded = _decoded(path, text, findings)
        if not _is_tame(path, decoded, findings):
            return None
        node = yaml.compose(decoded, Loader=_Loader)
        if node is not None and not _grows(node):
            yaml.constructor.SafeConstructor().construct_document(node)
        elif node is not None:
            findings.fault(path, f"its aliases (*name) grow beyond {MOST_NODES:,} values: write them out")
            return None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = decoded.splitlines()[mark.line : mark.line + 1] if mark is not None else []
        findings.fault(path, f"not YAML: {_problem(error, *line)}", mark.line + 1 if mark else None)
        return None
    except (yaml.YAMLError, ValueError, TypeError, OverflowError, RecursionError, AttributeError) as error:
        findings.fault(path, f"not YAML: {error}")
        return None
    return None if node is None else YamlValue(node=node, path=path, findings=findings)


def _problem(error: yaml.MarkedYAMLError, line: str = "") -> str:
    problem = error.problem or error.context or "unreadable"
    if "\t" in line[: len(line) - len(line.lstrip())]:
        return "a tab where only spaces may stand: YAML is indented with spaces"
    if "nesting depth" in problem:  # libyaml's own limit, far beyond ours
        return f"nested more than {DEEPEST} deep"
    if "mapping values" in problem and ": " in line.partition(":")[2]:
        return f"{problem}: a text that holds `: ` needs quotes"
    if any(words in problem for words in ("mapping values", "expected key", "expected <block end>")):
        return f"{problem}: is this line, or the one above it, indented as it should be?"
    return f"{problem}: a text that begins so needs quotes" if "cannot start any token" in problem else problem


def _decoded(path: PurePath, text: bytes, findings: Findings) -> str:
    """Decode UTF-8; old files in other encodings are read as Latin-1, with which only names of people are wrong.

    Raises ValueError for UTF-16.
    """
    if text.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise ValueError("it is UTF-16: save the file as UTF-8")
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = text[: error.start].count(b"\n") + 1
        findings.warn(path, "not UTF-8, so read as Latin-1: save the file as UTF-8", line)
        return text.decode("latin-1")


def _is_tame(path: PurePath, text: str, findings: Findings) -> bool:
    """Return whether the document is not too large, nor nested too deeply for a tree, nor holds a huge number."""
    depth = 0
    for count, event in enumerate(yaml.parse(text, Loader=_SAFE_LOADER)):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        what = f"nested more than {DEEPEST} deep" if depth > DEEPEST else ""
        if count > MOST_NODES:
            what = f"more than {MOST_NODES:,} values"
        if isinstance(event, yaml.ScalarEvent) and event.tag in _NUMBERS and len(event.value) > MOST_DIGITS:
            what = f"a number tagged `!!int` or `!!float` of more than {MOST_DIGITS} characters"
        if what:
            findings.fault(path, f"{what}: not read", event.start_mark.line + 1 if event.start_mark else None)
            return False
    return True


def _grows(node: yaml.Node) -> bool:
    """Return whether aliases expand the document beyond MOST_NODES, or contain themselves."""
    sizes: dict[int, int] = {}

    def size(inner: yaml.Node) -> int:
        if isinstance(inner, yaml.ScalarNode):
            return 1
        if id(inner) not in sizes:
            sizes[id(inner)] = MOST_NODES + 1  # until it is computed: an alias to itself gets this
            parts = (
                inner.value
                if isinstance(inner, yaml.SequenceNode)
                else [part for pair in inner.value for part in pair]
            )
            sizes[id(inner)] = min(1 + sum(map(size, parts)), MOST_NODES + 1)
        return sizes[id(inner)]

    return size(node) > MOST_NODES


def document_of(file: File, findings: Findings) -> YamlValue | None:
    """Return the document of a file; None when it is empty or, with a fault, broken or too large."""
    if file.size() > LARGEST_FILE:
        findings.fault(file.origin, f"larger than {LARGEST_FILE >> 20} MiB: not read")
        return None
    return parse(file.origin, file.read(), findings)


def section_of(file: File, findings: Findings) -> YamlSection | None:
    """Return the document of a file as a mapping; None when it is empty or, with a fault, broken."""
    value = document_of(file, findings)
    return value.section() if value is not None else None
