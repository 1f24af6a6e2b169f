"""Change copies of cases at random, without knowing their format (shape): numbers, tokens and lines.

If lines or tokens are added or removed, a number before them that may count them changes too: most inputs begin with
a count, and an input validator would refuse a wrong count.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from random import Random

from harness.search.candidates import Candidate, Source, TriedCandidate
from harness.search.numbers_in_sources import numbers_in
from harness.search.policy import TEXTS
from harness.search.vary_repeats import varied
from harness.values import dataclass

_TOKEN = re.compile(rb"[^ \n]+")
INTEGER = re.compile(rb"-?\d{1,18}(?!\d)")
_LITERAL_TEXT = re.compile(rb"\"([^\"\\\n]{1,40})\"|'([^'\\\n]{1,40})'")
_LITERAL_WORD = re.compile(rb"[!-$&-~]{1,20}")  # excludes format strings
_SPANS = (_TOKEN, re.compile(rb"[^\n]+"), re.compile(rb".+", re.DOTALL))


def mutations(
    bases: Sequence[tuple[str, bytes]],
    seed: int,
    *,
    literals: "Literals | None" = None,
    fits: Callable[[bytes], bool] | None = None,
    passed: Sequence[TriedCandidate] = (),
) -> Iterator[Candidate]:
    """Yield endless changed copies of the cases (name, input), small cases more often.

    passed: copies that were valid and did not fail, to which the caller adds; half of the copies are of these. So
    changes lead far from the cases even where hardly any random input is valid.
    fits: returns whether a copy may be valid; only such copies are yielded.
    """
    source, changes = Random(seed), _changes_with(literals or Literals())
    usable = sorted((case for case in bases if case[1]), key=lambda case: len(case[1]))
    misfits = 0
    while usable and misfits < TEXTS.most_misfits:
        if passed and source.getrandbits(1):
            two = (passed[source.getrandbits(16) % len(passed)] for _ in range(2))
            changed = min(two, key=lambda each: len(each.data))
            name, base = changed.candidate.description, changed.data
        else:
            name, base = usable[min(source.getrandbits(16) % len(usable), source.getrandbits(16) % len(usable))]
        data = base
        for _ in range(TEXTS.rounds[source.getrandbits(2)]):
            data = changes[source.getrandbits(12) % len(changes)](data, source) if data else data
        if data != base and (fits is None or fits(data)):
            yield Candidate(
                source=Source.CHANGED_CASE, description=name, data=data, refused=misfits if fits else 0
            )
            misfits = 0
        else:
            misfits += 1


def tokens_in(data: bytes) -> list["re.Match[bytes]"]:
    """Return the first words of a text, with their positions."""
    return list(islice(_TOKEN.finditer(data), TEXTS.few_tokens))


@dataclass(frozen=True, kw_only=True)
class Literals:
    """Words and numbers in programs' sources, which they may compare with the input."""

    words: tuple[bytes, ...] = ()
    numbers: tuple[int, ...] = ()

    @staticmethod
    def of(sources: Iterable[bytes]) -> "Literals":
        """Read the literals of programs' sources. A number may be the code of a letter."""
        text = b"\n".join(line for source in sources for line in source.splitlines() if b"#include" not in line)
        named = {number for number in numbers_in(text.decode(errors="replace")) if number <= TEXTS.most_literal}
        numbers = sorted(named)[: TEXTS.few_tokens]
        texts = [word for match in _LITERAL_TEXT.findall(text) for word in b"".join(match).split()]
        letters = [bytes([number]) for number in numbers if number in range(33, 127)]
        words = dict.fromkeys(word for word in (*texts, *letters) if _LITERAL_WORD.fullmatch(word))
        return Literals(words=tuple(islice(words, TEXTS.few_tokens)), numbers=tuple(numbers))


TextSpan = tuple[int, int]
Change = Callable[[bytes, Random], bytes]


def _changes_with(literals: Literals) -> Sequence[Change]:
    """Return the changes to choose from at random; repeated changes are likelier."""
    return (
        *(_number, _number, _another_number_of_input, _letter, _swap_tokens, _swap_lines),
        *(_more_lines, _more_lines, _fewer_lines, _more_tokens, _fewer_tokens, _repeat_lines, _numbers),
        *([partial(_literal_word, words=literals.words)] * 3 if literals.words else ()),
        *([partial(_literal_number, numbers=literals.numbers)] if literals.numbers else ()),
    )


