"""What is quoted of a crash: the exception, its message and the innermost line in a file of one's own."""

from pathlib import Path

import pytest

from conftest import DOUBLE, judge_file
from harness.host.host import Host
from harness.package.load import load
from harness.report.crashes import cause
from harness.report.words import why
from harness.results.model import CaseResult
from harness.results.verdict import Reason, Verdict

PYTHON = """debug: starting
Traceback (most recent call last):
  File "subs/exc.py", line 8, in <module>
    g()
  File "subs/exc.py", line 2, in f
    return json.loads(n)
           ^^^^^^^^^^^^^
  File "/usr/lib/python3.11/json/decoder.py", line 353, in raw_decode
    obj, end = self.scan_once(s, idx)
json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)
"""
CHAINED = """Traceback (most recent call last):
  File "exc.py", line 2, in <module>
ZeroDivisionError: division by zero

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "exc.py", line 4, in <module>
KeyError: 'k'
"""
RECURSION = """Traceback (most recent call last):
  File "exc.py", line 3, in <module>
    f(0)
  File "exc.py", line 2, in f
    return f(n+1)
           ^^^^^^
  [Previous line repeated 996 more times]
RecursionError: maximum recursion depth exceeded
"""
JAVA = """dbg
Exception in thread "main" java.util.NoSuchElementException
\tat java.base/java.util.Scanner.throwFor(Scanner.java:937)
\tat java.base/java.util.Scanner.nextInt(Scanner.java:2258)
\tat Exc.main(Exc.java:3)
\tat Exc.other(Exc.java:9)
"""
CAUSED = """Exception in thread "main" java.lang.IllegalStateException: outer
\tat Exc2.main(Exc2.java:3)
Caused by: java.lang.ArrayIndexOutOfBoundsException: Index 5 out of bounds for length 3
\tat Exc2.f(Exc2.java:2)
\t... 1 more
"""
KOTLIN = """Exception in thread "main" java.lang.NumberFormatException: For input string: "x"
\tat java.base/java.lang.Integer.parseInt(Integer.java:652)
\tat kotlin.text.StringsKt__StringNumberConversionsKt.toInt(Strings.kt:9)
\tat ExcKt.main(exc.kt:2)
"""
RUST = """dbg

thread 'main' (30656) panicked at exc.rs:3:18:
index out of bounds: the len is 3 but the index is 5
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
"""
OLD_RUST = """thread 'main' panicked at 'called `Option::unwrap()` on a `None` value', exc.rs:2:5
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
"""
RUST_STACK = "\nthread 'main' (7) has overflowed its stack\nfatal runtime error: stack overflow, aborting\n"
CPP = """terminate called after throwing an instance of 'std::out_of_range'
  what():  vector::_M_range_check: __n (which is 5) >= this->size() (which is 3)
"""
GO = """panic: runtime error: index out of range [5] with length 1

goroutine 1 [running]:
sort.Slice(...)
\t/usr/lib/go-1.19/src/sort/slice.go:23
main.f(...)
\t/box/exc.go:4
main.main()
\t/box/exc.go:6 +0x1d
"""
MONO = """
Unhandled Exception:
System.IndexOutOfRangeException: Index was outside the bounds of the array.
  at P.F (System.Int32[] a) [0x00000] in <8f2c>:0
[ERROR] FATAL UNHANDLED EXCEPTION: System.IndexOutOfRangeException: Index was outside the bounds of the array.
  at P.F (System.Int32[] a) [0x00000] in <8f2c>:0
"""
DOTNET = """Unhandled exception. System.Collections.Generic.KeyNotFoundException: The given key was not present.
   at System.Collections.Generic.Dictionary`2.get_Item(TKey key)
   at Program.Main() in /box/exc.cs:line 5
"""
NODE = """exc.js:2
  return o.x.y;
             ^

TypeError: Cannot read properties of undefined (reading 'y')
    at Module._load (node:internal/modules/cjs/loader:1091:12)
    at f (/box/exc.js:2:14)
    at Object.<anonymous> (/box/exc.js:4:1)

Node.js v20.20.2
"""
THROWN = 'exc.js:1\nthrow "x"\n^\nx\n(Use `node --trace-uncaught ...` to show where the exception was thrown)\n'
RUBY = "exc.rb:2:in `/': divided by 0 (ZeroDivisionError)\n\tfrom exc.rb:2:in `f'\n\tfrom exc.rb:4:in `<main>'\n"
PHP = """Fatal error: Uncaught DivisionByZeroError: Division by zero in /box/exc.php:2
Stack trace:
#0 /box/exc.php(2): intdiv(1, 0)
  thrown in /box/exc.php on line 2
"""
LUA = "/usr/bin/lua5.4: exc.lua:1: attempt to index a nil value\nstack traceback:\n\t[C]: in ?\n"
HASKELL = (
    "exc: Prelude.head: empty list\nCallStack (from HasCallStack):\n  error, called at exc.hs:3:5 in main:Main\n"
)


