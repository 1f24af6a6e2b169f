"""Writes one input of `therock`: therock.py CASES [/ CASES ...] [SEED].

CASES is FAMILY ROWS COLS [count=N] [OPTION=NUMBER ...]: N mazes of a family below, or of grids.py. A maze that a rock
could cut in two is mended: the fewest walls that make two separate ways from E to X are opened.
"""

import itertools
import random
import sys
from collections import deque

import grids

ENTRANCE, EXIT, FLOOR, WALL = b"EX.#"


def built(arguments):
    """The bytes of the input that these arguments ask for."""
    *rest, last = arguments
    seeded = "=" not in last and len(segments(rest)[-1]) >= 3
    rng = random.Random(int(last) if seeded else 0)
    mazes = [text for words in segments(rest if seeded else arguments) for text in mazes_of(words, rng)]
    return b"%d\n" % len(mazes) + b"".join(mazes)


def segments(arguments):
    """The lists of words between slashes."""
    return [part.split() for part in " ".join(arguments).split(" / ")]


def mazes_of(words, rng):
    """The text of each maze that FAMILY ROWS COLS [OPTION=NUMBER ...] asks for."""
    family, rows, cols = words[0], int(words[1]), int(words[2])
    options = {name: int(value) for name, _, value in (word.partition("=") for word in words[3:]) if value}
    count = options.pop("count", 1)
    if family == "all":
        return [printed(grid, cols) for grid in all_tiny(rows, cols, count, **options)]
    return [printed(maze(family, rows, cols, rng, options), cols) for _ in range(count)]


def maze(family, rows, cols, rng, options):
    """One maze with E and X that no single rock cuts in two."""
    if family in LOOPS:
        return LOOPS[family](rows, cols, rng, **options)
    braid = options.get("braid", 0)
    numbers = {name: value for name, value in options.items() if name not in ("braid", "far")}
    grid = grids.FAMILIES[family](rows, cols, rng, **numbers)
    remove_walls(grid, braid, rng)
    place_ends(grid, rows, cols, rng, options.get("far", 0))
    open_two_ways(grid, cols)
    return grid


def remove_walls(grid, percent, rng):
    """Turn this share of the walls into floor: loops in a maze that was a tree."""
    for cell, mark in enumerate(grid):
        if mark == WALL and grids.below(rng, 100) < percent:
            grid[cell] = FLOOR


def place_ends(grid, rows, cols, rng, far):
    """Put E and X on any cells that do not touch; with `far` into opposite corners."""
    entrance, target = 0, rows * cols - 1
    while not far:
        entrance, target = grids.below(rng, rows * cols), grids.below(rng, rows * cols)
        if distance(entrance, target, cols) > 1:
            break
    grid[entrance], grid[target] = ENTRANCE, EXIT


