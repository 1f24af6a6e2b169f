"""The generator `from_shape` of recipes: prints a large input of the package's shape, with a known killer in it.

    from_shape [--size CELLS] [--killer NAME] [SEED]

It runs in the sandbox, from a copy of this room (harness/generate/shape_generator.py).
"""

import argparse
import difflib
import sys

from harness.shapes import ShapeError, draw_large, read_shape, write
from harness.shapes.killers import NAMES
from harness.shapes.place_killers import killer_inputs

SIZE = 100_000


def main(text: str, arguments: list[str]) -> str | None:
    """Print an input of the shape that `text` describes. Returns what is wrong, for standard error."""
    parser = argparse.ArgumentParser(prog="from_shape")
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--size", type=int, default=SIZE, help="cells, letters and items of the input, about")
    parser.add_argument("--killer", metavar="NAME")
    chosen = parser.parse_args(arguments)
    try:
        shape = read_shape(text)
        if chosen.killer is None:
            data = write(shape, draw_large(shape, chosen.seed, chosen.size))
        elif chosen.killer in NAMES:
            inputs = killer_inputs(shape, chosen.size, names=[chosen.killer], seed=chosen.seed)
            data = next((data for _, data in inputs), b"")
        else:
            near = difflib.get_close_matches(chosen.killer, NAMES, n=1)
            hint = f": did you mean {near[0]!r}?" if near else f"; known are: {', '.join(map(repr, NAMES))}"
            return f"no killer {chosen.killer!r}{hint}"
    except ShapeError as error:
        return str(error)
    if not data:
        fitting = [name for name, _ in killer_inputs(shape, chosen.size)]
        return (
            f"the killer {chosen.killer!r} fits nothing in the shape at this size; "
            f"these do: {', '.join(map(repr, fitting)) or 'none'}"
        )
    sys.stdout.buffer.write(data)
    return None
