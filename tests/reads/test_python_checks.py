"""What an input validator in Python reads is written as a shape: lines, and what it demands of their values."""

import time
from contextlib import suppress

import pytest

from conftest import PackageMaker
from harness.package.load import load
from harness.reads.nodes import Unknown, UnreadableError
from harness.reads.python_checks import is_certain, shape_of_checks
from harness.search.reads_of_programs import _NARROW, _WIDE, described_shape
from harness.shapes import parsed, read_shape

HEAD = "import re, sys\nfrom sys import stdin\n"
CHECKS = [
    # a pattern, then words of the line, then assertions
    (
        """
integer = "(0|-?[1-9]\\d*)"
two = re.compile(integer + " " + integer + "\\n")
line = stdin.readline()
assert two.match(line)
n, T = list(map(int, line.split()))
assert 1 <= n <= 10000 and 1 <= T <= 47
for i in range(n):
    line = stdin.readline()
    assert two.match(line)
    c, t = map(int, line.split())
    assert 1 <= c <= 10 ** 5 and 0 <= t < T
assert len(stdin.readline()) == 0
""",
        "n: 1..10000 T: 1..47; n times { (1..100000) (0..T-1) }",
    ),
    # an array and its length; a constant that has a name
    (
        """
MOST = 10**9
n = int(input())
assert 2 <= n <= 30
m = [int(x) for x in input().split()]
assert len(m) == n - 1
assert max(m) <= MOST
assert min(m) >= 0
""",
        "n: 2..30; n-1 * (0..1000000000)",
    ),
    ("n = int(input())\nassert 1 <= n < 10\nfor x in [*map(int, input().split())]: assert -5 <= x <= n\n", None),
    (
        "n = int(input())\nassert 1 <= n < 10\na = input().split()\nassert len(a) == n\n"
        "for x in a: assert 0 < int(x) <= n\n",
        "n: 1..9; n * (1..n)",
    ),
    (
        "n = int(input())\nassert 0 < n <= 9\na = list(map(int, input().split()))\nassert n == len(a) == len(set(a))\n"
        "assert all(1 <= x <= 10 for x in a)\n",
        "n: 1..9; distinct(n * (1..10))",
    ),
    # edges: in rows that differ, with ends that do
    (
        """
line = sys.stdin.readline()
n, m = map(int, line.split())
assert 3 <= n <= 50 and 0 <= m <= n * (n - 1) / 2
edges = set()
for i in range(m):
    a, b = map(int, sys.stdin.readline().split())
    assert 0 <= a < n and 0 <= b < n
    assert a != b
    assert (a, b) not in edges
    edges.add((a, b))
""",
        "n: 3..50 m: 0..1225; graph(n, m, base=0)",
    ),
    (
        "n = int(input())\nassert 1 <= n <= 9\nseen = set()\nfor i in range(n):\n a, b = map(int, input().split())\n"
        " assert 1 <= a < b <= 10\n assert (a, b) not in seen\n seen.add((a, b))\n",
        "n: 1..9; distinct(n times { a: 1..10 (a+1..10) })",
    ),
    # a board, whose rows are kept in variables
    (
        """
line = sys.stdin.readline()
coords = [int(x) for x in line.split()]
assert len(coords) == 2
N, M = coords
assert 3 <= N <= 100 and 3 <= M <= 100
for i in range(N):
    line = sys.stdin.readline()
    assert re.match("^[.#]+$", line)
    s = line.strip()
    assert len(s) == M
""",
        'N: 3..100 M: 3..100; grid(N, M, ".#")',
    ),
    # functions; letters one by one; the end of the line counts
    (
        """
def read(n, least=1):
    line = sys.stdin.readline()
    assert line[-1] == '\\n'
    line = line[:-1]
    assert len(line) == n
    for sym in set(line): assert sym in 'BR'
    return line
n = int(sys.stdin.readline())
if not 3 <= n <= 10**5:
    sys.exit(43)
pre = read(n)
post = read(n)
assert pre != post
""",
        'n: 3..100000; (string(n, "BR")); (string(n, "BR"))',
    ),
    (
        "line = stdin.readline()\nassert re.match('[a-c]+\\n', line)\nassert len(line) <= 101\n",
        '(string(1..100, "abc"))',
    ),
    # all lines at first
    (
        """
data = []
for line in sys.stdin:
    if line.strip() != "": data.append(line.strip())
N, R = list(map(int, data[0].split()))
assert 1 <= N <= 100
assert 1 <= R <= 5
assert len(data) == R+1
for i in range(1, R+1):
    c, r = list(map(int, data[i].split()))
    assert 100 <= c <= 1000
    assert 1 <= r <= 100
""",
        "(1..100) R: 1..5; R times { (100..1000) (1..100) }",
    ),
    ("lines = sys.stdin.read().splitlines()\nx = int(lines[0])\nassert abs(x) <= 7\n", "(-7..7)"),
    # words to choose from, and a number at a place of the line
    (
        "form = '{0} {1}'.format('[a-z]{1,5}', '[1-9][0-9]*')\nline = input()\nassert re.fullmatch(form, line)\n"
        "a = line.split()\nassert int(a[1]) <= 12\n",
        "(string(1..5, a..z)) (1..12)",
    ),
    ("op, x = input().split()\nassert op in ['add', 'take']\nassert 1 <= int(x) <= 3\n", '"add"|"take" (1..3)'),
    ("n = int(input())\nif n < 1 or n > 8: raise ValueError(n)\n", "(1..8)"),
    ("x = float(input())\nassert 0.5 <= x < 2\n", "(0.5..2.00)"),
    (
        "import sys\nx, y = next(sys.stdin).split()\nassert 0 <= int(x) <= 4\nassert len(y) == 2\n",
        "(0..4) (string(2, a..z))",
    ),
    ("a, b = int(input()), int(input())\nassert 1 <= a <= 1e5 and b in range(5)\n", "(1..100000); (0..4)"),
    (
        "def arg(name): return sys.argv[1]\nx = int(input())\nassert 1 <= x <= 9\nif arg('g') == '1': assert x < 5\n",
        "(1..9)",
    ),
    ("a = b = int(input())\nassert 1 <= a\nassert b <= 9\n", "(1..9)"),
    ("assert 1 <= int(input()) <= 100\n", "(1..100)"),
    ("x = int(input())\nassert x <= 0\n", "(0..0)"),
    ("n = int(input())\nlim = 2 * n\nn = int(input())\nassert 1 <= n <= lim\n", "n: 1..10; (1..2*n)"),
    ("for line in sys.stdin:\n x = int(line)\n assert 1 <= x <= 9\n", "until end { (1..9) }"),
]


