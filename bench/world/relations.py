"""Relations that one to four tests of a problem keep: how often do they hold in all its other tests, too?

    python bench/world/relations.py FOLDER

FOLDER is Codeflaws as published; contests with an odd number only, and no test that the judge shortened. Printed for
each kind of relation: the share of relations that hold in all other tests of their problem, in percent, after 1, 2, 3,
4, 5 to 7, and 8 or more comparisons in the samples; and the number of problems. A problem's share is the mean over the
one to four first tests that are taken for samples, and all problems count alike. These are the weights of
harness.search.likeness_policy, there rounded, and smoothed where problems are few.
"""

import argparse
from collections import defaultdict
from pathlib import Path

from find_checks import guess
from shapes import problems

from harness.search.likeness import likeness_of
from harness.search.likeness_policy import LIKENESS, column_of
from harness.shapes import parsed
from harness.shapes.limits import loosest

SAMPLES = (1, 2, 3, 4)
LEAST_TESTS = 3  # in which a relation can be broken
Kind = tuple[str, int]  # the name of a relation and its column


def shares(inputs: list[bytes], count: int) -> dict[Kind, float]:
    """The share of a problem's relations, kept by its first `count` inputs, that all others keep."""
    draft, _ = guess(inputs[:count])
    if draft is None:
        return {}
    shape = loosest(draft)
    likeness = likeness_of(shape, inputs[:count])
    others = [value for data in inputs[count:] if (value := parsed(shape, data)) is not None]
    if likeness is None:
        return {}
    kept = defaultdict(list)
    times = {}
    for other in others:
        for relation, compared, holds in likeness.compared(other):
            kept[relation].append(holds)
            times[relation] = compared
    always = defaultdict(list)
    for relation, each in kept.items():
        if len(each) >= LEAST_TESTS:
            always[relation[0], column_of(times[relation])].append(all(each))
    return {kind: sum(each) / len(each) for kind, each in always.items()}


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    found = defaultdict(list)
    for inputs in problems(parser.parse_args().folder).values():
        own = defaultdict(list)
        for count in SAMPLES:
            if len(inputs) >= count + LEAST_TESTS:
                for kind, share in shares(inputs, count).items():
                    own[kind].append(share)
        for kind, each in own.items():
            found[kind].append(sum(each) / len(each))
    print("comparisons from".ljust(18), *(f"{least:11}" for least in LIKENESS.comparisons))
    for name in sorted({name for name, _ in found}):
        cells = [found[name, column] for column in range(len(LIKENESS.comparisons))]
        shown = (
            f"{100 * sum(each) / len(each):3.0f} % ({len(each):4})" if each else "-".rjust(12) for each in cells
        )
        print(name.ljust(18), *shown)


if __name__ == "__main__":
    main()
