"""Makes a generator's call smaller: lower numbers, fewer options, while its input still fails in the same way."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from harness.generate import Invocation
from harness.search.call_numbers import _NUMBER
from harness.search.policy import CALLS


def smaller_call(call: Invocation, failing: Callable[[Sequence[Invocation]], Sequence[bool]]) -> Invocation:
    """The smallest call that is found to fail, with about CALLS.most_smaller tries."""
    left, progress, tried = CALLS.most_smaller, True, {call.arguments}
    while progress and left > 0:
        progress = False
        for place in range(len(call.arguments)):
            simpler = [one for one in _simpler(call, place) if one not in tried]
            calls = [replace(call, arguments=one) for one in simpler]
            tried.update(simpler)
            left -= len(calls)
            first = next((one for one, fails in zip(calls, failing(calls), strict=True) if fails), None)
            if first is not None:
                call, progress = first, True
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
