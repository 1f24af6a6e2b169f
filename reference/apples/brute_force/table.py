"""Right, O(NM): a table by people and apples, of which one row is kept. One person more: the sums of the row so far."""

import itertools
import sys

MODULUS = 1_000_000_007


def ways(people, apples):
    """In how many ways the apples can be handed out."""
    row = [1] * (apples + 1)
    for _ in range(people - 1):
        row = list(itertools.accumulate(row, lambda total, count: (total + count) % MODULUS))
    return row[apples]


def main():
    """Read, count, print."""
    print(ways(*map(int, sys.stdin.read().split())))


if __name__ == "__main__":
    main()
