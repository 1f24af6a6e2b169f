"""Known killers: numbers, words and graphs on which common programs are slow, overflow or collide.

Each is a function of counts and ranges, and knows no problem and no shape (place_killers.py puts them into inputs).
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import combinations, islice, pairwise, permutations
from math import comb, isqrt
from random import Random

from harness.shapes.expressions import origin

NumberKiller = Callable[[int, int, int], Sequence[int]]  # count, least, largest
WordKiller = Callable[[int, bytes], Sequence[bytes]]  # letters in each, alphabet → words to repeat in turn
GraphKiller = Callable[[int, int, int], Sequence[tuple[int, int, int]]]  # vertices, edges, the largest weight

# Numbers of buckets that libstdc++'s unordered containers take as they grow, each with the number before it: measured
# with GCC 12; those of compilers before GCC 6; those after `reserve` of 10^5, 2·10^5 and 10^6, whatever came before.
GROWTH = tuple(pairwise((541, 1109, 2357, 5087, 10_273, 20_753, 42_043, 85_229, 172_933, 351_061, 712_697)))
OLD_GROWTH = tuple(pairwise((409, 823, 1741, 3739, 7517, 15_173, 30_727, 62_233, 126_271, 256_279, 520_241)))
RESERVED = tuple((0, buckets) for buckets in (107_897, 202_409, 1_056_323))
HASHES = (
    (31, 10**9 + 7),
    (131, 10**9 + 7),
    (31, 10**9 + 9),
    (131, 998_244_353),
    (911, 10**9 + 7),
    (257, 10**9 + 7),
)
_PIECE = 7  # letters of colliding words
_FEW_KEYS = 500  # in one bucket: not slow


def one_bucket(tables: Sequence[tuple[int, int]], count: int, low: int, high: int) -> Sequence[int]:
    """Return keys that fill one bucket of a hash table, then the first of these keys again and again.

    tables: pairs of numbers of buckets, before and after the table has grown. The worst of them is chosen.
    """
    keys, _ = _keys_of_one_bucket(tables, count, low, high)
    return [*keys, *keys[:1] * (count - len(keys))]


def distinct_in_one_bucket(count: int, low: int, high: int) -> Sequence[int]:
    """Return distinct keys: first those of one bucket, then the smallest ones of other buckets."""
    keys, buckets = _keys_of_one_bucket(GROWTH, count, low, high)
    others = islice((key for key in range(low, high + 1) if key % buckets), count - len(keys))
    both = [*keys, *others] if keys else []
    return both if len(both) == count else []


def _keys_of_one_bucket(
    tables: Sequence[tuple[int, int]], count: int, low: int, high: int
) -> tuple[list[int], int]:
    """Return the keys of one bucket on which a table is slowest, and its number of buckets; no keys if too few fit.

    A table with more keys than buckets grows; one with no more keys than it had buckets before has not yet grown.
    """
    least, best, best_cost = max(low, 1), (list[int](), 1), 0
    for before, buckets in tables:
        first = buckets * -(-least // buckets)
        keys = [*range(first, high + 1, buckets)[: min(buckets, count)]]
        cost = len(keys) * (2 * count - len(keys))
        if len(keys) > max(before, _FEW_KEYS) and cost > best_cost:
            best, best_cost = (keys, buckets), cost
    return best


def middle_pivot(count: int, low: int, high: int) -> Sequence[int]:
    """Return an order on which quicksort with the middle item as its pivot takes quadratic time."""
    order = list(range(1, count + 1))
    for at in range(2, count):
        order[at], order[at // 2] = order[at // 2], order[at]
    return [low - 1 + number for number in order] if high - low + 1 >= count else []


def median_of_three(count: int, low: int, high: int) -> Sequence[int]:
    """Return an order on which quicksort with the median of first, middle and last item takes quadratic time.

    The two least numbers of each part are at its start and in its middle; a partition moves that one to the start.
    """
    places, order, first = list(range(count)), list(range(count)), 0
    while count - first > 2:
        middle = (first + count - 1) // 2
        order[places[first]], order[places[middle]] = first, first + 1
        places[first + 1], places[middle] = places[middle], places[first + 1]
        first += 2
    for number in range(first, count):
        order[places[number]] = number
    return [low + number for number in order] if high - low + 1 >= count else []


def rising(count: int, low: int, high: int) -> Sequence[int]:
    """Return sorted numbers: slow for quicksort with the first or last item as pivot, and for unbalanced trees."""
    return range(low, low + count) if high - low + 1 >= count else []


def falling(count: int, low: int, high: int) -> Sequence[int]:
    """Return numbers that fall from the largest: slow for insertion sort; beside rising ones, nested intervals."""
    return range(high, high - count, -1) if high - low + 1 >= count else []


def organ_pipe(count: int, low: int, high: int) -> Sequence[int]:
    """Return numbers that rise, then fall."""
    return [low + min(at, count - 1 - at) for at in range(count)] if 2 * (high - low + 1) >= count else []


def largest(count: int, low: int, high: int) -> Sequence[int]:
    """Return only the largest value: sums and products overflow."""
    return [high] * count


def all_equal(count: int, low: int, high: int) -> Sequence[int]:
    """Return only the simplest value: the number of equal pairs overflows."""
    return [origin(low, high)] * count


def overflow_pairs(count: int, low: int, high: int) -> Sequence[int]:
    """Return both ends of the range in turn: differences and products overflow."""
    return [high if at % 2 else low for at in range(count)]


def square_roots(count: int, low: int, high: int) -> Sequence[int]:
    """Return numbers near the square root of the limit, and near its square: there wrong roots and loops show."""
    root = isqrt(max(high, 0))
    roots = (root - 1, root, root + 1)
    squares = (root**2, root**2 - 1, root**2 + 1, (root - 1) ** 2, (root - 1) ** 2 - 1)
    good = [value for value in (*roots, *squares) if low <= value <= high]
    return [good[at % len(good)] for at in range(count)] if good else []


def beyond_floats(count: int, low: int, high: int) -> Sequence[int]:
    """Return neighbours around 2^53, 2^32, 2^31 or 2^24, the largest in range: equal as floats, or overflowing."""
    for power in (53, 32, 31, 24):
        if (1 << power) + 1 <= high:
            return [(1 << power) + at % 3 - 1 for at in range(count)]
    return []


def last_differs(count: int, letters: bytes) -> Sequence[bytes]:
    """Return one letter again and again, another one at the end: a naive search compares nearly all each time."""
    return [letters[:1] * (count - 1) + letters[1:2]] if len(letters) > 1 and count > 1 else []


def two_in_turn(count: int, letters: bytes) -> Sequence[bytes]:
    """Return two letters in turn: the word is equal to half of its rotations, and brackets close at once."""
    return [(letters[:2] * count)[:count]] if len(letters) > 1 else []


def two_halves(count: int, letters: bytes) -> Sequence[bytes]:
    """Return a half of one letter and a half of another: brackets as deep as can be."""
    return [letters[:1] * (count - count // 2) + letters[1:2] * (count // 2)] if len(letters) > 1 else []


def thue_morse(count: int, letters: bytes) -> Sequence[bytes]:
    """Return words with halves of at least 2^10 letters and equal polynomial hash modulo 2^64 for any base."""
    if len(letters) < 2 or count < 2048:
        return []
    word = bytes(letters[at.bit_count() % 2] for at in range(count))
    swapped = bytes(letters[1 - at.bit_count() % 2] for at in range(count))
    return [word, swapped]


def colliding(base: int, modulus: int, count: int, letters: bytes) -> Sequence[bytes]:
    """Return words with equal polynomial hashes: as whole words, and concatenated in a longer word."""
    pair = collision(base, modulus, letters) if count >= _PIECE and len(letters) >= 8 else None
    if pair is None:
        return []
    if count >= 2 * _PIECE:
        return [((pair[0] + pair[1]) * (count // (2 * _PIECE) + 1))[:count]]
    return [word + letters[:1] * (count - _PIECE) for word in pair]


@cache
def collision(base: int, modulus: int, letters: bytes) -> tuple[bytes, bytes] | None:
    """Find two words with the same polynomial hash by a birthday search; None: none were found."""
    seen: dict[int, bytes] = {}
    bits = Random(base)
    shift, half = pow(base, _PIECE // 2, modulus), 3 * isqrt(isqrt(modulus))

    def words(length: int) -> list[bytes]:
        drawn = (bytes(letters[bits.getrandbits(16) % len(letters)] for _ in range(length)) for _ in range(half))
        return list(dict.fromkeys(drawn))

    ends = [(word, hash_of(word, base, modulus)) for word in words(_PIECE // 2)]
    for begin in words(_PIECE - _PIECE // 2):
        first = hash_of(begin, base, modulus) * shift
        for end, second in ends:
            value, word = (first + second) % modulus, begin + end
            if seen.setdefault(value, word) != word:
                return seen[value], word
    return None


def hash_of(word: bytes, base: int, modulus: int) -> int:
    """Return the polynomial hash that most programs use. Words that collide still do if each letter is shifted."""
    value = 0
    for letter in word:
        value = (value * base + letter) % modulus
    return value


def long_path(vertices: int, edges: int, heaviest: int) -> Sequence[tuple[int, int, int]]:
    """Return a path, on which recursion is too deep; the remaining edges skip a few vertices."""
    path = [(at, at + 1, 1) for at in range(1, min(vertices - 1, edges) + 1)]
    more = [(at, at + skip, heaviest) for skip in (2, 3, 4, 5) for at in range(1, vertices - skip + 1)]
    return _filled([*path, *more], edges, heaviest)


def late_improvements(vertices: int, edges: int, heaviest: int) -> Sequence[tuple[int, int, int]]:
    """Return a hub with ever shorter paths to it, and many leaves: quadratic for SPFA, and a careless Dijkstra."""
    chain = min((edges - 2) // 3, (vertices - 2) // 2, (heaviest - 1) // 2)
    hub, leaves = chain + 2, min(edges - 2 * chain, vertices - chain - 2)
    if chain < 2 or leaves < 1:
        return []
    drawn = [(at, at + 1, 1) for at in range(1, chain + 1)]
    drawn += [(at + 1, hub, 2 * (chain - at) + 1) for at in range(1, chain + 1)]
    drawn += [(hub, hub + 1 + leaf, 1) for leaf in range(leaves)]
    return _filled([*drawn, *((at, at + 1, heaviest) for at in range(hub + 1, vertices))], edges, heaviest)


def cliques(vertices: int, edges: int, heaviest: int) -> Sequence[tuple[int, int, int]]:
    """Return complete graphs side by side, as small as hold the edges: backtracking over sets of vertices is slow."""
    width = next((width for width in range(2, vertices + 1) if vertices // width * comb(width, 2) >= edges), 0)
    parts = [range(first, first + width) for first in range(1, vertices - width + 2, width)] if width else []
    return [(one, other, heaviest) for part in parts for one, other in combinations(part, 2)][:edges]


def hubs(vertices: int, edges: int, heaviest: int) -> Sequence[tuple[int, int, int]]:
    """Return a few vertices that are joined to all others: slow where all neighbours are visited for each edge."""
    most = next((most for most in range(1, vertices) if comb(vertices, 2) - comb(vertices - most, 2) >= edges), 0)
    joined = ((hub, other, heaviest) for hub in range(1, most + 1) for other in range(hub + 1, vertices + 1))
    return list(islice(joined, edges))


def two_sides(vertices: int, edges: int, heaviest: int) -> Sequence[tuple[int, int, int]]:
    """Return all edges between two sets of vertices, as small as hold them: much to match, and no odd cycle."""
    left = next((left for left in range(1, vertices // 2 + 1) if left * (vertices - left) >= edges), 0)
    right = -(-edges // left) if left else 0
    joined = ((one, other, heaviest) for one in range(1, left + 1) for other in range(left + 1, left + right + 1))
    return list(islice(joined, edges))


def _filled(drawn: list[tuple[int, int, int]], edges: int, heaviest: int) -> list[tuple[int, int, int]]:
    """Return exactly `edges` edges: the first ones, or all with the heaviest edge (1, 2) repeated."""
    return [*drawn, *[(1, 2, heaviest)] * (edges - len(drawn) if drawn else 0)][:edges]


_NUMBERS: dict[str, NumberKiller] = {
    "rising": rising,
    "falling": falling,
    "organ pipe": organ_pipe,
    "largest": largest,
    "all equal": all_equal,
    "overflow": overflow_pairs,
    "quicksort, middle pivot": middle_pivot,
    "quicksort, median of three": median_of_three,
    "unordered_map": partial(one_bucket, GROWTH),
    "unordered_map, distinct keys": distinct_in_one_bucket,
    "unordered_map, reserved": partial(one_bucket, RESERVED),
    "unordered_map, before GCC 6": partial(one_bucket, OLD_GROWTH),
    "square roots": square_roots,
    "beyond floats": beyond_floats,
}
EQUAL_TOO = "all equal, single numbers too"
_PAIRS = (*permutations(("rising", "all equal", "largest"), 2), ("rising", "falling"))
# Several are for the first list or column, the next, and so on.
NUMBERS: dict[str, tuple[NumberKiller, ...]] = {
    **{name: (make,) for name, make in _NUMBERS.items()},
    EQUAL_TOO: (all_equal,),
    **{f"{one}, then {other}": (_NUMBERS[one], _NUMBERS[other]) for one, other in _PAIRS},
}
WORDS: dict[str, WordKiller] = {
    "last letter differs": last_differs,
    "two letters in turn": two_in_turn,
    "two halves": two_halves,
    "hash modulo 2^64": thue_morse,
    **{f"hash {base} modulo {modulus}": partial(colliding, base, modulus) for base, modulus in HASHES},
}
GRAPHS: dict[str, GraphKiller] = {
    "long path": long_path,
    "late improvements": late_improvements,
    "cliques": cliques,
    "hubs": hubs,
    "two sides": two_sides,
}
NAMES = (*NUMBERS, *WORDS, *GRAPHS)
