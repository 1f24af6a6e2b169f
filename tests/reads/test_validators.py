"""What an input validator reads is written as a shape: Checktestdata's language, and calls of C++ libraries."""

import pytest

from conftest import PackageMaker
from harness.package.load import load
from harness.reads.cpp_validators import shape_of_cpp
from harness.reads.ctd import shape_of_ctd
from harness.reads.nodes import Unknown, UnreadableError
from harness.reads.patterns import word_of_pattern
from harness.search.preparation import shape_from_recipe
from harness.search.reads_of_programs import described_shape
from harness.search.target import target_of
from harness.shapes import read_shape

CTD = [
    ("INT(1,10^5,n) NEWLINE REP(n,SPACE) INT(-5,5) END NEWLINE EOF", "n: 1..100000; n * (-5..5)"),
    ("INT(1,9,n) REP(n) SPACE INT(0,n) END NEWLINE", "n: 1..9 n * (0..n)"),
    ("INT(2,9,n) NEWLINE REPI(i,n-1) INT(0,i) NEWLINE END", "n: 2..9; n-1 times as i { (0..i-1) }"),
    (
        'INT(1,50,h) SPACE INT(1,50,w) NEWLINE REP(h) REP(w) REGEX("[.#]") END NEWLINE END',
        'h: 1..50 w: 1..50; grid(h, w, ".#")',
    ),
    (
        "INT(2,20,n) SPACE INT(0,n*(n-1)/2,m) NEWLINE REP(m) INT(1,n,a) SPACE INT(1,n,b) NEWLINE ASSERT(a!=b) END",
        "n: 2..20 m: 0..190; graph(n, m)",
    ),
    (
        'INT(0,52,n) NEWLINE REPI(i,n) INT(1,13,x[i]) SPACE REGEX("C|D",y[i]) NEWLINE END ASSERT(UNIQUE(x,y))',
        "n: 0..52; distinct(n times { (1..13) C|D })",
    ),
    ('REGEX("[a-z]+", s) NEWLINE ASSERT(1 <= STRLEN(s) && STRLEN(s) <= 10^6)', "(string(1..1000000, a..z))"),
    ('INT(1,9,n) NEWLINE REGEX("[0-2]+", s) NEWLINE ASSERT(STRLEN(s) == n)', 'n: 1..9; (string(n, "012"))'),
    ("FLOAT(0,1) SPACE FLOATP(-1,2.5,1,3) NEWLINE", "(0..1.00) (-1.0..2.500)"),
    ("INT(1,10,n) NEWLINE REPI(i,n,SPACE) INT(0,i) END NEWLINE", "n: 1..10; n * (0..10)"),
    ("FLOAT(0.5,0.999) NEWLINE", "(0.5..0.999)"),
    ("INT(1,10,n) SPACE INT(0,n%3) NEWLINE", "n: 1..10 (0..2)"),
    ('REP(k[0]) REGEX("[.#]{3}") NEWLINE END', 'grid(10, 3, ".#")'),
    ("INT(1,9,n) NEWLINE REPI(i,n) IF(i>0) SPACE END INT(0,5) END NEWLINE", "n: 1..9; n * (0..5)"),
    ("WHILE(!ISEOF) INT(1,9) NEWLINE END", "until end { (1..9) }"),
    ('INT(1,9,n) NEWLINE IF(n==1) ASSERT(n>0) END STRING("end") NEWLINE', '(1..9); "end"'),
    (
        "INT(1,9,lines) NEWLINE INT(1,9,n) NEWLINE REP(n) INT(1,lines) NEWLINE END",
        "lines: 1..9; n: 1..9; n times { (1..lines) }",
    ),
]


@pytest.mark.parametrize(("source", "text"), CTD)
def test_a_ctd_file_is_a_shape(source: str, text: str) -> None:
    assert read_shape(shape_of_ctd(source, Unknown())).block == read_shape(text).block


