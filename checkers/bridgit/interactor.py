"""Interactor of `bridgit`: the demon king, who plays perfectly from every position.

Usage: X.in X.ans feedback_dir/. The answer is `No`, or `Yes STYLE SEED`: how the king plays while his position is lost
(default: `Yes mixed 0`). Whenever his position is won, he wins it, and the message names the move that gave it to him.
The feedback folder gets `moves.txt`, for the output visualizer: `H W`, then `+ | i j` (fixed), `x | i j` (closed).

The king's game lives on the dual graph: its vertices are the posts between the doors, with TOP for the upper wall and
BOTTOM for the lower one; each door is an edge. He wants closed doors from TOP to BOTTOM. `Forests` holds two
edge-disjoint forests of the doors that still matter, as large as possible together (matroid union); from them it can be
read who wins. `Maze` is the contestant's side: rooms, entrance and exit.
"""

import contextlib
import gc
import os
import sys
from bisect import insort
from collections import deque

from judgelib import JudgeAnswer, JudgeError, Rejected, accept, bounded_integer, judge_error, quoted, reject

MAX_SIDE = int("{{max_side}}")
LINE_BYTES = 64  # no line of the game needs more than 8
WON, LOST, OPEN_DOOR = b"a 0 0\n", b"w 0 0\n", -1

TOP, BOTTOM = 0, 1
# Where an edge is: in forest 0 or 1, in both for good (closed), in neither (undecided), out of the game (fixed).
BOTH, SPARE, GONE = 2, 3, 4

UNDECIDED, FIXED, CLOSED = 0, 1, 2
FAR = 1 << 30


class Draws:
    """A stream of random numbers that is the same on every machine and version."""

    def __init__(self, seed):
        self._state = seed
        self.below(1)

    def below(self, count):
        """An integer from 0 to count - 1."""
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        return (self._state >> 33) % count

    def one_of(self, choices):
        """One element of a list."""
        return choices[self.below(len(choices))]


class Doors:
    """The doors of an H × W board, numbered from 0: first all `|` by rows, then all `-`."""

    def __init__(self, height, width):
        self.height, self.width = height, width
        self.upright = height * (width + 1)
        self.count = self.upright + (height - 1) * width
        self.rooms = height * width + 2
        self.entrance, self.exit = self.rooms - 2, self.rooms - 1
        self.posts = (height - 1) * (width + 1) + 2
        self.places = [("|", i, j) for i in range(1, height + 1) for j in range(1, width + 2)]
        self.places += [("-", i, j) for i in range(1, height) for j in range(1, width + 1)]
        self.numbers = {place: door for door, place in enumerate(self.places)}
        self.between_rooms = [self._rooms_at(*place) for place in self.places]
        self.between_posts = [self._posts_at(*place) for place in self.places]

    def _rooms_at(self, kind, i, j):
        if kind == "-":
            return self._room(i, j), self._room(i + 1, j)
        return self._room(i, j - 1), self._room(i, j)

    def _room(self, i, j):
        if j == 0:
            return self.entrance
        return self.exit if j > self.width else (i - 1) * self.width + j - 1

    def _posts_at(self, kind, i, j):
        return (
            (self._post(i, j), self._post(i, j + 1)) if kind == "-" else (self._post(i - 1, j), self._post(i, j))
        )

    def _post(self, i, j):
        if i == 0:
            return TOP
        return BOTTOM if i == self.height else 2 + (i - 1) * (self.width + 1) + j - 1

    def named(self, door):
        """A door as in the protocol."""
        return "%s %d %d" % self.places[door]


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


