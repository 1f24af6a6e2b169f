"""What the judge adds to a conversation: a round trip in a judging, against direct pipes between bare processes.

The same two C++ programs say N lines to each other: under `harness` (contained, judged), as bare processes over two
pipes, and under `harness` with the tap that records a replay. In turn, several times; start-up is taken off by games
of no round. Then whole games of `bridgit` on 10 × 9: the interactor warm, and started as a fresh process for each.
Usage: round_trip.py [REPEATS] [ROUNDS]
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

from harness.build.executable import Executable
from harness.build.languages import load_table
from harness.host.host import Host, open_host
from harness.judge.judging import Judging
from harness.package import Package, Program
from harness.package.files import File
from harness.package.load import load
from harness.results.verdict import Verdict
from harness.sandbox.opening import IsolationMode, open_sandboxes
from harness.sandbox.transcript import Tap

ROOT = Path(__file__).resolve().parents[1]
INTERACTOR = r"""
#include <cstdio>
int main(int, char** argv) {
  int rounds = 0, heard = 0;
  FILE* input = fopen(argv[1], "r");
  if (fscanf(input, "%d", &rounds) != 1) return 1;
  for (int round = 0; round < rounds; round++) {
    printf("%d\n", round);
    fflush(stdout);
    if (scanf("%d", &heard) != 1 || heard != round) return 43;
  }
  return 42;
}
"""
SUBMISSION = r"""
#include <cstdio>
int main() {
  for (int said; scanf("%d", &said) == 1;) {
    printf("%d\n", said);
    fflush(stdout);
  }
}
"""
MANIFEST = """
problem_format_version: 2025-09
name: {en: Echo}
uuid: 8f4f9d0e-6d0f-4c66-9c2a-6a4c1d2f2b11
type: interactive
limits: {time_limit: 30}
"""
VALIDATOR = "import sys\nsys.stdin.read()\nsys.exit(42)\n"


def echo(folder: Path, rounds: int) -> Package:
    """A package whose one case is a conversation of so many rounds."""
    files = {
        "problem.yaml": MANIFEST,
        "statement/problem.en.md": "Echo.\n",
        "input_validators/validate.py": VALIDATOR,
        "output_validator/interactor.cpp": INTERACTOR,
        "submissions/accepted/echo.cpp": SUBMISSION,
        "data/secret/1.in": f"{rounds}\n",
        "data/secret/1.ans": "\n",
    }
    for name, text in files.items():
        path = folder / f"echo{rounds}" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return load(folder / f"echo{rounds}")


def judged_s(package: Package, host: Host, program: Program, *, tapped: bool = False) -> Callable[[], float]:
    """The wall seconds of one judged game, in a function; everything is built beforehand."""
    judging = Judging(package=package, host=host)
    judge = judging.case_judge
    [built] = host.build_submissions(package, [program])
    [case] = package.secret.all_cases()
    if not isinstance(built, Executable):
        raise SystemExit(str(built))

    def once() -> float:
        one = replace(judge, tap=Tap()) if tapped else judge
        start = time.perf_counter()
        result = host.pool.alone(lambda sandbox, _: one.judge(sandbox, built, package.secret, case), None)
        if result.verdict is not Verdict.ACCEPTED:
            raise SystemExit(f"{result.verdict}: {result.message}")
        return time.perf_counter() - start

    once()
    return once


def bare_s(folder: Path, rounds: int) -> Callable[[], float]:
    """The same as bare processes over two pipes."""
    programs = []
    for name, text in (("interactor", INTERACTOR), ("submission", SUBMISSION)):
        (folder / f"{name}.cpp").write_text(text)
        programs.append(folder / name)
        subprocess.run(["c++", "-O2", "-o", folder / name, folder / f"{name}.cpp"], check=True)
    (folder / f"{rounds}.in").write_text(f"{rounds}\n")

    def once() -> float:
        to_player, from_judge = os.pipe()
        to_judge, from_player = os.pipe()
        start = time.perf_counter()
        judge = subprocess.Popen([programs[0], folder / f"{rounds}.in"], stdin=to_judge, stdout=from_judge)
        player = subprocess.Popen([programs[1]], stdin=to_player, stdout=from_player)
        for end in (to_player, from_judge, to_judge, from_player):
            os.close(end)
        code = judge.wait()
        player.wait()
        if code != 42:
            raise SystemExit(f"bare: exit code {code}")
        return time.perf_counter() - start

    once()
    return once


def spread(values: list[float]) -> str:
    """Median and the range of the middle four fifths."""
    ordered = sorted(values)
    cut = len(ordered) // 10
    return f"{statistics.median(ordered):.2f} ({ordered[cut]:.2f} to {ordered[-1 - cut]:.2f})"


def round_trips(folder: Path, host: Host, repeats: int, rounds: int) -> None:
    """The table of round trips."""
    program = Program(path="echo.cpp", files={"echo.cpp": File(origin=folder / "echo.cpp")})
    (folder / "echo.cpp").write_text(SUBMISSION)
    packages = [echo(folder, 0), echo(folder, rounds)]
    games = {
        "bare processes": [bare_s(folder, 0), bare_s(folder, rounds)],
        "judged": [judged_s(package, host, program) for package in packages],
    }
    found: dict[str, list[float]] = {name: [] for name in games}
    for _ in range(repeats):
        for name, (nothing, whole) in games.items():
            found[name].append((whole() - nothing()) / rounds * 1e6)
    nothing, whole = (judged_s(package, host, program, tapped=True) for package in packages)
    print(f"{'recorded, once':20} {(whole() - nothing()) / rounds * 1e6:.2f} µs a round trip")
    for name, costs in found.items():
        print(f"{name:20} {spread(costs)} µs a round trip, least {min(costs):.2f}")
    bare = found["bare processes"]
    for name in list(games)[1:]:
        ratios = [mine / other for mine, other in zip(found[name], bare, strict=True)]
        print(f"{name:20} {spread(ratios)} × bare pipes, least against least {min(found[name]) / min(bare):.2f}")


def keep_nothing_warm(host: Host) -> None:
    """From now on each judge program is a fresh process; a warm one would hold the interactor's sandbox."""
    object.__setattr__(host, "warm", lambda *_: None)


