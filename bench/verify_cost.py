"""What checking a whole package costs beside its programs, ours against `verifyproblem`, interleaved in one run.

    python bench/verify_cost.py [ROUNDS]

A legacy package of 24 submissions in C (18 right, 6 wrong on the last case) and 39 cases, which both tools know. Each
round runs, on two workers: the bare compiler and programs with nothing around; `harness verify` from an empty cache,
contained, once with the parts that `verifyproblem` has without TeX and once with all (validators and checkers are
attacked, answers compared, the time limit measured); the same again, from the cache; `verifyproblem -j2`, which
contains nothing. The empty cache holds what a machine needs once, the compiled launcher, as the environment of
`verifyproblem` is made once. "Own cost" is wall time less that of the bare programs. A ratio above 1 says how much
cheaper ours is.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from judge_cost import LEGACY, ROOT, STATEMENT, write
from peers import peer, write_languages

CASES, RIGHT, WRONG, WORKERS = 39, 18, 6, 2
SAME_PARTS = ("package", "data", "inputs", "submissions")
THEIR_PARTS = ("config", "data", "validators", "submissions")
VALIDATOR = (
    "import re, sys\nsys.exit(42 if re.fullmatch(rb'(0|[1-9][0-9]?)\\n', sys.stdin.buffer.read()) else 43)\n"
)
PROGRAM = """#include <stdio.h>
int main(void) {{
  long long n; if (scanf("%lld", &n) != 1) return 1;
  printf("%lld\\n", 2 * n + {wrong} * (n == {last})); return 0; /* {number} */
}}
"""


def make(package: Path) -> None:
    write(package / "problem.yaml", LEGACY)
    write(package / ".timelimit", "1\n")
    write(package / "problem_statement/problem.en.tex", STATEMENT)
    write(package / "input_validators/validate.py", VALIDATOR)
    for number in range(CASES):
        place = package / "data" / ("secret" if number else "sample")
        write(place / f"{number:03}.in", f"{number}\n")
        write(place / f"{number:03}.ans", f"{2 * number}\n")
    for number in range(RIGHT + WRONG):
        wrong = int(number >= RIGHT)
        place = package / "submissions" / ("wrong_answer" if wrong else "accepted")
        write(place / f"s{number:02}.c", PROGRAM.format(wrong=wrong, last=CASES - 1, number=number))


def bare(package: Path, folder: Path) -> float:
    """Wall seconds of compiling every submission and running it on every case."""
    inputs = sorted((package / "data").glob("*/*.in"))

    def work(source: Path) -> None:
        binary = folder / source.stem
        subprocess.run(["cc", "-O2", "-o", binary, source], check=True)
        for path in inputs:
            with path.open("rb") as stdin, (folder / f"{source.stem}.out").open("wb") as stdout:
                subprocess.run([binary], stdin=stdin, stdout=stdout, check=True)

    started_s = time.monotonic()
    with ThreadPoolExecutor(WORKERS) as workers:
        list(workers.map(work, sorted((package / "submissions").glob("*/*.c"))))
    return time.monotonic() - started_s


def timed(command: list[str | Path], said: str, cache: Path) -> float:
    """Wall seconds of one call, which must have found the package right."""
    environment = {**os.environ, "PATH": f"/usr/bin:/bin:{os.environ['PATH']}", "XDG_CACHE_HOME": str(cache)}
    environment["XDG_CONFIG_HOME"] = str(cache.parent / "config")
    started_s = time.monotonic()
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    elapsed_s = time.monotonic() - started_s
    if said not in done.stdout + done.stderr:
        sys.exit(f"{command} ({done.returncode}):\n{(done.stdout + done.stderr)[-2000:]}")
    return elapsed_s


def cache_of_a_machine(folder: Path) -> Path:
    """A cache with the launcher that the first call on a machine compiles."""
    cache = folder / "machine"
    own: list[str | Path] = [sys.executable, "-m", "harness", "verify", ROOT / "tests" / "packages" / "double"]
    timed([*own, "--only", "package"], "holds", cache)
    for path in (cache / "harness").iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif not path.name.startswith("launcher-"):
            path.unlink()
    return cache


def one_round(package: Path, folder: Path, number: int) -> dict[str, float]:
    own: list[str | Path] = [sys.executable, "-m", "harness", "verify", package, "--jobs", str(WORKERS)]
    same = [*own, *(word for part in SAME_PARTS for word in ("--only", part))]
    verifyproblem = [peer("problemtools"), package, "-j", str(WORKERS), "-p", *THEIR_PARTS]
    caches = folder / f"same{number}", folder / f"all{number}"
    for cache in caches:
        shutil.copytree(folder / "machine", cache)
    return {
        "bare": bare(package, folder),
        "harness, same parts": timed(same, "all holds", caches[0]),
        "verifyproblem": timed(verifyproblem, "0 errors", caches[0]),
        "harness, everything": timed(own, "all holds", caches[1]),
        "harness, once more": timed(own, "all holds", caches[1]),
    }


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    peer("problemtools")  # before anything is timed
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        make(folder / "double")
        write_languages(folder / "config")
        cache_of_a_machine(folder)
        found = [one_round(folder / "double", folder, number) for number in range(rounds)]
    ours = [one["harness, same parts"] - one["bare"] for one in found]
    for contender in found[0]:
        walls = [one[contender] for one in found]
        line = f"{contender:20} {statistics.median(walls):6.2f} s wall ({min(walls):.2f} to {max(walls):.2f})"
        if contender != "bare":
            ratios = [(one[contender] - one["bare"]) / own for one, own in zip(found, ours, strict=True)]
            line += f", own cost {statistics.median(ratios):5.2f} x ours ({min(ratios):.2f} to {max(ratios):.2f})"
        print(line)


if __name__ == "__main__":
    main()
