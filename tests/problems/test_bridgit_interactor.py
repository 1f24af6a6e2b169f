"""The interactor of `bridgit` plays perfectly: against exhaustive game values, and against the theory on large boards.

Here "the king" is the interactor's player, who closes doors. A position is a list of states: 0 undecided, 1 fixed, 2
closed. All of it runs on the one file that is shipped.
"""

import itertools
import random

import pytest

from problems.conftest import ROOT, load_program

PACKAGE = ROOT / "problems" / "bridgit"
STYLES = ["path", "current", "random", "mirror", "mixed", "trap"]
SMALL = [(h, w) for h in range(1, 5) for w in range(1, 8) if 2 * h * w + h - w <= 8]
LARGER = [(h, w) for h in range(1, 5) for w in range(1, 11) if 8 < 2 * h * w + h - w <= 11]


@pytest.fixture(scope="module")
def judge(shipped):
    """The interactor as a module."""
    return load_program(shipped("output_validator"))


def parts(size, pairs):
    """Per vertex the name of its part."""
    above = list(range(size))

    def top(vertex):
        while above[vertex] != vertex:
            above[vertex] = vertex = above[above[vertex]]
        return vertex

    for one, two in pairs:
        above[top(one)] = top(two)
    return [top(vertex) for vertex in range(size)]


