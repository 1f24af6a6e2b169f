"""The limits of a guessed shape are asked of the input validators, here of functions in their place."""

import math
import re
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase

import pytest

from command_line import outcome
from conftest import write_files
from harness.search.learn_limits import LimitLearner
from harness.search.numbers_in_sources import NumbersOfReference, named_limits
from harness.search.sources import randoms
from harness.search.wider_shapes import freer_shapes, plausible_shape, wider_shapes
from harness.shapes import infer, parsed, read_shape
from harness.shapes.limits import Span, of_whole_kinds, spans

KNAPSACK = b"3 10\n5 5\n6 6\n4 4\n"
WORDS = b"5\nab\ncab\nb\nca\nbbb\n"


def knapsack(data: bytes) -> bool:
    head, *rows = [list(map(int, line.split())) for line in data.splitlines()]
    fitting = all(1 <= value <= 10**9 and 1 <= weight <= head[1] for value, weight in rows)
    return 1 <= head[0] <= 100 and 1 <= head[1] <= 50_000 and fitting


def words(data: bytes) -> bool:
    return data.count(b"\n") <= 301 and re.fullmatch(rb"[0-9]+\n([a-z]{1,20}\n)+", data) is not None


def learnt(text: str, valid: Callable[[bytes], bool], named: Sequence[int] = ()) -> Sequence[Span]:
    """The limits of a shape that validators tell. named: numbers in their sources."""

    def all_valid(inputs: Sequence[bytes]) -> list[bool]:
        return list(map(valid, inputs))

    return spans(LimitLearner(shape=read_shape(text), valid=all_valid, deadline_s=math.inf, named=named).run())


def widened(sample: bytes, valid: Callable[[bytes], bool]) -> list[tuple[int | None, int | None]]:
    return [(span.low, span.high) for span in learnt(infer([sample]), valid)]


def test_limits_far_beyond_the_samples_are_found() -> None:
    n, capacity, value, weight = widened(KNAPSACK, knapsack)
    assert n == (1, 100)
    assert capacity == (1, 50_000)
    assert value == (1, 10**9)
    assert weight[1] in (None, 50_000)


def test_a_number_that_is_no_larger_than_another_goes_as_far_as_that_one() -> None:
    def hidden(data: bytes) -> bool:
        high, low = map(int, data.split())
        return 1 <= low <= high <= 2 * 10**9

    assert widened(b"10 3\n", hidden)[1][1] == 2 * 10**9


def test_the_number_and_the_length_of_words_are_found() -> None:
    assert widened(WORDS, words) == [(1, 300), (1, 20)]


def sets(data: bytes) -> bool:
    head, *rows = [list(map(int, line.split())) for line in data.splitlines()]
    kinds = all(len(row) == (2 if row[0] == 2 else 3) and 1 <= row[0] <= 2 for row in rows)
    return 1 <= head[0] <= 2000 and len(rows) == head[1] <= 300 and all(
        1 <= value <= head[0] for row in rows for value in row[1:]
    ) and kinds  # fmt: skip


def test_inputs_without_a_value_say_nothing_about_its_limits() -> None:
    """A form that does not occur, a block that is repeated no times: such inputs are valid whatever the limit is."""
    limits = widened(b"4 5\n1 1 2\n2 1\n1 4 3\n2 4\n1 2 2\n", sets)
    assert limits[:2] == [(1, 2000), (0, 300)]
    assert [low for low, high in limits if low is not None and low == high] == [1, 2]
    assert all(high is None for low, high in limits[3:4] + limits[6:])


def letters(data: bytes) -> bool:
    return re.fullmatch(rb"[a-z]{1,50}\n[a-z]{1,50}\n", data) is not None


def test_a_string_of_few_letters_may_hold_any_of_their_kind() -> None:
    assert [len(span.alphabet) for span in learnt(infer([b"abcabc\nbc\n"]), letters)] == [26, 26]


def test_numbers_that_no_machine_word_holds_go_on_to_hundreds_of_digits() -> None:
    def valid(data: bytes) -> bool:
        return all(len(word.lstrip(b"-")) <= 1000 for word in data.split())

    wide = learnt(infer([b"99999999999999999999 1\n", b"-5 -123456789012345678901\n"]), valid)
    assert [(span.low, span.high) for span in wide] == [(-(10**999), 10**999)] * 2


