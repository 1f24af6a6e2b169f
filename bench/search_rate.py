"""Contained runs a second of a search with two small programs in C++, of several trees by turns.

    python bench/search_rate.py [SECONDS [TURNS [HARNESS …]]]

HARNESS: commands of other trees, each with its own cache; the first turn, which builds, does not count. Two runs an
input: the program and the reference. Printed: the median of each, its spread, and its ratio to the first.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

OWN = str(Path(sys.executable).parent / "harness")
SHAPE = "n: 1..100; n * (1..1000)"
COUNTING = """\
#include <iostream>
int main() {
    int n;
    std::cin >> n;
    long long sum = 0;
    for (int at = 0, x; at < n && std::cin >> x; at++) sum += x;
    std::cout << sum << '\\n';
}
"""
TO_THE_END = """\
#include <iostream>
int main() {
    long long n, x, sum = 0;
    std::cin >> n;
    while (std::cin >> x) sum += x;
    std::cout << sum << '\\n';
}
"""


def rate(command: str, folder: Path, seconds: float) -> float:
    """Runs a second of one search."""
    cache = folder / command.replace("/", "_")
    cache.mkdir(exist_ok=True)
    words = [
        command,
        "stress",
        "a.cpp",
        "--brute",
        "b.cpp",
        "--shape",
        SHAPE,
        "--time",
        str(seconds),
        "--json",
        "-",
    ]
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    ran = subprocess.run(words, cwd=folder, env=environment, capture_output=True, check=True)
    report = json.loads(ran.stdout)
    return 2 * report["executions"] / report["seconds"]["searching"]


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 8.0
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    commands = [OWN, *sys.argv[3:]]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "a.cpp").write_text(COUNTING)
        (folder / "b.cpp").write_text(TO_THE_END)
        rates: dict[str, list[float]] = {command: [] for command in commands}
        for _ in range(turns + 1):
            for command in commands:
                rates[command].append(rate(command, folder, seconds))
        first = statistics.median(rates[OWN][1:])
        for command, (_, *counted) in rates.items():
            middle = statistics.median(counted)
            print(
                f"{middle:5.0f} runs/s ({min(counted):.0f} to {max(counted):.0f}), {middle / first:.2f} ×  {command}"
            )


if __name__ == "__main__":
    main()
