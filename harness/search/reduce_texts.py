"""Shorten a failing text that fits no shape: cut lines, tokens and letters, and lower numbers.

Chunks are cut from the end to the front, halves first: parts of an input may depend on everything before them.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from itertools import islice

from harness.search.change_texts import INTEGER, TextSpan, counted_lines, counted_tokens, replaced
from harness.search.policy import TEXTS
from harness.values import dataclass

Failing = Callable[[Sequence[bytes]], Sequence[bool]]
Grouping = Callable[[bytes], list[list[TextSpan]]]
Removal = Callable[[bytes, Sequence[TextSpan]], Iterator[bytes]]

_WORD = re.compile(rb"(?<![^\s])[A-Za-z_][\w-]*(?![^\s])")
_DECIMAL = re.compile(rb"(?<![\w.])-?\d+\.\d+(?![\w.])")
_LINE, _TOKEN = re.compile(rb"[^\n]+"), re.compile(rb"[^ ]+")


def shortened(data: bytes, failing: Failing, corrected: Callable[[bytes], bytes] = bytes) -> bytes:
    """Shorten a failing text until no cut helps any more.

    failing: returns which texts fail; those after the first failing may be False. corrected: repairs a cut text
    before it is tried, such as its sums.
    """
    shortening = _Shortening(data=data, failing=failing, corrected=corrected)
    before = b""
    while before != shortening.data:
        before = shortening.data
        for grouping, cut in ((_lines, _without_lines), (_tokens, _without_tokens), (_letters, _without_letters)):
            shortening.cut_out(grouping, cut)
        shortening.lower_numbers()
        shortening.rename_words()
        shortening.shorten_decimals()
    return shortening.data


@dataclass(kw_only=True)
class _Shortening:
    """A failing text that becomes shorter. _seen: hashes of the texts that were tried."""

    data: bytes
    failing: Failing
    corrected: Callable[[bytes], bytes]
    _seen: set[int] = field(default_factory=set)

    def cut_out(self, grouping: Grouping, cut: Removal) -> None:
        """Cut chunks of pieces, first half of a group, then ever smaller. grouping: splits a text into groups."""
        groups = grouping(self.data)
        for index in range(len(groups) - 1, -1, -1):
            pieces = groups[index]
            size, least = len(pieces) - len(pieces) // 2, len(pieces) // TEXTS.parts if self._is_large else 1
            while size >= max(1, least):
                before, end = self.data, len(pieces)
                while end > 0:
                    end = self._cut_chunk(pieces, cut, size, end)
                    if self.data != before:
                        groups, before = grouping(self.data), self.data
                        pieces = groups[index] if index < len(groups) else []
                        end = min(end, len(pieces))
                size //= 2

    def _cut_chunk(self, pieces: Sequence[TextSpan], cut: Removal, size: int, end: int) -> int:
        """Try chunks before the piece `end`; return the piece before which to continue."""
        tries: list[tuple[int, bytes]] = []
        while end > 0 and len(tries) < TEXTS.cuts_at_once:
            start = max(0, end - size)
            ways = cut(self.data, pieces[start:end])
            tries += [(start, text) for text in (islice(ways, TEXTS.likely_cuts) if self._is_large else ways)]
            end = start
        taken = self._first([text for _, text in tries])
        return end if taken is None else tries[taken][0]

    @property
    def _is_large(self) -> bool:
        return len(self.data) > TEXTS.large_bytes

    def lower_numbers(self) -> None:
        """Lower each number, from the first to the last."""
        index = 0
        while not self._is_large and (match := INTEGER.search(self.data, index)) is not None:
            value = int(match[0])
            lower = dict.fromkeys((0, 1, value // 2, value - 1 if value > 0 else value + 1))
            texts = [replaced(match, number) for number in lower if abs(number) < abs(value)]
            if self._first(texts) is None:
                index = match.end()

    def rename_words(self) -> None:
        """Rename each word everywhere at once: repeated names must stay equal."""
        words = sorted(set(_WORD.findall(self.data)), key=len, reverse=True)
        for word in words if not self._is_large else ():
            names = [bytes([letter]) for letter in b"abc" if len(word) > 1 or letter < word[0]]
            self._first([_renamed(self.data, word, name) for name in names])

    def shorten_decimals(self) -> None:
        """Remove decimal places of each number in turn."""
        at = 0
        while not self._is_large and (match := _DECIMAL.search(self.data, at)) is not None:
            point = match[0].index(b".")
            texts = [replaced(match, match[0][:end]) for end in (point, point + 2) if end < len(match[0])]
            if self._first(texts) is None:
                at = match.end()

    def _first(self, texts: Sequence[bytes]) -> int | None:
        """Return the index of the first failing text, which becomes the current text."""
        texts = list(map(self.corrected, texts))
        untried = [text for text in dict.fromkeys(texts) if text != self.data and hash(text) not in self._seen]
        self._seen.update(map(hash, untried))
        answers = list(self.failing(untried)) if untried else []
        if True not in answers:
            return None
        self.data = untried[answers.index(True)]
        return texts.index(self.data)


def _renamed(data: bytes, word: bytes, name: bytes) -> bytes:
    return re.sub(rb"(?<![^\s])" + re.escape(word) + rb"(?![^\s])", lambda _: name, data)


def _lines(data: bytes) -> list[list[TextSpan]]:
    return [[match.span() for match in re.finditer(rb"[^\n]*\n|[^\n]+", data)]]


def _tokens(data: bytes) -> list[list[TextSpan]]:
    lines = [match.span() for match in _LINE.finditer(data)]
    groups = [[match.span() for match in _TOKEN.finditer(data, *line)] for line in lines]
    return [group for group in groups if len(data) <= TEXTS.large_bytes or len(group) > TEXTS.long_group]


def _letters(data: bytes) -> list[list[TextSpan]]:
    words = [match.span() for match in re.finditer(rb"[^ \n]{2,}", data)]
    return [
        [(at, at + 1) for at in range(*word)]
        for word in words
        if len(data) <= TEXTS.large_bytes or word[1] - word[0] > TEXTS.long_group
    ]


def _without_lines(data: bytes, chunk: Sequence[TextSpan]) -> Iterator[bytes]:
    before, after = data[: chunk[0][0]], data[chunk[-1][1] :]
    lines = before.splitlines(keepends=True)
    return counted_lines([*lines, *after.splitlines(keepends=True)], len(lines), -len(chunk))


def _without_tokens(data: bytes, chunk: Sequence[TextSpan]) -> Iterator[bytes]:
    start, end = chunk[0][0], chunk[-1][1]
    end += data[end : end + 1] == b" "
    return counted_tokens(data[:start] + data[end:], start, -len(chunk))


def _without_letters(data: bytes, chunk: Sequence[TextSpan]) -> Iterator[bytes]:
    yield data[: chunk[0][0]] + data[chunk[-1][1] :]