def simple_graph(data: bytes) -> bool:
    (n, m), *edges = [list(map(int, line.split())) for line in data.splitlines()]
    pairs = {(min(edge), max(edge)) for edge in edges}
    return n <= 1000 and len(edges) == len(pairs) == m <= 5000 and all(1 <= a < b <= n for a, b in pairs)


def test_edges_of_a_simple_graph_have_another_turn_when_there_may_be_more_vertices() -> None:
    n, m, *_ = widened(b"4 5\n1 2\n2 4\n1 3\n3 4\n1 4\n", simple_graph)
    assert (n[1], m[1]) == (1000, 5000)


@pytest.mark.slow
def test_where_nothing_more_is_valid_the_guess_stays() -> None:
    guess = [(span.low, span.high) for span in spans(read_shape(infer([KNAPSACK])))]
    assert widened(KNAPSACK, lambda _: False) == guess


def test_values_of_one_kind_are_large_together_now_and_then() -> None:
    shape = read_shape("n: 3; n times { v: 1..10^9 }")
    inputs = [one.data or b"" for one in islice(randoms(shape, 1, (3,)), 200)]
    assert any(min(map(int, data.split()[1:])) > 10**8 for data in inputs)


PACKAGE = {
    "problem.yaml": "problem_format_version: 2025-09\nname: sum\nuuid: 7dd1a7f2-1f6b-4a3e-9c62-4a0f8f2f6d11\n"
    "license: unknown\ntype: pass-fail\nlimits: {time_limit: 2}\n",
    "statement/problem.en.md": "Add.\n",
    "input_validators/check.py": "import re, sys\nlines = sys.stdin.read().split('\\n')\n"
    "good = len(lines) == 3 and re.fullmatch('[1-9][0-9]{0,3}', lines[0])\n"
    "good = good and re.fullmatch('[1-9][0-9]{0,9}( [1-9][0-9]{0,9})*', lines[1])\n"
    "numbers = list(map(int, lines[1].split())) if good else []\n"
    "good = good and len(numbers) == int(lines[0]) and max(numbers) <= 10**9\nsys.exit(42 if good else 43)\n",
    "submissions/accepted/right.py": "input()\nprint(sum(map(int, input().split())))\n",
    "submissions/wrong_answer/overflow.py": "input()\nprint(sum(map(int, input().split())) % 2**31)\n",
    "data/sample/1.in": "3\n1 2 3\n",
    "data/sample/1.ans": "6\n",
    "data/secret/1.in": "2\n5 7\n",
    "data/secret/1.ans": "12\n",
}


@pytest.mark.slow
def test_an_overflow_is_found_though_all_data_is_tiny(tmp_path: Path) -> None:
    root = write_files(tmp_path / "sum", PACKAGE)
    code, said = outcome("stress", root, root / "submissions/wrong_answer/overflow.py", "--time", "100")
    assert code == 1
    assert "    3\n" in said, "three numbers are the fewest that go beyond 2^31"


def test_a_count_is_not_held_down_by_inputs_that_are_invalid_for_another_reason() -> None:
    """Some query must be of the second kind, as in few of the inputs that have many vertices and few queries."""

    def valid(data: bytes) -> bool:
        head, _, *rows = data.split(b"\n")
        return max(map(int, head.split())) <= 1000 and any(row[:2] == b"2 " for row in rows)

    text = "n: 1..10 m: 1..10; parents(n); m times { either { 1 k: 1..n q: 1..9 } or { 2 k: 1..n } }"
    assert learnt(text, valid)[0].high == 1000


WRONG_BEYOND_A_THOUSAND = "n = int(input())\nprint(n if n < 1000 else 0)\n"


def test_numbers_widen_before_counts_and_negatives_only_where_there_are_some() -> None:
    shape = read_shape("n: 1..10 m: -10..10; n * (1..10)")
    first, second, third = wider_shapes(shape)
    assert [(one.low, one.high) for one in spans(first)] == [(1, 20), (-(10**4), 10**4), (1, 10**4)]
    assert [one.high for one in spans(second)] == [100, 10**6, 10**6]
    assert [(one.low, one.high) for one in spans(third)] == [(1, 2 * 10**5), (-(10**9), 10**9), (1, 10**9)]


