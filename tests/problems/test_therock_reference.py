"""The reference solutions of `therock`: right ones against the game itself and each other, wrong ones against them."""

import functools
import random
import re
import subprocess

import pytest

from problems.conftest import ROOT, command_of, load_program

REFERENCE = ROOT / "reference" / "therock"
DATA = ROOT / "problems" / "therock" / "data"
RIGHT = [*sorted((REFERENCE / "accepted").glob("*.*")), REFERENCE / "slow_python" / "value_iteration.py"]
GAME = REFERENCE / "brute_force" / "game_search.cpp"
NEAR_LINEAR = REFERENCE / "accepted" / "dominators.cpp"
WRONG = sorted((REFERENCE / "wrong_answer").glob("*.*"))


def by_name(path):
    return path.name


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """run(path, text): the numbers that a submission in any language prints; each once."""
    folder = tmp_path_factory.mktemp("therock")

    @functools.cache
    def get(path, text):
        done = subprocess.run(command_of(path, folder), input=text, capture_output=True, check=True)
        return [int(word) for word in done.stdout.split()]

    return get


@pytest.fixture(scope="session")
def generate():
    """generate("FAMILY ROWS COLS … SEED"): the input that this line of the recipe makes, without a process."""
    program = load_program(ROOT / "generators" / "therock.py")
    return lambda line: program.built(line.split())


def text_of(*mazes):
    """The input for mazes written as `E../.#./..X`."""
    parts = [
        f"{len(rows)} {len(rows[0])}\n" + "\n".join(rows) + "\n" for rows in (maze.split("/") for maze in mazes)
    ]
    return (f"{len(parts)}\n" + "".join(parts)).encode()


SMALL = {
    "E../.#./..X": 8,  # around the ring: three steps, then all the way back
    "E./.X": 2,
    "E.../..../...X": 5,
    "....X./...#.#/.#...#/.###../.E....": 13,  # the short way of 7 steps risks 17
    "X....#/....#./.#...#/..#.#./..E...": 10,
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("path", [*RIGHT, GAME, GAME.with_suffix(".py")], ids=by_name)
def test_small_values(path, run):
    assert run(path, text_of(*SMALL)) == list(SMALL.values())


@pytest.mark.parametrize("path", RIGHT, ids=by_name)
def test_snake_loop_whose_ends_are_41_steps_apart_takes_857(path, run, generate):
    assert run(path, generate("snake-loop 40 40 gap=41")) == [857]


@pytest.mark.parametrize("path", [*RIGHT, GAME, GAME.with_suffix(".py")], ids=by_name)
def test_blank_lines_between_cases_do_not_matter(path, run):
    text = text_of(*SMALL)
    spaced = b"\n" + re.sub(rb"(?m)^(\d+ )", rb"\n\n\1", text) + b"\n\n"
    assert run(path, spaced) == run(path, text.replace(b"\n", b"\r\n")) == list(SMALL.values())


@pytest.mark.parametrize(("rows", "cols"), [(2, 3), (3, 2), (2, 4), (4, 2), (3, 3), (2, 5)])
@pytest.mark.parametrize("path", RIGHT, ids=by_name)
def test_right_solutions_play_as_well_as_the_game_search_on_all_mazes(path, rows, cols, run, generate):
    text = generate(f"all {rows} {cols} count=100000")
    assert run(path, text) == run(GAME, text)


def sampled(text, count, seed):
    """Some of the mazes of an input."""
    mazes = re.findall(rb"\d+ \d+\n(?:[.#EX]+\n)+", text)
    chosen = random.Random(seed).sample(mazes, count)
    return b"%d\n" % count + b"".join(chosen)


@pytest.mark.parametrize(("rows", "cols"), [(3, 4), (4, 3)])
def test_fast_solutions_play_as_well_as_the_game_search_on_a_sample_of_twelve_cells(rows, cols, run, generate):
    text = sampled(generate(f"all {rows} {cols} count=100000"), 2000, 3)
    expected = run(GAME, text)
    for path in RIGHT:
        assert run(path, text) == expected, path.name


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "cols"), [(3, 4), (4, 3), (2, 6), (6, 2), (2, 7), (3, 5)])
def test_fast_solutions_play_as_well_as_the_game_search_on_all_larger_mazes(rows, cols, run, generate):
    text = generate(f"all {rows} {cols} count=1000000")
    expected = run(GAME, text)
    for path in RIGHT:
        assert run(path, text) == expected, path.name


FAMILIES = [
    "open",
    "pillars",
    "pockets",
    "snake-loop",
    "ring",
    "maze",
    *(f"random density={n}" for n in (10, 30, 40)),
]
FAMILIES += [f"{family} braid={n}" for family in ("maze", "comb", "spiral") for n in (2, 8, 20)]
FAMILIES += [
    "rooms period=3 loops=30",
    "rooms period=4 loops=60",
    "bridges hall=3 length=2",
    "islands",
    "double-comb",
]
FAMILIES += ["ring rungs=2", "ring rungs=5", "serpentine spurs=30"]


