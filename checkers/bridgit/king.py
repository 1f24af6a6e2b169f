"""Of `bridgit`: the demon king's player."""

from board import BOTTOM, CLOSED, FIXED, OPEN_DOOR, TOP, UNDECIDED, Draws, links_of
from forests import Forests
from maze import Maze
from threats import Threats


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
