"""Cases made large without a shape: more of the lines, tokens or letters that they hold, and what counts them.

For inputs that no shape says, since what is valid depends on all that came before, or on what a word is made of.
Mostly only the input validators know whether such an input is valid.
"""

from collections.abc import Iterator, Sequence
from random import Random

from harness.search.change_texts import counted_lines, counted_tokens, tokens_in
from harness.search.model import Candidate, Source
from harness.search.policy import TEXTS


def grown(bases: Sequence[tuple[str, bytes]], seed: int) -> Iterator[Candidate]:
    """Endless larger copies of the cases (name, input)."""
    source = Random(seed)
    usable = [one for one in bases if len(one[1].splitlines()) > 0]
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
    """So many lines behind the first ones."""
    lines = data.splitlines(keepends=True)
    head = 1 if len(lines) > 1 and source.getrandbits(2) else 0
    more = length - (len(lines) - head)
    start = head + source.getrandbits(12) % (len(lines) - head)
    added = _more_of(lines[start:], more, source)
    if added is None:
        return None
    return _likely(counted_lines([*lines, *added], len(lines), more), source)


def _more_tokens(data: bytes, length: int, source: Random) -> bytes | None:
    """So many tokens in a line."""
    lines = data.splitlines(keepends=True)
    row = source.getrandbits(12) % len(lines)
    before, line, after = b"".join(lines[:row]), lines[row].rstrip(b"\n"), b"".join(lines[row + 1 :])
    tokens = line.split(b" ")
    added = _more_of([b" " + one for one in tokens], length - len(tokens), source)
    if added is None:
        return None
    longer = b"".join([before, line, *added, b"\n", after])
    return _likely(counted_tokens(longer, len(before) + len(line), len(added)), source)


def _more_letters(data: bytes, length: int, source: Random) -> bytes | None:
    """So many letters in a word, in front of which their number may stand."""
    words = tokens_in(data)
    word = words[source.getrandbits(12) % len(words)] if words else None
    if word is None:
        return None
    letters = [word[0][at : at + 1] for at in range(len(word[0]))]
    added = _more_of(letters, length - len(letters), source)
    if added is None:
        return None
    before, long = data[: word.start()], word[0] + b"".join(added)
    counts = [one for one in tokens_in(before) if one[0] == b"%d" % len(letters)]
    if counts and source.getrandbits(2):
        before = before[: counts[-1].start()] + b"%d" % length + before[counts[-1].end() :]
    return before + long + data[word.end() :]


def _more_of(known: Sequence[bytes], count: int, source: Random) -> list[bytes] | None:
    """So many more of some pieces: one or some in a row over and over, or any of them by chance."""
    if count <= 0 or count * max(map(len, known)) > TEXTS.scaled_bytes:
        return None
    if source.getrandbits(1):
        start = source.getrandbits(12) % len(known)
        period = known[start:] if source.getrandbits(1) else known[start : start + 1]
        return (list(period) * (count // len(period) + 1))[:count]
    few = source.sample(known, min(len(known), TEXTS.different))
    return [few[byte % len(few)] for byte in source.randbytes(count)]


def _likely(texts: Iterator[bytes], source: Random) -> bytes | None:
    """Mostly the first of them."""
    chosen = source.getrandbits(6) % TEXTS.likely_counts if source.getrandbits(1) else 0
    found = None
    for _ in range(chosen + 1):
        found = next(texts, found)
    return found


_KINDS = (_more_lines, _more_lines, _more_tokens, _more_letters)