def test_letters_widen_to_their_own_kind_only() -> None:
    shape = read_shape('(string(1..3, "abc")) (string(1..3, a..z)) (string(1..3, "aB")) (string(1..3, "()"))')
    *_, last = wider_shapes(shape)
    letters = [bytes(sorted(span.alphabet)).decode() for span in spans(last)]
    assert letters == [ascii_lowercase, ascii_lowercase, ascii_uppercase + ascii_lowercase, "()"]


def test_names_get_twice_as_many_words_and_blocks_as_many_as_all_else() -> None:
    *_, names = wider_shapes(read_shape("1..3 * (string(1..3, a..z)); n: 1..5"))
    assert [one.high for one in spans(names)][:1] == [6]
    *_, blocks = wider_shapes(read_shape("until end { 1..9 }"))
    assert [one.high for one in spans(blocks)][:1] == [2 * 10**5]


def test_an_alphabet_of_0_and_1_does_not_widen() -> None:
    assert {
        span.alphabet for shape in wider_shapes(read_shape('(string(1..3, "10"))')) for span in spans(shape)
    } == {b"10"}


def test_a_guess_of_0_or_1_stays() -> None:
    *_, last = wider_shapes(read_shape("n: 1..10; n * (0..1); n times { flag: 0..1 k: 0..10 }"))
    assert [one.high for one in spans(last)] == [2 * 10**5, 1, 1, 10**9]


def test_only_numbers_above_two_billion_widen_to_18_digits() -> None:
    *_, last = wider_shapes(read_shape("a: 1..2*10^9 b: 1..10^10"))
    assert [one.high for one in spans(last)] == [2 * 10**9, 10**18]


@pytest.mark.parametrize(("table", "count"), [(0, 200_000), (100_000, 200_000), (600_000, 599_999)])
def test_counts_widen_to_what_the_largest_table_surely_holds(table: int, count: int) -> None:
    *_, last = wider_shapes(read_shape("n: 1..10; n * (1..10)"), NumbersOfReference(table=table))
    assert [one.high for one in spans(last)] == [count, 10**9]


def test_constants_and_limits_that_are_integers_do_not_widen() -> None:
    shape = read_shape("n: 1..10 k: 8 l: 1..n; string(n, a..z)")
    *_, last = wider_shapes(shape)
    assert [(one.low, one.high) for one in spans(last)] == [(1, 2 * 10**5), (8, 8), (1, None), (None, None)]


def test_long_numbers_widen_to_many_digits() -> None:
    shape = read_shape("a: 1..10^20 b: -10^25..10^25")
    *_, last = wider_shapes(shape)
    assert [(one.low, one.high) for one in spans(last)] == [(1, 10**999), (-(10**999), 10**999)]


@pytest.mark.slow
def test_a_bug_beyond_the_samples_is_found_made_small_and_doubted(tmp_path: Path) -> None:
    files = {"1.in": "5\n", "2.in": "4\n", "my.py": WRONG_BEYOND_A_THOUSAND, "slow.py": "print(int(input()))\n"}
    write_files(tmp_path, files)
    code, said = outcome("stress", tmp_path / "my.py", "--brute", tmp_path / "slow.py")
    assert code == 1
    assert "    1000\n" in said
    assert "beyond a shape that was guessed from samples: if this input is not valid, give --shape." in said
    assert "its largest number is 1000, that of the samples 5: is it allowed?" in said


@pytest.mark.parametrize(
    ("samples", "other"),
    [
        ([b"3\n1 2 3\n", b"2\n2 1\n"], b"5\n7 7 100 9 7\n"),
        ([b"4\n1 2 3 1\n", b"3\n3 1 3\n"], b"5\n700 -3 0 10 1000000000\n"),
        ([b"0.500\n", b"2012\n"], b"-12345678.123456789\n"),
        ([b"a@aa\n", b"aa@\n"], b"bob@bobbob\n"),
    ],
)
def test_the_freest_shapes_allow_what_samples_show_only_by_chance(samples: list[bytes], other: bytes) -> None:
    assert any(parsed(shape, other) is not None for shape in freer_shapes(read_shape(infer(samples))))


