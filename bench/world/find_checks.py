"""What the other tests of a problem say about a find, and what a guessed shape says about the judge's test."""

import re
from collections.abc import Iterator, Sequence

from sets import Pair

from harness.errors import HarnessError
from harness.search.wider_shapes import freer_shapes, wider_shapes
from harness.shapes import Shape, infer, parse, read_shape

_INTEGER = re.compile(rb"[+-]?\d+$")
_KINDS = (
    (b"letters", re.compile(rb"[A-Za-z]")),
    (b"small letters", re.compile(rb"[a-z]")),
    (b"capitals", re.compile(rb"[A-Z]")),
    (b"other signs", re.compile(rb"[^A-Za-z0-9\s.+-]")),
)
_MANY = 3  # numbers in a line: so many that differ are no chance


def tidy(data: bytes) -> bytes:
    """Without carriage returns, spaces at ends of lines and blank lines at the end, as a guess reads samples."""
    return b"\n".join(line.rstrip() for line in data.replace(b"\r\n", b"\n").rstrip().split(b"\n")) + b"\n"


def fits(shape: Shape, data: bytes) -> bool:
    """Whether the input is of the shape."""
    try:
        parse(shape, data)
    except (HarnessError, RecursionError):
        return False
    return True


def guess(samples: Sequence[bytes]) -> tuple[Shape | None, list[Shape]]:
    """The draft that the samples give, and all shapes that the search draws from; None where there is none."""
    try:
        draft = read_shape(infer(samples))
    except (HarnessError, RecursionError):
        return None, []
    return draft, [draft, *wider_shapes(draft), *freer_shapes(draft)]


def fit_of(pair: Pair) -> str:
    """Whether the judge's own failing test is of the shape that the samples give."""
    draft, wider = guess([given for given, _ in pair.samples])
    if draft is None:
        return "no shape"
    data = tidy(pair.tests[0][0])
    if fits(draft, data):
        return "the judge's test is of the draft"
    widened = any(fits(shape, data) for shape in wider)
    return f"the judge's test is {'of the widened' if widened else 'not of any'} shape"


def outside(data: bytes, tests: Sequence[bytes]) -> str:
    """In what an input goes below all tests of its problem: counts, values, distinctness, kinds of letters; "": not."""
    return ", ".join(_differences(_lines(data), [_lines(test) for test in tests], data, tests))


def _lines(data: bytes) -> list[list[bytes]]:
    return [line.split() for line in tidy(data).split(b"\n")[:-1]]


def _differences(
    find: list[list[bytes]], others: list[list[list[bytes]]], data: bytes, tests: Sequence[bytes]
) -> Iterator[str]:
    if min(map(len, others)) > len(find):
        yield f"{len(find)} lines where every test has {min(map(len, others))}"
    if any(not line for line in find) and all(line for other in others for line in other):
        yield "a blank line"
    for place, token in enumerate(find[0]):
        seen = [other[0][place] for other in others if len(other[0]) > place]
        if _is_below(token, seen):
            yield f"{token.decode(errors='replace')} at the start where every test has {min(map(int, seen))}"
    rest = [token for other in others for line in other[1:] for token in line if _INTEGER.match(token)]
    low = min(map(int, rest), default=None)
    below = [int(token) for line in find[1:] for token in line if _INTEGER.match(token) and len(token) < 20]
    if low is not None and min(below, default=low) < low:
        yield f"{min(below)} where every test has {low}"
    if _are_distinct([other[1:] for other in others]) and not _are_distinct([find[1:]], least=False):
        yield "a number twice in a line"
    for word, kind in _KINDS:
        if kind.search(data) and not any(map(kind.search, tests)):
            yield word.decode()


def _is_below(token: bytes, seen: Sequence[bytes]) -> bool:
    if not seen or not all(map(_INTEGER.match, (token, *seen))) or len(token) > 19:
        return False
    return int(token) < min(map(int, seen))


def _are_distinct(tests: Sequence[list[list[bytes]]], *, least: bool = True) -> bool:
    """Whether no line has a number twice; least: and there are lines of many, so that it is no chance."""
    lines = [line for test in tests for line in test]
    many = sum(len(line) >= _MANY for line in lines)
    return all(len(set(line)) == len(line) for line in lines) and (not least or many >= _MANY)
