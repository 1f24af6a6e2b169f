"""The references, the generator, the recipe and the figure of `eightqueens`."""

import itertools
import random
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest
import yaml

from problems.conftest import ROOT, compiled, load_program, printed_by

PACKAGE = ROOT / "problems" / "eightqueens"
REFERENCE = ROOT / "reference" / "eightqueens"
RECIPE = yaml.safe_load((PACKAGE / "generators" / "generators.yaml").read_text())["data"]["secret"]["data"]
SQUARES = list(itertools.product(range(8), range(8)))
INPUTS = list(itertools.combinations(SQUARES, 3))
LINES = [lambda r, c: r, lambda r, c: c, lambda r, c: r + c, lambda r, c: r - c]
NUMBER = {"one": 1, "two": 2, "three": 3, "four": 4}

# Reads many boards and answers each as the submission would, all in one process: its main is called again and again.
BATCH = """
#include <cstdio>
#include <sstream>
#define main submission_main
#include "{source}"
#undef main
int main() {{
    std::stringstream all, out;
    all << std::cin.rdbuf();
    std::streambuf* const real = std::cout.rdbuf(out.rdbuf());
    std::string row, board;
    for (int rows = 0; all >> row;) {{
        board += row + "\\n";
        if (++rows % 8) continue;
        std::istringstream in(board);
        std::cin.rdbuf(in.rdbuf());
        std::cin.clear();
        {reset}
        submission_main();
        out << "=\\n";
        board.clear();
    }}
    std::cout.rdbuf(real);
    std::cout << out.str();
}}
"""
RESET = {
    "rows": "taken_columns = taken_rising = taken_falling = 0;",
    "boards": "",
    "cells": "squares.clear();",
    "any_five_squares": "squares.clear();",
}


GENERATOR = load_program(ROOT / "generators" / "eightqueens.py")


def peaceful(queens):
    """Whether no two of the squares share a line."""
    return all(len({line(*queen) for queen in queens}) == len(queens) for line in LINES)


BOARDS = [
    frozenset(board)
    for board in (tuple(enumerate(columns)) for columns in itertools.permutations(range(8)))
    if peaceful(board)
]


BOARDS_WITH = {}
for one in BOARDS:
    for triple in itertools.combinations(sorted(one), 3):
        BOARDS_WITH.setdefault(frozenset(triple), []).append(one)


def completions(given):
    """All boards with the three given queens."""
    assert len(frozenset(given)) == 3
    return BOARDS_WITH.get(frozenset(given), [])


def queens_of(text):
    """The squares of the queens of a board."""
    rows = text.split()
    return frozenset((row, column) for row, column in SQUARES if rows[row][column] == "Q")


def text_of(queens):
    """A board as text."""
    return "\n".join("".join(".Q"[(row, column) in queens] for column in range(8)) for row in range(8)) + "\n"


def check_answers(inputs, answers):
    """Each answer is a completion of its input, or says that there is none."""
    assert len(inputs) == len(answers)
    for given, answer in zip(inputs, answers, strict=True):
        possible = completions(given)
        if answer.split() == ["No", "Answer"]:
            assert not possible, given
        else:
            assert queens_of(answer) in possible, given


@pytest.fixture(scope="session")
def batch(tmp_path_factory):
    """batch(stem, inputs): the answers of an accepted C++ submission, all in one process."""
    folder = tmp_path_factory.mktemp("eightqueens-batch")

    def run(stem, inputs):
        source, program = folder / f"{stem}.cpp", folder / stem
        source.write_text(BATCH.format(source=REFERENCE / "accepted" / f"{stem}.cpp", reset=RESET[stem]))
        compiled(source, program)
        text = "".join(text_of(given) for given in inputs)
        done = subprocess.run([program], input=text, stdout=subprocess.PIPE, text=True, check=True)
        return done.stdout.split("=\n")[:-1]

    return run


@pytest.mark.sampled(3)
@pytest.mark.parametrize("stem", ["rows", "boards", "cells"])
def test_cpp_reference_is_right_on_every_input(stem, batch):
    check_answers(INPUTS, batch(stem, INPUTS))


