"""Drafts of shapes from samples: they parse the samples, say what was guessed, and generalise as a reader would."""

from random import Random

import pytest
from shape_texts import SHAPES

from harness.shapes import ShapeError, draw, infer, parse, read_shape, write

DRAFTS = {
    "a permutation": ([b"7\n3 1 2 7 5 4 6\n"], "permutation(n)"),
    "an array": ([b"3\n5 9 5\n", b"2\n100 1\n"], "n * (1..10^2)"),
    "a tree": ([b"4\n1 2\n1 3\n3 4\n"], "tree(n)"),
    "a tree numbered from 0": ([b"4\n0 1\n2 0\n3 2\n"], "tree(n, base=0)"),
    "a graph": ([b"4 5\n1 2\n2 3\n3 4\n4 1\n1 3\n"], "graph(n, m, connected, simple)"),
    "a weighted graph": ([b"3 2\n1 2 70\n2 3 50\n"], "graph(n, m, connected, simple, weight=1..10^2)"),
    "a grid with one mark": ([b"2 3\n..#\n.S.\n"], 'grid(n, m, ".#S", S=1)'),
    "a square grid of digits": ([b"3\n010\n111\n000\n"], 'grid(n, n, "01")'),
    "a fixed grid": ([b"...\n.Q.\n...\n"], 'grid(3, 3, ".Q", Q=1)'),
    "repeated cases": ([b"3\n3\n1 2 3\n2\n5 6\n1\n9\n"], "T times {"),
    "a matrix": ([b"2 3\n1 2 3\n4 5 6\n"], "n times { m * (1..10) }"),
    "parents": ([b"5 4\n1 1 2 2\n7 8 9 10\n", b"3 2\n1 2\n1 2\n"], "parents(n)\nm * ("),
    "parents counted from 0": ([b"6\n0 0 1 1 4\n"], "parents(n, base=0)"),
    "parents that may come later": ([b"7\n5 5 1 1 4 6\n", b"4\n4 2 1\n"], "parents(n, anywhere)"),
    "parents with a root": ([b"5\n3 3 -1 1 1\n"], "parents(n, root=-1, anywhere)"),
    "parents with a root in front": ([b"6\n0 1 1 2 2 5\n"], "parents(n, root=0)"),
    "parents with a root, counted from 0": ([b"5\n-1 0 0 1 1\n"], "parents(n, base=0, root=-1)"),
    "a forest": ([b"6\n-1 1 -1 3 3 2\n"], "parents(n, root=-1, forest)"),
    "a short line that might be parents": ([b"4\n1 1 2\n"], "n-1 * ("),
    "an array that might be parents": ([b"3 4\n1 1 2\n"], "n * ("),
    "an array with cycles": ([b"6\n0 3 2 1 1 1\n"], "n * (0..10)"),
    "an array of nothing": ([b"6\n-1 -1 -1 -1 -1 -1\n"], "n * (-10..10)"),
    "spans": ([b"5 3\n10 20 30 40 50\n1 2\n3 4\n2 5\n"], "m times { k: 1..n q: k..n }"),
    "clock times": (
        [b"3\n09:30 10:15\n08:05 23:59\n00:00 12:00\n"],
        'n times { fields(00..23 ":" 00..59) fields(',
    ),
    "dates": ([b"2024-02-27 31/1/2024\n"], 'fields(1900..2100 "-" 01..12 "-" 01..28) fields(1..31 "/" 1..12 "/"'),
    "versions": ([b"2\n1.2.3 1.10.0\n"], 'fields(1..10 "." 1..100 "." 0..10)'),
    "an array of pairs": ([b"3\n(1,2) (3,40) (5,6)\n"], 'n * (fields("(" 1..10 "," 1..100 ")"))'),
    "letters and digits are no fields": ([b"2\n1a2 b3\n"], "string(1..3"),
    "parents with weights": ([b"4\n1 5\n1 2\n3 9\n", b"2\n1 7\n"], "n-1 times as row { k: 1..row m: 1..10 }"),
    "edges that all rise": ([b"5 5\n1 2\n1 3\n2 4\n3 4\n2 5\n"], "graph(n, m, connected, simple, rising)"),
    "a graph without cycles": (
        [b"4 5\n1 2\n1 3\n2 4\n3 4\n1 4\n", b"3 1\n2 3\n"],
        "graph(n, m, simple, rising)",
    ),
    "a graph without cycles whose edges fall too": (
        [b"4 5\n1 2\n1 3\n4 2\n3 2\n4 3\n", b"3 1\n2 3\n"],
        "graph(n, m, simple, acyclic)",
    ),
    "words": ([b"1 2 Yes\n", b"3 4 No\n", b"5 5 Yes\n"], '"No"|"Yes"'),
    "a string of known length": ([b"10\nabcabcabca\n"], 'string(n, "abc")'),
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
    "queries alike but for their kind": (
        [b"5 6\n1 3 9\n2 1 5\n1 2 8\n1 1 7\n2 2 3\n2 4 5\n"],
        "m times { either { 1 k: 1..n q: 1..10 } or { 2 k: 1..n q: k..n } }",
    ),
    "edges are no queries": ([b"4 5\n1 2\n1 3\n2 3\n2 4\n1 4\n"], "graph(n, m, connected, simple, rising)"),
    "pairs that are as long as some n": ([b"2 9 4\n1 2\n1 1\n2 2\n1 9\n"], "k times { q: 1..n a: 1..m }"),
    "rows before columns": ([b"2 2\n1 2\n0 3\n"], "n times { m * (0..10) }"),
    "untidy samples": ([b"3 \r\n1 2 4\r\n"], "n * (1..10)"),
}


@pytest.mark.parametrize("name", DRAFTS)
def test_a_draft_reads_a_sample_as_a_person_would(name: str) -> None:
    samples, expected = DRAFTS[name]
    draft = infer(samples)
    assert expected in draft
    assert draft.startswith("# A draft")


def test_a_draft_says_what_was_seen() -> None:
    assert "# seen 3..8" in infer([b"3\n", b"8\n", b"5\n"])


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
            tidy = sample.rstrip(b"\n") + b"\n"
            assert write(drawn, parse(drawn, tidy)) == tidy
    assert drafts or name == "nested"  # blocks with blocks inside are mostly beyond it


@pytest.mark.parametrize("samples", [[], [b""], [b"\n\n"], ["é\n".encode()]])
def test_samples_without_anything_to_read_are_refused(samples: list[bytes]) -> None:
    with pytest.raises(ShapeError):
        infer(samples)
