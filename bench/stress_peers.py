"""Who finds the smallest input that breaks a program? The same bugs, side by side, in one run.

    python bench/stress_peers.py [SECONDS] [WORD]

Each of four gets SECONDS (8) for each bug; with WORD only bugs in whose line it occurs:

    random       a loop over random small inputs, as contestants write it; both programs are started for each
    hypothesis   Hypothesis alone, with the strategy that one would write; it shrinks by itself
    oj           `oj generate-input --hack` (online-judge-tools, from PyPI into an environment of its own) with the
                 generator of `random` as a program
    ours         the search behind `harness stress`, and what it makes of the input that it finds (in twice SECONDS)

The inputs of all of them are small, which is what finds such bugs. An execution is one input that was tried. The true
minimum is the size in bytes of the smallest failing input, from trying all smaller ones. Takes less than 8 minutes.
"""

import contextlib
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st
from search.corpus import Bug

from harness.build.languages import load_table
from harness.host.host import Host, open_host
from harness.package.load import load
from harness.sandbox.opening import IsolationMode, open_sandboxes
from harness.search.hunt import Hunt
from harness.search.target import target_of

ROOT = Path(__file__).parent.parent
REFERENCES = {"sokoban": "sokoban/accepted/faces.cpp", "apples": "apples/accepted/factorials.cpp"}
# file, the size of the smallest failing input
BUGS = (
    ("sokoban/wrong_answer/box_cuts_nothing.cpp", 9),
    ("sokoban/wrong_answer/low_at_most_order.cpp", 9),
    ("sokoban/wrong_answer/low_from_low.cpp", 16),
    ("sokoban/wrong_answer/one_starting_side.py", 9),
    ("sokoban/wrong_answer/player_on_goal.cpp", 12),
    ("apples/wrong_answer/product_in_int.cpp", 5),
    ("apples/wrong_answer/swapped_arguments.cpp", 4),
    ("apples/wrong_answer/modulus_at_the_end.cpp", 6),
)
GENERATOR = """import os, random
open(os.environ["COUNTED"], "ab").write(b".")
"""
SOKOBAN = """
def make(random):
    m, n = random.randint(1, 8), random.randint(1, 8)
    cells = [random.choice(".#") for _ in range(m * n)]
    cells[random.randrange(m * n)] = "X"
    rows = ["".join(cells[row * n : row * n + n]) for row in range(m)]
    return f"{m} {n}\\n" + "".join(row + "\\n" for row in rows)
"""
APPLES = """
def make(random):
    return f"{random.randint(1, 1000)} {random.randint(0, 1000)}\\n"
"""
MAKERS = {"sokoban": SOKOBAN, "apples": APPLES}


@st.composite
def _sokoban(draw: st.DrawFn) -> str:
    m, n = draw(st.integers(1, 8)), draw(st.integers(1, 8))
    cells = draw(st.lists(st.sampled_from(".#"), min_size=m * n, max_size=m * n))
    cells[draw(st.integers(0, m * n - 1))] = "X"
    return f"{m} {n}\n" + "".join("".join(cells[row * n : row * n + n]) + "\n" for row in range(m))


@st.composite
def _apples(draw: st.DrawFn) -> str:
    return f"{draw(st.integers(1, 1000))} {draw(st.integers(0, 1000))}\n"


STRATEGIES = {"sokoban": _sokoban, "apples": _apples}


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What one of them came to. size: of its input in bytes, None when it found nothing."""

    size: int | None
    executions: int
    took_s: float

    @property
    def rate(self) -> float:
        """Executions a second."""
        return self.executions / max(self.took_s, 1e-9)


@dataclass(frozen=True, kw_only=True)
class Duel:
    """A wrong program and a right one, ready to be started."""

    problem: str
    wrong: list[str]
    right: list[str]

    def fails(self, text: str) -> bool:
        """Whether they differ on an input."""
        outputs = [
            subprocess.run(program, input=text.encode(), capture_output=True, check=False)
            for program in (self.wrong, self.right)
        ]
        return outputs[0].returncode != 0 or outputs[0].stdout.split() != outputs[1].stdout.split()


class Over(KeyboardInterrupt):
    """The time of a peer is over."""


@dataclass(kw_only=True)
class Watch:
    """Counts what a peer tries, keeps the smallest failing input, ends it at the deadline."""

    duel: Duel
    deadline_s: float
    executions: int = 0
    smallest: int | None = None

    def fails(self, text: str) -> bool:
        """One more input."""
        if time.monotonic() > self.deadline_s:
            raise Over
        self.executions += 1
        failed = self.duel.fails(text)
        if failed:
            self.smallest = min(len(text), self.smallest or len(text))
        return failed


def watched(duel: Duel, time_s: float, work: Callable[[Watch], None]) -> Outcome:
    """Let a peer work with a watch."""
    began_s = time.monotonic()
    watch = Watch(duel=duel, deadline_s=began_s + time_s)
    with contextlib.suppress(Over):
        work(watch)
    return Outcome(size=watch.smallest, executions=watch.executions, took_s=time.monotonic() - began_s)


def random_loop(duel: Duel, time_s: float) -> Outcome:
    """Random inputs until one fails; that one is the answer."""
    space: dict[str, Callable[[random.Random], str]] = {}
    exec(MAKERS[duel.problem], space)
    source = random.Random(1)

    def work(watch: Watch) -> None:
        while not watch.fails(space["make"](source)):
            pass

    return watched(duel, time_s, work)


def hypothesis_alone(duel: Duel, time_s: float) -> Outcome:
    """The smallest failing input by Hypothesis' own account."""
    rules = settings(
        max_examples=1_000_000,
        derandomize=True,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )

    def work(watch: Watch) -> None:
        find(STRATEGIES[duel.problem](), watch.fails, settings=rules)

    return watched(duel, time_s, work)