def distance(first, second, cols):
    """Steps between two cells of an open field."""
    return abs(first // cols - second // cols) + abs(first % cols - second % cols)


def neighbours(cell, cols, total):
    """Cells that share an edge with this one."""
    if cell % cols:
        yield cell - 1
    if (cell + 1) % cols:
        yield cell + 1
    if cell >= cols:
        yield cell - cols
    if cell + cols < total:
        yield cell + cols


def open_two_ways(grid, cols):
    """Open walls until no single cell separates E from X: a way, then a way around each cell that cuts it."""
    start, target = grid.index(ENTRANCE), grid.index(EXIT)
    way = cheapest_way(grid, cols, [start], {target}, -1)
    found = cutting_cell(grid, cols, way)
    while found:
        place, before = found
        cheapest_way(grid, cols, before, set(way[place + 1 :]), way[place])
        found = cutting_cell(grid, cols, way)


def cheapest_way(grid, cols, sources, targets, avoided):
    """Open a way through the fewest walls from a source to a target, past one cell; return it."""
    came = dict.fromkeys(sources, -1)
    todo, done = deque(sources), set()
    while todo:
        cell = todo.popleft()
        if cell in targets:
            return opened(grid, came, cell)
        if cell in done:
            continue
        done.add(cell)
        for other in neighbours(cell, cols, len(grid)):
            if other == avoided or other in done or (other in came and grid[other] == WALL):
                continue
            came.setdefault(other, cell)
            (todo.append if grid[other] == WALL else todo.appendleft)(other)
    raise ValueError("a single row or column has no two ways")


def opened(grid, came, cell):
    """The way that led to this cell, its walls turned into floor."""
    way = []
    while cell >= 0:
        if grid[cell] == WALL:
            grid[cell] = FLOOR
        way.append(cell)
        cell = came[cell]
    return way[::-1]


def cutting_cell(grid, cols, way):
    """The first place on a way from E to X that cuts it, and the cells before; None if there is none."""
    place_of = {cell: place for place, cell in enumerate(way)}
    reached, seen = 0, []
    known = set()
    for place, start in enumerate(way[:-1]):
        if place and reached <= place:
            return place, seen + way[:place]
        todo = [start]
        for cell in todo:
            for other in neighbours(cell, cols, len(grid)):
                if other in place_of:
                    if cell != start or place_of[other] != place + 1:
                        reached = max(reached, place_of[other])
                elif grid[other] != WALL and other not in known:
                    known.add(other)
                    todo.append(other)
        seen += todo[1:]
    return None


def snake_loop(rows, cols, rng, gap=41):
    """A closed corridor to and fro, E and X `gap` steps apart: turning back late costs almost the whole loop."""
    grid = grids.filled(rows, cols, grids.WALL)
    lines = (rows + 1) // 4 * 2  # an even number of corridors, each two rows below the one before
    way = list(range(cols))
    for line in range(1, lines):
        row = [2 * line * cols + column for column in range(2 if line < lines - 1 else 0, cols)]
        row = row[::-1] if line % 2 else row
        way += [(way[-1] + row[0]) // 2, *row]
    way += [row * cols for row in range(2 * lines - 3, 0, -1)]
    return on_loop(grid, way, gap)


def ring(rows, cols, rng, gap=0, rungs=0):
    """A corridor around the edge, E and X `gap` steps apart, with `rungs` across: each rung is a late way around."""
    grid = grids.filled(rows, cols, grids.WALL)
    upper, lower = range(cols), range(rows * cols - 1, (rows - 1) * cols - 1, -1)
    right = range(2 * cols - 1, (rows - 1) * cols, cols)
    left = range((rows - 2) * cols, 0, -cols)
    for rung in range(1, rungs + 1):
        grids.paint(grid, cols, 0, rung * (cols - 1) // (rungs + 1), rows, 1, grids.FLOOR)
    way = [*upper, *right, *lower, *left]
    return on_loop(grid, way, gap or len(way) // 2)


def on_loop(grid, way, gap):
    """Open a closed way, E in its middle, X `gap` steps on."""
    for cell in way:
        grid[cell] = FLOOR
    grid[way[len(way) // 2]] = ENTRANCE
    grid[way[(len(way) // 2 + gap) % len(way)]] = EXIT
    return grid


def serpentine(rows, cols, rng, spurs=0):
    """A corridor two cells wide to and fro, from E to X, in the walls of which up to `spurs` dead ends are cut.

    Breaks solutions that see one cell ahead only; in a spur a rock ends everything.
    """
    grid = grids.filled(rows, cols, grids.WALL)
    for number, top in enumerate(range(0, rows - 1, 3)):
        grids.paint(grid, cols, top, 0, 2, cols, grids.FLOOR)
        if top + 4 < rows:
            grids.paint(grid, cols, top + 2, 0 if number % 2 else cols - 2, 1, 2, grids.FLOOR)
    for _ in range(spurs):
        cell = grids.below(rng, rows * cols)
        beside = [other for other in neighbours(cell, cols, rows * cols) if grid[other] != WALL]
        if len(beside) == 1:
            grid[cell] = FLOOR
    last = rows - 2 - (rows - 2) % 3
    grid[0] = ENTRANCE
    grid[(last + 1) * cols + (cols - 1 if last // 3 % 2 == 0 else 0)] = EXIT
    return grid


def pockets(rows, cols, rng, depth=6):
    """Rungs between two corridors, with dead ends that start like short cuts: cells in which a rock is the end.

    Breaks programs that crash, or take -1 for a number, where a rock cuts the walker off.
    """
    grid = grids.filled(rows, cols, grids.WALL)
    for row in (0, rows - 1):
        grids.paint(grid, cols, row, 0, 1, cols, grids.FLOOR)
    for column in range(0, cols, 2):
        whole = column in (0, (cols - 1) // 2 * 2) or not grids.below(rng, 4)
        length = rows if whole else min(1 + grids.below(rng, depth), rows - 2)
        grids.paint(grid, cols, 0 if rng.getrandbits(1) else rows - length, column, length, 1, grids.FLOOR)
    grid[0] = ENTRANCE
    grid[cols - 1] = EXIT
    open_two_ways(grid, cols)
    return grid


def every(rows, cols):
    """Every maze of this size that no single cell cuts, E and X not side by side, as grids."""
    total = rows * cols
    for entrance in range(total):
        for target in range(total):
            if distance(entrance, target, cols) < 2:
                continue
            others = [cell for cell in range(total) if cell not in (entrance, target)]
            for walls in range(1 << len(others)):
                grid = grids.filled(rows, cols, grids.FLOOR)
                for bit, cell in enumerate(others):
                    if walls >> bit & 1:
                        grid[cell] = WALL
                grid[entrance], grid[target] = ENTRANCE, EXIT
                yield grid


def has_two_ways(grid, cols):
    """Whether no single cell, and no wall, separates E from X."""
    start, target = grid.index(ENTRANCE), grid.index(EXIT)
    came = {start: -1}
    todo = [start]
    for cell in todo:
        for other in neighbours(cell, cols, len(grid)):
            if grid[other] != WALL and other not in came:
                came[other] = cell
                todo.append(other)
    return target in came and cutting_cell(grid, cols, opened(grid, came, target)) is None


def all_tiny(rows, cols, count, part=1):
    """The part-th `count` of all mazes of this size that fit: nothing that shows in so small a maze escapes."""
    fitting = (grid for grid in every(rows, cols) if has_two_ways(grid, cols))
    return list(itertools.islice(fitting, (part - 1) * count, part * count))


def printed(grid, cols):
    """The text of one maze: `R C`, then the rows."""
    lines = [bytes(grid[start : start + cols]) for start in range(0, len(grid), cols)]
    return b"%d %d\n" % (len(lines), cols) + b"\n".join(lines) + b"\n"


LOOPS = {"snake-loop": snake_loop, "ring": ring, "serpentine": serpentine, "pockets": pockets}

if __name__ == "__main__":
    sys.stdout.buffer.write(built(sys.argv[1:]))
