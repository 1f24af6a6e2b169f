"""`harness play` as a process: a pipe and a person at a terminal opposite an interactor."""

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import PackageMaker, calls_in
from harness.cli.game_screen import check_replay
from harness.errors import UsageError
from harness.judge.submission_result import Entry
from harness.package.load import load
from harness.replay.manual_game import Recording
from harness.sandbox.transcript import MOST_BYTES, Speaker

ROOT = Path(__file__).resolve().parents[2]
PLAY = [sys.executable, "-m", "harness", "play"]


def play(*arguments: str, typed: bytes = b"") -> tuple[int, str, str]:
    done = subprocess.run([*PLAY, *arguments], input=typed, capture_output=True, cwd=ROOT, timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_pipe_plays_against_a_foreign_interactor(game: PackageMaker) -> None:
    root = str(game('say("21")\nend(42 if hear() == "42" else 43, "not \\x1b[31m the double")\n'))
    code, out, _ = play(root, "secret/01-zero", typed=b"42\n")
    assert "type what a program would print; the rules: " in out
    assert code == 0 and "Accepted" in out and "interactor  21" in out and "you         42" in out
    code, out, _ = play(root, "secret/01-zero", typed=b"43\n")
    assert code == 1 and "Wrong answer" in out and "not \\x1b[31m the double" in out


def test_interactor_without_a_package_is_played_on_an_input_file(tmp_path: Path) -> None:
    (tmp_path / "judge.py").write_text(
        "import sys\nsecret = open(sys.argv[1]).read().strip()\nsys.exit(42 if input() == secret else 43)\n"
    )
    (tmp_path / "1.in").write_text("7\n")
    (tmp_path / "test").mkdir()
    (tmp_path / "test" / "other.in").write_text("8\n")
    for arguments, typed in (("1.in",), b"7\n"), (("other",), b"8\n"), ((), b"8\n"):
        done = subprocess.run(
            [*PLAY, "--interactor", "judge.py", *arguments],
            input=typed,
            capture_output=True,
            cwd=tmp_path,
            timeout=60,
        )
        assert done.returncode == 0 and b"Accepted" in done.stdout, (arguments, done)
    done = subprocess.run([*PLAY, "--interactor", "judge.py", "no"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2 and "no: no such file, and no sample here has this name" in done.stderr


def test_program_in_place_of_a_problem_or_case_is_told_which_command_judges_it(
    game: PackageMaker, tmp_path: Path
) -> None:
    root, mine = str(game("end(42)\n")), str(tmp_path / "mine.py")
    Path(mine).touch()
    for arguments, problem in ((mine,), "PROBLEM"), ((root, mine), "double"):
        code, _, error = play(*arguments)
        assert code == 2 and f"to judge a program: harness judge {problem} {mine}\n" in error, error


def test_an_input_in_place_of_a_problem_or_case_is_told_of_the_interactor(
    game: PackageMaker, tmp_path: Path
) -> None:
    given = tmp_path / "1.in"
    given.touch()
    for arguments in (str(given),), (str(game("end(42)\n")), str(given)):
        code, _, error = play(*arguments)
        assert code == 2 and error.endswith(f"without a package: harness play --interactor judge.py {given}\n"), (
            error
        )


def test_viewer_that_fails_does_not_end_the_game(game: PackageMaker) -> None:
    root = game('say("21")\nend(42 if hear() == "42" else 43)\n')
    (root / "viewer").mkdir()
    (root / "viewer" / "view.py").write_text("raise SystemExit(9)\n")
    code, out, _ = play(str(root), "secret/01-zero", typed=b"42\n")
    assert code == 0 and "Accepted" in out and "no pictures: " in out and "exit code 9" in out


def test_pipe_that_ends_early_ends_the_game(game: PackageMaker) -> None:
    root = str(game('say("x" * 100000)\nend(43 if hear() == "" else 42, "nothing heard")\n'))
    code, out, _ = play(root, "secret/01-zero")
    assert code == 1 and "nothing heard" in out


def test_interactor_that_crashes_is_an_error_that_names_it(game: PackageMaker) -> None:
    code, _, err = play(str(game("raise RuntimeError('broken')\n")), "secret/01-zero", typed=b"1\n")
    assert code == 2 and "judge.py" in err and "broken" in err and "Traceback (most" not in err.splitlines()[0]


def test_person_at_a_terminal_sees_the_board_after_each_answer() -> None:
    ours, theirs = pty.openpty()
    command = [*PLAY, "bridgit", "--board", "2x1", "--first", "--style", "path", "--seed", "1"]
    process = subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE, cwd=ROOT)
    os.close(theirs)
    assert process.stdout is not None
    seen, deadline = "", time.monotonic() + 60

    def until(text: str) -> None:
        nonlocal seen
        while text not in seen:
            assert process.stdout is not None
            ready, _, _ = select.select([process.stdout], [], [], max(deadline - time.monotonic(), 0))
            data = os.read(process.stdout.fileno(), 1 << 16) if ready else b""
            assert data, seen
            seen += data.decode()

    try:
        until("2 1 First")
        os.write(ours, b"Yes\n- 1 1\n")
        until("move 1\n+-+\n")
        os.write(ours, b"\x04")  # Ctrl-D
        until("Wrong answer")
        until("move 2: the output ended")
        assert process.wait(30) == 1
    finally:
        process.kill()
        process.wait()
        os.close(ours)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("sokoban",), "is not interactive"),
        (("bridgit", "--board", "5x"), "rows x columns"),
        (("bridgit", "--board", "21x4"), "between 1 and 20"),
        (("bridgit", "--bord", "5x4"), "no such option: '--bord'"),
        (("bridgit", "a", "b"), "a third word: b"),
        (("bridgit", "sample/2", "--first"), "not both"),
    ],
)
def test_wrong_usage_is_explained(arguments: tuple[str, ...], reason: str) -> None:
    code, _, err = play(*arguments)
    assert code == 2 and reason in err and "Traceback" not in err
    assert err.count("error:") == 1


