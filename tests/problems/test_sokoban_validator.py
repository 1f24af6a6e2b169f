"""The input validator of `sokoban`, run as the one file that is shipped, and the helper that it is made with."""

import subprocess
import sys

import pytest

from problems.conftest import ACCEPT, REJECT, ROOT, load_program

PACKAGE = ROOT / "problems" / "sokoban"
FAMILIES = [
    "open",
    "spiral",
    "snake",
    "comb",
    "double-comb",
    "pillars",
    "rooms",
    "bridges",
    "islands",
    "random",
    "maze",
]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("letter_outside_alphabet", "line 3, column 2: expected row 2, 2 characters of '.#X', found '@\\n'\n"),
        ("carriage_return_after_row", "line 2, column 3: expected '\\n', found '\\r\\n'\n"),
        ("final_newline_missing", "line 2, column 3: expected '\\n', found the end of the file\n"),
        ("row_too_short", "line 3, column 3: expected row 2, 3 characters of '.#X', found '\\n'\n"),
        ("rows_beyond_bound", "line 1, column 1: expected M, an integer from 1 to 1000, found '1001 1\\n'\n"),
        ("goal_missing", "line 4, column 1: expected exactly one goal 'X' in the grid, found 0\n"),
    ],
)
def test_message_says_where_and_what(name, message, validate):
    text = (PACKAGE / "data" / "invalid_input" / f"{name}.in").read_bytes()
    assert validate(text) == (REJECT, message)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_is_valid(family, validate):
    for size in ("1 1", "1 30", "30 1", "17 23", "1000 1000"):
        command = [sys.executable, "sokoban.py", family, *size.split(), "goal=floor", "9"]
        made = subprocess.run(command, cwd=ROOT / "generators", stdout=subprocess.PIPE, check=True)
        assert validate(made.stdout) == (ACCEPT, "")


def test_argument_lowers_the_bound_and_never_raises_it(validate):
    assert validate(b"1 7\nX......\n", "7") == (ACCEPT, "")
    assert validate(b"1 7\nX......\n", "6")[0] == REJECT
    assert validate(b"7 1\nX\n.\n.\n.\n.\n.\n.\n", "6")[0] == REJECT
    assert validate(b"1 1001\nX" + 1000 * b"." + b"\n", "2000")[0] == REJECT


def test_any_single_wrong_byte_is_noticed(validate):
    """No byte of a small input may change to one outside its alphabet, be lost, or be doubled across a line's end."""
    text = b"2 3\n.X.\n#..\n"
    for at in range(len(text)):
        assert validate(text[:at] + b"?" + text[at + 1 :])[0] == REJECT
        assert validate(text[:at] + text[at + 1 :])[0] == REJECT
        assert validate(text[:at] + text[at : at + 1] + text[at:])[0] == REJECT


@pytest.fixture(scope="session")
def judgelib():
    """The helper as a module."""
    return load_program(ROOT / "checkers" / "judgelib.py")


HOSTILE = ["", "+1", "1_0", "٣", "0x1", "1.0", "1e0", "nan", "--1", "-0", "01", "1" * 5000, "5", "-5", " 1"]


@pytest.mark.parametrize("token", HOSTILE)
def test_integer_refuses(token, judgelib):
    assert judgelib.bounded_integer(token.encode(), -4, 4) is None
    reader = judgelib.Reader(token.encode() + b"\n")
    with pytest.raises(judgelib.Invalid):
        reader.integer("n", -4, 4), reader.newline()


@pytest.mark.parametrize("value", [-4, -1, 0, 1, 4])
def test_integer_takes(value, judgelib):
    reader = judgelib.Reader(b"%d\n" % value)
    assert reader.integer("n", -4, 4) == value
    reader.newline()
    reader.end()


def test_bad_token_rejects_the_team_and_blames_the_jury_for_its_own(judgelib):
    for stream, fault in ((judgelib.TeamOutput, judgelib.Rejected), (judgelib.JudgeAnswer, judgelib.JudgeError)):
        for read in (
            lambda tokens: tokens.integer("n", 0, 9),
            lambda tokens: tokens.choice("answer", (b"Yes", b"No")),
            lambda tokens: tokens.word("row", 1, 3, b".Q"),
            lambda tokens: tokens.end(),
        ):
            with pytest.raises(fault):
                read(stream(b"\n ?1 7"))
        with pytest.raises(fault):
            stream(b" \n").token("anything")


def test_message_never_holds_raw_bytes_of_a_stranger(judgelib):
    with pytest.raises(judgelib.Rejected) as caught:
        judgelib.TeamOutput(b"\x1b[2J\xff" + b"<b>" * 1000).integer("n", 0, 9)
    assert str(caught.value).isprintable() and len(str(caught.value)) < 300


CHECKER = '''"""The answer, or half of the score for one less."""

from judgelib import JudgeAnswer, TeamOutput, run_output_validator


def check(case: JudgeAnswer, answer: JudgeAnswer, output: TeamOutput):
    best = answer.integer("best", 0, 100)
    found = output.integer("found", 0, 100)
    output.end()
    if found > best:
        answer.fail("%d beats the jury" % found)
    if found < best - 1:
        output.fail("%d is too little" % found)
    return 1 if found == best else 0.5


run_output_validator(check)
'''


@pytest.mark.parametrize(
    ("answer", "output", "code", "files"),
    [
        (b"7\n", b"7\n", 42, {"score_multiplier.txt": "1.000000000000\n"}),
        (b"7\n", b" 6", 42, {"score_multiplier.txt": "0.500000000000\n"}),
        (b"7\n", b"5\n", 43, {"judgemessage.txt": "5 is too little\n"}),
        (b"7\n", b"7 7\n", 43, {"judgemessage.txt": "expected the end of the output, found '7'\n"}),
        (b"7\n", b"8\n", 1, {"judgemessage.txt": "8 beats the jury\n"}),
        (b"x\n", b"7\n", 1, {"judgemessage.txt": "expected best, an integer from 0 to 100, found 'x'\n"}),
    ],
)
def test_output_validator_leaves_with_verdict_and_files(answer, output, code, files, tmp_path):
    program, feedback = tmp_path / "checker.py", tmp_path / "feedback"
    feedback.mkdir()
    helper = (ROOT / "checkers" / "judgelib.py").read_text()
    program.write_text(
        CHECKER.replace("from judgelib import JudgeAnswer, TeamOutput, run_output_validator", helper)
    )
    (tmp_path / "case.in").write_bytes(b"\n")
    (tmp_path / "case.ans").write_bytes(answer)
    command = [sys.executable, "-I", program, tmp_path / "case.in", tmp_path / "case.ans", f"{feedback}/"]
    assert subprocess.run(command, input=output, capture_output=True, check=False).returncode == code
    assert {path.name: path.read_text() for path in feedback.iterdir()} == files


@pytest.mark.parametrize("statement", ["assert ", "from __future__", "__main__", "import judgelib"])
def test_helper_can_be_inlined_anywhere(statement):
    assert statement not in (ROOT / "checkers" / "judgelib.py").read_text()
