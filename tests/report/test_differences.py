"""What is kept and drawn of an output beside the answer: the lines around the first that differs, and no more."""

import json

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from harness.check.default_validator import compare, parse_arguments
from harness.check.difference_window import MOST_BYTES, output_difference
from harness.check.tokens import ComparisonRules
from harness.report.differences import difference_table, rows, totals
from harness.results.as_json import as_json
from harness.results.model import CaseResult, OutputDifference
from harness.results.reading import read_value
from harness.results.verdict import Verdict

PLAIN = ComparisonRules()
MANY = 100_000


def found(output: str, answer: str, comparison: ComparisonRules = PLAIN) -> OutputDifference:
    result = output_difference(output.encode(), answer.encode(), comparison)
    assert result is not None
    return result


def drawn(output: str, answer: str, comparison: ComparisonRules = PLAIN) -> str:
    console = Console(width=200, force_terminal=False)
    with console.capture() as capture:
        console.print(difference_table(found(output, answer, comparison)))
    return capture.get()


def numbers(count: int) -> str:
    return "".join(f"{number}\n" for number in range(1, count + 1))


def test_difference_far_down_is_drawn_at_its_line_and_right_lines_are_right() -> None:
    printed = numbers(MANY).replace("\n77778\n", "\n0\n")
    rows_of = rows(found(printed, numbers(MANY)))
    assert [(row.number, row.printed) for row in rows_of if not row.same] == [("77778", "0")]
    assert [row.number for row in rows_of][:5] == ["77775", "77776", "77777", "77778", "77779"]
    text = drawn(printed, numbers(MANY))
    assert "(no line)" not in text
    assert [line.split() for line in text.splitlines() if line.startswith(">")] == [[">", "77778", "77778", "0"]]
    assert "expected in all: 100,000 lines; printed: 100,000 lines" in text


def test_no_line_is_said_only_of_what_was_not_printed() -> None:
    text = drawn(numbers(77_777), numbers(MANY))
    shown = {line.split()[-3]: line for line in text.splitlines() if "(no line)" in line}
    assert min(map(int, shown)) == 77_778
    more = rows(found(numbers(5), numbers(3)))
    assert [(row.number, row.expected, row.printed) for row in more if not row.same] == [
        ("4", None, "4"),
        ("5", None, "5"),
    ]


def test_of_one_long_line_the_columns_around_the_difference_are_drawn() -> None:
    answer = " ".join(map(str, range(MANY)))
    printed = answer.replace(" 77777 ", " 7 ")
    [row] = rows(found(printed, answer))
    column = int(row.number.removeprefix("1:"))
    assert row.expected is not None
    assert row.expected.strip("…") == answer[column - 1 : column - 1 + 120]
    assert " 77776 77777 77778 " in row.expected
    assert " 77776 7 77778 " in (row.printed or "")
    [ended] = rows(found(answer[: answer.index(" 77777")], answer))
    assert ended.printed is not None
    assert ended.printed.endswith(" 77776")
    assert " 77776 77777 " in (ended.expected or "")


def test_lines_that_are_laid_out_otherwise_are_each_drawn_around_the_difference() -> None:
    differ = found(" ".join(map(str, [*range(MANY), 7])), "".join(f"{number}\n" for number in range(MANY)))
    [row] = rows(differ)
    assert row.expected == str(MANY - 1)
    assert (row.printed or "").endswith(f" {MANY - 1} 7")


def test_long_line_is_cut_between_characters() -> None:
    answer = "é" * 500 + " 1"
    [row] = rows(found("é" * 500 + " 2", answer))
    assert row.expected == "…" + "é" * 20 + " 1"


def test_lines_are_right_as_the_comparison_has_them() -> None:
    comparison = parse_arguments(["float_tolerance", "1e-3"])
    differ = found("0.3333\n5\n0.6666\n", "0.3334\n4\n0.6667\n", comparison)
    assert (differ.first, [row.same for row in differ.rows]) == (2, [True, False, True])
    other_lines = found("1\n2\n3\n9\n", "1 2 3\n4\n")
    assert (other_lines.first, [row.same for row in other_lines.rows]) == (4, [True, False])
    assert [row.expected.text if row.expected else None for row in other_lines.rows] == ["1 2 3", "4"]


def test_equal_texts_are_drawn_from_the_start_without_a_mark() -> None:
    same = found("1\n2\n", "1\n2\n")
    assert (same.first, [row.same for row in same.rows]) == (None, [True, True])
    assert ">" not in drawn("1\n2\n", "1\n2\n")
    assert totals(same) == ""


def test_texts_too_long_to_compare_again_are_not_drawn() -> None:
    assert output_difference(b"1" * (MOST_BYTES + 1), b"2", PLAIN) is None


def test_what_is_kept_is_bounded_and_comes_back_from_json() -> None:
    flood = found("\n".join(["\x1b\x00" * 5000] * 500), "\n".join(["y" * 10_000] * 500))
    case = CaseResult(name="1", group="sample", verdict=Verdict.WRONG_ANSWER, difference=flood)
    text = json.dumps(as_json(case))
    assert len(text) < 50_000
    assert read_value(CaseResult, json.loads(text), "text") == case


TEXTS = st.lists(
    st.sampled_from([b"1", b"2", b"a", b"A", b" ", b"\n", b"\r\n", b"1.0", b"\xff"]), max_size=30
).map(b"".join)
ARGUMENTS = st.sampled_from([(), ("case_sensitive",), ("space_change_sensitive",), ("float_tolerance", "1e-6")])


@given(TEXTS, TEXTS, ARGUMENTS)
def test_row_that_is_marked_exists_exactly_where_the_comparison_rejects(
    output: bytes, answer: bytes, arguments: tuple[str, ...]
) -> None:
    comparison = parse_arguments(arguments)
    differ = output_difference(output, answer, comparison)
    assert differ is not None
    rejected = compare(output, answer, comparison).verdict is Verdict.WRONG_ANSWER
    assert (differ.first is not None) == rejected
    lines = output.split(b"\n")
    for row in differ.rows:
        if row.printed is not None:
            kept = lines[row.number - 1].removesuffix(b"\r")
            assert row.printed.text == kept.decode(errors="backslashreplace")
        assert row.number >= (differ.first or 0) - 3
    if rejected and not comparison.space_change_sensitive:
        assert [row.same for row in differ.rows if row.number == differ.first] == [False]
