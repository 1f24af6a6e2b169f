"""C(N + M - 1, M) as a product of primes, whose exponents follow from Legendre's formula; no division modulo anything."""

import sys

MODULUS = 1_000_000_007


def primes_up_to(bound):
    """By sieve."""
    prime = bytearray([1]) * (bound + 1)
    for factor in range(2, int(bound**0.5) + 1):
        if prime[factor]:
            prime[factor * factor :: factor] = bytes(len(range(factor * factor, bound + 1, factor)))
    return [number for number in range(2, bound + 1) if prime[number]]


def ways(people, apples):
    """In how many ways the apples can be handed out."""
    total, others = people + apples - 1, people - 1
    value = 1
    for prime in primes_up_to(total):
        power = prime
        while power <= total:
            if total // power > apples // power + others // power:
                value = value * prime % MODULUS
            power *= prime
    return value


def main():
    """Read, count, print."""
    print(ways(*map(int, sys.stdin.read().split())))


if __name__ == "__main__":
    main()
