"""The methods of `deadlock` against the truth: what is called dead is dead; what the one-visit reading gets wrong."""

import itertools
import random

import pytest

from problems.conftest import ROOT, load_program

REFERENCE = ROOT / "reference" / "deadlock"


GENERATOR = load_program(ROOT / "generators" / "deadlock.py")
EXHAUSTIVE, UNITS, CLASSICAL = (
    load_program(REFERENCE / "accepted" / f"{stem}.py")
    for stem in ("exhaustive", "units", "squares_freeze_matching")
)
ONE_VISIT = load_program(REFERENCE / "wrong_answer" / "one_visit.py")

SECOND_VISIT = ["######", "#--+##", "#-$$##", "##--.#", "######"]
BETWEEN_TWO_UNITS = ["######", "#.#--#", "#-$+##", "#-#$-#", "#----#", "######"]
KEPT_APART = ["#######", "#-$.-##", "#---$-#", "####.@#", "#######"]


def is_dead(module, rows):
    """What a module with units or classical tests says."""
    return module.is_dead(module.Position(rows))


def is_solvable(rows):
    """The truth, by forward search."""
    text = f"1\n{len(rows)} {len(rows[0])}\n" + "\n".join(rows) + "\n"
    return EXHAUSTIVE.is_solvable(*next(EXHAUSTIVE.positions_of(text)))


def rows_of(board, boxes, keeper):
    """The rows of a position of the generator."""
    return GENERATOR.printed(board, boxes, keeper).decode().split("\n")[1:-1]


def shapes(cells):
    """All connected shapes of so many cells, one of each up to turns and mirrors."""
    found = {frozenset([(0, 0)])}
    for _ in range(cells - 1):
        found = {
            least_image(shape | {(row + down, column + right)})
            for shape in found
            for row, column in shape
            for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1))
            if (row + down, column + right) not in shape
        }
    return sorted(map(sorted, found))


def least_image(shape):
    """The least of the eight images of a shape, in the corner."""
    images = []
    for _ in range(4):
        shape = [(column, -row) for row, column in shape]
        for image in (shape, [(row, -column) for row, column in shape]):
            top, left = min(row for row, _ in image), min(column for _, column in image)
            images.append(sorted((row - top, column - left) for row, column in image))
    return frozenset(min(images))


def maps_on(shape):
    """Every choice of one to four goals on this floor."""
    height, width = max(row for row, _ in shape) + 3, max(column for _, column in shape) + 3
    floor = sum(1 << ((row + 1) * width + column + 1) for row, column in shape)
    for number in range(1, min(5, len(shape))):
        for goals in itertools.combinations(GENERATOR.members(floor), number):
            yield GENERATOR.Map(height=height, width=width, floor=floor, goals=sum(goals))


def solvable_positions(board):
    """All positions of a map that can be solved and are not, wherever the keeper stands."""
    number = board.goals.bit_count()
    board.solvable(board.goals, 0)
    for boxes, walk in board.alive[number]:
        if boxes != board.goals:
            for keeper in GENERATOR.members(walk):
                yield rows_of(board, boxes, keeper)


def false_claims(cells, module):
    """How many positions with so many cells of floor can be solved, and those of them that are called dead."""
    tried, wrong = 0, []
    for shape in shapes(cells):
        for board in maps_on(shape):
            for rows in solvable_positions(board):
                tried += 1
                if is_dead(module, rows):
                    wrong.append(rows)
    return tried, wrong


@pytest.mark.parametrize("module", [UNITS, CLASSICAL, ONE_VISIT], ids=["units", "classical", "one_visit"])
def test_nothing_solvable_is_called_dead_on_all_floors_of_up_to_six_cells(module):
    results = [false_claims(cells, module) for cells in range(2, 7)]
    assert [tried for tried, _ in results] == [0, 2, 21, 218, 2065]
    assert not any(wrong for _, wrong in results)


@pytest.mark.slow
@pytest.mark.parametrize("cells", [7, 8])
@pytest.mark.parametrize("module", [UNITS, CLASSICAL, ONE_VISIT], ids=["units", "classical", "one_visit"])
def test_nothing_solvable_is_called_dead_on_all_floors_of_seven_and_eight_cells(module, cells):
    """For the one-visit reading too: its smallest false claim has nine cells."""
    assert false_claims(cells, module)[1] == []


@pytest.mark.slow
def test_units_are_sound_on_all_floors_of_nine_cells_with_two_boxes():
    for shape in shapes(9):
        for board in maps_on(shape):
            if board.goals.bit_count() == 2:
                assert not any(is_dead(UNITS, rows) for rows in solvable_positions(board))


def random_positions(seed, number, live_only=True):
    """(board, boxes, keeper) on random maps, `number` of them."""
    rng = random.Random(seed)
    while number > 0:
        boxes = rng.choice([1, 2, 2, 3, 3, 4])
        style, floor = rng.choice(sorted(GENERATOR.STYLES)), rng.randrange(9, 24)
        kind = "units" if live_only else "mixed"
        wish = GENERATOR.Wish(kind=kind, style=style, boxes=boxes, floor=floor, side=rng.choice([7, 8, 9]))
        board = GENERATOR.random_map(wish, rng)
        if board is not None:
            for position in itertools.islice(GENERATOR.random_positions(board, wish, rng), min(30, number)):
                number -= 1
                yield board, *position


