"""The interactor of `bridgit` as a process: the protocol, hostile contestants, and what it says about a rejection.

A scripted contestant writes all its lines at once; the interactor reads them one at a time.
"""

import itertools
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from problems.conftest import ACCEPT, BARE, JUDGE_ERROR, REJECT, ROOT

PACKAGE = ROOT / "problems" / "bridgit"
ACCEPTED = ROOT / "reference" / "bridgit" / "accepted"


@pytest.fixture
def command(shipped, tmp_path):
    """command(input, answer): the interactor's argv."""
    feedback = tmp_path / "feedback"
    feedback.mkdir()

    def get(case, answer):
        (tmp_path / "case.in").write_text(case)
        (tmp_path / "case.ans").write_text(answer)
        program = shipped("output_validator")
        return [*BARE, str(program), str(tmp_path / "case.in"), str(tmp_path / "case.ans"), f"{feedback}/"]

    return get


@pytest.fixture
def converse(command, tmp_path):
    """converse(input, answer, what the contestant writes): (exit code, what it reads, the message)."""

    def run(case, answer, output):
        done = subprocess.run(command(case, answer), input=output, capture_output=True, timeout=20)
        message = tmp_path / "feedback" / "judgemessage.txt"
        return done.returncode, done.stdout.decode(), message.read_text() if message.exists() else ""

    return run


def test_no_on_a_lost_board_is_accepted(converse):
    assert converse("1 1 First\n", "No\n", b"No\n") == (ACCEPT, "1 1 First\n", "")
    assert converse("2 1 Second\n", "No\n", b"No") == (ACCEPT, "2 1 Second\n", "")


