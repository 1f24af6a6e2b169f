"""A find keeps to what the samples show: lower limits, different numbers, no loops."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness.cli.commands import group
from harness.search.change_texts import Literals, mutations
from harness.search.learn import as_samples_show, broken_rule
from harness.shapes import read_shape
from harness.shapes.limits import spans

SAMPLES = [b"4 6\n9 5 7 6\n", b"5 8\n12 31 5 20 17\n"]


def test_the_lower_limits_are_those_of_the_samples() -> None:
    shown = as_samples_show(read_shape("n: 1..10 k: 1..10; n * (1..100)"), SAMPLES)
    assert [span.low for span in spans(shown)] == [4, 6, 5]


def test_numbers_that_are_different_in_all_samples_stay_different() -> None:
    samples = [b"7 6\n9 8 7 6 5 14 12\n", b"6 8\n12 11 5 10 7 6\n"]
    shown = as_samples_show(read_shape("n: 1..10 k: 1..10; n * (1..15)"), samples)
    assert "different numbers" in broken_rule(shown, b"6 6\n5 5 6 7 8 9\n")
    assert not broken_rule(shown, b"6 6\n7 5 6 8 9 10\n")


def test_what_happens_by_chance_is_no_rule() -> None:
    shown = as_samples_show(read_shape("n: 1..10; n * (1..10)"), [b"2\n3 5\n", b"2\n4 7\n"])
    assert not broken_rule(shown, b"2\n7 7\n")


def test_a_sample_without_a_line_end_counts() -> None:
    shown = as_samples_show(read_shape("n: 1..10"), [b"7"])
    assert [span.low for span in spans(shown)] == [7]


def bare(folder: Path, mine: str, *, samples: list[str], brutes: list[str], seconds: str = "20") -> Result:
    (folder / "test").mkdir()
    for number, text in enumerate(samples, start=1):
        (folder / "test" / f"{number}.in").write_text(text)
    (folder / "my.py").write_text(mine)
    words = ["stress", str(folder / "my.py"), "--time", seconds]
    for number, text in enumerate(brutes):
        (folder / f"right{number}.py").write_text(text)
        words += ["--brute", str(folder / f"right{number}.py")]
    return CliRunner().invoke(group, words, standalone_mode=False)


RIGHT = "n = int(input())\nprint(sum(map(int, input().split())))\n"


def test_a_find_as_the_samples_come_first_and_a_smaller_one_names_its_rule(tmp_path: Path) -> None:
    wrong = RIGHT.replace(
        "print(sum(map(int, input().split())))",
        "x = input().split()\nprint(len(x) if n % 2 else sum(map(int, x)))",
    )
    result = bare(tmp_path, wrong, samples=["4\n1 1 3 2\n", "6\n1 2 1 4 6 6\n"], brutes=[RIGHT])
    assert result.return_value == 1, result.output
    lines = result.output.splitlines()
    assert lines.index("    5") < next(
        row for row, line in enumerate(lines) if line.startswith("smaller, but no sample")
    )
    assert any("expected n from 4" in line for line in lines)


def test_two_right_programs_that_differ_are_a_finding(tmp_path: Path) -> None:
    right = "print(2 * int(input()))\n"
    other = "n = int(input())\nprint(2 * n if n != 7 else 15)\n"
    result = bare(tmp_path, right, samples=["3\n", "9\n"], brutes=[other, right], seconds="3")
    assert result.return_value == 2, result.output
    assert "your program may be right" in result.output
    assert "    7\n" in result.output


def test_upper_and_lower_case_differ_without_a_package(tmp_path: Path) -> None:
    right = "print('Yes' if int(input()) % 2 else 'No')\n"
    assert bare(tmp_path, right.replace("No", "no"), samples=["3\n"], brutes=[right]).return_value == 1


def test_a_search_without_a_shape_goes_on_with_changed_samples(tmp_path: Path) -> None:
    right = "import sys\nprint(sys.stdin.read().count('b'))\n"
    wrong = right.replace(".count('b')", ".partition('b b')[0].count('b')")
    result = bare(tmp_path, wrong, samples=['"a b" c, "d" 7\n', "a  b c\n\nb!\n"], brutes=[right])
    assert result.return_value == 1, result.output
    assert "not made smaller" in result.output


def test_literals_are_read_from_the_sources_of_programs() -> None:
    text = b'#include "x.h"\nif (s == "bear" || c == 43 || c == \'#\') printf("%d\\n", 1000);\n'
    literals = Literals.of([text])
    assert set(literals.words) == {b"bear", b"+", b"#"}
    assert literals.numbers == (43, 1000)


def test_words_of_the_programs_are_put_into_samples() -> None:
    changed = mutations([("1", b"4\nabcd\n")], 1, literals=Literals(words=(b"bear",)))
    texts = [next(changed).data or b"" for _ in range(300)]
    assert b"8\nabbearcd\n" in texts or any(text.startswith(b"8\n") and b"bear" in text for text in texts)


@pytest.mark.parametrize("fits", [lambda _: False])
def test_a_source_of_copies_that_never_fit_ends(fits: object) -> None:
    assert list(mutations([("1", b"4\n")], 1, fits=fits)) == []  # type: ignore[arg-type]
