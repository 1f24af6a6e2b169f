"""The input validator of `therock`, run as the one file that is shipped: each promise of the statement is kept."""

import itertools

import pytest

from problems.conftest import REJECT, ROOT

PACKAGE = ROOT / "problems" / "therock"
RING = b"3 3\nE..\n.#.\n..X\n"


@pytest.fixture(scope="module")
def fault_of(shipped):
    """The function that judges one maze, from the very file that is shipped."""
    program = shipped("input_validator")
    names = {"__name__": "validator"}
    exec(compile(program.read_text(), str(program), "exec"), names)
    return names["fault_of"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("blank_line_between_mazes", "line 6, column 1: expected R, an integer from 1 to 40, found '\\n'\n"),
        ("cases_beyond_bound", "line 1, column 1: expected T, an integer from 1 to 1000, found '1001\\n'\n"),
        (
            "cells_beyond_bound",
            "line 1028, column 1: expected at most 40000 cells in all mazes, found 41600 up to maze 26\n",
        ),
        ("entrance_missing", "line 6, column 1: maze 1: expected exactly one 'E', found 0\n"),
        ("exit_twice", "line 6, column 1: maze 1: expected exactly one 'X', found 2\n"),
        ("ends_side_by_side", "line 5, column 1: maze 1: expected E and X apart, found them side by side\n"),
        ("exit_out_of_reach", "line 6, column 1: maze 1: expected a way from E to X, found none\n"),
        (
            "one_cell_separates_in_the_second_maze",
            "line 10, column 1: maze 2: expected two ways from E to X, found that row 2, column 2 is on all\n",
        ),
    ],
)
def test_message_says_where_and_what(name, message, validate):
    text = (PACKAGE / "data" / "invalid_input" / f"{name}.in").read_bytes()
    assert validate(text) == (REJECT, message)


def test_any_single_wrong_byte_is_noticed(validate):
    """No byte of a small input may change to one outside its alphabet, be lost, or be doubled."""
    text = b"1\n" + RING
    for at in range(len(text)):
        assert validate(text[:at] + b"?" + text[at + 1 :])[0] == REJECT
        assert validate(text[:at] + text[at + 1 :])[0] == REJECT
        assert validate(text[:at] + text[at : at + 1] + text[at:])[0] == REJECT


def reached(maze, columns, start, blocked):
    """Cells that walks reach."""
    seen, todo = {start}, [start]
    for cell in todo:
        row, column = divmod(cell, columns)
        for r, c in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
            other = r * columns + c
            inside = 0 <= r < len(maze) // columns and 0 <= c < columns
            if inside and other not in seen | {blocked} and maze[other] != ord("#"):
                seen.add(other)
                todo.append(other)
    return seen


def keeps_the_promise(maze, columns):
    """By the words of the statement: E and X are apart, and stay connected whatever single other cell is blocked."""
    entrance, target = maze.index(b"E"), maze.index(b"X")
    rows = (entrance // columns, target // columns)
    if abs(rows[0] - rows[1]) + abs(entrance % columns - target % columns) == 1:
        return False
    others = [cell for cell in range(len(maze)) if cell not in (entrance, target)]
    return all(target in reached(maze, columns, entrance, blocked) for blocked in [-1, *others])


def mazes(rows, columns):
    """Every maze of this size."""
    total = rows * columns
    for ends in itertools.permutations(range(total), 2):
        for cells in itertools.product(b".#", repeat=total - 2):
            rest = iter(cells)
            yield bytes(b"EX"[ends.index(cell)] if cell in ends else next(rest) for cell in range(total))


@pytest.mark.parametrize(("rows", "columns"), [(1, 3), (1, 5), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3)])
def test_promise_is_checked_exactly_on_every_small_maze(rows, columns, fault_of):
    for maze in mazes(rows, columns):
        assert (fault_of(maze, columns) is None) == keeps_the_promise(maze, columns), maze


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "columns"), [(3, 4), (4, 3), (2, 6)])
def test_promise_is_checked_exactly_on_every_maze_of_twelve_cells(rows, columns, fault_of):
    for maze in mazes(rows, columns):
        assert (fault_of(maze, columns) is None) == keeps_the_promise(maze, columns), maze
