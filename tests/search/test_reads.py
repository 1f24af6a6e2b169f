"""What a program reads is told from its source, as a shape."""

import ast
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import Result

from command_line import invoke
from harness.errors import UsageError
from harness.reads.braces import reads_of_braces
from harness.reads.cpp_validators import shape_of_cpp
from harness.reads.nodes import Newline, Unknown, UnreadableError
from harness.reads.program_shapes import letters_of, shape_texts, value_of, words_of
from harness.reads.python import reads_of_python
from harness.reads.terms import Term, term_of
from harness.search.numbers_in_sources import NumbersOfReference
from harness.search.policy import HUNT
from harness.search.reads_of_programs import UNREADABLE, shapes_of_programs, with_names
from harness.shapes import read_shape
from search import program

PYTHON = {
    "n = int(input())\na = list(map(int, input().split()))\n": "n: 1..10\nn * (1..10)",
    "n, *a = map(int, open(0).read().split())\n": "n: 1..10 n * (1..10)",
    "n, m = map(int, input().split())\nfor _ in range(m):\n    u, v = map(int, input().split())\n": (
        "n: 1..10 m: 1..10\nm times {\n  u: 1..n v: 1..n\n}"
    ),
    "n, d = map(int, input().split())\nfor _ in range(n):\n    a, b = map(int, input().split())\n": (
        "n: 1..10 d: 1..10\nn times {\n  a: 1..10 b: 1..10\n}"
    ),
    "n, q = map(int, input().split())\nfor _ in range(q):\n    t, a, b = map(int, input().split())\n"
    "    if t == 1:\n        print(a)\n    elif t == 2:\n        print(b)\n    else:\n        print(a + b)\n": (
        'n: 1..10 q: 1..10\nq times {\n  "1"|"2"|"3" a: 1..n b: 1..n\n}'
    ),
    "q = int(input())\nfor _ in range(q):\n    t, v = map(int, input().split())\n    if t == 1:\n        print(v)\n"
    "    else:\n        print(0)\n": 'q: 1..10\nq times {\n  "1"|"2" v: 1..10\n}',
    "q = int(input())\nfor _ in range(q):\n    t, a, b = input().split()\n    if t == '1':\n        print(int(a), b)\n"
    "    else:\n        print(int(a))\n": 'q: 1..10\nq times {\n  "1"|"2" a: 1..10 (string(1..10, "01"))\n}',
    "q = int(input())\nfor _ in range(q):\n    x, y = map(int, input().split())\n    if x == 0:\n        print(y)\n"
    "    else:\n        print(0)\n": "q: 1..10\nq times {\n  x: 1..10 y: 1..10\n}",
    "n = int(input())\nh = list(map(int, input().split()))\nprint(sum(h[i + 1] - h[i] for i in range(n - 1)))\n": (
        "n: 1..10\nn * (1..10)"
    ),
    "n = int(input())\na = list(map(int, input().split()))\nfor i in range(1, n * 2 - 1):\n    print(a[i + 1])\n": (
        "n: 1..10\nn*2 * (1..10)"
    ),
    "n, k = map(int, input().split())\na = list(map(int, input().split()))\nfor i in range(1, k - 1, 2):\n"
    "    print(a[i + 1] - a[i])\n": "n: 1..10 k: 1..10\nk * (1..10)",
    "h, w = map(int, input().split())\ng = [list(map(int, input().split())) for _ in range(h)]\nprint(g)\n": (
        "h: 1..10 w: 1..10\nh times {\n  w * (1..10)\n}"
    ),
    "n, k = map(int, input().split())\ng = [list(map(int, input().split())) for _ in range(n)]\nprint(g, k)\n": (
        "n: 1..10 k: 1..10\nn times {\n  2 * (1..10)\n}"
    ),
    "t = int(input())\nfor _ in range(t):\n    n, k = map(int, input().split())\n"
    "    print(sum(map(int, input().split())))\n": "t: 1..10\nt times {\n  n: 1..10 k: 1..10\n  n * (1..10)\n}",
    "t = int(input())\nfor _ in range(t):\n    n, k = map(int, input().split())\n    if n == 1:\n        print(k)\n"
    "    elif n == 2:\n        print(0)\n    else:\n        print(1)\n": (
        "t: 1..10\nt times {\n  n: 1..10 k: 1..10\n}"
    ),
    "n = int(input())\nit = iter(map(int, sys.stdin.read().split()))\nfor _ in range(n):\n    print(next(it))\n": (
        "n: 1..10\nn * (1..10)"
    ),
    "data = sys.stdin.read().split()\np = 0\nt = int(data[p]); p += 1\nfor _ in range(t):\n"
    "    n, k = int(data[p]), int(data[p + 1])\n    p += 2\n    a = list(map(int, data[p:p + n]))\n    p += n\n": (
        "t: 1..10\nt times {\n  n: 1..10 k: 1..10\n  n * (1..10)\n}"
    ),
    "n = int(input())\na = list(map(int, input().split()))\ni = 0\nwhile i < n and a[i] > 0:\n    i += 1\n": (
        "n: 1..10\nn * (1..10)"
    ),
    "def main():\n    data = list(map(int, sys.stdin.buffer.read().split()))\n    n = data[0]; i = 1\n"
    "    for _ in range(n):\n        u = data[i]\n        v = data[i + 1]\n        i += 2\nmain()\n": (
        "n: 1..10\nn times {\n  u: 1..10 v: 1..10\n}"
    ),
    "q = int(input())\nfor _ in range(q):\n    c = input().split()\n    if c[0] == 'push':\n        s += [int(c[1])]\n"
    "    elif c[0] == 'pop':\n        s = 0\n    elif c[0] == 'top':\n        pass\n    else:\n        print(s)\n": (
        'q: 1..10\nq times {\n  either { "push" c1: 1..10 } or { "pop" } or { "top" }\n}'
    ),
    "n, q = map(int, input().split())\nfor _ in range(q):\n    e = list(map(int, input().split()))\n"
    "    if e[0] == 1:\n        print(e[2])\n    elif e[0] == 2:\n        print(e[1])\n    else:\n        print(n)\n": (
        "n: 1..10 q: 1..10\nq times {\n  either { 1 e1: 1..n e2: 1..n } or { 2 e1: 1..10 } or { 3 }\n}"
    ),
    "q = int(input())\nfor _ in range(q):\n    w = input().split()\n    t = int(w[0])\n    if t == 1:\n"
    "        print(int(w[1]) + int(w[2]))\n    if t == 2:\n        print(w[1])\n": (
        "q: 1..10\nq times {\n  either { 1 w1: 1..10 w2: 1..10 } or { 2 w1: 1..10 }\n}"
    ),
    "q = int(input())\nfor _ in range(q):\n    t, *v = map(int, input().split())\n    if t == 0:\n        x, y = v\n"
    "    elif t == 1:\n        print(v[0])\n    else:\n        print(q)\n": (
        "q: 1..10\nq times {\n  either { 0 v1: 1..10 v2: 1..10 } or { 1 v1: 1..10 } or { 2 }\n}"
    ),
    "t = int(input())\nfor _ in range(t):\n    a = list(map(int, input().split()))\n    if a[0] == 0:\n"
    "        print(0)\n    else:\n        print(a[1] // a[0])\n": "t: 1..10\nt times {\n  a0: 1..10 a1: 1..10\n}",
    "q = int(input())\nfor _ in range(q):\n    c = input().split()\n    if c[0] == 'add':\n        x, y = c[1:]\n"
    "        print(int(x), int(y))\n    elif c[0] == 'clear':\n        print(q)\n": (
        'q: 1..10\nq times {\n  either { "add" string(1..10, a..c) string(1..10, a..c) } or { "clear" }\n}'
    ),
    "q = int(input())\nfor _ in range(q):\n    c = input().split()\n    if c[0] == 'add':\n        _, *x = c\n"
    "        print(x)\n    elif c[0] == 'del':\n        print(c[1])\n": (
        "q: 1..10\nq times {\n  string(1..10, a..c) string(1..10, a..c)\n}"
    ),
    "a = list(map(int, input().split()))\nif a[0] == 0:\n    print(a[1])\nelse:\n    print(a[2])\n": (
        "a0: 1..10 a1: 1..10 a2: 1..10"
    ),
    "k, *v = map(int, input().split())\nif k == 1:\n    print(v[0])\nelif k == 2:\n    print(v[0] + v[1])\n"
    "print(sum(v))\n": "k: 1..10 k * (1..10)",
    "q = int(input())\nfor _ in range(q):\n    w = input().split()\n    print(w[0], int(w[1]), w[2])\n": (
        "q: 1..10\nq times {\n  (string(1..10, a..c)) w1: 1..10 (string(1..10, a..c))\n}"
    ),
    "w, n = map(int, input().split())\nfor _ in range(n):\n    v, u = map(int, input().split())\n": (
        "w: 1..10 n: 1..10\nn times {\n  v: 1..10 u: 1..10\n}"
    ),
    "def rows(k):\n    for _ in range(2 * k):\n        print(input())\nn = int(input())\nrows(n - 1)\n": (
        "n: 1..10\n3 times {\n  string(1..10, a..c)\n}"
    ),
    "q = int(input())\nfor _ in range(q):\n    f, x = map(int, input().split())\n    if f == False:\n        print(x)\n"
    "    elif f == True:\n        print(-x)\n": "q: 1..10\nq times {\n  f: 1..10 x: 1..10\n}",
    "input = lambda: stdin.readline()[:-1]\nn, m = map(int, input().split())\n": "n: 1..10 m: 1..10",
    "n = int(input())\nm = int(input())\na = list(map(int, input().split()))\nprint(sum(a))\n": (
        "n: 1..10\nm: 1..10\nm * (1..10)"
    ),
    "T = 1\nfor _ in range(T):\n    n = int(input())\n    print(n)\n": "n: 1..10",
    "def rows(n):\n    return [list(map(int, input().split())) for _ in range(n)]\nn, m = map(int, input().split())\n"
    "table = rows(m)\nfor a, b, c in table:\n    print(a)\n": (
        "n: 1..10 m: 1..10\nm times {\n  a: 1..n b: 1..n c: 1..10\n}"
    ),
    "def words():\n    for line in sys.stdin:\n        yield from line.split()\nit = words()\nn = int(next(it))\n"
    "p = [int(next(it)) for _ in range(n)]\nfor i in range(n):\n    u = int(next(it))\n    v = int(next(it))\n": (
        "n: 1..10\nn * (1..10)\nn times {\n  u: 1..10 v: 1..10\n}"
    ),
    "read = sys.stdin.read\nn, *a = map(int, read().split())\n": "n: 1..10 n * (1..10)",
    "input = io.BytesIO(os.read(0, os.fstat(0).st_size)).readline\nn = int(input())\n": "n: 1..10",
    "h, w = map(int, input().split())\ng = [input() for _ in range(h)]\nprint(g.count('#'))\n": (
        'h: 1..10 w: 1..10\nh times {\n  string(w, ".#")\n}'
    ),
    "input = sys.stdin.readline\nii = lambda: int(input())\ndef f():\n    n = ii()\n    s = input()\nf()\n": (
        "n: 1..10\nstring(n, a..c)"
    ),
    "class IO:\n    def readline(self):\n        return 1\ninput = lambda: sys.stdin.readline()\nn = int(input())\n": (
        "n: 1..10"
    ),
    "n = int(input())\ndef f(x):\n    return f(x - 1) + f(x + 1) + f(x + 2) + f(x + 3) + f(x + 4)\nprint(f(n))\n": (
        "n: 1..10"
    ),
    "def read(kind=int):\n    return map(kind, input().split())\nh, w = read()\n": "h: 1..10 w: 1..10",
    "def read(times, kind=int, /):\n    return map(kind, input().split())\nh, w = read(1)\n": "h: 1..10 w: 1..10",
    "def read(kind=str):\n    return map(kind, input().split())\nh, w = read(kind=int)\n": "h: 1..10 w: 1..10",
    "s = input()\nk = 'ABCDEA'\nprint('YES' if s in k else 'NO')\n": 'string(1..10, "ABCDE")',
    "n = int(input())\ng = [input() for _ in range(n)]\np = ['##.??', '?.##.']\n": (
        'n: 1..10\nn times {\n  string(n, ".#")\n}'
    ),
    "t = int(input())\nfor _ in range(t):\n    print(int(input()))\n": "t: 1..10\nt times {\n  v2: 1..10\n}",
    "line = input().split()\nn = int(line[0])\nx = float(line[1])\n": "n: 1..10 x: 1..10",
    "for _ in range(int(input())):\n    line = input().strip()\n    a, b = map(int, line.split())\n": (
        "v1: 1..10\nv1 times {\n  a: 1..10 b: 1..10\n}"
    ),
    "line = sys.stdin.readline()\nn, k, = (int(i) for i in line.split())\nassert n > 1\n"
    "line = sys.stdin.readline()\nassert len(line) == 0\n": "n: 1..10 k: 1..10",
    "n = int(input())\nline = input()\nfor i in range(n):\n    print(int(line.split()[i]))\n": (
        'n: 1..10\n(string(n, "abc"))'
    ),
    "line = input()\nassert line\nprint(line.split())\n": 'string(1..10, "abc")',
    "n = int(input())\nr = [list(map(int, input().split())) for _ in range(n - 1)]\nfor a, b, c in r:\n    pass\n": (
        "n: 1..10\ntree(n, weight=1..10)"
    ),
    "n, m = map(int, input().split())\na = list(map(int, input().split()))\nfor i in range(m):\n    print(a[i])\n": (
        "n: 1..10 m: 1..10\nm * (1..10)"
    ),
}
BRACES = {
    "int main() { cin >> q; while (q--) { cin >> t; if (t == 1) { cin >> x >> y; } else { cin >> x; } } }": (
        "q: 1..10\nq times {\n  either { 1 x: 1..10 y: 1..10 } or { 2 x: 1..10 }\n}"
    ),
    "int main() { cin >> q; while (q--) { cin >> t >> v; if (t == 0) cin >> x; if (t == 1) cin >> s; cin >> k; } }": (
        "q: 1..10\nq times {\n  either { 0 v: 1..10 x: 1..10 k: 1..10 } or { 1 v: 1..10 s: 1..10 k: 1..10 }\n}"
    ),
    """
    int main() {
        cin >> q;
        while (q--) {
            cin >> t;
            if (t == 1) { cin >> x; f(x); continue; }
            if (t == 2) { cin >> i >> j; continue; }
            cin >> k;
        }
    }
    """: ("q: 1..10\nq times {\n  either { 1 x: 1..10 } or { 2 i: 1..10 j: 1..10 } or { 3 k: 1..10 }\n}"),
    """
    int main() {
        cin >> q;
        while (q--) { cin >> t; if (t == 1) cin >> x >> y; else if (t == 2) cin >> i; else cin >> i; }
    }
    """: ("q: 1..10\nq times {\n  either { 1 x: 1..10 y: 1..10 } or { 2 i: 1..10 } or { 3 i: 1..10 }\n}"),
    'string c; int main() { cin >> q; while (q--) { cin >> c; if (c == "pop") cin >> x; if (c == "push") g(); } }': (
        'q: 1..10\nq times {\n  either { "push" } or { "pop" x: 1..10 }\n}'
    ),
    """
    public static void main(String[] args) {
        int q = in.nextInt();
        for (int i = 0; i < q; i++) {
            int type = in.nextInt();
            if (type == 1) { int at = in.nextInt(); String c = in.next(); }
            else { int l = in.nextInt(), r = in.nextInt(); }
        }
    }
    """: "q: 1..10\nq times {\n  either { 1 at: 1..10 string(1..10, a..c) } or { 2 l: 1..10 r: 1..10 }\n}",
    """
    static int I() { st.nextToken(); return (int) st.nval; }
    public static void main(String[] args) { int n = I(); int m = I(); for (int i = 1; i < n; i++) p[i] = I(); }
    """: "n: 1..10 m: 1..10\nn-1 * (1..10)",
    """
    public static void main(String[] args) {
        Scanner sc = new Scanner(System.in);
        for (int i = 0; i < 8; i++) {
            String[] m = sc.nextLine().split("");
            for (int j = 0; j < 8; j++) if (m[j].equals("*")) System.out.println(i + j);
        }
    }
    """: 'grid(8, 8, ".*")',
    'int main() { int n; scanf("%d", &n); for (int i = 0; i < n; i++) scanf("%d", &a[i]); }': "n: 1..10\nn * (1..10)",
    "int main() { int n, m; string s; cin >> n >> m; while (m--) { cin >> s; } }": (
        "n: 1..10 m: 1..10\nm times {\n  string(n, a..c)\n}"
    ),
    "int main() { int t; cin >> t; while (t--) { int n; cin >> n; vector<int> a(n); for (auto &x : a) cin >> x; } }": (
        "t: 1..10\nt times {\n  n: 1..10\n  n * (1..10)\n}"
    ),
    "void f() { int n; cin >> n; for (int i = 1; i < n; i++) { int u, v; cin >> u >> v; } } int main() { f(); }": (
        "n: 1..10\ntree(n)"
    ),
    'class Main { static void main() { String[] p = br.readLine().split(" "); int n = Integer.parseInt(p[0]);'
    " int k = Integer.parseInt(p[1]); } }": "n: 1..10 k: 1..10",
    "void f(int t) { for (int i = 1; i <= t; i++) { int n; cin >> n; } } int main() { f(1); }": "n: 1..10",
    """
    class Main {
        static boolean many = false;
        static void main(String[] args) { int t = 1; if (many) t = in.nextInt(); while (t-- > 0) solve(); }
        static void solve() {
            int n = in.nextInt(); in.nextLine(); int[] a = new int[n]; Arrays.setAll(a, $ -> in.nextInt());
            Iterator<Integer> it = list.iterator(); it.next(); Random random = new Random(); random.nextInt(n);
        }
    }
    """: "n: 1..10\nn * (1..10)",
    """
    class Main {
        Scan in = new Scan(); int n = in.num(); long[][] p = in.longTable(n, 3);
        Main() { for (long[] row : p) System.out.println(row[0]); }
        public static void main(String[] args) { new Main(); }
    }
    class Scan { Scan() { nextLine(); } int num() { return 1; } String nextLine() { return reader.readLine(); }
        long[][] longTable(int n, int m) { return null; } }
    """: "n: 1..10\nn times {\n  3 * (1..10)\n}",
    """
    class Main {
        int[] nextInts() { return Arrays.stream(reader.readLine().split(" ")).mapToInt(Main::i).toArray(); }
        public static void main(String[] args) {
            int[] ns = nextInts(); int n = ns[0], q = ns[1]; int[] a = nextInts();
            for (int i = 0; i < n; i++) System.out.println(a[i]);
            for (int j = 0; j < q; j++) { int[] row = nextInts(); f(row[0], row[1]); }
        }
    }
    """: "n: 1..10 q: 1..10\nn * (1..10)\nq times {\n  x0: 1..n x1: 1..n\n}",
    """
    class Main { public static void main(String[] args) {
        int n = Integer.parseInt(sc.next());
        for (int i = 0; i < n; i++) { String[] s = sc.next().split("");
            for (int k = 0; k < 10; k++) f(Integer.parseInt(s[k])); }
        String line = sc.nextLine();
        int b = Integer.parseInt(line.split(" ")[0]), c = Integer.parseInt(line.split(" ")[1]);
    } }
    """: "n: 1..10\ngrid(n, 10, 0..9)\nv2: 1..10 v3: 1..10",
    "class Main { static void main() { while (in.hasNext()) { double x = Double.parseDouble(in.next());"
    ' List<Integer> a = Stream.of(in.nextLine().replaceAll("x", "").split(" ")).map(Integer::parseInt).toList();'
    " f(a.get(0), a.get(1)); } } }": "(0.00..10.00)\nx0: 1..10 x1: 1..10",
    "class Main { static void main() { StreamTokenizer in = f(); in.nextToken(); int n = (int) in.nval;"
    " for (int i = 0; i < n; i++) { in.nextToken(); a[i] = (int) in.nval; } } }": "n: 1..10\nn * (1..10)",
    "int g(int k) { for (int i = 0; i < k; i++) cin >> x; } int main() { int k = 5; int n; cin >> n; g(n); }": (
        "n: 1..10\nn * (1..10)"
    ),
    "int main() { int t = 1; int m = 2; cin >> n; m += n; while (t--) { for (int i = 0; i < m; i++) cin >> a[i]; } }": (
        "n: 1..10\nn * (1..10)"
    ),
    "void read() { cin >> n; for (int i = 0; i < n; i++) cin >> a[i]; } int main() { read(); }": (
        "n: 1..10\nn * (1..10)"
    ),
    "class Main { static int getInt(int[] a, int i) { return a[i]; } static void main() { int n = in.nextInt();"
    " Rng r = new Rng(); r.seed(); System.out.println(getInt(a, 3)); } }"
    " class Rng { long next() { return 1; } long seed() { return next(); } }": "n: 1..10",
    "class Main { static void main() { int q = in.nextInt(); for (int i = 0; i < q; i++) { int t = in.nextInt();"
    " int x = in.nextInt(); switch (t) { case 1: f(x); break; case 2: g(x); break; default: h(x); } } } }": (
        'q: 1..10\nq times {\n  "1"|"2"|"3" x: 1..10\n}'
    ),
    "int main() { int n; cin >> n; while (n--) { int a; cin >> a; if (a == -1) { int b; cin >> b; } } }": (
        "n: 1..10\nn times {\n  a: 1..10 b: 1..10\n}"
    ),
    "int fib(int n) { return fib(n - 1) + fib(n - 2); } int main() { long long n; cin >> n; fib(n); }": "n: 1..10",
}


