"""C(N + M - 1, M) modulo a prime: a falling factorial times the inverse of a factorial."""

import sys

MODULUS = 1_000_000_007


def ways(people, apples):
    """In how many ways the apples can be handed out."""
    total = people + apples - 1
    above = below = 1
    for factor in range(1, min(apples, people - 1) + 1):
        above = above * (total + 1 - factor) % MODULUS
        below = below * factor % MODULUS
    return above * pow(below, MODULUS - 2, MODULUS) % MODULUS


def main():
    """Read, count, print."""
    print(ways(*map(int, sys.stdin.read().split())))


if __name__ == "__main__":
    main()
