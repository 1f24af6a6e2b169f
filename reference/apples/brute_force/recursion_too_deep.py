"""BUG: the recursion goes as deep as there are people, deeper than Python allows by default."""

import sys

MODULUS = 1_000_000_007


def ways(people, apples):
    """In how many ways the apples can be handed out."""
    if people == 1:
        return 1
    return sum(ways(people - 1, left) for left in range(apples + 1)) % MODULUS


def main():
    """Read, count, print."""
    print(ways(*map(int, sys.stdin.read().split())))


if __name__ == "__main__":
    main()
