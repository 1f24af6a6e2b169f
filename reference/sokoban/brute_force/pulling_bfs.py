"""Right, O(M²N²): a search over all (box, player) from the goal, where boxes are pulled."""

import sys

WALL = ord("#")


def read_grid():
    """The cells with a margin of wall (the end of a row is one), and the distance between rows."""
    header, body = sys.stdin.buffer.read().split(b"\n", 1)
    stride = int(header.split()[1]) + 1
    margin = b"#" * stride
    return margin + body.rstrip(b"\n").replace(b"\n", b"#") + b"#" + margin, stride


def count_placements(cells, stride):
    """Search over states box·total + player; count those with neither on the goal."""
    total = len(cells)
    goal = cells.index(b"X")
    steps = (1, -1, stride, -stride)
    beside = {place: [place + step for step in steps if cells[place + step] != WALL]
              for place in range(total) if cells[place] != WALL}
    seen = bytearray(total * total)
    states = [goal * total + player for player in beside[goal]]
    for state in states:
        seen[state] = 1
    answer = 0
    for state in states:
        box, player = divmod(state, total)
        if box != goal and player != goal:
            answer += 1
        for after in beside[player]:
            reached = state - player + after
            if after != box and not seen[reached]:
                seen[reached] = 1
                states.append(reached)
        away = player - box
        if away in steps and cells[player + away] != WALL:
            reached = player * total + player + away
            if not seen[reached]:
                seen[reached] = 1
                states.append(reached)
    return answer


def main():
    """Read, count, print."""
    print(count_placements(*read_grid()))


if __name__ == "__main__":
    main()
