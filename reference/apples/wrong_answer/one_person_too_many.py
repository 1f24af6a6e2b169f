"""BUG: off by one, C(N + M, N): apples may be left over."""

import sys

MODULUS = 1_000_000_007


def ways(people, apples):
    """In how many ways the apples can be handed out."""
    total = people + apples
    above = below = 1
    for factor in range(1, min(apples, people) + 1):
        above = above * (total + 1 - factor) % MODULUS
        below = below * factor % MODULUS
    return above * pow(below, MODULUS - 2, MODULUS) % MODULUS


def main():
    """Read, count, print."""
    print(ways(*map(int, sys.stdin.read().split())))


if __name__ == "__main__":
    main()
