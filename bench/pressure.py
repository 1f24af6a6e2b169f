"""Whether other work on the machine turns a verdict: the same commands alone and beside busy processes.

    python bench/pressure.py [--busy N] [--rounds N] [--seconds S] [COMMAND …]

Each command runs once alone, then in rounds beside N processes that only compute (started and stopped here, at
ordinary priority, and gone when this script is); a round ends no later than S seconds after its beginning, and what
did not end by then counts as "not ended", not as a flip. A flip is another exit code or another verdict of a
submission, group or case. The default commands are `judge` of each problem on a fixed sample of its solutions, and
`verify --fresh` of eightqueens. Exit code 1 if anything flipped.
"""

import argparse
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
HARNESS = (sys.executable, "-m", "harness")
SPIN = "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    for _ in range(1000000): pass\n"
DEFAULT = (
    "judge bridgit accepted/two_trees.cpp accepted/diagonals.py time_limit_exceeded/no_flush.py"
    " time_limit_exceeded/waits_for_the_king.cpp wrong_answer/always_no.py run_time_error/crashes_after_winning.py",
    "judge eightqueens accepted/any_five_squares.cpp accepted/rows.py run_time_error/all_boards_in_memory.cpp"
    " time_limit_exceeded/forgets_the_end.py wrong_answer/rows_left_over.py",
    "judge apples accepted/factorials.py run_time_error/table_too_small.cpp wrong_answer/float_product.cpp",
    "judge deadlock accepted/units.py time_limit_exceeded/no_memory.cpp wrong_answer/one_visit.py",
    "judge sokoban accepted/lowlink.cpp run_time_error/memory_hog.cpp time_limit_exceeded/flood_per_box.cpp"
    " wrong_answer/box_on_goal.cpp",
    "judge therock accepted/dominators.cpp run_time_error/recursive_flood.py time_limit_exceeded/start_from_zero.cpp"
    " wrong_answer/one_sweep.cpp",
    "verify eightqueens --fresh",
)
NOT_ENDED = "not ended"


@contextmanager
def busy_processes(count: int) -> Iterator[None]:
    """Processes that take all the time that they can get; each ends by itself when this one dies."""
    # A session each: some kernels share the cores between sessions, and a run in the sandbox has one of its own.
    processes = [subprocess.Popen([sys.executable, "-c", SPIN], start_new_session=True) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.wait()


def outcome(command: str, seconds: float) -> tuple[dict[str, str], float]:
    """What a command finds, each verdict by its place, and how long it took."""
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "result.json"
        started = time.monotonic()
        argv = [*HARNESS, *shlex.split(command), "--json", str(result)]
        process = subprocess.Popen(
            argv, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        try:
            code = process.wait(timeout=seconds)
        except (subprocess.TimeoutExpired, KeyboardInterrupt) as why:
            os.killpg(process.pid, signal.SIGINT)
            process.wait()
            if isinstance(why, KeyboardInterrupt):
                raise
            return {"exit code": NOT_ENDED}, time.monotonic() - started
        took_s = time.monotonic() - started
        found = json.loads(result.read_text()) if result.exists() else {}
    return {"exit code": str(code), **dict(_verdicts(found))}, took_s


def _verdicts(found: dict[str, object]) -> Iterator[tuple[str, str]]:
    for submission in found.get("submissions", ()):  # type: ignore[attr-defined]
        yield submission["path"], submission["verdict"]
        for case in submission["cases"]:
            yield f"{submission['path']} {case['name']}", case["verdict"]
    for part in found.get("parts", ()):  # type: ignore[attr-defined]
        yield f"part {part['part']}", "holds" if part["holds"] else "does not hold"
        for finding in part["findings"]:
            if finding["level"] != "note":
                yield f"{finding['level']} {part['part']}: {finding['subject']}", finding["message"]


def differences(alone: dict[str, str], beside: dict[str, str]) -> list[str]:
    """A line for each place where the two differ."""
    places = dict.fromkeys((*alone, *beside))
    return [
        f"{place}: alone {alone.get(place, '-')}, beside other work {beside.get(place, '-')}"
        for place in places
        if alone.get(place) != beside.get(place)
    ]


def main(arguments: Sequence[str]) -> int:
    """Run all, and print a line for each run and each flip."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--busy", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1800.0, help="at most, for each command")
    parser.add_argument("commands", nargs="*", default=DEFAULT)
    given = parser.parse_args(arguments)
    runs = flips = verdicts = 0
    for command in given.commands:
        alone, took_s = outcome(command, given.seconds)
        print(
            f"{command}: alone {took_s:.0f} s, exit code {alone['exit code']}, {len(alone)} outcomes", flush=True
        )
        for _ in range(given.rounds):
            with busy_processes(given.busy):
                beside, took_s = outcome(command, given.seconds)
                load = os.getloadavg()[0]
            runs += 1
            if beside["exit code"] == NOT_ENDED:
                print(f"  not ended after {took_s:.0f} s at a load of {load:.0f}", flush=True)
                continue
            found = differences(alone, beside)
            flips, verdicts = flips + len(found), verdicts + len(beside)
            print(f"  {took_s:.0f} s at a load of {load:.0f}: {len(found)} of {len(beside)} differ", flush=True)
            for line in found:
                print(f"    FLIP {line}", flush=True)
    print(f"{runs} runs beside {given.busy} busy processes, {verdicts} outcomes, {flips} flips")
    return 1 if flips else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
