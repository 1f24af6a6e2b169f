"""Reads an input of `therock`: T, then T mazes, each with one E and one X that no single other cell separates."""

from judgelib import Reader, run_input_validator

MAX_CASES = int("{{max_cases}}")
MAX_SIDE = int("{{max_side}}")
MAX_CELLS = int("{{max_cells}}")


def check(case: Reader) -> None:
    """Every byte of the input, in order, and what the statement promises of each maze."""
    cases = case.integer("T", 1, MAX_CASES)
    case.newline()
    cells = 0
    for number in range(1, cases + 1):
        rows = case.integer("R", 1, MAX_SIDE)
        case.space()
        columns = case.integer("C", 1, MAX_SIDE)
        case.newline()
        cells += rows * columns
        if cells > MAX_CELLS:
            case.fail(
                "expected at most %d cells in all mazes, found %d up to maze %d" % (MAX_CELLS, cells, number)
            )
        maze = b"".join(case.line_of("row %d" % row, columns, b".#EX") for row in range(1, rows + 1))
        fault = fault_of(maze, columns)
        if fault:
            case.fail("maze %d: %s" % (number, fault))
    case.end()


def fault_of(maze, columns):
    """What is wrong with the cells of a maze, in words; None if nothing is."""
    for mark in b"EX":
        count = maze.count(mark)
        if count != 1:
            return "expected exactly one '%c', found %d" % (mark, count)
    entrance, target = maze.index(b"E"), maze.index(b"X")
    if target in neighbours(maze, columns, entrance):
        return "expected E and X apart, found them side by side"
    way = shortest_way(maze, columns, entrance, target)
    if not way:
        return "expected a way from E to X, found none"
    cell = separating_cell(maze, columns, way)
    if cell is not None:
        row, column = divmod(cell, columns)
        return "expected two ways from E to X, found that row %d, column %d is on all" % (row + 1, column + 1)
    return None


def neighbours(maze, columns, cell):
    """The cells beside this one that are not wall."""
    found = []
    if cell % columns:
        found.append(cell - 1)
    if (cell + 1) % columns:
        found.append(cell + 1)
    if cell >= columns:
        found.append(cell - columns)
    if cell + columns < len(maze):
        found.append(cell + columns)
    return [other for other in found if maze[other] != ord("#")]


def shortest_way(maze, columns, entrance, target):
    """The cells of a shortest way from E to X; empty if there is none."""
    after = {target: None}
    queue = [target]
    for cell in queue:
        for other in neighbours(maze, columns, cell):
            if other not in after:
                after[other] = cell
                queue.append(other)
    way, cell = [], entrance if entrance in after else None
    while cell is not None:
        way.append(cell)
        cell = after[cell]
    return way


def separating_cell(maze, columns, way):
    """The first cell within a shortest way that every way from E to X goes through; None if there is none.

    `farthest` is the last place of the way that can be entered from its cells before `place` through cells off the way.
    """
    place_of = {cell: place for place, cell in enumerate(way)}
    seen = set()
    farthest = 0
    for place in range(1, len(way) - 1):
        todo = [way[place - 1]]
        for cell in todo:
            for other in neighbours(maze, columns, cell):
                if other in place_of:
                    if cell not in place_of:
                        farthest = max(farthest, place_of[other])
                elif other not in seen:
                    seen.add(other)
                    todo.append(other)
        if farthest <= place:
            return way[place]
    return None


if __name__ == "__main__":
    run_input_validator(check)
