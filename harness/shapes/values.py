"""The values of a shape: read, print, compare, enumerate and draw them."""

from collections.abc import Iterable, Iterator
from random import Random

from harness.shapes.drawing import Bits, Drawer, Infeasible
from harness.shapes.kinds import Record, Shape
from harness.shapes.kinds.kind import Rank
from harness.shapes.reader import InputError, Reader, ShapeError

ATTEMPTS = 200  # to draw a value
LARGEST = 10**8  # cells, letters and items: no larger value is drawn
FULL_DRAWS = 6  # draws, at most, to get a value of about the wanted size
_ENDS = 3  # empty lines at the end, fewer than this
FILLED = 2  # a value has about the wanted size if it is at most this many times smaller


def parse(shape: Shape, data: bytes) -> Record:
    """Return the value that `data` prints, strictly: one space, LF, no trailing space, every byte accounted for.

    Raises InputError at the first byte that does not fit the shape.
    """
    reader = Reader(data)
    value = shape.block.parse(reader, {})
    reader.end()
    return value


def parsed(shape: Shape, data: bytes) -> Record | None:
    """Parse an input; None if it does not fit the shape."""
    try:
        return parse(shape, data)
    except InputError:
        return None


def parsed_tidy(shape: Shape, data: bytes) -> Record | None:
    """Parse an input, if need be without spaces at line ends and blank lines at the end; None if it does not fit."""
    return parsed(shape, data) or parsed(shape, tidy(data))


def broken_rule(shape: Shape, data: bytes) -> str:
    """Describe where an input does not fit the shape, and the text there; "" if it fits, as `parsed_tidy` says."""
    try:
        parse(shape, data)
    except InputError as error:
        text = tidy(data)
        return broken_rule(shape, text) if text != data else str(error)
    return ""


def tidy(data: bytes) -> bytes:
    """Return the input without spaces at line ends and with one final line feed, as shapes require."""
    return b"\n".join(line.rstrip() for line in data.rstrip().splitlines()) + b"\n"


def tidy_for(shape: Shape, data: bytes) -> bytes:
    """Do as `tidy`, and add the empty last lines that the shape asks for: editors drop those that hold no items."""
    text = tidy(data)
    return next((more for ends in range(_ENDS) if parsed(shape, more := text + b"\n" * ends) is not None), text)


def write(shape: Shape, value: Record) -> bytes:
    """Return `value` printed as an input."""
    lines: list[bytes] = []
    shape.block.write(value, lines)
    return b"\n".join([*lines, b""])


def fits(shape: Shape, value: Record) -> bool:
    """Return whether a value with parts of the right types fits the shape."""
    return shape.block.fits(value, {})


def size(shape: Shape, value: Record) -> int:
    """Count cells, letters, array items, edges and repeated blocks, plus distances of integers from the simplest."""
    return rank(shape, value)[0]


def rank(shape: Shape, value: Record) -> Rank:
    """Return how simple a value is: its size, the distance of letters from the first, of marks from the corner."""
    return shape.block.rank(value, {})


def is_simpler(shape: Shape, value: Record, other: Record) -> bool:
    """Return whether `value` ranks before `other`: by rank, then by the bytes. A total order on a shape's values."""
    mine, theirs = rank(shape, value), rank(shape, other)
    return mine < theirs or (mine == theirs and write(shape, value) < write(shape, other))


def enumerate_values(shape: Shape, max_size: int, min_size: int = 0) -> Iterator[Record]:
    """Yield all values with min_size ≤ size ≤ max_size, the smallest first, none twice.

    Trees and graphs come once per structure, not in every order of edges.
    """
    for each_size in range(min_size, max_size + 1):
        yield from shape.block.values({}, each_size)


def draw(
    shape: Shape,
    source: Random,
    size: int,
    *,
    full: bool = False,
    many: int = 1,
    magnitudes: bool = False,
    styles: Random | None = None,
) -> Record:
    """Draw a value of at most about `size` cells, letters, items and edges; small ones are likely too.

    full: mostly of full size, for faults near the limits. many: number of test cases, each of that size, if the shape
    allows it: one run tries them all, to find rare faults. magnitudes: see Drawer. styles: chooses whether arrays are
    in order, trees are paths, etc., so that equal styles give similar values of all sizes; None: `source` chooses
    that, too.

    Integers that count nothing are mostly within `size` of the simplest, one in eight anywhere in its range.
    Raises ShapeError if no value is found.
    """
    if shape.block.least_cells({}) > LARGEST:
        raise ShapeError(f"shape: every value is larger than {LARGEST} cells, letters and items")
    for attempt in range(ATTEMPTS):
        # A shape may have no value this small: try larger sizes step by step.
        budget = max(1, size) << (attempt // 20)
        bits = Bits(source=source, styles=styles)
        drawer = Drawer(
            bits=bits,
            size=max(1, size),
            steady=bits.style.one_in(2),
            full=full,
            magnitudes=magnitudes,
            many=many,
            styles=styles,
        )
        try:
            return shape.block.draw(drawer, {}, budget)
        except Infeasible:
            continue
    raise ShapeError(
        f"shape: no value found in {ATTEMPTS} attempts: do the ranges and counts contradict each other?"
    )


def draw_each(shape: Shape, sizes: Iterable[int]) -> Iterator[Record]:
    """Draw a value of each of these sizes, always the same ones; end at the first size at which none is found."""
    for seed, size in enumerate(sizes):
        try:
            yield draw(shape, Random(seed), size)
        except ShapeError:
            return


def draw_large(shape: Shape, seed: int, size: int, *, kind: int | None = None) -> Record:
    """Return the first of a few draws that has about the given size, or else the largest.

    kind: the seed of `styles`, see `draw`. Raises ShapeError if no value is found.
    """
    drawn = []
    for number in range(FULL_DRAWS):
        styles = Random(kind) if kind is not None else None
        drawn.append(draw(shape, Random(seed + size + number), size, full=True, styles=styles))
        if len(write(shape, drawn[-1])) * FILLED > size:
            break
    return max(drawn, key=lambda value: len(write(shape, value)))
