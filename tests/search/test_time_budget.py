"""A search keeps the time that was asked for, and says where it went."""

import gc
import signal
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest

from command_line import outcome
from conftest import DOUBLE, host_with
from harness.build.compiler import BuildLimits
from harness.errors import UsageError
from harness.host.batches import Call
from harness.host.run_many import OutOfTimeError, Programs, build_one
from harness.report import words
from harness.sandbox.contained import ContainedSandbox
from harness.sandbox.facts import MIB, Limits, Sandbox
from harness.search.candidates import (
    BUILDING,
    BUILDING_TO_CONFIRM,
    REDUCING,
    SEARCHING,
    Candidate,
    Clock,
    Progress,
)
from harness.search.hunt import Hunt
from harness.search.reduce import Reduction
from harness.search.search_loop import SearchLoop
from harness.search.time_guard import ended_by
from search import program

LIMITS = Limits(cpu_s=2.0, wall_s=5.0, memory_bytes=64 * MIB, output_bytes=MIB)
WRONG = DOUBLE / "submissions" / "wrong_answer" / "adds_one.py"


def test_the_whole_time_is_said_by_phase() -> None:
    assert words.time_spent({"building": 27.04, "searching": 2.0, "confirming": 0.01}) == (
        "29.1 s: building 27.0 s, searching 2.0 s"
    )


@pytest.mark.parametrize("words_", [(WRONG,), (DOUBLE / "submissions" / "accepted" / "double.py", "--time", "1")])
def test_a_search_says_where_its_time_went(words_: Sequence[str | Path]) -> None:
    _, said = outcome("stress", DOUBLE, *words_)
    [line] = [line for line in said.splitlines() if " s: " in line]
    total = float(line.partition(" s: ")[0])
    parts = [float(part.rsplit(" ", 2)[1]) for part in line.partition(" s: ")[2].split(", ")]
    assert abs(total - sum(parts)) <= 0.1 * (len(parts) + 1)


@pytest.mark.parametrize("time_s", [1, 20])
def test_making_small_ends_at_most_ten_seconds_beyond_the_time_for_searching(
    time_s: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends: list[tuple[float, float]] = []

    def run(reduction: Reduction) -> None:
        ends.append((reduction.deadline_s, time.monotonic()))

    monkeypatch.setattr(Reduction, "run", run)
    began_s = time.monotonic()
    outcome("stress", DOUBLE, WRONG, "--time", str(time_s))
    [(end_s, found_s)] = ends
    assert end_s <= began_s + (found_s - began_s) + time_s + 10
    assert end_s <= found_s + 10


def test_a_deadline_that_comes_in_a_callback_of_the_garbage_collector_is_not_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lost: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: lost.append(unraisable.object))

    def callback(_phase: str, _info: object) -> None:
        signal.raise_signal(signal.SIGALRM)

    began_s = time.monotonic()
    with pytest.raises(OutOfTimeError), ended_by(began_s + 60):
        gc.callbacks.append(callback)
        try:
            gc.collect()
        finally:
            gc.callbacks.remove(callback)
        while time.monotonic() < began_s + 30:
            pass
    assert callback not in lost
    assert time.monotonic() < began_s + 30


