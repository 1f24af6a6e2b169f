"""Is the grader's memory flat? Resident memory of `harness grade` over many cases with large outputs.

    python bench/grade_memory.py [CASES OUTPUT_MB]      default: 10000 cases of 10 MB, which takes some minutes

The judge's own process is looked at every 50 ms; printed is the most of each tenth of the run.
"""

import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil
from judge_cost import ROOT, write

CASES_EACH = 100
PROGRAM = """#include <stdio.h>
#include <string.h>
static char block[1 << 20];
int main(void) {{
  long long n; if (scanf("%lld", &n) != 1) return 1;
  printf("%lld ", 2 * n); memset(block, ' ', sizeof block);
  for (int i = 0; i < {megabytes}; i++) fwrite(block, 1, sizeof block, stdout);
  puts(""); return 0; /* {number} */
}}
"""
MANIFEST = "problem_format_version: 2025-09\nname: Double\nuuid: 0b54d3a5-7c1f-4b7e-8b59-40a0a9c1b3a1\n"


def make(folder: Path, submissions: int, megabytes: int) -> None:
    limits = f"limits:\n  time_limit: 5\n  memory: 256\n  output: {megabytes + 6}\n"
    write(folder / "double/problem.yaml", MANIFEST + limits)
    write(folder / "double/statement/problem.en.md", "Print $2n$.\n")
    write(folder / "double/input_validators/v.py", "import sys\nsys.exit(42)\n")
    for number in range(CASES_EACH):
        write(folder / f"double/data/secret/{number:03}.in", f"{number}\n")
        write(folder / f"double/data/secret/{number:03}.ans", f"{2 * number}\n")
    for number in range(submissions):
        write(folder / f"subs/s{number:03}.c", PROGRAM.format(megabytes=megabytes, number=number))


def main() -> None:
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    megabytes = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        make(folder, max(cases // CASES_EACH, 1), megabytes)
        command = [sys.executable, "-m", "harness", "grade", str(folder / "double"), str(folder / "subs"), "-q"]
        grader = subprocess.Popen(
            [*command, "--store", str(folder / "s.sqlite")], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        looks: list[tuple[float, int]] = []
        watcher = threading.Thread(target=watch, args=(grader.pid, looks))
        watcher.start()
        output = grader.communicate()[0]
        watcher.join()
        print(output.splitlines()[-1])
        tell(looks)


def watch(pid: int, looks: list[tuple[float, int]]) -> None:
    started_s = time.monotonic()
    process = psutil.Process(pid)
    try:
        while process.status() != psutil.STATUS_ZOMBIE:
            looks.append((time.monotonic() - started_s, process.memory_info().rss))
            time.sleep(0.05)
    except psutil.Error:
        return


def tell(looks: list[tuple[float, int]]) -> None:
    end_s = looks[-1][0]
    for tenth in range(10):
        part = [rss for at_s, rss in looks if tenth <= at_s / end_s * 10 <= tenth + 1]
        most_mib = max(part, default=0) / 2**20
        print(f"{tenth * 10:3} % to {tenth * 10 + 10:3} % of {end_s:.0f} s: at most {most_mib:6.1f} MiB")


if __name__ == "__main__":
    main()
