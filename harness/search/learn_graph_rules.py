"""What a guessed shape says of graphs, asked of the input validators: samples often hang together by chance."""

from collections.abc import Iterator
from itertools import islice
from random import Random

from harness.errors import HarnessError
from harness.search.learn_limits import Valid
from harness.search.policy import LEARN
from harness.shapes import InputError, Shape, draw, parse, write
from harness.shapes.relax import FLAGS, looser


def loosened(shape: Shape, valid: Valid) -> Shape:
    """The shape without what its graphs need not be, as inputs show that are valid all the same."""
    for flag in FLAGS:
        wider = looser(shape, flag)
        inputs = list(islice(_others(shape, wider), LEARN.graph_inputs)) if wider is not None else []
        if wider is not None and inputs and all(valid(inputs)):
            shape = wider
    return shape


def _others(shape: Shape, wider: Shape) -> Iterator[bytes]:
    """Inputs of the wider shape that are not of the first one."""
    for number in range(LEARN.graph_draws):
        try:
            data = write(wider, draw(wider, Random(number), LEARN.graph_sizes[number % len(LEARN.graph_sizes)]))
        except HarnessError:
            return
        try:
            parse(shape, data)
        except InputError:
            yield data
