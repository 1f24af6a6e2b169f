"""What a run under one limit says about another: only what follows from it."""

from dataclasses import replace
from pathlib import Path

import pytest

from conftest import DOUBLE
from harness.build.compiler import BuildLimits
from harness.build.executable import Executable
from harness.host.host import Host
from harness.package.load import load
from harness.results.model import CaseResult
from harness.results.verdict import Reason, Verdict
from harness.sandbox.facts import MIB, Limits
from harness.store.memory import MEMORY, Memory
from harness.verify.stored_runs import StoredRun, StoredRuns, result_under


def limits(cpu_s: float, memory_mib: int = 256, output_mib: int = 8) -> Limits:
    return Limits(cpu_s=cpu_s, wall_s=2 * cpu_s + 1, memory_bytes=memory_mib * MIB, output_bytes=output_mib * MIB)


def known(cpu_s: float, verdict: str, reason: Reason | None = None, at_s: float = 2.0) -> StoredRun:
    result = CaseResult(name="secret/1", group="secret", verdict=Verdict(verdict), reason=reason, cpu_s=cpu_s)
    return StoredRun(cpu_s=at_s, memory_bytes=256 * MIB, output_bytes=8 * MIB, result=result)


def verdict_at(one: StoredRun, asked: Limits) -> str | None:
    result = result_under(asked, one)
    return None if result is None else result.verdict.value


@pytest.mark.parametrize(
    ("one", "asked", "expected"),
    [
        (known(1.0, "AC"), limits(2.0), "AC"),
        (known(1.0, "AC"), limits(9.0), "AC"),
        (known(1.0, "AC"), limits(1.0), "AC"),
        (known(1.0, "AC"), limits(0.9), "TLE"),
        (known(1.0, "WA", Reason.VALIDATOR), limits(0.9), "TLE"),
        (known(1.0, "RTE", Reason.SIGNAL), limits(3.0), "RTE"),
        (known(2.3, "TLE", Reason.CPU_TIME), limits(2.0), "TLE"),
        (known(2.3, "TLE", Reason.CPU_TIME), limits(1.0), "TLE"),
        (known(2.3, "TLE", Reason.CPU_TIME), limits(3.0), None),
        (known(0.1, "TLE", Reason.WALL_TIME), limits(3.0), None),
        (known(0.1, "TLE", Reason.WALL_TIME), limits(1.0), "TLE"),
        (known(0.1, "TLE", Reason.IDLE), limits(3.0), "TLE"),
        (known(1.0, "AC"), limits(2.0, memory_mib=512), "AC"),
        (known(1.0, "AC"), limits(2.0, memory_mib=128), None),
        (known(1.0, "MLE", Reason.MEMORY), limits(2.0, memory_mib=512), None),
        (known(1.0, "MLE", Reason.MEMORY), limits(2.0, memory_mib=128), "MLE"),
        (known(1.0, "MLE", Reason.MEMORY), limits(0.5), "TLE"),
        (known(1.0, "OLE", Reason.OUTPUT), limits(2.0, output_mib=16), None),
        (known(1.0, "AC"), limits(2.0, output_mib=1), None),
    ],
)
def test_a_result_stands_for_another_limit_only_where_it_follows(
    one: StoredRun, asked: Limits, expected: str | None
) -> None:
    assert verdict_at(one, asked) == expected


def test_what_slept_longer_than_the_clock_would_allow_is_run_again() -> None:
    one = known(0.01, "WA", at_s=10)
    one = replace(one, result=replace(one.result, wall_s=10.0))
    assert (verdict_at(one, limits(1.0)), verdict_at(one, limits(6.0))) == (None, "WA")


def test_what_was_starved_for_long_stands_for_narrower_limits() -> None:
    one = known(0.3, "AC", at_s=10)
    starved = replace(one.result, wall_s=30.0, asleep_s=0.2, starved_s=29.0)
    assert verdict_at(replace(one, result=starved), limits(1.0)) == "AC"
    assert verdict_at(replace(one, result=replace(starved, asleep_s=29.0)), limits(1.0)) is None


@pytest.mark.parametrize(("starved_s", "kept"), [(0.1, True), (30.0, False)])
def test_no_time_out_of_a_starved_program_is_kept_for_another_day(
    starved_s: float, kept: bool, host: Host, tmp_path: Path
) -> None:
    package = load(DOUBLE)
    [built] = host.build_all([package.submissions[0]], BuildLimits(), {})
    assert isinstance(built, Executable)
    case, late = package.judged_cases()[0], known(2.3, "TLE", Reason.CPU_TIME).result
    memory = StoredRuns(memory=Memory(path=tmp_path / MEMORY), package=package, identity="")
    memory.keep(built, package.secret, case, limits(2.0), replace(late, starved_s=starved_s))
    assert memory.recall(built, package.secret, case, limits(2.0)) is not None
    memory.save()
    again = StoredRuns(memory=Memory(path=tmp_path / MEMORY), package=package, identity="")
    assert (again.recall(built, package.secret, case, limits(2.0)) is not None) is kept


def test_a_time_out_takes_its_points_with_it() -> None:
    stored = known(1.0, "AC")
    found = result_under(limits(0.5), replace(stored, result=replace(stored.result, score=10.0)))
    assert found is not None and found.score is None
