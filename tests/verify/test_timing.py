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
    def bound(cpu_s: float, limit_s: float) -> Bound:
        return Bound(path="s", rule="*", scope="", case="1", cpu_s=cpu_s, limit_s=limit_s, open_end=True)

    allowed = TimeLimits(lower=(), upper=(bound(0.01, math.inf), bound(3.5, 2.3)), default_s=None, faults=())
    assert _figures(allowed, 2.0, ())["fastest_too_slow_s"] == 3.5
    allowed = TimeLimits(lower=(), upper=(bound(0.01, math.inf),), default_s=None, faults=())
    assert "fastest_too_slow_s" not in _figures(allowed, 2.0, ())
