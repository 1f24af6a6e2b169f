"""Make cases larger as texts, without a shape: with more lines, more tokens in a line, or more letters in a word.

Only the input validators can tell whether such an input is valid. A case grows in nearly the same way to each length:
if a short text is valid, a long one mostly is, too.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random

from harness.host.run_many import OutOfTimeError
from harness.search.candidates import Candidate, Source
from harness.search.change_texts import counted_lines, counted_tokens, replaced, tokens_in
from harness.search.column_sums import ColumnSums
from harness.search.policy import TEXTS
from harness.search.vary_repeats import varied, with_raised_limits
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class GrowingCase:
    """A case, and a way to make it larger. sums: numbers to correct. seed: of the random choices that are the way."""

    name: str
    base: bytes
    sums: ColumnSums
    seed: int

    def at(self, length: int) -> bytes | None:
        """Return a text with about `length` lines, tokens or letters; None: it has as many, or would be too large."""
        source, data = Random(self.seed), self.base
        for _ in range(TEXTS.scaled_rounds[source.getrandbits(2)]):
            kind, choices = _KINDS[source.getrandbits(8) % len(_KINDS)], Random(source.getrandbits(30))
            longer = kind(data, length, choices)
            if longer is None:
                return None
            data = longer
        return self.sums.corrected(data)

    @property
    def short(self) -> bytes | None:
        """Return a text that is only a little longer than the case; None if there is none."""
        text = self.at(TEXTS.short_length)
        if text is not None:
            return text
        lines = self.base.splitlines()
        return self.at(TEXTS.short_length + max(map(len, (lines, *map(bytes.split, lines), *self.base.split()))))

    def candidate(self, length: int) -> Candidate | None:
        """Return the text of a length to try; None if there is none."""
        data, words = self.at(length), f"{self.name}, grown {self.seed}"
        if data is None:
            return None
        return Candidate(source=Source.CHANGED_CASE, description=words, data=data, at_size=self.at)


def growing_cases(bases: Sequence[tuple[str, bytes]], seed: int) -> Iterator[GrowingCase]:
    """Yield random cases (name, input), each with a random way to make it larger, without end."""
    source, sums = Random(seed), ColumnSums.of([data for _, data in bases])
    usable = [case for case in bases if len(case[1].splitlines()) > 0]
    while usable:
        name, base = usable[source.getrandbits(16) % len(usable)]
        yield GrowingCase(name=name, base=base, sums=sums, seed=source.getrandbits(30))


def grown(bases: Sequence[tuple[str, bytes]], seed: int) -> Iterator[Candidate]:
    """Yield larger copies of the cases (name, input), of random lengths, without end."""
    source = Random(seed)
    for case in growing_cases(bases, seed):
        candidate = case.candidate(TEXTS.lengths[source.getrandbits(12) % len(TEXTS.lengths)])
        if candidate is not None:
            yield candidate


def grown_validly(
    bases: Sequence[tuple[str, bytes]], seed: int, valid: Callable[[Sequence[bytes]], Sequence[bool]]
) -> Iterator[Candidate | None]:
    """Yield large copies of the cases (name, input), made in ways that give valid short texts.

    Of many ways at once two groups are chosen: those whose short texts have the most different words, and the first
    ones. valid: returns for each input whether it is valid; if it raises OutOfTimeError, the copies end. Yield None
    after many short texts of which none was valid, so that the caller can look at the clock.
    """
    source, ways = Random(seed), growing_cases(bases, seed)
    lengths = [length for length in TEXTS.lengths if length > TEXTS.short_length]
    at_once, most = TEXTS.ways_at_once
    while some := list(islice(ways, at_once)):
        began_s = time.monotonic()
        small = [(way, data) for way in some if (data := way.short) is not None]
        try:
            answers = valid([data for _, data in small])
        except OutOfTimeError:
            return
        at_once = min(most, 2 * at_once) if time.monotonic() - began_s < TEXTS.ways_s else TEXTS.ways_at_once[0]
        good = [each for each, is_valid in zip(small, answers, strict=True) if is_valid]
        if not good:
            yield None
        richest = sorted(good, key=lambda each: -len(set(each[1].split())))
        for way, _ in dict.fromkeys((*richest[: TEXTS.ways_chosen], *good[: TEXTS.ways_chosen])):
            candidate = way.candidate(lengths[source.getrandbits(12) % len(lengths)])
            if candidate is not None:
                yield candidate


def _more_lines(data: bytes, length: int, source: Random) -> bytes | None:
    """Append lines until there are about `length`, mostly copies of those below the first.

    The copied lines begin with the first of them, half of the time.
    """
    lines = data.splitlines(keepends=True)
    head = 1 if len(lines) > 1 and source.getrandbits(2) else 0
    start = head + (source.getrandbits(12) % (len(lines) - head) if source.getrandbits(1) else 0)
    more = length - (len(lines) - head)
    return _with_lines(lines, head, _more_of(lines[start:], more, source), source)


def _more_copies(data: bytes, length: int, source: Random) -> bytes | None:
    """Append copies of all lines, or of those below the first, each with words or numbers of its own."""
    lines = data.splitlines(keepends=True)
    head = 1 if len(lines) > 1 and source.getrandbits(2) else 0
    pieces, more = lines[head:], length - (len(lines) - head)
    if not _has_room(pieces, more):
        return None
    return _with_lines(lines, head, varied(_repeated(pieces, more), len(pieces), pieces, source), source)


def _with_lines(lines: list[bytes], head: int, added: list[bytes] | None, source: Random) -> bytes | None:
    """Append lines and correct a count of lines. head: the number of lines before those that are copied.

    Mostly the numbers of the first line that may be limits of numbers in the lines rise with these.
    """
    if added is None:
        return None
    count, raises, more = _count(source), head and source.getrandbits(2), len(added)
    longer = _nth(counted_lines([*lines, *added], len(lines), more), count)
    if longer is None or not raises:
        return longer
    first, _, rest = longer.partition(b"\n")
    before = lines[head:]
    raised = with_raised_limits(lines[0].rstrip(b"\n"), first, before, [*before, *added[-2 * len(before) :]])
    return raised + b"\n" + rest


def _more_tokens(data: bytes, length: int, source: Random) -> bytes | None:
    """Put about `length` tokens into a line."""
    lines = data.splitlines(keepends=True)
    row, count = source.getrandbits(12) % len(lines), _count(source)
    before, line, after = b"".join(lines[:row]), lines[row].rstrip(b"\n"), b"".join(lines[row + 1 :])
    tokens = line.split(b" ")
    pieces = [b" " + token for token in tokens]
    added = _more_of(pieces, length - len(tokens), source)
    if added is None:
        return None
    longer = b"".join([before, line, *added, b"\n", after])
    return _nth(counted_tokens(longer, len(before) + len(line), len(added)), count)


def _more_letters(data: bytes, length: int, source: Random) -> bytes | None:
    """Put about `length` letters into a word, and correct a count before it."""
    words = tokens_in(data)
    word = words[source.getrandbits(12) % len(words)] if words else None
    if word is None:
        return None
    is_counted = source.getrandbits(2) > 0
    letters = [word[0][at : at + 1] for at in range(len(word[0]))]
    added = _more_of(letters, length - len(letters), source, may_vary=False)
    if added is None:
        return None
    before, long = data[: word.start()], word[0] + b"".join(added)
    counts = [token for token in tokens_in(before) if token[0] == b"%d" % len(letters)]
    if counts and is_counted:
        before = replaced(counts[-1], length)
    return before + long + data[word.end() :]


def _more_of(pieces: Sequence[bytes], count: int, source: Random, *, may_vary: bool = True) -> list[bytes] | None:
    """Draw `count` more pieces: some neighbours repeatedly, or random pieces. None: `count` < 1, or too large.

    may_vary: make repeated pieces different, half of the time.
    """
    if not _has_room(pieces, count):
        return None
    if source.getrandbits(1):
        start = source.getrandbits(12) % len(pieces)
        period = pieces[start:] if source.getrandbits(1) else pieces[start : start + 1]
        repeated = _repeated(period, count)
        may_vary = may_vary and source.getrandbits(1) == 0
        return varied(repeated, len(period), pieces, source) if may_vary else repeated
    chosen = source.sample(pieces, min(len(pieces), TEXTS.different))
    return [chosen[byte % len(chosen)] for byte in source.randbytes(count)]


def _has_room(pieces: Sequence[bytes], count: int) -> bool:
    """Return whether more pieces are wanted and not too large; varied numbers have a few digits more."""
    return count > 0 and count * max(map(len, pieces)) <= TEXTS.scaled_bytes


def _repeated(pieces: Sequence[bytes], count: int) -> list[bytes]:
    return (list(pieces) * (count // len(pieces) + 1))[:count]


def _count(source: Random) -> int:
    """Choose which of the likely counts to correct: mostly the first."""
    return source.getrandbits(6) % TEXTS.likely_counts if source.getrandbits(1) else 0


def _nth(texts: Iterator[bytes], index: int) -> bytes | None:
    """Return the text of this index, else the last text; None if there is none."""
    text = None
    for _ in range(index + 1):
        text = next(texts, text)
    return text


_KINDS = (_more_lines, _more_lines, _more_copies, _more_tokens, _more_letters)
