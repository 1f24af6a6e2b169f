"""Right, for a few apples: give the first person 0, 1, …, M apples and hand out the rest among the others."""

import sys

MODULUS = 1_000_000_007


def ways(people, apples):
    """In how many ways the apples can be handed out."""
    if people == 1:
        return 1
    return sum(ways(people - 1, left) for left in range(apples + 1)) % MODULUS


def main():
    """Read, count, print."""
    sys.setrecursionlimit(10_000)
    print(ways(*map(int, sys.stdin.read().split())))


if __name__ == "__main__":
    main()
