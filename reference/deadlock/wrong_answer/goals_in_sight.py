"""BUG: wants a goal in the row or the column of a box that stands along a wall, even where the wall has a gap."""

import sys


class Position:
    """One board. Cells are numbers, row by row; `axes` are the steps to the right and down."""

    def __init__(self, rows):
        cells = "".join(rows)
        self.axes = (1, len(rows[0]))
        self.floor = {cell for cell, sign in enumerate(cells) if sign != "#"}
        self.goals = {cell for cell, sign in enumerate(cells) if sign in ".*+"}
        self.boxes = {cell for cell, sign in enumerate(cells) if sign in "$*"}

    def squares_for(self, goal):
        """The cells from which a lone box can be pushed to this goal, wherever the keeper stands."""
        found, todo = {goal}, [goal]
        for cell in todo:
            for step in (1, -1, self.axes[1], -self.axes[1]):
                before, keeper = cell - step, cell - 2 * step
                if before in self.floor and keeper in self.floor and before not in found:
                    found.add(before)
                    todo.append(before)
        return found


def is_dead(position):
    """Whether a box along a wall sees no goal along that wall."""
    return any(is_stuck_along(position, box, step) for box in position.boxes - position.goals for step in position.axes)


def is_stuck_along(position, box, step):
    """Whether a wall is beside the box, and no goal in the line that runs along."""
    if box - step in position.floor and box + step in position.floor:
        return False
    along = sum(position.axes) - step
    line = [box]
    for direction in (along, -along):
        cell = box
        while cell in position.floor:
            line.append(cell)
            cell += direction
    return not position.goals.intersection(line)


def positions_of(text):
    """The positions of an input."""
    lines = iter(text.split("\n"))
    for _ in range(int(next(lines))):
        height = int(next(lines).split()[0])
        yield Position([next(lines) for _ in range(height)])


if __name__ == "__main__":
    for position in positions_of(sys.stdin.read()):
        print("dead" if is_dead(position) else "unknown")
