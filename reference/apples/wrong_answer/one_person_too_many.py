"""BUG: ends the recursion at no person, who takes no apple and leaves the rest: C(N + M, N)."""

import sys
from functools import lru_cache

MODULUS = 1_000_000_007


@lru_cache(maxsize=None)
def ways(people, apples):
    """In how many ways the apples can be handed out, or so."""
    if people == 0 or apples == 0:
        return 1
    return (ways(people - 1, apples) + ways(people, apples - 1)) % MODULUS


sys.setrecursionlimit(10_000)
print(ways(*map(int, sys.stdin.read().split())))
