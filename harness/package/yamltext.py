"""YAML that knows its lines: typed getters that collect faults instead of stopping at the first."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePath

import yaml

from harness.errors import Fault

LARGEST = 1 << 24  # of any limit, in its unit: seconds, MiB, points


@dataclass(frozen=True, kw_only=True)
class Value:
    """One YAML node: its plain Python value and the line it starts on."""

    node: yaml.Node
    path: PurePath
    faults: list[Fault]

    @property
    def line(self) -> int:
        """1-based line in the file."""
        return int(self.node.start_mark.line) + 1

    @property
    def plain(self) -> object:
        """The value as lists, dicts and scalars."""
        constructor = yaml.constructor.SafeConstructor()
        return constructor.construct_document(self.node) if self.node is not None else None

    def fault(self, message: str) -> None:
        """Note that something is wrong at this node."""
        self.faults.append(Fault(path=self.path, line=self.line, message=message))

    def items(self) -> Iterator["Value"]:
        """The items of a list node; a single scalar counts as a list of one."""
        nodes = self.node.value if isinstance(self.node, yaml.SequenceNode) else [self.node]
        return (Value(node=node, path=self.path, faults=self.faults) for node in nodes)

    def section(self) -> "Section | None":
        """This node as a mapping, or None with a fault."""
        if isinstance(self.node, yaml.MappingNode):
            return Section(value=self)
        self.fault(f"expected a mapping (key: value), found {self.plain!r}")
        return None


@dataclass(kw_only=True)
class Section:
    """A mapping node whose keys are taken one by one; `finish` reports those that nobody knows."""

    value: Value
    entries: dict[str, Value] = field(init=False)

    def __post_init__(self) -> None:
        self.entries = {}
        for key_node, node in self.value.node.value:
            key = Value(node=key_node, path=self.value.path, faults=self.value.faults)
            name = str(key.plain)
            if name in self.entries:
                key.fault(f"the key `{name}` stands twice: keep one")
            self.entries[name] = Value(node=node, path=self.value.path, faults=self.value.faults)

    def take(self, key: str) -> Value | None:
        """The value of `key`, which then counts as known; None when absent or null."""
        value = self.entries.pop(key, None)
        return None if value is None or value.plain is None else value

    def require(self, key: str) -> Value | None:
        """Like `take`, but absence is a fault."""
        value = self.take(key)
        if value is None:
            self.value.fault(f"the key `{key}` is missing")
        return value

    def string(self, key: str, default: str | None = None) -> str | None:
        """A string (a number is taken as written), or `default`."""
        value = self.take(key)
        if value is None:
            return default
        if isinstance(value.node, yaml.ScalarNode):
            return str(value.node.value)
        value.fault(f"`{key}` must be a string")
        return default

    def boolean(self, key: str, default: bool) -> bool:
        """true or false, or `default`."""
        value = self.take(key)
        if value is None:
            return default
        plain = value.plain
        if isinstance(plain, bool):
            return plain
        value.fault(f"`{key}` must be true or false, not {plain!r}")
        return default

    def number(self, key: str, low: float, default: float | None = None) -> float | None:
        """A number of at least `low`, or `default`."""
        value = self.take(key)
        if value is None:
            return default
        plain = value.plain
        if isinstance(plain, int | float) and not isinstance(plain, bool) and low <= plain <= LARGEST:
            return float(plain)
        value.fault(f"`{key}` must be a number, at least {low:g}, not {plain!r}")
        return default

    def integer(self, key: str, low: int, default: int | None = None) -> int | None:
        """A whole number of at least `low`, or `default`."""
        value = self.take(key)
        if value is None:
            return default
        plain = value.plain
        if isinstance(plain, int) and not isinstance(plain, bool) and low <= plain <= LARGEST:
            return plain
        value.fault(f"`{key}` must be a whole number, at least {low}, not {plain!r}")
        return default

    def choice(self, key: str, choices: Iterable[str], default: str | None = None) -> str | None:
        """One of a few words, or `default`."""
        allowed = tuple(choices)
        value = self.take(key)
        if value is None:
            return default
        if value.plain in allowed:
            return str(value.plain)
        value.fault(f"`{key}` is {value.plain!r}, must be one of: {', '.join(allowed)}")
        return default

    def strings(self, key: str) -> tuple[str, ...]:
        """A list of strings; one string stands for a list of one."""
        value = self.take(key)
        if value is None:
            return ()
        texts = []
        for item in value.items():
            if isinstance(item.node, yaml.ScalarNode):
                texts.append(str(item.node.value))
            else:
                item.fault(f"`{key}` must hold strings only")
        return tuple(texts)

    def finish(self, where: str) -> None:
        """Every key that was not taken is unknown: a fault each."""
        for key, value in self.entries.items():
            value.fault(f"unknown key `{key}` in {where}: remove it or correct its name")
        self.entries.clear()


def parse(path: PurePath, text: bytes, faults: list[Fault]) -> Value | None:
    """The one document of a YAML file; None when it is empty or broken (a fault says which and where)."""
    try:
        decoded = text.decode("utf-8")
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(decoded, Loader=yaml.SafeLoader)):
            faults.append(Fault(path=path, message="aliases (*name) are not read: write the value out"))
            return None
        node = yaml.compose(decoded, Loader=yaml.SafeLoader)
        if node is not None:
            yaml.constructor.SafeConstructor().construct_document(node)
    except UnicodeDecodeError as error:
        line = text[: error.start].count(b"\n") + 1
        faults.append(Fault(path=path, line=line, message="not UTF-8: save the file as UTF-8"))
        return None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        faults.append(Fault(path=path, line=mark.line + 1 if mark else None, message=f"not YAML: {error.problem}"))
        return None
    except (yaml.YAMLError, ValueError, TypeError, OverflowError, RecursionError) as error:
        faults.append(Fault(path=path, message=f"not YAML: {error}"))
        return None
    return None if node is None else Value(node=node, path=path, faults=faults)


def parse_section(path: PurePath, text: bytes, faults: list[Fault]) -> Section | None:
    """The one document of a YAML file as a mapping; None when empty or broken."""
    value = parse(path, text, faults)
    return value.section() if value is not None else None
