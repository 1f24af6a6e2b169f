"""Random permutations: any, in order but for a few, backwards, and with circles of all lengths."""

from harness.shapes.randomness import Bits

_STYLES = ("nearly", "nearly", "backwards", "circles", "any", "any", "any", "any")


def draw_permutation(bits: Bits, base: int, count: int) -> tuple[int, ...]:
    """The numbers from `base` on, `count` of them, in some order."""
    numbers = list(range(base, base + count))
    match bits.kind.choice(_STYLES):
        case "nearly" if count > 1:
            for _ in range(bits.between(0, 3)):
                one, other = bits.below(count), bits.below(count)
                numbers[one], numbers[other] = numbers[other], numbers[one]
        case "backwards":
            numbers.reverse()
        case "circles":
            _close_circles(numbers)
        case _:
            bits.shuffle(numbers)
    return tuple(numbers)


def _close_circles(numbers: list[int]) -> None:
    """Circles of 1, 2, 3, … places, whose least common multiple is large: what is done again and again ends late."""
    first, size = 0, 1
    while first < len(numbers):
        numbers[first : first + size] = (*numbers[first + 1 : first + size], numbers[first])
        first, size = first + size, size + 1
