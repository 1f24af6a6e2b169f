"""A find keeps to what the samples show: lower limits, different numbers, no loops."""

from pathlib import Path

import pytest
from click.testing import Result

from command_line import invoke
from harness.search.change_texts import Literals, mutations
from harness.search.policy import SAMPLE_RULES
from harness.search.sample_rules import as_samples_show, as_wide_as
from harness.search.sources import mixture
from harness.search.target import SearchTarget, guessed_shape
from harness.shapes import Shape, draw, read_shape
from harness.shapes.limits import spans
from harness.shapes.values import broken_rule
from search import package, target

SAMPLES = [b"4 6\n9 5 7 6\n", b"5 8\n12 31 5 20 17\n"]


def shown(text: str, samples: list[bytes]) -> Shape:
    shape = as_samples_show(read_shape(text), samples)
    assert shape is not None
    return shape


def lows(shape: Shape) -> list[int | None]:
    return [span.low for span in spans(shape)]


def test_a_least_number_of_the_samples_is_a_lower_limit_but_mostly_chance_from_4_to_99() -> None:
    assert lows(shown("n: 1..10 k: 1..10; n * (1..100)", [b"2 6\n9 5\n", b"5 8\n12 31 5 20 17\n"])) == [2, 3, 3]
    assert lows(shown("n: 1..10^4", [b"1900\n", b"2000\n"])) == [1900]


def test_numbers_that_are_different_in_all_samples_stay_different() -> None:
    samples = [b"7 6\n9 8 7 6 5 14 12\n", b"6 8\n12 11 5 10 7 6\n"]
    shape = shown("n: 1..10 k: 1..10; n * (1..15)", samples)
    assert "different numbers" in broken_rule(shape, b"6 6\n5 5 6 7 8 9\n")
    assert not broken_rule(shape, b"6 6\n7 5 6 8 9 10\n")


@pytest.mark.parametrize(
    ("text", "samples", "broken", "kept"),
    [
        (
            "n: 1..9; n times { (1..99) (1..99) }",
            [b"3\n1 5\n7 5\n1 9\n"],
            b"3\n1 5\n4 4\n1 5\n",
            b"3\n1 5\n4 4\n1 6\n",
        ),
        (
            "n: 1..9 m: 1..9; graph(n, m, weight=0.0..1.0)",
            [b"3 4\n1 2 0.2\n1 2 0.5\n2 3 0.1\n3 1 0.4\n"],
            b"3 4\n1 2 0.1\n1 2 0.1\n2 2 0.1\n1 2 0.1\n",
            b"3 4\n1 2 0.1\n1 2 0.1\n2 1 0.1\n1 2 0.1\n",
        ),
    ],
)
def test_what_no_sample_repeats_is_not_repeated(
    text: str, samples: list[bytes], broken: bytes, kept: bytes
) -> None:
    shape = shown(text, samples)
    assert broken_rule(shape, broken)
    assert not broken_rule(shape, kept)


def test_numbers_that_stay_below_an_earlier_one_in_all_samples_do_so() -> None:
    rows = b"1\n4\n2\n3\n1\n2\n4\n3\n2\n1\n" * 10
    shape = shown("n: 1..9; 100 times { x: 1..n }", [b"5\n" + rows])
    assert broken_rule(shape, b"5\n" + rows.replace(b"4", b"5"))
    assert not broken_rule(shape, b"5\n" + rows)


@pytest.mark.parametrize("text", ["n: 1..9; n * (1..99)", "n: 1..9; n times { x: 1..99 }"])
def test_single_numbers_that_are_different_may_be_so_by_chance(text: str) -> None:
    separator = b"\n" if "times" in text else b" "
    shape = shown(text, [b"4\n" + separator.join([b"7", b"1", b"5", b"9"]) + b"\n"])
    assert not broken_rule(shape, b"4\n" + separator.join([b"7", b"1", b"7", b"9"]) + b"\n")


