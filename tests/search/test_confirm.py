"""A find is what a plain judged run shows: as in the search, or another way to be stopped."""

import json
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from command_line import invoke
from conftest import DOUBLE, TESTS, PackageMaker, host_with
from harness.build.builder import Builder
from harness.package.load import load
from harness.package.model import CaseSettings
from harness.package.named_programs import program_at
from harness.replay.failed_game import first_failed_game
from harness.report.games import replay_text
from harness.results.model import CaseResult
from harness.results.verdict import Reason, Verdict
from harness.sandbox.facts import Sandbox
from harness.search.candidates import CandidateFailure, TriedCandidate
from harness.search.confirm import Confirming
from harness.search.hunt import Hunt
from harness.search.reduce import Reduction
from search import tried

AC, WA = Verdict.ACCEPTED, Verdict.WRONG_ANSWER
TLE, MLE = Verdict.TIME_LIMIT_EXCEEDED, Verdict.MEMORY_LIMIT_EXCEEDED


def trial(data: bytes) -> TriedCandidate:
    return tried(data, CandidateFailure(verdict=TLE, reason=Reason.CPU_TIME, answer=b"1\n"))


@pytest.mark.parametrize(
    ("small", "large", "data", "verdict", "shown"),
    [
        (TLE, AC, b"1\n", TLE, TLE),
        (AC, TLE, b"22\n", TLE, TLE),
        (MLE, TLE, b"22\n", TLE, TLE),  # as the search saw it, rather than small
        (MLE, AC, b"1\n", MLE, MLE),
        (AC, MLE, b"22\n", MLE, MLE),
        (AC, AC, b"1\n", TLE, AC),  # not confirmed
    ],
)
def test_the_verdict_of_the_plain_run_is_the_verdict_of_the_find(
    monkeypatch: pytest.MonkeyPatch, small: Verdict, large: Verdict, data: bytes, verdict: Verdict, shown: Verdict
) -> None:
    verdicts = {b"1\n": small, b"22\n": large}

    def judged(_: Confirming, one: TriedCandidate) -> tuple[TriedCandidate, CaseResult]:
        return one, CaseResult(name="this input", group="sample", verdict=verdicts[one.data])

    monkeypatch.setattr(Confirming, "_judged", judged)
    nothing: Any = None
    found, result = Confirming(host=nothing, evaluator=nothing).confirmed(trial(b"1\n"), trial(b"22\n"))
    assert found.data == data
    assert found.failure is not None and found.failure.verdict is verdict
    assert result.verdict is shown


def test_the_game_of_a_find_is_not_said_to_be_that_of_a_sample(game: PackageMaker, tmp_path: Path) -> None:
    """A game is shown as `the game of PROGRAM on CASE, played again`."""
    package = load(game("end(43)\n"))
    target = SimpleNamespace(package=package, submission=package.submissions[0])
    evaluator: Any = SimpleNamespace(target=target, limits=SimpleNamespace(cpu_s=2.0))
    with host_with(tmp_path / "cache", workers=1) as host:
        confirming = Confirming(host=host, evaluator=evaluator)
        judging, entries = confirming.judging(trial(b"1\n")), [confirming.entry]
        shown = first_failed_game(judging, entries, judging.run(entries), None)
    assert shown is not None and shown.replay is not None
    text = next(replay_text(shown, shown.replay, width=80, full=True))
    assert " on this input, played again: WA as before" in text


def test_a_find_is_confirmed_by_one_worker_when_time_is_short_and_by_the_rules_of_its_package(
    tmp_path: Path,
) -> None:
    """The only worker also builds the validator, which writes points although it rejects: older packages may."""
    package = load(TESTS / "packages" / "judge_legacy_validator_score")
    wrong = tmp_path / "wrong.py"
    wrong.write_text("print('43\\nscore.txt 0')\n")
    evaluator: Any = SimpleNamespace(
        target=SimpleNamespace(package=package, submission=program_at(wrong)),
        limits=SimpleNamespace(cpu_s=2.0),
        programs=SimpleNamespace(deadline_s=time.monotonic() + 1),
    )
    failure = CandidateFailure(verdict=WA, reason=Reason.VALIDATOR, answer=b"1\n")
    with host_with(tmp_path, workers=1) as host:
        confirming = Confirming(host=host, evaluator=evaluator)
        _, result = confirming.confirmed(*2 * [replace(trial(b"1\n"), failure=failure, settings=CaseSettings())])
    assert (result.verdict, result.message) == (WA, "")


