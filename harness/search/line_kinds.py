"""What kinds of lines occur in the cases of a problem: changed cases with other kinds are hardly ever valid inputs."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from harness.search.policy import TEXTS

Kind = tuple[bytes, ...]

_INTEGER = re.compile(rb"-?(?:0|[1-9][0-9]*)")
_DECIMAL = re.compile(rb"-?[0-9]+\.[0-9]+")


@dataclass(frozen=True, kw_only=True)
class LineKinds:
    """The kinds of lines that were seen. words: few words stand for themselves, as commands do; empty: any word."""

    kinds: frozenset[Kind]
    words: frozenset[bytes]

    @staticmethod
    def of(texts: Sequence[bytes]) -> "LineKinds":
        """Those of some inputs."""
        found = {token for text in texts for token in text.split() if _class(token) == b"w"}
        words = frozenset(found if len(found) <= TEXTS.few_words else ())
        return LineKinds(
            kinds=frozenset(_kind(line, words) for text in texts for line in text.splitlines()), words=words
        )

    def knows(self, text: bytes) -> bool:
        """Whether all lines (the first ones of many) are of kinds that were seen."""
        return all(self._known(_kind(line, self.words)) for line in _lines(text))

    def _known(self, kind: Kind) -> bool:
        numbers = set(kind) <= {b"#", b"*"}  # a row of them may have any length
        return kind in self.kinds or numbers or ((kind[0], b"*") in self.kinds and len(set(kind)) == 1)


def _lines(text: bytes) -> Iterable[bytes]:
    return text.removesuffix(b"\n").split(b"\n", TEXTS.lines_looked_at)[: TEXTS.lines_looked_at]


def _kind(line: bytes, words: frozenset[bytes]) -> Kind:
    """The classes of its tokens; many of one class are one kind, however many they are."""
    classes = tuple(token if token in words else _class(token) for token in line.split(b" "))
    return (classes[0], b"*") if len(classes) > TEXTS.many_tokens and len(set(classes)) == 1 else classes


def _class(token: bytes) -> bytes:
    if _INTEGER.fullmatch(token):
        return b"#"
    if _DECIMAL.fullmatch(token):
        return b"#.#"
    return b"w" if token else b""