def test_numbers_that_differ_in_samples_of_two_are_no_rule() -> None:
    shape = shown("n: 1..10; n * (1..10)", [b"2\n3 5\n", b"2\n4 7\n"])
    assert not broken_rule(shape, b"2\n7 7\n")


def test_few_letters_that_come_often_are_the_whole_alphabet() -> None:
    wide = read_shape("string(1..100, A..Z)")
    few = as_wide_as(shown("string(1..20, A..Z)", [b"UDLRU\n", b"LLRDDUR\n"]), wide)
    assert broken_rule(few, b"UXL\n")
    assert not broken_rule(few, b"UDLR" * 10 + b"\n")
    many = as_wide_as(shown("string(1..20, A..Z)", [b"UDL\n", b"RXY\n"]), wide)
    assert not broken_rule(many, b"UZA\n")


def test_up_to_eight_letters_are_the_whole_alphabet_if_that_is_hardly_chance() -> None:
    wide = read_shape("string(1..100, A..Z)")
    mirrored = as_wide_as(shown("string(1..20, A..Z)", [b"BAVIABHIHAVB\n", b"BHVBABHVIBHABVV\n"]), wide)
    assert broken_rule(mirrored, b"BXB\n")
    assert not broken_rule(mirrored, b"BHV" * 10 + b"\n")
    short = as_wide_as(shown("string(1..20, A..Z)", [b"BAVIH\n", b"VIBA\n"]), wide)
    assert not broken_rule(short, b"BXB\n")


def test_words_that_are_different_in_all_samples_are_no_repeated_words() -> None:
    shape = shown("n: 1..9; n times { string(1..9, a..z) }", [b"4\nanna\npetra\nanja\njan\n"])
    assert broken_rule(shape, b"3\nab\nab\nc\n")


def test_a_wider_shape_keeps_the_rules() -> None:
    shape = as_wide_as(read_shape("n: 1..10 m: 1..n"), read_shape("n: 1..10^9 m: 1..10^9"))
    assert broken_rule(shape, b"6 7\n")
    assert not broken_rule(shape, b"1000000 7\n")


def test_a_large_power_of_ten_that_a_sample_reaches_is_the_limit() -> None:
    wide = read_shape("x: -10^9..10^9")
    reached = as_wide_as(read_shape("x: -10^5..10^5"), wide, [b"100000\n", b"3\n"])
    assert broken_rule(reached, b"100001\n")
    for text, samples in (("x: -10^5..10^5", [b"99999\n"]), ("x: 1..1000", [b"1000\n"]), ("x: 1..10^5", [])):
        assert not broken_rule(as_wide_as(read_shape(text), wide, samples), b"100001\n")


def test_a_limit_with_decimals_is_no_large_power_of_ten() -> None:
    shape = as_wide_as(read_shape("x: 0.0000..1.0000"), read_shape("x: 0.0000..9.0000"), [b"1.0000\n"])
    assert not broken_rule(shape, b"2.0000\n")


@pytest.mark.parametrize("text", ["n: 1..9; n * (1..999)", "n: 1..9; n times { 1..999 }"])
def test_sorted_numbers_without_repeats_have_none(text: str) -> None:
    rows = (b"1 4 7 200 900", b"3 5 6 8 17")
    samples = [b"5\n" + (row if "*" in text else row.replace(b" ", b"\n")) + b"\n" for row in rows]
    assert broken_rule(shown(text, samples), samples[0].replace(b"7", b"4"))


def test_rows_may_be_in_the_order_of_their_first_numbers_though_others_count() -> None:
    text = "n: 1..9; n times { day: 1..99 k: 1..9 k * (1..9) }"
    shape = shown(text, [b"4\n2 1 5\n4 2 3 4\n6 1 2\n9 1 7\n", b"3\n1 2 3 3\n5 1 1\n7 1 2\n"])
    assert broken_rule(shape, b"3\n5 1 1\n3 1 1\n7 1 2\n")


