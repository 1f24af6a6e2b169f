"""Inputs that no shape describes: made large from cases, with numbers in words raised, and made small again."""

import re
from collections.abc import Sequence
from itertools import islice

import pytest

from harness.host.run_many import OutOfTimeError
from harness.search.grow_texts import growing_cases, grown, grown_validly
from harness.search.learn_limits import raise_numbers
from harness.search.reduce_texts import shortened
from harness.search.vary_repeats import with_raised_limits

EDITS = b"5\ntype a\ntype b\nundo 1\nprint 1\nundo 2\n"


def edits_are_valid(text: bytes) -> bool:
    """n lines; undo goes back over earlier lines that changed something, print wants as many letters."""
    head, *lines = text.split(b"\n")[:-1] or [b""]
    depths = [0]
    for line in lines:
        word, _, number = line[:20].partition(b" ")
        if word == b"type" and re.fullmatch(b"[a-z]", number):
            depths.append(depths[-1] + 1)
        elif word == b"undo" and number.isdigit() and 0 < int(number) < len(depths):
            depths.append(depths[-1 - int(number)])
        elif not (word == b"print" and number.isdigit() and 0 < int(number) <= depths[-1]):
            return False
    return head == b"%d" % len(lines) and len(lines) <= 100_000


def test_growing_keeps_what_depends_on_all_lines_before() -> None:
    assert edits_are_valid(EDITS)
    large = [one.data or b"" for one in islice(grown([("sample/1", EDITS)], 1), 60)]
    longest = max(filter(edits_are_valid, large), key=len)
    assert longest.count(b"\n") > 2000
    assert [one.data for one in islice(grown([("sample/1", EDITS)], 1), 5)] == large[:5]


def test_words_grow_with_the_number_that_counts_their_letters() -> None:
    words = [(one.data or b"").split() for one in islice(grown([("sample/1", b"4 1\nabca\n")], 2), 60)]
    assert max(len(each[2]) for each in words if each[0] == b"%d" % len(each[2]) and len(each) == 3) >= 200
    words = [(one.data or b"").split() for one in islice(grown([("sample/1", b"7\nabca\n")], 2), 80)]
    assert max(len(each[1]) for each in words if each[0] == b"7" and len(each) == 2) >= 200


def test_names_and_numbers_that_must_differ_are_added() -> None:
    def longest(base: bytes, seed: int) -> int:
        """Return the most lines below the first of an input in which all of them differ and are counted."""
        lines = [(one.data or b"").split(b"\n")[:-1] for one in islice(grown([("sample/1", base)], seed), 30)]
        return max(len(each) - 1 for each in lines if each[0] == b"%d x" % (len(set(each)) - 1))

    assert longest(b"2 x\nAlice\nBob\n", 3) >= 200
    assert longest(b"2 x\n7\n11\n", 3) >= 200


def test_a_proof_grows_by_copies_with_names_of_their_own() -> None:
    """Each line's words before `->` must stand after `->` in a line before it, and no word has more than 5 letters."""
    base = b"3\n-> ALICE\n-> BOB\nALICE BOB -> CARL\n"

    def proven(text: bytes) -> set[bytes]:
        """Return what the lines prove; nothing if a line is not right, or the count is wrong."""
        known: set[bytes] = set()
        head, *lines = text.splitlines()
        for line in lines:
            given, _, told = line.partition(b"-> ")
            if not set(given.split()) <= known or not re.fullmatch(b"[A-Z]{1,5}", told):
                return set()
            known.add(told)
        return known if head == b"%d" % len(lines) else set()

    assert proven(base) == {b"ALICE", b"BOB", b"CARL"}
    large = [one.data or b"" for one in islice(grown([("sample/1", base)], 1), 100)]
    assert max(len(proven(text)) for text in large) > 2000


def are_apart(text: bytes) -> bool:
    """n rectangles of which no two touch; False, too, where very many lie side by side."""
    if max(map(len, text.split())) > 18:
        return False
    head, *rows = [[int(number) for number in line.split()] for line in text.splitlines()]
    if head != [len(rows)] or any(len(row) != 4 for row in rows):
        return False
    near: list[list[int]] = []
    for left, low, right, high in sorted(rows):
        near = [box for box in near if box[2] >= left]
        if (
            len(near) > 100
            or left >= right
            or low >= high
            or any(box[1] <= high and low <= box[3] for box in near)
        ):
            return False
        near.append([left, low, right, high])
    return True