def _literal_word(data: bytes, source: Random, words: Sequence[bytes]) -> bytes:
    """Put a literal into a word: insert it, overwrite some letters, or replace the word."""
    match, word = _pick(data, _TOKEN, source), words[source.getrandbits(16) % len(words)]
    if match is None:
        return data
    at = source.getrandbits(16) % (len(match[0]) + 1)
    rest = (match[0][at:], match[0][at + len(word) :], b"")[source.getrandbits(8) % 3]
    longer = (match[0][:at] if rest or source.getrandbits(1) else b"") + word + rest
    before = data[: match.start()]
    counts = [token for token in INTEGER.finditer(before) if int(token[0]) == len(match[0])]
    if counts and source.getrandbits(1):  # the word's length precedes it
        before = replaced(counts[-1], len(longer))
    return before + longer + data[match.end() :]


def _literal_number(data: bytes, source: Random, numbers: Sequence[int]) -> bytes:
    """Replace a number by a literal of the programs, mostly a large one, its negative, or a neighbour of these.

    Half of the time all numbers of its line move by as much.
    """
    match = _pick(data, INTEGER, source)
    if match is None:
        return data
    index = max(source.getrandbits(16) % len(numbers) for _ in range(2))
    literal = numbers[index] if source.getrandbits(2) else -numbers[index]
    more = literal + source.getrandbits(8) % 3 - 1 - int(match[0])
    start, end = match.span()
    if source.getrandbits(1):
        start, end = _line_around(data, start)
    return data[:start] + INTEGER.sub(lambda each: b"%d" % (int(each[0]) + more), data[start:end]) + data[end:]


def _line_around(data: bytes, offset: int) -> TextSpan:
    """Return the start and the end of the line at an offset in a text."""
    end = data.find(b"\n", offset)
    return data.rfind(b"\n", 0, offset) + 1, end if end >= 0 else len(data)


def replaced(match: "re.Match[bytes]", new: bytes | int) -> bytes:
    """Return the whole text of a match with other bytes, or a number, in its place."""
    word = b"%d" % new if isinstance(new, int) else new
    return match.string[: match.start()] + word + match.string[match.end() :]


def _pick(data: bytes, pattern: "re.Pattern[bytes]", source: Random) -> "re.Match[bytes] | None":
    matches = list(pattern.finditer(data))
    return matches[source.getrandbits(20) % len(matches)] if matches else None


def _number(data: bytes, source: Random) -> bytes:
    match = _pick(data, INTEGER, source)
    if match is None:
        return data
    value = int(match[0])
    choices = (
        value + 1,
        value - 1,
        0,
        1,
        -value,
        2 * value,
        value // 2,
        source.getrandbits(4),
        source.getrandbits(30),
        TEXTS.extremes[source.getrandbits(8) % len(TEXTS.extremes)],
        -TEXTS.extremes[source.getrandbits(8) % len(TEXTS.extremes)],
    )
    return replaced(match, choices[source.getrandbits(12) % len(choices)])


def _numbers(data: bytes, source: Random) -> bytes:
    """Set some numbers of a word, a line or the whole text to the same large value, so that sums overflow."""
    span = _pick(data, _SPANS[source.getrandbits(8) % len(_SPANS)], source)
    if span is None:
        return data
    value = b"%d" % TEXTS.extremes[source.getrandbits(8) % len(TEXTS.extremes)]
    every = source.getrandbits(1)
    return replaced(
        span, INTEGER.sub(lambda match: value if every or source.getrandbits(1) else match[0], span[0])
    )


def _swap_tokens(data: bytes, source: Random) -> bytes:
    token, other = _pick(data, _TOKEN, source), _pick(data, _TOKEN, source)
    if token is None or other is None or token.start() == other.start():
        return data
    first, second = sorted((token, other), key=lambda match: match.start())
    middle = data[first.end() : second.start()]
    return data[: first.start()] + second[0] + middle + first[0] + data[second.end() :]


def _another_number_of_input(data: bytes, source: Random) -> bytes:
    """Replace a number by another number of the input, ±1: this makes equal values and ends of ranges."""
    first, other = _pick(data, INTEGER, source), _pick(data, INTEGER, source)
    if first is None or other is None:
        return data
    return replaced(first, int(other[0]) + source.getrandbits(8) % 3 - 1)


def _letter(data: bytes, source: Random) -> bytes:
    """Replace a character by another character of the input."""
    letters = bytes(sorted(set(data) - set(b" \n")))
    match = _pick(data, re.compile(rb"[^ \n]"), source)
    if match is None:
        return data
    return replaced(match, bytes([letters[source.getrandbits(12) % len(letters)]]))


