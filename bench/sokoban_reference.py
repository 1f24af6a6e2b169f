"""CPU time of the C++ references of `sokoban` on the largest grids, as a multiple of reading and flooding them once.

The programs run in turn, so that a change in the machine's speed meets all of them. Usage: sokoban_reference.py [RUNS]
"""

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FLOOD = ROOT / "bench" / "sokoban_flood.cpp"
ACCEPTED = ROOT / "reference" / "sokoban" / "accepted"
CASES = [
    "open 1000 1000 goal=corner",
    "open 1000 1000 goal=centre",
    "spiral 1000 1000 goal=corner",
    "snake 1000 1000 goal=corner",
    "comb 1000 1000 goal=edge",
    "double-comb 1000 1000 goal=centre",
    "pillars 1000 1000 goal=centre",
    "rooms 1000 1000 goal=corner 1",
    "bridges 1000 1000 goal=corner 1",
    "islands 1000 1000 goal=centre 1",
    "maze 1000 1000 goal=floor 1",
    "random 1000 1000 density=20 goal=centre 1",
    "random 1000 1000 density=30 goal=centre 2",
]


def compiled(source, folder):
    """The program, built as the judge builds it."""
    program = folder / source.stem
    subprocess.run(["c++", "-O2", "-std=c++17", "-o", program, source], check=True)
    return program


def cpu_ms(program, text):
    """User and system time of one run, in milliseconds."""
    with text.open("rb") as stdin:
        child = subprocess.Popen([program], stdin=stdin, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"{program} failed on {text}")
    return (usage.ru_utime + usage.ru_stime) * 1000


def measure(programs, text, runs):
    """For each program its times in ms, the programs taken in turn; the first round only warms up."""
    rounds = [[cpu_ms(program, text) for program in programs] for _ in range(runs + 1)]
    return list(zip(*rounds[1:], strict=True))


def row(case, times):
    """One line: the flood's time, and of each program time, ratio of medians, and spread of the ratio by rounds."""
    flood, *others = times
    cells = [f"{case:44}{statistics.median(flood):7.1f}"]
    for own in others:
        ratios = sorted(mine / base for mine, base in zip(own, flood, strict=True))
        low, high = ratios[len(ratios) // 10], ratios[-1 - len(ratios) // 10]
        median = statistics.median(own)
        cells.append(f"{median:7.1f} {median / statistics.median(flood):5.2f}× [{low:.2f}, {high:.2f}]")
    return "  ".join(cells)


def main():
    """Build all, run in turn, print a table."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    sources = [FLOOD, ACCEPTED / "lowlink.cpp", ACCEPTED / "faces.cpp"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        programs = [compiled(source, folder) for source in sources]
        print("CPU ms (median), ratio to the flood of the same round [10 %, 90 %]:", *(s.stem for s in sources))
        for case in CASES:
            text = folder / "case.in"
            command = [sys.executable, "sokoban.py", *case.split()]
            made = subprocess.run(command, cwd=ROOT / "generators", stdout=subprocess.PIPE, check=True)
            text.write_bytes(made.stdout)
            print(row(case, measure(programs, text, runs)), flush=True)


if __name__ == "__main__":
    main()