class Values:
    """The value of every position of a board, by going backwards from the full ones.

    A position is numbered in base 3, the first door least. king[n], contestant[n]: does the king win when it is this
    one's move; over[n]: has somebody won.
    """

    def __init__(self, doors):
        self.count = doors.count
        self.powers = [3**door for door in range(doors.count)]
        total = 3**doors.count
        self.king, self.contestant, self.over = bytearray(total), bytearray(total), bytearray(total)
        for number in range(total - 1, -1, -1):
            state = self.state(number)
            fixed = [pair for pair, what in zip(doors.between_rooms, state, strict=True) if what == 1]
            passable = [pair for pair, what in zip(doors.between_rooms, state, strict=True) if what != 2]
            part = parts(doors.rooms, fixed)
            if part[doors.entrance] == part[doors.exit]:
                self.over[number] = 1
                continue
            part = parts(doors.rooms, passable)
            if part[doors.entrance] != part[doors.exit]:
                self.over[number] = self.king[number] = self.contestant[number] = 1
                continue
            free = [power for power, what in zip(self.powers, state, strict=True) if what == 0]
            self.king[number] = any(self.contestant[number + 2 * power] for power in free)
            self.contestant[number] = all(self.king[number + power] for power in free)

    def state(self, number):
        """The states of the doors."""
        return [number // power % 3 for power in self.powers]

    def running(self):
        """The positions in which nobody has won."""
        return [number for number, over in enumerate(self.over) if not over]


_VALUES = {}


def values_of(judge, size):
    """Kept for the session: several tests ask."""
    if size not in _VALUES:
        doors = judge.Doors(*size)
        _VALUES[size] = doors, Values(doors)
    return _VALUES[size]


def king_at(judge, doors, state, style="path", seed=1):
    """A king who has come to this position move by move, in some order."""
    king = judge.King(doors, style, seed)
    order = [door for door, what in enumerate(state) if what]
    random.Random(seed).shuffle(order)
    for door in order:
        (king.sees if state[door] == 1 else king.closes)(door)
    return king


def check_forests(judge, doors, values, number):
    """Who wins, every winning reply, every answer to a threat: as in the game's tree."""
    state = values.state(number)
    for forests in (judge.Forests(doors, state), king_at(judge, doors, state, seed=number).forests):
        lead, winning = forests.replies()
        assert lead == (2 if values.contestant[number] else 1 if values.king[number] else 0)
        for door in winning:
            assert state[door] == 0
            assert values.contestant[number + 2 * values.powers[door]]
        assert bool(winning) == (lead > 0)
        if lead == 1:
            right = {door for door in range(doors.count) if state[door] == 0}
            right = {door for door in right if not values.king[number + values.powers[door]]}
            assert set(forests.keepers()) == right


def check_king(judge, doors, values, number, style):
    """The king's own move: legal, and winning whenever there is a winning one."""
    state = values.state(number)
    lead, door = king_at(judge, doors, state, style, number).choice(judge.OPEN_DOOR)
    assert state[door] == 0
    assert bool(lead) == bool(values.king[number])
    if lead:
        assert values.contestant[number + 2 * values.powers[door]]


@pytest.mark.parametrize("size", SMALL, ids=str)
def test_forests_know_the_value_of_every_position_of_a_small_board(size, judge):
    doors, values = values_of(judge, size)
    for number in values.running():
        check_forests(judge, doors, values, number)


@pytest.mark.parametrize("size", SMALL, ids=str)
def test_king_of_every_style_wins_every_won_position_of_a_small_board(size, judge):
    doors, values = values_of(judge, size)
    for number in values.running():
        check_king(judge, doors, values, number, STYLES[number % len(STYLES)])


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("size", LARGER, ids=str)
def test_forests_know_the_value_of_every_position_up_to_eleven_doors(size, judge):
    doors, values = values_of(judge, size)
    for number in values.running():
        check_forests(judge, doors, values, number)
        check_king(judge, doors, values, number, STYLES[number % len(STYLES)])


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_forests_know_the_value_of_many_positions_of_the_3x2_board(judge):
    doors, values = values_of(judge, (3, 2))
    for number in random.Random(1).sample(values.running(), 60_000):
        check_forests(judge, doors, values, number)


@pytest.mark.parametrize("size", SMALL, ids=str)
def test_condition_for_winning_is_the_value_of_the_first_position(size, judge):
    _, values = values_of(judge, size)
    assert judge.wins(*size, True) == (not values.contestant[0])
    assert judge.wins(*size, False) == (not values.king[0])


def test_condition_for_winning_is_that_of_the_forests_on_all_400_boards(judge):
    for height, width in itertools.product(range(1, 21), repeat=2):
        lead, _ = judge.Forests(judge.Doors(height, width)).replies()
        assert judge.wins(height, width, True) == (lead < 2) == (height >= width + 1), (height, width)
        assert judge.wins(height, width, False) == (lead == 0) == (height >= width + 2), (height, width)


class PlainUnion:
    """Two edge-disjoint forests by the textbook: no roots, no marks, nothing kept. Slow, and easy to believe."""

    def __init__(self, edges):
        self.edges = edges
        self.forests = (set(), set())

    def way(self, forest, start, end):
        """The edges between two vertices in a forest, None if there is no way."""
        links = {}
        for edge in forest:
            for here, there in (self.edges[edge], self.edges[edge][::-1]):
                links.setdefault(here, []).append((edge, there))
        came, order = {start: None}, [start]
        for vertex in order:
            for edge, other in links.get(vertex, ()):
                if other not in came:
                    came[other] = (edge, vertex)
                    order.append(other)
        if end not in came:
            return None
        way = []
        while came[end]:
            edge, end = came[end]
            way.append(edge)
        return way

    def insert(self, newcomer):
        """Whether the two forests can hold this edge as well."""
        wanted_by, queue = {newcomer: None}, [newcomer]
        for edge in queue:
            for forest in self.forests:
                if edge in forest:
                    continue
                way = self.way(forest, *self.edges[edge])
                if way is None:
                    self._move(edge, forest, wanted_by)
                    return True
                for other in way:
                    if other not in wanted_by:
                        wanted_by[other] = edge
                        queue.append(other)
        return False

    def _move(self, edge, forest, wanted_by):
        while edge is not None:
            left = next((other for other in self.forests if edge in other), None)
            if left is not None:
                left.discard(edge)
            forest.add(edge)
            edge, forest = wanted_by[edge], left


def lead_by_theory(doors, state):
    """Who wins with the king to move, from the contestant's graph (Lehman), not from the king's.

    The contestant wins as second player exactly when one more edge from entrance to exit does not fit into two
    edge-disjoint forests; as first player, when a second copy of it does not.
    """
    part = parts(doors.rooms, [pair for pair, what in zip(doors.between_rooms, state, strict=True) if what == 1])
    open_doors = [pair for pair, what in zip(doors.between_rooms, state, strict=True) if what == 0]
    edges = [(part[one], part[two]) for one, two in open_doors if part[one] != part[two]]
    union = PlainUnion([*edges, *[(part[doors.entrance], part[doors.exit])] * 2])
    for edge in range(len(edges)):
        union.insert(edge)
    first = union.insert(len(edges))
    return first + (first and union.insert(len(edges) + 1))


def random_position(rng, doors):
    """A position in which nobody has won, from play with both sides at random, or with a bias to one of them."""
    state = [0] * doors.count
    bias = rng.choice([0.35, 0.5, 0.5, 0.65])
    keep = rng.random()
    order = list(range(doors.count))
    rng.shuffle(order)
    for door in order[: int(keep * doors.count)]:
        state[door] = 1 if rng.random() < bias else 2
        fixed = [pair for pair, what in zip(doors.between_rooms, state, strict=True) if what == 1]
        passable = [pair for pair, what in zip(doors.between_rooms, state, strict=True) if what != 2]
        shut, joined = parts(doors.rooms, passable), parts(doors.rooms, fixed)
        if shut[doors.entrance] != shut[doors.exit] or joined[doors.entrance] == joined[doors.exit]:
            state[door] = 0
    return state


def check_against_theory(judge, rng, sizes, rounds):
    """Random positions: the king's forests against the contestant's; each winning reply wins by the theory."""
    seen = [0, 0, 0]
    for _ in range(rounds):
        doors = judge.Doors(*rng.choice(sizes))
        state = random_position(rng, doors)
        lead, winning = judge.Forests(doors, state).replies()
        assert lead == lead_by_theory(doors, state)
        seen[lead] += 1
        if winning:
            door = rng.choice(winning)
            assert lead_by_theory(doors, state[:door] + [2] + state[door + 1 :]) == 2
    assert all(seen), seen


def test_leads_of_random_positions_agree_with_the_theory_on_the_contestants_graph(judge):
    sizes = [(h, w) for h in range(2, 8) for w in range(1, 7)]
    check_against_theory(judge, random.Random(1), sizes, 500)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_leads_of_many_random_positions_agree_with_the_theory(judge):
    sizes = [(h, w) for h in range(2, 13) for w in range(1, 12)]
    check_against_theory(judge, random.Random(2), sizes, 1500)


def check_maintained_against_afresh(judge, rng, size, wanted):
    """Games in which both sides play well or at random: at every position, kept forests against new ones."""
    doors = judge.Doors(*size)
    positions = 0
    while positions < wanted:
        king = judge.King(doors, rng.choice(STYLES), rng.randrange(1000))
        skill = rng.choice([0.0, 0.5, 0.9, 1.0])
        last, lost = judge.OPEN_DOOR, False
        while positions < wanted:
            state = list(king.maze.state)
            fresh = judge.Forests(doors, state)
            lead, winning = king.forests.replies()
            assert lead == fresh.replies()[0]
            assert lead or not lost, "a won position was lost"
            lost = lead > 0
            positions += 1
            lead, door = king.choice(last)
            if lead:
                assert door in winning
            if king.maze.cuts_off(door):
                break
            king.closes(door)
            if lead:
                assert judge.Forests(doors, list(king.maze.state)).replies()[0] == 2
            keepers = king.forests.keepers() if king.forests.replies()[0] == 1 else []
            last = rng.choice(keepers if keepers and rng.random() < skill else king.maze.undecided)
            king.sees(last)
            if king.maze.crossed():
                break
    return positions


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "size", [(2, 1), (3, 2), (4, 4), (6, 4), (5, 8), (7, 6), (9, 5), (12, 10), (20, 19), (20, 20)], ids=str
)
def test_maintained_forests_are_as_good_as_new_ones(size, judge):
    check_maintained_against_afresh(judge, random.Random(sum(size)), size, 400 if size[0] < 10 else 150)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(10))
