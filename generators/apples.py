"""Writes one input of `apples`: apples.py FORM ...; a form and what it breaks:

pair N M              a chosen case: edges (one person, no apple), sides that differ (swapped arguments)
random MAX_N MAX_M SEED   both drawn evenly, N >= 1, M >= 0: formulas that are right on the diagonal only
most N CALLS          the most apples for which the plain recursion needs at most CALLS calls: slow recursion
"""

import math
import random
import sys

import grids


def built(arguments):
    """The bytes of the input that these arguments ask for."""
    form, *numbers = arguments
    return b"%d %d\n" % FORMS[form](*map(int, numbers))


def pair(people, apples):
    """As given."""
    return people, apples


def drawn(max_people, max_apples, seed):
    """Both by lot."""
    rng = random.Random(seed)
    return 1 + grids.below(rng, max_people), grids.below(rng, max_apples + 1)


def most(people, calls):
    """By doubling and halving: the number of calls grows with the number of apples."""
    low, high = 0, 1
    while math.comb(people + high, people - 1) <= calls:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if math.comb(people + middle, people - 1) <= calls else (low, middle)
    return people, low


FORMS = {"pair": pair, "random": drawn, "most": most}

if __name__ == "__main__":
    sys.stdout.buffer.write(built(sys.argv[1:]))
