"""A slow reference costs a search no more than a share of its time."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from command_line import invoke
from harness.check.classify import Judgement
from harness.errors import UsageError
from harness.host.batches import Call, Ran
from harness.host.run_many import Programs
from harness.results.verdict import Verdict
from harness.sandbox.facts import KillReason, Limits, RunResult
from harness.search.evaluate import Evaluator, _Step
from harness.search.policy import RUNNING
from harness.search.reference import BEYOND, ReferenceLimit, ReferenceReply, ShortLimit
from search import tried

FULL_S = 10.0


@dataclass
class Clock:
    """A clock that goes on by hand."""

    time_s: float = 0.0

    def __call__(self) -> float:
        return self.time_s


def asked(limit: ReferenceLimit, *sizes: int) -> tuple[int, float]:
    return limit.next_batch(sizes)


def failed(limit: ReferenceLimit, size: int, cpu_s: float = 2.0) -> None:
    limit.note(size, in_time=False, cpu_s=cpu_s, wall_s=cpu_s)


def answered(limit: ReferenceLimit, size: int, cpu_s: float = 0.01) -> None:
    limit.note(size, in_time=True, cpu_s=cpu_s, wall_s=cpu_s)


def begun() -> tuple[ReferenceLimit, Clock]:
    clock = Clock()
    limit = ReferenceLimit(full_s=FULL_S, now=clock)
    limit.next_batch([1])
    return limit, clock


def test_larger_inputs_are_passed_over_once_smaller_ones_were_too_much() -> None:
    limit, _ = begun()
    failed(limit, 10_000)
    assert asked(limit, 20_000) == (1, 0.0)
    assert asked(limit, 10_000_000) == (1, 0.0)
    assert asked(limit, 1000)[1] > 0


def test_a_slow_run_on_a_tiny_input_tells_nothing_about_sizes() -> None:
    limit, _ = begun()
    failed(limit, 20)
    assert 0 < asked(limit, 20)[1] < 1, "a moment"
    assert asked(limit, 1_000_000)[1] >= 1


def test_one_slow_run_among_many_fast_ones_of_its_size_leaves_the_next_a_moment() -> None:
    limit, _ = begun()
    for _ in range(3):
        answered(limit, 10_000)
    failed(limit, 10_000)
    assert 0 < asked(limit, 10_000)[1] < 1


def test_what_was_too_much_is_asked_again_with_twice_the_time_when_the_search_has_lasted_long_enough() -> None:
    limit, clock = begun()
    failed(limit, 10_000, cpu_s=2.0)
    clock.time_s = 20
    assert asked(limit, 10_000) == (1, 0.0)
    clock.time_s = 24  # a quarter of it, without the 2 s that are lost, is twice what was not enough
    assert asked(limit, 10_000) == (1, 4.0)
    clock.time_s = 1000
    assert asked(limit, 10_000) == (1, FULL_S)


def test_a_reference_that_always_takes_a_while_gets_as_long_on_every_input() -> None:
    limit, _ = begun()
    answered(limit, 5, cpu_s=0.3)
    failed(limit, 5, cpu_s=0.2)
    assert asked(limit, 5) == (1, pytest.approx(0.9))


def test_answers_that_come_slowly_are_paid_from_the_same_share() -> None:
    limit, clock = begun()
    clock.time_s = 16
    assert asked(limit, 5000) == (1, 4.0)
    answered(limit, 5000, cpu_s=3.0)
    assert asked(limit, 5000) == (1, 1.0)


def test_as_many_are_asked_together_as_were_quick_before() -> None:
    limit, _ = begun()
    assert asked(limit, *[30] * 9)[0] == 1
    answered(limit, 30)
    assert asked(limit, *[30] * 9)[0] == 2
    for _ in range(20):
        answered(limit, 30)
    assert asked(limit, *[30] * 9)[0] == 8
    assert asked(limit, 30, 30, 100)[0] == 2, "of that size nothing is known"
    failed(limit, 30)
    assert asked(limit, *[30] * 9)[0] == 1


@pytest.mark.parametrize(
    ("then", "asked"),
    [("pass", [RUNNING.short_s] * 2 + [RUNNING.longer_short_s]), ("1 // n", [RUNNING.short_s] * 2)],
    ids=["the reference loops", "the reference crashes"],
)
def test_an_input_on_which_one_program_loops_and_the_reference_fails_costs_a_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, then: str, asked: list[float]
) -> None:
    (tmp_path / "1.in").write_text("3\n")
    (tmp_path / "zero").write_text("0\n")
    for name, body in (("my.py", "pass"), ("right.py", then)):
        (tmp_path / name).write_text(f"n = int(input())\nwhile n == 0:\n    {body}\nprint(n)\n")
    limits_s: list[float] = []
    plain = Programs.run

    def run(programs: Programs, sandbox: Any, program: Any, calls: Sequence[Call], limits: Limits) -> Any:
        limits_s.extend(limits.cpu_s for call in calls if call.stdin == b"0\n")
        return plain(programs, sandbox, program, calls, limits)

    monkeypatch.setattr(Programs, "run", run)
    words = ("--brute", tmp_path / "right.py", "--input", tmp_path / "zero")
    result = invoke("stress", tmp_path / "my.py", *words)
    assert isinstance(result.exception, UsageError), result.output
    assert limits_s == asked


@pytest.mark.parametrize(
    ("is_valid", "first", "skipped"),
    [(False, b"1", [True, False, True]), (True, b"0", [False, True, True])],
    ids=["the reference loops on 0; 2 waits until 1 is known to be too slow or not", "the reference is not asked"],
)
def test_of_several_slow_runs_the_first_is_finished(is_valid: bool, first: bytes, skipped: list[bool]) -> None:
    quick, late = ran(None), ran(KillReason.CPU)
    finished: list[bytes] = []

    def run_in_full(_: Any, steps: Sequence[Any], *, limits: Limits) -> list[Any]:
        finished.extend(step.tried.data for step in steps)
        return [replace(step, ran=late) for step in steps]

    evaluator = SimpleNamespace(
        target=SimpleNamespace(can_validate=is_valid),
        call_of=lambda trial: trial.data,
        reference=SimpleNamespace(
            runs=lambda _sandbox, calls, _s: [late if call == b"0" else quick for call in calls],
            reply_of=lambda _: ReferenceReply(output=b""),
        ),
        _ran=run_in_full,
        _soon_replied=lambda *words: Evaluator._soon_replied(evaluator, *words),  # type: ignore[arg-type]
        short_limit=ShortLimit(),
    )
    limits = Limits(cpu_s=2, wall_s=4, memory_bytes=1 << 28, output_bytes=1 << 20)
    steps = [_Step(tried=tried(data)) for data in (b"0", b"1", b"2")]
    done = Evaluator._ran_in_full(evaluator, None, steps, limits=limits, short_s=0.2)  # type: ignore[arg-type]
    assert finished == [first]
    assert [step.reply is BEYOND for step in done] == skipped


def test_a_run_that_ends_by_itself_soon_after_the_short_limit_has_not_failed() -> None:
    stopped_s: list[float] = []

    def run(_sandbox: Any, _program: Any, calls: Sequence[bytes], limits: Limits) -> list[Ran]:
        stopped_s.append(limits.cpu_s)
        return [ran(None) for _ in calls]  # they take 0.1 s

    evaluator = SimpleNamespace(
        programs=SimpleNamespace(run=run),
        built=SimpleNamespace(submission=None),
        call_of=lambda trial: trial.data,
        short_limit=ShortLimit(),
    )
    limits = Limits(cpu_s=2, wall_s=4, memory_bytes=1 << 28, output_bytes=1 << 20)
    step = _Step(tried=tried(b"1"))
    [done] = Evaluator._ran(evaluator, None, [step], limits=limits, stopped_s=0.02)  # type: ignore[arg-type]
    assert done.judgement is None
    assert stopped_s == [0.02]


def ran(killed_for: KillReason | None) -> Ran:
    result = RunResult(
        cpu_s=0.1, wall_s=0.1, memory_bytes=0, exit_code=0, signal=None, killed_for=killed_for, output_bytes=0
    )
    return Ran(result=result, output=b"", errors=b"")


def test_a_crash_on_which_the_reference_sleeps_is_no_find() -> None:
    """The machine may have stood still meanwhile, or the reference has overwritten a lock."""
    evaluator: Any = SimpleNamespace(
        reference=SimpleNamespace(is_own=False), target=SimpleNamespace(can_validate=False)
    )
    step = replace(_Step(tried=tried(b"1")), judgement=Judgement(verdict=Verdict.RUN_TIME_ERROR))
    assert Evaluator._clears_submission(evaluator, step, ran(KillReason.WALL))
    assert not Evaluator._clears_submission(evaluator, step, ran(KillReason.CPU))
    assert not Evaluator._clears_submission(evaluator, step, ran(None))
