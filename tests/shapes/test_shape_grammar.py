"""The text of a shape: what it says, and that every mistake is answered with its place and how to fix it."""

import re
from pathlib import Path

import pytest

from harness.shapes import ShapeError, parse, read_shape, write

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "shapes.md"

MISTAKES = {
    "": (1, 1, "at least one line"),
    "n: 5..1": (1, 7, "range is empty"),
    'brackets(1..9, "(a")': (1, 20, "expected pairs of brackets"),
    "n; n": (1, 4, "defined already"),
    "a: n * (0..9)": (1, 4, "no integer of an earlier item"),
    "T times { n }": (1, 1, "no integer of an earlier item"),
    "n; T: 1..2\nm: 1..x": (2, 7, "`x` is no integer"),
    "T; T times { n }; n * (1..2)": (1, 19, "no integer of an earlier item"),
    'grid(3, 3, ".#", X=1)': (1, 18, "letters that the alphabet lacks"),
    'grid(3, 3, "..")': (1, 12, "stands twice"),
    "grid(3, 3)": (1, 10, "expected `,`"),
    'n grid(n, n, ".#")': (1, 3, "stands alone"),
    'n; "abc': (1, 4, "no partner"),
    "s: string(0..5, a..z) n": (1, 23, "may be empty"),
    "3 * (string(0..2, a..b))": (1, 6, "least length of 1"),
    "string(3, z..a)": (1, 11, "from one character up"),
    "n: 1..10^n": (1, 10, "no integer of an earlier item"),
    "n m: 1..2^n": (1, 11, "a power is of numbers"),
    "(1..4": (1, 6, "expected `)`"),
    "T; T times { n": (1, 15, "expected `}`"),
    "T; x: T times { n }": (1, 7, "no name"),
    "times: 1..2": (1, 1, "word of the grammar"),
    "w: A|A": (1, 6, "stands twice"),
    "n: 1..2; tree(n, looped)": (1, 18, "expected an option (directed, rising, base=…, weight=…)"),
    "n: 1..2; permutation(n, base=2)": (1, 30, "begins with 0 or 1"),
    "n: 1..2; parents(n, forest)": (1, 18, "no vertex has, such as `root=-1`"),
    "n: 1..2; parents(n, base=0, root=0)": (1, 18, "no vertex has, such as `root=-1`"),
    "n: 1..2; parents(n, root=-2)": (1, 26, "written as 0 or -1"),
    "n: 1..2 @": (1, 9, "no meaning"),
    "n: 1..2; 2 * (tree(n))": (1, 15, "within the parentheses"),
    "n; n times as { 1..n }": (1, 15, "expected a name for the number of the row"),
    "n; n times as i { 1..2 }; 1..i": (1, 30, "no integer of an earlier item"),
    "n: 1..2e5; n * (1..9)": (1, 8, "an exponent is written as in 2*10^5, not as in 2e5"),
    "n; n * (1..1E9)": (1, 13, "an exponent is written as in 2*10^9"),
    'fields("a")': (1, 8, "expected a range"),
    "fields(1..9 2..3)": (1, 13, "a sign must stand"),
    "fields(1..9 n)": (1, 13, "expected a quoted sign"),
    'fields(9..1 ":")': (1, 8, "the range is empty"),
    'fields(string(1..5, a..z) "a")': (1, 27, "the sign behind letters must be none of them"),
    'fields(string(0..5, a..z) ":")': (1, 8, "the number of letters is between two numbers, at least 1"),
    'n: 1..9 fields(string(n, a..z) ":")': (1, 16, "the number of letters is between two numbers, at least 1"),
    "n; sorted(1..3)": (1, 4, "such as `sorted(n * (1..9))`"),
    "n; distinct(n * (a|b))": (1, 4, "an array of integers"),
    "n; rising(n times { a|b 1..2 })": (1, 4, "begin with an integer or a string"),
    "n; sorted(n times { 1..3 * (0..9) })": (1, 4, "begin with an integer or a string"),
    "n; distinct(n times as i { 1..i })": (1, 4, "a repeated block without `as`"),
    "n: 1-10": (1, 4, "written with two points"),
    "n: 1..9, m: 1..9": (1, 8, "stand side by side"),
    "until end { 1..2 }; n": (1, 7, "nothing may follow"),
    "n; n times { until end { 1..2 } }": (1, 20, "stands in no other block"),
    "n; 1..3 * (1..9) n * (1..9)": (1, 18, "only single words, such as `1..9`, may follow"),
    "0.5..3 * (1..9)": (1, 1, "expected whole numbers of items"),
    'until "" { n }': (1, 7, 'such as `until "0 0" { … }`'),
    "until n { 1..2 }": (1, 7, "or `until end { … }`"),
    '"é"': (1, 1, "printable ASCII"),
    "n m; grph(n, m)": (1, 6, "no kind `grph`; did you mean `graph`?"),
    'n m\n gird(n, m, ".#")': (2, 2, "no kind `gird`; did you mean `grid`?"),
    "n; p: perm(n)": (1, 7, "no kind `perm`; did you mean `permutation`?"),
    "n; foo(n)": (1, 4, "no kind `foo`; there are string, brackets, fields,"),
    "n; n * (strng(1..3, a..z))": (1, 9, "no kind `strng`; did you mean `string`?"),
    "n; n tims { 1..3 }": (1, 6, "no kind `tims`; did you mean `times`?"),
    "eihter { 1 } or { 2 }": (1, 1, "no kind `eihter`; did you mean `either`?"),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_answered_with_line_column_and_mend(text: str) -> None:
    line, column, words = MISTAKES[text]
    with pytest.raises(ShapeError) as caught:
        read_shape(text)
    assert f"line {line}, column {column}: " in str(caught.value)
    assert words in str(caught.value)


HOSTILE = (
    "(" * 5000,
    "T " + "T times { " * 500,
    "n; m: 1.." + "n+" * 3000 + "n",
    "n: 1..10^99*10^99",
    "n" * 30_000,
)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_are_refused(text: str) -> None:
    with pytest.raises(ShapeError):
        read_shape(text)


def test_the_examples_of_the_documentation_hold() -> None:
    text = DOCUMENT.read_text("utf-8")
    example = re.findall(r"```python\n(.*?)```", text, re.DOTALL)[0]
    exec(compile(example, str(DOCUMENT), "exec"), {})
    rows = re.findall(r"^\| (`.*?`) \| ", text.partition("## In a recipe")[0], re.MULTILINE)
    before = "n: 2..9 m: 1..9 T: 1..9 R: 1..9 C: 1..9\n"
    for shown in re.findall(r"`([^`]+)`", " ".join(rows)):
        item = shown.replace("\\|", "|").replace("…", "1..2")
        head = before.replace("n: 2..9 ", "") if item.startswith("n:") or item == "n" else before
        assert read_shape(head + item).block.lines


def test_lines_blank_lines_comments_and_semicolons_say_the_same() -> None:
    one = read_shape('n m; grid(n, m, ".#")')
    many = read_shape('# rows and columns\n\nn m  # the size\n\n\ngrid(\n  n, m, # twice\n  ".#"\n)\n')
    assert one.block == many.block


def test_an_integer_without_a_range_is_from_1_to_10_to_the_9() -> None:
    assert read_shape("n").block == read_shape("n: 1..10^9").block


def test_expressions_know_products_before_sums() -> None:
    shape = read_shape("n m: 2*n+3*n-1..10^3-n*2")
    assert parse(shape, b"2 9\n").part("m") == 9
    assert write(shape, parse(shape, b"2 996\n")) == b"2 996\n"


def test_parts_are_found_by_name() -> None:
    value = parse(read_shape('n; a: n * (1..9); g: grid(1, n, "ab")'), b"2\n4 5\nab\n")
    assert (value.part("n"), value.part("a"), value.part("g")) == (2, (4, 5), (b"ab",))
    with pytest.raises(KeyError):
        value.part("b")


def test_every_error_ends_with_where_shapes_are_explained() -> None:
    with pytest.raises(ShapeError, match=r"(?s)line 1, column .*docs/shapes.md; `harness shape SAMPLE…`"):
        read_shape("n; array(n, -10, 10)")
