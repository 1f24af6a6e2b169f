"""The references, the generator, the recipe and the figure of `deadlock`."""

import random
import re
import subprocess
from xml.etree import ElementTree

import pytest
import yaml

from problems.conftest import ROOT, command_of, load_program, printed_by

PACKAGE = ROOT / "problems" / "deadlock"
REFERENCE = ROOT / "reference" / "deadlock"
GROUPS = yaml.safe_load((PACKAGE / "generators" / "generators.yaml").read_text())["data"]["secret"]["data"]
CONSTANTS = yaml.safe_load((PACKAGE / "problem.yaml").read_text())["constants"]


GENERATOR = load_program(ROOT / "generators" / "deadlock.py")
EXHAUSTIVE = load_program(REFERENCE / "accepted" / "exhaustive.py")


def truth_of(text):
    """The words that the exhaustive search in Python prints."""
    return [
        "unknown" if EXHAUSTIVE.is_solvable(*position) else "dead" for position in EXHAUSTIVE.positions_of(text)
    ]


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """run(path, text): the words that a submission prints."""
    folder = tmp_path_factory.mktemp("deadlock")

    def get(path, text):
        return subprocess.run(command_of(path, folder), input=text, capture_output=True, text=True).stdout.split()

    return get


@pytest.fixture(scope="session")
def recipe_inputs():
    """The input of every case of the recipe, by name, with a seed of our own, fewer positions and smaller floors."""
    found = {}
    for group, rules in GROUPS.items():
        for name, rule in rules["data"].items():
            command = rule.get("generate", "").replace("{seed}", "11").split()[1:]
            found[f"{group}/{name}"] = (
                rule.get("in") or GENERATOR.built([*command, "floor=22", "count=12"]).decode()
            )
    return found


@pytest.fixture(scope="session")
def truths(recipe_inputs):
    """The truth of every case."""
    return {name: truth_of(text) for name, text in recipe_inputs.items()}


@pytest.mark.slow
@pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.slow), 4])
def test_both_exhaustive_searches_agree(step, recipe_inputs, truths, run):
    for name, text in list(recipe_inputs.items())[::step]:
        assert run(REFERENCE / "accepted" / "exhaustive.cpp", text) == truths[name]


def test_every_case_has_dead_and_solvable_positions_half_and_half(truths):
    for name, truth in truths.items():
        assert truth.count("dead") == len(truth) / 2, name


def test_recipe_keeps_to_the_bounds():
    for rules in GROUPS.values():
        for rule in rules["data"].values():
            options = dict(word.split("=") for word in rule.get("generate", "").split() if "=" in word)
            for option, bound in (("boxes", "max_boxes"), ("floor", "max_floor"), ("side", "max_side")):
                assert int(options.get(option, 0)) <= CONSTANTS[bound]


@pytest.mark.parametrize("kind", GENERATOR.KINDS)
@pytest.mark.parametrize("style", sorted(GENERATOR.STYLES))
def test_dead_positions_are_of_the_kind_asked_for(kind, style):
    text = GENERATOR.built([kind, f"style={style}", "boxes=3", "floor=20", "count=8", "5"]).decode()
    positions = list(EXHAUSTIVE.positions_of(text))
    assert truth_of(text).count("dead") == 4
    assert len(set(re.split(r"\n(?=\d)", text)[1:])) == 8
    for floor, goals, boxes, keeper, width in positions:
        board = GENERATOR.Map(height=0, width=width, floor=floor, goals=goals)
        if not EXHAUSTIVE.is_solvable(floor, goals, boxes, keeper, width):
            assert GENERATOR.kind_of(board, boxes, keeper) == kind


def test_mixed_takes_all_kinds_in_turn():
    found = set()
    for floor, goals, boxes, keeper, width in EXHAUSTIVE.positions_of(GENERATOR.built(["mixed", "3"]).decode()):
        if not EXHAUSTIVE.is_solvable(floor, goals, boxes, keeper, width):
            found.add(
                GENERATOR.kind_of(GENERATOR.Map(height=0, width=width, floor=floor, goals=goals), boxes, keeper)
            )
    assert found == set(GENERATOR.KINDS)