def test_limits_are_read_in_the_sources_of_validators() -> None:
    source = "n = Int(1, 100'000); assert 1 <= k <= 10**9 or k < 4_096 << 2; x = 1e6; y = INT(0, 10^5+1); z = 3.5"
    named = named_limits([source])
    assert {100_000, 99_999, 10**9, 10**9 - 1, 16_384, 16_383, 10**6} <= set(named)
    assert not {3, 5, 41, 42} & set(named_limits(["sys.exit(42) # 3.5"]))
    assert named_limits([" ".join(map(str, range(100, 200)))]) == [], "a table"


@pytest.mark.parametrize(
    ("source", "limit"),
    [
        ("int dp[1001][51];", 1000),
        ("const int N = 1e5 + 7;", 100_000),
        ("#define MAX 200010", 200_000),
        ("dp = [[0] * 5001 for _ in range(n)]", 5000),
        ("static final int MAXN = 30_005;", 30_000),
        ("char letter[26]; int seen[256]; int far = 1000000007;", 0),
        ("#define MOD 10007\nint a[105];", 100),
        ("// problem 1437C, 2020-12-31\nint a[i + 1];  /* up to 5000 */", 0),
        ("sys.setrecursionlimit(1500000)\nx = 360", 0),
        ("return n * 2", 0),
    ],
)
def test_the_largest_table_of_a_right_program_tells_the_first_wider_limit(source: str, limit: int) -> None:
    assert NumbersOfReference.of([source]).table == limit
    first, *_ = wider_shapes(read_shape("n: 1..10 m: 1..10; n * (1..10)"), NumbersOfReference(table=limit))
    assert [one.high for one in spans(first)] == [20, limit or 10**4, limit or 10**4]


COPIED_READER = (
    "int i() { return Integer.parseInt(next()); } long l() { return Long.parseLong(next()); }"
    "long[] longs(int n) throws IOException { long[] a = new long[n]; for (;;) { a[i] = l(); } return a; }"
)


@pytest.mark.parametrize(
    ("source", "first"),
    [
        ("if c in 'abc' or c in 'ABC' or c == 'S': pass", b".#aASBCbc"),
        ("if ('a' <= c <= 'c' || c == 'S' || c == 'A');", b".#aASbc"),
        ("if (c >= 'a' && c <= 'c' || c == 'S' || c == 'A');", b".#aASbc"),
        ("if (c == 'S' || c == 'A' || c == 'B');", of_whole_kinds(b".#aAS")),  # it does not name the a
        ("if (c == 'S' || c == 'A' || c == 'a');", of_whole_kinds(b".#aAS")),  # no other letter
    ],
)
def test_letters_that_the_reference_names_come_before_all_of_their_kind(source: str, first: bytes) -> None:
    shapes = wider_shapes(read_shape('n: 1..5; string(n, ".#aAS")'), NumbersOfReference.of([source]))
    narrow, wide, *_ = [span.alphabet for shape in shapes for span in spans(shape) if span.alphabet]
    assert set(narrow) == set(first)
    assert set(wide) == set(of_whole_kinds(b".#aAS"))


@pytest.mark.parametrize(
    "answer",
    [
        "cout << 'Y'; cout << 'N';",
        "putchar(ok ? 'Y' : 'N');",
        'System.out.println("Y"); System.out.println("N");',
        "print('Y' if ok else 'N')",
    ],
)
def test_letters_that_the_reference_only_prints_are_not_tried(answer: str) -> None:
    assert NumbersOfReference.of([f"if (c == 'S' || c == 'T') {answer}"]).letters == b"ST"


def test_a_grid_may_have_other_letters_that_the_reference_names() -> None:
    numbers = NumbersOfReference.of(["if c in 'abc' or c == 'S': pass"])
    shapes = list(wider_shapes(read_shape('T: 1..3; T times { n: 1..5; grid(n, n, ".aS", S=1) }'), numbers))
    assert all(parsed(shape, b"1\n2\nbS\n.c\n") is not None for shape in shapes)
    assert all(parsed(shape, b"1\n2\ndS\n..\n") is None for shape in shapes)


