"""Make generator calls with other seeds and numbers: small ones, full-size ones, and sizes between and below."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import cycle
from math import log2
from random import Random

from harness.generate.recipe import Invocation, Recipe
from harness.search.candidates import Candidate, Source
from harness.search.policy import CALLS

_NUMBER = re.compile(r"(?P<name>(?:--?)?[A-Za-z_][\w-]*=|)(?P<value>-?\d{1,18})")


def command_line(invocation: Invocation) -> str:
    """Return a call as typed in a shell."""
    return " ".join((invocation.generator, *invocation.arguments))


def candidate_of(invocation: Invocation, source: Source = Source.GENERATOR) -> Candidate:
    """Return the candidate of a call."""
    return Candidate(source=source, description=command_line(invocation), invocation=invocation)


def distinct(recipe: Recipe) -> list[Invocation]:
    """Return one call for each group of calls that differ only in numbers."""
    calls: dict[tuple[str, ...], Invocation] = {}
    for call in _calls_of(recipe):
        calls.setdefault(kind_of(call), call)
    return list(calls.values())


def _calls_of(recipe: Recipe) -> list[Invocation]:
    return [case.invocation for case in recipe.cases if case.invocation is not None]


def variations(recipe: Recipe, seed: int) -> Iterator[Candidate]:
    """Yield endless variations of the `distinct` calls: in turn with random small numbers and scaled down."""
    source, calls = Random(seed), distinct(recipe)
    for small, scaled in zip(cycle(CALLS.small), cycle(CALLS.scaled), strict=False) if calls else ():
        yield from (candidate_of(_varied(call, source, small)) for call in calls)
        yield from (candidate_of(_scaled(call, source, scaled)) for call in calls)


def originals(recipe: Recipe) -> Iterator[Candidate]:
    """Yield the recipe's own calls, the largest of each kind first: these are meant to break slow programs."""
    calls = _calls_of(recipe)
    largest: dict[tuple[str, ...], Invocation] = {}
    for call in sorted(calls, key=_magnitude, reverse=True):
        largest.setdefault((call.generator, *_NUMBER.sub("", " ".join(call.arguments)).split()[:1]), call)
    for call in dict.fromkeys([*largest.values(), *calls]):
        yield candidate_of(call, Source.LARGE)


def _magnitude(call: Invocation) -> float:
    """Return a measure of a call's size: the sum of the binary logarithms of its numbers, without seeds."""
    return sum(log2(1 + abs(int(match["value"]))) for match in _numbers_of(call).values())


def _numbers_of(call: Invocation) -> dict[int, "re.Match[str]"]:
    """Return the arguments that are numbers and no seeds, by index."""
    matches = {
        index: match for index, word in enumerate(call.arguments) if (match := _NUMBER.fullmatch(word)) is not None
    }
    return {index: match for index, match in matches.items() if index not in call.seeded}


def reseeded(recipe: Recipe, seed: int) -> Iterator[Candidate]:
    """Yield endless calls of the recipe with its own numbers and other seeds."""
    source = Random(seed)
    calls = [call for call in _calls_of(recipe) if call.seeded]
    while calls:
        call = calls[source.getrandbits(30) % len(calls)]
        yield candidate_of(_with_seed(call, source), Source.LARGE)


def _varied(call: Invocation, source: Random, most: int) -> Invocation:
    """Return the call with another seed and random numbers from 1 to `most`; small numbers mostly stay: choices."""
    arguments = list(_with_seed(call, source).arguments)
    for index, match in _numbers_of(call).items():
        if abs(int(match["value"])) > CALLS.choice or not source.getrandbits(2):
            arguments[index] = f"{match['name']}{1 + source.getrandbits(16) % most}"
    return replace(call, arguments=tuple(arguments))


