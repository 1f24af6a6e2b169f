"""BUG: logarithms of factorials in floating point."""

import math
import sys

people, apples = map(int, sys.stdin.read().split())
logarithm = math.lgamma(people + apples) - math.lgamma(apples + 1) - math.lgamma(people)
print(round(math.exp(min(logarithm, 700))) % 1_000_000_007)
