"""A verdict rests on no run that somebody else ended: it is run once more, and what happens twice is its own end."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from conftest import DOUBLE, judge_file
from harness.build.languages import load_table
from harness.host.host import Host, open_host
from harness.package.load import load
from harness.results.verdict import Verdict
from harness.sandbox.facts import Command, Limits, RunResult, Sandbox
from harness.sandbox.opening import IsolationMode, open_sandboxes

SUBMISSIONS = Path(__file__).parents[1] / "submissions"
PROGRAM, COMPILER = False, True


class Struck:
    """A sandbox whose first runs of a kind are ended by a signal of which it knows nothing."""

    def __init__(self, sandbox: Sandbox, kind: bool, times: int, facts: dict[str, int | None]) -> None:
        self._sandbox, self._kind, self._times, self._facts = sandbox, kind, times, facts
        self.runs = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._sandbox, name)

    def run(self, command: Command, limits: Limits, **streams: Path) -> RunResult:
        result = self._sandbox.run(command, limits, **streams)
        if command.writable_directory is not self._kind:
            return result
        self.runs += 1
        return replace(result, **self._facts) if self.runs <= self._times else result


@contextmanager
def host_with(struck: Struck, cache: Path) -> Iterator[Host]:
    table = load_table(())
    root = os.geteuid() == 0
    with open_host([struck], table=table, search_path=os.environ["PATH"], cache=cache, as_other_user=root) as host:  # type: ignore[list-item]
        yield host


def verdict(struck: Struck, source: str, cache: Path) -> Verdict:
    with host_with(struck, cache) as host:
        return judge_file(load(DOUBLE), SUBMISSIONS / source, host).verdict


def killed(number: int) -> dict[str, int | None]:
    return {"exit_code": None, "signal": number}


@pytest.mark.parametrize("facts", [killed(signal.SIGKILL), killed(signal.SIGTERM), {"exit_code": 137}])
@pytest.mark.parametrize(
    ("source", "found"),
    [("adds_one_WA.py", Verdict.WRONG_ANSWER), ("reads_and_doubles_AC.py", Verdict.ACCEPTED)],
)
def test_a_run_that_somebody_killed_is_run_again(
    facts: dict[str, int | None], source: str, found: Verdict, tmp_path: Path
) -> None:
    [sandbox] = open_sandboxes(IsolationMode.AUTO, 1)
    assert verdict(Struck(sandbox, PROGRAM, 1, facts), source, tmp_path) is found


def test_what_dies_twice_dies_by_itself_and_a_crash_is_no_kill(tmp_path: Path) -> None:
    for facts, times, runs in ((killed(signal.SIGKILL), 2, 2), (killed(signal.SIGSEGV), 1, 1)):
        [sandbox] = open_sandboxes(IsolationMode.AUTO, 1)
        struck = Struck(sandbox, PROGRAM, times, facts)
        assert verdict(struck, "adds_one_WA.py", tmp_path) is Verdict.RUN_TIME_ERROR
        assert struck.runs == runs


@pytest.mark.parametrize("facts", [killed(signal.SIGKILL), {"exit_code": 1}])
def test_a_compiler_that_somebody_killed_is_called_again(facts: dict[str, int | None], tmp_path: Path) -> None:
    """Or a part of it: gcc tells that in words."""
    said = b"gcc: fatal error: Killed signal terminated program cc1\ncompilation terminated.\n"
    [sandbox] = open_sandboxes(IsolationMode.AUTO, 1)

    class Says(Struck):
        def run(self, command: Command, limits: Limits, **streams: Path) -> RunResult:
            result = super().run(command, limits, **streams)
            if result.exit_code == 1:
                streams["stderr"].write_bytes(said)
            return result

    struck = Says(sandbox, COMPILER, 1, facts)
    assert verdict(struck, "reads_and_doubles_AC.c", tmp_path) is Verdict.ACCEPTED