ADDS_ONE = ["stress", str(DOUBLE), str(DOUBLE / "submissions" / "wrong_answer" / "adds_one.py"), "--time", "20"]


@pytest.fixture
def unconfirmed(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The first five inputs that fail in a search; they pass in plain runs."""
    judged, inputs = Confirming._judged, list[bytes]()

    def passes_at_first(confirming: Confirming, one: TriedCandidate) -> tuple[TriedCandidate, CaseResult]:
        if one.data not in inputs and len(inputs) < 5:
            inputs.append(one.data)
        one, result = judged(confirming, one)
        return one, replace(result, verdict=AC) if one.data in inputs else result

    monkeypatch.setattr(Confirming, "_judged", passes_at_first)
    return inputs


def test_the_search_goes_on_after_failures_that_are_not_confirmed_and_makes_none_of_them_small(
    monkeypatch: pytest.MonkeyPatch, unconfirmed: list[bytes]
) -> None:
    reduced, made_small = Hunt._reduced, list[bytes]()

    def noted(hunt: Hunt, sandbox: Sandbox, first: TriedCandidate) -> Reduction:
        made_small.append(first.data)
        return reduced(hunt, sandbox, first)

    monkeypatch.setattr(Hunt, "_reduced", noted)
    result = invoke(*ADDS_ONE)
    assert result.return_value == 1, result.output
    assert "a plain run gave" not in result.output
    assert len(unconfirmed) == 5
    assert len(made_small) == 1 and made_small[0] not in unconfirmed


def test_a_search_that_is_ended_while_it_goes_on_shows_the_failure_that_was_not_confirmed(
    monkeypatch: pytest.MonkeyPatch, unconfirmed: list[bytes]
) -> None:
    searched = Hunt._searched

    def ended(hunt: Hunt, early: TriedCandidate | None) -> TriedCandidate | None:
        if unconfirmed:
            raise KeyboardInterrupt
        return searched(hunt, early)

    monkeypatch.setattr(Hunt, "_searched", ended)
    result = invoke(*ADDS_ONE)
    assert result.return_value == 2, result.output
    assert "interrupted: this is the best so far" in result.output
    assert "a plain run gave" in result.output


def test_a_find_that_no_plain_run_confirms_is_shown_with_how_it_was_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    judged = Confirming._judged

    def passes(confirming: Confirming, one: TriedCandidate) -> tuple[TriedCandidate, CaseResult]:
        one, result = judged(confirming, one)
        return one, replace(result, verdict=AC)

    asked, counts = Hunt._fails_plainly, list[int]()

    def counted(hunt: Hunt, failing: TriedCandidate) -> bool:
        counts.append(hunt.progress.executions)
        return asked(hunt, failing)

    monkeypatch.setattr(Confirming, "_judged", passes)
    monkeypatch.setattr(Hunt, "_fails_plainly", counted)
    words = [*ADDS_ONE[:-1], "3", "--json", str(tmp_path / "result.json")]
    result = invoke(*words)
    told = json.loads((tmp_path / "result.json").read_text())
    assert result.return_value == 2, result.output
    first_line = result.stdout.splitlines()[0]
    assert first_line == "your program does not fail here every time: a plain run gave AC"
    assert "proven" not in result.output and not told["found"]["proven_smallest"]
    assert (
        told["found"]["inputs_to_find"] in counts
    )  # of the first, or of one that was found when the time was over


def test_the_programs_that_confirm_a_find_are_built_before_it_is_made_small(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    events: list[str] = []
    confirmed, reduced, build = Hunt._confirmed, Hunt._reduced, Builder.build
    monkeypatch.setattr(Hunt, "_confirmed", lambda *given: (events.clear(), confirmed(*given))[1])
    monkeypatch.setattr(Hunt, "_reduced", lambda *given: (events.append("reducing"), reduced(*given))[1])
    monkeypatch.setattr(
        Builder,
        "build",
        lambda self, program, *given: (events.append(program.path), build(self, program, *given))[1],
    )
    wrong = tmp_path / "wrong.py"
    wrong.write_text("print('43\\nscore.txt 0')\n")
    result = invoke("stress", TESTS / "packages" / "judge_legacy_validator_score", wrong, "--time", "20")
    assert result.return_value == 1, result.output
    assert "wrong.py" in {Path(name).name for name in events[: events.index("reducing")]}, events
    assert "told.py" not in {Path(name).name for name in events}, events  # the validator was built for the search
