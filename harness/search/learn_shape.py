"""A shape for a package whose cases are not built: from the inputs in its recipe, and what its generators make."""

from collections.abc import Callable, Sequence
from itertools import islice

from harness.generate import Invocation
from harness.search import generator_calls
from harness.search.policy import GUESS
from harness.search.target import Target, guessed_shape
from harness.shapes import Shape

Make = Callable[[Sequence[Invocation]], Sequence[bytes | None]]


def learned(target: Target, make: Make) -> Shape | None:
    """The widest shape that is found; the target's own where the recipe has nothing to tell."""
    recipe = target.recipe
    if recipe is None or not target.guessed:
        return target.shape
    written = [text for case in recipe.cases if (text := case.texts.get(".in")) is not None]
    calls = [
        one.invocation
        for one in islice(generator_calls.variations(recipe, 0), GUESS.generator_calls)
        if one.invocation is not None
    ]
    made = [data for data in make(calls) if data]
    for known in ([*written, *made], written, made):
        small = [data for data in known if len(data) <= GUESS.case_bytes]
        shape = guessed_shape(target.package, small) if small else None
        if shape is not None:
            return shape
    return target.shape
