"""What mutation testing costs: all mutants of one C++ solution on the full data of its problem.

    timeout 480 .venv/bin/python bench/mutate.py [PROBLEM] [SOLUTION]

On a quiet machine; default: sokoban accepted/lowlink.cpp. Prints the time of 200 mutants, evenly spread, from an empty
cache: compilation, the original on every case, every mutant until its first kill. The goal: 5 minutes on two cores.
"""

import os
import resource
import sys
import tempfile
import time
from pathlib import Path

from harness.build.languages import load_table
from harness.generate.data import build_data
from harness.host.host import open_host
from harness.mutate.mutation import Mutation
from harness.mutate.outcomes import Fate
from harness.package.load import load
from harness.sandbox.opening import IsolationMode, open_sandboxes

MUTANTS = 200
GOAL_WALL_S = 300.0


def main(slug: str, path: str) -> None:
    root = Path(__file__).parent.parent / "problems" / slug
    with (
        tempfile.TemporaryDirectory() as cache,
        open_host(
            open_sandboxes(IsolationMode.AUTO, 2),
            table=load_table(()),
            search_path=os.environ["PATH"],
            cache=Path(cache),
            as_other_user=os.geteuid() == 0,
        ) as host,
    ):
        build_data(root, host)
        package = load(root)
        [program] = [one for one in package.submissions if one.path == path]
        started = time.monotonic()
        report = Mutation(package=package, host=host, cache=Path(cache), inputs=0, sample=MUTANTS).run([program])
        wall_s = time.monotonic() - started
    [found] = report.solutions
    usage = resource.getrusage(resource.RUSAGE_CHILDREN), resource.getrusage(resource.RUSAGE_SELF)
    ours_s = sum(one.ru_utime + one.ru_stime for one in usage)
    print(f"{slug} {path}: {found.tested} mutants, {len(found.of(Fate.KILLED))} killed, {found.runs} runs")
    print(f"wall {wall_s:.1f} s; CPU of the mutants {found.cpu_s:.1f} s, of all {ours_s:.1f} s")
    print(f"load {os.getloadavg()[0]:.1f}: {wall_s / GOAL_WALL_S:.2f} of the goal of {GOAL_WALL_S:.0f} s wall")


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["sokoban", "accepted/lowlink.cpp"]))
