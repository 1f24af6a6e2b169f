"""The generator of `sokoban`: every family has the form of an input at every size, and the same seed the same bytes."""

import pytest

from problems.conftest import ROOT, load_program, printed_by

FIXED = ["open", "spiral", "snake", "comb", "double-comb", "pillars", "hilbert"]
RANDOM = ["rooms", "bridges", "islands", "random", "maze"]
SIZES = [(1, 1), (1, 2), (2, 1), (1, 9), (9, 1), (2, 2), (3, 3), (4, 7), (7, 4), (13, 24), (24, 13)]

SOKOBAN = load_program(ROOT / "generators" / "sokoban.py")


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
    assert printed_by("sokoban", arguments.split()) == built(arguments)