def _scaled(call: Invocation, source: Random, most: int) -> Invocation:
    """Return the call with another seed and all numbers scaled down so that the largest is `most`."""
    arguments, numbers = list(_with_seed(call, source).arguments), _numbers_of(call)
    largest = max((abs(int(match["value"])) for match in numbers.values()), default=0)
    for index, match in numbers.items():
        if largest > most and abs(int(match["value"])) > CALLS.choice:
            arguments[index] = f"{match['name']}{max(1, int(match['value']) * most // largest)}"
    return replace(call, arguments=tuple(arguments))


def _with_seed(call: Invocation, source: Random) -> Invocation:
    arguments = list(call.arguments)
    for index in sorted(call.seeded):
        arguments[index] = re.sub(r"\d+", str(source.getrandbits(30)), arguments[index], count=1)
    return replace(call, arguments=tuple(arguments))


def capped(call: Invocation, most: int) -> Invocation:
    """Return the call with each number above `most` lowered to it."""
    arguments = list(call.arguments)
    for index, match in _numbers_of(call).items():
        if int(match["value"]) > most:
            arguments[index] = f"{match['name']}{most}"
    return replace(call, arguments=tuple(arguments))


def largest_like(call: Invocation, calls: list[Invocation]) -> Invocation:
    """Return the recipe's largest call that differs only in numbers; the call itself if there is none."""
    alike = [other for other in calls if kind_of(other) == kind_of(call)]
    return max([*alike, call], key=_magnitude)


def between(small: Invocation, large: Invocation, part: float) -> Invocation:
    """Return the small call with numbers geometrically interpolated to the large call's. part: from 0 to 1."""
    arguments, highs = list(small.arguments), _numbers_of(large)
    for index, match in _numbers_of(small).items():
        low, high = int(match["value"]), int(highs[index]["value"]) if index in highs else 0
        if low >= 0 and high > CALLS.small_side:
            arguments[index] = f"{match['name']}{round(max(1, low) * (high / max(1, low)) ** part)}"
    return replace(small, arguments=tuple(arguments))


def changed(call: Invocation, source: Random) -> Invocation:
    """Return a copy with other seeds, and small random changes of named numbers (`k=3`), which are rarely sizes."""
    arguments = list(_with_seed(call, source).arguments)
    for index, match in _numbers_of(call).items():
        value = int(match["value"])
        if match["name"] and value >= 0 and source.getrandbits(1):
            arguments[index] = f"{match['name']}{max(0, value + source.getrandbits(4) - 7)}"
    return replace(call, arguments=tuple(arguments))


def kind_of(call: Invocation) -> tuple[str, ...]:
    """Return the call without its numbers."""
    return (call.generator, *(_NUMBER.sub(r"\g<name>", word) for word in call.arguments))


def smaller_call(call: Invocation, failing: Callable[[Sequence[Invocation]], Sequence[bool]]) -> Invocation:
    """Lower the numbers of a failing call one by one; return the smallest call that still fails.

    failing: returns which calls fail. Stops after about CALLS.most_smaller tries.
    """
    left, progress, tried = CALLS.most_smaller, True, {call.arguments}
    while progress and left > 0:
        progress = False
        for index in range(len(call.arguments)):
            simpler = [words for words in _simpler(call, index) if words not in tried]
            calls = [replace(call, arguments=words) for words in simpler]
            tried.update(simpler)
            left -= len(calls)
            first = next((smaller for smaller, fails in zip(calls, failing(calls), strict=True) if fails), None)
            if first is not None:
                call, progress = first, True
    return call


def _simpler(call: Invocation, index: int) -> Iterator[tuple[str, ...]]:
    """Yield the arguments with a smaller number at index `index`, the largest steps first."""
    match = _numbers_of(call).get(index)
    if match is None:
        return
    value = int(match["value"])
    lower = dict.fromkeys((1, 2, 3, value // 16, value // 4, value // 2, 3 * value // 4, value - 1))
    for number in lower:
        if 0 <= number < value:
            changed = f"{match['name']}{number}"
            yield (*call.arguments[:index], changed, *call.arguments[index + 1 :])
