"""Time what a call costs before and beside the judging itself: `judge` on 100 tiny cases, and `--help`.

    python bench/start.py [ROUNDS]

Each command and its yardstick run in turn; the table gives the medians of their wall times and of the ratios. Both
find their modules compiled, as after an installation: PYTHONDONTWRITEBYTECODE is not handed on.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from peers import peer

HARNESS = Path(sys.executable).with_name("harness")
CASES = 100
ROUNDS = 7
_SOLUTION = '#include <cstdio>\nint main() { long a, b; scanf("%ld%ld", &a, &b); printf("%ld\\n", a + b); }\n'
_MANIFEST = """problem_format_version: 2025-09
name: Sum
uuid: 6a9dc4e5-6f3b-4bd7-8f7c-6a9dc4e56f3b
license: cc0
limits: {time_limit: 1.0}
"""


def write_problem(root: Path) -> tuple[Path, Path]:
    """Write a package with CASES cases, a folder test with the same, and a program; return package and program."""
    data, samples = root / "sum" / "data" / "sample", root / "test"
    data.mkdir(parents=True)
    samples.mkdir()
    (root / "sum" / "problem.yaml").write_text(_MANIFEST)
    for number in range(CASES):
        for folder, ending in ((data, "ans"), (samples, "out")):
            (folder / f"{number:03}.in").write_text(f"{number} {number + 1}\n")
            (folder / f"{number:03}.{ending}").write_text(f"{2 * number + 1}\n")
    (root / "sum.cpp").write_text(_SOLUTION)
    subprocess.run(["g++", "-O2", "-o", root / "sum.bin", root / "sum.cpp"], check=True)
    return root / "sum", root / "sum.bin"


def wall_s(command: Sequence[str | Path]) -> float:
    """Run a command, which must succeed; return its wall time."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    start_s = time.perf_counter()
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start_s


def compare(name: str, ours: Sequence[str | Path], yardstick: Sequence[str | Path], rounds: int) -> None:
    """Run both in turn, once without counting, and print the medians."""
    pairs = [(wall_s(ours), wall_s(yardstick)) for _ in range(rounds + 1)][1:]
    ours_s, yardstick_s = (statistics.median(times) for times in zip(*pairs, strict=True))
    ratio = statistics.median(other / mine for mine, other in pairs)
    print(f"{name:<40} {ours_s:6.3f} s  against {yardstick_s:6.3f} s  {ratio:.2f} times as fast")


def main() -> None:
    """Print a row for each comparison."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    imports = [sys.executable, "-c", "import click, rich.console, yaml"]
    with tempfile.TemporaryDirectory() as folder:
        package, program = write_problem(Path(folder))
        samples = package.with_name("test")
        oj = [peer("online-judge-tools"), "test", "-c", program, "-d", samples]
        compare(f"judge, {CASES} cases, against oj test", [HARNESS, "judge", package, program], oj, rounds)
        compare(f"test, {CASES} cases, against oj test", [HARNESS, "test", samples, program], oj, rounds)
    compare("--help, against three imports", [HARNESS, "--help"], imports, rounds)
    compare("judge --help, against three imports", [HARNESS, "judge", "--help"], imports, rounds)


if __name__ == "__main__":
    main()
