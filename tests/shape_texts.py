"""The shapes that the tests of shapes share: one of every kind, and those of the problems."""

from pathlib import Path

import yaml

from harness.package.constants import substitute
from harness.shapes import Shape, read_shape

PROBLEMS = Path(__file__).parent.parent / "problems"
SLUGS = ("apples", "bridgit", "deadlock", "eightqueens", "sokoban", "therock")

SHAPES = {
    "integers": "n: 1..1000 k: -5..5 m: n..2*n+3",
    "array": "n; a: n * (0..10^9)",
    "two_arrays": "n: 0..20 x: 1..9; a: n * (-3..3) ; b: n * (1..n)",
    "array_behind_its_length": "q: 1..9; q times { k: 0..5 k * (1..9) }",
    "matrix": "n: 1..9 m: 1..9; n times { m * (0..9) }",
    "permutation": "n: 1..50; p: permutation(n); permutation(n, base=0)",
    "string": 's: string(1..20, a..z); t: string(0..5, "ab" 0..1)',
    "strings": 'n: 1..9; n * (string(2..4, "xyz")); n times { (string(1..3, a..c)) 1..n }',
    "brackets": 'n: 1..8; b: brackets(0..n, "()[]"); brackets(2..6, "<>")',
    "fields": 'n: 1..5; n * (fields(00..23 ":" 00..59)); (fields("v" 0..9 "." 8..120)) d: fields(1..2 "/" 07..112)',
    "addresses": 'n: 1..3; n * (fields(string(1..3, "ab.") "@" string(2..4, a..c) ":" 1..20)); '
    'fields("<" string(1..2, "x-^]") ">")',
    "rows": "n: 1..9; n-1 times as i { p: 1..i w: 0..9 }; 2 times as i { i * (0..1) }",
    "words": 'op: add|remove|"no answer"; "end"; ""',
    "grid": 'n: 1..12 m: 1..12; grid(n, m, ".#X", X=1)',
    "square": 'n: 2..9; g: grid(n, n, ".#oE", o=1..3, E=1)',
    "full_grid": 'n: 1..4 m: 1..4; grid(n, m, "ab", a=0..n*m, b=0..n*m)',
    "pairs": 'n: 3..8 m: 3..8; grid(n, m, "-#$.", border="#", "$"=".", "$"=1..3)',
    "fixed": 'grid(8, 8, ".Q", Q=3)',
    "tree": "n: 1..30; e: tree(n)",
    "weighted_tree": "n: 1..12; tree(n, base=0, weight=1..n)",
    "parents": "n: 1..30; p: parents(n); parents(n, base=0, root=-1)",
    "parents_anywhere": "n: 1..12; parents(n, anywhere)",
    "forest": "n: 0..20; parents(n, root=0, anywhere, forest)",
    "graph": "n: 1..9 m: 0..20; graph(n, m)",
    "simple_graph": "n: 1..12 m: 0..66; graph(n, m, connected, simple, weight=-9..9)",
    "directed_graph": "n: 2..9 m: 0..30; graph(n, m, simple, directed)",
    "rising_graph": "n: 1..9 m: 0..12 k: 0..12; graph(n, m, rising); graph(n, k, simple, rising, connected)",
    "acyclic_graph": "n: 2..8 m: 0..12 k: 0..9; graph(n, m, acyclic); graph(n, k, simple, acyclic)",
    "loopless_graph": "n: 2..8 m: 1..12 k: 1..12; graph(n, m, loopless, connected); graph(n, k, loopless, directed)",
    "decimals": "n: 1..6; x: -2.5..9 y: 0.00..1.50; n * (0..0.75); n times { a: 0.0..n b: -10..10.00 }",
    "decimal_weights": "n: 2..9 m: 1..9; graph(n, m, weight=0.50..2)",
    "queries": 'n: 1..9 q: 0..9; q times { either { 1 x: 1..n y: x..n } or { 2 x: 1..n } or { "all" } }',
    "cases": 'T: 1..6; T times { R: 1..9 C: 1..9; grid(R, C, ".#EX", E=1, X=1) }',
    "orders": "n: 0..6 k: 1..4; sorted(n * (-3..3)); a: rising(k * (0..9)); distinct(n * (1..n+1))",
    "blocks_in_order": "n: 0..3; rising(n times { (0..9) (string(1..3, a..c)) }); sorted(n times { x: 0..2 y: x..3 })",
    "different_blocks": 'n: 0..4; distinct(n times { x: 0..2 0..1 }); distinct(n times { (string(1..3, "ab")) 0..1 })',
    "names": "n: 1..4; n times { k: 1..9 w: 1..3 * (string(1..4, a..z)) }; sorted(0..4 * (0..9)) a|b x: 1..9",
    "until_zero": 'until "0 0" { n: 1..9 m: 0..9; n times { m * (0..9) } }',
    "until_end": 'until end { n: 1..5; s: string(n, "ab"); 1..n }',
    "nested": "T: 1..4; T times { n q: 1..3; a: n * (0..9); q times { l: 1..n r: l..n } }",
}


def shape_of(slug: str) -> Shape:
    """The shape that a problem declares."""
    manifest = yaml.safe_load((PROBLEMS / slug / "problem.yaml").read_text("utf-8"))
    constants = {name: {"value": str(value)} for name, value in manifest.get("constants", {}).items()}
    text = (PROBLEMS / slug / "generators" / "shape.txt").read_bytes()
    return read_shape(substitute(text, constants, Path("shape.txt")).decode())


def samples_of(slug: str) -> list[Path]:
    """The committed samples of a problem."""
    return sorted((PROBLEMS / slug / "data" / "sample").glob("*.in"))
