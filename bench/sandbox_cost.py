"""What a contained run costs: a static C hello, bare and behind each wall, interleaved in one run.

    python bench/sandbox_cost.py [ROUNDS] [RUNS]

A round measures every way once, RUNS runs each, so that a machine that slows down slows down all of them; the
ratios are those of the rounds, as median and quartiles. `bwrap` counts only where it is installed (on PATH).
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from harness.errors import MachineError
from harness.sandbox.contained import ContainedSandbox
from harness.sandbox.facts import MIB, Command, Limits, Tier

LIMITS = Limits(cpu_s=1, wall_s=3, memory_bytes=256 * MIB, output_bytes=MIB, may_fork=False)
HELLO = '#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n'
BWRAP = (
    *("--unshare-all", "--die-with-parent", "--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib"),
    *("--symlink", "usr/lib64", "/lib64", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"),
)


def bare(binary: Path, streams: Path) -> None:
    """posix_spawn and wait4 with the same three files: the least that any judge pays."""
    files = [os.open(streams / "stdin", os.O_RDONLY)]
    files += [os.open(streams / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) for name in ("stdout", "stderr")]
    actions = [(os.POSIX_SPAWN_DUP2, file, index) for index, file in enumerate(files)]
    pid = os.posix_spawn(binary, [str(binary)], {}, file_actions=actions)
    os.wait4(pid, 0)
    for file in files:
        os.close(file)


def bwrap(binary: Path, streams: Path) -> None:
    """Bubblewrap, which limits nothing, around the same program."""
    folder = str(binary.parent)
    command = ["bwrap", *BWRAP, "--ro-bind", folder, folder, "--chdir", folder, str(binary)]
    with (streams / "stdout").open("wb") as out, (streams / "stderr").open("wb") as err:
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, check=True)


def contained(sandbox: ContainedSandbox, binary: Path, streams: Path) -> None:
    """A run of ours, all walls up."""
    command = Command(argv=(str(binary),), directory=binary.parent)
    paths = {name: streams / name for name in ("stdin", "stdout", "stderr")}
    result = sandbox.run(command, LIMITS, **paths)
    if result.exit_code != 0:
        raise MachineError(f"hello failed: {result}")


def seconds(run: Callable[[], None], runs: int) -> float:
    """Seconds a run."""
    started = time.perf_counter()
    for _ in range(runs):
        run()
    return (time.perf_counter() - started) / runs


def in_parallel(ways: list[Callable[[], None]], runs: int) -> float:
    """Seconds a run when each way runs in a thread of its own."""
    threads = [threading.Thread(target=seconds, args=(way, runs)) for way in ways]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return (time.perf_counter() - started) / (runs * len(ways))


def spread(values: list[float]) -> str:
    low, middle, high = statistics.quantiles(values, n=4)
    return f"{middle:6.2f}  ({low:.2f} to {high:.2f})"


def main() -> None:
    rounds, runs = (int(argument) for argument in (sys.argv[1:] + ["15", "100"][len(sys.argv) - 1 :]))
    with tempfile.TemporaryDirectory(prefix="harness-bench-") as name:
        root = Path(name)
        root.chmod(0o755)
        binary = root / "program" / "hello"
        streams = [root / "streams-0", root / "streams-1"]
        for folder in (binary.parent, *streams):
            folder.mkdir(mode=0o755)
            (folder / "stdin").write_text("")
        (root / "hello.c").write_text(HELLO)
        subprocess.run(["cc", "-O2", "-static", "-o", binary, root / "hello.c"], check=True)
        measure(binary, streams, rounds, runs)


def measure(binary: Path, streams: list[Path], rounds: int, runs: int) -> None:
    sandboxes: dict[str, list[ContainedSandbox]] = {}
    for tier in (Tier.NAMESPACED, Tier.LOCKED, Tier.FILTERED):
        try:
            sandboxes[tier.value] = [ContainedSandbox(tier, worker) for worker in range(2)]
        except MachineError as error:
            print(f"{tier}: {error}")
    ways: dict[str, Callable[[], float]] = {"bare": lambda: seconds(lambda: bare(binary, streams[0]), runs)}
    for name, pair in sandboxes.items():
        each = [
            lambda box=box, own=own: contained(box, binary, own) for box, own in zip(pair, streams, strict=True)
        ]
        ways[name] = lambda each=each: seconds(each[0], runs)
        ways[f"{name}, 2 workers"] = lambda each=each: in_parallel(each, runs)
    if shutil.which("bwrap"):
        ways["bwrap"] = lambda: seconds(lambda: bwrap(binary, streams[0]), max(1, runs // 5))
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for way in ways.values():
        way()
    for _ in range(rounds):
        for name, way in ways.items():
            taken[name].append(way())
    report(taken)
    for box in (box for pair in sandboxes.values() for box in pair):
        box.close()


def report(taken: dict[str, list[float]]) -> None:
    print(f"{'':18}ms a run                       × bare")
    for name, values in taken.items():
        ratios = [value / base for value, base in zip(values, taken["bare"], strict=True)]
        print(f"{name:16}{spread([value * 1000 for value in values]):30}{spread(ratios)}")
    for name in ("T3", "T2", "T1"):
        if name in taken:
            pairs = zip(taken[name], taken[f"{name}, 2 workers"], strict=True)
            print(f"{name}: rate of two workers × one: {spread([one / two for one, two in pairs])}")
    if "bwrap" in taken and "T3" in taken:
        print(f"bwrap × T3: {spread([b / t for b, t in zip(taken['bwrap'], taken['T3'], strict=True)])}")


if __name__ == "__main__":
    main()
