"""Two edge-disjoint spanning trees by matroid union, on any graph; answers a loss in one with an edge of the other.

The right to move first counts as one more edge from entrance to exit, which the opponent removes at once.
"""

ENTRANCE, EXIT = 0, 1


def arrivals(links, chosen, start):
    """{vertex: (edge, vertex before)} of a walk from `start` along the edges in `chosen`."""
    came = {start: None}
    order = [start]
    for vertex in order:
        for edge, other in links[vertex]:
            if edge in chosen and other not in came:
                came[other] = (edge, vertex)
                order.append(other)
    return came


class TwoTrees:
    def __init__(self, vertices, edges):
        self.edges = edges
        self.links = [[] for _ in range(vertices)]
        for edge, (one, two) in enumerate(edges):
            self.links[one].append((edge, two))
            self.links[two].append((edge, one))
        self.trees = (set(), set())
        for edge in range(len(edges)):
            self._insert(edge)
        self.spanning = len(self.trees[0]) + len(self.trees[1]) == 2 * (vertices - 1)

    def _insert(self, newcomer):
        """Put one more edge into the forests; others may have to change over, along a shortest chain."""
        wanted_by = {newcomer: None}
        queue = [newcomer]
        for edge in queue:
            one, two = self.edges[edge]
            for number in (edge % 2, 1 - edge % 2):
                tree = self.trees[number]
                if edge in tree:
                    continue
                came = arrivals(self.links, tree, one)
                if two not in came:
                    self._move(edge, number, wanted_by)
                    return
                while came[two]:
                    other, two = came[two]
                    if other not in wanted_by:
                        wanted_by[other] = edge
                        queue.append(other)

    def _move(self, edge, number, wanted_by):
        while edge is not None:
            left = next((at for at in (0, 1) if edge in self.trees[at]), None)
            if left is not None:
                self.trees[left].discard(edge)
            self.trees[number].add(edge)
            edge, number = wanted_by[edge], left

    def answer(self, removed):
        """An edge that makes up for the removed one, from now on part of both trees; None if none is needed."""
        for tree, other_tree in (self.trees, self.trees[::-1]):
            if removed in tree:
                tree.discard(removed)
                came = arrivals(self.links, tree, self.edges[removed][0])
                for edge in sorted(other_tree - tree):
                    one, two = self.edges[edge]
                    if (one in came) != (two in came):
                        tree.add(edge)
                        return edge
        return None

    def gift(self, edge):
        """A move for nothing: this edge, too, becomes part of both trees, and takes the place of another."""
        one, two = self.edges[edge]
        for tree, other_tree in (self.trees, self.trees[::-1]):
            if edge not in tree:
                came, at = arrivals(self.links, tree, one), two
                while came[at] and came[at][0] in other_tree:
                    at = came[at][1]
                if came[at]:
                    tree.discard(came[at][0])
                tree.add(edge)


def make_doors(height, width):
    """{(kind, i, j): (room, room)}."""

    def room(i, j):
        if 1 <= j <= width:
            return 2 + (i - 1) * width + j - 1
        return ENTRANCE if j == 0 else EXIT

    doors = {("|", i, j): (room(i, j - 1), room(i, j)) for i in range(1, height + 1) for j in range(1, width + 2)}
    for i in range(1, height):
        for j in range(1, width + 1):
            doors["-", i, j] = (room(i, j), room(i + 1, j))
    return doors


def main():
    height, width, mover = input().split()
    height, width, first = int(height), int(width), mover == "First"
    doors = make_doors(height, width)
    names = list(doors)
    number = {name: edge for edge, name in enumerate(names)}
    edges = list(doors.values()) + [(ENTRANCE, EXIT)] * first
    trees = TwoTrees(height * width + 2, edges)
    if not trees.spanning:
        print("No", flush=True)
        return
    print("Yes", flush=True)
    undecided = dict.fromkeys(range(len(names)))
    closed = len(names) if first else None
    while True:
        if closed is not None:
            edge = trees.answer(closed)
            if edge is None:
                edge = next(iter(undecided))
                trees.gift(edge)
            del undecided[edge]
            print(*names[edge], flush=True)
        kind, i, j = input().split()
        if kind in "aw":
            return
        closed = number[kind, int(i), int(j)]
        del undecided[closed]


main()
