"""Drafts of shapes from samples: they parse the samples, say what was guessed, and generalise as a reader would."""

from random import Random

import pytest
from shape_texts import SHAPES

from harness.shapes import (
    InputError,
    ShapeError,
    draw,
    infer,
    on_one_line,
    parse,
    read_shape,
    readings,
    tidy_for,
    write,
)
from harness.shapes.limits import loosest

DRAFTS = {
    "a permutation": ([b"7\n3 1 2 7 5 4 6\n"], "permutation(n)"),
    "an array": ([b"3\n5 9 5\n", b"2\n100 1\n"], "n * (1..10^2)"),
    "a tree numbered from 0": ([b"4\n0 1\n2 0\n3 2\n"], "tree(n, base=0)"),
    "a grid with one mark": ([b"2 3\n..#\n.S.\n"], 'grid(n, m, ".#S", S=1)'),
    "a square grid of digits": ([b"3\n010\n111\n000\n"], 'grid(n, n, "01")'),
    "a fixed grid": ([b"...\n.Q.\n...\n"], 'grid(3, 3, ".Q", Q=1)'),
    "repeated cases": ([b"3\n3\n1 2 3\n2\n5 6\n1\n9\n"], "T times {"),
    "a matrix": ([b"2 3\n1 2 3\n4 5 6\n"], "n times { m * (1..10) }"),
    "rows of one number less": ([b"4 2\n50 50 75\n25 25 25\n", b"2 3\n90\n1\n3\n"], "m times { n-1 * ("),
    "an array of nothing": ([b"6\n-1 -1 -1 -1 -1 -1\n"], "n * (-10..10)"),
    "pairs of a row and a column": ([b"5 9 3\n1 2\n5 5\n3 4\n"], "k times { q: 1..n a: 1..m }"),
    "clock times": (
        [b"3\n09:30 10:15\n08:05 23:59\n00:00 12:00\n"],
        'n times { fields(00..23 ":" 00..59) fields(',
    ),
    "dates": ([b"2024-02-27 31/1/2024\n"], 'fields(1000..9999 "-" 01..12 "-" 01..31) fields(1..100 "/" 1..10 "/"'),
    "days and months": ([b"2\n15/12 4\n03/07 5\n", b"1\n06/11 3\n"], 'fields(01..31 "/" 01..12)'),
    "days before months": ([b"27.02.2024\n"], 'fields(01..31 "." 01..12 "." 1000..9999)'),
    "numbers of such widths that are no date": ([b"2024-13-27\n"], 'fields(1..10000 "-" '),
    "a padded number behind a sign": ([b"4 1\n#05 7\n#11 8\n#09 1\n#12 30\n"], 'fields("#" 00..99)'),
    "versions": ([b"2\n1.2.3 1.10.0\n"], 'fields(1..10 "." 1..100 "." 0..10)'),
    "numbers of any base": (
        [b"11:20\n", b"2A:13\n"],
        'fields(string(1..4, 0..9 A..Z) ":" string(1..4, 0..9 A..Z))',
    ),
    "a match": (
        [b"3\nA-B 1:2\nC-A 0:0\nBb-C 11:0\n"],
        'n times { fields(string(1..4, A..Z a..z) "-" string(1..2, A..Z a..z)) fields(',
    ),
    "signs as often by chance": ([b"a@aa@a\n", b"a@a@a\n"], "(string(1..6"),
    "an array of pairs": ([b"3\n(1,2) (3,40) (5,6)\n"], 'n * (fields("(" 1..10 "," 1..100 ")"))'),
    "letters and digits are no fields": ([b"2\n1a2 b3\n"], "string(1..3"),
    "edges that all rise": ([b"5 5\n1 2\n1 3\n2 4\n3 4\n2 5\n"], "graph(n, m, connected, simple, rising)"),
    "a graph without cycles": (
        [b"4 5\n1 2\n1 3\n2 4\n3 4\n1 4\n", b"3 1\n2 3\n"],
        "graph(n, m, simple, rising)",
    ),
    "a graph without cycles whose edges fall too": (
        [b"4 5\n1 2\n1 3\n4 2\n3 2\n4 3\n", b"3 1\n2 3\n"],
        "graph(n, m, simple, acyclic)",
    ),
    "two words beside a count that is always 3": (
        [b"3 10\n7 9\n1 4\n2 1\n1 0\n", b"3 6\n6 6\n1 1\n1 0\n1 0\n"],
        "\nk: 1..10 q: 0..10  # seen 1..1, 0..0\n",
    ),
    "names with their own numbers of words": (
        [
            b"2\nAlice 3 math physics art\nBob 1 math\n",
            b"3\nCarl 2 art bio\nDora 1 chem\nEve 4 math bio art chem\n",
        ],
        "n times { (string(1..5, ",
    ),
    "the parent of each vertex": ([b"7\n1 2 2 1 3 6\n", b"10\n1 1 3 3 5 4 7 2 9\n"], "\nparents(n)\n"),
    "a few parents are any numbers": ([b"3\n1 2\n", b"4\n1 1 2\n"], "n-1 * (1..n)"),
    "brackets that match": ([b"(()(()))\n", b"()()()\n"], '\n(brackets(1..8, "()"))\n'),
    "brackets that match by chance": ([b"()()\n"], '(string(1..4, "()"))'),
    "brackets that do not match": ([b"(()((()))\n", b"()()()\n"], '(string(1..9, "()"))'),
    "lines of text, as short as you like": (
        [b"what  is, this:\n", b"and  that one, too\n"],
        "until end { string(1..18, ",
    ),
    "words": ([b"1 2 Yes\n", b"3 4 No\n", b"5 5 Yes\n"], '"No"|"Yes"'),
    "a string of known length": ([b"10\nabcabcabca\n"], 'string(n, "abc")'),
    "lines with their own number of pairs": (
        [b"3\n1 1 3\n2 -1 1 -2 5\n2 2 2 -3 1\n"],
        "n times { m: 1..n 2*m * (-10..10) }",
    ),
    "queries of two kinds": ([b"3\n1 1 3\n2 5\n2 1\n"], "either { 1 m: 1..10 k: 1..10 } or { 2 m: 1..10 }"),
    "lines with their own length": ([b"2\n3 1 2 3\n2 4 5\n"], "n times { m: 1..10 m * (1..10) }"),
    "numbers with points": (
        [b"3\n1.50 -2.25\n0.00 3.10\n7.00 1.00\n"],
        "n times { (0.00..10.00) (-10.00..10.00) }",
    ),
    "an array of numbers with points": ([b"3\n1 0.5 2.25\n"], "n * (0..10.00)"),
    "a graph with decimal weights": (
        [b"3 2\n1 2 0.5\n2 3 1.5\n"],
        "graph(n, m, connected, simple, weight=0.0..10.0)",
    ),
    "queries of different lengths": (
        [b"4 5\n1 1 2\n2 1\n1 4 3\n2 4\n1 2 2\n"],
        "m times { either { 1 k: 1..n q: 1..n } or { 2 k: 1..n } }",
    ),
    "queries that are words": (
        [b"4\npush 3\npop\npush -4\nmax\n"],
        'either { "max" } or { "pop" } or { "push" m: -10..10 }',
    ),
    "queries of which one kind takes a letter": (
        [b"4\ntype a\ntype b\nundo 1\nprint 1\n", b"3\ntype x\nundo 1\nundo 1\n"],
        'n times { either { "print" m: 1..10 } or { "type" (string(1..1, "abx")) } or { "undo" m: 1..10 } }',
    ),
    "queries alike but for their kind": (
        [b"5 6\n1 3 9\n2 1 5\n1 2 8\n1 1 7\n2 2 3\n2 4 5\n"],
        "m times { either { 1 k: 1..n q: 1..10 } or { 2 k: 1..n q: k..n } }",
    ),
    "edges are no queries": ([b"4 5\n1 2\n1 3\n2 3\n2 4\n1 4\n"], "graph(n, m, connected, simple, rising)"),
    "pairs that are as long as some n": ([b"2 9 4\n1 2\n1 1\n2 2\n1 9\n"], "k times { q: 1..n a: 1..m }"),
    "rows before columns": ([b"2 2\n1 2\n0 3\n"], "n times { m * (0..10) }"),
    "cases up to zeros": ([b"2 3\n.#.\n..#\n1 1\n#\n0 0\n"], 'until "0 0" {\n  n: 1..10 m: 1..10'),
    "graphs up to zeros": ([b"3 2\n1 2\n2 3\n4 0\n2 1\n1 2\n0 0\n"], "graph(n, m, simple)"),
    "numbers up to -1": ([b"5\n9\n12\n-1\n"], 'until "-1" {\n  n: 1..10^2'),
    "cases up to the end": ([b"1 10\n100 200\n201 210\n"], "until end {\n  n: 1..10^3 m: 1..10^3"),
    "cases up to the end, as many as there are": (
        [b"2\n5 6\n", b"3\n7 8 9\n1\n4\n"],
        "until end {\n  n: 1..10  # seen 1..3\n  n * (1..10)",
    ),
    "as many lines in every sample are no cases": ([b"1 5\n3 4\n", b"9 7\n5 5\n"], "k: 1..10 q: 1..10"),
    "cases of two numbers and a string": (
        [b"3\n5 2\nababa\n3 1\nzzz\n1 1\na\n"],
        "T times {\n  n: 1..10 m: 1..n",
    ),
    "cases of pairs": ([b"2\n2\n1 2\n3 4\n1\n9 9\n"], "  n times { m: 1..10 k: 1..10 }"),
    "cases of graphs": ([b"2\n3 2\n1 2\n2 3\n4 1\n1 4\n"], "  graph(n, m, simple)"),
    "lines of a time, a word and a number": (
        [b"3\n08:15 IN 7\n09:00 OUT 7\n12:30 IN 3\n"],
        'n times { fields(00..23 ":" 00..59) "IN"|"OUT" m: 1..10 }',
    ),
    "queries by a letter, alike otherwise": (
        [b"4 3\n1 2 3 4\nQ 1 3\nU 2 9\nQ 2 4\n"],
        'm times { either { "Q" k: 1..n q: k..n } or { "U" k: 1..n q: 1..10 } }',
    ),
    "n lines, then m lines": ([b"3 2\n10\n20\n30\n1\n3\n"], "n times { k: 1..10^2 }"),
    "an array of n where m is the same": ([b"4 4\n10 2 3 1\n1 2\n2 3\n3 4\n4 1\n"], "n * (1..10)"),
    "strings of brackets are no words": ([b"3\n()\n(()\n)(\n"], 'string(1..3, "()")'),
    "strings over few letters are no words": ([b"3\nABBA\nBAB\nAB\n"], 'string(1..4, "BA")'),
    "pairs behind a tree are no second graph": (
        [b"4\n1 2 3\n2 3 4\n2 4 5\n2\n1 3\n3 4\n"],
        "m times { k: 1..n q: 1..n }",
    ),
    "two spans": ([b"5 2\n3 1 4 1 5\n1 3 4\n2 5 1\n"], "m times { k: 1..n q: k..n a: 1..10 }"),
    "words of three letters, and three of them": (
        [b"3\ncat dog\ndog chat\nbird ox\n"],
        "n times { (string(1..4, a..z)) (string(1..4, a..z)) }",
    ),
    "lists, some of them empty": ([b"4\n2 2 4\n1 4\n0\n1 3\n"], "n times { m: 0..10 m * (1..n) }"),
    "cases of two arrays": (
        [b"3\n2 1\n1 2\n3 4\n5 5\n5 5 6 6 5\n1 2 5 4 3\n4 0\n2 2 4 3\n2 4 2 3\n"],
        "  n * (1..10)  # seen 1..6\n  n * (1..10)  # seen 1..5\n",
    ),
    "strings that come twice are no vocabulary": (
        [b"3\nabc\nde\nabc\n", b"1\nzz\n"],
        "n times { (string(1..3, a..z)) }",
    ),
    "the same word in two samples may be chance": ([b"2\nRU\n", b"1\nRU\n"], '\n(string(1..2, "RU"))'),
    "two numerals are no vocabulary": ([b"XIV\n", b"MMXX\n"], "(string(1..4, A..Z))"),
    "cases of several strings": ([b"2\n2\nab\ncd\n3\nx\ny\nz\n"], "  n times { (string(1..2, a..z)) }"),
    "a matrix behind three numbers": ([b"2 3 5\n1 2 3\n4 5 6\n"], "n times { m * (1..10) }"),
    "a matrix of bits": ([b"2 3\n1 0 1\n0 1 1\n"], "n times { m * (0..10) }"),
    "circles up to zeros": ([b"1 2 3\n4 5 6\n0 0 0\n"], 'until "0 0 0" {\n  n: 1..10 m: 1..10 k: 1..10'),
    "times from and to": (
        [b"2\n08:00-09:30\n10:15-11:00\n"],
        'fields(00..23 ":" 00..59 "-" 00..23 ":" 00..59)',
    ),
    "letters of all kinds are no marks": ([b"2 2\nab\ncd\n"], "grid(n, m, a..z)\n"),
    "weights up to m, and values": (
        [b"3 9\n2 3\n9 10\n5 6\n", b"3 5\n1 9\n5 6\n4 10\n"],
        "n times { k: 1..m q: 1..10 }",
    ),
    "four numbers in two lines": ([b"0 0 4 4\n1 2 3 4\n", b"0 5 1 1\n2 2 0 7\n"], "\n4 * (0..10)"),
    "a modulus": ([b"10 3 1000000007\n"], "k: 1..10^10"),
    "from and to": ([b"3\n1 3\n2 5\n7 9\n", b"4\n1 10\n2 3\n4 5\n6 7\n"], "n times { m: 1..10 k: m+1..10 }"),
    "the word of a first pass": ([b"encode\n2\n5 600\n", b"encode\n1\n7\n"], '\n"encode"\nn: 1..10'),
    "a line between a count and its rows": (
        [b"2\n12:30\n+ 45\n- 10\n", b"1\n23:50\n+ 20\n"],
        'fields(00..23 ":" 00..59)\nn times {',
    ),
    "names": (
        [b"3\nAnna Maria\nJan van Dijk\nOtto\n"],
        'n times { 1..3 * (string(1..5, "anitADJMOjkorv")) }',
    ),
    "names behind numbers": (
        [b"3\n7 anna\n1 jan maria\n3 otto\n"],
        "n times { m: 1..10 1..2 * (string(1..5, a..z)) }",
    ),
    "names before numbers": (
        [b"2\n1 anna maria 12 4\n2 otto 9 1\n"],
        "1..2 * (string(1..5, a..z)) k: 1..10^2 q: 1..10 }",
    ),
    "names of different lengths before numbers": (
        [b"3\nABBA 80\nThe Beatles 120\nQueen 7\n"],
        "n times { 1..2 * (string(1..7,",
    ),
    "sentences": ([b"hello world\n", b"the quick brown fox\n"], "\n1..4 * (string(1..5, a..z))"),
    "lists that are empty in all samples": ([b"0\n0\n", b"0\n0\n"], "n: 0..10  # seen 0..0\nm: 0..10"),
    "untidy samples": ([b"3 \r\n1 2 4\r\n"], "n * (1..10)"),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", DRAFTS)
def test_a_draft_reads_a_sample_as_a_person_would(name: str) -> None:
    samples, expected = DRAFTS[name]
    draft = infer(samples)
    assert expected in draft
    assert draft.startswith("# A draft")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", DRAFTS)
def test_a_draft_on_one_line_says_the_same(name: str) -> None:
    samples, _ = DRAFTS[name]
    draft = infer(samples)
    short = on_one_line(draft)
    assert "\n" not in short and "seen" not in short
    drawn = write(read_shape(draft), draw(read_shape(draft), Random(1), 30))
    assert write(read_shape(short), parse(read_shape(short), drawn)) == drawn


@pytest.mark.parametrize("empty", [b"0\n", b"0\n\n"])
def test_the_empty_line_of_no_items_may_be_missing(empty: bytes) -> None:
    samples = [b"5\n3 3 1 4 5\n", b"1\n7\n", empty]
    assert on_one_line(infer(samples)) == "n: 0..10; n * (1..10)"
    assert "n: 0..10  # seen 0..5\nn * (1..10)  # seen 1..7\n" in readings(samples)


def test_rows_of_two_and_of_three_numbers_are_queries_not_edges() -> None:
    sample = b"5 6\n1 2 10\n1 3 4\n2 3\n1 2 5\n2 5\n2 1\n"
    assert "m times { either { 1 k: 1..n q: 1..10 } or { 2 k: 1..n } }" in on_one_line(infer([sample]))


def test_a_draft_says_what_was_seen() -> None:
    assert "# seen 3..8" in infer([b"3\n", b"8\n", b"5\n"])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", SHAPES)
def test_a_draft_parses_what_other_shapes_drew_or_says_that_there_is_none(name: str) -> None:
    shape = read_shape(SHAPES[name])
    drafts = 0
    for seed in range(12):
        samples = [write(shape, draw(shape, Random(3 * seed + each), 25)) for each in range(3)]
        try:
            drawn = read_shape(infer(samples))
        except ShapeError:
            continue
        drafts += 1
        for sample in samples:
            text = tidy_for(drawn, sample)
            assert write(drawn, parse(drawn, text)) == text
        if drafts > 3:
            break
    assert drafts or name == "nested"  # blocks with blocks inside are mostly beyond it


@pytest.mark.parametrize("samples", [[], [b""], [b"\n\n"], ["é\n".encode()]])
def test_samples_without_anything_to_read_are_refused(samples: list[bytes]) -> None:
    with pytest.raises(ShapeError):
        infer(samples)


def test_a_line_of_numbers_is_one_where_a_single_sample_has_it_look_like_an_edge() -> None:
    draft = infer([b"4 2\n1 2\n", b"7 1\n3\n"])
    assert "m * (1..10)" in draft


@pytest.mark.parametrize(
    ("samples", "line"),
    [
        ([b"2 5\n1 0 3\n", b"3 1\n1 2 3 4\n"], "n+1 * (0..10)"),
        ([b"3\n1 2 3 4 5 6\n", b"2\n9 9 1 2\n"], "2*n * (1..10)"),
    ],
)
def test_lengths_that_are_reckoned_from_a_number(samples: list[bytes], line: str) -> None:
    assert line in infer(samples)


@pytest.mark.parametrize(
    ("samples", "other"),
    [
        ([b"3\n3 1 2\n", b"2\n2 1\n"], b"2\n-7 1000000000000\n"),
        ([b"3 2\n1 2\n2 3\n", b"4 1\n1 4\n"], b"2 1\n8 8\n"),
        ([b"5\n1 1 2 2\n"], b"3\n9 99\n"),
        ([b"2 3\n..#\n.S.\n"], b"1 2\nx?\n"),
        ([b"09:30\n", b"10:15\n"], b"2024:7\n"),
        ([b"2\npush 3\npop\n"], b"1\npush -77777\n"),
        ([b"0.5\n", b"1.25\n"], b"-1000.123456\n"),
        ([b"1 2 Yes\n", b"3 4 No\n", b"5 5 Yes\n"], b"3 4 Perhaps\n"),
    ],
)
def test_the_loosest_shape_has_nothing_but_the_structure(samples: list[bytes], other: bytes) -> None:
    shape = read_shape(infer(samples))
    with pytest.raises(InputError):
        parse(shape, other)
    assert write(loosest(shape), parse(loosest(shape), other)) == other


def test_a_huge_number_before_pairs_is_no_number_of_vertices_to_keep() -> None:
    sample = b"1000000000000000 2\n1 2\n3 999999999999999\n"
    parse(read_shape(infer([sample])), sample)