class Threats:
    """What the contestant would have to answer, were a door closed; for one position that is lost for the king.

    A closed door counts in both forests, so its twin wants a place in the forest where it is not, and thereby the
    places of the doors between its ends there, which want others in turn. If none of them finds room for itself, and
    one would do so by joining TOP and BOTTOM, which both forests keep apart, then all of them are answers: the king
    would join them by his next move. Sets are the bits of a number: the doors, then the posts that are roots.
    """

    def __init__(self, forests):
        where, ends, tight = forests.where, forests.ends, forests.exactly_tight()
        bits = [1 << edge for edge in range(len(where))]
        for edge in tight:
            bits[edge] = 0
        ways = [forests.ways_to_roots(1 - home, bits) for home in (0, 1)]
        self._doors, self._threat = (1 << len(bits)) - 1, (1 << TOP | 1 << BOTTOM) << len(bits)
        self._known = {}
        self._wants = {
            edge: ways[home][ends[edge][0]] ^ ways[home][ends[edge][1]]
            for edge, home in enumerate(where)
            if home <= 1 and bits[edge]
        }

    def answers(self, door):
        """The doors, as bits, of which the contestant must fix one if this one is closed; 0: there is no threat."""
        if door not in self._wants:
            return 0
        if door not in self._known:
            self._known[door] = self._wanted_by(door)
        wanted = self._known[door]
        return (wanted & self._doors) ^ (1 << door) if wanted & ~self._doors == self._threat else 0

    def _wanted_by(self, door):
        """All that the twin of a door wants, and others in turn; at least one root too many if there is room."""
        wants, known, doors = self._wants, self._known, self._doors
        room = (doors + 1) << (BOTTOM + 1)
        wanted = fresh = 1 << door
        while fresh and wanted < room:
            edge = fresh.bit_length() - 1
            if edge in known:
                more = known[edge]
                wanted |= more
                fresh &= ~more
            else:
                more = wants[edge] & ~wanted
                wanted |= more
                fresh ^= 1 << edge | (more & doors)
        return wanted


class Groups:
    """Union–find."""

    def __init__(self, size):
        self._above = list(range(size))

    def find(self, one):
        """The name of its group."""
        above = self._above
        while above[one] != one:
            above[one] = one = above[above[one]]
        return one

    def join(self, one, two):
        """Make one group of two; False if they were one."""
        one, two = self.find(one), self.find(two)
        self._above[one] = two
        return one != two


def links_of(size, ends):
    """Per vertex the (edge, other end) pairs."""
    links = [[] for _ in range(size)]
    for edge, (one, two) in enumerate(ends):
        links[one].append((edge, two))
        links[two].append((edge, one))
    return links