def test_the_start_of_a_thread_is_not_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the thread runs, the exception would become a KeyError of `threading`."""
    start, runs = threading._start_new_thread, Event()

    def started(*arguments: Any) -> Any:
        begun = start(*arguments)
        assert runs.wait(30)
        signal.raise_signal(signal.SIGALRM)
        return begun

    monkeypatch.setattr(threading, "_start_new_thread", started)
    began_s = time.monotonic()
    with pytest.raises(OutOfTimeError), ended_by(began_s + 60):
        threading.Thread(target=runs.set, daemon=True).start()
        while time.monotonic() < began_s + 30:
            pass
    assert time.monotonic() < began_s + 30


def test_no_run_begins_beyond_the_deadline() -> None:
    nothing: Any = None
    late = Programs(host=nothing, deadline_s=time.monotonic())
    executable = SimpleNamespace(program=SimpleNamespace(path="a.py"))
    plain: Any = SimpleNamespace(serves=False, executable=executable)
    with pytest.raises(OutOfTimeError, match=r"a\.py"):
        late.run(nothing, plain, [Call()], LIMITS)


def test_a_run_that_the_deadline_cut_short_says_nothing() -> None:
    nothing: Any = None
    programs = Programs(host=nothing, deadline_s=time.monotonic() + 1e-4)
    with pytest.raises(OutOfTimeError), programs.in_time(LIMITS) as cut:
        assert cut.wall_s < LIMITS.wall_s
        while time.monotonic() < programs.deadline_s:
            pass


def test_a_deadline_within_another_is_never_later() -> None:
    nothing: Any = None
    programs = Programs(host=nothing, deadline_s=5.0)
    with programs.until(9.0):
        assert programs.deadline_s == 5.0
        with programs.until(3.0):
            assert programs.deadline_s == 3.0
    assert programs.deadline_s == 5.0


@pytest.mark.parametrize(("built_s", "more_s"), [(0.0, 0.0), (1.0, 1.0), (12.0, 2.0), (27.0, 2.0)])
def test_building_moves_the_end_of_the_search_a_little_and_that_of_all_not_at_all(
    built_s: float, more_s: float
) -> None:
    clock = Clock(phase="preparing")
    clock._spent_s["building"] = built_s
    assert clock.search_end_s(30, 8) == pytest.approx(clock.began_s + 30 + more_s)
    assert clock.end_s(30, 8) == pytest.approx(clock.began_s + 38)


def test_a_search_gets_a_little_time_however_long_building_took() -> None:
    clock = Clock(phase="preparing")
    clock.built_s = clock.began_s + 60
    assert clock.end_s(30, 8) == pytest.approx(clock.began_s + 66)


def test_a_clock_notes_when_the_last_building_ended() -> None:
    clock = Clock(phase=BUILDING)
    clock.enter(SEARCHING)
    assert clock.began_s <= (built_s := clock.built_s) <= time.monotonic()
    clock.enter(REDUCING)
    assert clock.built_s == built_s


def test_building_to_confirm_counts_as_building() -> None:
    clock = Clock(phase=BUILDING_TO_CONFIRM, _spent_s={BUILDING: 2.0, BUILDING_TO_CONFIRM: 3.0})
    clock.enter(SEARCHING)
    assert clock.building_s >= 5.0
    assert clock.began_s <= clock.built_s


def test_a_search_says_that_it_builds_before_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> None:
        raise UsageError("does not compile")

    phases: list[str] = []
    monkeypatch.setattr("harness.search.hunt.build", failing)
    hunt = Hunt(target=None, host=None, seed=0, time_s=1.0)  # type: ignore[arg-type]
    hunt.tell = lambda progress: phases.append(progress.clock.phase)
    with pytest.raises(UsageError):
        hunt.run()
    assert phases == [BUILDING]


def test_what_we_compute_ourselves_is_interrupted_at_its_deadline() -> None:
    began_s, before_s = time.monotonic(), signal.getitimer(signal.ITIMER_REAL)
    with pytest.raises(OutOfTimeError), ended_by(began_s + 0.05):
        while time.monotonic() < began_s + 30:
            pass
    assert signal.getitimer(signal.ITIMER_REAL) == pytest.approx(before_s, abs=30)


def test_of_deadlines_within_each_other_the_earlier_one_counts() -> None:
    began_s = time.monotonic()
    with pytest.raises(OutOfTimeError), ended_by(began_s + 0.1):
        with pytest.raises(OutOfTimeError), ended_by(began_s + 0.05):
            Event().wait(30)
        with ended_by(began_s + 60):
            Event().wait(30)


def test_an_interrupt_that_is_swallowed_comes_again() -> None:
    interrupted = 0
    with suppress(OutOfTimeError), ended_by(time.monotonic()):
        for _ in range(2):
            try:
                Event().wait(30)
            except OutOfTimeError:
                interrupted += 1
    assert interrupted == 2


def test_a_deadline_leaves_no_sandbox_busy(tmp_path: Path) -> None:
    """Wherever the interrupt comes: while a server starts, runs, or ends."""
    with host_with(tmp_path, workers=1) as host, Programs(host=host) as programs:
        source = program("cat.py", "print(input())")
        cat = host.pool.alone(lambda sandbox, _: build_one(host.builder, source, BuildLimits(), sandbox), None)

        def run(sandbox: Sandbox, step: int) -> bool:
            with suppress(OutOfTimeError), ended_by(time.monotonic() + step * 0.0005):
                programs.run(sandbox, cat, [Call(stdin=b"1")], LIMITS)
                programs.close()
            programs.close()
            assert isinstance(sandbox, ContainedSandbox)
            return any(partner._busy.locked() for partner in sandbox._partners.values())

        busy = [step for step in range(100) if host.pool.alone(run, step)]
    assert not busy


def test_nobody_waits_for_a_draw_that_comes_to_no_end() -> None:
    over = Event()

    def endless(_: int) -> Sequence[Candidate]:
        over.wait(30)
        return []

    mixed: Any = SimpleNamespace(take=endless)
    nothing: Any = None
    pool: Any = SimpleNamespace(size=1)
    loop = SearchLoop(pool=pool, evaluator=nothing, evaluate=nothing, progress=Progress())
    began_s = time.monotonic()
    assert loop.first_failing(mixed, began_s + 0.05) is None
    over.set()
    assert time.monotonic() < began_s + 20


@pytest.mark.slow
def test_a_reduction_that_comes_to_no_end_keeps_the_find(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reduction, "_reduced", lambda *_: Event().wait(60))
    began_s = time.monotonic()
    _, said = outcome("stress", DOUBLE, WRONG, "--time", "1")
    assert "Wrong answer" in said
    assert time.monotonic() < began_s + 30
