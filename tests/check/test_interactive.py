"""Interaction: who does what, and the one verdict that follows, however the scheduler runs the two.

J is the interactor, S the submission; a scenario's name says what each does. The rules are docs/verdicts.md's.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import PackageMaker, judge_file
from harness.host.host import Host
from harness.judge import Entry, Judging
from harness.package import Program, load
from harness.package.files import File
from harness.results.verdict import Reason, Verdict

# J's part: `say` writes a line, `hear` reads one ("" at the end), `end` leaves with a code.
J_PRELUDE = """
import os, sys, time
def say(text): os.write(1, text.encode() + b"\\n")
def hear(): return sys.stdin.readline().strip()
def end(code, message=""):
    open(sys.argv[3] + "judgemessage.txt", "w").write(message)
    os._exit(code)
"""
S_PRELUDE = "import os, signal, sys, time\n"
DOUBLE_J = 'say("21")\nend(42 if hear() == "42" else 43, "not the double")\n'
DOUBLE_S = "print(2 * int(input()), flush=True)\n"
LOOP = "while True: pass\n"

SCENARIOS = {
    "J_accepts_S_is_right": (DOUBLE_J, DOUBLE_S, "AC"),
    "J_rejects_S_is_wrong": (DOUBLE_J, "print(int(input()), flush=True)\n", "WA"),
    "J_rejects_S_loops": ('say("21")\nhear()\nend(43)\n', "print(1, flush=True)\n" + LOOP, "WA"),
    "J_rejects_at_once_S_crashes_later": ("end(43)\n", "time.sleep(0.3)\nos.abort()\n", "WA"),
    "J_rejects_after_reading_S_crashes_having_written": (
        "hear()\ntime.sleep(0.05)\nend(43)\n",
        "print(1, flush=True)\nos.abort()\n",
        "WA",
    ),
    "J_accepts_S_crashes_after": ("end(42)\n", "time.sleep(0.1)\nos.abort()\n", "RTE"),
    "J_accepts_S_exits_with_3_after": (DOUBLE_J, DOUBLE_S + "time.sleep(0.05)\nsys.exit(3)\n", "RTE"),
    "J_accepts_S_loops_after": (DOUBLE_J, DOUBLE_S + LOOP, "TLE"),
    "J_accepts_S_reads_to_the_end_and_exits": (DOUBLE_J, DOUBLE_S + "sys.stdin.read()\n", "AC"),
    "J_accepts_S_talks_on": (DOUBLE_J, DOUBLE_S + "print('x' * 300000, flush=True)\n", "AC"),
    "J_waits_S_crashes": ("hear()\nend(43 if hear() else 42)\n", "os.abort()\n", "RTE"),
    "J_waits_S_exits_early": ('say("21")\nend(42 if hear() else 43, "nothing heard")\n', "pass\n", "WA"),
    "J_writes_S_exits_early": ('time.sleep(0.2)\nsay("21")\nend(42 if hear() else 43)\n', "pass\n", "WA"),
    "J_sleeps_S_exits_early": ("time.sleep(60)\n", "pass\n", "WA"),
    "J_sleeps_and_accepts_S_is_right": (
        'say("21")\nheard = hear()\ntime.sleep(1)\nend(42 if heard == "42" else 43)\n',
        DOUBLE_S,
        "AC",
    ),
    "J_waits_S_does_not_flush": (
        DOUBLE_J,
        "sys.stdout.write('42\\n')\nsys.stdin.readline()\nsys.stdin.readline()\n",
        "TLE",
    ),
    "J_waits_S_sleeps": (DOUBLE_J, "time.sleep(60)\n", "TLE"),
    "J_waits_S_loops": (DOUBLE_J, LOOP, "TLE"),
    "J_waits_S_closes_its_output_and_reads": (
        'say("21")\nend(42 if hear() else 43)\n',
        "os.close(1)\nsys.stdin.read()\n",
        "WA",
    ),
    "J_waits_S_closes_its_output_sleeps_and_crashes": (
        'say("21")\nend(42 if hear() else 43)\n',
        "os.close(1)\ntime.sleep(1.5)\nos.abort()\n",
        "RTE",
    ),
    "J_waits_S_closes_its_output_and_sleeps_on": (
        'say("21")\nend(42 if hear() else 43)\n',
        "os.close(1)\ntime.sleep(60)\n",
        "TLE",
    ),
    "J_sleeps_on_S_reads": ("while True: time.sleep(0.05)\n", "sys.stdin.read()\n", "TLE"),
    "J_sleeps_and_rejects_S_reads": ("time.sleep(2.5)\nend(43)\n", "sys.stdin.read()\n", "WA"),
    "J_crashes_S_waits": ("raise RuntimeError('broken')\n", "input()\n", "JE"),
    "J_exits_0_S_waits": ("os._exit(0)\n", "sys.stdin.read()\n", "JE"),
    "J_loops_S_waits": (LOOP, "input()\n", "JE"),
    "J_floods_S_does_not_read": ("while True: say('x' * 1000)\n", "time.sleep(0.2)\n", "JE"),
    "S_floods_J_rejects_the_first_line": ("hear()\nend(43)\n", "while True: print('x' * 1000)\n", "WA"),
    "S_floods_J_fails": (
        "heard = 0\nwhile heard < 9 << 20: heard += len(os.read(0, 1 << 20))\nend(1)\n",
        "while True: os.write(1, b'1' * 100000)\n",
        "OLE",
    ),
    "J_streams_without_end_S_keeps_it_beyond_both_limits": (
        "while True: say('x' * 100000)\n",
        "kept = [b'x' * (200 << 20)]\nwhile time.process_time() < 1.03: pass\n"
        "while True: kept.append(os.read(0, 1 << 16))\n",
        "TLE",
    ),
    "S_opens_its_streams_by_name": (
        DOUBLE_J,
        "print(2 * int(open('/dev/stdin').readline()), file=open('/dev/stdout', 'w'))\n",
        "AC",
    ),
    "S_says_what_is_no_text_J_reads_text": ("hear()\nend(43)\n", "os.write(1, b'\\xff\\xfe\\n')\n", "WA"),
    "S_leaves_a_child_that_holds_the_pipe": (
        DOUBLE_J,
        "if os.fork() == 0: time.sleep(30)\nelse:\n    print(2 * int(input()), flush=True)\n",
        "AC",
    ),
}

LONG = (
    "J_sleeps_S_exits_early",
    "J_sleeps_on_S_reads",
    "J_waits_S_closes_its_output_and_sleeps_on",
)  # they wait for the wall limit


@pytest.fixture
def game(double_with: PackageMaker) -> PackageMaker:
    def make(interactor: str) -> Path:
        manifest = (Path(__file__).parents[1] / "packages/double/problem.yaml").read_text()
        secret = {f"data/secret/{name}.{end}": None for name in ("02-largest", "03-some") for end in ("in", "ans")}
        return double_with(
            {
                **secret,
                "data/sample/1.in": None,
                "data/sample/1.ans": None,
                "problem.yaml": manifest.replace("limits:", "type: interactive\nlimits:\n  validation_time: 2"),
                "output_validator/judge.py": J_PRELUDE + interactor,
            }
        )

    return make


@pytest.fixture(params=[0, 3], ids=["quiet", "loaded"])
def busy_neighbours(request: pytest.FixtureRequest) -> Iterator[None]:
    """Processes that take all the time they can get beside the game."""
    neighbours = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(request.param)]
    yield
    for neighbour in neighbours:
        neighbour.kill()
        neighbour.wait()


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in LONG else ()) for name in SCENARIOS]
)
def test_scenario(name: str, game: PackageMaker, host: Host) -> None:
    interactor, submission, verdict = SCENARIOS[name]
    root = game(interactor)
    source = root / "player.py"
    source.write_text(S_PRELUDE + submission)
    result = judge_file(load(root), source, host)
    assert result.verdict == verdict, result.cases


def test_missing_flush_is_found_long_before_the_wall_limit_and_named(game: PackageMaker, host: Host) -> None:
    interactor, submission, _ = SCENARIOS["J_waits_S_does_not_flush"]
    root = game(interactor)
    source = root / "player.py"
    source.write_text(S_PRELUDE + submission)
    [case] = judge_file(load(root), source, host).cases
    assert (case.verdict, case.reason) == (Verdict.TIME_LIMIT_EXCEEDED, Reason.IDLE)
    assert "missing flush" in case.message


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario_never_flips(name: str, game: PackageMaker, host: Host, busy_neighbours: None) -> None:
    interactor, submission, verdict = SCENARIOS[name]
    root = game(interactor)
    source = root / "player.py"
    source.write_text(S_PRELUDE + submission)
    entries = [
        Entry(program=Program(path=f"{number}.py", files={"player.py": File(origin=source)}))
        for number in range(30)
    ]
    results = Judging(package=load(root), host=host, complete=True).run(entries)  # also after a judge error
    assert [result.verdict for result in results] == [verdict] * 30