@pytest.mark.parametrize("source", PYTHON)
def test_a_python_program_says_what_it_reads(source: str) -> None:
    [text, *_] = shape_texts(reads_of_python(source), letters_of([source]))
    assert read_shape(text).block == read_shape(PYTHON[source]).block


@pytest.mark.parametrize(
    "condition",
    [
        "if (t == 5) cin >> x;",
        'if (d == "push") cin >> x;',
        "if (t == 1) while (c--) cin >> x;",
        "if (t == 1) { cin >> x; continue; } while (t--) cin >> y;",
        "} if (q == 1) { cin >> x;",
    ],
    ids=["not the first number", "nothing reads it", "a list", "it counts values", "not repeated"],
)
def test_a_program_that_reads_something_under_a_condition_that_tells_no_form_is_not_read(condition: str) -> None:
    with pytest.raises(UnreadableError):
        reads_of_braces(f"int main() {{ cin >> q; while (q--) {{ cin >> t >> c; {condition} }} }}")


@pytest.mark.parametrize("source", BRACES)
def test_a_program_with_braces_says_what_it_reads(source: str) -> None:
    [text, *_] = shape_texts(reads_of_braces(source), letters_of([source]), words_of([source]))
    assert read_shape(text).block == read_shape(BRACES[source]).block


