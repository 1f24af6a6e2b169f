"""What grading costs beside the programs themselves: many small submissions, ours against the bare programs.

    python bench/grade.py [SUBMISSIONS CASES ROUNDS SPIN_MS PEER_SUBMISSIONS]

Default: 200 submissions × 50 cases, 3 rounds, programs that do nothing (SPIN_MS 0), peers on 5 of the submissions.
Each round runs, interleaved: the bare programs (posix_spawn with the input as standard input, output to a file, as
many at once as there are workers), `harness grade` with a fresh store and with a full one, and the peers from PyPI
(online-judge-tools, bapctools; see judge_cost.py), which take one submission a call. All programs are compiled before.
No round begins that would not end within BUDGET_S. DMOJ's judge is no contender: see docs/proofs.md.
"Own cost" is wall time minus that of the bare programs, by the number of cases; start-up is in it.
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

from judge_cost import ROOT, write
from peers import peer

BUDGET_S = 200  # of all rounds with one number of workers: the whole ends within eight minutes
PROGRAM = """#include <stdio.h>
#include <time.h>
int main(void) {{
  long long n; if (scanf("%lld", &n) != 1) return 1;
  struct timespec t;
  do clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); while (t.tv_sec * 1000.0 + t.tv_nsec / 1e6 < {spin_ms});
  printf("%lld\\n", 2 * n); return 0; /* {number} */
}}
"""


def make(folder: Path, submissions: int, cases: int, spin_ms: float) -> None:
    """A package, sources, compiled programs, and the cases once more as samples for `oj`."""
    shutil.copytree(ROOT / "tests" / "packages" / "double", folder / "double")
    shutil.rmtree(folder / "double" / "submissions")
    for old in (folder / "double/data/secret").iterdir():
        old.unlink()
    for number in range(cases):
        for place, ending in (("double/data/secret", "ans"), ("samples", "out")):
            write(folder / place / f"{number:04}.in", f"{number}\n")
            write(folder / place / f"{number:04}.{ending}", f"{2 * number}\n")
    for number in range(submissions):
        source = folder / "subs" / f"s{number:04}.c"
        write(source, PROGRAM.format(spin_ms=spin_ms, number=number))
        binary = folder / "bin" / source.stem
        binary.parent.mkdir(exist_ok=True)
        subprocess.run(["cc", "-O2", "-o", binary, source], check=True)


def bare(folder: Path, jobs: int) -> float:
    """Wall seconds of every program on every case, with nothing around."""
    inputs = sorted((folder / "samples").glob("*.in"))
    inputs.append(folder / "double/data/sample/1.in")

    def run(binary: Path) -> None:
        out = str(folder / f"{binary.name}.out")
        for given in inputs:
            actions = [
                (os.POSIX_SPAWN_OPEN, 0, str(given), os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644),
            ]
            os.waitpid(os.posix_spawn(binary, [str(binary)], {}, file_actions=actions), 0)

    started_s = time.monotonic()
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(run, sorted((folder / "bin").iterdir())))
    return time.monotonic() - started_s


def grade(folder: Path, jobs: int, store: Path) -> float:
    """Wall seconds of one call."""
    command = [sys.executable, "-m", "harness", "grade", folder / "double", folder / "subs", "-q", "-j", str(jobs)]
    return timed([*command, "--store", store], ROOT)


def timed(command: list[object], cwd: Path) -> float:
    path = f"/usr/bin:/bin:{os.environ['PATH']}"
    started_s = time.monotonic()
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, capture_output=True, check=False, env={**os.environ, "PATH": path}
    )
    elapsed_s = time.monotonic() - started_s
    if done.returncode not in (0, 1):
        sys.exit(f"{command[0]} failed:\n{(done.stdout + done.stderr).decode(errors='replace')[-1500:]}")
    return elapsed_s


def peers(folder: Path, jobs: int, submissions: int) -> dict[str, float]:
    """Wall seconds a submission of each peer."""
    sources = sorted((folder / "subs").iterdir())[:submissions]
    found: dict[str, list[float]] = {"oj": [], "bt": []}
    for source in sources:
        oj: list[object] = [peer("online-judge-tools"), "test", "--silent", "-c", folder / "bin" / source.stem]
        found["oj"].append(timed([*oj, "-d", folder / "samples", "-j", jobs], folder))
        bt: list[object] = [peer("bapctools"), "run", "--jobs", jobs, source]
        found["bt"].append(timed(bt, folder / "double"))
    return {name: statistics.median(values) for name, values in found.items() if values}


def main() -> None:
    given = [float(text) for text in sys.argv[1:]]
    submissions, cases, rounds, spin_ms, peer_submissions = [*given, *(200, 50, 3, 0, 5)[len(given) :]]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        make(folder, int(submissions), int(cases), spin_ms)
        runs = int(submissions) * (int(cases) + 1)
        grade(folder, 2, folder / "warm.sqlite")  # compiles
        for jobs in (1, 2):
            walls: dict[str, list[float]] = {}
            began_s = time.monotonic()
            for number in range(int(rounds)):
                if number and time.monotonic() - began_s > BUDGET_S * number / (number + 1):
                    break  # another round would not end in time
                store = folder / f"{jobs}-{number}.sqlite"
                walls.setdefault("bare", []).append(bare(folder, jobs))
                walls.setdefault("grade", []).append(grade(folder, jobs, store))
                walls.setdefault("grade again", []).append(grade(folder, jobs, store))
                for peer_name, wall_s in peers(folder, jobs, int(peer_submissions)).items():
                    walls.setdefault(peer_name, []).append(wall_s * submissions)
            tell(walls, jobs, runs)


def tell(walls: dict[str, list[float]], jobs: int, runs: int) -> None:
    bare_s = statistics.median(walls["bare"])
    for name, values in walls.items():
        wall_s = statistics.median(values)
        own_ms = (wall_s - bare_s) / runs * 1000
        spread = f"{min(values):.2f} to {max(values):.2f}"
        share = f"{(wall_s / bare_s - 1) * 100:.0f} % over bare"
        print(f"{jobs} worker(s)  {name:12} {wall_s:8.2f} s ({spread})  own {own_ms:6.2f} ms a case, {share}")


if __name__ == "__main__":
    main()
