"""A search or a judging that is ended early says what it had, exits with 2 and leaves nothing half-written."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from command_line import invoke
from conftest import DOUBLE, TESTS, write_files
from harness.search.hunt import Hunt
from harness.search.search_loop import SearchLoop

RIGHT = DOUBLE / "submissions" / "accepted" / "double.py"
STOPS = pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM], ids=lambda one: one.name)


def started(*words: str | Path, temporary: Path) -> "subprocess.Popen[str]":
    temporary.mkdir()
    for folder in (temporary, temporary.parent):
        folder.chmod(0o755)
    return subprocess.Popen(
        [sys.executable, "-m", "harness", *map(str, words)],
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@STOPS
def test_a_search_says_that_it_had_found_nothing(stop: signal.Signals, tmp_path: Path) -> None:
    result = tmp_path / "found.json"
    words = ("stress", DOUBLE, RIGHT, "--shape", "n: 0..9999", "--time", "600", "--json", result)
    search = started(*words, temporary=tmp_path / "tmp")
    assert search.stderr is not None
    while "searching" not in (line := search.stderr.readline()):
        assert line, "the search ended"
    time.sleep(0.5)  # some inputs; nothing depends on how many
    search.send_signal(stop)
    search.communicate(timeout=60)
    assert search.returncode == 2
    known = json.loads(result.read_text())
    assert (known["interrupted"], known["found"]) == (True, None)
    assert not list((tmp_path / "tmp").iterdir())


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


WRONG = DOUBLE / "submissions" / "wrong_answer" / "adds_one.py"


@pytest.mark.parametrize(
    ("place", "words", "doubt"),
    [
        ("reduce.Reduction._reduce", [], ""),
        ("confirm.Confirming.build", [], ""),
        ("hunt.with_programs", [], ""),
        ("confirm.Confirming.confirmed", [], "not confirmed by a plain run: interrupted"),
        ("preparation.Preparation.run", ["--input", "-"], "(the given input"),
    ],
)
def test_a_search_that_is_ended_after_a_failure_shows_the_best_so_far(
    place: str, words: list[str], doubt: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"harness.search.{place}", interrupted)
    saved = tmp_path / "found.in"
    result = invoke("stress", DOUBLE, WRONG, "--time", "20", "--save", saved, *words, given=b"7\n")
    assert result.return_value == 2, result.output
    assert "interrupted: this is the best so far" in result.output
    assert "Wrong answer" in result.output and "input (" in result.output and doubt in result.output
    assert saved.read_bytes()


@pytest.mark.parametrize("place", ["is_small", "more_s", "_sort_key", "_better_than"])
def test_a_search_that_is_ended_just_after_a_failure_shows_it(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, count in enumerate((40, 50)):  # large, so that the search goes on for a smaller failing input
        write_files(tmp_path / "test", {f"{number}.in": f"{count}\n{' '.join(['7'] * count)}\n"})
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    right.write_text("input()\nprint(sum(map(int, input().split())))\n")
    wrong.write_text("input()\nprint(1 + sum(map(int, input().split())))\n")
    monkeypatch.setattr(SearchLoop, place, interrupted)
    result = invoke("stress", wrong, "--brute", right, "--time", "10")
    assert result.return_value == 2
    assert "interrupted: this is the best so far" in result.output
    assert "your program fails on sample/" in result.output


def test_a_search_that_is_ended_before_it_finds_anything_says_what_it_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("harness.search.hunt.Hunt._searched", interrupted)
    result = invoke("stress", DOUBLE, RIGHT, "--shape", "n: 0..9")
    assert result.return_value == 2
    assert "interrupted: nothing found: 0 inputs (none yet)" in result.output


def test_an_interrupted_search_for_slow_inputs_shows_the_slowest_so_far(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.search.slowest.SlowHunt._grow", interrupted)
    saved, written = tmp_path / "slow.in", tmp_path / "slow.json"
    words = ("--slowest", "--shape", "n: 0..9999", "--time", "2", "--save", saved, "--json", written)
    result = invoke("stress", DOUBLE, RIGHT, *words)
    assert result.return_value == 2
    assert "slowest of" in result.output and "interrupted: this is the slowest so far" in result.output
    known = json.loads(written.read_text())
    assert known["interrupted"] and known["slowest"]["input"].encode() == saved.read_bytes()
    assert known["slowest"]["points"] and not known["slowest"]["is_over_limit"]


def test_a_search_whose_result_is_remembered_ends_with_the_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Hunt, "run", lambda _: None)
    hunt = Hunt(target=None, host=None, seed=0, time_s=1.0)  # type: ignore[arg-type]
    assert hunt.run_to_the_end() is None
    hunt.progress.interrupted = True
    with pytest.raises(KeyboardInterrupt):
        hunt.run_to_the_end()


@STOPS
def test_a_judging_says_the_verdicts_so_far(stop: signal.Signals, tmp_path: Path) -> None:
    words = ("judge", DOUBLE, RIGHT, TESTS / "submissions" / "sleeps_TLE.py", "--time-limit", "100", "-j", "1")
    judge = started(*words, "--json", tmp_path / "result.json", temporary=tmp_path / "tmp")
    _wait_for(judge.pid, "sleeps_TLE.py")
    judge.send_signal(stop)
    output = "".join(judge.communicate(timeout=60))
    assert judge.returncode == 2
    assert "double.py, so far: 4 AC\n" in output
    assert "sleeps_TLE.py, so far: no case judged\n" in output
    assert "Traceback" not in output
    assert not (tmp_path / "result.json").exists()


def _wait_for(pid: int, name: str) -> None:
    """Wait for a process that names the file and lives for a second: not one that only compiles it."""
    deadline_s, since_s = time.monotonic() + 60, dict[int, float]()
    while time.monotonic() < deadline_s:
        for process in psutil.Process(pid).children(recursive=True):
            with contextlib.suppress(psutil.Error):
                if any(name in word for word in process.cmdline()):
                    now_s = time.monotonic()
                    if now_s - since_s.setdefault(process.pid, now_s) > 1:
                        return
        time.sleep(0.02)
    pytest.fail("the submission never started")