def test_copies_of_rectangles_stay_apart() -> None:
    base = b"3\n0 0 2 3\n3 1 5 3\n0 4 2 6\n"
    assert are_apart(base)
    large = (one.data or b"" for seed in range(20) for one in islice(grown([("sample/1", base)], seed), 60))
    assert any(one.count(b"\n") > 2000 and are_apart(one) for one in large)


def is_lottery(text: bytes) -> bool:
    """`w h q` and q lines `y a b`, between neighbours; a line again takes it away; at most one line at each y."""
    head, *rows = [[int(number) for number in line.split()] for line in text.splitlines()]
    if len(head) != 3 or head[2] != len(rows) or any(len(row) != 3 for row in rows):
        return False
    at: dict[int, set[int]] = {}
    for y, left, right in rows:
        inside = 1 <= y <= head[1] and 1 <= min(left, right) < max(left, right) <= head[0]
        if not inside or abs(left - right) != 1 or at.get(y, {left, right}) != {left, right}:
            return False
        at.pop(y) if y in at else at.update({y: {left, right}})
    return True


LOTTERY = b"4 6 7\n1 1 2\n2 3 4\n4 3 4\n5 1 2\n6 3 4\n3 2 3\n6 3 4\n"


def test_a_limit_in_the_first_line_rises_with_the_numbers_of_its_column() -> None:
    """Only so do many lines stand at once; a growth that is valid when short is valid when long."""
    assert is_lottery(LOTTERY)
    short = [(growth, growth.at(40) or b"0") for growth in islice(growing_cases([("sample/1", LOTTERY)], 1), 3000)]
    rising = [growth for growth, text in short if is_lottery(text) and heights(text) > 20]
    assert rising
    assert all(is_lottery(growth.at(2000) or b"0") and heights(growth.at(2000) or b"") > 900 for growth in rising)


def heights(text: bytes) -> int:
    return len({line.split()[0] for line in text.splitlines()[1:]})


def test_graphs_grow_by_disjoint_copies() -> None:
    def is_graph(text: bytes) -> bool:
        head, *edges = [[int(number) for number in line.split()] for line in text.splitlines()]
        wide = all(len(line) == 2 for line in (head, *edges))
        in_order = wide and all(1 <= first < second <= head[0] for first, second in edges)
        return in_order and head[1] == len(edges) == len({tuple(edge) for edge in edges})

    base = b"4 4\n1 2\n1 3\n2 3\n2 4\n"
    short = [
        growth for growth in islice(growing_cases([("sample/1", base)], 2), 400) if is_graph(growth.at(40) or b"0")
    ]
    long = [growth.at(1000) or b"0" for growth in short]
    assert len(long) > 3
    assert sum(map(is_graph, long)) >= 0.9 * len(long)


def test_only_ways_that_are_valid_when_short_are_made_long() -> None:
    rounds: list[Sequence[bytes]] = []
    accepted: set[bytes] = set()

    def valid(texts: Sequence[bytes]) -> list[bool]:
        if len(rounds) == 20:
            raise OutOfTimeError
        rounds.append(texts)
        accepted.update(filter(edits_are_valid, texts))
        return list(map(edits_are_valid, texts))

    tried = list(grown_validly([("sample/1", EDITS)], 1, valid))
    made = [one for one in tried if one is not None]
    assert made and all(one.at_size is not None and one.at_size(40) in accepted for one in made)
    assert any(edits_are_valid(one.data or b"") and len(one.data or b"") > 100_000 for one in made)
    assert len(rounds[0]) < max(map(len, rounds)) and len(accepted) < sum(map(len, rounds)) / 2


def test_none_says_that_no_way_of_many_is_valid() -> None:
    asked = grown_validly([("sample/1", EDITS)], 1, lambda texts: [False] * len(texts))
    assert [next(asked), next(asked)] == [None, None]