def test_any_five_squares_is_right_on_a_sample(batch):
    inputs = random.Random(2).sample([given for given in INPUTS if peaceful(given)], 12)
    check_answers(inputs, batch("any_five_squares", inputs))


@pytest.mark.parametrize("stem", ["boards", "last_completion", "rows"])
def test_python_reference_is_right_on_every_25th_input(stem):
    answer = load_program(REFERENCE / "accepted" / f"{stem}.py").answer
    check_answers(INPUTS[::25], [answer(text_of(given)) for given in INPUTS[::25]])


def test_python_reference_by_squares_is_right_on_a_sample():
    answer = load_program(REFERENCE / "accepted" / "cells.py").answer
    inputs = random.Random(2).sample(INPUTS, 150)
    check_answers(inputs, [answer(text_of(given)) for given in inputs])


@pytest.mark.slow
@pytest.mark.parametrize("stem", ["boards", "cells", "last_completion", "rows"])
def test_python_reference_is_right_on_every_input(stem):
    answer = load_program(REFERENCE / "accepted" / f"{stem}.py").answer
    check_answers(INPUTS, [answer(text_of(given)) for given in INPUTS])


def test_right_references_differ_where_there_are_several_completions():
    """So that a comparison with the jury's answer would refuse one of them."""
    rows, last = (
        load_program(REFERENCE / "accepted" / f"{stem}.py").answer for stem in ("rows", "last_completion")
    )
    several = [given for given in INPUTS if peaceful(given) and len(completions(given)) > 1]
    different = [rows(text_of(given)) != last(text_of(given)) for given in several[::10]]
    assert sum(different) > len(different) / 3


@pytest.mark.parametrize("line", ["row", "column", "falling", "rising"])
@pytest.mark.parametrize("rows", ["first", "last", "any"])
def test_attack_is_along_this_line_only(line, rows):
    for seed in range(10):
        given = queens_of(GENERATOR.built([f"attack-{line}", f"rows={rows}", str(seed)]).decode())
        assert GENERATOR.attacks(sorted(given)) == [line]
        assert all(row in GENERATOR.ROWS[rows] for row, _ in given)


def five_more_fit(queens, start=0):
    """Whether queens can be added up to eight that no other queen attacks."""
    if len(queens) == 8:
        return True
    for at in range(start, 64):
        new = SQUARES[at]
        safe = new not in queens and all(line(*new) != line(*old) for line in LINES for old in queens)
        if safe and five_more_fit(queens | {new}, at + 1):
            return True
    return False


@pytest.mark.parametrize("fillable", ["yes", "no"])
def test_fillable_says_whether_five_more_fit(fillable):
    for line in ("row", "column", "falling", "rising"):
        given = queens_of(GENERATOR.built([f"attack-{line}", f"fillable={fillable}", "4"]).decode())
        assert five_more_fit(given) == (fillable == "yes")


@pytest.mark.parametrize(
    ("kind", "rows"),
    [*itertools.product(["none", "one", "two"], ["first", "last", "any"]), ("three", "any"), ("four", "any")],
)
def test_kind_has_so_many_completions(kind, rows):
    for seed in range(4):
        given = queens_of(GENERATOR.built([kind, f"rows={rows}", str(seed)]).decode())
        assert peaceful(given) and len(completions(given)) == NUMBER.get(kind, 0)


def test_same_seed_gives_the_same_bytes_in_another_process():
    for arguments in (["none", "77"], ["attack-row", "fillable=yes", "5"], ["three", "orbit=4", "6"]):
        assert printed_by("eightqueens", arguments) == GENERATOR.built(arguments)


def test_orbits_of_three_and_four_completions_are_all_in_the_recipe():
    """`count` runs from 1 to the number of classes under turns and mirrors."""
    for name, kind in (("5-three-completions", "three"), ("6-four-completions", "four")):
        given = [orbit for orbit in INPUTS if peaceful(orbit) and len(completions(orbit)) == NUMBER[kind]]
        classes = {GENERATOR.images(orbit)[0] for orbit in given}
        assert RECIPE[name]["count"] == len(classes)
        assert f"{kind} orbit={{count}}" in RECIPE[name]["generate"]