CALLS = [
    # testlib
    (
        'int main() { int n = inf.readInt(1, 1e5, "n"); inf.readSpace(); int k = inf.readInt(0, n - 1, "k");'
        " inf.readEoln(); for (int i = 0; i < n; i++) { if (i) inf.readSpace(); inf.readInt(1, 9); } inf.readEoln(); }",
        "n: 1..100000 (0..n-1); n * (1..9)",
    ),
    (
        'int main() { string s = inf.readToken("[a-c]{1,20}", "s"); inf.readEoln(); }',
        '(string(1..20, "abc"))',
    ),
    (
        'int main() { inf.readLong(1LL, 1000000000000LL, "n"); inf.readSpace(); inf.readInt(0, 1001, "m");'
        " inf.readEoln(); }",
        "(1..1000000000000) (0..1001)",
    ),
    (
        'int main() { string s = inf.readLine("[a-c]{1,20}", "s"); inf.readInt(0x10, 1 << 5); inf.readEoln(); }',
        '(string(1..20, "abc")); (16..32)',
    ),
    (
        "const int N = 2e5 + 10, K = N; /* N = 5; */ int best = 7; int main() { inf.readInt(std::min(1, 2), K);"
        " inf.readSpace(); inf.readInt(0, best); best += 100; inf.readEoln(); }",
        "(1..200010) (0..10)",
    ),
    # the Swedish contests
    (
        "const int MAX = 200; void run() { int n = Int(2, MAX); Endl(); auto x = SpacedInts(n, 1, 6); AssertUnique(x);"
        " for (int i = 1; i < n; ++i) { int a = Int(1, n); Space(); int b = Int(1, n); Endl(); assert(a != b); } }",
        "n: 2..200; distinct(n * (1..6)); graph(n, n-1)",
    ),
    (
        'void run() { int t = Int(1, Arg("t")); Endl(); while (t--) { Int(1, 9); Endl(); } }',
        "t: 1..10; t times { (1..9) }",
    ),
    (
        "void run() { int r = Int(1, 9); Space(); int c = Int(1, 9); Endl();"
        " for (int i = 0; i < r; i++) { for (int j = 0; j < c; j++) { char x = Char(); } Endl(); } }",
        'r: 1..9 c: 1..9; grid(r, c, "xo")',
    ),
    # the German contests, whose upper limits are the first number that is too large
    (
        "int main() { Integer n = testIn.integer(1, 100'001); testIn.newline();"
        " for (int i = 0; i < n; i++) { testIn.integer(0, n + 1); testIn.newline(); } }",
        "n: 1..100000; n times { (0..n) }",
    ),
    # BAPCtools
    (
        'int main() { int n = v.read_integer("n", 1, min(50, 60)); v.newline();'
        ' v.read_integers("a", n, 1, 5, UniqueTag{}); v.read_string("s", 1, n, "ab"); v.newline(); }',
        'n: 1..50; n * (1..5); (string(1..n, "ab"))',
    ),
    (
        "int main() { int n = v.read_integer(\"n\", 1, 9); v.newline(); for (int i = 0; i < n; i++) {"
        ' v.read_integer("x", 1, 5); if (i == n - 1) v.newline(); else v.space(); } }',
        "n: 1..9; n * (1..5)",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("source", "text"), CALLS)
def test_calls_of_a_library_are_a_shape(source: str, text: str) -> None:
    assert read_shape(shape_of_cpp(source, Unknown(letters=b"xo"))).block == read_shape(text).block


@pytest.mark.parametrize(
    "source",
    [
        "int main() { int n; cin >> n; }",
        "int main() { int t = Int(1, 2); Space(); if (t > 1) Int(1, 9); Endl(); }",
        "int main() { int n = Int(1, 9); Endl(); for (int i = 0; i < n % 3; i++) { Int(1, 9); Endl(); } }",
        "int main() { if (Int(1, 5) > 3) Endl(); Endl(); }",
        "int main() { readStrings(3); Endl(); }",
        "int main() { char c = Char(); if (c == 'x') { Space(); Int(1, 5); } Endl(); }",
        "int main() { int t = Int(1, 100); if (t == 50) { Space(); Int(1, 9); } Endl(); }",
        "int main() { while (true) { Int(1, 9); Endl(); } }",
        "int main() { int n = Int(1, 9); Space(); for (int i = 0; i < n; i++) { Int(1, 9); Endl(); } }",
    ],
)
def test_other_reads_are_refused(source: str) -> None:
    with pytest.raises(UnreadableError):
        shape_of_cpp(source, Unknown())


def test_lines_of_several_forms_are_refused_in_a_ctd_file() -> None:
    with pytest.raises(UnreadableError):
        shape_of_ctd("INT(1,3,t) IF(t==1) SPACE INT(1,5) ELSE IF(t==2) SPACE INT(0,9) END END NEWLINE", Unknown())


@pytest.mark.parametrize(
    ("pattern", "letters", "length"),
    [
        ("[A-C][a-c]{0,4}", b"ABCabc", ("1", "5")),
        (r"[^\d!-/:-~]*x", b"x", ("1", "")),
        (r"([01]|2)+", b"012", ("1", "")),
        ("[ab]{3}", b"ab", ("3", "3")),
        (r"[a\-z]", b"-az", ("1", "1")),
    ],
)
def test_a_pattern_gives_letters_and_a_length(pattern: str, letters: bytes, length: tuple[str, str]) -> None:
    word = word_of_pattern(pattern)
    assert (bytes(sorted(set(word.letters))), word.length) == (letters, length)


def test_a_validator_tells_the_limits_that_no_sample_shows(double_with: PackageMaker) -> None:
    root = double_with(
        {
            "input_validators/validate.py": None,
            "input_validators/limits.ctd": "INT(-1000,1234567) NEWLINE EOF\n",
        }
    )
    package = load(root)
    shape = target_of(package, package.submissions[0]).shape
    assert shape is not None and shape.block == read_shape("(-1000..1234567)").block


def test_a_recipe_does_not_replace_what_a_validator_tells(double_with: PackageMaker) -> None:
    root = double_with(
        {
            "input_validators/validate.py": None,
            "input_validators/limits.ctd": "INT(-1000,1234567) NEWLINE EOF\n",
            "generators/generators.yaml": "data: {secret: {data: {huge: {in: '1000000'}}}}\n",
        }
    )
    package = load(root)
    target = target_of(package, package.submissions[0])
    assert target.recipe is not None
    for shape in (target.shape, shape_from_recipe(target, lambda _: [b"7 7\n"])):
        assert shape is not None and shape.block == read_shape("(-1000..1234567)").block


@pytest.mark.parametrize(
    "source",
    [
        "INT(0,1e999) NEWLINE",
        "FLOAT(0,1e999) NEWLINE",
        "INT(1)",
        'REGEX("[a-zåäö]") NEWLINE',
        "ASSERT(UNIQUE()) INT(1,9)",
        "INT(1,9) END",
    ],
)
def test_odd_sources_are_no_internal_error(double_with: PackageMaker, source: str) -> None:
    package = load(double_with({"input_validators/limits.ctd": f"{source}\n"}))
    described_shape(package, [b"5\n"])


def test_functions_that_double_what_they_read_end_soon() -> None:
    functions = "".join(f"void f{n}() {{ f{n - 1}(); f{n - 1}(); }}" for n in range(1, 40))
    with pytest.raises(ValueError, match="too many reads"):
        shape_of_cpp(f"void f0() {{ Int(1, 9); Endl(); }} {functions} int main() {{ f39(); }}", Unknown())


def test_a_validator_that_the_samples_do_not_fit_tells_nothing(double_with: PackageMaker) -> None:
    package = load(double_with({"input_validators/limits.ctd": "INT(1,9) SPACE INT(1,9) NEWLINE\n"}))
    assert described_shape(package, [b"5\n"]) is None
    assert described_shape(package, [b"5 5\n"]) is not None
