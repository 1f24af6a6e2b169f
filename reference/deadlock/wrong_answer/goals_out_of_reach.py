"""Wrong: a goal that the keeper cannot get to makes the position dead, even where a box is on it already.

Otherwise it searches all positions that can come of the given one. Sets of cells are the bits of one integer.
Two positions with the same boxes are one if the keeper can walk from the one to the other; boxes are never pushed onto
a square from which a lone box cannot be pushed to a goal.
"""

import sys


def walked(start, free, width):
    """All cells of `free` that the keeper can walk to."""
    while True:
        wider = (start | start << 1 | start >> 1 | start << width | start >> width) & free
        if wider == start:
            return start
        start = wider


def live_squares(floor, goals, width):
    """The cells from which a lone box can be pushed to some goal, wherever the keeper stands."""
    live = goals
    while True:
        wider = live
        for step in (1, width):
            wider |= live >> step & floor & floor << step
            wider |= live << step & floor & floor >> step
        if wider == live:
            return live
        live = wider


def pushes(boxes, walk, live, width):
    """The positions after one push, as (boxes, cell of the keeper)."""
    targets = live & ~boxes
    for step in (1, width):
        forward = boxes & walk << step & targets >> step
        backward = boxes & walk >> step & targets << step
        while forward:
            box = forward & -forward
            forward ^= box
            yield boxes ^ box ^ box << step, box
        while backward:
            box = backward & -backward
            backward ^= box
            yield boxes ^ box ^ box >> step, box


def is_solvable(floor, goals, boxes, keeper, width):
    """Whether some sequence of pushes brings all boxes onto goals."""
    live = live_squares(floor, goals, width)
    if boxes & ~live or goals & ~walked(keeper, floor, width):
        return False
    todo = [(boxes, walked(keeper, floor & ~boxes, width))]
    seen = set(todo)
    while todo:
        boxes, walk = todo.pop()
        if boxes == boxes & goals:
            return True
        for after, cell in pushes(boxes, walk, live, width):
            position = after, walked(cell, floor & ~after, width)
            if position not in seen:
                seen.add(position)
                todo.append(position)
    return False


def bits(rows, signs):
    """The set of the cells that show one of these signs."""
    return sum(1 << cell for cell, sign in enumerate("".join(rows)) if sign in signs)


def positions_of(text):
    """The positions of an input, as arguments of is_solvable."""
    lines = iter(text.split("\n"))
    for _ in range(int(next(lines))):
        height, width = map(int, next(lines).split())
        rows = [next(lines) for _ in range(height)]
        yield bits(rows, "-.$*@+"), bits(rows, ".*+"), bits(rows, "$*"), bits(rows, "@+"), width


if __name__ == "__main__":
    for position in positions_of(sys.stdin.read()):
        print("unknown" if is_solvable(*position) else "dead")
