"""Where greed has come to its end: simpler values that it does not see, to begin with once more."""

from collections.abc import Iterator
from itertools import islice
from random import Random

from harness.shapes.draw import draw
from harness.shapes.errors import ShapeError
from harness.shapes.measure import is_simpler, size
from harness.shapes.model import Record, Shape
from harness.shapes.shrinking import candidates

_FIRST_STEPS, _SECOND_STEPS, _AT_ONCE = 300, 60, 8
_ROUNDS = 300  # of which each may find nothing that is simpler


def others(shape: Shape, value: Record, source: Random) -> Iterator[Record]:
    """Many simpler values: by two steps of reducers, of which neither alone would do, and by chance."""
    steps = list(islice(candidates(shape, value), _FIRST_STEPS))
    most = size(shape, value)
    for _ in range(_ROUNDS if most > 0 else 0):
        if steps:
            seconds = list(islice(candidates(shape, source.choice(steps)), _SECOND_STEPS))
            yield from source.sample(seconds, min(_AT_ONCE, len(seconds)))
        for _ in range(_AT_ONCE):
            try:
                drawn = draw(shape, source, source.randint(1 + most // 4, most))
            except ShapeError:
                return
            if is_simpler(shape, drawn, value):
                yield drawn