OWN_READER = """
class Main {
    static In in = new In(System.in);
    public static void main(String[] args) { int n = in.nextInt(); edges = in.nextEdges(n, n - 1, false); }
}
class In {
    In(InputStream stream) { reader = new BufferedReader(new InputStreamReader(stream)); }
    int nextInt() { return Integer.parseInt(next()); }
    List<List<Integer>> nextEdges(int vertices, int count, boolean isDirected) {
        for (int i = 0; i < count; i++) { int u = nextInt() - 1; int v = nextInt() - 1; }
        return edges;
    }
}
"""


def test_a_method_of_a_copied_reader_reads_as_many_rows_as_its_arguments_say() -> None:
    assert shape_texts(reads_of_braces(OWN_READER), b"a")[0].endswith("tree(n)")


@pytest.mark.parametrize(
    ("source", "letters"),
    [
        ("if (s.charAt(i) == ',' || s.charAt(i) == '\"') print('.')", b'abc",'),
        ("if c != '3' and c != '7':\n    row[i] = '.'", b"0123456789"),
        ("if (s[i] == '.') t[i] = '#';", b".#"),
        ("if (s[i] == '.') free++;", b".#"),
        ("if c != '#' and c in 'abc' or c == 'S': keys += 1", b".#Sabc"),
        ("if c in 'aeiou': vowels += 1", b"abc"),
        ("if (s[i] == 'o' && t[i] == '0' || s[i] == 'l' && t[i] == '1') { alike++; }", b"lo01"),
        ("if c == 'o' or c == 'l' or kind == '1': x += 1", b"lo"),
        ("if (s.charAt(j) == 'O') held++;", b"OX"),
    ],
)
def test_letters_of_words_are_those_that_a_program_compares(source: str, letters: bytes) -> None:
    assert letters_of([source]) == letters


