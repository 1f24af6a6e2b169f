"""Programs of strangers over small problems of their own: found from a one-line shape, and made small."""

import json
from pathlib import Path

import pytest

from command_line import invoke

HERE = Path(__file__).parent / "strangers"
OURS = ("slow.py", "gen.py")
FAST = {"quicksort/as_strings.py": 8}
# What exhaustive search says is the least, or what can be shown by hand.
LEAST_BYTES = {
    **FAST,
    "dijkstra/both_ways.cpp": 10,
    "dijkstra/infinity_too_small.cpp": 19,
    "firstreach/high_too_low.cpp": 8,
    "firstreach/never_ends.cpp": 8,
    "gridpath/rows_first.cpp": 8,
    "gridpath/run_goes_on.py": 8,
    "increasing/not_strict.cpp": 6,
    "intervals/end_before_begin.cpp": 6,
    "isqrt/double_sqrt.cpp": 17,
    "knapsack/item_twice.cpp": 8,
    "letters/additive_key.cpp": 8,
    "letters/no_z.cpp": 4,
    "manycases/set_not_cleared.cpp": 10,
    "manycases/uninitialised_best.cpp": 7,
    "modular/negative_rest.cpp": 6,
    "palindrome/odd_only.cpp": 3,
    "polygon/not_closed.cpp": 14,
    "positivemean/divides_by_zero.cpp": 3,
    "quicksort/no_space_between.cpp": 8,
    "segments/collinear_touch.cpp": 16,
    "treedepth/parent_comes_first.cpp": 10,
}
BUGS = sorted(LEAST_BYTES)


@pytest.mark.parametrize("bug", [pytest.param(one, marks=() if one in FAST else pytest.mark.slow) for one in BUGS])
def test_a_program_of_a_stranger_is_broken_by_an_input_close_to_the_smallest(bug: str) -> None:
    path = HERE / bug
    words = ("--brute", path.parent / "slow.py", "--json", "-", "--time", "100")
    result = invoke("stress", path, *words, "--shape", path.parent / "shape.txt")
    assert result.return_value == 1
    found = json.loads(result.stdout.splitlines()[-1])["found"]
    assert found["confirmed"]
    assert found["input_bytes"] <= 1.25 * LEAST_BYTES[bug]


def test_the_collection_holds_forty_programs_over_twenty_problems() -> None:
    bugs = [one for end in ("cpp", "py") for one in HERE.glob(f"*/*.{end}") if one.name not in OURS]
    assert len(bugs) >= 40
    assert len({one.parent for one in bugs}) >= 20
    assert all((HERE / bug).is_file() for bug in LEAST_BYTES)
