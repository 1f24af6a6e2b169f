"""What the times of one judging say of slower and faster machines."""

import math
from types import SimpleNamespace
from typing import Any

import pytest

from conftest import TESTS
from harness.package.load import load
from harness.results.model import CaseResult, SubmissionResult
from harness.results.verdict import Verdict
from harness.rules.time_limit import Bound, TimeLimits
from harness.verify.timing import _figures, _meets_rules


@pytest.mark.parametrize("name", ["judge_legacy_pass_fail", "double"])
def test_a_time_out_on_one_case_is_what_its_folder_asks_for_only_while_it_is_one(name: str) -> None:
    judged: Any = SimpleNamespace(setting=SimpleNamespace(package=load(TESTS / "packages" / name)))
    cases = (
        CaseResult(name="sample/1", group="sample", verdict=Verdict.ACCEPTED, cpu_s=0.1),
        CaseResult(name="secret/1", group="secret", verdict=Verdict.ACCEPTED, cpu_s=2.5),
    )
    slow = SubmissionResult(
        path="time_limit_exceeded/slow.py", language="python3", verdict=Verdict.ACCEPTED, cases=cases
    )
    assert _meets_rules(judged, slow, 2.0)
    assert not _meets_rules(judged, slow, 3.0)


def test_a_submission_that_waits_is_not_the_fastest_that_is_too_slow() -> None:
    assert _too_slow(_bound(0.01, math.inf), _bound(3.5, 2.3)) == {"fastest_too_slow_s": 3.5}
    assert not _too_slow(_bound(0.01, math.inf))


def test_the_fastest_that_is_too_slow_may_have_been_stopped() -> None:
    assert _too_slow(_bound(3.5, 2.3, open_end=True), _bound(4.0, 2.3)) == {"fastest_too_slow_over_s": 3.5}
    assert _too_slow(_bound(3.5, 2.3, open_end=True), _bound(3.0, 2.0)) == {"fastest_too_slow_s": 3.0}


def _bound(cpu_s: float, limit_s: float, *, open_end: bool = False) -> Bound:
    return Bound(path="s", rule="*", scope="", case="1", cpu_s=cpu_s, limit_s=limit_s, open_end=open_end)


def _too_slow(*upper: Bound) -> dict[str, float]:
    figures = _figures(TimeLimits(lower=(), upper=upper, default_s=None, faults=()), 2.0, ())
    return {name: number for name, number in figures.items() if "too_slow" in name}
