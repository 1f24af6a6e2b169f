"""BUG: a memo keeps the number of calls small, but not their depth."""

import sys
from functools import lru_cache

MODULUS = 1_000_000_007


@lru_cache(maxsize=None)
def ways(people, apples):
    """In how many ways the apples can be handed out."""
    if people == 1 or apples == 0:
        return 1
    return (ways(people - 1, apples) + ways(people, apples - 1)) % MODULUS


print(ways(*map(int, sys.stdin.read().split())))
