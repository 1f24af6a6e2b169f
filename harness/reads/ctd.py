"""Find what an input validator in Checktestdata's language (`.ctd`) reads."""

import re
from collections.abc import Sequence
from dataclasses import field, replace

from harness.package.checktestdata import CtdToken, tokens_of, unescaped
from harness.reads.nodes import (
    UNTIL_END,
    Distinct,
    Loop,
    Newline,
    Node,
    ReadValue,
    Space,
    Unknown,
    UnreadableError,
)
from harness.reads.patterns import word_of_pattern
from harness.reads.writer import shape_text
from harness.values import dataclass

_LENGTH = re.compile(
    r"(?:(?<![\w^*+-])(?P<least>[\w^*+-]+)(?P<after><=|<|==))?STRLEN\((?P<name>[a-z]\w*)(?:\[[^]]*\])?\)"
    r"(?:(?P<before><=|<|==)(?P<most>[\w^*+-]+))?"
)


def shape_of_ctd(source: str, unknown: Unknown) -> str:
    """Return the text of the shape that a validator describes. Raises UnreadableError, SourceError."""
    tokens = tokens_of(source)
    reader = _Reader(tokens=tokens, lengths=_lengths(tokens))
    nodes = reader.commands()
    if reader.tokens[reader.at].kind != "end":
        raise UnreadableError("it goes on after its end")
    return shape_text(nodes, unknown)


def _lengths(tokens: Sequence[CtdToken]) -> dict[str, tuple[str, str]]:
    """Return the lengths (least, most) that assertions demand of words, by the variable of the word."""
    text = "".join(token.text for token in tokens)
    lengths: dict[str, tuple[str, str]] = {}
    for match in _LENGTH.finditer(text):
        least, most = lengths.get(match["name"], ("", ""))
        if match["least"]:
            least = match["least"] + ("+1" if match["after"] == "<" else "")
            most = least if match["after"] == "==" else most
        if match["most"]:
            most = match["most"] + ("-1" if match["before"] == "<" else "")
            least = most if match["before"] == "==" else least
        lengths[match["name"]] = (least, most)
    return lengths


_BLOCKS = ("REP", "REPI", "WHILE", "WHILEI", "IF")
_MARKS: dict[str, Space | Newline] = {"SPACE": Space(), "NEWLINE": Newline()}


@dataclass(kw_only=True)
class _Reader:
    """Parses commands; their expressions stay texts. lengths: see `_lengths`."""

    tokens: list[CtdToken]
    lengths: dict[str, tuple[str, str]] = field(default_factory=dict)
    at: int = 0

    def commands(self) -> tuple[Node, ...]:
        """Read commands up to END, ELSE or the end."""
        nodes: list[Node] = []
        while self.tokens[self.at].kind == "command" and self.tokens[self.at].text not in ("END", "ELSE"):
            nodes += self._command()
        return tuple(nodes)

    def _command(self) -> list[Node]:
        name = self.tokens[self.at].text
        self.at += 1
        if name in ("SPACE", "NEWLINE", "EOF"):
            return [] if name == "EOF" else [_MARKS[name]]
        arguments = self._arguments()
        if name in ("INT", "FLOAT", "FLOATP", "STRING", "REGEX"):
            value = self._value(name, arguments)
            return [value, Newline()] if arguments[0][0].text.endswith('\\n"') else [value]
        if name == "ASSERT":
            unique = re.fullmatch(r"UNIQUE\(([\w,]+)\)", _text(arguments[0]) if len(arguments) == 1 else "")
            return [Distinct(arrays=tuple(unique[1].split(",")))] if unique else []
        if name in ("SET", "UNSET"):
            return []
        return self._block(name, arguments)

    def _value(self, name: str, arguments: list[list[CtdToken]]) -> ReadValue:
        count = {"INT": 2, "FLOAT": 2, "FLOATP": 4}.get(name, 1)
        stored = next((part for part in arguments[count:] if part and part[0].kind == "name"), None)
        variable = stored[0].text if stored else ""
        own_name, array = (variable, "") if stored is not None and len(stored) == 1 else ("", variable)
        texts = [_text(part) for part in arguments[:count]]
        if name == "INT":
            return ReadValue(kind="integer", low=texts[0], high=texts[1], name=own_name, array=array)
        if name in ("FLOAT", "FLOATP"):
            places = (int(texts[2]), int(texts[3])) if name == "FLOATP" else (0, 2)
            return ReadValue(
                kind="decimal", low=texts[0], high=texts[1], places=places, name=own_name, array=array
            )
        text = unescaped(arguments[0][0].text[1:-1]) if len(arguments[0]) == 1 else ""
        if name == "STRING":
            text = text.removesuffix("\n")
            if not re.fullmatch(r"[!-~]+", text):
                raise UnreadableError(f"the text {text!r}")
            return ReadValue(kind="word", words=(text.encode(),))
        word = word_of_pattern(text.removesuffix("\n"), self.lengths.get(variable, ("", "")))
        return replace(word, name=own_name, array=array)

    def _block(self, name: str, arguments: list[list[CtdToken]]) -> list[Node]:
        """Read a loop or a condition up to its END."""
        if name not in _BLOCKS:
            raise UnreadableError(f"the command {name}")
        index = arguments.pop(0)[0].text if name in ("REPI", "WHILEI") else ""
        body = self.commands()
        other: tuple[Node, ...] = ()
        if self.tokens[self.at].text == "ELSE":
            self.at += 1
            other = self.commands()
        self.at += 1
        if name == "IF":
            kept = [node for node in (*body, *other) if isinstance(node, Distinct)]
            if len(kept) == len(body) + len(other):
                return [*kept]
            if body == (Space(),) and not other:
                return [Space()]  # between the rounds of a loop
            raise UnreadableError("some values are read under a condition")
        count = _text(arguments[0])
        if name.startswith("WHILE") and count != UNTIL_END:
            raise UnreadableError(f"the loop while {count}")
        separator = _MARKS.get(arguments[1][0].text) if len(arguments) > 1 else None
        if len(arguments) > 1 and separator is None:
            raise UnreadableError("values are separated by neither spaces nor lines")
        return [Loop(count=count, body=body, index=index, separator=separator)]

    def _arguments(self) -> list[list[CtdToken]]:
        """Read arguments in parentheses, split at the commas between them."""
        self.at += 1
        depth, arguments = 1, [[]]  # type: tuple[int, list[list[CtdToken]]]
        while True:
            token = self.tokens[self.at]
            self.at += 1
            if token.kind == "end":
                raise UnreadableError("it ends within parentheses")
            depth += (token.text in ("(", "[")) - (token.text in (")", "]"))
            if depth == 0:
                return arguments
            if token.text == "," and depth == 1:
                arguments.append([])
            else:
                arguments[-1].append(token)


def _text(tokens: Sequence[CtdToken]) -> str:
    return "".join(token.text for token in tokens)
