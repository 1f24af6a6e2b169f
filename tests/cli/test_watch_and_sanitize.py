"""--watch runs again on a save; --sanitize names the line of undefined behaviour."""

import subprocess
import threading
import time
from pathlib import Path

import pytest

from command_line import outcome
from conftest import DOUBLE, reachable, write_files
from harness.build.compiler import BuildLimits
from harness.build.executable import Executable
from harness.build.languages import holds_checks
from harness.cli.console import _stamps, on_every_save
from harness.cli.environment import judge_host
from harness.errors import UsageError
from harness.package import Program
from harness.package.files import File
from harness.package.model import ProblemLimits
from harness.package.samples import places_of_samples

OVERFLOW = """#include <cstdio>
int main() { int n; if (scanf("%d", &n) != 1) return 1; printf("%d\\n", n * 1000000); }
"""


def test_a_save_runs_it_again(tmp_path: Path) -> None:
    program, seen = tmp_path / "my.py", []
    program.write_text("1")
    saver = threading.Thread(target=lambda: (time.sleep(0.5), program.write_text("22")))

    def once() -> int:
        seen.append(program.read_text())
        if len(seen) == 1:
            saver.start()
        return len(seen)

    assert on_every_save(lambda: [program], once, most=2) == 2
    saver.join()
    assert seen == ["1", "22"]


@pytest.mark.parametrize("name", ["1.in", "in/1.txt", "tests/1.in", "samples/1.in", "sample/1.in", ".cph/a.prob"])
def test_samples_are_watched_wherever_they_may_lie(name: str, tmp_path: Path) -> None:
    before = _stamps(places_of_samples(tmp_path))
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("1")
    assert _stamps(places_of_samples(tmp_path)) != before


def test_other_files_beside_samples_are_not_watched(tmp_path: Path) -> None:
    before = _stamps(places_of_samples(tmp_path))
    (tmp_path / ".my.py.swp").write_text("1")
    assert _stamps(places_of_samples(tmp_path)) == before


def test_what_is_wrong_with_the_program_does_not_end_the_watch(tmp_path: Path) -> None:
    program = tmp_path / "my.py"
    program.write_text("1")

    def once() -> int:
        raise UsageError("no such language")

    assert on_every_save(lambda: [program], once, most=1) == 2


def test_sanitize_finds_an_overflow_that_gives_a_wrong_answer_otherwise(tmp_path: Path) -> None:
    write_files(tmp_path, {"1.in": "3000\n", "1.out": "3000000000\n", "my.cpp": OVERFLOW})
    code, said = outcome("test", tmp_path, tmp_path / "my.cpp")
    assert (code, "WA" in said) == (1, True)
    code, said = outcome("test", tmp_path, tmp_path / "my.cpp", "--sanitize")
    assert code == 1
    assert all(word in said for word in ("RTE", "my.cpp:2", "signed integer overflow"))


def test_judge_sanitizes_what_a_package_accepts_otherwise(tmp_path: Path) -> None:
    source = tmp_path / "my.cpp"
    source.write_text(
        '#include <cstdio>\nint main() {\n  int n, most = 2147483647;\n  std::scanf("%d", &n);\n'
        '  most += n;\n  std::printf("%d\\n", 2 * n + (most == 5));\n}\n'
    )
    assert outcome("judge", DOUBLE, source)[0] == 0
    code, said = outcome("judge", DOUBLE, source, "--sanitize")
    assert (code, "my.cpp:5" in said) == (1, True)


FAULTS = {
    "heap-buffer-overflow, write of 4 bytes at my.cpp:4": "int *a = new int[n];\n  a[n] = 7;",
    "heap-use-after-free, read of 4 bytes at my.cpp:4": "int *a = new int[n](); delete[] a;\n  n += a[1] & 1;",
    "out-of-bounds index 5, but container only holds 5 elements. (my.cpp:4)": "std::vector<int> a(n);\n  a[n] = 7;",
    ">= this->size() (which is 5) (my.cpp:4)": "std::vector<int> a(n);\n  n += a.at(n);",
    "stack-overflow at my.cpp:2": "\n  n += deep(n);",
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("words", FAULTS, ids=["overflow", "use after free", "index", "exception", "recursion"])
def test_sanitize_names_the_line_of_a_wrong_access(words: str, tmp_path: Path) -> None:
    source = f"""#include <bits/stdc++.h>
int deep(int n) {{ volatile int a[99]; a[n % 9] = n; return n < 0 ? 0 : deep(n + 1) + a[n % 9]; }}
int main() {{ int n; std::cin >> n; {FAULTS[words]}
  std::cout << n << "\\n"; }}
"""
    write_files(tmp_path, {"1.in": "5\n", "1.out": "5\n", "my.cpp": source})
    code, said = outcome("test", tmp_path, tmp_path / "my.cpp", "--sanitize", "--memory", "64")
    assert code == 1
    assert words in " ".join(said.split())


def test_wrong_access_is_found_where_nothing_isolates(tmp_path: Path) -> None:
    source = """#include <cstdio>
int main() { int n; std::scanf("%d", &n); int *a = new int[n];
  a[n] = n;
  std::printf("%d\\n", a[n / 9]); }
"""
    write_files(tmp_path, {"1.in": "5\n", "1.out": "5\n", "my.cpp": source})
    code, said = outcome("test", tmp_path, tmp_path / "my.cpp", "--sanitize", "--isolation", "none")
    assert code == 1
    assert "heap-buffer-overflow, write of 4 bytes at my.cpp:3" in " ".join(said.split())


@pytest.mark.parametrize("behind", [False, True], ids=["binary", "command"])
def test_a_program_that_was_compiled_with_checks_of_addresses_runs(behind: bool, tmp_path: Path) -> None:
    reachable(tmp_path)
    (tmp_path / "my.c").write_text(
        '#include <stdio.h>\n#include <stdlib.h>\nint main(void) { int n, *a; scanf("%d", &n); a = calloc(n, 4);\n'
        '  printf("%d\\n", n + (n == 6 && a[6] == 99)); return 0; }\n'
    )
    write_files(tmp_path, {"1.in": "5\n", "1.out": "5\n", "2.in": "6\n", "2.out": "6\n"})
    binary = tmp_path / "my.out"
    subprocess.run(["gcc", "-w", "-g", "-fsanitize=address", "-o", binary, tmp_path / "my.c"], check=True)
    code, said = outcome("test", tmp_path, *(["--"] if behind else []), binary)
    assert code == 1
    assert "1 of 2" in said
    assert "heap-buffer-overflow, read of 4 bytes at my.c:4" in said


def test_judge_programs_are_compiled_without_checks(tmp_path: Path) -> None:
    program = Program(path="my.c", files={"my.c": File(origin=tmp_path, content=b"int main(void) { return 0; }")})
    with judge_host(1, "auto", sanitize=True) as opened:
        limits = ProblemLimits()
        [own] = opened.build_all([program], BuildLimits())
        [judge] = opened.build_judge_programs([program], limits)
        assert isinstance(own, Executable)
        assert [holds_checks(Path(one.argv[0])) for one in (own, judge)] == [True, False]
