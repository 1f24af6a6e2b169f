"""The generator and the recipe of `therock`: the same seed the same bytes, and only mazes that keep the promise."""

import pytest
import yaml

from problems.conftest import ROOT, load_program, printed_by

PACKAGE = ROOT / "problems" / "therock"
RECIPE = yaml.safe_load((PACKAGE / "generators" / "generators.yaml").read_text())
CONSTANTS = yaml.safe_load((PACKAGE / "problem.yaml").read_text())["constants"]
CASES = RECIPE["data"]["secret"]["data"]
FROM_GRIDS = [
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
LOOPS = ["snake-loop", "ring", "serpentine", "pockets"]
SIZES = [(5, 5), (5, 9), (9, 5), (8, 8), (12, 7), (7, 12), (13, 24), (24, 13)]


THEROCK = load_program(ROOT / "generators" / "therock.py")


def built(line):
    return THEROCK.built(line.split())


def mazes_in(text):
    """(rows, cells, columns) of every maze of an input; fails on anything out of form."""
    lines = text.split(b"\n")
    assert lines.pop() == b""
    found, at = [], 1
    for _ in range(int(lines[0])):
        rows, columns = map(int, lines[at].split())
        grid = lines[at + 1 : at + 1 + rows]
        assert [len(row) for row in grid] == [columns] * rows
        found.append((rows, b"".join(grid), columns))
        at += 1 + rows
    assert at == len(lines)
    return found


def connected(cells, columns, blocked):
    """Whether E reaches X past one blocked cell."""
    start, target = cells.index(b"E"), cells.index(b"X")
    seen = bytearray(cells.replace(b"#", b"\1").translate(bytes([0, 1]) + bytes(254)))
    if blocked is not None:
        seen[blocked] = 1
    todo = [start]
    for cell in todo:
        for other in THEROCK.neighbours(cell, columns, len(cells)):
            if not seen[other]:
                seen[other] = 1
                todo.append(other)
    return bool(seen[target])


def keeps_the_promise(cells, columns):
    start, target = cells.index(b"E"), cells.index(b"X")
    floor = [cell for cell, mark in enumerate(cells) if mark == ord(".")]
    return THEROCK.distance(start, target, columns) > 1 and all(
        connected(cells, columns, cell) for cell in [None, *floor]
    )


@pytest.mark.parametrize("family", FROM_GRIDS + LOOPS)
def test_family_keeps_the_promise_at_every_size(family):
    gap = "gap=4" if family == "snake-loop" else ""  # the whole of a small one may be shorter than the usual gap
    for rows, cols in SIZES:
        for seed in (1, 2):
            ((height, cells, width),) = mazes_in(built(f"{family} {rows} {cols} {gap} {seed}"))
            assert (height, width) == (rows, cols)
            assert sorted(cells.replace(b".", b"").replace(b"#", b"")) == [ord("E"), ord("X")]
            assert keeps_the_promise(cells, width), (family, rows, cols, seed)


@pytest.mark.parametrize("rows", range(2, 5))
@pytest.mark.parametrize("cols", range(2, 5))
def test_random_mazes_are_mended_at_the_smallest_sizes(rows, cols):
    for maze in mazes_in(built(f"random {rows} {cols} density=60 count=50 {rows}")):
        assert keeps_the_promise(maze[1], maze[2]), maze


@pytest.mark.parametrize("family", [*FROM_GRIDS, *LOOPS, "maze 30 30 braid=5 / rooms"])
def test_same_seed_gives_the_same_bytes_in_another_process(family):
    line = f"{family} 25 24 count=3 123456789"
    assert printed_by("therock", line.split()) == built(line)
