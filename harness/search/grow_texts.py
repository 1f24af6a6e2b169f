"""Make cases larger as texts, without a shape: with more lines, more tokens in a line, or more letters in a word.

Only the input validators can tell whether such an input is valid.
"""

from collections.abc import Iterator, Sequence
from random import Random

from harness.search.change_texts import counted_lines, counted_tokens, moved, tokens_in
from harness.search.model import Candidate, Source
from harness.search.policy import TEXTS


def grown(bases: Sequence[tuple[str, bytes]], seed: int) -> Iterator[Candidate]:
    """Yield endless larger copies of the cases (name, input)."""
    source = Random(seed)
    usable = [case for case in bases if len(case[1].splitlines()) > 0]
    while usable:
        name, base = usable[source.getrandbits(16) % len(usable)]
        length = TEXTS.lengths[source.getrandbits(12) % len(TEXTS.lengths)]
        data: bytes | None = base
        for _ in range(TEXTS.scaled_rounds[source.getrandbits(2)]):
            kind = _KINDS[source.getrandbits(8) % len(_KINDS)]
            data = kind(data, length, source) if data is not None else None
        if data is not None:
            yield Candidate(source=Source.MUTATION, words=f"{name}, grown", data=data)


def _more_lines(data: bytes, length: int, source: Random) -> bytes | None:
    """Put about `length` lines after the first lines."""
    lines = data.splitlines(keepends=True)
    head = 1 if len(lines) > 1 and source.getrandbits(2) else 0
    more = length - (len(lines) - head)
    start = head + source.getrandbits(12) % (len(lines) - head)
    added = _more_of(lines[start:], more, source)
    if added is None:
        return None
    return _likely(counted_lines([*lines, *added], len(lines), more), source)


def _more_tokens(data: bytes, length: int, source: Random) -> bytes | None:
    """Put about `length` tokens into a line."""
    lines = data.splitlines(keepends=True)
    row = source.getrandbits(12) % len(lines)
    before, line, after = b"".join(lines[:row]), lines[row].rstrip(b"\n"), b"".join(lines[row + 1 :])
    tokens = line.split(b" ")
    pieces = [b" " + token for token in tokens]
    added = _more_of(pieces, length - len(tokens), source)
    if added is None:
        return None
    longer = b"".join([before, line, *added, b"\n", after])
    return _likely(counted_tokens(longer, len(before) + len(line), len(added)), source)


def _more_letters(data: bytes, length: int, source: Random) -> bytes | None:
    """Put about `length` letters into a word, and correct a count before it."""
    words = tokens_in(data)
    word = words[source.getrandbits(12) % len(words)] if words else None
    if word is None:
        return None
    letters = [word[0][at : at + 1] for at in range(len(word[0]))]
    added = _more_of(letters, length - len(letters), source, may_move=False)
    if added is None:
        return None
    before, long = data[: word.start()], word[0] + b"".join(added)
    counts = [token for token in tokens_in(before) if token[0] == b"%d" % len(letters)]
    if counts and source.getrandbits(2):
        before = before[: counts[-1].start()] + b"%d" % length + before[counts[-1].end() :]
    return before + long + data[word.end() :]


def _more_of(pieces: Sequence[bytes], count: int, source: Random, *, may_move: bool = True) -> list[bytes] | None:
    """Draw `count` more pieces: some neighbours repeatedly, or random pieces. None: `count` < 1, or too large.

    may_move: make repeated pieces different, half of the time.
    """
    if count <= 0 or count * max(map(len, pieces)) > TEXTS.scaled_bytes:
        return None
    if source.getrandbits(1):
        start = source.getrandbits(12) % len(pieces)
        period = pieces[start:] if source.getrandbits(1) else pieces[start : start + 1]
        repeated = (list(period) * (count // len(period) + 1))[:count]
        may_move = may_move and source.getrandbits(1) == 0
        return moved(repeated, len(period), pieces, source) if may_move else repeated
    chosen = source.sample(pieces, min(len(pieces), TEXTS.different))
    return [chosen[byte % len(chosen)] for byte in source.randbytes(count)]


def _likely(texts: Iterator[bytes], source: Random) -> bytes | None:
    """Choose one of the first texts, mostly the first of all; None if there is none."""
    chosen = source.getrandbits(6) % TEXTS.likely_counts if source.getrandbits(1) else 0
    text = None
    for _ in range(chosen + 1):
        text = next(texts, text)
    return text


_KINDS = (_more_lines, _more_lines, _more_tokens, _more_letters)
