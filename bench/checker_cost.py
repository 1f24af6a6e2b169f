"""What judging an output by a checker of testlib costs a case, against a bare start of the same checker.

    python bench/checker_cost.py [ROUNDS] [RUNS]

A round judges RUNS cases, each in every way, by turns; its figure of a way is the median. Bare is posix_spawn and
wait4, with files as streams: of the checker as its author compiles it (linked dynamically and statically, with the
contract of testlib), and of the binary that we make of it. Ours is all that judging an output takes: the files of the
case, the run in its sandbox, the message. It is also told without the files of the case, which any judge writes.
Ratios are those of the rounds: median and quartiles. Beside other work: `chrt -f 5 taskset -c 0 python ...`.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from sandbox_cost import spread

from harness.build.languages import load_table
from harness.check.output_check import CaseCheck, OutputCheck, output_check_for
from harness.host.host import Host, open_host
from harness.package import Case
from harness.package.headers import shipped_testlib
from harness.package.load import load
from harness.results.verdict import Verdict
from harness.sandbox.facts import Sandbox
from harness.sandbox.opening import IsolationMode, open_sandboxes

CHECKER = """#include "testlib.h"
int main(int argc, char *argv[]) {
    registerTestlibCmd(argc, argv);
    int count = 0;
    for (; !ans.seekEof(); count++) {
        std::string expected = ans.readWord(), found = ouf.readWord();
        if (expected != found) quitf(_wa, "expected '%s', found '%s'", expected.c_str(), found.c_str());
    }
    if (!ouf.seekEof()) quitf(_wa, "more than the answer");
    quitf(_ok, "%d tokens", count);
}
"""
FILES = {
    "problem.yaml": "problem_format_version: 2025-09\nname: Double\nlimits: {time_limit: 1.0}\n",
    "statement/problem.en.md": "Double it.\n",
    "data/secret/1.in": "21\n",
    "data/secret/1.ans": "42\n",
    "output_validator/check.cpp": CHECKER,
}
ACCEPT = 42


def bare(argv: list[str], streams: Path, expected: int) -> None:
    """posix_spawn and wait4 with the output of the case as standard input: the least that any judge pays."""
    files = [os.open(streams / "stdout", os.O_RDONLY)]
    files += [os.open(streams / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) for name in ("out", "err")]
    actions = [(os.POSIX_SPAWN_DUP2, file, index) for index, file in enumerate(files)]
    pid = os.posix_spawn(argv[0], argv, {}, file_actions=actions)
    _, status = os.wait4(pid, 0)[:2]
    for file in files:
        os.close(file)
    if os.waitstatus_to_exitcode(status) != expected:
        sys.exit(f"{argv[0]}: ended with {os.waitstatus_to_exitcode(status)}, not {expected}")


def accepted(check: CaseCheck, output: Path) -> None:
    """One run of the checker by our judge."""
    if check.judge(output).verdict is not Verdict.ACCEPTED:
        sys.exit("our checker does not accept")


def seconds(run: Callable[[], None]) -> float:
    """Seconds of a run."""
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def compiled(folder: Path, *flags: str) -> Path:
    """The checker as its author compiles it."""
    (folder / "testlib.h").write_bytes(shipped_testlib().read())
    (folder / "check.cpp").write_text(CHECKER)
    binary = folder / f"check{''.join(flags)}"
    subprocess.run(["g++", "-O2", *flags, "-o", binary, folder / "check.cpp"], check=True)
    return binary


def ways(
    folder: Path, host: Host, sandbox: Sandbox, check: OutputCheck, case: Case
) -> dict[str, Callable[[], float]]:
    """Every way to judge the case, as functions that measure one run."""
    for name, text in (("input", "21\n"), ("answer", "42\n"), ("stdout", "42\n")):
        (folder / name).write_text(text)
    (folder / "feedback").mkdir()
    paths = [str(folder / name) for name in ("input", "answer", "feedback/")]
    theirs = [paths[0], str(folder / "stdout"), paths[1], str(folder / "feedback" / "message")]
    command = check.validators[0].command(check.limits.memory_bytes, elsewhere=True)

    def alone(argv: list[str], expected: int) -> float:
        for path in (folder / "feedback").iterdir():
            path.unlink()  # emptying a file would wait for the disk
        return seconds(lambda: bare(argv, folder, expected))

    def whole() -> None:
        with host.work_folder(sandbox) as work, check.open(sandbox, case, work) as opened:
            accepted(opened, folder / "stdout")

    def run_alone() -> float:
        with host.work_folder(sandbox) as work, check.open(sandbox, case, work) as opened:
            return seconds(lambda: accepted(opened, folder / "stdout"))

    dynamic, static = compiled(folder), compiled(folder, "-static")
    return {
        "bare, static": lambda: alone([str(static), *theirs], 0),
        "bare, dynamic": lambda: alone([str(dynamic), *theirs], 0),
        "bare, our binary": lambda: alone([*command.argv, *paths], ACCEPT),
        "ours": lambda: seconds(whole),
        "ours, without the case's files": run_alone,
    }


def main() -> None:
    rounds, runs = (int(argument) for argument in (sys.argv[1:] + ["15", "100"][len(sys.argv) - 1 :]))
    with tempfile.TemporaryDirectory(prefix="harness-bench-") as name:
        root = Path(name)
        root.chmod(0o755)
        sandboxes = open_sandboxes(IsolationMode.AUTO, 1)
        options = {"table": load_table(()), "search_path": os.environ["PATH"], "cache": root / "cache"}
        with open_host(sandboxes, as_other_user=os.geteuid() == 0, **options) as host:
            print(f"isolation: {sandboxes[0].isolation.tier}")
            report(measured(host, root, rounds, runs))


def measured(host: Host, root: Path, rounds: int, runs: int) -> dict[str, list[float]]:
    for name, text in FILES.items():
        path = root / "package" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    package = load(root / "package")
    check = output_check_for(package, host)
    [case] = package.judged_cases()

    def measure(sandbox: Sandbox) -> dict[str, list[float]]:
        every = ways(root, host, sandbox, check, case)
        taken: dict[str, list[float]] = {name: [] for name in every}
        for _ in range(rounds + 1):
            of_round = [{name: way() for name, way in every.items()} for _ in range(runs)]
            for name, values in taken.items():
                values.append(statistics.median(times[name] for times in of_round))
        return {name: values[1:] for name, values in taken.items()}  # the first round only warms up

    return host.pool.alone(lambda sandbox, _: measure(sandbox), None)


def report(taken: dict[str, list[float]]) -> None:
    bases = [name for name in taken if name.startswith("bare")][:2]
    print(f"{'':32}{'ms a case':30}{''.join(f'× {base:28}' for base in bases)}")
    for name, values in taken.items():
        ratios = [[value / one for value, one in zip(values, taken[base], strict=True)] for base in bases]
        print(
            f"{name:32}{spread([value * 1000 for value in values]):30}{''.join(f'{spread(r):30}' for r in ratios)}"
        )


if __name__ == "__main__":
    main()
