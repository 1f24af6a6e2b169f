"""The numbers in a call of a generator: lowered to a small input's, moved towards the largest one's, changed."""

import re
from dataclasses import replace
from random import Random

from harness.generate import Invocation
from harness.search.policy import CALLS

_NUMBER = re.compile(r"(?P<name>(?:--?)?[A-Za-z_][\w-]*=|)(?P<value>\d{1,18})")


def scaled(call: Invocation, most: int) -> Invocation:
    """The call with each large number lowered to `most`."""

    def lower(word: str) -> str:
        found = _NUMBER.fullmatch(word)
        return word if found is None or int(found["value"]) <= most else f"{found['name']}{most}"

    arguments = [word if place in call.seeded else lower(word) for place, word in enumerate(call.arguments)]
    return replace(call, arguments=tuple(arguments))


def largest_like(call: Invocation, calls: list[Invocation]) -> Invocation:
    """The largest call of the recipe with the same words but for the numbers; the call itself if there is none."""
    alike = [one for one in calls if kind_of(one) == kind_of(call)]
    return max([*alike, call], key=lambda one: sum(_values(one)))


def between(small: Invocation, large: Invocation, part: float) -> Invocation:
    """The small call with its numbers moved towards the large one's: in geometric steps, since time is fitted so."""
    arguments = list(small.arguments)
    for place, (word, other) in enumerate(zip(small.arguments, large.arguments, strict=False)):
        mine, theirs = _NUMBER.fullmatch(word), _NUMBER.fullmatch(other)
        if mine is None or theirs is None or place in small.seeded or int(theirs["value"]) <= CALLS.small_side:
            continue
        low, high = max(1, int(mine["value"])), int(theirs["value"])
        arguments[place] = f"{mine['name']}{round(low * (high / low) ** part)}"
    return replace(small, arguments=tuple(arguments))


def changed(call: Invocation, source: Random) -> Invocation:
    """A changed copy: another seed, or a number that is no size moved."""
    arguments = list(call.arguments)
    for place, word in enumerate(arguments):
        found = _NUMBER.fullmatch(word)
        if found is None:
            continue
        value = int(found["value"])
        if place in call.seeded:
            arguments[place] = str(source.getrandbits(30))
        elif found["name"] and source.getrandbits(1):
            arguments[place] = f"{found['name']}{max(0, value + source.getrandbits(4) - 7)}"
    return replace(call, arguments=tuple(arguments))


def kind_of(call: Invocation) -> tuple[str, ...]:
    """The call without its numbers."""
    return (call.generator, *(_NUMBER.sub(r"\g<name>", word) for word in call.arguments))


def _values(call: Invocation) -> list[int]:
    words = [word for place, word in enumerate(call.arguments) if place not in call.seeded]
    return [int(found["value"]) for word in words if (found := _NUMBER.fullmatch(word)) is not None]