WORDS = 'for (int i = 0; i < n; i++) if (in.next().equals("Against")) x--; else if (in.next() == "For") x++;'


@pytest.mark.parametrize(
    ("sources", "words"),
    [
        ((WORDS,), (b"Against", b"For")),
        ((WORDS, 'print("For")'), ()),  # also printed: perhaps no word of the input
        (('if (s.equals("Against")) x--;',), ()),
    ],
)
def test_words_are_those_that_programs_only_compare(sources: tuple[str, ...], words: tuple[bytes, ...]) -> None:
    assert words_of(sources) == words


def test_words_that_are_told_apart_are_tried_before_any_letters() -> None:
    nodes = reads_of_python("for _ in range(int(input())):\n    s = input()")
    first, *others = shape_texts(nodes, b"a", (b"no", b"yes"))
    assert '"no"|"yes"' in first
    assert any("string(" in text for text in others)


@pytest.mark.parametrize(
    ("text", "count"), [("n+1-1", "n"), ("n + 1 - 2", "n-1"), ("2*n", "2*n"), ("n//2", ""), ("len(a)", "")]
)
def test_the_end_of_a_loop_is_a_count(text: str, count: str) -> None:
    assert term_of(text, lambda name: Term(text=name)).text == count


def search(folder: Path, wrong: str, right: str, *words: str | Path, seconds: int = 5) -> Result:
    paths = folder / "wrong.py", folder / "right.py"
    for path, source in zip(paths, (wrong, right), strict=True):
        path.write_text(source)
    return invoke("stress", paths[0], "--brute", paths[1], "--time", str(seconds), *words)


