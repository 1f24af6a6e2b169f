"""Do two outputs differ only in the last digits of numbers?"""

import re

HINT = "all numbers agree to 1e-6: --float-tolerance 1e-6 compares them as numbers"
_NUMBER = re.compile(r"[-+]?[0-9]{1,30}(?:\.[0-9]{0,30})?(?:[eE][-+]?[0-9]{1,3})?")
_TOLERANCE = 1e-6


def agree_nearly(expected: str, printed: str) -> bool:
    """Whether the tokens are the same but for numbers that differ by at most 1e-6, absolutely or relatively."""
    wanted, given = expected.split(), printed.split()
    return len(wanted) == len(given) and all(_are_near(*pair) for pair in zip(wanted, given, strict=True))


def _are_near(one: str, other: str) -> bool:
    if one == other:
        return True
    if not _NUMBER.fullmatch(one) or not _NUMBER.fullmatch(other):
        return False
    wanted, given = float(one), float(other)
    return abs(wanted - given) <= _TOLERANCE * max(1.0, abs(wanted)) < float("inf")