@pytest.mark.parametrize(
    ("source", "is_told"),
    [
        ('scanf("%d %I64d", &n, &k);', True),
        ('scanf("%d%lld", &n, &k);', True),
        ("long x = in.nextLong();", True),
        ('scanf("%d", &n); long long sum = 0; printf("%lld", sum * 10);', False),
        ('scanf("%d%lf", &n, &x);  // %lld', False),
        ("n = int(input())", False),
        (f"{COPIED_READER} void main() {{ n = i(); }}", False),
        (f"{COPIED_READER} void main() {{ n = i(); a = longs(n); }}", True),
        ("long l() { return Long.parseLong(next()); } main() { LongStream.generate(Main::l); }", True),
        (f"{COPIED_READER} void main() {{ if (c == '}}') n = in.nextLong(); }}", True),
        (f"int f() {{ return '{{'; }} {COPIED_READER} void main() {{ n = in.nextLong(); }}", True),
        pytest.param(f'{COPIED_READER} void main() {{ f("{"A" * 100_000}"); }}', False, id="a long word"),
    ],
)
def test_numbers_above_two_billion_are_tried_where_the_reference_reads_them(source: str, *, is_told: bool) -> None:
    numbers = NumbersOfReference.of([source])
    assert numbers.are_long is is_told
    shapes = list(wider_shapes(read_shape("n: 1..10 k: 1..10; n * (1..10)"), numbers))
    assert len(shapes) == 3 + is_told
    assert [one.high for one in spans(shapes[2])] == [2 * 10**5, 10**9, 10**9]
    if is_told:
        assert [one.high for one in spans(shapes[3])] == [2 * 10**5, 10**18, 10**18]


@pytest.mark.parametrize(
    ("source", "is_told"),
    [
        ("long long most[2] = {-1000000001, -1};", True),
        ("int best = -1e9;", True),
        ("best = max(best, -10**9)", True),
        ("return -100000;", True),
        ("if (abs(x) > best)", True),
        ("if (x < 0) x = -x;", True),
        ("if (x < 0 || x >= n) continue;", False),
        ('cout << 0 << get<0>(pair) << "\\n"; if (d < 0.5) d *= 2;', False),
        ("int x = n - 10000, none = -1;", False),
        ("if (x == -1) x = a[i]-1000;", False),
    ],
)
def test_numbers_may_be_negative_where_the_source_of_the_reference_tells_so(source: str, *, is_told: bool) -> None:
    numbers = NumbersOfReference.of([source])
    assert numbers.are_negative is is_told
    plausible = plausible_shape(read_shape("n: 1..10; n * (0..10)"), numbers)
    assert [one.low for one in spans(plausible)] == [1, -(10**9) if is_told else 0]


def first_of(data: bytes) -> int:
    return int(data.split()[0])


@pytest.mark.parametrize(
    ("shape", "named", "valid", "limit"),
    [
        *[
            ("n: 1..10 m: 1..5", named_limits([str(most)]), lambda n, most=most: n <= most, most)
            for most in (37, 40, 499, 123_456)
        ],
        ("0..1000", [99, 100, 500], lambda n: n <= 500, 500),
        ("n: 1..10; n * (1..9)", named_limits(["1000"]), lambda n: n % 2 == 0 and n <= 1000, 1000),
    ],
    ids=["37", "40", "499", "123456", "a guess beyond it", "an even count beside a named number that is odd"],
)
def test_a_limit_that_a_validator_names_is_exact(
    shape: str, named: list[int], valid: Callable[[int], bool], limit: int
) -> None:
    assert learnt(shape, lambda data: valid(first_of(data)), named)[0].high == limit


def test_named_numbers_are_asked_about_only_in_the_step_that_holds_the_limit() -> None:
    asked: list[int] = []

    def valid(data: bytes) -> bool:
        asked.append(first_of(data))
        return asked[-1] <= 4000

    assert learnt("n: 1..10; n * (1..9)", valid, [16, 511, 4000, 65_536])[0].high == 4000
    assert not {16, 511, 65_536} & set(asked)
