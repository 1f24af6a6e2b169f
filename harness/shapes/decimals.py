"""Numbers with decimal places: integers in units of the last place, printed with a point.

The lower limit of a range says how many places are always printed, the limit with the most how many there may be:
`0.00..9.99` is 0.50, `0..9.99` is 0.5, `0.0..9.99` is 1.0 or 0.25.
"""

import re

from harness.shapes.expressions import Expression, Number, scaled
from harness.shapes.model import Integer

_DECIMAL = re.compile(rb"(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?")
_LONGEST = 60


def between(low: Expression, high: Expression) -> Integer:
    """The integer, or the number with decimal places, that a range describes."""
    least, most = (one.decimals if isinstance(one, Number) else 0 for one in (low, high))
    most = max(least, most)
    return Integer(low=scaled(low, most), high=scaled(high, most), decimals=most, least_decimals=least)


def printed(item: Integer, value: int) -> bytes:
    """The value as the input holds it."""
    if item.decimals == 0:
        return b"%d" % value
    digits = b"%0*d" % (item.decimals + 1, abs(value))
    whole, places = digits[: -item.decimals], digits[-item.decimals :]
    places = places[: item.least_decimals] + places[item.least_decimals :].rstrip(b"0")
    sign = b"-" if value < 0 else b""
    return sign + whole + (b"." + places if places else b"")


def value_at(item: Integer, data: bytes, at: int) -> tuple[int, int] | None:
    """The value of the number that stands there, and where it ends; None: it is none with so many places.

    Places that need not be printed may be: 1.50 is as good as 1.5.
    """
    match = _DECIMAL.match(data, at, at + _LONGEST)
    places = match[3] or b"" if match is not None else b""
    if match is None or match.end() == at + _LONGEST or not item.least_decimals <= len(places) <= item.decimals:
        return None
    value = int(match[2] + places.ljust(item.decimals, b"0"))
    return (-value if match[1] else value), match.end()
