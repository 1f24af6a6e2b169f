"""BUG: RecursionError on larger grids, the default recursion limit stands (and box and player share the search)."""

import sys


class Search:
    """All (box, player) that the goal can be pulled to, by recursion."""

    def __init__(self, cells, stride):
        self.cells = cells
        self.goal = cells.index("X")
        self.steps = (1, -1, stride, -stride)
        self.seen = set()

    def visit(self, box, player):
        """Come to a state."""
        if (box, player) in self.seen or self.cells[player] == "#":
            return
        self.seen.add((box, player))
        for step in self.steps:
            if player + step != box:
                self.visit(box, player + step)
                if player - step == box and self.cells[player + step] != "#":
                    self.visit(player, player + step)

    def count_placements(self):
        """States with neither on the goal."""
        for step in self.steps:
            self.visit(self.goal, self.goal + step)
        return sum(self.goal not in state for state in self.seen)


def main():
    """Read, count, print."""
    header, *rows = sys.stdin.read().split()[1:]
    stride = int(header) + 1
    margin = "#" * stride
    print(Search(margin + "".join(row + "#" for row in rows) + margin, stride).count_placements())


if __name__ == "__main__":
    main()