class Maze:
    """The doors' states, the cheapest ways through the rooms, and the currents that would flow there."""

    SWEEPS = 3
    PULL = 1.6  # over-relaxation

    def __init__(self, doors):
        self.doors = doors
        self.state = bytearray(doors.count)
        self.ends = doors.between_rooms
        self.links = links_of(doors.rooms, self.ends)
        self.undecided = list(range(doors.count))
        self._slots = list(range(doors.count))
        self._joined = Groups(doors.rooms)
        self._walled = Groups(doors.posts)
        # Currents: rooms joined by fixed doors are one node, named by `head`; `level` is kept for every room.
        self.head = list(range(doors.rooms))
        self.members = [[room] for room in range(doors.rooms)]
        self.near = [[other for _, other in links] for links in self.links]
        self.level = [1 - room % doors.width / doors.width - 0.5 / doors.width for room in range(doors.rooms)]
        self.level[doors.entrance], self.level[doors.exit] = 1.0, 0.0
        # Of the present position, once they are asked for; the two doors with the most current.
        self._reach, self._detours, self._strongest = None, None, None

    def fix(self, door):
        """The contestant's move."""
        self._decide(door, FIXED)
        one, two = self.ends[door]
        self._joined.join(one, two)
        self._merge(self.head[one], self.head[two], one, two)

    def close(self, door):
        """The king's move."""
        self._decide(door, CLOSED)
        self._walled.join(*self.doors.between_posts[door])
        one, two = self.ends[door]
        self.near[self.head[one]].remove(two)
        self.near[self.head[two]].remove(one)

    def _decide(self, door, what):
        self.state[door] = what
        self._reach, self._detours, self._strongest = None, None, None
        slot, last = self._slots[door], self.undecided.pop()
        if last != door:
            self.undecided[slot], self._slots[last] = last, slot

    def _merge(self, one, two, at_one, at_two):
        self.near[one].remove(at_two)
        self.near[two].remove(at_one)
        if one == two:
            return
        if len(self.members[one]) < len(self.members[two]):
            one, two = two, one
        level = self.level[one]
        for room in self.members[two]:
            self.head[room], self.level[room] = one, level
        self.members[one] += self.members[two]
        self.near[one] += self.near[two]
        self.near[two] = self.members[two] = []

    def crossed(self):
        """Whether fixed doors join entrance and exit."""
        return self._joined.find(self.doors.entrance) == self._joined.find(self.doors.exit)

    def cuts_off(self, door):
        """Whether closing this door separates them."""
        one, two = (self._walled.find(post) for post in self.doors.between_posts[door])
        top, bottom = self._walled.find(TOP), self._walled.find(BOTTOM)
        return top != bottom and {one, two} == {top, bottom}

    def distances(self, start, links, free, barred):
        """Per vertex: how many undecided edges a way from `start` needs, and the edge by which the way arrives."""
        state = self.state
        cost, arrival = [FAR] * len(links), [-1] * len(links)
        cost[start] = 0
        queue = deque([(0, start)])
        while queue:
            known, here = queue.popleft()
            if cost[here] < known:
                continue
            for door, other in links[here]:
                what = state[door]
                if what == free:
                    if known < cost[other]:
                        cost[other], arrival[other] = known, door
                        queue.appendleft((known, other))
                elif what != barred and known + 1 < cost[other]:
                    cost[other], arrival[other] = known + 1, door
                    queue.append((known + 1, other))
        return cost, arrival

    def cost(self):
        """How many undecided doors a cheapest way from entrance to exit has."""
        return self._from_entrance()[0][self.head[self.doors.exit]]

    def detours(self):
        """(cost of a cheapest way, {undecided door on one such way: cost of a cheapest way without it})."""
        if self._detours is None:
            self._detours = self._find_detours()
        return self._detours

    def _find_detours(self):
        # Rooms joined by fixed doors are one node, as for the currents. Without the doors of the way, the tree of
        # cheapest ways from the entrance falls into parts; an undecided door between two of them goes round all doors
        # of the way between them.
        head = self.head
        to_exit, _, _ = self._spread(self.doors.exit)
        cost, order, parent = self._from_entrance()
        way = self._cheapest_way(cost, to_exit)
        part = [-1] * len(head)
        part[order[0]] = 0
        for at, (_, room) in enumerate(way, 1):
            part[head[room]] = at
        for node in order:
            if part[node] < 0:
                part[node] = part[parent[node]]
        best, on_way = [FAR] * len(way), {door for door, _ in way}
        for door in self.undecided:
            one, two = head[self.ends[door][0]], head[self.ends[door][1]]
            if part[one] != part[two] and door not in on_way:
                near, beyond = (one, two) if part[one] < part[two] else (two, one)
                total = cost[near] + 1 + to_exit[beyond]
                for at in range(part[near], part[beyond]):
                    if total < best[at]:
                        best[at] = total
        return len(way), {door: best[at] for at, (door, _) in enumerate(way)}

    def _from_entrance(self):
        if self._reach is None:
            self._reach = self._spread(self.doors.entrance)
        return self._reach

    def _spread(self, start):
        """Per node, named by `head`: how many undecided doors away; all in this order; whence each is reached."""
        head, near = self.head, self.near
        cost, parent = [FAR] * len(head), [-1] * len(head)
        order = [head[start]]
        cost[order[0]] = 0
        for node in order:
            beyond = cost[node] + 1
            for room in near[node]:
                other = head[room]
                if cost[other] > beyond:
                    cost[other], parent[other] = beyond, node
                    order.append(other)
        return cost, order, parent

    def _cheapest_way(self, cost, to_exit):
        """The (undecided door, room behind it) of one cheapest way: of all, rooms behind fixed doors first."""
        doors, head, state = self.doors, self.head, self.state
        whole = cost[head[doors.exit]]
        arrival = {doors.entrance: OPEN_DOOR}
        rooms = [doors.entrance]
        for first in rooms:
            behind = [first]
            while behind:
                here = behind.pop()
                beyond = cost[head[here]] + 1
                for door, other in self.links[here]:
                    if other in arrival or state[door] == CLOSED:
                        continue
                    if state[door] == FIXED:
                        arrival[other] = door
                        behind.append(other)
                    elif cost[head[other]] == beyond and beyond + to_exit[head[other]] == whole:
                        arrival[other] = door
                        rooms.append(other)
        way, room = [], doors.exit
        while arrival[room] != OPEN_DOOR:
            door = arrival[room]
            if state[door] == UNDECIDED:
                way.append((door, room))
            room = sum(self.ends[door]) - room
        return way[::-1]

    def flow(self, sweeps):
        """Improve the levels by a few sweeps."""
        level, near, members, pull = self.level, self.near, self.members, self.PULL
        fixed = (self.head[self.doors.entrance], self.head[self.doors.exit])
        nodes = [
            (room, around, len(around), members[room])
            for room, around in enumerate(near)
            if around and room not in fixed
        ]
        for _ in range(sweeps):
            for room, around, count, same in nodes:
                if count == 4:  # most have four; a loop takes twice as long
                    one, two, three, four = around
                    total = level[one] + level[two] + level[three] + level[four]
                else:
                    total = 0.0
                    for other in around:
                        total += level[other]
                before = level[room]
                value = before + pull * (total / count - before)
                for other in same:
                    level[other] = value
        self._strongest = None

    def strongest(self, skip=OPEN_DOOR):
        """The undecided door with the most current."""
        if self._strongest is None:
            level = self.level
            currents = [abs(level[one] - level[two]) for one, two in map(self.ends.__getitem__, self.undecided)]
            first = currents.index(max(currents))
            currents[first] = -1.0
            self._strongest = self.undecided[first], self.undecided[currents.index(max(currents))]
        first, second = self._strongest
        return second if first == skip else first

    def picture(self):
        """The board in text: `|` and `-` closed, `:` and `.` undecided, a gap where a door is fixed open."""
        doors, state = self.doors, self.state
        frame = "    +" + "-+" * doors.width
        rows = [frame]
        for i in range(1, doors.height + 1):
            marks = [": |"[state[doors.numbers["|", i, j]]] for j in range(1, doors.width + 2)]
            rows.append("%2d  " % i + " ".join(marks))
            if i < doors.height:
                marks = [". -"[state[doors.numbers["-", i, j]]] for j in range(1, doors.width + 1)]
                rows.append("    +" + "+".join(marks) + "+")
        rows.append(frame)
        return "\n".join(rows)


