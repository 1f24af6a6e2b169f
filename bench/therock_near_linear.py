"""Does dominators.cpp of `therock` stay near-linear? CPU time and visits of its search, by size, on families of mazes.

Usage: therock_near_linear.py [SIDE ...]; the sides default to 250 500 1000. The visits are counted in a copy of the
program with a counter put in. A million cells cost some seconds to generate.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "reference" / "therock" / "accepted" / "dominators.cpp"
FAMILIES = [
    "open {0} {0} far=1",
    "random {0} {0} density=20 far=1 7",
    "random {0} {0} density=38 far=1 7",
    "rooms {0} {0} loops=50 far=1 7",
    "rooms {0} {0} period=20 loops=20 far=1 7",
    "rooms {0} {0} period=4 loops=50 far=1 7",
    "maze {0} {0} braid=2 far=1 7",
    "maze {0} {0} braid=20 far=1 7",
    "spiral {0} {0} braid=1 far=1 7",
    "snake-loop {0} {0} gap=101",
    "ring {0} {0} rungs=120",
    "serpentine {0} {0} spurs=20000 7",
]
COUNTED = [
    ("class Detours {", "long long visits = 0;\n\nclass Detours {"),
    ("const int cell = climb_[i];", "const int cell = climb_[i];\n            ++visits;"),
    (
        "int main() {",
        'struct Report {\n    ~Report() { std::fprintf(stderr, "%lld", visits); }\n} report;\n\nint main() {',
    ),
]


def compiled(folder, name, text):
    """A program, built as the judge builds it."""
    source, program = folder / f"{name}.cpp", folder / name
    source.write_text(text)
    subprocess.run(["c++", "-O2", "-std=c++17", "-o", program, source], check=True)
    return program


def with_counter(text):
    """The program, which reports its visits on standard error."""
    for old, new in COUNTED:
        if text.count(old) != 1:
            raise SystemExit(f"{SOURCE} has changed: `{old}` stands in it {text.count(old)} times")
        text = text.replace(old, new)
    return text


def cpu_ms(program, path):
    """User and system time of the best of three runs."""
    best = float("inf")
    for _ in range(3):
        with path.open("rb") as stdin:
            child = subprocess.Popen([program], stdin=stdin, stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            raise SystemExit(f"{program} failed on {path}")
        best = min(best, (usage.ru_utime + usage.ru_stime) * 1000)
    return best


def main():
    """One line a family and side: cells of floor, answer, visits a cell, CPU time, and that a cell."""
    sides = [int(word) for word in sys.argv[1:]] or [250, 500, 1000]
    print(f"{'family':44}{'floor':>9}{'answer':>9}{'visits/cell':>13}{'CPU ms':>9}{'ns/cell':>9}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plain = compiled(folder, "plain", SOURCE.read_text())
        counting = compiled(folder, "counting", with_counter(SOURCE.read_text()))
        for family in FAMILIES:
            for side in sides:
                path = folder / "case.in"
                command = [sys.executable, "therock.py", *family.format(side).split()]
                made = subprocess.run(command, cwd=ROOT / "generators", stdout=subprocess.PIPE, check=True)
                path.write_bytes(made.stdout)
                done = subprocess.run([counting], input=made.stdout, capture_output=True, check=True)
                floor = sum(made.stdout.count(mark) for mark in (b".", b"E", b"X"))
                cpu = cpu_ms(plain, path)
                row = f"{family.format(side):44}{floor:9}{int(done.stdout):9}{int(done.stderr) / floor:13.3f}"
                print(f"{row}{cpu:9.1f}{cpu * 1e6 / floor:9.0f}", flush=True)


if __name__ == "__main__":
    main()
