"""A failed game is shown: who said what when, the board move by move, the losing move marked, nothing unescaped."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from conftest import PackageMaker
from harness.cli.game_screen import show_game
from harness.errors import JudgeError, UsageError
from harness.host.host import Host
from harness.judge.judging import Judging
from harness.judge.submission_result import Entry
from harness.package import Case, Package, Program
from harness.package.files import File
from harness.package.load import load
from harness.replay.failed_game import FailedGame, first_failed_game
from harness.replay.record import Game, Replay, find_case, images_of
from harness.replay.viewer import Picture, Pictures, Viewer, viewer_of
from harness.report.games import strip_text, transcript_text
from harness.results.model import CaseResult, SubmissionResult
from harness.results.verdict import Verdict
from harness.sandbox.transcript import Speaker, Transcript, TranscriptLine

BRIDGIT = Path(__file__).resolve().parents[2] / "problems" / "bridgit"
WRONG = BRIDGIT.parents[1] / "reference" / "bridgit" / "wrong_answer"


@pytest.fixture(scope="session")
def bridgit() -> Package:
    return load(BRIDGIT, built=False)


@pytest.fixture(scope="session")
def viewer(bridgit: Package, host: Host) -> Viewer:
    found = viewer_of(bridgit, host)
    assert found is not None
    return found


def played(package: Package, host: Host, case: Case, source: Path) -> Game:
    program = Program(path=source.name, files={source.name: File(origin=source)})
    result, transcript = Judging(package=package, host=host).recorded(program, package.sample, case)
    return Game(
        problem=package.slug,
        case=case.name,
        submission=source.name,
        transcript=transcript,
        verdict=result.verdict,
        message=result.message,
    )


def spoken(*said: tuple[str, bytes]) -> Transcript:
    return Transcript(
        lines=tuple(
            TranscriptLine(speaker=Speaker(who), at_s=number / 1000, text=text)
            for number, (who, text) in enumerate(said)
        )
    )


def a_game(transcript: Transcript, **more: object) -> Game:
    given = Game(problem="p", case="sample/1", submission="s.py", transcript=transcript)
    return replace(given, **more)  # type: ignore[arg-type]


def shown_as(shown: FailedGame, *, file: Path | None = None) -> str:
    out = Console(record=True, width=120, file=None, quiet=False)
    with out.capture() as text:
        show_game(shown, out, file)
    return text.get()


def test_losing_move_is_marked_where_the_interactor_says(bridgit: Package, viewer: Viewer, host: Host) -> None:
    case = viewer.case_from(["--board", "4x3", "--first", "--style", "path", "--seed", "1"])
    lost = played(bridgit, host, case, WRONG / "maximum_current.cpp")
    assert lost.verdict is Verdict.WRONG_ANSWER
    number, door = re.search(r"lost by move (\d+), `([^`]+)`", lost.message).groups()  # type: ignore[union-attr]
    pictures = viewer.pictures(case, lost)
    [marked] = [picture for picture in pictures.pictures if picture.mark]
    assert marked.caption == f"move {number}"
    assert "would have kept the win" in marked.mark
    text = "\n".join(transcript_text(lost, pictures, full=True))
    [line] = [line for line in text.splitlines() if "◀" in line]
    assert line.split("◀")[0].strip().endswith(door)


def test_last_picture_is_the_board_of_the_interactor(bridgit: Package, viewer: Viewer, host: Host) -> None:
    case = viewer.case_from(["--board", "5x4", "--first", "--style", "mixed", "--seed", "3"])
    lost = played(bridgit, host, case, WRONG / "first_free_door.py")
    board = [row[4:] for row in lost.message.split("\n")[1:]]
    last = viewer.pictures(case, lost).pictures[-1].text.split("\n")
    closing = re.search(r"the king closes `(.) (\d+) (\d+)`", lost.message)
    assert closing is not None
    rows = [list(row) for row in last]
    kind, i, j = closing[1], int(closing[2]), int(closing[3])
    rows[2 * i - (kind == "|")][2 * j - 1 - (kind == "|")] = kind  # the door that ended it was never said
    plain = ["".join(row).replace("O", " ").rstrip() for row in rows]
    plain = [re.sub("X", lambda _, at=at: "-|"[at % 2], row) for at, row in enumerate(plain)]
    assert plain == [row.rstrip() for row in board]


@pytest.mark.parametrize("second", [b"", b"- 9 9", b"\x1b[2J", "扉 ١ ١".encode(), b"- 1 1", b"-" * 4000])
def test_pictures_of_a_hostile_game_stop_where_it_breaks_the_rules(
    second: bytes, bridgit: Package, viewer: Viewer
) -> None:
    case = viewer.case_from(["--board", "3x2", "--first"])
    talk = spoken(
        ("interactor", b"3 2 First"),
        ("submission", b"Yes"),
        ("submission", b"- 1 1"),
        ("interactor", b"| 1 1"),
        ("submission", second),
        ("interactor", b"w 0 0"),
        ("submission", b"| 2 1"),
    )
    pictures = viewer.pictures(case, a_game(talk, message="The game was lost by move 999999"))
    assert [picture.caption for picture in pictures.pictures] == ["move 1"]


def test_moves_written_ahead_are_drawn_in_the_order_of_play(bridgit: Package, viewer: Viewer) -> None:
    case = viewer.case_from(["--board", "3x1", "--second"])
    talk = spoken(
        ("submission", b"Yes"),
        ("submission", b"- 1 1"),
        ("submission", b"| 1 1"),
        ("interactor", b"3 1 Second"),
        ("interactor", b"| 1 1"),
        ("interactor", b"- 2 1"),
        ("interactor", b"w 0 0"),
    )
    first, second = viewer.pictures(case, a_game(talk)).pictures
    assert first.text.split("\n")[1] == "X :" and second.text.split("\n")[1] == "| :"


def test_foreign_package_without_viewer_gets_the_plain_transcript(game: PackageMaker, host: Host) -> None:
    root = game('say("21")\nend(42 if hear() == "42" else 43, "not the double")\n')
    package = load(root)
    assert viewer_of(package, host) is None
    source = root / "player.py"
    source.write_text("print(int(input()) + 1, flush=True)\n")
    [case] = package.secret.all_cases()
    lost = played(package, host, case, source)
    text = shown_as(FailedGame(replay=Replay(game=lost, judged=a_result(Verdict.WRONG_ANSWER))))
    assert "played again: WA as before" in text
    assert re.search(r"^ +\d\.\d{3}  21$", text, re.MULTILINE)
    assert re.search(r"^ +\d\.\d{3}  {34,}22$", text, re.MULTILINE)
    assert "not the double" in text


def a_result(verdict: Verdict) -> CaseResult:
    return CaseResult(name="sample/1", group="sample", verdict=verdict)


def test_failure_without_a_game_is_no_reason_to_lose_the_verdict(game: PackageMaker, host: Host) -> None:
    package = load(game("end(43)\n"))
    program = Program(path="s.py", files={"s.py": File(origin=package.root / "problem.yaml")})
    failed = replace(a_result(Verdict.WRONG_ANSWER), name="no/such/case")
    result = SubmissionResult(path="s.py", language="python3", verdict=failed.verdict, cases=(failed,))
    shown = first_failed_game(Judging(package=package, host=host), [Entry(program=program)], [result], None)
    assert shown is not None
    assert "no replay: double has no case `no/such/case`" in shown_as(shown)


def test_another_verdict_in_the_rerun_is_said() -> None:
    now = a_game(spoken(), verdict=Verdict.ACCEPTED)
    text = shown_as(FailedGame(replay=Replay(game=now, judged=a_result(Verdict.WRONG_ANSWER))))
    assert "this time it ends with AC; the verdict stays WA" in text


def test_nothing_that_was_said_steers_the_terminal(tmp_path: Path) -> None:
    evil = b"\x1b]0;title\x07\x1b[31m\r\x00 [bold]markup[/bold] \xe2\x80\xae \xff"
    shown = FailedGame(
        replay=Replay(
            game=a_game(spoken(("submission", evil), ("interactor", evil)), message=evil.decode(errors="replace")),
            judged=a_result(Verdict.WRONG_ANSWER),
        ),
        pictures=Pictures(
            pictures=(Picture(line=0, text="\x1b[2J\n\x9b1m", caption="\x1b]8;;x\x07", mark="\x1b[0m"),),
            legend="\x1b",
        ),
        trouble="\x1b[5m",
    )
    text = shown_as(shown, file=tmp_path / "replay.txt") + (tmp_path / "replay.txt").read_text()
    assert all(char == "\n" or char.isprintable() for char in text)
    assert "[bold]markup[/bold]" in text and "\\x1b[31m" in text


VIEWERS = {
    "crashes": ("raise SystemExit(3)", "failed: exit code 3"),
    "says_nothing": ("pass", "did not write JSON"),
    "deep_json": ("print('[' * 100000)", "did not write JSON"),
    "no_object": ("print('[]')", "no object"),
    "pictures_no_list": ("print('{\"pictures\": 1}')", "not a list"),
    "picture_no_object": ("print('{\"pictures\": [1]}')", "must be an object"),
    "loops": ("while True: pass", r"failed: stopped at its limit, after [\d.]+ s of CPU time"),
}


@pytest.mark.parametrize("name", VIEWERS)
def test_failing_viewer_is_named(name: str, game: PackageMaker, host: Host) -> None:
    program, reason = VIEWERS[name]
    root = game("end(42)\n")
    (root / "viewer").mkdir()
    (root / "viewer" / "view.py").write_text(program)
    package = load(root)
    viewer = viewer_of(package, host)
    assert viewer is not None
    [case] = package.secret.all_cases()
    with pytest.raises(JudgeError, match=reason) as raised:
        viewer.pictures(case, a_game(spoken()))
    assert "view.py" in str(raised.value)


VISUALIZERS = {
    "draws": (
        "open(sys.argv[3] + 'judgeimage.svg', 'w').write(open(sys.argv[3] + 'left').read())",
        {"judgeimage.svg": b"22"},
    ),
    "crashes_after_drawing": (
        "open(sys.argv[3] + 'teamimage.png', 'w').write('x')\nsys.exit(9)",
        {"teamimage.png": b"x"},
    ),
    "links_to_a_secret": ("import os\nos.symlink('/etc/passwd', sys.argv[3] + 'judgeimage.svg')", {}),
    "makes_a_folder": ("import os\nos.mkdir(sys.argv[3] + 'judgeimage.svg')", {}),
    "draws_nothing": ("pass", {}),
}


@pytest.mark.parametrize("name", VISUALIZERS)
def test_output_visualizer_sees_what_the_interactor_left(name: str, game: PackageMaker, host: Host) -> None:
    program, images = VISUALIZERS[name]
    root = game('say("21")\nopen(sys.argv[3] + "left", "w").write(hear())\nend(43)\n')
    (root / "output_visualizer").mkdir()
    (root / "output_visualizer" / "draw.py").write_text(f"import sys\n{program}\n")
    package = load(root)
    [case] = package.secret.all_cases()
    talk = spoken(("interactor", b"21"), ("submission", b"22"))
    assert images_of(package, host, case, a_game(talk)) == images


def test_image_of_bridgit_has_every_move(bridgit: Package, viewer: Viewer, host: Host) -> None:
    case = viewer.case_from(["--board", "4x3", "--first", "--style", "path", "--seed", "1"])
    lost = played(bridgit, host, case, WRONG / "maximum_current.cpp")
    [(name, image)] = images_of(bridgit, host, case, lost).items()
    said = [line for line in lost.transcript.lines if line.text[:1] in (b"|", b"-")]
    assert name == "judgeimage.svg"
    numbers = sorted(map(int, re.findall(rb'class="number"[^>]*>(\d+)<', image)))
    assert numbers == list(range(1, len(said) + 2))  # the door that ended it is not said
    assert image.count(b'class="closed"') == len(numbers) // 2


def test_file_that_cannot_be_made_is_not_written(game: PackageMaker, host: Host, tmp_path: Path) -> None:
    shown = FailedGame(
        replay=Replay(game=a_game(spoken()), judged=a_result(Verdict.WRONG_ANSWER)), trouble="it has no viewer"
    )
    for name in ("game.html", "game.svg"):
        assert "it has no viewer" in shown_as(shown, file=tmp_path / name)
        assert not (tmp_path / name).exists()


def test_long_game_is_shown_by_its_telling_lines() -> None:
    talk = spoken(*[("submission", f"line {number}".encode()) for number in range(200)])
    marks = Pictures(pictures=(Picture(line=100, text="", mark="here"),))
    short = list(transcript_text(a_game(talk), marks, full=False))
    assert len(short) < 40 and any("line 100   ◀ here" in line for line in short)
    assert any("… 94 lines …" in line for line in short)
    assert len(list(transcript_text(a_game(talk), marks, full=True))) == 201


def test_pictures_stand_side_by_side_as_they_fit() -> None:
    pictures = Pictures(
        pictures=tuple(Picture(line=n, text="###\n###", caption=f"m{n}", mark="x" * (n == 1)) for n in range(60))
    )
    rows = list(strip_text(pictures, width=21, full=True))
    assert all(len(row) <= 21 for row in rows)
    assert sum(row.count("m") for row in rows) == 60
    short = "\n".join(strip_text(pictures, width=21, full=False))
    assert "▶ m1" in short and "m59" in short and "m5 " not in short
    assert short.count("\n") < 50


def test_case_is_found_by_a_part_of_its_name(bridgit: Package) -> None:
    assert find_case(bridgit, "sample/2")[1].name == find_case(bridgit, "2")[1].name == "sample/2"
    with pytest.raises(UsageError, match="could be 3 cases"):
        find_case(bridgit, "sample")
    with pytest.raises(UsageError, match="has no case `nothing`"):
        find_case(bridgit, "nothing")
