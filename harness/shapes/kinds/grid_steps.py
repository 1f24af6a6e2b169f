"""Passes within a grid: open walls, simplify letters, move marks towards the upper left corner."""

from collections.abc import Callable, Iterator, Sequence

from harness.shapes.expressions import Env
from harness.shapes.kinds.grid import Frame, Grid, Rows
from harness.shapes.steps import Steps, at_places, first_taken, lifted


def on_cells(steps_of: Callable[[Grid, Frame, bytes], Steps[bytes]]) -> Callable[[Grid, Rows, Env], Steps[Rows]]:
    """Return the steps of a whole grid that `steps_of` (grid, frame, cells) takes on the cells within the border."""

    def run(grid: Grid, rows: Rows, env: Env) -> Steps[Rows]:
        frame = grid.frame_around(rows)
        return lifted(steps_of(grid, frame, frame.inner(rows)), rows, frame.framed)

    return run


def open_cells(grid: Grid, frame: Frame, cells: bytes, parts: int = 0) -> Steps[bytes]:
    """Turn chunks of cells to the alphabet's first letter, down to 1/`parts` of all cells, or (0) to single cells."""

    def opened(now: bytes, places: Sequence[int]) -> bytes:
        return _changed(now, dict.fromkeys(places, grid.alphabet[0]))

    for places in (_closed(grid, cells, grid.fillers), _closed(grid, cells, grid.marks)):
        cells = yield from at_places(places, cells, opened, parts)
    return cells


def _closed(grid: Grid, cells: bytes, letters: bytes) -> list[int]:
    """Return the indexes of cells with one of the letters, except the alphabet's first letter."""
    if not cells.translate(None, grid.alphabet[:1]):
        return []
    return [at for at, letter in enumerate(cells) if letter in letters and letter != grid.alphabet[0]]


def _changed(cells: bytes, letters: dict[int, int]) -> bytes:
    new = bytearray(cells)
    for at, letter in letters.items():
        new[at] = letter
    return bytes(new)


def lower_cells(grid: Grid, frame: Frame, cells: bytes) -> Steps[bytes]:
    """Turn single cells to earlier letters."""
    for at in _closed(grid, cells, grid.alphabet):
        earlier = grid.alphabet[: grid.alphabet.index(cells[at])]
        cells = yield from first_taken(cells, [_changed(cells, {at: letter}) for letter in earlier])
    return cells


def move_cells(grid: Grid, frame: Frame, cells: bytes) -> Steps[bytes]:
    """Move marks, then other letters, towards the upper left: to the corner, to an edge, half way, by one step."""
    for letters in (grid.marks, grid.fillers):
        for at in _closed(grid, cells, letters):
            moved = True
            while moved and cells[at] != grid.alphabet[0]:
                moved = False
                for target, candidate in _moves(grid, frame, cells, at):
                    if (yield candidate):
                        cells, at, moved = candidate, target, True  # noqa: PLW2901 (follow the letter)
                        break
    return cells


def _moves(grid: Grid, frame: Frame, cells: bytes, at: int) -> Iterator[tuple[int, bytes]]:
    for target in _targets(frame, at):
        yield target, _changed(cells, {target: cells[at], at: cells[target]})
        if cells[target] != grid.alphabet[0]:
            yield target, _changed(cells, {target: cells[at], at: grid.alphabet[0]})


def _targets(frame: Frame, at: int) -> list[int]:
    row, column = divmod(at, frame.width)
    far = ((0, 0), (0, column), (row, 0), (row // 2, column), (row, column // 2))
    near = ((row - 1, column), (row, column - 1))
    places = {y * frame.width + x: None for y, x in (*far, *near) if y >= 0 and x >= 0 and (y, x) != (row, column)}
    return list(places)
