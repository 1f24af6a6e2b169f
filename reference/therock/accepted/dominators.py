"""Label-setting minimax; what a rock on the only way down costs is read from the dominator tree of the shortest ways.

Near-linear in practice, as dominators.cpp; the proof is in solution/solution.en.md. A maze is a list of cells with a
margin of wall; `level` is the distance to the exit, so every step leads one level up or down.
"""

import sys
from heapq import heappop, heappush

NEVER = 1 << 30


def mazes_of(words):
    """The walls, the distance between rows, E and X of every maze; blank lines do not matter."""
    words = iter(words[1:])
    for rows, columns in zip(words, words):
        stride = int(columns) + 1
        cells = b"#" * stride + b"".join(b"#" + next(words) for _ in range(int(rows))) + b"#" * (stride + 1)
        yield [cell == ord("#") for cell in cells], stride, cells.index(b"E"), cells.index(b"X")


def flood(walls, steps, target):
    """Cells in order of distance from the exit, and the distances; -1 where it does not reach."""
    level = [-1] * len(walls)
    level[target] = 0
    order = [target]
    for cell in order:
        for step in steps:
            other = cell + step
            if level[other] < 0 and not walls[other]:
                level[other] = level[cell] + 1
                order.append(other)
    return order, level


def dominators(order, level, steps):
    """By cell: the nearest cell on all its shortest ways, how many there are, and the neighbours below."""
    above, depth = [0] * len(level), [0] * len(level)
    below = [()] * len(level)
    above[order[0]] = order[0]
    for cell in order[1:]:
        below[cell] = [cell + step for step in steps if level[cell + step] == level[cell] - 1]
        common = below[cell][0]
        for other in below[cell][1:]:
            while common != other:
                if depth[common] < depth[other]:
                    common, other = other, common
                common = above[common]
        above[cell], depth[cell] = common, depth[common] + 1
    return above, depth, below


def ways_out(order, level, above, depth, below):
    """By cell: the lowest level to which one climbs out of what hangs from the cell above it, from what hangs from it."""
    out = [NEVER] * len(level)
    skip = list(range(len(level)))
    for top in order[1:]:
        if len(below[top]) < 2:
            continue
        for cell in below[top]:
            passed = []
            while depth[cell] > depth[top]:
                if skip[cell] == cell:
                    out[cell] = level[top]
                    skip[cell] = above[cell]
                passed.append(cell)
                cell = skip[cell]
            for place in passed:
                skip[place] = cell
    return out


class Detours:
    """For cells with one way down: the way around a rock on it."""

    def __init__(self, order, level, steps):
        self.level, self.steps = level, steps
        self.above, self.depth, self.below = dominators(order, level, steps)
        self.out = ways_out(order, level, self.above, self.depth, self.below)
        self.low, self.high = [NEVER] * len(level), [NEVER] * len(level)
        self.sides = [()] * len(level)  # from which cells beside the rock above a cell can be climbed to
        self.joins = {}
        for cell in order[1:]:
            if self.above[cell] != order[0]:
                self.bound(cell)

    def bound(self, cell):
        """Take a cell that hangs from a rock directly into account."""
        rock = self.above[cell]
        self.low[rock] = min(self.low[rock], self.out[cell])
        if self.below[cell] == [rock]:
            self.sides[cell] = {cell}
        else:
            self.sides[cell] = set().union(*(self.sides[self.part(rock, other)] for other in self.below[cell]))
            self.joins.setdefault(rock, []).append(cell)
        for side in self.sides[cell]:
            self.high[side] = min(self.high[side], self.out[cell])

    def part(self, rock, cell):
        """Of the cells that hang from the rock directly, the one that this cell hangs from, or is; None outside."""
        while self.depth[cell] > self.depth[rock] + 1:
            cell = self.above[cell]
        return cell if self.above[cell] == rock else None

    def exactly(self, cell):
        """The length of the way around, NEVER or more if there is none."""
        if self.low[self.above[cell]] < self.high[cell]:
            self.high[cell] = self.search(cell)
        return 2 * self.high[cell] - self.level[cell]

    def search(self, start):
        """The level at which the best way around gets out, plus its steps down until there; by number of steps down."""
        rock, best, downs, seen = self.above[start], self.high[start], 0, set()
        later = [other for cell in self.joins.get(rock, ()) if start in self.sides[cell] for other in self.below[cell]
                 if start not in self.sides[self.part(rock, other)]]
        while later and self.low[rock] + downs + 1 < best:
            now, later = later, []
            downs += 1
            for cell in now:
                if cell in seen:
                    continue
                seen.add(cell)
                for step in self.steps:
                    other = cell + step
                    if other == rock or other in seen or self.level[other] < 0:
                        continue
                    if self.level[other] < self.level[cell]:
                        later.append(other)
                    elif self.part(rock, other) is None:
                        best = min(best, self.level[other] + downs)
                    elif self.level[other] + downs + 1 < best:
                        now.append(other)
        return best


def guaranteed_steps(walls, stride, entrance, target):
    """Settle cells in order of their value, from the exit on."""
    steps = (1, -1, stride, -stride)
    order, level = flood(walls, steps, target)
    detours = Detours(order, level, steps)
    below, low, above = detours.below, detours.low, detours.above
    settled, met = bytearray(len(walls)), bytearray(walls)
    met[target] = 1
    queue = [(0, target)]
    while queue:
        count, cell = heappop(queue)
        if settled[cell]:
            continue
        threatened = len(below[cell]) == 1 and above[cell] != target
        if threatened and detours.exactly(cell) > count:
            if detours.exactly(cell) < NEVER:
                heappush(queue, (detours.exactly(cell), cell))
            continue
        if cell == entrance:
            return count
        settled[cell] = 1
        for step in steps:
            other = cell + step
            if met[other]:
                continue
            met[other] = 1
            bound = count + 1
            if len(below[other]) == 1 and above[other] != target:
                bound = max(bound, 2 * low[above[other]] - level[other])
            if bound < NEVER:
                heappush(queue, (bound, other))
    return -1


def main():
    """Read, solve, print."""
    words = sys.stdin.buffer.read().split()
    sys.stdout.write("".join("%d\n" % guaranteed_steps(*maze) for maze in mazes_of(words)))


if __name__ == "__main__":
    main()