def test_long_cases_grow_too() -> None:
    base = b"60\n" + b"1 2\n" * 60
    some = [
        growth
        for growth in islice(growing_cases([("sample/1", base)], 1), 60)
        if counts_lines(growth.short or b"0")
    ]
    assert any(counts_lines(growth.at(2000) or b"0") for growth in some)
    assert all((growth.short or b"").count(b"\n") < 200 for growth in some)


def counts_lines(text: bytes) -> bool:
    head, *rows = text.splitlines()
    return head == b"%d" % len(rows) and len(rows) > 60 and all(len(row.split()) == 2 for row in rows)


@pytest.mark.parametrize(
    ("old", "new", "raised"),
    [
        (b"4 6 7", b"4 6 40", b"4 39 40"),  # the limit of the first column, the count of the lines
        (b"3 3 3", b"3 3 40", b"36 36 40"),  # equal numbers: one counts, the others are limits
        (b"2 100", b"2 100", b"2 100"),  # too small, and large enough
    ],
)
def test_numbers_that_do_not_count_rise_as_limits(old: bytes, new: bytes, raised: bytes) -> None:
    before = [b"1 1\n", b"3 2\n"] if old != b"4 6 7" else [b"1 1\n", b"5 2\n"]
    after = [*before, b"%d 2\n" % (36 if old != b"4 6 7" else 38)]
    assert with_raised_limits(old, new, before, after) == raised


def test_numbers_in_words_are_raised_as_far_as_they_are_valid() -> None:
    def valid(inputs: Sequence[bytes]) -> list[bool]:
        rule = re.compile(rb"(?:[a-z]\d{1,6})+\n1\n\d{1,9}\n")
        return [rule.fullmatch(one) is not None for one in inputs]

    found = raise_numbers([("sample/1", b"a3b12\n1\n7\n"), ("sample/2", b"none\n")], valid)
    assert found == [
        ("sample/1, raised", b"a200000b200000\n1\n7\n"),
        ("sample/1, raised", b"a200000b200000\n1\n100000000\n"),
    ]


def test_primes_become_larger_primes() -> None:
    def valid(inputs: Sequence[bytes]) -> list[bool]:
        numbers = [[int(number) for number in each.split()] for each in inputs]
        return [
            len(set(each)) == len(each) and all(0 < number <= 10**6 and is_prime(number) for number in each)
            for each in numbers
        ]

    def is_prime(number: int) -> bool:
        return number > 1 and all(number % factor for factor in range(2, int(number**0.5) + 1))

    found = raise_numbers([("sample/1", b"5 7 2\n")], valid)
    assert found == [("sample/1, raised", b"999983 999979 999961\n")]


def test_what_was_raised_when_the_time_was_over_stands() -> None:
    asked = 0

    def valid(inputs: Sequence[bytes]) -> list[bool]:
        nonlocal asked
        asked += 1
        if asked > 1:
            raise OutOfTimeError
        return [True] * len(inputs)

    assert raise_numbers([("sample/1", b"3\n7\n")], valid) == [("sample/1, raised", b"1000000000000000000\n7\n")]


def test_a_long_text_becomes_short_while_its_lines_depend_on_each_other() -> None:
    asked = 0

    def failing(texts: Sequence[bytes]) -> list[bool]:
        nonlocal asked
        asked += len(texts)
        return [edits_are_valid(one) and one.count(b"type") >= 20 and b"undo 7" in one for one in texts]

    lines = [b"type a", b"type b", b"undo 1", b"print 1", b"type c", b"type d"] * 1000 + [b"undo 7"]
    text = b"%d\n" % len(lines) + b"\n".join(lines) + b"\n"
    short = shortened(text, failing)
    assert failing([short]) == [True]
    assert short.count(b"\n") == 22
    assert asked < 2000


def test_long_words_and_numbers_become_short_too() -> None:
    def failing(texts: Sequence[bytes]) -> list[bool]:
        parts = [one.split() for one in texts]
        return [
            len(each) > 3 and each[0] == b"%d" % len(each[1]) and each[1].count(b"7") >= 3 and int(each[2]) >= 50
            for each in parts
        ]

    def counted(texts: Sequence[bytes]) -> list[bool]:
        return failing([b"%d %s" % (len(one.split()[0]), one) if one.split() else b"" for one in texts])

    assert shortened(b"127" * 20_000 + b" 999 5 4 3 2 1\n", counted).split() == [b"777", b"50", b"0"]