def line_of(family, rows, cols, count, seed):
    name, _, options = family.partition(" ")
    gap = "gap=5" if name == "snake-loop" else ""
    return f"{name} {rows} {cols} {options} {gap} count={count} {seed}"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("family", FAMILIES)
def test_fast_solutions_play_as_well_as_the_game_search_on_family(family, run, generate):
    for rows, cols in ((7, 8), (8, 6), (9, 9)):
        text = generate(line_of(family, rows, cols, 8, 5))
        expected = run(GAME, text)
        for path in RIGHT:
            assert run(path, text) == expected, path.name


@pytest.mark.sampled(3)
@pytest.mark.parametrize("family", FAMILIES)
def test_near_linear_agrees_with_value_iteration_on_family(family, run, generate):
    for size in ((23, 24), (40, 31), (33, 40)):
        text = generate(line_of(family, *size, 6, 3))
        assert run(NEAR_LINEAR, text) == run(REFERENCE / "accepted" / "value_iteration.cpp", text)


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_near_linear_agrees_with_value_iteration_on_many_mazes(family, run, generate):
    for size in ((11, 12), (17, 14), (25, 26), (40, 40)):
        text = generate(line_of(family, *size, 150, 9))
        assert run(NEAR_LINEAR, text) == run(REFERENCE / "accepted" / "value_iteration.cpp", text)


@pytest.mark.slow
@pytest.mark.parametrize(
    "family", ["maze braid=5", "rooms period=4 loops=50", "serpentine spurs=400", "random density=35"]
)
def test_near_linear_agrees_with_label_setting_on_mazes_of_ten_thousand_cells(family, run, generate):
    text = generate(line_of(family, 100, 100, 3, 4))
    assert run(NEAR_LINEAR, text) == run(REFERENCE / "accepted" / "label_setting.cpp", text)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("open 1000 1000 far=1", 1998),
        ("snake-loop 1000 1000 gap=1001", 501_497),
        ("ring 1000 1000", 5990),
        ("serpentine 1000 1000", 333_002),
    ],
)
def test_million_cells_have_the_answer_known_by_hand(line, answer, run, generate):
    """On a loop of n cells, X at distance d: d + n - 4, which is to turn back two steps before X and go around."""
    assert run(NEAR_LINEAR, generate(line)) == [answer]


@pytest.mark.slow
@pytest.mark.parametrize("family", ["random density=38 far=1", "rooms loops=50 far=1", "maze braid=20 far=1"])
def test_near_linear_agrees_with_its_python_twin_on_a_million_cells(family, run, generate):
    text = generate(line_of(family, 1000, 1000, 1, 5))
    assert run(NEAR_LINEAR, text) == run(NEAR_LINEAR.with_suffix(".py"), text)


@pytest.mark.parametrize("maze", ["E.X", "E#X/...", "E...X/.###./..#../#.#.#/..#..", "E..X/.##."])
def test_right_solutions_agree_where_the_promise_is_broken(maze, run):
    """Nothing can be guaranteed there; they need not say so, but it shows that they play the same game."""
    text = text_of(maze)
    for name in (
        "dominators.cpp",
        "dominators.py",
        "label_setting.cpp",
        "label_setting.py",
        "value_iteration.cpp",
    ):
        assert run(REFERENCE / "accepted" / name, text) == run(GAME, text), name


def test_minus_one_for_cut_off_is_right_only_within_the_promise(run):
    text = text_of("E#X/...")
    assert run(GAME, text) == [-1]
    assert run(REFERENCE / "accepted" / "minus_one_ignored.cpp", text) != [-1]


@pytest.fixture(scope="session")
def secret(generate):
    """A small input of each kind that the recipe has."""
    lines = [
        "all 3 3 count=1000",
        "random 5 8 density=35 count=300 1",
        "ring 12 40 rungs=9 gap=30",
        "snake-loop 40 40",
        "snake-loop 40 40 gap=409",
    ]
    return [generate(line) for line in lines]


def outcome(run, path, text):
    """What it prints, or that it failed."""
    try:
        return run(path, text)
    except subprocess.CalledProcessError:
        return "failed"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("path", WRONG, ids=by_name)
def test_wrong_solution_is_caught(path, secret, run):
    assert any(outcome(run, path, text) != run(NEAR_LINEAR, text) for text in secret)


@pytest.mark.parametrize("number", [1, 2])
def test_sample_answers_are_those_of_the_game_search(number, run):
    sample = DATA / "sample" / f"{number}.in"
    assert run(GAME, sample.read_bytes()) == [int(word) for word in sample.with_suffix(".ans").read_text().split()]
