"""What a 1000×1000 grid of each family costs, against a straightforward C++ generator, interleaved in one run.

    python bench/families.py [ROUNDS]

Ours: CPU milliseconds to make and print one grid in a running generator (a recipe's grids share one interpreter when
they are built warm), and of a whole fresh process. The C++ program draws each of a million cells on its own and
prints them. Medians over the rounds; the ratio is ours to the C++ process.
"""

import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "generators"))
import grids  # noqa: E402
import sokoban  # noqa: E402

SIDE = 1000
SOURCE = """#include <cstdio>
#include <random>
#include <string>
#include <vector>
int main() {
    std::mt19937 random(7);
    std::vector<std::string> grid(1000, std::string(1000, '.'));
    for (auto& row : grid)
        for (auto& cell : row)
            if (random() % 100 < 20) cell = '#';
    std::printf("1000 1000\\n");
    for (auto& row : grid) std::printf("%s\\n", row.c_str());
}
"""


def inside_ms(family: str) -> float:
    """CPU milliseconds of one grid, made and printed, in this process."""
    started_s = time.process_time()
    grid = grids.FAMILIES[family](SIDE, SIDE, random.Random(7))
    sokoban.printed(grid, SIDE, SIDE)
    return (time.process_time() - started_s) * 1000


def process_ms(command: list[str | Path]) -> float:
    """CPU milliseconds of a whole process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    families = [name for name in grids.FAMILIES if name != "tiny"]
    with tempfile.TemporaryDirectory() as name:
        source, binary = Path(name) / "cells.cpp", Path(name) / "cells"
        source.write_text(SOURCE)
        subprocess.run(["c++", "-O2", "-o", binary, source], check=True)
        measures: dict[str, list[Callable[[], float]]] = {}
        for family in families:
            whole = [sys.executable, ROOT / "generators" / "sokoban.py", family, str(SIDE), str(SIDE), "7"]
            measures[family] = [
                lambda family=family: inside_ms(family),
                lambda whole=whole: process_ms(whole),
                lambda: process_ms([binary]),
            ]
        taken = {
            family: [[measure() for measure in row] for _ in range(rounds)] for family, row in measures.items()
        }
    columns = {
        family: [statistics.median(column) for column in zip(*rows, strict=True)] for family, rows in taken.items()
    }
    print(f"{'family':16}{'inside':>10}{'process':>10}{'C++':>10}{'inside/C++':>12}")
    for family, (inside, whole, peer) in columns.items():
        print(f"{family:16}{inside:8.1f}ms{whole:8.1f}ms{peer:8.1f}ms{inside / peer:11.2f}×")
    average = [statistics.mean(column) for column in zip(*columns.values(), strict=True)]
    print(
        f"{'average':16}{average[0]:8.1f}ms{average[1]:8.1f}ms{average[2]:8.1f}ms{average[0] / average[2]:11.2f}×"
    )


if __name__ == "__main__":
    main()
