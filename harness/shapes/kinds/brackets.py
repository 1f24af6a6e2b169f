"""Brackets that match: each one that is opened is closed, the last opened first. For strings that hold only these."""

from collections.abc import Iterator

from harness.shapes.drawing import Bits
from harness.shapes.steps import Steps

_PAIRS = (b"()", b"[]", b"{}", b"<>")
_STYLES = 4  # deep, flat, and twice anything
_LATER = 4  # one in so many brackets closes where most open, or opens where most close


def pairs_of(alphabet: bytes) -> tuple[bytes, ...]:
    """Return the pairs of brackets that are the alphabet; none if it is not just brackets."""
    pairs = tuple(pair for pair in _PAIRS if set(pair) <= set(alphabet))
    return pairs if set(b"".join(pairs)) == set(alphabet) else ()


def matches(text: bytes) -> list[tuple[int, int]] | None:
    """Return where brackets that match begin and end; None if some do not match."""
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
    """Yield all words of `size` brackets that match, none twice."""
    if size == 0:
        yield b""
    for inner in range(0, size - 1, 2) if size % 2 == 0 else ():
        for pair in pairs:
            for inside in words_of_brackets(pairs, inner):
                head = pair[:1] + inside + pair[1:]
                yield from (head + rest for rest in words_of_brackets(pairs, size - inner - 2))


def drawn_brackets(bits: Bits, pairs: tuple[bytes, ...], length: int) -> bytes:
    """Return brackets that match, of this even length: nested deeply, in a row, or anyhow."""
    style, word, opened = bits.kind.below(_STYLES), bytearray(), bytearray()
    for left in range(length, 0, -1):
        opens = bits.one_in(2) if style > 1 else bits.one_in(_LATER) != (style == 0)
        if len(opened) < left and (opens or not opened):
            pair = bits.choice(pairs)
            word.append(pair[0])
            opened.append(pair[1])
        else:
            word.append(opened.pop())
    return bytes(word)


def drop_pairs(text: bytes, least: int) -> Steps[bytes]:
    """Drop pairs with and without what is in them, the longest first."""
    progress = True
    while progress:
        progress = False
        for start, end in sorted(matches(text) or (), key=lambda pair: pair[0] - pair[1]):
            inside, before, after = text[start + 1 : end], text[:start], text[end + 1 :]
            for other in (inside, before + after, before + inside + after):
                if not progress and least <= len(other) < len(text) and (yield other):
                    text, progress = other, True
            if progress:
                break
    return text


def lower_pairs_of(text: bytes, first: bytes) -> Steps[bytes]:
    """Turn all brackets to the first pair, else single ones."""
    every = bytes(first[0] if letter in b"([{<" else first[1] for letter in text)
    if every != text and (yield every):
        return every
    for start, end in matches(text) or ():
        other = text[:start] + first[:1] + text[start + 1 : end] + first[1:] + text[end + 1 :]
        if other != text and (yield other):
            text = other
    return text
