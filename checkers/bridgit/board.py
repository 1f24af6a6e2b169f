"""Of `bridgit`: the board, its doors, and what all parts of the interactor share.

The king's game lives on the dual graph: its vertices are the posts between the doors, with TOP for the upper wall and
BOTTOM for the lower one; each door is an edge. He wants closed doors from TOP to BOTTOM.
"""

TOP, BOTTOM = 0, 1
UNDECIDED, FIXED, CLOSED = 0, 1, 2
OPEN_DOOR = -1  # no door: nothing to cross, nothing played


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
