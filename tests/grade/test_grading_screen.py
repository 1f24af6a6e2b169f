"""What a log tells while a grading runs."""

import pytest

from harness.cli.grading_screen import GradingScreen
from harness.results.model import CaseResult, SubmissionResult
from harness.results.verdict import Verdict

CASES = ("sample/1", "secret/a", "secret/b")


def test_a_log_says_how_far_it_is_after_some_seconds_and_then_more_and_more_rarely(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now_s = [0.0]
    monkeypatch.setattr("harness.cli.grading_screen.time.monotonic", lambda: now_s[0])
    with GradingScreen("double", ["a.py", "b.py"], CASES, repeat=2) as matrix:
        matrix.stored("a.py", 1)
        for case in CASES[1:]:
            now_s[0] += 5
            matrix.case("a.py", CaseResult(name=case, group="secret", verdict=Verdict.ACCEPTED))
        matrix.submission(SubmissionResult(path="a.py", language="python3", verdict=Verdict.ACCEPTED))
        now_s[0] += 5
        matrix.case("b.py", CaseResult(name=CASES[0], group="sample", verdict=Verdict.ACCEPTED))
    assert capsys.readouterr().err.splitlines() == [
        "double: 2 submissions, 3 cases each, 2 times",
        "2 of 12 cases, 0 of 2 submissions after 5 s",
        "[1/2] a.py: AC",
        "7 of 12 cases, 1 of 2 submissions after 15 s",
    ]


def test_a_quiet_grading_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with GradingScreen("double", ["a.py"], CASES, quiet=True) as matrix:
        matrix.case("a.py", CaseResult(name=CASES[0], group="sample", verdict=Verdict.ACCEPTED))
    assert capsys.readouterr().err == ""
