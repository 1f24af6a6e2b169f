"""Reads an input of `apples`: one line `N M`. Arguments, all bounds of a test group: MAX_N MAX_M [MAX_CALLS].

MAX_CALLS bounds how often the plain recursion calls itself, C(N + M, N - 1).
"""

import sys

from judgelib import Reader, run_input_validator

MAX_PEOPLE = int("{{max_people}}")
MAX_APPLES = int("{{max_apples}}")


def check(case: Reader) -> None:
    """Every byte of the input, in order."""
    bounds = [int(argument) for argument in sys.argv[1:]]
    max_people = min([MAX_PEOPLE, *bounds[:1]])
    max_apples = min([MAX_APPLES, *bounds[1:2]])
    people = case.integer("N", 1, max_people)
    case.space()
    apples = case.integer("M", 0, max_apples)
    case.newline()
    case.end()
    if bounds[2:] and calls_exceed(people, apples, bounds[2]):
        case.fail("expected C(N + M, N - 1) of at most %d, found more" % bounds[2])


def calls_exceed(people, apples, bound):
    """Whether C(N + M, N - 1) is larger; stops as soon as that is certain, so that no number gets long."""
    total = people + apples
    value = 1
    for factor in range(1, min(people - 1, apples + 1) + 1):
        value = value * (total - factor + 1) // factor
        if value > bound:
            return True
    return False


if __name__ == "__main__":
    run_input_validator(check)
