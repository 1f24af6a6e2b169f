"""A verdict depends neither on the tier nor on the kernel's Landlock nor on the user who judges."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tiers.machines import (
    Laboratory,
    Machine,
    as_ordinary_user,
    laboratory,
    machines,
    missing,
    ordinary_python,
)

PACKAGES = Path(__file__).parent / "packages"
ALL = list(machines())
SAMPLE = [one for one in ALL if not one.root and str(one) in ("T1-abi0-user", "T2-abi5-user")]
WHOLE = [one for one in ALL if "listener" not in one.refused]
SIGABRT, SIGTERM = 6, 15
# of each submission the verdict and, of each case, its verdict and the signal of a run-time error
Verdicts = dict[str, tuple[str, list[tuple[str, int | None]]]]
GAME: Verdicts = {
    "accepted/Guess.java": ("AC", [("AC", None)] * 3),
    "accepted/guess.cpp": ("AC", [("AC", None)] * 3),
    "accepted/guess.py": ("AC", [("AC", None)] * 3),
    "run_time_error/crashes.cpp": ("RTE", [("RTE", SIGABRT)] * 3),
    "time_limit_exceeded/silent.py": ("TLE", [("TLE", None)] * 3),
    "wrong_answer/counts.py": ("WA", [("AC", None), ("AC", None), ("WA", None)]),
}
CHECKED: Verdicts = {
    "accepted/Sum.java": ("AC", [("AC", None)] * 3),
    "accepted/sum.cpp": ("AC", [("AC", None)] * 3),
    "accepted/sum.py": ("AC", [("AC", None)] * 3),
    "run_time_error/aborts.cpp": ("RTE", [("AC", None), ("RTE", SIGABRT), ("RTE", SIGABRT)]),
    "run_time_error/ends_itself.py": ("RTE", [("AC", None), ("RTE", SIGTERM), ("RTE", SIGTERM)]),
    "run_time_error/raises.py": ("RTE", [("AC", None), ("RTE", None), ("RTE", None)]),
    "time_limit_exceeded/spins.py": ("TLE", [("AC", None), ("TLE", None), ("TLE", None)]),
    "wrong_answer/Off.java": ("WA", [("AC", None), ("WA", None), ("WA", None)]),
    "wrong_answer/off.cpp": ("WA", [("AC", None), ("WA", None), ("WA", None)]),
    "wrong_answer/off.py": ("WA", [("AC", None), ("WA", None), ("WA", None)]),
}


@pytest.fixture(scope="module")
def lab() -> Iterator[Laboratory]:
    with laboratory() as opened:
        yield opened


def verdicts(lab: Laboratory, machine: Machine, package: str, *submissions: str) -> Verdicts:
    """What the judge of a machine says of a package's submissions."""
    if reason := missing(machine):
        pytest.skip(reason)
    copied = lab.checkout / "tests/tiers/packages" / package
    paths = [str(copied / "submissions" / one) for one in submissions]
    result = lab.result(machine, "judge", str(copied), *paths, "--all", exits=0)
    assert result["isolation"]["tier"] == machine.tier
    return {
        one["path"]: (
            one["verdict"],
            [(case["verdict"], case["signal"] if case["verdict"] == "RTE" else None) for case in one["cases"]],
        )
        for one in result["submissions"]
    }


@pytest.mark.sampled(2)
@pytest.mark.parametrize("machine", SAMPLE, ids=str)
def test_the_interactor_and_the_validator_work_where_the_tier_is_low(lab: Laboratory, machine: Machine) -> None:
    """The tiers at which no judge program in Python worked once."""
    few = [one for one in GAME if not one.endswith(".java")]
    assert verdicts(lab, machine, "game", *few) == {one: GAME[one] for one in few}
    few = ["accepted/sum.py", "accepted/sum.cpp", "run_time_error/ends_itself.py", "wrong_answer/off.py"]
    assert verdicts(lab, machine, "checked", *few) == {one: CHECKED[one] for one in few}


MANY_THREADS = """
import threading, sys
for _ in range(500):
    threading.Thread(target=threading.Event().wait, daemon=True).start()
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("machine", SAMPLE[:1], ids=str)
def test_what_else_the_user_runs_takes_no_threads_from_a_submission(lab: Laboratory, machine: Machine) -> None:
    """RLIMIT_NPROC counts all processes of a user."""
    if reason := missing(machine):
        pytest.skip(reason)
    python = [ordinary_python(), "-c", MANY_THREADS]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(python, cwd="/", **pipes, **as_ordinary_user()) as other:  # type: ignore[call-overload]
        assert other.stdout.readline() == b"ready\n"
        found = verdicts(lab, machine, "checked", "accepted/Sum.java")
        other.communicate()
    assert found == {"accepted/Sum.java": CHECKED["accepted/Sum.java"]}


@pytest.mark.slow
@pytest.mark.parametrize("machine", ALL, ids=str)
def test_games_get_the_same_verdicts_on_every_machine(lab: Laboratory, machine: Machine) -> None:
    assert verdicts(lab, machine, "game") == GAME


@pytest.mark.slow
@pytest.mark.parametrize("machine", WHOLE, ids=str)
def test_checked_answers_get_the_same_verdicts_on_every_machine(lab: Laboratory, machine: Machine) -> None:
    assert verdicts(lab, machine, "checked") == CHECKED


@pytest.mark.slow
@pytest.mark.parametrize("machine", WHOLE, ids=str)
@pytest.mark.parametrize(
    ("submission", "verdict"),
    [
        ("wrong_answer/off.cpp", "WA"), ("wrong_answer/off.py", "WA"), ("run_time_error/aborts.cpp", "RTE"),
        ("time_limit_exceeded/spins.py", "TLE"), ("run_time_error/ends_itself.py", "RTE"),
    ],
)  # fmt: skip
def test_stress_finds_the_same_on_every_machine(
    lab: Laboratory, machine: Machine, submission: str, verdict: str
) -> None:
    if reason := missing(machine):
        pytest.skip(reason)
    package = lab.checkout / "tests/tiers/packages/checked"
    found = lab.result(machine, "stress", str(package), submission, "--time", "60", exits=1)["found"]
    assert (found["verdict"], found["verdict_of_plain_run"]) == (verdict, verdict)
    assert found["confirmed"]


@pytest.mark.slow
@pytest.mark.parametrize("machine", WHOLE, ids=str)
def test_mutants_meet_the_same_fates_on_every_machine(lab: Laboratory, machine: Machine) -> None:
    if reason := missing(machine):
        pytest.skip(reason)
    package = str(lab.checkout / "tests/tiers/packages/checked")
    options = ("sum.cpp", "sum.py", "--inputs", "0", "--sample", "6", "--fresh")
    result = lab.result(machine, "mutate", package, *options, exits=1)
    killed = {one["path"]: one["counts"]["killed"] for one in result["solutions"]}
    assert killed == {"accepted/sum.cpp": 1, "accepted/sum.py": 2}


def test_the_page_says_of_every_machine_that_it_was_tried_or_emulated() -> None:
    """Else run where_tried.py once more."""
    page = (Path(__file__).parents[2] / "docs" / "sandbox.md").read_text()
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines() if line.startswith("| ")
    ]
    columns = [(refused, root) for refused in ("-", "namespaces", "namespaces,listener") for root in (False, True)]
    cells = {
        (row[0], *column): cell
        for row in rows
        if row[0].isdigit()
        for column, cell in zip(columns, row[2:], strict=True)
    }
    for machine in ALL:
        assert cells[str(machine.abi), machine.refused, machine.root] in (
            f"{machine.tier} tried",
            f"{machine.tier} emulated",
        )