def test_options_of_a_package_without_viewer_are_refused(game: PackageMaker) -> None:
    root = str(game("end(42)\n"))
    code, _, err = play(root, "--board", "3x3")
    assert code == 2 and "has no viewer" in err
    code, _, err = play(root, "secret/01-zero", "--page", "x.html")
    assert code == 2 and "has no viewer" in err


def test_judge_shows_the_failed_game_and_writes_it_whole(game: PackageMaker, tmp_path: Path) -> None:
    root = game('say("21")\nend(42 if hear() == "42" else 43, "not the double")\n')
    (tmp_path / "my.py").write_text("print(input(), flush=True)\n")
    command = [sys.executable, "-m", "harness", "judge", str(root), str(tmp_path / "my.py")]
    done = subprocess.run(
        [*command, "--replay", str(tmp_path / "game.txt")], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert "played again: WA as before" in done.stdout and "not the double" in done.stdout
    assert "21" in (tmp_path / "game.txt").read_text()
    quiet = [*command, "-q", "--replay", str(tmp_path / "quiet.txt")]
    done = subprocess.run(quiet, capture_output=True, text=True, timeout=60)
    assert "played again" not in done.stdout and "not the double" in (tmp_path / "quiet.txt").read_text()


@pytest.mark.parametrize(("name", "reason"), [("bridgit", "of one submission"), ("apples", "not interactive")])
def test_a_replay_that_would_not_be_written_is_refused(name: str, reason: str) -> None:
    package = load(ROOT / "problems" / name)
    with pytest.raises(UsageError, match=reason):
        check_replay(package, [Entry(program=program) for program in package.submissions], Path("game.txt"))


@pytest.mark.parametrize(("second", "code"), [("102\n", 0), ("103\n", 1), ("103\x04\x04", 1)])  # Ctrl-D, twice
def test_person_plays_every_pass_of_a_multi_pass_problem(second: str, code: int) -> None:
    ours, theirs = pty.openpty()
    package = ROOT / "tests" / "packages" / "judge_interactive_multi_pass"
    command = [*PLAY, str(package), "secret/1"]
    process = subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE, cwd=ROOT)
    os.close(theirs)
    assert process.stdout is not None
    seen = ""

    def until(text: str) -> None:
        nonlocal seen
        while text not in seen:
            assert process.stdout is not None
            line = process.stdout.readline().decode()
            assert line, seen
            seen += line

    try:
        until("interactor  1")
        os.write(ours, b"2\n")
        until("interactor  101")
        os.write(ours, second.encode())
        seen += process.stdout.read().decode()
        assert process.wait(30) == code, seen
        assert "pass 2" in seen and ("Accepted" if code == 0 else "Wrong answer") in seen
        assert ("\n\nWrong answer" in seen) == (not second.endswith("\n"))  # not behind what was typed
    finally:
        process.kill()


@pytest.mark.parametrize(("typed", "code"), [(b"2\n102\n", 0), (b"2\n103\n", 1), (b"2\n102", 0)])
def test_pipe_plays_every_pass_though_all_its_lines_lie_there_from_the_start(typed: bytes, code: int) -> None:
    package = ROOT / "tests" / "packages" / "judge_interactive_multi_pass"
    found, out, err = play(str(package), "secret/1", typed=typed)
    assert found == code, out + err
    assert "pass 2" in out and ("Accepted" if code == 0 else "Wrong answer") in out


def test_pipe_that_ends_within_a_pass_ends_the_game() -> None:
    package = ROOT / "tests" / "packages" / "judge_interactive_multi_pass"
    code, out, err = play(str(package), "secret/1", typed=b"2\n")
    assert code == 1 and "pass 2" in out and "Wrong answer" in out, out + err


def test_page_without_a_case_opens_on_a_board_to_play_on(tmp_path: Path) -> None:
    code, _, err = play("bridgit", "--page", str(tmp_path / "bridgit.html"))
    assert code == 0, err
    assert '"input": "5 4 First\\n"' in (tmp_path / "bridgit.html").read_text(encoding="utf-8")


def test_the_work_of_recording_a_game_grows_as_the_number_of_its_lines() -> None:
    def calls(count: int) -> int:
        recording = Recording()
        return calls_in(lambda: [recording.add(Speaker.SUBMISSION, b"1\n") for _ in range(count)])

    assert calls(400) < 3 * calls(200)


def test_a_recording_is_cut_at_its_bound() -> None:
    recording = Recording()
    for _ in range(3):
        recording.add(Speaker.SUBMISSION, b"x\n" * (MOST_BYTES // 4 + 1))
    assert sum(len(line.text) + line.whole for line in recording.transcript().lines) == MOST_BYTES