@pytest.mark.slow
def test_without_a_sample_inputs_are_drawn_as_the_programs_read_them(tmp_path: Path) -> None:
    source = """
        n, m = map(int, input().split())
        a = list(map(int, input().split()))
        assert len(a) == n
        edges = [list(map(int, input().split())) for _ in range(m)]
        for u, v in edges:
            a[u - 1] += a[v - 1]
        print({result})
    """
    right, wrong = (dedent(source.format(result=one)) for one in ("sum(a)", "sum(a) if m != 2 else 0"))
    result = search(tmp_path, wrong, right)
    assert result.exception is None
    assert "Wrong answer" in result.output


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "reading",
    [
        "a = list(map(int, open(0).read().split()))\nassert len(a) == 3",
        "import sys\na = [int(next(words)) for words in [iter(sys.stdin.read().split())] for _ in range(3)]",
        "import os\na = list(map(int, os.read(0, 10**6).split()))\nassert len(a) == 3",
    ],
)
def test_where_the_source_shows_nothing_the_reference_tells_which_usual_inputs_it_reads(
    tmp_path: Path, reading: str
) -> None:
    wrong, right = (f"{reading}\nprint({one})\n" for one in ("max(a) if a[0] != a[2] else a[0]", "max(a)"))
    result = search(tmp_path, wrong, right, seconds=30)
    assert "Wrong answer" in result.output
    assert "\n    1 2 1\n" in result.output


