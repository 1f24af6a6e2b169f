"""A busy machine turns no verdict: each place where time is looked at, with what load does given as values."""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from conftest import DOUBLE
from harness.check import interact
from harness.host.fork_server import SleepClock
from harness.host.host import Host
from harness.host.warm_programs import Patience
from harness.judge.judging import Judging
from harness.judge.prepare import with_limits
from harness.judge.submission_result import Entry
from harness.package import Case, Group, Rule
from harness.package.load import load
from harness.report.verification import conclusion, outcome
from harness.results.model import CaseResult, Demand, Expected, SubmissionResult, Unmet
from harness.results.verdict import Reason, Verdict
from harness.sandbox.facts import MIB, Activity, KillReason, Limits, RunResult
from harness.store.memory import MEMORY, Memory
from harness.verify import submissions
from harness.verify.findings import Level, PartResult, Verification
from harness.verify.run import StoredParts

LIMITS = Limits(cpu_s=1.0, wall_s=4.0, memory_bytes=256 * MIB, output_bytes=MIB)
MUST_BE_ACCEPTED = Rule(pattern="*", permitted=frozenset({"AC"}))
MUST_BE_SLOW = Rule(pattern="*", permitted=frozenset({"AC", "TLE"}), required=frozenset({"TLE"}))
LATE = CaseResult(
    name="secret/1", group="secret", verdict=Verdict.TIME_LIMIT_EXCEEDED, reason=Reason.CPU_TIME, cpu_s=2.4
)


# A game: both sides are seen waiting whenever they are looked at.


@dataclass
class Side:
    """A program that waits in a read at every look, and has used this much more CPU time by each."""

    more_s: float
    cpu_s: float = 0.0
    killed_for: list[KillReason] = field(default_factory=list)
    ended: tuple[int, int] = field(default_factory=os.pipe)

    def activity(self) -> Activity:
        self.cpu_s += self.more_s
        return Activity(running=0, reading=1, cpu_s=self.cpu_s)

    def kill(self, reason: KillReason = KillReason.REQUEST) -> None:
        self.killed_for.append(reason)
        os.write(self.ended[1], b"x")

    def fileno(self) -> int:
        return self.ended[0]

    def wait(self) -> RunResult:
        raise AssertionError("nobody waits for it here")


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[float, float, int], list[KillReason]]]:
    """Looks at a game so often, one pause after the other; gives what the submission was stopped for."""
    sides: list[Side] = []
    now_s = [time.monotonic()]
    monkeypatch.setattr(interact, "time", SimpleNamespace(monotonic=lambda: now_s[0]))

    def look(more_s: float, wall_s: float, times: int) -> list[KillReason]:
        player, interactor = Side(more_s), Side(more_s)
        sides.extend((player, interactor))
        with interact.open_pipes(None) as ends:
            validation: Any = None
            game = interact._Game(
                player=player,
                interactor=interactor,
                ends=ends,
                limits=replace(LIMITS, wall_s=wall_s),
                call=validation,
                judge_stderr=Path(os.devnull),
                whole_game_s=1000.0,
            )
            for _ in range(times):
                now_s[0] += interact.POLL_S
                game._check_idleness()
                if player.killed_for:
                    break
        return player.killed_for

    yield look
    for side in sides:
        for end in side.ended:
            os.close(end)


def test_a_game_that_goes_on_between_two_looks_is_neither_idle_nor_over_the_clock(
    looks: Callable[[float, float, int], list[KillReason]],
) -> None:
    busy_s = 0.05 * interact.POLL_S
    assert looks(busy_s, 4.0, 100) == []  # 30 s, and at no look does a side run
    assert looks(0.0, 4.0, 100) == [KillReason.IDLE]
    assert looks(0.0, 1.0, 100) == [KillReason.WALL]


def test_a_game_that_wakes_up_now_and_then_does_not_stay_for_ever(
    looks: Callable[[float, float, int], list[KillReason]],
) -> None:
    assert looks(0.05 * interact.POLL_S, 4.0, 200) == [KillReason.WALL]  # 40 s of its 60


# A warm validator.


def test_the_clock_of_a_warm_run_stops_sleepers_and_not_those_who_are_starved() -> None:
    sleeper, starved = SleepClock(0.0, 2.0), SleepClock(0.0, 2.0)
    assert sleeper.left_s(0.0, 0.0) == starved.left_s(0.0, 0.0) == 2.0
    assert sleeper.left_s(2.5, 0.001) < 0
    assert starved.left_s(2.5, 0.05) > 0  # a fiftieth of a core
    assert starved.left_s(19.9, 0.3) > 0
    assert starved.left_s(20.1, 0.5) < 0  # ten times the limit, in all


