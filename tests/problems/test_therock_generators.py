"""The generator and the recipe of `therock`: the same seed the same bytes, and only mazes that keep the promise."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
GENERATORS = ROOT / "generators"
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


def load(name):
    """Import a generator by path, as it imports its neighbour."""
    sys.path.insert(0, str(GENERATORS))
    try:
        spec = importlib.util.spec_from_file_location(f"generator_{name}", GENERATORS / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    finally:
        sys.path.pop(0)


THEROCK = load("therock")


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
    command = [sys.executable, "-I", "-c", "import sys; sys.path.insert(0, '.'); import therock;"
               "sys.stdout.buffer.write(therock.built(sys.argv[1:]))", *line.split()]  # fmt: skip
    assert subprocess.run(command, cwd=GENERATORS, stdout=subprocess.PIPE, check=True).stdout == built(line)


@pytest.mark.parametrize("family", ["random", "maze", "rooms", "pockets", "open"])
def test_another_seed_gives_another_maze(family):
    assert len({built(f"{family} 25 24 {seed}") for seed in range(20)}) == 20


def test_snake_loop_of_full_size_is_one_closed_way_of_820_cells():
    ((_, cells, columns),) = mazes_in(built("snake-loop 40 40 gap=41"))
    floor = [cell for cell, mark in enumerate(cells) if mark != ord("#")]
    assert len(floor) == 820
    for cell in floor:
        assert sum(cells[other] != ord("#") for other in THEROCK.neighbours(cell, columns, len(cells))) == 2


@pytest.mark.parametrize(("rows", "cols"), [(2, 3), (3, 2), (2, 4), (3, 3)])
def test_all_lists_every_maze_that_keeps_the_promise_once(rows, cols):
    listed = [cells for _, cells, _ in mazes_in(built(f"all {rows} {cols} count=1000"))]
    wanted = [bytes(grid) for grid in THEROCK.every(rows, cols) if keeps_the_promise(bytes(grid), cols)]
    assert listed == wanted
    assert len(set(listed)) == len(listed)


def test_parts_of_all_make_up_the_whole():
    parts = [mazes_in(built(f"all 3 3 count=250 part={part}")) for part in range(1, 5)]
    assert [maze for part in parts for maze in part] == mazes_in(built("all 3 3 count=1000"))


def input_of(rule):
    """What a rule of the recipe comes to, be it generated or written out."""
    if "in" in rule:
        return rule["in"].encode()
    count = str(rule.get("count", 1))
    return built(rule["generate"].removeprefix("therock.py ").replace("{seed}", "7").replace("{count}", count))


@pytest.mark.parametrize("name", CASES)
def test_recipe_keeps_to_the_bounds(name):
    mazes = mazes_in(input_of(CASES[name]))
    assert len(mazes) <= CONSTANTS["max_cases"]
    assert max(max(rows, columns) for rows, _, columns in mazes) <= CONSTANTS["max_side"]
    assert sum(len(cells) for _, cells, _ in mazes) <= CONSTANTS["max_cells"]


def test_recipe_reaches_the_bounds():
    sizes = [mazes_in(built(CASES[name]["generate"].removeprefix("therock.py ").replace("{seed}", "7")))
             for name in ("20-random-5x8", "52-random-30")]  # fmt: skip
    assert len(sizes[0]) == CONSTANTS["max_cases"]
    assert [sum(len(cells) for _, cells, _ in mazes) for mazes in sizes] == [CONSTANTS["max_cells"]] * 2