def test_test_cases_need_no_order_by_their_sizes() -> None:
    shape = shown(
        "T: 1..99; T times { n: 1..99; n * (1..9) }", [b"5\n1\n1\n2\n1 4\n3\n2 1 5\n4\n1 1 1 2\n5\n1 2 3 1 5\n"]
    )
    assert not broken_rule(shape, b"3\n2\n1 4\n1\n1\n1\n4\n")


def test_without_a_sample_of_the_shape_there_is_no_rule() -> None:
    assert as_samples_show(read_shape("n: 1..10"), [b"x\n"]) is None


def test_a_sample_without_a_line_end_counts() -> None:
    assert lows(shown("n: 1..10", [b"2"])) == [2]


def guessed(text: str, *samples: bytes) -> SearchTarget:
    return target(text, samples=samples, guessed=True, sample_shape=as_samples_show(read_shape(text), samples))


def test_inputs_like_the_samples_come_first_and_others_later() -> None:
    bare = guessed("n: 1..10; n * (1..10)", b"3\n1 2 3\n", b"4\n3 1 7 2\n")
    taken = [candidate.data or b"" for candidate in mixture(bare, 1).take(2000)]
    assert all(map(bare.is_as_samples, taken[:50]))
    assert b"1\n1\n" in taken
    assert not bare.is_as_samples(b"1\n1\n")
    assert all(bare.is_as_samples(one.data or b"") for one in mixture(bare, 1).like_samples().take(2000))


def search(folder: Path, mine: str, *, samples: list[str], brutes: list[str], seconds: str = "20") -> Result:
    (folder / "test").mkdir()
    for number, text in enumerate(samples, start=1):
        (folder / "test" / f"{number}.in").write_text(text)
    (folder / "my.py").write_text(mine)
    words: list[str | Path] = []
    for number, text in enumerate(brutes):
        (folder / f"right{number}.py").write_text(text)
        words += ["--brute", folder / f"right{number}.py"]
    return invoke("stress", folder / "my.py", "--time", seconds, *words)


RIGHT = "n = int(input())\nprint(sum(map(int, input().split())))\n"


def test_a_find_as_the_samples_come_first_and_a_smaller_one_names_its_rule(tmp_path: Path) -> None:
    wrong = RIGHT.replace(
        "print(sum(map(int, input().split())))",
        "x = input().split()\nprint(len(x) if n not in (4, 6) else sum(map(int, x)))",
    )
    result = search(tmp_path, wrong, samples=["4\n1 1 9 2\n", "6\n1 2 1 4 8 8\n"], brutes=[RIGHT])
    assert result.return_value == 1, result.output
    lines = result.output.splitlines()
    start = next(row for row, line in enumerate(lines) if line.startswith("input ("))
    assert 3 <= int(lines[start + 1]) <= 6
    assert start < next(row for row, line in enumerate(lines) if line.startswith("smaller, but no sample"))
    assert any("expected 3 or more" in line for line in lines)


@pytest.mark.parametrize(
    ("count", "end", "stays"), [(4, "\n", True), (60, "\n", False), (4, " \n", True), (4, "\r\n", True)]
)
def test_a_failing_sample_stays_the_find_unless_one_made_from_it_is_much_smaller(
    count: int, end: str, stays: bool, tmp_path: Path
) -> None:
    samples = [f"{number}{end}{' '.join('12' * number)}{end}" for number in (count, count + 1)]
    result = search(tmp_path, RIGHT.replace("print(", "print(1 + "), samples=samples, brutes=[RIGHT])
    lines = result.output.splitlines()
    start = next(row for row, line in enumerate(lines) if line.startswith("input ("))
    assert (int(lines[start + 1].removesuffix("\\r")) == count) is stays, result.output
    assert ("your program fails on sample/1 itself" in result.output) or not stays
    assert ("the input is a sample as it is; --input makes it smaller" in result.output) is stays
    assert "smaller, but no sample is like it: " in result.output


