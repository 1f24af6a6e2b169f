"""Writes one input of `eightqueens`.

eightqueens.py KIND [orbit=K | board=K] [rows=first|last] [fillable=yes|no] [place=K] [SEED]

KIND says how many completions there are, and why there are none:
  attack-row attack-column attack-falling attack-rising   one pair attacks each other, along this line only
  none                                                    no pair attacks each other, yet nothing completes them
  one two three four                                      so many completions
orbit=K: the K-th class under turns and mirrors, from 1 (the seed picks the image); of `one` to `four` only.
board=K: the K-th of the 92 boards, from 1, is a completion; of `one` to `four` only.
rows: where all three queens stand. fillable: whether five more queens can be added that no queen attacks, so that only
a look at the given three tells that there is no completion; of the attack kinds only. place=K: the attack is along the
K-th of the lines of its kind that two queens fit on, from 1 (8 rows, 8 columns, 13 diagonals of each kind; on the
shortest diagonals, 1 and 13, five more never fit).
"""

import functools
import itertools
import random
import sys
from collections import Counter

import grids

SIZE = 8
NUMBERS = {"none": 0, "one": 1, "two": 2, "three": 3, "four": 4}
LINES = {
    "row": lambda row, column: row,
    "column": lambda row, column: column,
    "falling": lambda row, column: column - row,
    "rising": lambda row, column: column + row,
}
FIRST = {"row": 0, "column": 0, "falling": -(SIZE - 2), "rising": 1}
DIAGONALS = (LINES["falling"], LINES["rising"])
ROWS = {"first": range(3), "last": range(SIZE - 3, SIZE), "any": range(SIZE)}


@functools.cache
def solutions():
    """The 92 boards, as tuples of squares."""
    boards = (tuple(enumerate(columns)) for columns in itertools.permutations(range(SIZE)))
    return [board for board in boards if all(len({line(*q) for q in board}) == SIZE for line in DIAGONALS)]


def attacks(squares):
    """The lines along which a pair of these queens attacks each other, one entry for each pair and line."""
    pairs = list(itertools.combinations(squares, 2))
    return [name for name, line in LINES.items() for one, other in pairs if line(*one) == line(*other)]


@functools.cache
def completions():
    """How many boards complete each triple that has any."""
    return Counter(triple for board in solutions() for triple in itertools.combinations(board, 3))


def images(triple):
    """The triple turned and mirrored, sorted, without repeats."""
    found = set()
    for _ in range(4):
        triple = [(column, SIZE - 1 - row) for row, column in triple]
        found |= {tuple(sorted(triple)), tuple(sorted((row, SIZE - 1 - column) for row, column in triple))}
    return sorted(found)


def fillable(squares, row=0):
    """Whether five more queens fit that no queen attacks."""
    if len(squares) == SIZE:
        return True
    for square in itertools.product(range(row, SIZE), range(SIZE)):
        safe = all(line(*square) != line(*other) for line in LINES.values() for other in squares)
        if safe and fillable((*squares, square), square[0] + 1):
            return True
    return False


def random_triple(rng, rows):
    """Three different squares in these rows, sorted."""
    squares = list(itertools.product(ROWS[rows], range(SIZE)))
    return tuple(sorted(grids.shuffled(rng, squares)[:3]))


def attacking(rng, line, rows="any", fill=None, place=None):
    """A triple with one attack, along `line`; place: along this one of its kind."""
    while True:
        triple = random_triple(rng, rows)
        if attacks(triple) != [line] or (place is not None and not on_line(triple, line, int(place))):
            continue
        if fill is None or fillable(triple) == (fill == "yes"):
            return triple


def on_line(triple, line, place):
    """Whether two of the queens share the `place`-th line of this kind."""
    return [LINES[line](*square) for square in triple].count(FIRST[line] + place - 1) == 2


def hopeless(rng, rows="any"):
    """A triple without attack and without completion."""
    known = completions()
    while True:
        triple = random_triple(rng, rows)
        if not attacks(triple) and triple not in known:
            return triple


def with_completions(rng, number, rows="any", orbit=None, board=None):
    """A triple with this number of completions; board: this one of all boards among them."""
    found = sorted(triple for triple, count in completions().items() if count == number)
    if orbit is not None:
        found = images(sorted({images(triple)[0] for triple in found})[int(orbit) - 1])
    if board is not None:
        squares = set(solutions()[int(board) - 1])
        found = [triple for triple in found if squares.issuperset(triple)]
    found = [triple for triple in found if all(row in ROWS[rows] for row, _ in triple)]
    return found[grids.below(rng, len(found))]


def built(arguments):
    """The bytes of the input that these arguments ask for."""
    kind, *rest = arguments
    options = dict(word.split("=", 1) for word in rest if "=" in word)
    seeds = [int(word) for word in rest if "=" not in word]
    rng = random.Random(seeds[0] if seeds else 0)
    rows = options.get("rows", "any")
    if kind.startswith("attack-"):
        triple = attacking(rng, kind.removeprefix("attack-"), rows, options.get("fillable"), options.get("place"))
    elif kind == "none":
        triple = hopeless(rng, rows)
    else:
        triple = with_completions(rng, NUMBERS[kind], rows, options.get("orbit"), options.get("board"))
    return printed(triple)


def printed(queens):
    """The board as bytes."""
    board = grids.filled(SIZE, SIZE, grids.FLOOR)
    for row, column in queens:
        board[row * SIZE + column] = ord("Q")
    return b"".join(bytes(board[start : start + SIZE]) + b"\n" for start in range(0, SIZE * SIZE, SIZE))


if __name__ == "__main__":
    sys.stdout.buffer.write(built(sys.argv[1:]))
