"""Usual input formats with numbers that are equal by coincidence: the reading with the fewest, plainest items wins."""

import pytest

from harness.shapes import infer, on_one_line

FORMATS = {
    "n m q, weighted edges, pairs; n = m in one sample": (
        (
            b"5 5 4\n1 2 5\n2 3 7\n3 4 1\n4 5 9\n5 1 2\n1 3\n2 4\n1 5\n2 2\n",
            b"3 2 1\n1 2 50\n2 3 7\n1 3\n",
        ),
        "n: 1..10 m: 1..10 k: 1..10; graph(n, m, connected, simple, weight=1..10^2); k times { q: 1..n a: 1..n }",
    ),
    "the same of one sample, in which n = m = q + 1": (
        (b"5 5 4\n1 2 5\n2 3 7\n3 4 1\n4 5 9\n5 1 2\n1 3\n2 4\n1 5\n2 2\n",),
        "n: 1..10 m: 1..10 k: 1..10; graph(n, m, connected, simple, weight=1..10); k times { q: 1..n a: 1..n }",
    ),
    "n m q, edges, pairs; n = m": (
        (
            b"5 5 4\n1 2\n2 3\n3 4\n4 5\n5 1\n1 3\n2 4\n1 5\n2 2\n",
            b"4 3 2\n1 2\n2 3\n3 4\n1 4\n2 2\n",
        ),
        "n: 1..10 m: 1..10 k: 1..10; graph(n, m, connected, simple); k times { q: 1..n a: 1..n }",
    ),
    "n m q, weighted edges, pairs; n = m = q": (
        (
            b"3 3 3\n1 2 5\n2 3 7\n3 1 1\n1 3\n2 3\n1 2\n",
            b"5 4 2\n1 2 5\n2 3 7\n3 4 1\n4 5 9\n1 3\n2 4\n",
        ),
        "n: 1..10 m: 1..10 k: 1..10; graph(n, m, connected, simple, weight=1..10); k times { q: 1..n a: 1..n }",
    ),
    "n m q, weighted edges, triples": (
        (
            b"4 4 2\n1 2 5\n2 3 7\n3 4 1\n4 1 9\n1 3 5\n2 4 6\n",
            b"3 2 1\n1 2 50\n2 3 7\n1 3 8\n",
        ),
        "n: 1..10 m: 1..10 k: 1..10; graph(n, m, connected, simple, weight=1..10^2); "
        "k times { q: 1..n a: 1..n b: 1..10 }",
    ),
    "n m, two graphs of as many edges": (
        (b"5 4\n0 1\n0 3\n1 2\n2 4\n0 2\n0 4\n2 3\n2 4\n", b"3 3\n0 1\n0 2\n1 2\n0 1\n1 2\n0 2\n"),
        "n: 1..10 m: 1..10; graph(n, m, connected, simple, rising, base=0); graph(n, m, simple, rising, base=0)",
    ),
    "n m, edges; n = m": (
        (b"4 4\n1 2\n2 3\n3 4\n4 1\n",),
        "n: 1..10 m: 1..10; graph(n, m, connected, simple)",
    ),
    "n m, weighted edges; a tree in one sample": (
        (b"4 3\n1 2 9\n2 3 8\n3 4 7\n", b"3 3\n1 2 5\n2 3 6\n3 1 4\n"),
        "n: 1..10 m: 1..10; graph(n, m, connected, simple, weight=1..10)",
    ),
    "n m k, edges, k vertices; n = k in one sample": (
        (b"4 4 2\n1 2\n2 3\n3 4\n4 1\n1 3\n", b"5 4 5\n1 2\n2 3\n3 4\n4 5\n1 2 3 4 5\n"),
        "n: 1..10 m: 1..10 k: 1..10; graph(n, m, connected, simple); k * (1..n)",
    ),
    "n m s t, weighted edges; n = m": (
        (b"4 4 1 4\n1 2 5\n2 3 7\n3 4 1\n4 1 9\n", b"3 2 2 3\n1 2 5\n2 3 7\n"),
        "n: 1..10 m: 1..10 k: 1..10 q: 1..10; graph(n, m, connected, simple, weight=1..10)",
    ),
    "n q, array, spans; n = q in one sample": (
        (b"3 3\n3 1 4\n1 3\n2 3\n1 1\n", b"4 2\n9 8 7 1\n1 3\n2 4\n"),
        "n: 1..10 m: 1..10; n * (1..10); m times { k: 1..n q: k..n }",
    ),
    "n, tree": ((b"4\n1 2\n1 3\n3 4\n", b"2\n1 2\n"), "n: 1..10; tree(n)"),
    "n q, tree, pairs": (
        (b"4 2\n1 2\n1 3\n3 4\n1 4\n2 3\n", b"3 1\n1 2\n1 3\n2 3\n"),
        "n: 1..10 m: 1..10; tree(n); m times { k: 1..n q: 1..n }",
    ),
    "n, tree, q, pairs": (
        (b"4\n1 2\n1 3\n3 4\n2\n1 4\n2 3\n",),
        "n: 1..10; tree(n); m: 1..10; m times { k: 1..n q: 1..n }",
    ),
    "n, array, tree": ((b"4\n5 6 7 8\n1 2\n1 3\n3 4\n",), "n: 1..10; n * (1..10); tree(n)"),
    "n, tree, array": ((b"4\n1 2\n1 3\n3 4\n5 6 7 8\n",), "n: 1..10; tree(n); n * (1..10)"),
    "t, cases of n and an array": (
        (b"2\n3\n1 2 3\n2\n5 6\n",),
        "T: 1..10; T times { n: 1..10; n * (1..10) }",
    ),
    "t, cases of n k and an array; k = 2 in all": (
        (b"2\n3 2\n1 2 3\n2 2\n5 6\n",),
        "T: 1..10; T times { n: 1..10 m: 1..10; n * (1..10) }",
    ),
    "t, cases of n m and edges; n = m in one": (
        (b"2\n3 3\n1 2\n2 3\n3 1\n2 1\n1 2\n",),
        "T: 1..10; T times { n: 1..10 m: 1..10; graph(n, m, connected, simple) }",
    ),
    "h w, grid; h = w in one sample": (
        (b"3 4\n.#..\n....\n..#.\n", b"2 2\n..\n#.\n"),
        'n: 1..10 m: 1..10; grid(n, m, ".#")',
    ),
    "n strings": ((b"3\nabc\nde\nfgh\n", b"2\nx\nyz\n"), "n: 1..10; n times { (string(1..3, a..z)) }"),
    "n m k, arrays of n and of m; n = m = k in one sample": (
        (b"3 3 3\n1 2 3\n4 5 6\n", b"3 2 4\n9 8 7\n1 1\n"),
        "n: 1..10 m: 1..10 k: 1..10; n * (1..10); m * (1..10)",
    ),
    "n m, matrix; n = m in one sample": (
        (b"3 3\n1 2 3\n4 5 6\n7 8 9\n", b"2 3\n1 2 3\n4 5 6\n"),
        "n: 1..10 m: 1..10; n times { m * (1..10) }",
    ),
    "n numbers, each of two lines with its own count": (
        (b"4\n3 9 1 4\n2 7 8\n", b"4\n3 5 5 6\n2 2 1\n"),
        "n: 1..10; m: 1..10 m * (1..10); k: 1..10 k * (1..10)",
    ),
    "n m, polynomials of n + 1 and m + 1 numbers; m = n - 1": (
        (b"2 1\n8 7 9\n5 6\n", b"1 0\n3 4\n7\n"),
        "n: 1..10 m: 0..10; n+1 * (1..10); m+1 * (1..10)",
    ),
    "n, n + 1 numbers; n = 3 in both": ((b"3\n5 7 -2 9\n", b"3\n8 -4 1 6\n"), "n: 1..10; n+1 * (-10..10)"),
    "n, pairs; n = 1 in both": ((b"1\n5 9\n", b"1\n12 8\n"), "n: 1..10; n times { m: 1..10^2 k: 1..10 }"),
    "n, a number of n digits": (
        (b"6\n402711\n", b"4\n9203\n"),
        "n: 1..10; (string(n, 0..9))",
    ),
    "n m, a word of two letters; m = 2 in both": (
        (b"3 2\nLU\n", b"1 2\nUU\n"),
        'n: 1..10 m: 1..10; (string(1..2, "UL"))',
    ),
    "n m, matrix of 0 and 1 that looks like queries": (
        (b"2 4\n0 0 1 1\n1 0 0 1\n", b"4 4\n0 1 0 0\n1 0 0 1\n0 0 0 1\n1 1 0 0\n"),
        "n: 1..10 m: 1..10; n times { m * (0..1) }",
    ),
    "few numbers that are 0 or 1": ((b"3\n1 0 1\n", b"2\n0 1\n"), "n: 1..10; n * (0..10)"),
    "n, rows with 2n numbers": (
        (b"2 2\n1 2 3 4\n5 6 7 8\n", b"1 3\n9 8 7 6 5 4\n"),
        "n: 1..10 m: 1..10; n times { 2*m * (1..10) }",
    ),
    "n codes with zeros before them, and numbers": (
        (b"3 2\n0000 2\n0101 4\n1111 3\n", b"2 3\n0011 2\n0101 7\n"),
        'n: 1..10 m: 1..10; n times { (string(1..4, "01")) k: 1..10 }',
    ),
    "a number, whole in one sample": ((b"2012\n", b"0.000\n"), "(0..10000.000)"),
    "sentences of equal length": (
        (b"Was it a dog?\n", b"Was this the cat?\n"),
        '1..4 * (string(1..4, "ats?Whicdego"))',
    ),
    "lines with spaces, as many as they are": (
        (b"to be  or\nnot\n", b"a  b\nc\nd d\n"),
        'until end { string(1..9, a..z " ") }',
    ),
    "lines of signs and words, of which some are numbers": (
        (b"1,2 ,3,...,     10\n", b"1,,,4...5......6\n"),
        'until end { string(1..18, ".0,123456" " ") }',
    ),
    "pairs that no number counts": (
        (b"3\n3 7\n6 2\n", b"4\n2 9\n8 4\n5 2\n6 4\n9 3\n"),
        "n: 1..10; until end { (1..10) (1..10) }",
    ),
    "rectangles: four numbers of a line are columns": (
        (b"2\n7 3 8 4\n5 9 6 10\n", b"3\n6 8 7 10\n9 5 10 6\n8 7 9 9\n"),
        "n: 1..10; n times { m: 1..10 k: 1..10 q: 1..10 a: 1..10 }",
    ),
    "n q, weighted tree, queries of two kinds; n-1 = q in one sample": (
        (b"4 3\n1 2 5\n2 3 7\n2 4 1\n2 1 3\n1 2 10\n2 3 4\n", b"2 2\n1 2 1000\n2 2 1\n2 1 2\n"),
        "n: 1..10 m: 1..10; tree(n, weight=1..10^3); "
        "m times { either { 1 k: 1..n q: 1..10 } or { 2 k: 1..n q: 1..n } }",
    ),
    "n, IP addresses with lengths of prefixes": (
        (b"2\n10.0.0.0/8\n192.168.0.0/16\n", b"1\n172.16.0.0/12\n"),
        'n: 1..10; n times { fields(0..255 "." 0..255 "." 0..255 "." 0..255 "/" 0..32) }',
    ),
    "versions are no IP addresses": (
        (b"2\n1.2.3.400\n2.0.1.7\n", b"1\n3.10.0.2\n"),
        'n: 1..10; n times { fields(1..10 "." 0..100 "." 0..10 "." 1..1000) }',
    ),
    "T, lists with a blank line behind each": (
        (b"2\n4\n3 1 2 3\n\n3\n1 5 2\n\n", b"1\n5\n5 0 3 1 4\n\n"),
        'T: 1..10; T times { n: 1..10; n * (0..10); "" }',
    ),
    "T, lists with a blank line between them": (
        (b"2\n4\n3 1 2 3\n\n3\n1 5 2\n", b"1\n5\n5 0 3 1 4\n"),
        'T: 1..10; T times { n: 1..10; n * (0..10); "" }',
    ),
    "commands up to END": (
        (b"ADD 7\nADD 12\nLIST\nDEL 7 8\nLIST\nEND\n", b"LIST\nADD 8\nEND\n"),
        'until "END" { either { "ADD" n: 1..10^2 } or { "DEL" n: 1..10 m: 1..10 } or { "LIST" } }',
    ),
    "a single number that might be a last line": ((b"0\n",), "n: 0..10"),
    "commands up to the end": (
        (b"push 3\npop\npush 4\npush 5\npop\n", b"push 2\npop\npush 1\n"),
        'until end { either { "pop" } or { "push" n: 1..10 } }',
    ),
    "n W, weights and values": (
        (b"3 8\n3 30\n4 50\n5 60\n", b"2 2\n1 5\n2 7\n"),
        "n: 1..10 m: 1..10; n times { k: 1..m q: 1..10^2 }",
    ),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", FORMATS)
def test_a_usual_format_is_read_as_it_is_meant(name: str) -> None:
    samples, expected = FORMATS[name]
    lines = on_one_line(infer(samples)).split("; ")
    assert "; ".join(line for line in lines if not line.startswith("#")) == expected