def _more_lines(data: bytes, source: Random) -> bytes:
    """Insert a copy of a line anywhere after the first line."""
    lines = data.splitlines(keepends=True)
    line = lines[source.getrandbits(20) % len(lines)]
    index = 1 + source.getrandbits(20) % len(lines)
    return _choose(counted_lines([*lines[:index], line, *lines[index:]], index, 1), source)


def _fewer_lines(data: bytes, source: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    index = source.getrandbits(20) % len(lines)
    return _choose(counted_lines([*lines[:index], *lines[index + 1 :]], index, -1), source)


def _repeat_lines(data: bytes, source: Random) -> bytes:
    """Append a copy of all lines from the second or third on, as it is or varied; unchanged if the input is large."""
    lines = data.splitlines(keepends=True)
    index = min(len(lines) - 1, 1 + source.getrandbits(1))
    tail = lines[index:]
    if len(data) > TEXTS.doubled_bytes // 2:
        return data
    copy = varied(tail, len(tail), tail, source) if source.getrandbits(1) else tail
    return _choose(counted_lines([*lines, *copy], index, len(tail)), source)


def _more_tokens(data: bytes, source: Random) -> bytes:
    """Insert a copy of a token after a token."""
    first, other = _pick(data, _TOKEN, source), _pick(data, _TOKEN, source)
    if first is None or other is None:
        return data
    return _choose(counted_tokens(replaced(first, first[0] + b" " + other[0]), first.start(), 1), source)


def _fewer_tokens(data: bytes, source: Random) -> bytes:
    match = _pick(data, _TOKEN, source)
    if match is None:
        return data
    shorter = data[: match.start()] + data[match.end() :].removeprefix(b" ")
    return _choose(counted_tokens(shorter, match.start(), -1), source)


def _choose(texts: Iterator[bytes], source: Random) -> bytes:
    """Choose a text at random, the first with probability 1/2 or more."""
    choices = list(texts)
    return choices[0 if source.getrandbits(1) else source.getrandbits(12) % len(choices)]


def _swap_lines(data: bytes, source: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    row, other = source.getrandbits(20) % len(lines), source.getrandbits(20) % len(lines)
    lines[row], lines[other] = lines[other], lines[row]
    return b"".join(lines)


def counted_lines(lines: list[bytes], index: int, more: int) -> Iterator[bytes]:
    """Correct the count of lines after an insertion: for each number that may be the count, yield the corrected text.

    Likeliest first: numbers that counted all following lines, from the first line; then the nearest before `index`.
    The last text has no correction. index: index of the first inserted line; more: lines inserted, < 0: removed.
    """
    before = [
        (row, match)
        for row in (*range(min(2, index)), *range(max(2, index - 2), index))
        for match in islice(INTEGER.finditer(lines[row]), 4)
        if 0 <= int(match[0]) <= len(lines) + abs(more) and int(match[0]) + more >= 0
    ]

    def unlikely(count: tuple[int, "re.Match[bytes]"]) -> tuple[bool, int]:
        row, match = count
        counts_all = int(match[0]) + more == len(lines) - row - 1
        return not counts_all, row if counts_all else -row

    before.sort(key=unlikely)
    for row, match in before:
        yield b"".join([*lines[:row], replaced(match, int(match[0]) + more), *lines[row + 1 :]])
    yield b"".join(lines)


def counted_tokens(data: bytes, offset: int, more: int) -> Iterator[bytes]:
    """Correct the count of a line's tokens after an insertion: for each possible count, yield the corrected text.

    The last text has no correction. offset: byte offset of the change; more: tokens inserted, < 0: removed.
    """
    line, end = _line_around(data, offset)
    tokens = len(data[line:end].split())
    near = list(INTEGER.finditer(data, max(0, line - TEXTS.near_bytes), line))[-4:]
    first = list(islice(INTEGER.finditer(data, 0, line), 2))
    near += [match for match in INTEGER.finditer(data, line, offset) if match.start() == line]
    numbers = {match.start(): match for match in [*first, *near] if int(match[0]) + more >= 0}
    counts = sorted(
        numbers.values(), key=lambda match: (int(match[0]) + more not in (tokens, tokens - 1), -match.start())
    )
    for match in counts:
        yield replaced(match, int(match[0]) + more)
    yield data
