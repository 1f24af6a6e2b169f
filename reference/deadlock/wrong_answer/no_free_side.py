"""BUG: calls a position dead if some box has no axis with both sides free just now, be it for walls or for boxes."""

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
    """Whether some box off the goals cannot be pushed right now, from whatever side."""
    free = position.floor - position.boxes
    return any(
        not any(box - step in free and box + step in free for step in position.axes)
        for box in position.boxes - position.goals
    )


def positions_of(text):
    """The positions of an input."""
    lines = iter(text.split("\n"))
    for _ in range(int(next(lines))):
        height = int(next(lines).split()[0])
        yield Position([next(lines) for _ in range(height)])


if __name__ == "__main__":
    for position in positions_of(sys.stdin.read()):
        print("dead" if is_dead(position) else "unknown")
