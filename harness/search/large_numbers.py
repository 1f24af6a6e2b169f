"""Cases with numbers as large as the input validators accept them, also numbers inside words: sums overflow there.

What a shape says of numbers is asked of the validators, too (widen.py); this is for what no shape says.
"""

import re
import time
from collections.abc import Iterator, Sequence

from harness.search.learn_limits import Valid
from harness.search.policy import LEARN

_INTEGER = re.compile(rb"(?<!\d)\d+(?!\d)")


def raised(
    bases: Sequence[tuple[str, bytes]], valid: Valid, deadline_s: float = float("inf")
) -> list[tuple[str, bytes]]:
    """Valid inputs made of the cases (name, input) with the most numbers, but few: one line raised, then two, …"""
    counted = [(len(_INTEGER.findall(data)), name, data) for name, data in bases]
    usable = [one for one in counted if 0 < one[0] <= LEARN.raised_numbers]
    found: dict[bytes, str] = {}
    for _, name, base in sorted(usable, key=lambda one: -one[0])[: LEARN.raised_cases]:
        for data in _steps(base, valid, deadline_s):
            found.setdefault(data, f"{name}, raised")
    return [(name, data) for data, name in found.items()]


def _steps(base: bytes, valid: Valid, deadline_s: float) -> Iterator[bytes]:
    """The input after each line of it whose numbers could be raised, together with those before."""
    lines = base.splitlines(keepends=True)
    for row in range(len(lines)):
        known, place = lines[row], 0
        while (found := _INTEGER.search(lines[row], place)) is not None and time.monotonic() < deadline_s:
            before, after = lines[row][: found.start()], lines[row][found.end() :]
            values = [value for value in LEARN.raised_values if value > int(found[0])]
            tries = [before + b"%d" % value + after for value in values]
            answers = valid([b"".join([*lines[:row], line, *lines[row + 1 :]]) for line in tries])
            value = next((value for value, good in zip(values, answers, strict=True) if good), int(found[0]))
            lines[row] = before + b"%d" % value + after
            place = len(before) + len(b"%d" % value)
        if lines[row] != known:
            yield b"".join(lines)
