"""All tuned numbers of likeness to samples, as those of a search in harness.search.policy."""

from bisect import bisect_right
from collections.abc import Mapping
from types import MappingProxyType

from harness.values import dataclass

# How often, in percent, what holds in all samples of a problem holds in all its other tests, too: after 1, 2, 3, 4,
# 5 to 7, and 8 or more comparisons. From `bench/world/relations.py` (Codeflaws), smoothed: the shares never fall.
RULES: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {
        "above": (15, 17, 27, 32, 32, 32),
        "apart": (40, 60, 70, 80, 90, 90),  # not measured: few problems of Codeflaws have such words
        "as_long": (71, 71, 86, 86, 86, 86),
        "at_least": (24, 29, 33, 39, 39, 39),
        "at_most": (20, 20, 24, 24, 56, 56),
        "below": (10, 10, 14, 18, 33, 33),
        "beyond": (13, 19, 27, 36, 36, 36),
        "changing": (27, 27, 29, 29, 36, 38),
        "counts_letters": (4, 20, 20, 20, 20, 20),
        "counts_values": (28, 51, 60, 66, 66, 66),
        "different": (29, 29, 30, 35, 61, 72),
        "digits": (15, 17, 22, 25, 25, 34),
        "distinct": (33, 33, 39, 39, 61, 64),
        "first": (47, 63, 71, 91, 94, 94),
        "high": (6, 7, 11, 14, 14, 20),
        "in_order": (13, 21, 22, 26, 26, 36),
        "last": (43, 53, 55, 83, 94, 94),
        "letters": (19, 36, 38, 40, 40, 48),
        "low": (20, 32, 50, 58, 63, 75),
        "more_digits": (70, 70, 71, 71, 71, 71),
        "most": (33, 44, 58, 67, 67, 67),
        "neighbours": (2, 3, 3, 18, 18, 18),
        "none_of": (18, 23, 27, 30, 30, 30),
        "not_all_equal": (45, 45, 45, 45, 52, 53),
        "one_of": (40, 40, 41, 57, 94, 94),
        "parity": (0, 4, 6, 6, 6, 6),
        "rising": (7, 12, 12, 18, 30, 40),
        "same": (3, 5, 7, 14, 14, 33),
        "sum": (31, 48, 60, 80, 80, 80),
    }
)


RELATION_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "above": "one number is larger than another one",
        "apart": "no sign of a word is beside another one, or at an end",
        "as_long": "two words are of the same length",
        "at_least": "one number is at least another one",
        "at_most": "one number is at most another one",
        "below": "one number is smaller than another one",
        "beyond": "a number is larger than all items of a list",
        "changing": "neighbours in a list differ",
        "counts_letters": "a number counts the different letters of words",
        "counts_values": "a number counts the different items of a list",
        "different": "two values differ",
        "digits": "no number has more digits than here",
        "distinct": "the items of a list differ",
        "first": "a value is the first item of a list",
        "high": "no number is as large as here",
        "in_order": "a list is sorted",
        "last": "a value is the last item of a list",
        "letters": "words have no such letters",
        "low": "no number is as small as here",
        "more_digits": "no number is as long as here",
        "most": "a number is at least all items of a list",
        "neighbours": "two numbers differ by one",
        "none_of": "a value is no item of a list",
        "not_all_equal": "not all items of a list are equal",
        "one_of": "a value is an item of a list",
        "parity": "numbers are all even, or all odd",
        "rising": "the numbers of a list rise",
        "same": "two values are equal",
        "sum": "a number is the sum of a list",
    }
)


@dataclass(frozen=True, kw_only=True)
class _Likeness:
    """Failing inputs that are more like the samples."""

    comparisons: tuple[int, ...] = (1, 2, 3, 4, 5, 8)  # the least number for each column of RULES

    # What is compared
    compared_bytes: int = 2000  # in a larger input no relations are looked for
    most_faults: int = 400  # beyond that the chance that an input is valid hardly falls further
    compared: int = 12  # first words of a record that are compared with one another and with lists
    few_items: int = 4  # the items of a list up to this length are compared as words are
    many_digits: int = 2  # digits by which a number is longer than those of the samples, for `more_digits`

    # Inputs that are no larger
    most_words: int = 100  # an input with more words is not changed
    most_bytes: int = 400  # an input with more bytes is not changed
    draws: int = 200  # random inputs with the same counts, and as many with others
    changes: int = 500  # copies in which a few words are replaced
    words_at_once: tuple[int, ...] = (1, 1, 2, 2, 3)  # words that are replaced in a copy: one of these, at random
    rows: int = 12  # first rows of which any two are exchanged
    shifts: tuple[int, ...] = (-5, -2, -1, 1, 2, 5)  # to add to all numbers of a row, or of a column
    renamed: int = 100  # words, and letters, that are replaced everywhere

    # An input that is made from a failing sample takes its place if it is about a third as long, since of made inputs
    # that break nothing about three in four are valid.
    made: int = 110  # faults of an input that is no sample

    # How long a search goes on for a likelier input
    few_faults: int = 140  # faults up to which that is not worth it
    likelier_s: float = 1.5  # further search for an input that is more like the samples

    at_once: int = 4  # changed inputs that are run at once: on many the programs never end


LIKENESS = _Likeness()


def column_of(times: int) -> int:
    """Return the column of RULES for a number of comparisons."""
    return bisect_right(LIKENESS.comparisons, times) - 1