def test_maintained_forests_are_as_good_as_new_ones_at_a_hundred_thousand_positions(seed, judge):
    rng = random.Random(seed)
    sizes = [
        (6, 5),
        (7, 5),
        (9, 8),
        (9, 9),
        (10, 8),
        (11, 12),
        (12, 8),
        (13, 12),
        (16, 14),
        (20, 18),
        (20, 19),
        (20, 20),
    ]
    left = 10_000
    while left > 0:
        size = rng.choice(sizes)
        left -= check_maintained_against_afresh(judge, rng, size, min(left, 200))


class Chance:
    """A contestant without a plan, who keeps a record: (whose move, door)."""

    def __init__(self, doors, king, rng):
        self.doors, self.king, self.rng, self.record = doors, king, rng, []
        self.named = {doors.named(door): door for door in range(doors.count)}

    def hear(self):
        """Any door that is left."""
        door = self.rng.choice(self.king.maze.undecided)
        self.record.append((1, door))
        return self.doors.named(door).encode()

    def say(self, line):
        """What the king does."""
        if line[:1] in b"|-":
            self.record.append((2, self.named[line.decode().strip()]))

    def position_before(self, number, values):
        """The number of the position before the contestant's `number`-th move."""
        at = [index for index, (who, _) in enumerate(self.record) if who == 1][number - 1]
        return sum(who * values.powers[door] for who, door in self.record[:at])


def test_account_of_a_defeat_is_true(judge):
    """Who plays by chance on a won board loses; each claim of the message is held against the game's tree."""
    doors, values = values_of(judge, (3, 1))
    defeats = 0
    for seed in range(200):
        king = judge.King(doors, STYLES[seed % len(STYLES)], seed)
        chance = Chance(doors, king, random.Random(seed))
        try:
            judge.Game(doors, king, chance).play(bool(seed % 2))
        except judge.Rejected as why:
            defeats += 1
            closing, mistake, instead, reply = (chance.named[name] for name in str(why).split("`")[1:9:2])
            number = int(str(why).split("lost by move ")[1].split(",")[0])
            before, power = chance.position_before(number, values), values.powers
            assert [who for who, door in chance.record].count(1) == int(str(why).split("move ")[1].split(":")[0])
            assert king.maze.state[closing] == 2
            assert (1, mistake) in chance.record
            assert not values.contestant[before]
            assert values.king[before + power[mistake]]
            assert not values.king[before + power[instead]]
            assert values.contestant[before + power[mistake] + 2 * power[reply]]
    assert defeats > 50
