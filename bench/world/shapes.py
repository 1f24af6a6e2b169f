"""Guessed shapes on public problems: which share of the inputs that the guess did not see are of its shape.

    python bench/world/shapes.py FOLDER [--samples 2] [--sample 1000] [--seed 0] [--only WORD] [-v]

FOLDER is Codeflaws as published; contests with an odd number only. The guess sees two samples of each problem. Printed:
problems without a shape, the share of all other inputs that are of the draft, and of any shape that the search widens
it to; with -v the problems whose inputs are not all of some shape: samples, draft, and the first input that is not.
"""

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from find_checks import fits, guess, tidy
from sets import codeflaws

from harness.shapes import Shape, parse
from harness.shapes.errors import InputError

SLOW_S = 2.0  # a guess that takes longer is listed


@dataclass(frozen=True, kw_only=True)
class Guessed:
    """One problem: how many inputs it has beside the samples, how many of them fit, and the first that does not."""

    problem: str
    samples: list[bytes]
    shapes: list[Shape]
    inputs: int
    draft: int
    widened: int
    misfit: bytes | None
    seconds: float


def guessed(problem: str, inputs: list[bytes], count: int) -> Guessed:
    """The guess from the first `count` inputs, held against all others."""
    began_s = time.monotonic()
    draft, shapes = guess(inputs[:count])
    seconds = time.monotonic() - began_s
    rest = inputs[count:]
    misfits = [data for data in rest if not any(fits(shape, data) for shape in shapes)]
    return Guessed(
        problem=problem,
        samples=inputs[:count],
        shapes=shapes,
        inputs=len(rest),
        draft=sum(draft is not None and fits(draft, data) for data in rest),
        widened=len(rest) - len(misfits),
        misfit=min(misfits, key=len, default=None),
        seconds=seconds,
    )


def problems(folder: Path) -> dict[str, list[bytes]]:
    """The inputs of each problem, each once, the samples first."""
    inputs: dict[str, list[bytes]] = {}
    for pair in codeflaws(folder):
        tests = [*pair.samples, *(pair.tests[1:] if pair.has_failing else pair.tests), *pair.tests[:1]]
        inputs.setdefault(pair.problem, []).extend(tidy(given) for given, _ in tests)
    return {name: list(dict.fromkeys(each)) for name, each in inputs.items()}


def shown(each: Guessed) -> Iterator[str]:
    """A problem whose inputs are not all of its shapes."""
    yield f"== {each.problem}: {each.inputs - each.widened} of {each.inputs} not of the shape"
    for sample in each.samples:
        yield sample.decode(errors="replace")[:200].rstrip("\n").replace("\n", "\n  | ")
        yield "  --"
    yield each.shapes[0].text if each.shapes else "no shape"
    if each.misfit is not None and each.shapes:
        yield f"> {each.misfit[:200]!r}"
        try:
            parse(each.shapes[-1], each.misfit)
        except (InputError, RecursionError) as error:
            yield f"  {error}"


def main() -> None:
    """Guess and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--samples", type=int, default=2)
    parser.add_argument("--sample", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    every = {name: inputs for name, inputs in problems(options.folder).items() if options.only in name}
    names = sorted(name for name, inputs in every.items() if len(inputs) > options.samples)
    Random(options.seed).shuffle(names)
    rows = [guessed(name, every[name], options.samples) for name in names[: options.sample]]
    for row in rows if options.verbose else ():
        if row.widened < row.inputs:
            print(*shown(row), sep="\n")
    inputs = sum(row.inputs for row in rows)
    without = sum(not row.shapes for row in rows)
    print(f"{len(rows)} problems, {options.samples} samples each, {inputs} other inputs")
    print(f"no shape: {without} ({100 * without / len(rows):.1f} %)")
    for word, fitting in (
        ("draft", sum(row.draft for row in rows)),
        ("widened", sum(row.widened for row in rows)),
    ):
        print(f"of the {word} shape: {fitting} inputs ({100 * fitting / inputs:.1f} %)")
    whole = sum(row.widened == row.inputs for row in rows)
    print(f"all inputs of the widened shape: {whole} problems ({100 * whole / len(rows):.1f} %)")
    slow = [f"{row.problem} {row.seconds:.1f} s" for row in rows if row.seconds > SLOW_S]
    print(f"guesses: {sum(row.seconds for row in rows):.0f} s in all; slow: {', '.join(slow) or 'none'}")


if __name__ == "__main__":
    main()