@pytest.mark.parametrize(("source", "text"), CHECKS)
def test_a_validator_in_python_is_a_shape(source: str, text: str | None) -> None:
    if text is None:
        with pytest.raises(UnreadableError, match="how many"):
            shape_of_checks(HEAD + source, Unknown())
    else:
        assert read_shape(shape_of_checks(HEAD + source, Unknown())).block == read_shape(text).block


@pytest.mark.parametrize(
    "source",
    [
        "while True: print(input())\n",
        "n = int(input())\nif n > 3: m = int(input())\n",
        "for x in [1, 2]: y = input()\n",
        "a, b = input().split()\nx = [input() for _ in range(3)]\n",
        "x = input().split()[10**9]\n",
        "print(1)\n",
        "t = sys.stdin.read().split()\nn = int(t[0])\nassert 1 <= n <= 9\n",
    ],
)
def test_what_no_shape_expresses_is_refused(source: str) -> None:
    with pytest.raises(UnreadableError):
        read_shape(shape_of_checks(HEAD + source, Unknown()))


N = "n = int(input())\nassert 1 <= n <= 1000\n"
X = "x = int(input())\nassert -5 <= x <= 1000\n"
NOT_NARROWED = [
    # a variable that changes from round to round, or under a condition, is no limit
    (N + "known = 1\nfor i in range(n): p = int(input()); assert 1 <= p <= known; known += 1\n", b"2\n1\n2\n"),
    (
        N + "last = 0\nfor i in range(n):\n t = int(input())\n assert 0 <= t <= last + 9\n last = t\n",
        b"2\n9\n18\n",
    ),
    ("N = 5\nif len(sys.argv) > 1: N = int(sys.argv[1])\nx = int(input())\nassert 1 <= x <= N\n", b"9\n"),
    (N + "limit = 5\nwhile limit < n: limit *= 2\nm = int(input())\nassert 1 <= m <= limit\n", b"9\n9\n"),
    # what is demanded only of some inputs
    (N + "for i in range(n):\n x = int(input())\n if x == -1: continue\n assert 0 <= x <= 50\n", None),
    (N + "def check(n):\n if n > 5: return\n assert n <= 5\ncheck(n)\n", None),
    (X + "if x <= 50: sys.exit(42)\nassert x >= 60\n", None),
    (X + "if x <= 50: exit(0)\nassert x >= 60\n", None),
    (X + "try: assert x <= 10\nexcept AssertionError: print(x)\n", None),
    (X + "def small(x):\n assert x <= 10\n return True\nassert x == 1000 or small(x)\n", b"1000\n"),
    (
        "a = [int(x) for x in input().split()]\nassert len(a) == 2\nassert all(1 <= x <= 9 for x in a if x != -1)\n",
        None,
    ),
    ("a = list(map(int, input().split()))\nassert len(a) == 3\nassert len(set(a)) == 2\n", b"1 1 2\n"),
    (N + "for i in range(n): x = int(input()); assert 0 <= x <= 9; assert x not in (3, 7)\n", b"2\n1\n1\n"),
    # signs, zeros, and patterns that do not say all
    ("line = input()\nassert re.match('^[-]?[0-9]+$', line)\nx = int(line)\nassert x <= 9\n", b"-5\n"),
    ("line = input()\nassert re.match('^([1-9][0-9]*|0)$', line)\nassert int(line) <= 9\n", b"0\n"),
    ("s = input()\nassert re.search('[A-Z]', s)\nassert len(s) < 9\n", b"aBc\n"),
    ("s = input()\nassert all(c in 'abc' for c in s)\nassert s[0] in 'a' and len(s) < 5\n", b"abc\n"),
    ("import limits\nx = int(input())\nassert x <= 5\nassert abs(x) <= limits.X\n", b"-9\n"),
    ("s = input()\nassert s.isalpha() and 1 <= len(s) <= 100\n", None),
]


