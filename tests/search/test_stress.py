"""`harness stress` finds, makes small, confirms and prints; the whole corpus is in test_corpus.py."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli import group
from harness.errors import UsageError

ROOT = Path(__file__).parent.parent.parent
SOKOBAN = ROOT / "reference" / "sokoban"


def stress(*arguments: str | Path, given: bytes | None = None) -> tuple[int, str]:
    words = ["stress", *map(str, arguments)]
    result = CliRunner().invoke(group, words, input=given, standalone_mode=False)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    code = result.return_value
    return (code if isinstance(code, int) else 0), result.output


def test_a_wrong_program_is_broken_by_a_small_grid_that_is_printed() -> None:
    code, said = stress(ROOT / "problems" / "sokoban", SOKOBAN / "wrong_answer" / "unreachable_floor.cpp")
    assert code == 1
    lines = said.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("input ("))
    rows, columns = map(int, lines[start + 1].split())
    grid = [line.strip() for line in lines[start + 2 : start + 2 + rows]]
    assert rows * columns <= 12
    assert all(len(row) == columns for row in grid)
    assert "".join(grid).count("X") == 1


def test_a_right_program_is_not_broken() -> None:
    code, said = stress(ROOT / "problems" / "sokoban", SOKOBAN / "accepted" / "faces.cpp", "--time", "3")
    assert code == 0
    assert "nothing found: " in said


def test_a_given_input_is_tried_and_made_smaller() -> None:
    given = b"3 4\n..#.\n..X.\n#...\n"
    code, said = stress(
        ROOT / "problems" / "sokoban", SOKOBAN / "wrong_answer" / "low_from_low.cpp", "--input", "-", given=given
    )
    assert code == 1
    assert "(the given input, 19 bytes)" in said


def test_a_given_input_that_is_not_valid_is_an_error() -> None:
    with pytest.raises(UsageError, match="not valid"):
        stress(ROOT / "problems" / "sokoban", SOKOBAN / "accepted" / "faces.py", "--input", "-", given=b"1 1\nY\n")


def test_two_programs_at_once_are_an_error() -> None:
    with pytest.raises(Exception, match="one program at a time"):
        stress(ROOT / "problems" / "sokoban", SOKOBAN / "accepted" / "faces.cpp", __file__)