@pytest.mark.parametrize(
    ("printed", "told"),
    [
        (PYTHON, "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0) (exc.py:2)"),
        (CHAINED, "KeyError: 'k' (exc.py:4)"),
        (RECURSION, "RecursionError: maximum recursion depth exceeded (exc.py:2)"),
        ('  File "syn.py", line 1\n    x = (\n        ^\nSyntaxError: open\n', "SyntaxError: open (syn.py:1)"),
        (JAVA, "NoSuchElementException (Exc.java:3)"),
        (CAUSED, "ArrayIndexOutOfBoundsException: Index 5 out of bounds for length 3 (Exc2.java:2)"),
        (KOTLIN, 'NumberFormatException: For input string: "x" (exc.kt:2)'),
        (RUST, "index out of bounds: the len is 3 but the index is 5 (exc.rs:3)"),
        (OLD_RUST, "called `Option::unwrap()` on a `None` value (exc.rs:2)"),
        (RUST_STACK, "overflowed its stack"),
        (CPP, "std::out_of_range: vector::_M_range_check: __n (which is 5) >= this->size() (which is 3)"),
        ("terminate called after throwing an instance of 'int'\n", "int"),
        ("a.out: exc.cpp:3: int main(): Assertion `n == 1' failed.\n", "Assertion `n == 1' failed (exc.cpp:3)"),
        ("/usr/include/c++/12/bits/v.h:9: T f(): Assertion 'n < 3' failed.\n", "Assertion 'n < 3' failed"),
        (
            "ub.cpp:2:26: runtime error: signed integer overflow: 7 + 1\n",
            "signed integer overflow: 7 + 1 (ub.cpp:2)",
        ),
        (GO, "panic: runtime error: index out of range [5] with length 1 (exc.go:4)"),
        (MONO, "IndexOutOfRangeException: Index was outside the bounds of the array."),
        (DOTNET, "KeyNotFoundException: The given key was not present. (exc.cs:5)"),
        (NODE, "TypeError: Cannot read properties of undefined (reading 'y') (exc.js:2)"),
        (THROWN, "x (exc.js:1)"),
        (RUBY, "divided by 0 (ZeroDivisionError) (exc.rb:2)"),
        (PHP, "DivisionByZeroError: Division by zero (exc.php:2)"),
        ("PHP Fatal error:  Too much in /box/exc.php on line 3\n", "Too much (exc.php:3)"),
        (LUA, "attempt to index a nil value (exc.lua:1)"),
        (HASKELL, "Prelude.head: empty list (exc.hs:3)"),
        (
            'Fatal error: exception Invalid_argument("index out of bounds")\n',
            'Invalid_argument("index out of bounds")',
        ),
        ("Runtime error 201 at $0000000000401112\n  $0000000000401112\n", "Runtime error 201"),
        ("dbg\nIllegal division by zero at exc.pl line 2.\n", "Illegal division by zero (exc.pl:2)"),
        ("dbg\nno such vertex\n", "no such vertex"),
        ("", ""),
    ],
)
def test_of_a_crash_the_exception_and_the_own_line_are_told(printed: str, told: str) -> None:
    assert cause(printed) == told


def test_text_of_a_crash_is_escaped_and_cut_and_the_place_is_kept() -> None:
    told = cause(f'Traceback\n  File "exc.py", line 2, in f\nValueError: \x1b[2J{"x" * 5000}\n')
    assert "\x1b" not in told
    assert told.endswith(" … (exc.py:2)")
    assert len(told) < 220
    assert len(cause("y" * 10_000_000)) < 220


SOURCES = {
    "exc.py": (
        "def f():\n    return 1 // 0\n\n\nf()\n",
        "exit code 1: ZeroDivisionError: integer division or modulo by zero (exc.py:2)",
    ),
    "Exc.java": (
        "public class Exc {\n  static int f(int[] a) { return a[5]; }\n"
        "  public static void main(String[] x) { f(new int[3]); }\n}\n",
        "exit code 1: ArrayIndexOutOfBoundsException: Index 5 out of bounds for length 3 (Exc.java:2)",
    ),
    "exc.rs": (
        "fn main() {\n  let i = std::env::args().count() + 4;\n  println!(\"{}\", vec![1, 2, 3][i]);\n}\n",
        "exit code 101: index out of bounds: the len is 3 but the index is 5 (exc.rs:3)",
    ),
    "exc.cpp": (
        "#include <stdexcept>\nint main() { throw std::range_error(\"too far\"); }\n",
        "SIGABRT: aborted: std::range_error: too far",
    ),
    "asserts.c": (
        "#include <assert.h>\nint main(int n, char **x) {\n  assert(n == 7);\n}\n",
        "SIGABRT: aborted: Assertion `n == 7' failed (asserts.c:3)",
    ),
    "exc.js": (
        "function f(o) {\n  return o.x.y;\n}\nf({});\n",
        "exit code 1: TypeError: Cannot read properties of undefined (reading 'y') (exc.js:2)",
    ),
    "exc.go": (
        "package main\n\nfunc f(a []int, i int) int {\n\treturn a[i]\n}\n\n"
        "func main() {\n\tprintln(f([]int{1}, 5))\n}\n",
        "exit code 2: panic: runtime error: index out of range [5] with length 1 (exc.go:4)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SOURCES)
def test_crash_of_a_real_program_is_told_without_a_path_of_the_sandbox(
    name: str, tmp_path: Path, host: Host
) -> None:
    source, told = SOURCES[name]
    (tmp_path / name).write_text(source)
    result = judge_file(load(DOUBLE), tmp_path / name, host)
    if result.unavailable:
        pytest.skip(result.message)
    case = result.cases[0]
    assert case.verdict is Verdict.RUN_TIME_ERROR, (result.message, case)
    assert why(case, 1.0, 1024) == told


def test_abort_is_guessed_at_only_where_nothing_was_printed() -> None:
    case = CaseResult(
        name="1", group="secret", verdict=Verdict.RUN_TIME_ERROR, reason=Reason.SIGNAL, signal=6, message=""
    )
    assert why(case, 1.0, 1024) == "SIGABRT: aborted (assert, uncaught exception or failed allocation)"