def test_two_right_programs_that_differ_are_a_finding(tmp_path: Path) -> None:
    right = "print(2 * int(input()))\n"
    other = "n = int(input())\nprint(2 * n if n != 7 else 15)\n"
    result = search(tmp_path, right, samples=["3\n", "9\n"], brutes=[other, right], seconds="3")
    assert result.return_value == 2, result.output
    assert "your program may be right" in result.output
    assert "    7\n" in result.output


def test_upper_and_lower_case_differ_without_a_package(tmp_path: Path) -> None:
    right = "print('Yes' if int(input()) % 2 else 'No')\n"
    assert search(tmp_path, right.replace("No", "no"), samples=["3\n"], brutes=[right]).return_value == 1


def test_a_search_without_a_shape_goes_on_with_changed_samples(tmp_path: Path) -> None:
    right = "import sys\nprint(sys.stdin.read().count('b'))\n"
    wrong = right.replace(".count('b')", ".partition('b b')[0].count('b')")
    result = search(tmp_path, wrong, samples=['"a b" 5  6, "7" 7 8\n', "1  2 c\n\n3 4 b!\n"], brutes=[right])
    assert result.return_value == 1, result.output
    assert "not made smaller" in result.output


def test_literals_are_read_from_the_sources_of_programs() -> None:
    text = b'#include "x.h"\nif (s == "bear" || c == 43 || c == \'#\') printf("%d\\n", 1000);\n'
    literals = Literals.of([text])
    assert set(literals.words) == {b"bear", b"+", b"#"}
    assert literals.numbers == (43, 1000)
    powers = b"if n < 2**31 or n == 10 ^ 9 or n in (1 << 20, 1e5, 1_000, 10**40): pass"
    assert literals.of([powers]).numbers == (1000, 10**5, 1 << 20, 10**9, 2**31)


def test_words_of_the_programs_are_put_into_samples() -> None:
    changed = mutations([("1", b"4\nabcd\n")], 1, literals=Literals(words=(b"bear",)))
    texts = [next(changed).data or b"" for _ in range(3000)]
    assert b"8\nabbearcd\n" in texts or any(text.startswith(b"8\n") and b"bear" in text for text in texts)


def test_all_numbers_of_a_line_come_near_a_number_of_the_programs() -> None:
    changed = mutations([("1", b"4\n4 1 3 2\n")], 1, literals=Literals(numbers=(3, 1001)))
    texts = {next(changed).data for _ in range(100_000)}
    assert {b"4\n1000 997 999 998\n", b"4\n4 1 -1001 2\n"} <= texts


def test_a_source_of_copies_that_never_fit_ends() -> None:
    assert list(mutations([("1", b"4\n")], 1, fits=lambda _: False)) == []


def test_rules_are_seen_though_few_draws_have_as_many_words_as_a_sample() -> None:
    text = "n: 1..10; n * (1..10); m: 1..10; m times { k: 1..n }"
    shape = shown(text, [b"5\n1 2 3 5 7\n3\n1\n2\n4\n", b"5\n1 2 3 5 7\n4\n1\n1\n1\n1\n"])
    assert broken_rule(shape, b"3\n9 2 5\n3\n1\n1\n1\n")
    assert not broken_rule(shape, b"3\n2 5 9\n3\n1\n1\n1\n")


RANGES = (b"3 2\n1 2 3\n1 3\n2 2\n", b"4 2\n5 5 100 2\n1 4\n2 3\n")


def broken_firm_rule(data: bytes, *samples: bytes) -> str:
    shape = guessed_shape(package(samples=samples), ())
    assert shape is not None
    return guessed(shape.text, *samples).broken_firm_rule(data)


@pytest.mark.parametrize(
    "data",
    [
        b"1 1\n7\n1 1\n",  # a smaller count than any sample has
        b"3 1\n1000000000 0 1000000000\n1 3\n",  # larger numbers, and none of the words repeat a sample
        b"2 2\n9 9\n1 2\n1 2\n",  # equal rows
    ],
)
def test_a_rule_that_samples_may_keep_by_chance_makes_no_input_implausible(data: bytes) -> None:
    assert not broken_firm_rule(data, *RANGES)
    assert all(not broken_firm_rule(sample, *RANGES) for sample in RANGES)


