"""How long a jury waits for the problems of a contest: `harness verify`, `verifyproblem`, `bt`, interleaved in one run.

    python bench/contest_peers.py ROUNDS PACKAGE...

The packages are in the legacy format, which `verifyproblem` reads; `bt` gets copies from its own `bt upgrade`. Each
tool has two workers. Ours begins each round with an empty cache and has all parts, contained; `verifyproblem` goes
without TeX's part, `bt validate` and then `bt run`; neither contains anything. A ratio above 1 says how much longer
the other takes.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from judge_cost import ROOT
from peers import peer, write_languages
from verify_cost import THEIR_PARTS, cache_of_a_machine

JOBS = "2"
BAD_USAGE = 2


def seconds(commands: list[list[str | Path]], cwd: Path, cache: Path, log: Path) -> float:
    """Wall seconds of commands one after the other; their output goes to the end of a log."""
    environment = {**os.environ, "PATH": f"/usr/bin:/bin:{os.environ['PATH']}", "XDG_CACHE_HOME": str(cache)}
    environment["XDG_CONFIG_HOME"] = str(cache.parent / "config")
    started_s = time.monotonic()
    with log.open("ab") as output:
        for command in commands:
            ran = subprocess.run(command, cwd=cwd, env=environment, stdout=output, stderr=output, check=False)
            if ran.returncode == BAD_USAGE:
                raise SystemExit(f"{command} was not understood: see {log}")
    return time.monotonic() - started_s


def one_problem(package: Path, folder: Path, cache: Path) -> dict[str, float]:
    """Wall seconds of each tool for one problem; `cache` is that of the round."""
    upgraded = (
        cache.parent / "upgraded" / cache.name / package.name
    )  # `bt` keeps what it has compiled by this path
    shutil.copytree(package, upgraded)
    seconds([[peer("bapctools"), "upgrade"]], upgraded, cache, folder / "upgrade.log")
    bt: list[list[str | Path]] = [
        [peer("bapctools"), "validate", "--jobs", JOBS],
        [peer("bapctools"), "run", "--no-generate", "--jobs", JOBS],
    ]
    ours: list[str | Path] = [sys.executable, "-m", "harness", "verify", package, "--jobs", JOBS]
    theirs = [peer("problemtools"), package, "-j", JOBS, "-p", *THEIR_PARTS]
    return {
        "harness": seconds([ours], ROOT, cache, folder / "harness.log"),
        "harness again": seconds([ours], ROOT, cache, folder / "harness.log"),
        "verifyproblem": seconds([theirs], folder, cache, folder / "verifyproblem.log"),
        "bt": seconds(bt, upgraded, cache, folder / "bt.log"),
    }


def show(name: str, walls: Sequence[Mapping[str, float]]) -> None:
    """Print each tool's wall seconds and its ratio to ours, with their spread. walls: one mapping a round."""
    for tool in walls[0]:
        ratios = [wall[tool] / wall["harness"] for wall in walls]
        own = [wall[tool] for wall in walls]
        print(
            f"{name:28} {tool:14} {statistics.median(own):7.2f} s ({min(own):.2f} to {max(own):.2f}), "
            f"{statistics.median(ratios):5.2f} x ours ({min(ratios):.2f} to {max(ratios):.2f}), "
            f"load {os.getloadavg()[0]:.1f}",
            flush=True,
        )


def main() -> None:
    rounds, packages = int(sys.argv[1]), [Path(name).resolve() for name in sys.argv[2:]]
    folder = Path(tempfile.mkdtemp(prefix="contest-peers-"))
    folder.chmod(0o755)
    write_languages(folder / "config")
    cache_of_a_machine(folder)
    totals = []
    for number in range(rounds):
        cache = folder / f"cache{number}"
        shutil.copytree(folder / "machine", cache)
        walls = []
        for package in packages:
            walls.append(one_problem(package, folder, cache))
            show(package.name, walls[-1:])
        totals.append({tool: sum(wall[tool] for wall in walls) for tool in walls[0]})
    show("all", totals)
    print(f"what they said: {folder}")


if __name__ == "__main__":
    main()