def test_what_the_programs_read_is_tried_though_most_draws_make_the_reference_fail(tmp_path: Path) -> None:
    """They read 0 at the end of the input, so they take a single number, too."""
    reading = """
        import sys
        words = iter(map(int, sys.stdin.read().split()))
        n, m = next(words, 0), next(words, 0)
        a = [next(words, 0) for _ in range(n)]
        assert n > 0 and m <= n
        print({result})
    """
    right, wrong = (dedent(reading.format(result=one)) for one in ("sum(a[:m])", "sum(a[:m]) if m < 2 else 0"))
    assert "Wrong answer" in search(tmp_path, wrong, right).output


def test_the_slowest_input_is_sought_too_where_only_the_reference_tells_what_it_reads(tmp_path: Path) -> None:
    source = "import os\na = list(map(int, os.read(0, 10**6).split()))\nassert len(a) == 3\nprint(max(a))"
    assert "slowest of" in search(tmp_path, source, source, "--slowest", seconds=15).output
    never = source.replace("== 3", "< 0")
    result = search(tmp_path, never, never, "--slowest")
    assert "no input could be tried" in str(result.exception), "a run of it says nothing"


def test_letters_on_which_the_reference_fails_are_replaced_by_others(tmp_path: Path) -> None:
    right = "print(sum(int(digit) for digit in input()))\n"
    assert "Wrong answer" in search(tmp_path, right.replace("input()", "input()[1:]"), right).output


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("print(1)", "no inputs to try"),
        (
            "import os\nprint(sum(1 for _ in iter(lambda: os.read(0, 1), b'')))",
            "do not show what they read",
        ),
    ],
    ids=["they read nothing known", "the reference takes every input"],
)
def test_programs_that_do_not_show_what_they_read_need_inputs(source: str, told: str, tmp_path: Path) -> None:
    assert told in str(search(tmp_path, source, source).exception)