def oj(duel: Duel, time_s: float, folder: Path) -> Outcome:
    """`oj generate-input --hack`; it stops at the first failing input."""
    command, cases, counted = peer(), folder / "cases", folder / "counted"
    shutil.rmtree(cases, ignore_errors=True)
    counted.write_bytes(b"")
    maker = folder / f"{duel.problem}.py"
    maker.write_text(GENERATOR + MAKERS[duel.problem] + "print(make(random), end='')\n")
    words: list[str | Path] = [command, "generate-input", "--directory", cases]
    words += ["--hack-actual", " ".join(duel.wrong), "--hack-expected", " ".join(duel.right)]
    words += [f"{sys.executable} {maker}", "1000000"]
    began_s = time.monotonic()
    process = subprocess.Popen(
        words,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env={**os.environ, "COUNTED": str(counted)},
        start_new_session=True,
    )
    while process.poll() is None and time.monotonic() < began_s + time_s and not list(cases.glob("*.in")):
        time.sleep(0.05)
    took_s = time.monotonic() - began_s
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    sizes = [path.stat().st_size for path in cases.glob("*.in")] if cases.is_dir() else []
    executions = len(counted.read_bytes())
    return Outcome(size=min(sizes, default=None), executions=executions, took_s=took_s)


def ours(bug: Bug, host: Host, time_s: float) -> Outcome:
    """The search, and what it makes of what it finds; its programs are compiled before the clock runs."""
    target = target_of(load(ROOT / "problems" / bug.problem, built=False), bug.program())
    patience = {"reducing_s": time_s, "exhaustive_s": time_s / 2, "beyond_s": time_s}
    hunt = Hunt(target=target, host=host, seed=0, time_s=time_s, **patience)
    found = hunt.run()
    took_s = hunt.progress.clock.elapsed_s - hunt.progress.clock.seconds["building"]
    if found is None or not found.is_real:
        return Outcome(size=None, executions=hunt.progress.executions, took_s=took_s)
    return Outcome(size=len(found.trial.data), executions=found.to_find + found.to_shrink, took_s=took_s)


def peer() -> Path:
    """The command `oj`, installed if need be."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    place = home / "harness" / "bench" / "online-judge-tools"
    command = place / "bin" / "oj"
    if not command.exists():
        venv.create(place, with_pip=True)
        subprocess.run([place / "bin" / "pip", "install", "--quiet", "online-judge-tools"], check=True)
    return command


def started(file: str, folder: Path) -> list[str]:
    """How a reference program is started, compiled if it must be."""
    source = ROOT / "reference" / file
    if source.suffix == ".py":
        return [sys.executable, str(source)]
    binary = folder / file.replace("/", "_").removesuffix(".cpp")
    if not binary.exists():
        subprocess.run(["c++", "-std=gnu++20", "-O2", "-o", binary, source], check=True)
    return [str(binary)]


@contextlib.contextmanager
def the_host() -> Iterator[Host]:
    """Two workers in the strongest sandbox."""
    with open_host(
        open_sandboxes(IsolationMode.AUTO, 2),
        table=load_table(()),
        search_path=os.environ["PATH"],
        cache=Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "harness" / "programs",
        as_other_user=os.geteuid() == 0,
    ) as host:
        yield host


def told(outcome: Outcome, least: int) -> str:
    """Cells of the table."""
    if outcome.size is None:
        return f"none | {outcome.executions} | {outcome.rate:.0f}"
    return f"{outcome.size} ({outcome.size / least:.1f}x) | {outcome.executions} | {outcome.rate:.0f}"


def summary(name: str, outcomes: list[tuple[Outcome, int]]) -> str:
    """One line about one of them."""
    ratios = [one.size / least for one, least in outcomes if one.size is not None]
    rate = statistics.median(one.rate for one, _ in outcomes)
    sizes = f"median size {statistics.median(ratios):.2f} x the minimum" if ratios else "no sizes"
    return f"{name:10}  found {len(ratios)} of {len(outcomes)}, {sizes}, {rate:.0f} executions per second"


def main() -> None:
    """Run and print, line by line."""
    time_s = float(sys.argv[1]) if len(sys.argv) > 1 else 8.0
    word = sys.argv[2] if len(sys.argv) > 2 else ""
    all_outcomes: dict[str, list[tuple[Outcome, int]]] = {}
    names = ("random", "hypothesis", "oj", "ours")
    peer()
    print("Each: bytes of its input (x the minimum), executions, executions per second.\n")
    print("| bug | minimum | " + " | | | ".join(names) + " | | |")
    print("| --- " * (2 + 3 * len(names)) + "|", flush=True)
    with tempfile.TemporaryDirectory() as name, the_host() as host:
        folder = Path(name)
        for file, least in BUGS:
            if word not in file:
                continue
            bug = Bug(kind="", file=file)
            right = started(REFERENCES[bug.problem], folder)
            duel = Duel(problem=bug.problem, wrong=started(file, folder), right=right)
            outcomes = (
                random_loop(duel, time_s),
                hypothesis_alone(duel, time_s),
                oj(duel, time_s, folder),
                ours(bug, host, time_s),
            )
            for each, outcome in zip(names, outcomes, strict=True):
                all_outcomes.setdefault(each, []).append((outcome, least))
            print(f"| {file} | {least} | " + " | ".join(told(one, least) for one in outcomes) + " |", flush=True)
    print()
    for each, outcomes_of in all_outcomes.items():
        print(summary(each, outcomes_of))


if __name__ == "__main__":
    main()
