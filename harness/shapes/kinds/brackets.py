"""Strings of matching brackets: each one that is opened is closed, the last opened first."""

from collections.abc import Iterator, Sequence

from harness.shapes.drawing import Bits
from harness.shapes.steps import Steps, at_places, in_chunks, lifted

_PAIRS = (b"()", b"[]", b"{}", b"<>")
_STYLES = 4  # 0: deep; 1: flat; 2 and 3: random
_TURNS = 4  # in a deep word one bracket in so many closes, in a flat word one in so many opens
_MOST_LISTED = 200  # letters


def pairs_of(alphabet: bytes) -> tuple[bytes, ...]:
    """Return the pairs of brackets that make up an alphabet; none if it has other letters."""
    pairs = tuple(pair for pair in _PAIRS if set(pair) <= set(alphabet))
    return pairs if set(b"".join(pairs)) == set(alphabet) else ()


def matching_pairs(text: bytes) -> list[tuple[int, int]] | None:
    """Return the indexes (opening, closing) of each pair; None if the brackets do not match."""
    closing = {pair[1]: pair[0] for pair in _PAIRS}
    opened, pairs = list[int](), list[tuple[int, int]]()
    for at, letter in enumerate(text):
        if letter not in closing:
            opened.append(at)
        elif opened and text[opened[-1]] == closing[letter]:
            pairs.append((opened.pop(), at))
        else:
            return None
    return None if opened else pairs


def words_of_brackets(pairs: tuple[bytes, ...], size: int) -> Iterator[bytes]:
    """Yield all words of `size` matching brackets, none twice; if they are very long, only one word."""
    if size == 0 or (size % 2 == 0 and size > _MOST_LISTED):
        yield pairs[0] * (size // 2)
        return
    for inner in range(0, size - 1, 2) if size % 2 == 0 else ():
        for pair in pairs:
            for inside in words_of_brackets(pairs, inner):
                head = pair[:1] + inside + pair[1:]
                yield from (head + rest for rest in words_of_brackets(pairs, size - inner - 2))


def drawn_brackets(bits: Bits, pairs: tuple[bytes, ...], length: int) -> bytes:
    """Draw matching brackets of an even length: nested deeply, mostly in a row, or at random."""
    style, word, opened = bits.style.below(_STYLES), bytearray(), bytearray()
    for left in range(length, 0, -1):
        opens = bits.one_in(2) if style > 1 else bits.one_in(_TURNS) != (style == 0)
        if len(opened) < left and (opens or not opened):
            pair = bits.choice(pairs)
            word.append(pair[0])
            opened.append(pair[1])
        else:
            word.append(opened.pop())
    return bytes(word)


def drop_pairs(text: bytes) -> Steps[bytes]:
    """Drop many pairs, then fewer, then single ones."""
    pairs = tuple(sorted(matching_pairs(text) or ()))

    def spelled(kept: tuple[tuple[int, int], ...]) -> bytes:
        return bytes(text[index] for index in sorted(index for pair in kept for index in pair))

    steps = in_chunks(pairs, len, lambda now, at, count: now[:at] + now[at + count :])
    return (yield from lifted(steps, text, spelled))


def to_first_pair(text: bytes, pairs: tuple[bytes, ...]) -> Steps[bytes]:
    """Turn all brackets to the first pair, else many, then fewer, then single ones."""
    if len(pairs) == 1:
        return text

    def turned(now: bytes, some: Sequence[tuple[int, int]]) -> bytes:
        letters = bytearray(now)
        for first, last in some:
            letters[first], letters[last] = pairs[0]
        return bytes(letters)

    return (yield from at_places(matching_pairs(text) or [], text, turned))
