"""What the times of one judging say of slower and faster machines."""

from types import SimpleNamespace
from typing import Any

import pytest

from conftest import TESTS
from harness.package.load import load
from harness.results.model import CaseResult, SubmissionResult
from harness.results.verdict import Verdict
from harness.verify.timing import _meets_rules


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
