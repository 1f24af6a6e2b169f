"""Of `bridgit`: who wins, and by which door, from two edge-disjoint forests that are kept through the game."""

from bisect import insort

from board import BOTTOM, TOP, Groups

# Where an edge is: in forest 0 or 1, in both for good (closed), in neither (undecided), out of the game (fixed).
BOTH, SPARE, GONE = 2, 3, 4


class Forests:
    """Two edge-disjoint forests over the posts, as large as possible together, through the whole game.

    A closed door is contracted: it counts as an edge of both forests. A fixed door is deleted. Two further edges from
    TOP to BOTTOM (`extra`) come in only to ask who wins.
    """

    def __init__(self, doors, state=None):
        self.ends = doors.between_posts + [(TOP, BOTTOM)] * 2
        self.posts = doors.posts
        self.extra = (doors.count, doors.count + 1)
        self.where = bytearray([SPARE] * doors.count + [GONE] * 2)
        # Per forest: its (edge, other end) pairs by post, smaller edges first; the trees that they make, if known;
        # whether it is known to keep TOP and BOTTOM apart, which one edge more may change, but no exchange.
        self._near = [[[] for _ in range(doors.posts)] for _ in (0, 1)]
        self._trees, self._apart = [None, None], [False, False]
        for door, what in enumerate(state or ()):
            self._put(door, (SPARE, GONE, BOTH)[what])
        # `tight` holds every door of the forests that could make room for a spare one, were another one removed.
        self.tight = frozenset()
        self._plant([(i + j) & 1 for _, i, j in doors.places])
        self._settle()

    def _put(self, edge, home):
        """Say where an edge is from now on."""
        old, self.where[edge] = self.where[edge], home
        one, two = self.ends[edge]
        for forest, near in enumerate(self._near):
            if home in (forest, BOTH):
                if old not in (forest, BOTH):
                    insort(near[one], (edge, two))
                    insort(near[two], (edge, one))
                    self._join(forest, edge)
                elif home != old:
                    self._contract(forest, edge)
            elif old in (forest, BOTH):
                near[one].remove((edge, two))
                near[two].remove((edge, one))
                self._part(forest, edge)

    def _plant(self, colours):
        """Put each door into the forest of its diagonal while that makes no cycle."""
        groups = [Groups(self.posts), Groups(self.posts)]
        for door in [door for door, home in enumerate(self.where) if home == BOTH]:
            for forest in groups:
                forest.join(*self.ends[door])
        for door, colour in enumerate(colours):
            if self.where[door] == SPARE and groups[colour].join(*self.ends[door]):
                self._put(door, colour)

    def _settle(self):
        """Find room for spare doors as long as there is any; then `tight` is exact."""
        while True:
            wanted = self._make_room([door for door, home in enumerate(self.where) if home == SPARE])
            if wanted is not None:
                break
        self.tight, self._exact = frozenset(wanted), True

    def fix(self, door):
        """The contestant fixed this door."""
        home = self.where[door]
        self._put(door, GONE)
        if home == SPARE:
            self._exact = False
        elif door in self.tight:
            self._settle()

    def close(self, door):
        """The king closed this door."""
        home = self.where[door]
        dropped = []
        for forest in (0, 1):
            if forest != home:
                cycle = self._path(forest, *self.ends[door])
                if cycle is None:
                    self._apart[forest] = False
                elif cycle:
                    dropped.append(next((edge for edge in cycle if edge not in self.tight), cycle[0]))
        for edge in dropped:
            self._put(edge, SPARE)
        self._put(door, BOTH)
        if not self._exact:
            self._settle()
            return
        for edge in dropped:
            if edge not in self.tight:
                wanted = self._make_room([edge])
                self.tight = self.tight.union(wanted or ())

    def replies(self):
        """(lead, doors) with the king to move: 0 he has lost; 1 one of `doors` must be closed; 2 any door will do."""
        try:
            lead, wanted = self._lead()
            return lead, (self._rejoining(self.extra[0], wanted) if lead == 1 else list(wanted))
        finally:
            self._forget_extra()

    def _lead(self):
        """(lead, what could be moved for the extra edge that found no room); extra edges may stay in the forests."""
        for forest in (0, 1):
            self._apart[forest] = self._apart[forest] or self._tree(forest)[0][BOTTOM] != TOP
        if all(self._apart):
            return 0, {}
        for lead in (2, 1):
            wanted = self._make_room([self.extra[2 - lead]])
            if wanted is not None:
                return lead, wanted
        return 0, {}

    def _forget_extra(self):
        for edge in self.extra:
            if self.where[edge] != GONE:
                self._put(edge, GONE)
                self._apart = [False, False]

    def _rejoining(self, first, wanted):
        """Of the doors of `wanted`, those of the other forest that rejoin what is cut when `first` leaves its own."""
        home = self.where[first]
        self._put(first, GONE)
        self._apart = [False, False]
        upper = [root == TOP for root in self._tree(home)[0]]
        return [
            door
            for door in wanted
            if self.where[door] == 1 - home and upper[self.ends[door][0]] != upper[self.ends[door][1]]
        ]

    def keepers(self):
        """With the contestant to move: the doors to fix that take the king's threat away, if he has one."""
        if not self._exact:
            self._settle()
        try:
            lead, wanted = self._lead()
            return (
                [door for door in wanted if door not in self.tight and door not in self.extra] if lead == 1 else []
            )
        finally:
            self._forget_extra()

    def exactly_tight(self):
        """The tight doors, also when `tight` holds more than those; nothing is moved."""
        if self._exact:
            return self.tight
        return self._make_room([door for door, home in enumerate(self.where) if home == SPARE])

    def ways_to_roots(self, forest, bits):
        """Per post: the bits of the edges between it and the root of its tree, and one bit more for the root."""
        where, (_, up, via, depth, _) = self.where, self._tree(forest)
        ways = [0] * self.posts
        for post in sorted(range(self.posts), key=depth.__getitem__):
            above = up[post]
            if above < 0:
                ways[post] = 1 << (len(bits) + post)
            elif where[via[post]] == BOTH:
                ways[post] = ways[above]
            else:
                ways[post] = ways[above] | bits[via[post]]
        return ways

    def _make_room(self, newcomers):
        """Bring one of these edges into the forests, moving others about on a shortest chain; then return None.

        If there is no room for any, return {edge: the edge that wants its place}, of all that could be moved.
        """
        ends, where = self.ends, self.where
        trees = [(*tree, top[:]) for *tree, top in (self._tree(0), self._tree(1))]
        wanted = dict.fromkeys(newcomers, -1)
        queue = list(newcomers)
        for edge in queue:
            home = where[edge]
            for forest in (0, 1):
                if forest == home:
                    continue
                root, up, via, depth, top = trees[forest]
                one, two = ends[edge]
                if root[one] != root[two]:
                    if {root[one], root[two]} == {TOP, root[BOTTOM]}:
                        self._apart[forest] = False
                    self._move(edge, forest, wanted)
                    return None
                # Climb to the meeting point; what is passed is wanted, and passed only once.
                while top[one] != one:
                    top[one] = one = top[top[one]]
                while top[two] != two:
                    top[two] = two = top[top[two]]
                while one != two:
                    if depth[one] < depth[two]:
                        one, two = two, one
                    other = via[one]
                    if other not in wanted:
                        wanted[other] = edge
                        queue.append(other)
                    top[one] = one = up[one]
                    while top[one] != one:
                        top[one] = one = top[top[one]]
        for edge in newcomers:
            del wanted[edge]
        return wanted

    def _move(self, edge, forest, wanted):
        """Let `edge` go to `forest`, the one that wanted its place to where it was, and so on."""
        while edge >= 0:
            left = self.where[edge]
            self._put(edge, forest)
            edge, forest = wanted[edge], left

    def _tree(self, forest):
        """Per post: the root of its tree, parent, edge to it, depth, and a post nearer to the root that it is one with.

        A root is the first post of its tree. The lists are never changed, for a snapshot may hold them.
        """
        tree = self._trees[forest]
        if tree is None:
            size = self.posts
            tree = [-1] * size, [-1] * size, [-1] * size, [0] * size, list(range(size))
        elif -1 in tree[0]:
            tree = [part[:] for part in tree]
        else:
            return tree
        root, up, via, depth, top = self._trees[forest] = tree
        for post, name in enumerate(root):
            if name < 0:
                up[post], via[post], depth[post], top[post] = -1, -1, 0, post
                self._grow(forest, tree, post, post)
        return tree

    def _grow(self, forest, tree, start, name):
        """Hang all that a forest joins with a post below it, in the tree of that name."""
        near, where = self._near[forest], self.where
        root, up, via, depth, top = tree
        root[start] = name
        order = [start]
        for post in order:
            below = depth[post] + 1
            for edge, other in near[post]:
                if root[other] != name:
                    root[other], up[other], via[other], depth[other] = name, post, edge, below
                    top[other] = top[post] if where[edge] == BOTH else other
                    order.append(other)

    def _join(self, forest, edge):
        """An edge came in: hang the tree of the later root below the other one, what is loose below what is not."""
        if self._trees[forest] is None:
            return
        root, up, via, depth, top = tree = [part[:] for part in self._trees[forest]]
        above, below = self.ends[edge]
        if root[above] < 0 or 0 <= root[below] < root[above]:
            above, below = below, above
        if root[above] < 0 or root[above] == root[below]:  # both loose; or contracted to one already
            self._trees[forest] = None
            return
        up[below], via[below], depth[below] = above, edge, depth[above] + 1
        top[below] = top[above] if self.where[edge] == BOTH else below
        self._grow(forest, tree, below, root[above])
        self._trees[forest] = tree

    def _part(self, forest, edge):
        """An edge went out: what hung on it is loose, told by the root -1, until somebody asks for the trees."""
        if self._trees[forest] is None:
            return
        root, up, via, depth, top = self._trees[forest]
        one, two = self.ends[edge]
        below = one if via[one] == edge else two
        root, near = root[:], self._near[forest]
        root[below] = -1
        loose = [below]
        for post in loose:
            for _, other in near[post]:
                if root[other] >= 0:
                    root[other] = -1
                    loose.append(other)
        self._trees[forest] = root, up, via, depth, top

    def _contract(self, forest, edge):
        """The two ends of an edge of a forest are one from now on."""
        if self._trees[forest] is None:
            return
        *shape, via, depth, top = self._trees[forest]
        one, two = self.ends[edge]
        below, above = (one, two) if via[one] == edge else (two, one)
        top = top[:]
        top[below] = top[above]
        self._trees[forest] = (*shape, via, depth, top)

    def _path(self, forest, start, end):
        """The undecided edges on the way between two posts in a forest, the last one first; None if there is no way."""
        root, up, via, depth, _ = self._tree(forest)
        if root[start] != root[end]:
            return None
        first, last = [], []
        while start != end:
            if depth[start] > depth[end]:
                first.append(via[start])
                start = up[start]
            else:
                last.append(via[end])
                end = up[end]
        return [edge for edge in last + first[::-1] if self.where[edge] != BOTH]