def check_sound(seed, number):
    """Every claim of the sound methods on random positions is true; the two exhaustive searches agree."""
    found = {"units": 0, "classical": 0}
    for board, boxes, keeper in random_positions(seed, number):
        walk = GENERATOR.walked(keeper, board.floor & ~boxes, board.width)
        rows, truth = rows_of(board, boxes, keeper), board.solvable(boxes, walk)
        assert is_solvable(rows) == truth, rows
        for name, module in (("units", UNITS), ("classical", CLASSICAL)):
            if is_dead(module, rows):
                assert not truth, rows
                found[name] += 1
    assert min(found.values()) > number / 20


def test_units_and_classical_tests_are_sound_on_random_maps():
    check_sound(1, 500)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 8))
def test_units_and_classical_tests_are_sound_on_many_more_random_maps(seed):
    check_sound(seed, 20_000)


def test_dead_squares_alone_are_found_too_when_boxes_stand_on_any_floor():
    for board, boxes, keeper in random_positions(9, 800, live_only=False):
        rows = rows_of(board, boxes, keeper)
        if boxes & ~board.live_squares():
            assert is_dead(CLASSICAL, rows) and not is_solvable(rows)
            assert is_dead(UNITS, rows)


@pytest.mark.parametrize("turns", range(4))
def test_one_visit_is_not_enough_on_nine_cells(turns):
    """The editorial's example: the second unit visit needs what the first has changed."""
    rows = SECOND_VISIT
    for _ in range(turns):
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
    assert sum(len(row) - row.count("#") for row in rows) == 9
    assert is_solvable(rows)
    assert is_dead(ONE_VISIT, rows)
    assert not is_dead(UNITS, rows)


def test_example_meets_the_assumptions_of_the_paper():
    """No goal and no keeper in a unit, every box in one, every gateway leads to a passage with cells."""
    position = ONE_VISIT.Position(SECOND_VISIT)
    division = ONE_VISIT.Division(position, ONE_VISIT.cut_around_boxes(position, 1))
    (unit,) = division.units
    assert unit.boxes == position.boxes and not unit.cells & position.goals and position.keeper not in unit.cells
    assert unit.passages == set(division.passage_of.values()) and ONE_VISIT.is_dead_in(division)


def test_passage_between_two_units_is_dead_only_by_their_combination():
    """The paper's chapter 4: each unit alone would let the keeper in from the other side."""
    position = UNITS.Position(BETWEEN_TWO_UNITS)
    division = UNITS.Division(position, UNITS.cut_around_boxes(position, 1))
    assert len(division.units) == 2 and UNITS.is_dead_in(division) and not is_solvable(BETWEEN_TWO_UNITS)
    assert not is_dead(CLASSICAL, BETWEEN_TWO_UNITS)
    for unit in division.units:
        easier = UNITS.Position(BETWEEN_TWO_UNITS)
        easier.boxes = position.boxes - unit.boxes
        assert not UNITS.is_dead(easier)


def test_units_find_what_the_classical_tests_miss():
    assert not is_solvable(KEPT_APART)
    assert is_dead(UNITS, KEPT_APART) and not is_dead(CLASSICAL, KEPT_APART)


def test_recall_is_as_the_editorial_says():
    """On a fixed sample: more than half of the dead positions that the classical tests miss."""
    missed = found = 0
    for board, boxes, keeper in random_positions(4, 3000):
        walk = GENERATOR.walked(keeper, board.floor & ~boxes, board.width)
        if not board.solvable(boxes, walk):
            rows = rows_of(board, boxes, keeper)
            if not is_dead(CLASSICAL, rows):
                missed += 1
                found += is_dead(UNITS, rows)
    assert missed > 200 and found > missed / 2


# The level that the paper uses as its example (XSokoban, screen 2); walls outside of it are filled in.
SCREEN_2 = [
    "##############",
    "#..--#-----###",
    "#..--#-$--$--#",
    "#..--#$####--#",
    "#..----@-##--#",
    "#..--#-#--$-##",
    "######-##$-$-#",
    "###-$--$-$-$-#",
    "###----#-----#",
    "##############",
]


def test_screen_2_is_not_called_dead_as_the_paper_says():
    assert not is_dead(UNITS, SCREEN_2) and not is_dead(ONE_VISIT, SCREEN_2) and not is_dead(CLASSICAL, SCREEN_2)


def test_unit_0_of_screen_2_has_the_passability_of_the_paper():
    """(10), (11): from below the keeper cannot pass the door, from above he can, and changes the unit."""
    position = ONE_VISIT.Position(SCREEN_2)
    cells = frozenset(
        row * 14 + column for row, column in ((1, 6), (1, 7), (1, 8), (2, 6), (2, 7), (2, 8), (3, 6))
    )
    division = ONE_VISIT.Division(position, [cells])
    (unit,) = division.units
    below, above = division.passage(3 * 14 + 6, 4 * 14 + 6), division.passage(2 * 14 + 8, 2 * 14 + 9)
    assert unit.passages == {below, above}
    assert unit.passable({below}) == {below}
    assert unit.passable({above}) == {above, below}
    still = {unit.start, *((unit.boxes, cell) for cell in cells)}
    assert 3 * 14 + 6 not in {keeper for _, keeper in unit.states({above}, still)}