def test_a_run_that_stopped_its_interpreter_is_waited_for_as_long_as_it_is_starved_only() -> None:
    def ends(cpu_s: list[float]) -> bool:
        patience = Patience(asleep_s=5.0, cpu_s=3.0)
        seen = [Activity(running=0, reading=0, cpu_s=one) for one in cpu_s]
        return any(patience.ends(one, float(second)) for second, one in enumerate(seen))

    assert ends([7.0] * 8)  # asleep
    assert not ends([7.0 + 0.05 * second for second in range(50)])  # a twentieth of a core
    assert ends([7.0 + second for second in range(8)])  # the interpreter does not hold its CPU time


# Judging: what was too slow beside other work is run again alone.


@pytest.mark.parametrize(
    ("starved_s", "rule", "verdict", "runs"),
    [
        (30.0, MUST_BE_ACCEPTED, Verdict.ACCEPTED, 1),
        (0.1, MUST_BE_ACCEPTED, Verdict.TIME_LIMIT_EXCEEDED, 0),  # far over the limit on a quiet machine
        (30.0, MUST_BE_SLOW, Verdict.TIME_LIMIT_EXCEEDED, 0),
    ],
)
def test_a_starved_program_is_judged_by_a_run_alone(
    starved_s: float, rule: Rule, verdict: Verdict, runs: int, host: Host
) -> None:
    package = with_limits(load(DOUBLE), 1.0, None)
    program = package.submissions[0]
    [case] = package.sample.cases[:1]
    [built] = Judging(package=package, host=host).build([Entry(program=program)])
    alone: list[str] = []

    def judge(_: object, group: Group, judged: Case) -> CaseResult:
        alone.append(judged.name)
        return CaseResult(name=judged.name, group=group.name, verdict=Verdict.ACCEPTED, cpu_s=0.3)

    runner: Any = SimpleNamespace(run=lambda work, items, alone: [(item, work(judge, item)) for item in items])
    judging = Judging(package=package, host=host, runner=runner)
    known = {each.name: replace(LATE, name=each.name, starved_s=0.0) for each in package.judged_cases()}
    known[case.name] = replace(LATE, name=case.name, starved_s=starved_s)
    state = judging._state(Entry(program=program, rules=(rule,), known=known), built)
    judging._rerun_borderline(state)
    assert (state.results[case.name].verdict, alone) == (verdict, [case.name] * runs)


# Verifying: what could not be measured is said so, and decides nothing.


def verified(*, starved_s: float, alone: Verdict) -> PartResult:
    """The part `submissions` of a package whose accepted solution exceeded the limit, and what it does alone."""
    unmet = Unmet(rule="accepted", scope="", demand=Demand.PERMITTED, wanted="AC", found="TLE", case="secret/1")
    slow = SubmissionResult(
        path="accepted/slow.cpp",
        language="cpp",
        verdict=Verdict.TIME_LIMIT_EXCEEDED,
        cases=(replace(LATE, starved_s=starved_s),),
        expected=Expected(permitted=("AC",), required=(), unmet=(unmet,)),
    )
    again = replace(slow, verdict=alone)
    judged: Any = SimpleNamespace(
        at=lambda _: (slow,), widest_s=3.0, working_limit_s=lambda: 2.0, run_again=lambda *_: again
    )
    return replace(submissions.check_submissions(judged), part="submissions")  # as `run` does


@pytest.mark.parametrize(
    ("starved_s", "alone", "level"),
    [
        (30.0, Verdict.ACCEPTED, Level.UNMEASURED),
        (30.0, Verdict.TIME_LIMIT_EXCEEDED, Level.ERROR),  # alone it needs even twice the limit
        (0.0, Verdict.ACCEPTED, Level.ERROR),  # nothing kept it from a core
    ],
)
def test_a_time_out_beside_other_work_is_an_error_only_where_cpu_time_proves_it(
    starved_s: float, alone: Verdict, level: Level
) -> None:
    part = verified(starved_s=starved_s, alone=alone)
    assert [finding.level for finding in part.findings] == [level]
    assert part.holds is (level is Level.UNMEASURED) and part.disturbed is part.holds


def test_what_could_not_be_measured_is_said_and_not_remembered(tmp_path: Path) -> None:
    part = verified(starved_s=30.0, alone=Verdict.ACCEPTED)
    found = Verification(problem="queens", title="", tier="T3", parts=(part,))
    assert found.holds() and not found.decided
    words = conclusion(found, strict=False).plain
    assert words.startswith("queens: could not be decided (")
    assert "1 unmeasured: see above;" in words
    assert outcome(part).plain == "unmeasured"
    assert "could not be measured now, the machine is too busy: must get AC" in part.findings[0].message
    stored = StoredParts(memory=Memory(path=tmp_path / MEMORY), topic="x")
    stored.keep(part)
    assert stored.recall("submissions") is None
    stored.keep(replace(part, disturbed=False))
    assert stored.recall("submissions") is not None
