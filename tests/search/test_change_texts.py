"""Changes that know no shape: counts go with what they count, and lines stay of the kinds that were seen."""

from collections import deque
from collections.abc import Callable, Sequence
from itertools import islice, pairwise

import pytest

from harness.search.candidates import TriedCandidate
from harness.search.change_texts import mutations
from harness.search.reduce_texts import shortened

COMMANDS = b"4\nadd 5\nadd 3\nsize\npop\n"
CASES = b"2\n3\n1 2 3\n1\n7\n"


def counted(text: bytes) -> bool:
    head, _, rest = text.partition(b"\n")
    return head.isdigit() and int(head) == rest.count(b"\n")


def listed(text: bytes) -> bool:
    """T, and T times a count and so many numbers."""
    lines = text.split(b"\n")[:-1]
    sizes, rows = lines[1::2], lines[2::2]
    if not lines or not all(one.isdigit() for one in [lines[0], *sizes]):
        return False
    return int(lines[0]) == len(rows) == len(sizes) and list(map(int, sizes)) == [len(row.split()) for row in rows]


def is_walk(text: bytes) -> bool:
    """A count, and so many numbers from 0 on, of which two neighbours differ by at most one."""
    words = text.split()
    if not words or not all(word.isdigit() for word in words):
        return False
    count, *steps = map(int, words)
    return count == len(steps) > 0 == steps[0] and all(abs(one - other) <= 1 for one, other in pairwise(steps))


def test_changes_of_changed_cases_reach_many_more_valid_inputs() -> None:
    passed: deque[TriedCandidate] = deque(maxlen=64)
    cases, reached = [("walk", b"3\n0 0 1\n")], set[bytes]()
    alone = {one.data for one in islice(mutations(cases, 0), 5000) if is_walk(one.data or b"")}
    for one in islice(mutations(cases, 0, passed=passed), 5000):
        if one.data is not None and one.data not in reached and is_walk(one.data):
            reached.add(one.data)
            passed.append(TriedCandidate(candidate=one, data=one.data))
    assert len(reached) >= 3 * len(alone)


@pytest.mark.parametrize(("text", "valid"), [(COMMANDS, counted), (CASES, listed)])
def test_many_changed_cases_still_count_what_follows(text: bytes, valid: Callable[[bytes], bool]) -> None:
    changed = {one.data or b"" for one in islice(mutations([("sample/1", text)], 7), 400)} - {text}
    good = list(filter(valid, changed))
    assert len(good) > len(changed) // 8
    assert {len(one.split()) - len(text.split()) for one in good} - {0}


def simpler_texts(text: bytes) -> set[bytes]:
    asked: set[bytes] = set()

    def none_fails(texts: Sequence[bytes]) -> list[bool]:
        asked.update(texts)
        return [False] * len(texts)

    assert shortened(text, none_fails) == text
    return asked


def test_a_line_and_its_count_are_dropped_together() -> None:
    assert b"3\nadd 5\nsize\npop\n" in simpler_texts(COMMANDS)


def test_a_token_and_its_count_are_dropped_together() -> None:
    assert b"2\n2\n1 3\n1\n7\n" in simpler_texts(CASES)


def test_same_seed_same_changes() -> None:
    one, other = ([each.data for each in islice(mutations([("a", CASES)], 3), 50)] for _ in range(2))
    assert one == other


def test_a_word_is_renamed_everywhere_and_decimals_lose_places() -> None:
    texts = simpler_texts(b"2\nlong x long\n1.250\n")
    assert {b"2\na x a\n1.250\n", b"2\nlong x long\n1\n", b"2\nlong x long\n1.2\n"} <= texts