@pytest.mark.parametrize(("source", "data"), NOT_NARROWED)
def test_what_is_not_demanded_of_all_inputs_is_no_limit(
    double_with: PackageMaker, source: str, data: bytes | None
) -> None:
    """Either an input that fits is of the shape, or the validators are asked about limits as for a guess."""
    if data is None:
        package = load(double_with({"input_validators/validate.py": HEAD + source}))
        described = [described_shape(package, [sample]) for sample in (b"5\n", b"1\n5\n", b"1 5\n", b"aba\n")]
        assert not any(each.has_limits for each in described if each is not None)
    else:
        narrow, wide = (shape_of_checks(HEAD + source, each) for each in (_NARROW, _WIDE))
        has_limits = narrow == wide and is_certain(HEAD + source)
        assert parsed(read_shape(wide), data) is not None or not has_limits


HOSTILE = [
    "".join(f"a{n} = a{n - 1} * 1000\n" if n else "a0 = 'x'\n" for n in range(20))
    + "assert re.match(a19, input())\n",
    "assert re.match(" + "(" * 9 + "'a'" + " * 1000)" * 9 + ", input())\n",
    "".join(f"def f{n}(): f{n - 1}(); f{n - 1}()\n" if n else "def f0(): input()\n" for n in range(40))
    + "f39()\n",
    "".join(f"def f{n}(x): f{n - 1}(x + x)\n" if n else "def f0(x): input()\n" for n in range(40))
    + "f39(int(input()))\n",
    "x = int(input())\nassert x <= " + "(" * 80 + "1" + ")" * 80 + "\n",
    "x = int(input())\nassert " + " and ".join(["x <= 5"] * 3000) + "\n",
    "a = input().split()\nassert len(a) == 10**9 and len(a) == 1000000000\n",
    "def f(n): return f(n) + f(n)\nx = int(input())\nassert x <= f(1)\n",
    "assert '{9}{}'.format(input()) == ''\n",
    "x = int(input())\nassert x <= 10**10**10\n",
    "print 'a validator in Python 2'\n",
    "x = " + "(" * 5000 + "\n",
    "\0",
]


@pytest.mark.parametrize("source", HOSTILE)
def test_a_hostile_validator_costs_little(double_with: PackageMaker, source: str) -> None:
    package = load(double_with({"input_validators/validate.py": HEAD + source}))
    described_shape(package, [b"5\n"])
    began_s = time.process_time()
    with suppress(Exception):
        shape_of_checks(HEAD + source, Unknown())
    assert time.process_time() - began_s < 2


def test_a_validator_in_python_tells_the_limits_that_no_sample_shows(double_with: PackageMaker) -> None:
    source = "import sys\nx = int(sys.stdin.readline())\nassert -1000 <= x <= 1234567\nsys.exit(42)\n"
    package = load(double_with({"input_validators/validate.py": source}))
    described = described_shape(package, [b"5\n"])
    assert described is not None and described.has_limits
    assert described.shape.block == read_shape("(-1000..1234567)").block
    assert described_shape(package, [b"5 5\n"]) is None


@pytest.mark.parametrize(
    ("source", "has_limits"),
    [
        ("assert 1 <= x <= 5\n", True),
        ("assert 1 <= x\n", False),
        ("assert x <= 5\n", False),
        ("assert 1 <= x <= int(sys.argv[1])\n", False),
        ("assert re.match('[0-9]{1,3}$', line)\nassert x <= 200\n", True),  # without a sign: at least 0
        ("def arg(): return sys.argv[1]\nassert 1 <= x <= 9\nif arg() == '1': print(arg())\n", True),
        ("def arg(): return sys.argv[1]\nassert 1 <= x <= 9\nif arg() == '1': assert x < 5\n", False),
        ("assert re.match('[0-9]', line)\nassert x <= 200\n", False),  # more may follow
    ],
)
def test_a_source_shows_every_limit_or_not(double_with: PackageMaker, source: str, has_limits: bool) -> None:
    head = "import re, sys\nline = sys.stdin.readline()\nx = int(line)\n"
    package = load(double_with({"input_validators/validate.py": head + source}))
    described = described_shape(package, [b"5\n"])
    assert described is not None and described.has_limits is has_limits


def test_a_validator_that_shows_every_limit_comes_first(double_with: PackageMaker) -> None:
    limits = "x = int(input())\nassert 1 <= x <= 50\n"
    package = load(double_with({"input_validators/a.py": "x = int(input())\n", "input_validators/b.py": limits}))
    described = described_shape(package, [b"5\n"])
    assert described is not None and described.shape.block == read_shape("(1..50)").block
