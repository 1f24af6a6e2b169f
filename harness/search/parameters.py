"""Makes a generator's call smaller: lower numbers, fewer options, while its input still fails in the same way."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from harness.generate import Invocation

_NUMBER = re.compile(r"(?P<name>(?:--?)?[A-Za-z_][\w-]*=|)(?P<value>\d{1,18})")
MOST_CALLS = 80


def smaller_call(call: Invocation, fails: Callable[[Invocation], bool]) -> Invocation:
    """The smallest call that is found to fail, with at most MOST_CALLS tries."""
    left, progress, tried = MOST_CALLS, True, {call.arguments}
    while progress and left > 0:
        progress = False
        for place in range(len(call.arguments)):
            for arguments in _simpler(call, place):
                if arguments in tried or left <= 0:
                    continue
                tried.add(arguments)
                left -= 1
                candidate = replace(call, arguments=arguments)
                if fails(candidate):
                    call, progress = candidate, True
                    break
    return call


def _simpler(call: Invocation, place: int) -> Iterator[tuple[str, ...]]:
    """Smaller arguments at one place, the largest steps first."""
    word = call.arguments[place]
    found = _NUMBER.fullmatch(word)
    if found is None or place in call.seeded:
        return
    value = int(found["value"])
    lower = dict.fromkeys((1, 2, 3, value // 16, value // 4, value // 2, 3 * value // 4, value - 1))
    for number in lower:
        if 0 <= number < value:
            changed = f"{found['name']}{number}"
            yield (*call.arguments[:place], changed, *call.arguments[place + 1 :])
