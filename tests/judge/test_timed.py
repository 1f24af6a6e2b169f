"""A package that states no time limit: a search takes one from what its accepted programs need for large cases."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from conftest import PackageMaker
from harness.host.host import Host
from harness.judge.judging import Observer
from harness.judge.prepare import Inferred
from harness.package.load import load
from harness.results.model import CaseResult
from harness.search.choose_references import estimated_time_limit
from harness.search.policy import RUNNING

LONG = {"data/secret/04-long.in": f"{'1' * 2000}\n", "data/secret/04-long.ans": f"{'2' * 2000}\n"}


def estimated(
    double_with: PackageMaker,
    host: Host,
    files: Mapping[str, str],
    *,
    breaks: str = "wrong_answer/adds_one.py",
    cap_s: float = 5.0,
    case: Callable[[str, CaseResult], None] = lambda *_: None,
) -> Inferred | None:
    root = double_with(files)
    manifest = (root / "problem.yaml").read_text()
    (root / "problem.yaml").write_text(manifest.replace("time_limit: 1.0", "time_resolution: 0.5"))
    package = load(root)
    assert package.limits.time_limit_s is None
    submission = next(one for one in package.submissions if one.path == breaks)
    return estimated_time_limit(package, submission, host, cap_s=cap_s, observer=Observer(case=case))


@pytest.mark.parametrize(("soon_s", "runs"), [(60.0, 1 + 3), (0.0, 1)])
def test_if_the_largest_case_takes_long_the_others_are_left_out(
    double_with: PackageMaker, host: Host, monkeypatch: pytest.MonkeyPatch, soon_s: float, runs: int
) -> None:
    monkeypatch.setattr("harness.search.choose_references.RUNNING", replace(RUNNING, estimate_soon_s=soon_s))
    done: list[str] = []
    inferred = estimated(double_with, host, LONG, case=lambda _, result: done.append(result.name))
    assert inferred is not None
    assert len(done) == runs and set(done[:1]) == {"secret/04-long"}


def test_the_limit_follows_from_the_largest_case(double_with: PackageMaker, host: Host) -> None:
    inferred = estimated(double_with, host, LONG)
    assert inferred is not None and inferred.limits.lowest is not None
    assert inferred.package.limits.time_limit_s == inferred.limits.default_s
    assert {one.path for one in inferred.limits.lower} == {"accepted/double.py"}
    assert len(inferred.package.submissions) == 2 and len(inferred.package.judged_cases()) == 5


def test_small_cases_tell_nothing(double_with: PackageMaker, host: Host) -> None:
    assert estimated(double_with, host, {}) is None


def test_the_program_that_is_to_be_broken_has_no_say(double_with: PackageMaker, host: Host) -> None:
    assert estimated(double_with, host, LONG, breaks="accepted/double.py") is None


def test_an_accepted_one_that_comes_to_no_end_tells_nothing(double_with: PackageMaker, host: Host) -> None:
    slow = {"submissions/accepted/endless.py": "while True:\n    pass\n"}
    assert estimated(double_with, host, {**LONG, **slow}, cap_s=0.1) is None
