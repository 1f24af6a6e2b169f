"""The three classical tests: dead squares, boxes that freeze each other, and a goal of its own for every box."""

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


def has_dead_square(position, live):
    """Whether a box stands where no goal can be reached from."""
    return not position.boxes <= live


def freezes_off_goal(position, live):
    """Whether some of the boxes that can never move again are off the goals.

    A box can move along an axis if no wall and no box frozen for good is beside it, and a side is live.
    """
    frozen = set(position.boxes)
    while True:
        movable = {
            box
            for box in frozen
            for step in position.axes
            if not any(side in frozen or side not in position.floor for side in (box - step, box + step))
            and (box - step in live or box + step in live)
        }
        if not movable:
            return not frozen <= position.goals
        frozen -= movable


def has_matching(boxes, squares_for):
    """Whether every box can have a goal of its own (augmenting paths)."""
    box_of = {}

    def serve(box, tried):
        for goal, squares in squares_for.items():
            if box in squares and goal not in tried:
                tried.add(goal)
                if goal not in box_of or serve(box_of[goal], tried):
                    box_of[goal] = box
                    return True
        return False

    return all(serve(box, set()) for box in boxes)


def is_dead(position):
    """Whether one of the three tests says so."""
    squares_for = {goal: position.squares_for(goal) for goal in position.goals}
    live = set().union(*squares_for.values())
    if has_dead_square(position, live) or freezes_off_goal(position, live):
        return True
    return not has_matching(position.boxes, squares_for)


def positions_of(text):
    """The positions of an input."""
    lines = iter(text.split("\n"))
    for _ in range(int(next(lines))):
        height = int(next(lines).split()[0])
        yield Position([next(lines) for _ in range(height)])


if __name__ == "__main__":
    for position in positions_of(sys.stdin.read()):
        print("dead" if is_dead(position) else "unknown")