def games_a_second(host: Host, cold: Host, repeats: int, style: str) -> None:
    """Whole games of bridgit on 10 × 9, judge's side warm against fresh, in turn."""
    package = load(ROOT / "problems" / "bridgit", built=False)
    origin = package.root
    case = replace(
        package.sample.cases[1],
        name="bench",
        input=File(origin=origin, content=b"10 9 First\n"),
        answer=File(origin=origin, content=f"Yes {style} 1\n".encode()),
    )
    package = replace(
        package, sample=replace(package.sample, cases=()), secret=replace(package.secret, cases=(case,))
    )
    source = ROOT / "reference" / "bridgit" / "accepted" / "diagonals.cpp"
    program = Program(path=source.name, files={source.name: File(origin=source)})
    keep_nothing_warm(cold)
    once, fresh_once = judged_s(package, host, program), judged_s(package, cold, program)
    warm_s, cold_s = [], []
    for _ in range(repeats):
        warm_s.append(once())
        cold_s.append(fresh_once())
    warm, fresh = (
        f"{1 / statistics.median(times):.1f} (at best {1 / min(times):.1f})" for times in (warm_s, cold_s)
    )
    print(f"games of 10 × 9 a second, {style}: warm {warm}, fresh {fresh}")
    print(f"fresh against warm: {spread([slow / fast for slow, fast in zip(cold_s, warm_s, strict=True)])} ×")


def opened(folder: Path) -> AbstractContextManager[Host]:
    """A host with one worker, at the best isolation of this machine."""
    return open_host(
        open_sandboxes(IsolationMode.AUTO, 1),
        table=load_table(()),
        search_path=os.environ["PATH"],
        cache=folder / "cache",
        as_other_user=os.geteuid() == 0,
    )


def main() -> None:
    """Both tables."""
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000
    with tempfile.TemporaryDirectory() as name, opened(Path(name)) as host, opened(Path(name)) as cold:
        round_trips(Path(name), host, repeats, rounds)
        for style in ("path", "current", "random", "mirror", "mixed", "trap"):
            games_a_second(host, cold, 2 * repeats, style)


if __name__ == "__main__":
    main()
