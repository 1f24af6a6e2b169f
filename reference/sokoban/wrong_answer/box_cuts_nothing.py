"""BUG: takes it that a box never separates its neighbours (ignores articulation points)."""

import sys


def read_grid():
    """The cells with a margin of wall (the end of a row is one), and the distance between rows."""
    header, body = sys.stdin.buffer.read().split(b"\n", 1)
    stride = int(header.split()[1]) + 1
    margin = b"#" * stride
    return margin + body.rstrip(b"\n").replace(b"\n", b"#") + b"#" + margin, stride


def spread(goal, moves):
    """All cells that moves(cell) lead to from the goal, the goal included."""
    seen = {goal}
    todo = [goal]
    for cell in todo:
        for after in moves(cell):
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return todo


def main():
    """Count the cells of the player and those of the box, and multiply."""
    cells, stride = read_grid()
    wall = ord("#")
    steps = (1, -1, stride, -stride)

    def walks(cell):
        return [cell + step for step in steps if cells[cell + step] != wall]

    def pulls(cell):
        return [cell + step for step in steps if cells[cell + step] != wall and cells[cell + 2 * step] != wall]

    goal = cells.index(b"X")
    print((len(spread(goal, pulls)) - 1) * (len(spread(goal, walks)) - 2))


if __name__ == "__main__":
    main()
