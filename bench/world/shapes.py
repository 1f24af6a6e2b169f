"""Guessed shapes on public problems: which share of the inputs that the guess did not see are of its shape.

    python bench/world/shapes.py FOLDER [--samples 2] [--sample 1000] [--seed 0] [--only WORD] [-v]

FOLDER is Codeflaws as published; contests with an odd number only. The guess sees two samples of each problem. Printed:
problems without a shape; the share of all other inputs that are of the draft, of any shape that the search draws from
(wider limits, then fewer rules, then 0, then numbers below), and of the structure alone, whatever the limits, letters
and rules; of the others, what the first fault is. With -v the problems whose inputs are not all of the structure:
samples, draft, and the shortest input that is not.
"""

import argparse
import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from find_checks import fits, guess, tidy
from sets import codeflaws

from harness.shapes import Shape, parse
from harness.shapes.limits import loosest
from harness.shapes.reader import InputError

SLOW_S = 2.0  # a guess that takes longer is listed


@dataclass(frozen=True, kw_only=True)
class Guessed:
    """One problem: how many inputs it has beside the samples, how many of them fit, and those that do not at all."""

    problem: str
    samples: list[bytes]
    shapes: list[Shape]
    inputs: int
    draft: int
    drawn: int
    structure: int
    misfits: list[bytes]
    seconds: float


def guessed(problem: str, inputs: list[bytes], count: int) -> Guessed:
    """The guess from the first `count` inputs, held against all others."""
    began_s = time.monotonic()
    draft, shapes = guess(inputs[:count])
    seconds = time.monotonic() - began_s
    rest = inputs[count:]
    beyond = [data for data in rest if not any(fits(shape, data) for shape in shapes)]
    misfits = [data for data in beyond if draft is None or not fits(loosest(draft), data)]
    return Guessed(
        problem=problem,
        samples=inputs[:count],
        shapes=shapes,
        inputs=len(rest),
        draft=sum(draft is not None and fits(draft, data) for data in rest),
        drawn=len(rest) - len(beyond),
        structure=len(rest) - len(misfits),
        misfits=misfits,
        seconds=seconds,
    )


def fault_of(each: Guessed, data: bytes) -> str:
    """Why an input is not of the structure."""
    if not each.shapes:
        return "no shape"
    try:
        parse(loosest(each.shapes[0]), data)
    except (InputError, RecursionError) as error:
        return str(error)
    return ""


def kind_of(fault: str) -> str:
    """A fault without places, names, limits and what was found."""
    return re.sub(r"(from|[0-9]+ to|\d+ letters).*", "", fault.partition(": ")[2].partition(", found")[0]) or fault


def problems(folder: Path) -> dict[str, list[bytes]]:
    """The inputs of each problem, each once, the samples first."""
    inputs: dict[str, list[bytes]] = {}
    for pair in codeflaws(folder):
        tests = [*pair.samples, *(pair.tests[1:] if pair.has_failing else pair.tests), *pair.tests[:1]]
        inputs.setdefault(pair.problem, []).extend(tidy(given) for given, _ in tests)
    return {name: list(dict.fromkeys(each)) for name, each in inputs.items()}


def shown(each: Guessed) -> Iterator[str]:
    """A problem whose inputs are not all of its shapes."""
    yield f"== {each.problem}: {len(each.misfits)} of {each.inputs} not of the structure"
    for sample in each.samples:
        yield sample.decode(errors="replace")[:200].rstrip("\n").replace("\n", "\n  | ")
        yield "  --"
    yield each.shapes[0].text if each.shapes else "no shape"
    shortest = min(each.misfits, key=len)
    yield f"> {shortest[:200]!r}"
    yield f"  {fault_of(each, shortest)[:200]}"


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
        if row.misfits:
            print(*shown(row), sep="\n")
    inputs = sum(row.inputs for row in rows)
    without = sum(not row.shapes for row in rows)
    print(f"{len(rows)} problems, {options.samples} samples each, {inputs} other inputs")
    print(f"no shape: {without} ({100 * without / len(rows):.1f} %)")
    for word, fitting in (
        ("draft", sum(row.draft for row in rows)),
        ("draft, or of a shape that is drawn from", sum(row.drawn for row in rows)),
        ("structure", sum(row.structure for row in rows)),
    ):
        print(f"of the {word}: {fitting} inputs ({100 * fitting / inputs:.1f} %)")
    whole = sum(not row.misfits for row in rows)
    print(f"all inputs of the structure: {whole} problems ({100 * whole / len(rows):.1f} %)")
    faults = Counter(kind_of(fault_of(row, data)) for row in rows for data in row.misfits)
    print("the others:", "; ".join(f"{count} {fault}" for fault, count in faults.most_common(8)))
    slow = [f"{row.problem} {row.seconds:.1f} s" for row in rows if row.seconds > SLOW_S]
    print(f"guesses: {sum(row.seconds for row in rows):.0f} s in all; slow: {', '.join(slow) or 'none'}")


if __name__ == "__main__":
    main()
