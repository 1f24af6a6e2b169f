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
from harness.judge.judging import Judging
from harness.judge.submission_result import Entry
from harness.package import Package, Program
from harness.package.files import File
from harness.package.load import load
from harness.report.words import why
from harness.results.verdict import Reason, Verdict
from interactive_games import LONG, S_PRELUDE, SCENARIOS


# J's part: `say` writes a line, `hear` reads one ("" at the end), `end` leaves with a code.
@pytest.fixture(params=[0, 3], ids=["quiet", "loaded"])
def busy_neighbours(request: pytest.FixtureRequest) -> Iterator[None]:
    """Processes that take all the time they can get beside the game."""
    neighbours = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(request.param)]
    yield
    for neighbour in neighbours:
        neighbour.kill()
        neighbour.wait()


def written(game: PackageMaker, interactor: str, submission: str) -> tuple[Package, Path]:
    """The package with this interactor, and the file of this submission."""
    root = game(interactor)
    source = root / "player.py"
    source.write_text(S_PRELUDE + submission)
    return load(root), source


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in LONG else ()) for name in SCENARIOS]
)
def test_scenario(name: str, game: PackageMaker, host: Host) -> None:
    interactor, submission, verdict = SCENARIOS[name]
    result = judge_file(*written(game, interactor, submission), host)
    assert result.verdict == verdict, result.cases


def test_missing_flush_is_found_long_before_the_wall_limit_and_named(game: PackageMaker, host: Host) -> None:
    interactor, submission, _ = SCENARIOS["J_waits_S_does_not_flush"]
    [case] = judge_file(*written(game, interactor, submission), host).cases
    assert (case.verdict, case.reason) == (Verdict.TIME_LIMIT_EXCEEDED, Reason.IDLE)
    assert "missing flush" in case.message


@pytest.mark.parametrize(
    ("interactor", "submission", "words"),
    [
        ('print("21")\nhear()\n', "input()\n", "missing flush, in your program or in the interactor?"),
        (
            'say("21")\nhear()\nhear()\nsay("ok")\n',
            "input()\nprint(42, flush=True)\ninput()\n",
            "wait for another line",
        ),
        (
            'say("21")\nhear()\nhear()\n',
            "input()\nprint(42, flush=True)\ninput()\n",
            "after your program wrote 3 bytes",
        ),
    ],
)
def test_who_may_be_why_both_sides_wait_is_told(
    interactor: str, submission: str, words: str, game: PackageMaker, host: Host
) -> None:
    [case] = judge_file(*written(game, interactor, submission), host).cases
    assert (case.verdict, case.reason) == (Verdict.TIME_LIMIT_EXCEEDED, Reason.IDLE)
    if host.pool.isolation.contained or "your program" in words:  # the plain tier does not count bytes
        assert words in case.message and words in why(case, 1, 256)


def test_an_interactor_that_sleeps_is_named(game: PackageMaker, host: Host) -> None:
    [case] = judge_file(*written(game, "time.sleep(60)\n", "input()\n"), host).cases
    assert (case.verdict, case.reason) == (Verdict.TIME_LIMIT_EXCEEDED, Reason.WALL_TIME)
    assert "the interactor slept for " in case.message


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario_never_flips(name: str, game: PackageMaker, host: Host, busy_neighbours: None) -> None:
    interactor, submission, verdict = SCENARIOS[name]
    package, source = written(game, interactor, submission)
    entries = [
        Entry(program=Program(path=f"{number}.py", files={"player.py": File(origin=source)}))
        for number in range(30)
    ]
    results = Judging(package=package, host=host, complete=True).run(entries)  # also after a judge error
    assert [result.verdict for result in results] == [verdict] * 30