@pytest.mark.parametrize("style", sorted(GENERATOR.STYLES))
def test_map_keeps_to_the_bounds(style):
    rng = random.Random(6)
    for _ in range(60):
        wish = GENERATOR.Wish(kind="mixed", style=style, boxes=3, floor=40, side=12)
        board = GENERATOR.random_map(wish, rng)
        if board is not None:
            assert board.floor.bit_count() <= 40 and max(board.height, board.width) <= 12
            assert not board.floor & ~GENERATOR.interior(board.height, board.width)
            assert board.goals & board.floor == board.goals and board.goals.bit_count() == 3


def test_same_seed_gives_the_same_bytes_in_another_process():
    arguments = ["units", "style=halls", "boxes=3", "count=6", "123"]
    printed = printed_by("deadlock", arguments)
    assert printed == GENERATOR.built(arguments)
    assert printed != GENERATOR.built([*arguments[:-1], "124"])


def test_groups_share_out_the_points():
    points = [rules["test_group.yaml"]["max_score"] for rules in GROUPS.values()]
    assert points == [10, 20, 25, 25, 20]
    assert all(rules["test_group.yaml"]["score_aggregation"] == "sum" for rules in GROUPS.values())


def makes_false_claim(said, truth):
    """Whether an output is malformed, or calls a solvable position dead."""
    well_formed = len(said) == len(truth) and set(said) <= {"dead", "unknown"}
    return not well_formed or any(pair == ("dead", "unknown") for pair in zip(said, truth, strict=True))


# Wrong on more floor than the small copies of the recipe's boards have; its rules hold it on the real ones.
NEEDS_FLOOR = {"boxes_in_32_bits.cpp"}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "path",
    sorted(path for path in (REFERENCE / "wrong_answer").glob("*.*") if path.name not in NEEDS_FLOOR),
    ids=lambda path: path.name,
)
def test_wrong_solution_is_caught_by_the_recipe(path, recipe_inputs, truths, run):
    assert any(makes_false_claim(run(path, text), truths[name]) for name, text in recipe_inputs.items())


@pytest.mark.sampled(3)
@pytest.mark.parametrize("path", sorted((REFERENCE / "accepted").glob("*.*")), ids=lambda path: path.name)
def test_accepted_solution_makes_no_false_claim(path, recipe_inputs, truths, run):
    for name, text in recipe_inputs.items():
        assert not makes_false_claim(run(path, text), truths[name]), name


def test_one_visit_is_caught_by_the_small_cases(recipe_inputs, truths, run):
    path = REFERENCE / "wrong_answer" / "one_visit.py"
    for name in ("group4-units/01-second-visit", "group5-mixed/06-second-visit-with-a-passage-between"):
        assert makes_false_claim(run(path, recipe_inputs[name]), truths[name])


def test_sample_has_its_answer():
    text = (PACKAGE / "data/sample/1.in").read_text()
    assert truth_of(text) == (PACKAGE / "data/sample/1.ans").read_text().split()
    assert truth_of(text) == ["dead", "dead", "dead", "unknown"]


def test_figure_shows_the_sample():
    lines = iter((PACKAGE / "data/sample/1.in").read_text().split("\n"))
    boards = []
    for _ in range(int(next(lines))):
        boards.append([next(lines) for _ in range(int(next(lines).split()[0]))])
    svg = "{http://www.w3.org/2000/svg}"
    drawn = ElementTree.parse(PACKAGE / "statement/positions.svg").getroot().findall(f"{svg}g")
    assert len(drawn) == len(boards)
    for group, rows in zip(drawn, boards, strict=True):
        marks = {}
        for mark in group.iter(f"{svg}use"):
            marks.setdefault((int(mark.get("y")) // 28, int(mark.get("x")) // 28), set()).add(mark.get("class"))
        for row, signs in enumerate(rows):
            for column, sign in enumerate(signs):
                shown = {"wall"} if sign == "#" else {"floor"}
                shown |= {kind for kind, of in (("box", "$*"), ("goal", ".*+"), ("keeper", "@+")) if sign in of}
                assert marks[row, column] == shown