def test_every_board_is_the_only_completion_of_some_case():
    """A program may have a table of the boards, and a mistake in any line of it."""
    name = "3-one-completion-board"
    given = [
        queens_of(GENERATOR.built(["one", f"board={number}"]).decode()) for number in counts(RECIPE[name]["count"])
    ]
    assert len({completions(triple)[0] for triple in given if len(completions(triple)) == 1}) == 92


CLASS = {"1-attack": None, "2-none": 0, "3-one": 1, "4-two": 2, "5-three": 3, "6-four": 4}


def counts(written):
    """The values of `count`: up to a number, or `a..=b`."""
    first, _, last = str(written).rpartition("..=")
    return range(int(first or 1), int(last) + 1)


@pytest.fixture(scope="session")
def recipe_inputs():
    """The queens of every case of the recipe, by name; seeds of our own."""
    found = {}
    for place, (name, rule) in enumerate(RECIPE.items()):
        for count in counts(rule.get("count", 1)):
            if "in" in rule:
                found[name] = queens_of(rule["in"])
                continue
            command = re.sub(r"\{seed.*\}", str(100 * place + count), rule["generate"]).replace(
                "{count}", str(count)
            )
            found[f"{name}-{count:02}"] = queens_of(GENERATOR.built(command.split()[1:]).decode())
    return found


def test_name_of_a_case_says_its_class(recipe_inputs):
    assert len(set(recipe_inputs.values())) == len(recipe_inputs)
    for name, given in recipe_inputs.items():
        (wanted,) = [number for start, number in CLASS.items() if name.startswith(start)]
        assert peaceful(given) == (wanted is not None), name
        assert len(completions(given)) == (wanted or 0), name


def is_right(given, output):
    """Judge one output by the boards."""
    try:
        check_answers([given], [output])
    except (AssertionError, IndexError, ValueError):
        return False
    return len(output.split()) in (2, 8)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("path", sorted((REFERENCE / "wrong_answer").glob("*.*")), ids=lambda path: path.name)
def test_wrong_solution_is_caught_by_the_recipe(path, recipe_inputs, tmp_path):
    """Not by a sample only."""
    argv = [sys.executable, "-S", path]
    if path.suffix == ".cpp":
        subprocess.run(["c++", "-O1", "-o", tmp_path / "program", path], check=True)
        argv = [tmp_path / "program"]
    most_first = sorted(recipe_inputs.values(), key=lambda given: -len(completions(given)))
    both_ends = itertools.chain(*zip(most_first, reversed(most_first), strict=True))
    runs = (
        (given, subprocess.run(argv, input=text_of(given), capture_output=True, text=True).stdout)
        for given in both_ends
    )
    assert any(not is_right(given, output) for given, output in runs)


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_sample_is_of_the_class_that_the_statement_tells(number):
    given = queens_of((PACKAGE / f"data/sample/{number}.in").read_text())
    assert (peaceful(given), len(completions(given))) == [(True, 2), (False, 0), (True, 0), (True, 1)][number - 1]
    check_answers([given], [(PACKAGE / f"data/sample/{number}.ans").read_text()])


def test_figure_shows_sample_1_and_its_completions():
    given = queens_of((PACKAGE / "data/sample/1.in").read_text())
    svg = "{http://www.w3.org/2000/svg}"
    boards = ElementTree.parse(PACKAGE / "statement/completions.svg").getroot().findall(f"{svg}g")
    shown = []
    for board in boards:
        marks = [(mark.get("class"), int(mark.get("y")), int(mark.get("x"))) for mark in board.iter(f"{svg}use")]
        assert {(y // 26, x // 26) for kind, y, x in marks if kind == "given"} == given
        shown.append(frozenset((y // 26, x // 26) for _, y, x in marks))
    assert shown[0] == given
    assert set(shown[1:]) == set(completions(given)) and len(shown) == 3
