"""Rules that a guessed shape lacks, learnt from the input validators: samples show too few of them.

Where most draws are refused, because `k` must not be more than `n` or no number may come twice, hardly anything large
or far out is ever tried, and limits cannot be asked for. So rules are looked for that all valid draws keep and many
refused ones break; one stands if more draws are valid with it than without.
"""

from collections.abc import Iterator, Sequence
from random import Random

from harness.errors import HarnessError
from harness.search.learn_limits import Valid
from harness.search.policy import LEARN
from harness.shapes import InputError, Shape, draw, parse, write
from harness.shapes.restrict import tighter


def tightened(shape: Shape, valid: Valid, known: Sequence[bytes]) -> Shape:
    """The shape with rules that help; all `known` inputs are of it, if they were before."""
    samples = [data for data in known if _is_of(shape, data)]
    for _ in range(LEARN.most_rules):
        drawn = list(_draws(shape, LEARN.rule_draws))
        goods = valid(drawn)
        share = sum(goods) / LEARN.rule_draws
        if share >= LEARN.enough_valid:
            break
        keeping = [*samples, *(data for data, good in zip(drawn, goods, strict=True) if good)]
        found = _best(shape, valid, keeping, drawn, share)
        if found is None:
            break
        shape = found
    return shape


def _best(
    shape: Shape, valid: Valid, keeping: Sequence[bytes], drawn: Sequence[bytes], share: float
) -> Shape | None:
    """The one rule with which most draws are valid; None if none helps."""
    rules: list[tuple[int, Shape]] = []
    for other in tighter(shape):
        if all(_is_of(other, data) for data in keeping):
            broken = sum(not _is_of(other, data) for data in drawn)
            if broken >= LEARN.least_broken * len(drawn):
                rules.append((-broken, other))
    rules.sort(key=lambda each: each[0])
    best, most = None, LEARN.least_gain * share
    for _, other in rules[: LEARN.most_proposals]:
        now = sum(valid(list(_draws(other, LEARN.proposal_draws)))) / LEARN.proposal_draws
        if now > most:
            best, most = other, now
    return best


def _draws(shape: Shape, count: int) -> Iterator[bytes]:
    for number in range(count):
        try:
            yield write(shape, draw(shape, Random(number), LEARN.rule_sizes[number % len(LEARN.rule_sizes)]))
        except HarnessError:
            continue  # an empty range: as bad as a refusal


def _is_of(shape: Shape, data: bytes) -> bool:
    try:
        parse(shape, data)
    except InputError:
        return False
    return True
