"""The generators and the recipe of `sokoban`: the same seed the same bytes, shapes as promised, all of it valid."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
GENERATORS = ROOT / "generators"
PACKAGE = ROOT / "problems" / "sokoban"
RECIPE = yaml.safe_load((PACKAGE / "generators" / "generators.yaml").read_text())
CONSTANTS = yaml.safe_load((PACKAGE / "problem.yaml").read_text())["constants"]
GROUPS = RECIPE["data"]["secret"]["data"]
FIXED = ["open", "spiral", "snake", "comb", "double-comb", "pillars", "hilbert"]
RANDOM = ["rooms", "bridges", "islands", "random", "maze"]
SIZES = [(1, 1), (1, 2), (2, 1), (1, 9), (9, 1), (2, 2), (3, 3), (4, 7), (7, 4), (13, 24), (24, 13)]


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


GRIDS, SOKOBAN = load("grids"), load("sokoban")


def built(arguments):
    return SOKOBAN.built(arguments.split())


def rows_of(text):
    """The grid of an input, row by row."""
    return text.decode().split("\n")[1:-1]


def check_form(text, rows, cols):
    """Header, sizes, alphabet, one goal: everything the input validator asks for."""
    assert text.startswith(b"%d %d\n" % (rows, cols))
    assert [len(row) for row in rows_of(text)] == [cols] * rows
    assert text.endswith(b"\n")
    assert not text.translate(None, b"0123456789 \n.#X")
    assert text.count(b"X") == 1


@pytest.mark.parametrize("family", FIXED + RANDOM)
@pytest.mark.parametrize("goal", ["corner", "edge", "centre", "end", "floor"])
def test_family_has_the_form_at_every_size(family, goal):
    for rows, cols in SIZES:
        for seed in (1, 2):
            check_form(built(f"{family} {rows} {cols} goal={goal} {seed}"), rows, cols)


@pytest.mark.parametrize("family", FIXED + RANDOM)
def test_same_seed_gives_the_same_bytes_in_another_process(family):
    arguments = f"{family} 50 40 goal=floor 123456789"
    command = [
        sys.executable,
        "-I",
        "-c",
        "import sys; sys.path.insert(0, '.'); import sokoban;sys.stdout.buffer.write(sokoban.built(sys.argv[1:]))",
        *arguments.split(),
    ]
    assert subprocess.run(command, cwd=GENERATORS, stdout=subprocess.PIPE, check=True).stdout == built(arguments)


@pytest.mark.parametrize("family", RANDOM)
def test_another_seed_gives_another_grid(family):
    assert len({built(f"{family} 50 40 {seed}") for seed in range(20)}) == 20


@pytest.mark.parametrize("family", FIXED)
def test_fixed_family_ignores_the_seed(family):
    assert built(f"{family} 50 40 1") == built(f"{family} 50 40 2")


@pytest.mark.parametrize("density", [0, 15, 20, 30, 100])
def test_density_is_the_share_of_walls(density):
    walls = bytes(GRIDS.random_field(300, 300, SOKOBAN.random.Random(4), density=density)).count(b"#")
    assert abs(walls / 90_000 - density / 100) < 0.01


@pytest.mark.parametrize(
    ("family", "floor"),
    [
        ("open", 1_000_000),
        ("spiral", 501_000),
        ("snake", 500_500),
        ("comb", 500_500),
        ("double-comb", 500_500),
        ("pillars", 750_000),
        ("maze", 499_999),
        ("hilbert", 2 * 256 * 256 - 1),
    ],
)
def test_floor_of_the_full_size(family, floor):
    cells = GRIDS.FAMILIES[family](1000, 1000, SOKOBAN.random.Random(1))
    assert cells.count(b".") == floor


@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (7, 4), (8, 9), (10, 8), (13, 12)])
def test_closed_snake_is_one_cycle(rows, cols):
    cells = rows_of(built(f"snake {rows} {cols} closed=1 goal=centre"))
    floor = {(r, c) for r, row in enumerate(cells) for c, cell in enumerate(row) if cell != "#"}
    assert {sum(one in floor for one in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1))) for r, c in floor} == {2}
    assert len(reached(cells, next(iter(floor)))) == len(floor)


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (2, 9), (3, 3), (7, 8), (40, 31), (63, 63)])
def test_hilbert_is_one_path_through_every_node_of_its_square(rows, cols):
    cells = rows_of(built(f"hilbert {rows} {cols} goal=end"))
    floor = {(r, c) for r, row in enumerate(cells) for c, cell in enumerate(row) if cell != "#"}
    side = 1
    while 2 * (2 * side) - 1 <= min(rows, cols):
        side *= 2
    assert {(r, c) for r, c in floor if r % 2 == c % 2 == 0} == {
        (2 * r, 2 * c) for r in range(side) for c in range(side)
    }
    ways = [sum(one in floor for one in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1))) for r, c in floor]
    assert sorted(ways)[:2] == ([1, 1] if len(floor) > 1 else [0])
    assert set(sorted(ways)[2:]) <= {2}
    assert len(reached(cells, next(iter(floor)))) == len(floor)


def test_contact_sheet_in_the_docs_is_what_the_families_draw():
    assert (ROOT / "docs" / "families.svg").read_text() == load("contact_sheet").sheet()


def reached(rows, start):
    """Floor cells that four-way walks reach from `start`."""
    todo, seen = [start], {start}
    for row, column in todo:
        for after in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
            inside = 0 <= after[0] < len(rows) and 0 <= after[1] < len(rows[0])
            if inside and after not in seen and rows[after[0]][after[1]] != "#":
                seen.add(after)
                todo.append(after)
    return seen


def floor_and_reached(text):
    """How many floor cells there are, and how many the goal reaches."""
    rows = rows_of(text)
    goal = next((r, row.index("X")) for r, row in enumerate(rows) if "X" in row)
    return sum(len(row) - row.count("#") for row in rows), len(reached(rows, goal))


@pytest.mark.parametrize("family", [*FIXED, "rooms", "bridges", "maze"])
def test_family_is_connected(family):
    for rows, cols in [*SIZES[:-2], (61, 60), (60, 83)]:
        floor, found = floor_and_reached(built(f"{family} {rows} {cols} goal=floor 5"))
        assert found == floor, (rows, cols)


@pytest.mark.parametrize(("rows", "cols"), [(6, 6), (40, 38), (200, 300)])
def test_islands_have_floor_that_the_goal_does_not_reach(rows, cols):
    floor, found = floor_and_reached(built(f"islands {rows} {cols} goal=centre 5"))
    assert 1 < found < floor


@pytest.mark.parametrize(("rows", "cols"), [(60, 61), (61, 60), (40, 40)])
def test_maze_is_a_tree_on_every_other_cell(rows, cols):
    """As many doors as nodes less one; connected by the test above."""
    cells = GRIDS.maze(rows, cols, SOKOBAN.random.Random(2))
    nodes = ((rows + 1) // 2) * ((cols + 1) // 2)
    assert cells.count(b".") == 2 * nodes - 1


def degrees(text):
    """How many cells of the grid have each number of floor neighbours."""
    rows = rows_of(text)
    floor = {(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell != "#"}
    counts = [sum(n in floor for n in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1))) for r, c in floor]
    return {number: counts.count(number) for number in set(counts)}


def test_snake_is_one_path():
    found = degrees(built("snake 39 40"))
    assert found == {1: 2, 2: 20 * 40 + 19 - 2}


def test_spiral_is_one_path_but_for_the_square_at_its_end():
    assert degrees(built("spiral 40 40"))[1] == 1
    assert degrees(built("spiral 40 40")).keys() == {1, 2, 3}
    assert degrees(built("spiral 40 40"))[3] == 1


@pytest.mark.parametrize("walls", [0, 1, 0b100110, 0b111111])
def test_tiny_reads_the_walls_from_the_bits(walls):
    cells = GRIDS.tiny(2, 3, None, walls=walls)
    assert [cell == ord("#") for cell in cells] == [bool(walls >> index & 1) for index in range(6)]


@pytest.mark.parametrize("group", GROUPS)
def test_recipe_keeps_to_the_bound_of_its_group(group):
    (bound,) = GROUPS[group]["test_group.yaml"]["input_validator_args"]
    side = CONSTANTS[bound.strip("{}")]
    for rule in GROUPS[group]["data"].values():
        rows, cols = map(int, rule["in"].split()[:2] if "in" in rule else rule["generate"].split()[2:4])
        assert max(rows, cols) <= side


def test_groups_share_out_the_points():
    scores = [rules["test_group.yaml"]["max_score"] for rules in GROUPS.values()]
    assert scores == [10, 20, 70]
    assert sum(scores) == RECIPE["data"]["secret"]["test_group.yaml"]["max_score"]


@pytest.mark.parametrize("group", GROUPS)
def test_no_two_cases_of_a_group_are_the_same(group):
    commands = [tuple(rule.items()) for rule in GROUPS[group]["data"].values()]
    assert len(commands) == len(set(commands))


@pytest.mark.parametrize("family", [*FIXED, *RANDOM])
def test_largest_group_holds_the_family_at_full_size(family):
    commands = [rule.get("generate", "") for rule in GROUPS["group3"]["data"].values()]
    assert any(command.startswith(f"sokoban.py {family} 1000 1000 ") for command in commands)