def test_a_program_that_takes_too_long_to_read_has_no_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    """Brackets that nobody closes: without an end of the time this takes minutes."""
    monkeypatch.setattr("harness.search.reads_of_programs.HUNT", replace(HUNT, guess_s=0.2))
    endless, plain = "int main() { " + "f( " * 20_000 + "}", "int main() { int n; std::cin >> n; }"
    programs = [program("endless.cpp", endless), program("plain.cpp", plain)]
    assert shapes_of_programs(programs[:1]) == []
    assert shapes_of_programs(programs) == shapes_of_programs(programs[1:]) != []


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ('scanf("%s %d", name, &points);', "(string(1..5, a..z A..Z))"),
        ('if (strcmp(word, "igor") == 0)', '"Artem"|"igor"'),
        ("if (word[0] == 'A')", '"Artem"|"igor"'),
        ('print(word[0] == "i")', '"Artem"|"igor"'),
    ],
)
def test_words_that_no_source_tells_apart_are_names(source: str, words: str) -> None:
    shape = 'n: 1..10; n times { "Artem"|"igor" (1..10) }'
    assert with_names(shape, [source]) == f"n: 1..10; n times {{ {words} (1..10) }}"
    assert with_names(shape, []) == shape


def test_a_validator_in_checktestdatas_language_needs_no_package(tmp_path: Path) -> None:
    wrong, right = "n = int(input())\nprint(2 * n if n <= 40 else n)\n", "print(2 * int(input()))\n"
    (tmp_path / "valid.ctd").write_text("INT(30,60) NEWLINE\n")
    (tmp_path / "faulty.ctd").write_text("INT(30,60)\n\nINT(1\n")
    result = search(tmp_path, wrong, right, "--validator", tmp_path / "valid.ctd", seconds=20)
    assert result.exception is None
    assert "    41\n" in result.output
    refused = search(tmp_path, wrong, right, "--validator", tmp_path / "faulty.ctd")
    assert isinstance(refused.exception, UsageError)
    assert f"{tmp_path / 'faulty.ctd'}:4: expected `,`" in str(refused.exception)


