"""A recorded game has the verdict of an unrecorded one, and its transcript is what was said."""

import os
import threading
from pathlib import Path

import pytest

from conftest import PackageMaker
from harness.host.host import Host
from harness.judge.judging import Judging
from harness.package import Program
from harness.package.files import File
from harness.package.load import load
from harness.results.model import CaseResult
from harness.sandbox.transcript import LINE_BYTES, MOST_BYTES, Chunk, Speaker, Tap, Transcript, transcript_of
from interactive_games import S_PRELUDE, SCENARIOS

QUICK = {
    "J_accepts_S_is_right",
    "J_rejects_S_is_wrong",
    "J_rejects_S_loops",
    "J_accepts_S_talks_on",
    "J_waits_S_crashes",
    "J_rejects_after_reading_S_crashes_having_written",
    "J_waits_S_exits_early",
    "J_waits_S_does_not_flush",
    "S_floods_J_rejects_the_first_line",
    "J_crashes_S_waits",
}
NAMES = [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in SCENARIOS]


def recorded(root: Path, submission: str, host: Host) -> tuple[CaseResult, Transcript]:
    source = root / "player.py"
    source.write_text(S_PRELUDE + submission)
    package = load(root)
    program = Program(path="player.py", files={"player.py": File(origin=source)})
    [(group, case)] = [(group, case) for group in (package.sample, package.secret) for case in group.all_cases()]
    return Judging(package=package, host=host).recorded(program, group, case)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
def test_recorded_scenario_has_the_same_verdict(name: str, game: PackageMaker, host: Host) -> None:
    interactor, submission, verdict = SCENARIOS[name]
    result, _ = recorded(game(interactor), submission, host)
    assert result.verdict == verdict, result


def test_transcript_is_what_was_said_in_order(game: PackageMaker, host: Host) -> None:
    interactor = 'say("21")\nsay(str(int(hear()) + 1))\nhear()\nend(43)\n'
    _, transcript = recorded(game(interactor), "print(2 * int(input()), flush=True)\nprint(input())\n", host)
    said = [(line.speaker, line.text) for line in transcript.lines]
    judge, we = Speaker.INTERACTOR, Speaker.SUBMISSION
    assert said == [(judge, b"21"), (we, b"42"), (judge, b"43"), (we, b"43")]
    times = [line.at_s for line in transcript.lines]
    assert times == sorted(times) and times[0] >= 0


def test_what_is_written_right_before_the_end_is_recorded(game: PackageMaker, host: Host) -> None:
    submission = "print('x' * 3000, flush=True)\nos.write(1, b'no end')\n"
    _, transcript = recorded(game("hear()\nos.write(1, b'last words')\nhear()\nend(43)\n"), submission, host)
    said = {(line.speaker, line.text, line.whole) for line in transcript.lines}
    assert (Speaker.SUBMISSION, b"x" * 3000, True) in said
    assert (Speaker.SUBMISSION, b"no end", False) in said
    assert (Speaker.INTERACTOR, b"last words", False) in said


def test_flood_is_passed_on_whole_and_recorded_in_part() -> None:
    tap = Tap()
    read_end, write_end = tap.pipe(Speaker.SUBMISSION)
    heard: list[bytes] = []
    reader = threading.Thread(target=lambda: heard.extend(iter(lambda: os.read(read_end, 1 << 16), b"")))
    reader.start()
    for _ in range(3 * MOST_BYTES // 4096):
        os.write(write_end, b"x" * 4096)
    os.close(write_end)
    reader.join()
    os.close(read_end)
    assert sum(map(len, heard)) == 3 * MOST_BYTES
    transcript = tap.transcript()
    assert transcript.cut
    assert sum(len(line.text) for line in transcript.lines) <= MOST_BYTES


def test_lines_split_over_chunks_stand_where_they_end() -> None:
    def said(speaker: Speaker, at_s: float, data: bytes) -> Chunk:
        return Chunk(speaker=speaker, at_s=at_s, data=data)

    one, two = Speaker.SUBMISSION, Speaker.INTERACTOR
    transcript = transcript_of([said(one, 1, b"a\nb"), said(two, 2, b"x\n"), said(one, 3, b"c\n\nd")])
    assert [(line.at_s, line.text, line.whole) for line in transcript.lines] == [
        (1, b"a", True),
        (2, b"x", True),
        (3, b"bc", True),
        (3, b"", True),
        (3, b"d", False),
    ]


def test_a_line_said_letter_by_letter_is_cut_and_its_end_is_seen() -> None:
    letters = [b"a"] * (LINE_BYTES + 10) + [b"\nb"]
    lines = transcript_of(Chunk(speaker=Speaker.SUBMISSION, at_s=1, data=one) for one in letters).lines
    assert [(line.text, line.whole) for line in lines] == [(b"a" * LINE_BYTES, True), (b"b", False)]


def test_reader_that_has_gone_does_not_stop_the_writer() -> None:
    tap = Tap()
    read_end, write_end = tap.pipe(Speaker.INTERACTOR)
    os.close(read_end)
    for _ in range(100):
        os.write(write_end, b"y" * 4096)
    os.close(write_end)
    assert len(tap.transcript().lines) == 1
