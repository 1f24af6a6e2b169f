"""Of `bridgit`: the contestant's side of a position, rooms and the ways through them."""

from collections import deque

from board import BOTTOM, CLOSED, FIXED, OPEN_DOOR, TOP, UNDECIDED, Groups, links_of

FAR = 1 << 30


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
