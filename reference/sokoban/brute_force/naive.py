"""Right, O(M⁴N⁴): plays each placement forward until the box stands on the goal."""

import sys

WALL = ord("#")


def read_grid():
    """The cells with a margin of wall (the end of a row is one), and the distance between rows."""
    header, body = sys.stdin.buffer.read().split(b"\n", 1)
    stride = int(header.split()[1]) + 1
    margin = b"#" * stride
    return margin + body.rstrip(b"\n").replace(b"\n", b"#") + b"#" + margin, stride


def solvable(cells, stride, box, player):
    """Whether the player can push the box onto the goal: a search over box·cells + player."""
    total = len(cells)
    goal = cells.index(b"X")
    states = [box * total + player]
    seen = bytearray(total * total)
    for state in states:
        box, player = divmod(state, total)
        if box == goal:
            return True
        for step in (1, -1, stride, -stride):
            after = player + step
            pushed = box + step if after == box else box
            reached = pushed * total + after
            if cells[after] != WALL and cells[pushed] != WALL and not seen[reached]:
                seen[reached] = 1
                states.append(reached)
    return False


def main():
    """Read, count, print."""
    cells, stride = read_grid()
    places = [place for place, cell in enumerate(cells) if cell == ord(".")]
    print(sum(solvable(cells, stride, box, player) for box in places for player in places if box != player))


if __name__ == "__main__":
    main()