@pytest.mark.parametrize("piece", ["/*", '"\\', "'\\", "[", "const ", "#define A b ", "\n", " ", "A "])
def test_a_source_that_opens_much_and_closes_nothing_is_read_at_once(piece: str) -> None:
    """In quadratic time some of these would take minutes."""
    source = piece * (100_000 // len(piece))
    assert NumbersOfReference.of([source]).table == 0
    assert reads_of_braces(source) == []


@pytest.mark.parametrize(
    "around", ['scanf("%d", &{}+b);', "for (int i = 0; {}; i++) cin >> x;", "cin >> a[{}::n];"]
)
def test_a_name_without_end_is_read_at_once(around: str) -> None:
    """In quadratic time some of these would take minutes."""
    source = f"int main() {{ {around.replace('{}', 'a' * 100_000)} }}"
    with suppress(*UNREADABLE):
        reads_of_braces(source)
    assert NumbersOfReference.of([source]).table == 0


@pytest.mark.parametrize("piece", ["x(", "x[", "x{", "for(", "while(x(", "a=b(", "cin>>a;", "if(x)"])
def test_brackets_that_nothing_closes_are_refused_or_read_at_once(piece: str) -> None:
    """In quadratic time some of these would take minutes."""
    source = f"int main(){{ {piece * (100_000 // len(piece))}"
    with pytest.raises(UNREADABLE):
        shape_of_cpp(source, Unknown())
    with suppress(*UNREADABLE):
        assert reads_of_braces(source) == []


@pytest.mark.parametrize(
    "source",
    [
        "t, x = map(int, input().split())\nif t == 1:\n    pass\nelif t == 30000000:\n    pass\n",
        "n = int(input())\n"
        + "".join(f"def f{at}(k):\n    return f{at + 1}({'k+' * 250}k)\n" for at in range(4))
        + "def f4(k):\n    return [input() for _ in range(k)]\nf0(n)\n",
    ],
)
def test_large_numbers_and_counts_in_a_program_take_no_memory(source: str) -> None:
    assert len(str(reads_of_python(source))) < 10_000


def test_letters_are_found_at_once_where_a_source_compares_with_spaces() -> None:
    """In quadratic time this would take a minute."""
    assert letters_of(["==" + " " * 99_000 + "x"]) == b"abc"


def test_many_declarations_and_a_long_table_are_read_at_once() -> None:
    """In quadratic time the first would take ten seconds."""
    names = "".join(f"char a{number}; " for number in range(16_000))
    assert reads_of_braces(f"int main() {{ {names} cin >> a7; }}") == [value_of("word", "a7"), Newline()]
    table = f"int t[] = {{ {', '.join(map(str, range(6000)))} }};"
    assert reads_of_braces(f"int main() {{ {table} cin >> n; }}") == [value_of("integer", "n"), Newline()]


def test_the_kinds_of_many_fields_are_found_without_a_walk_for_each_field(monkeypatch: pytest.MonkeyPatch) -> None:
    walk, visited = ast.walk, list[ast.AST]()

    def counted(node: ast.AST) -> Iterator[ast.AST]:
        for part in walk(node):
            visited.append(part)
            yield part

    monkeypatch.setattr(ast, "walk", counted)
    rows = (f"    a{row} = input().split(); print(a{row}[99])\n" for row in range(20))
    assert reads_of_python(f"for _ in range(int(input())):\n{''.join(rows)}")
    assert len(visited) < 10**5  # with a walk for each field, 2 million