@pytest.mark.parametrize(
    "data",
    [b"2 1\n5 5\n1 3\n", b"2 1\n5 5\n0 1\n", b"2 1\n5 5\n2 1\n", b"2 1\n-5 5\n1 2\n", b"1 1\n5000000000\n1 1\n"],
)
def test_an_index_out_of_its_range_a_negative_number_and_a_huge_one_are_implausible(data: bytes) -> None:
    assert broken_firm_rule(data, *RANGES)


def test_no_count_begins_an_input_with_0_if_none_does_in_the_samples() -> None:
    assert broken_firm_rule(b"0 3\n", b"2 3\n1 2 3\n4 5 6\n", b"1 2\n7 8\n")
    assert broken_firm_rule(b"0\n", b"2\n3\n1 2 3\n1\n5\n", b"1\n2\n4 4\n")
    assert not broken_firm_rule(b"0\n", b"2\n3\n1 2 3\n1\n5\n", b"0\n")


def test_a_permutation_of_one_sample_may_be_chance_but_not_a_query_outside_of_it() -> None:
    [sample, _] = RANGES
    assert not broken_firm_rule(b"3 1\n900000000 1 1\n1 3\n", sample)
    assert broken_firm_rule(b"3 1\n1 2 3\n1 4\n", sample)


def test_that_a_number_limits_others_is_chance_in_small_samples() -> None:
    small = (b"3\n2\n2\n1\n", b"4\n1\n2\n3\n4\n")
    large = (b"9\n" + b"7\n" * 8 + b"9\n", b"12\n" + b"3\n10\n" * 6)
    assert not broken_firm_rule(b"3\n10\n10\n6\n", *small)
    assert broken_firm_rule(b"3\n10\n10\n6\n", *large)


@pytest.mark.parametrize(
    "samples",
    [
        (b"3 1000000000000\n5 999999999999 7\n", b"2 5000000000\n4999999999 3\n"),
        (b"1\n5\n", b"2\n5 7\n", b"1\n-5\n"),
    ],
)
def test_a_sample_is_never_implausible(samples: tuple[bytes, ...]) -> None:
    assert all(not broken_firm_rule(sample, *samples) for sample in samples)
    large = b"3000\n" + b" ".join([b"1"] * 2999 + [b"-5"]) + b"\n"  # too large to guess from
    assert not broken_firm_rule(large, *samples, large)


def test_large_numbers_of_a_sample_make_no_large_random_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else one draw takes as long as the whole reduction, and a find stays as it was found."""
    sizes = []

    def noted(shape: Shape, source: object, size: int) -> object:
        sizes.append(size)
        return draw(shape, source, size)  # type: ignore[arg-type]

    monkeypatch.setattr("harness.shapes.values.draw", noted)
    sample = b"2\n3\n1000000000 1000000000 1000000000\n1\n7\n"
    as_samples_show(read_shape("T: 1..10^5; T times { n: 0..10^5; n * (0..10^9) }"), [sample])
    assert 0 < max(sizes) <= SAMPLE_RULES.most_size


def test_a_wall_all_around_the_grids_of_all_samples_is_a_rule() -> None:
    walled = [b"5 6\n######\n#S..##\n#.#.E#\n#....#\n######\n", b"3 4\n####\n#SE#\n####\n"]
    shape = shown('n: 1..9 m: 1..9; grid(n, m, ".#SE")', walled)
    assert broken_rule(shape, b"3 4\n#.S.\nE...\n#..#\n")
    open_ = [walled[0], b"3 4\n####\n.SE#\n####\n"]
    assert not broken_rule(shown('n: 1..9 m: 1..9; grid(n, m, ".#SE")', open_), b"3 4\n#.S#\nE..#\n#..#\n")