SCRIPTS = {
    "no_where_yes_is_right": (b"No\n", "`No`, but the contestant can win"),
    "nothing_at_all": (b"", "the output ended"),
    "lower_case_claim": (b"yes\n", "expected `Yes` or `No`"),
    "claim_in_upper_case": (b"YES\n", "expected `Yes` or `No`"),
    "a_door_instead_of_a_claim": (b"- 1 1\n", "expected `Yes` or `No`"),
    "empty_line_instead_of_a_claim": (b"\nYes\n", "expected `Yes` or `No`"),
    "silence_after_yes": (b"Yes\n", "move 1: the output ended"),
    "empty_line_instead_of_a_move": (b"Yes\n\n- 1 1\n", "expected a door"),
    "no_blanks": (b"Yes\n-1 1\n", "expected a door"),
    "kind_last": (b"Yes\n1 1 -\n", "expected a door"),
    "kind_unknown": (b"Yes\n+ 1 1\n", "expected a door"),
    "kind_doubled": (b"Yes\n-- 1 1\n", "expected a door"),
    "kind_in_full_width": ("Yes\n－ 1 1\n".encode(), "expected a door"),
    "two_numbers_missing": (b"Yes\n-\n", "expected a door"),
    "a_number_missing": (b"Yes\n- 1\n", "expected a door"),
    "a_number_too_many": (b"Yes\n- 1 1 1\n", "expected a door"),
    "two_moves_in_one_line": (b"Yes\n- 1 1 | 1 1\n", "expected a door"),
    "comma": (b"Yes\n- 1,1\n", "expected a door"),
    "plus_sign": (b"Yes\n- +1 1\n", "expected a door"),
    "leading_zero": (b"Yes\n- 01 1\n", "expected a door"),
    "underscore": (b"Yes\n- 1_0 1\n", "expected a door"),
    "arabic_digits": ("Yes\n- ١ 1\n".encode(), "expected a door"),
    "fraction": (b"Yes\n- 1.0 1\n", "expected a door"),
    "exponent": (b"Yes\n- 1e0 1\n", "expected a door"),
    "number_of_forty_digits": (b"Yes\n- " + b"1" * 40 + b" 1\n", "expected a door"),
    "null_byte": (b"Yes\n- 1 1\0\n", "expected a door"),
    "accepted_by_itself": (b"Yes\na 0 0\n", "expected a door"),
    "row_zero": (b"Yes\n- 0 1\n", "expected a door"),
    "row_negative": (b"Yes\n- -1 1\n", "expected a door"),
    "row_beyond_the_last": (b"Yes\n| 3 1\n", "there is no door `| 3 1` on a board of 2 × 1"),
    "no_door_below_the_last_row": (b"Yes\n- 2 1\n", "there is no door `- 2 1`"),
    "no_such_column": (b"Yes\n- 1 2\n", "there is no door `- 1 2`"),
    "column_behind_the_exit": (b"Yes\n| 1 3\n", "there is no door `| 1 3`"),
    "same_door_twice": (b"Yes\n- 1 1\n- 1 1\n", "move 2: the door `- 1 1` is fixed already"),
    "line_without_end": (b"Yes\n- 1 1" + b" " * 100_000, "a line of more than 64 bytes"),
    "flood_without_lines": (b"x" * 5_000_000, "a line of more than 64 bytes"),
    "flood_of_lines": (b"Yes\n" + b"- 1 1\n" * 1_000_000, "is fixed already"),
    "binary": (bytes(range(256)) * 4, "expected"),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_contestant_is_rejected_for(name, converse):
    output, reason = SCRIPTS[name]
    code, said, message = converse("2 1 First\n", "Yes path 1\n", output)
    assert code == REJECT
    assert said.startswith("2 1 First\n") and said.endswith("\nw 0 0\n")
    assert reason in message
    assert len(message) < 1000 and all(line.isprintable() for line in message.splitlines())


def test_yes_on_a_lost_board_is_rejected(converse):
    for case in ("1 1 First\n", "2 1 Second\n", "20 20 First\n"):
        code, said, message = converse(case, "No\n", b"Yes\n")
        assert (code, said) == (REJECT, case + "w 0 0\n")
        assert "the demon king can win" in message


@pytest.mark.parametrize("more", [b"\n", b" ", b"- 1 1\n", b"Yes\n", b"\0", b"x" * 1_000_000], ids=range(6))
def test_any_byte_after_a_right_no_is_rejected(more, converse):
    code, _, message = converse("1 1 First\n", "No\n", b"No\n" + more)
    assert code == REJECT
    assert "output after the end" in message


def test_blind_scripts_win_only_when_their_moves_are_right(converse):
    """`- 1 1` and then one door on either side: which ones are left depends on the king."""
    doors = [b"- 1 1", b"| 1 1", b"| 1 2", b"| 2 1", b"| 2 2"]
    codes = []
    for side in itertools.product(doors[1::2], doors[2::2]):
        script = b"Yes\n- 1 1\n" + b"".join(door + b"\n" for door in side)
        code, said, message = converse("2 1 First\n", "Yes path 1\n", script)
        codes.append(code)
        assert (code == ACCEPT) == said.endswith("a 0 0\n") == (message == "")
        if "closed" in message:
            assert "is closed\n" in message
    assert REJECT in codes


@pytest.mark.parametrize("end", [b"\n", b" \n", b"\r\n", b"\t\n"])
def test_blanks_within_a_line_do_no_harm(end, converse):
    _, said, message = converse("2 1 First\n", "Yes path 1\n", b"Yes" + end + b"  -  1 \t1" + end)
    assert "move 2: the output ended" in message
    assert said.count("\n") == 3


def test_closed_door_is_rejected_and_the_board_is_shown(converse):
    _, said, _ = converse("2 1 First\n", "Yes path 1\n", b"Yes\n- 1 1\n")
    closed = said.splitlines()[1]
    code, said, message = converse("2 1 First\n", "Yes path 1\n", f"Yes\n- 1 1\n{closed}\n".encode())
    assert code == REJECT and said.splitlines()[-1] == "w 0 0"
    reason, board = message.split("\n", 1)
    assert reason == f"move 2: the door `{closed}` is closed"
    _, row, column = closed.split()
    picture = [list("    +-+"), list(" 1  : :"), list("    + +"), list(" 2  : :"), list("    +-+")]
    picture[2 * int(row) - 1][2 * int(column) + 2] = "|"
    assert board.rstrip("\n").split("\n") == ["".join(line) for line in picture]


BROKEN = [
    ("2 1 First\n", "No\n"),
    ("1 1 First\n", "Yes path 1\n"),
    ("2 1 First\n", ""),
    ("2 1 First\n", "Yes wild 1\n"),
]
BROKEN += [("2 1 First\n", "Yes path x\n"), ("2 1\n", "Yes path 1\n"), ("21 1 First\n", "Yes path 1\n")]
BROKEN += [("2 1 First\n", "Yes path 1 2\n"), ("", "")]


@pytest.mark.parametrize(("case", "answer"), BROKEN)
def test_fault_of_the_jury_is_a_judge_error(case, answer, converse):
    code, _, message = converse(case, answer, b"Yes\n- 1 1\n")
    assert code == JUDGE_ERROR
    assert message


def play(argv, interactor):
    """Both sides over direct pipes: (exit code of the interactor, of the submission)."""
    to_player, from_judge = os.pipe()
    to_judge, from_player = os.pipe()
    judge = subprocess.Popen(interactor, stdin=to_judge, stdout=from_judge)
    player = subprocess.Popen(argv, stdin=to_player, stdout=from_player, stderr=subprocess.DEVNULL)
    for end in (to_player, from_judge, to_judge, from_player):
        os.close(end)
    try:
        return judge.wait(60), player.wait(10)
    finally:
        for process in (judge, player):
            process.kill()
            process.wait()


GAMES = [(2, 1, "First"), (3, 1, "Second"), (4, 3, "First"), (6, 3, "First"), (7, 5, "Second"), (10, 9, "First")]
GAMES += [(12, 8, "Second"), (20, 1, "Second"), (20, 19, "First"), (20, 18, "Second")]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("source", ["diagonals.py", "two_trees.py"])
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_right_solution_wins_against_every_style(source, game, command):
    for seed, style in enumerate(["path", "current", "random", "mirror", "mixed", "trap"]):
        height, width, mover = game
        if height == 20 and seed % 3:
            continue
        interactor = command(f"{height} {width} {mover}\n", f"Yes {style} {seed}\n")
        (Path(interactor[-1]) / "judgemessage.txt").unlink(missing_ok=True)
        assert play([sys.executable, ACCEPTED / source], interactor) == (ACCEPT, 0), style


WRONG = sorted((ROOT / "reference" / "bridgit" / "wrong_answer").glob("*"))
# In this order; which of them catches whom, reference/bridgit/submissions.yaml says in full.
CATCHERS = ["2-first-06x05-first-path-1", "3-exact-09x07-second-trap-2", "4-spare-06x03-first-path-1"]
CATCHERS += ["1-no-03x02-second", "1-no-07x09-first", "1-no-06x05-second", "1-no-10x09-second"]
CATCHERS += ["4-spare-12x08-second-path-1", "4-spare-11x08-second-trap-1", "2-first-10x09-first-trap-2"]
CATCHERS += ["2-first-13x12-first-mixed-2", "3-exact-12x10-second-trap-2", "3-exact-12x10-second-trap-3"]
CATCHERS += ["3-exact-09x07-second-trap-3", "3-exact-20x18-second-current-2"]


def recipe_cases():
    """{name: (input, answer)} of the committed recipe."""
    recipe = yaml.safe_load((PACKAGE / "generators" / "generators.yaml").read_text())
    return {name: (case["in"], case["ans"]) for name, case in recipe["data"]["secret"]["data"].items()}


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """built(source): the argv of a submission."""
    folder = tmp_path_factory.mktemp("programs")

    def get(source):
        if source.suffix == ".py":
            return [sys.executable, source]
        program = folder / source.stem
        if not program.exists():
            subprocess.run(["c++", "-std=gnu++20", "-O1", "-o", program, source], check=True)
        return [program]

    return get


@pytest.mark.sampled(3)
@pytest.mark.parametrize("source", WRONG, ids=lambda path: path.name)
def test_wrong_solution_is_caught_by_three_cases(source, built, command):
    cases, caught = recipe_cases(), 0
    for name in CATCHERS:
        caught += play(built(source), command(*cases[name]))[0] == REJECT
        if caught == 3:
            return
    pytest.fail(f"caught by {caught} of {len(CATCHERS)}")


def test_defeat_is_explained(command):
    interactor = command("6 5 First\n", "Yes path 1\n")
    loser = ROOT / "reference" / "bridgit" / "wrong_answer" / "first_free_door.py"
    assert play([sys.executable, loser], interactor)[0] == REJECT
    reason, board = (Path(interactor[-1]) / "judgemessage.txt").read_text().split("\n", 1)
    for words in (
        "no way is left",
        "The game was lost by move",
        "would have kept the win",
        "wins against everything",
    ):
        assert words in reason
    assert len(board.splitlines()) == 13
    assert len(reason) + len(board) < 4096


@pytest.mark.parametrize("path", sorted((PACKAGE / "data" / "sample").glob("*.in")), ids=lambda path: path.stem)
def test_sample_interaction_follows_the_protocol(path, converse):
    """The contestant's lines are played; with them the king may differ, the first line and the verdict may not."""
    lines = path.with_suffix(".interaction").read_text().splitlines()
    assert {line[0] for line in lines} <= {"<", ">"}
    said = [line[1:] for line in lines if line[0] == "<"]
    assert said[0] + "\n" == path.read_text()
    assert lines[1] == ">" + path.with_suffix(".ans").read_text().strip()
    assert said[-1] == "a 0 0" or lines[-1] == ">No"


@pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.slow), 8])
def test_inputs_of_the_data_are_valid(step, validate):
    texts = {text.encode() for text, _ in recipe_cases().values()}
    texts |= {path.read_bytes() for path in (PACKAGE / "data" / "sample").glob("*.in")}
    assert all(validate(text) == (ACCEPT, "") for text in sorted(texts)[::step])