class King:
    """Chooses the king's doors: a winning one whenever there is one, else by the style of the test case."""

    LOOKS = 1200  # at each move: doors that are tried as traps, times doors of the board

    def __init__(self, doors, style, seed):
        self.doors, self.style, self.draws = doors, style, Draws(seed)
        self.maze, self.forests = Maze(doors), Forests(doors)
        self._links = links_of(doors.posts, doors.between_posts)
        self._mirror = (self.draws.below(3) + 1) if style == "mirror" else 3
        self._credit = {"path": 3, "current": 3, "mirror": 1, "random": 1}
        self._played, self._cost = None, 0
        self._styles = {
            "path": self._longest_detour,
            "current": self._strongest,
            "random": self._random,
            "mirror": self._mirrored,
            "mixed": self._mixed,
            "trap": self._trap,
        }

    def sees(self, door):
        """The contestant fixed a door."""
        self.maze.fix(door)
        self.forests.fix(door)

    def closes(self, door):
        """The king closes a door."""
        self.maze.close(door)
        self.forests.close(door)

    def choice(self, last):
        """(lead, door): who wins, as `Forests.replies` tells, and what to close. `last`: the contestant's door."""
        lead, winning = self.forests.replies()
        if lead == 0:
            return 0, self._styles[self.style](last)
        return lead, self._shortest_wall(winning)

    def _shortest_wall(self, winning):
        """Of the winning doors one that lies on a cheapest wall from TOP to BOTTOM."""
        below, _ = self.maze.distances(TOP, self._links, CLOSED, FIXED)
        above, _ = self.maze.distances(BOTTOM, self._links, CLOSED, FIXED)
        ends = self.doors.between_posts

        def length(door):
            one, two = ends[door]
            return min(below[one] + above[two], below[two] + above[one])

        return min(winning, key=length)

    def _longest_detour(self, _last):
        """A door of a cheapest way, without which the way gets longest."""
        _, detours = self.maze.detours()
        longest = max(detours.values())
        return self.draws.one_of([door for door, cost in detours.items() if cost == longest])

    def _strongest(self, _last):
        self.maze.flow(self.maze.SWEEPS)
        return self.maze.strongest()

    def _random(self, _last):
        return self.draws.one_of(self.maze.undecided)

    def _mirrored(self, last):
        """The mirror image of the contestant's door: left–right, top–bottom or both; a neighbour where it is gone."""
        if last == OPEN_DOOR:
            return self._random(last)
        kind, i, j = self.doors.places[last]
        if self._mirror & 1:
            i = self.doors.height + (1 if kind == "|" else 0) - i
        if self._mirror & 2:
            j = self.doors.width + (2 if kind == "|" else 1) - j
        door = self.doors.numbers[kind, i, j]
        if self.maze.state[door] == UNDECIDED:
            return door
        return self._beside(last)

    def _beside(self, last):
        """An undecided door at one of the rooms of a door."""
        if last == OPEN_DOOR:
            return self._random(last)
        rooms = self.doors.between_rooms[last]
        around = [door for room in rooms for door, _ in self.maze.links[room]]
        around = [door for door in around if self.maze.state[door] == UNDECIDED]
        return self.draws.one_of(around) if around else self._random(last)

    def _mixed(self, last):
        """Any style; those after which the cheapest way did not get cheaper are chosen more often."""
        cost = self.maze.cost()
        credit = self._credit
        if self._played is not None:
            change = 1 if cost >= self._cost else -1
            credit[self._played] = min(max(credit[self._played] + change, 1), 6)
        names = [name for name in sorted(credit) for _ in range(credit[name])]
        self._played, self._cost = self.draws.one_of(names), cost
        return self._styles[self._played](last)

    def _trap(self, last):
        """A door whose closing must be answered, and where the obvious answers fail or few do not."""
        styles = (self._longest_detour, self._strongest, self._random, self._mirrored, self._beside, self._random)
        styles = styles[self.draws.below(2) :][: self.LOOKS // self.doors.count]
        if len(styles) < 2:
            return styles[0](last)
        best, chosen, threats = -1, OPEN_DOOR, Threats(self.forests)
        for style in styles:
            door = style(last)
            worth = self._worth(door, threats.answers(door))
            if worth > best:
                best, chosen = worth, door
        return chosen

    def _worth(self, door, answers):
        """How hard it is to answer the closing of this door, by one of these doors (as bits)."""
        if not answers:
            return 0
        _, detours = self.maze.detours()
        obvious = {self.maze.strongest(door), max(detours, key=detours.get)} - {door}
        missed = [one for one in obvious if not answers >> one & 1]
        return 1000 * len(missed) + self.doors.count - bin(answers).count("1")


class Contestant:
    """The submission at the other end of the pipes; what it writes is hostile."""

    def __init__(self):
        self._unread = b""

    def hear(self):
        """The next line without its end; the last one may lack it."""
        while b"\n" not in self._unread:
            self._bounded(self._unread)
            more = os.read(0, 4096)
            if not more:
                line, self._unread = self._unread, b""
                if not line:
                    raise Rejected("the output ended")
                return line
            self._unread += more
        line, _, self._unread = self._unread.partition(b"\n")
        self._bounded(line)
        return line

    @staticmethod
    def _bounded(line):
        if len(line) > LINE_BYTES:
            raise Rejected("a line of more than %d bytes: %s" % (LINE_BYTES, quoted(line)))

    @staticmethod
    def say(line):
        """Send a line."""
        try:
            os.write(1, line)
        except OSError:
            raise Rejected("the submission stopped reading") from None

    def must_be_silent(self):
        """Nothing may follow until the submission closes its output."""
        os.close(1)
        more = self._unread or os.read(0, 4096)
        if more:
            raise Rejected("output after the end: %s" % quoted(more))


class Game:
    """The rules: whose move it is, what is a move, and how it ends."""

    def __init__(self, doors, king, contestant, record=None):
        self.doors, self.king, self.contestant = doors, king, contestant
        self.record = [] if record is None else record
        self.moves, self.last = 0, OPEN_DOOR
        self._blunder = None

    def play(self, contestant_first):
        """Until the contestant has won; raises Rejected when he has not."""
        try:
            if not contestant_first:
                self._king_moves()
            while not self._contestant_moves():
                self._king_moves()
        except Rejected as why:
            where = "move %d: " % self.moves if self.moves else ""
            raise Rejected("%s%s\n%s" % (where, why, self.king.maze.picture())) from None

    def _contestant_moves(self):
        """Read a move and make it; is the game won?"""
        self.moves += 1
        door = self._door(self.contestant.hear())
        before = bytes(self.king.maze.state)
        self.king.sees(door)
        self.record.append("+ " + self.doors.named(door))
        self.last = door
        if self.king.maze.crossed():
            self.contestant.say(WON)
            return True
        self._before = before
        return False

    def _door(self, line):
        words = line.split()
        numbers = [bounded_integer(word, 1, MAX_SIDE + 1) for word in words[1:]]
        if len(words) != 3 or words[0] not in (b"|", b"-") or None in numbers:
            raise Rejected("expected a door `| i j` or `- i j`, found %s" % quoted(line))
        door = self.doors.numbers.get((words[0].decode(), *numbers))
        name = line_of(words)
        if door is None:
            raise Rejected(
                "there is no door `%s` on a board of %d × %d" % (name, self.doors.height, self.doors.width)
            )
        if self.king.maze.state[door] == FIXED:
            raise Rejected("the door `%s` is fixed already" % name)
        if self.king.maze.state[door] == CLOSED:
            raise Rejected("the door `%s` is closed" % name)
        return door

    def _king_moves(self):
        lead, door = self.king.choice(self.last)
        if lead and self._blunder is None:
            self._blunder = (self.moves, self.last, door, self._before)
        self.record.append("x " + self.doors.named(door))
        if self.king.maze.cuts_off(door):
            self.king.maze.close(door)
            raise Rejected(self._account_of_defeat(door))
        self.king.closes(door)
        self.contestant.say(b"%s\n" % self.doors.named(door).encode())

    def _account_of_defeat(self, door):
        """Which move lost, what proves it, and what would have been right."""
        named = self.doors.named
        number, mistake, reply, state = self._blunder
        keepers = Forests(self.doors, state).keepers()
        instead = ", `%s` would have kept the win" % named(keepers[0]) if keepers else ""
        return (
            "the king closes `%s`, and no way is left from the entrance to the exit. "
            "The game was lost by move %d, `%s`%s: the king's answer `%s` wins against everything"
            % (named(door), number, named(mistake), instead, named(reply))
        )


def line_of(words):
    """The words with single spaces."""
    return b" ".join(words).decode("ascii")


def wins(height, width, contestant_first):
    """Whether the contestant can win."""
    return height >= width + (1 if contestant_first else 2)


def read_case(path):
    """(H, W, whether the contestant moves first)."""
    case = JudgeAnswer(bytes_of(path))
    height, width = case.integer("H", 1, MAX_SIDE), case.integer("W", 1, MAX_SIDE)
    first = case.choice("the mover", (b"First", b"Second")) == b"First"
    case.end()
    return height, width, first


def read_answer(path, winnable):
    """(style, seed) of the king; the answer's first word must be right."""
    words = bytes_of(path).split()
    if not words or words[0] != (b"Yes" if winnable else b"No"):
        raise JudgeError("the answer file must start with %s" % ("Yes" if winnable else "No"))
    answer = JudgeAnswer(b" ".join(words[1:] or [b"mixed", b"0"]))
    style = answer.choice("the king's style", (b"path", b"current", b"random", b"mirror", b"mixed", b"trap"))
    seed = answer.integer("the seed", 0, 1 << 40)
    answer.end()
    return style.decode(), seed


def bytes_of(path):
    """A file's bytes."""
    with open(path, "rb") as file:
        return file.read()


def converse(height, width, first, king_plays, contestant, record):
    """The whole interaction; raises Rejected unless the contestant does all of it right."""
    winnable = wins(height, width, first)
    contestant.say(b"%d %d %s\n" % (height, width, b"First" if first else b"Second"))
    claim = contestant.hear().strip()
    if claim not in (b"Yes", b"No"):
        raise Rejected("expected `Yes` or `No`, found %s" % quoted(claim))
    if claim == b"No" and winnable:
        raise Rejected("`No`, but the contestant can win")
    if claim == b"Yes" and not winnable:
        raise Rejected("`Yes`, but the demon king can win")
    if winnable:
        doors = Doors(height, width)
        Game(doors, King(doors, *king_plays), contestant, record).play(first)
    contestant.must_be_silent()


def leave(feedback_dir, height, width, record):
    """The game for the output visualizer."""
    with open(os.path.join(feedback_dir, "moves.txt"), "w") as file:
        file.write("\n".join(["%d %d" % (height, width), *record, ""]))


def main():
    """Run as the package format says."""
    case_path, answer_path, feedback_dir = sys.argv[1:4]
    contestant, record = Contestant(), []
    gc.disable()  # there is little to collect, and a collection would take longer than a move
    try:
        height, width, first = read_case(case_path)
        king_plays = read_answer(answer_path, wins(height, width, first))
        converse(height, width, first, king_plays, contestant, record)
    except Rejected as why:
        with contextlib.suppress(Rejected):  # nobody may be there to hear it
            contestant.say(LOST)
        leave(feedback_dir, height, width, record)
        reject(feedback_dir, str(why))
    except JudgeError as error:
        judge_error(feedback_dir, str(error))
    leave(feedback_dir, height, width, record)
    accept(feedback_dir)


if __name__ == "__main__":
    main()
