"""Points of a group: all of them are exactly the maximum, whatever floats make of the parts."""

import math
from pathlib import Path

import pytest

from harness.check.validator_call import FeedbackFolder
from harness.errors import JudgeError
from harness.package.files import File
from harness.package.model import Aggregation, Case, Group
from harness.results.model import CaseResult
from harness.results.verdict import Verdict
from harness.rules.score import accepted_case_score, group_results, nearest, points_text, sum_of
from harness.sandbox.facts import RunResult


@pytest.mark.parametrize("most", [100.0, 33.3, 1.0, 0.1, 1e6, 123456789.0, 1e15])
def test_all_points_of_the_cases_are_the_points_of_the_group(most: float) -> None:
    for count in range(1, 300):
        cases = tuple(
            Case(name=f"secret/{at}", input=File(origin=Path("1.in")), answer=None) for at in range(count)
        )
        group = Group(name="secret", cases=cases, max_score=most, aggregation=Aggregation.SUM)
        points = accepted_case_score(group, score=None, multiplier=None)
        results = {
            case.name: CaseResult(name=case.name, group="secret", verdict=Verdict.ACCEPTED, score=points)
            for case in cases
        }
        [result] = group_results(group, results)
        assert result.score == most


def test_a_sum_is_rounded_once_and_never_fails() -> None:
    assert sum_of([0.1] * 10) == 1.0
    assert sum_of([1e308, 1e308]) == math.inf


@pytest.mark.parametrize(
    ("points", "text"),
    [
        (0.0, "0"),
        (100 / 3, "33.3333"),
        (1234567.0, "1234567"),
        (123456.75, "123456.75"),
        (1e15, "1e+15"),
        (0.5, "0.5"),
    ],
)
def test_points_are_shown_with_all_digits_of_whole_numbers(points: float, text: str) -> None:
    assert points_text(points) == text


def test_a_score_that_is_not_the_limit_stays() -> None:
    assert nearest(99.99, 0.0, 100.0) == 99.99
    assert nearest(99.99999999999999, 0.0, 100.0) == 100.0
    assert nearest(-1e-12, 0.0, 100.0) == 0.0
    assert nearest(5.0, -math.inf, math.inf) == 5.0


def score_in(folder: Path, text: str) -> float | None:
    (folder / "score.txt").write_text(text)
    accepted = RunResult(
        cpu_s=0.0, wall_s=0.0, memory_bytes=0, exit_code=42, signal=None, killed_for=None, output_bytes=0
    )
    return FeedbackFolder(name=Path("validate.py"), folder=folder).judgement(accepted, folder / "stderr").score


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1e999", "more than any score"),
        ("-1e999", "more than any score"),
        ("1e308", "more than any score"),  # two of them are more than any number holds
        ("100" + " " * 1000 + "points", "not a number"),
        ("nan", "not a number"),
    ],
)
def test_a_score_that_no_result_can_hold_is_a_judge_error(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(JudgeError, match=message):
        score_in(tmp_path, text)


def test_a_score_is_read_to_its_end_and_has_no_sign_without_a_value(tmp_path: Path) -> None:
    assert score_in(tmp_path, "1" + "0" * 120 + "\n") == 1e120
    assert str(score_in(tmp_path, "-0.0")) == "0.0"
