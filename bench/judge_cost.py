"""What one trivial case costs from end to end, ours against the field's judges, interleaved in one run.

    python bench/judge_cost.py [ROUNDS]

Every tool judges the same C program on the same 10 and 100 tiny cases; the slope between the two is its cost a case,
so start-up and compilation drop out. The peers come from PyPI into virtual environments of their own under
$XDG_CACHE_HOME/harness/bench (made on the first run); none of them isolates, ours runs at the tier that it prints.
Workers: one for everybody, then two for those that can. A ratio above 1 says how much cheaper ours is.
"""

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from peers import peer

ROOT = Path(__file__).parent.parent
FEW, MANY = 10, 100
PROGRAM = """#include <stdio.h>
int main(void) { long long n; if (scanf("%lld", &n) != 1) return 1; printf("%lld\\n", 2 * n); return 0; }
"""
LEGACY = "name: Double\nlimits: {memory: 512}\n"
STATEMENT = "\\problemname{Double}\nPrint $2n$.\n"
VALIDATOR = "import re, sys\nsys.exit(42 if re.fullmatch('[0-9]+\\n', sys.stdin.read()) else 43)\n"


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def make_packages(folder: Path, count: int) -> Path:
    """The same problem as a 2025-09 package, a legacy package, and a folder of samples."""
    modern, legacy, samples = (
        folder / str(count) / name for name in ("modern/double", "legacy/double", "samples")
    )
    shutil.copytree(ROOT / "tests" / "packages" / "double", modern)
    shutil.rmtree(modern / "submissions")
    for old in (modern / "data" / "secret").iterdir():
        old.unlink()
    for number in range(count):
        for data, suffix in ((modern / "data/secret", "ans"), (legacy / "data/secret", "ans"), (samples, "out")):
            write(data / f"{number:03}.in", f"{number}\n")
            write(data / f"{number:03}.{suffix}", f"{2 * number}\n")
    for package in (modern, legacy):
        write(package / "submissions/accepted/double.c", PROGRAM)
    write(legacy / "problem.yaml", LEGACY)
    write(legacy / ".timelimit", "1\n")
    write(legacy / "problem_statement/problem.en.tex", STATEMENT)
    write(legacy / "input_validators/validate.py", VALIDATOR)
    return folder / str(count)


def contenders(folder: Path, jobs: int) -> dict[str, tuple[list[str | Path], Path]]:
    """Command and working directory of each tool."""
    program = folder.parent / "double"
    modern, legacy = folder / "modern/double", folder / "legacy/double"
    harness = [sys.executable, "-m", "harness", "judge", modern, "--jobs", str(jobs)]
    tools: dict[str, tuple[list[str | Path], Path]] = {"harness": (harness, ROOT)}
    oj: list[str | Path] = [peer("online-judge-tools"), "test", "--silent", "-c", program]
    tools["oj"] = ([*oj, "-d", folder / "samples", "-j", str(jobs)], folder)
    tools["bt"] = ([peer("bapctools"), "run", "--jobs", str(jobs), "submissions/accepted/double.c"], modern)
    tools["verifyproblem"] = ([peer("problemtools"), "-p", "submissions", "-j", str(jobs), legacy], folder)
    return tools


def timed(command: list[str | Path], cwd: Path) -> float:
    """Wall seconds of one call, which must have found the program right (some warn, with exit code 1)."""
    path = f"/usr/bin:/bin:{os.environ['PATH']}"  # the real python3, not a shim
    started_s = time.monotonic()
    done = subprocess.run(command, cwd=cwd, capture_output=True, check=False, env={**os.environ, "PATH": path})
    elapsed_s = time.monotonic() - started_s
    output = (done.stdout + done.stderr).decode(errors="replace")
    if not re.search(r"AC\b|Accepted|as expected|0 errors", output):
        sys.exit(f"{command[0]} did not judge ({done.returncode}):\n{output[-1500:]}")
    return elapsed_s


def measure(folder: Path, jobs: int, rounds: int) -> None:
    few, many = contenders(folder / str(FEW), jobs), contenders(folder / str(MANY), jobs)
    slopes: dict[str, list[float]] = {name: [] for name in few}
    for _ in range(rounds):
        for name in few:
            slopes[name].append((timed(*many[name]) - timed(*few[name])) / (MANY - FEW) * 1000)
    ours = statistics.median(slopes["harness"])
    for name, values in slopes.items():
        middle = statistics.median(values)
        spread = f"{min(values):.2f} to {max(values):.2f}"
        print(f"{jobs} worker(s)  {name:14} {middle:7.2f} ms a case ({spread}), {middle / ours:5.1f} x ours")


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        write(folder / "double.c", PROGRAM)
        subprocess.run(["cc", "-O2", "-o", folder / "double", folder / "double.c"], check=True)
        for count in (FEW, MANY):
            make_packages(folder, count)
        shutil.copy(folder / "double", folder / "10" / "double")
        for jobs in (1, 2):
            measure(folder, jobs, rounds)


if __name__ == "__main__":
    main()
