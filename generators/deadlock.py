"""Writes one input of `deadlock`: deadlock.py KIND [style=STYLE] [boxes=N] [floor=N] [side=N] [count=N] [SEED].

KIND is the reason for which half of the `count` positions are dead, the first that holds of
  simple    a box stands where not even a lone box can be pushed to a goal
  freeze    boxes block each other for good, one of them off the goals
  matching  every box has a goal, but two or more need the same one
  corral    the keeper cannot get where he would have to, even if boxes vanished on goals; the boxes of a smallest
            subset of which this is true touch each other, corners included
  units     the same, but they do not touch: only the combination of parts of the map that lie apart is dead
  crowd     boxes in or before the goals are in the way of others
or `mixed`: all of these in turn. The other positions can be solved and look alike: they are the bait for methods that
judge by looks. STYLE: cave (a random blob), halls (small rooms and corridors), scatter (walls by lot). `floor`: at
most so many cells that are not wall; `side`: rows and columns of the largest board.

Truth comes from a search backwards from all solved positions of the map. Sets of cells are the bits of one integer.
"""

import itertools
import random
import sys
from dataclasses import dataclass, field

import grids

KINDS = ("simple", "freeze", "matching", "corral", "units", "crowd")
DRAWS = 150  # positions tried on one map before the next map is made
WANTED_PER_MAP = 2  # dead positions, and as many that are not, taken from one map


def walked(start, free, width):
    """All cells of `free` that the keeper can walk to."""
    while True:
        wider = (start | start << 1 | start >> 1 | start << width | start >> width) & free
        if wider == start:
            return start
        start = wider


def members(cells):
    """The cells of a set, one bit each."""
    while cells:
        lowest = cells & -cells
        yield lowest
        cells ^= lowest


@dataclass(kw_only=True)
class Map:
    """Walls and goals, and what was found out about them."""

    height: int
    width: int
    floor: int
    goals: int
    alive: dict = field(default_factory=dict)

    def live_squares(self):
        """The cells from which a lone box can be pushed to some goal, wherever the keeper stands."""
        live, wider = 0, self.goals
        while live != wider:
            live = wider
            for step in (1, self.width):
                wider |= live >> step & self.floor & self.floor << step
                wider |= live << step & self.floor & self.floor >> step
        return live

    def solvable(self, boxes, walk):
        """Whether the keeper on `walk` can bring all of `boxes` onto goals; there may be fewer boxes than goals."""
        number = boxes.bit_count()
        if number not in self.alive:
            self.alive[number] = self._pulled_back(number)
        return (boxes, walk) in self.alive[number]

    def _pulled_back(self, number):
        """All positions with so many boxes that can be solved, by pulling boxes from the solved ones."""
        todo = []
        for solved in itertools.combinations(members(self.goals), number):
            free = self.floor & ~sum(solved)
            while free:
                walk = walked(free & -free, free, self.width)
                todo.append((sum(solved), walk))
                free &= ~walk
        seen = set(todo)
        for boxes, walk in todo:
            for before, cell in self._pulls(boxes, walk):
                position = before, walked(cell, self.floor & ~before, self.width)
                if position not in seen:
                    seen.add(position)
                    todo.append(position)
        return seen

    def _pulls(self, boxes, walk):
        """The positions before the last push, as (boxes, cell of the keeper)."""
        room = walk & (self.floor & ~boxes)
        for step in (1, self.width):
            for box in members(boxes & room << step & room << 2 * step):
                yield boxes ^ box ^ box >> step, box >> 2 * step
            for box in members(boxes & room >> step & room >> 2 * step):
                yield boxes ^ box ^ box << step, box << 2 * step


def frozen_off_goal(board, boxes):
    """Whether boxes that can never move again, along neither axis, include one off the goals."""
    floor, live = board.floor, board.live_squares()
    frozen = boxes
    while True:
        movable = 0
        for box in members(frozen):
            for step in (1, board.width):
                beside = (box << step, box >> step)
                blocked = any(not side & floor or side & frozen for side in beside)
                if not blocked and any(side & live for side in beside):
                    movable |= box
        if not movable:
            return bool(frozen & ~board.goals)
        frozen &= ~movable


def has_matching(board, boxes):
    """Whether every box can have a goal of its own to which it could be pushed if it were alone."""
    taken = {}

    def serve(box, tried):
        for goal in members(board.goals & ~tried[0]):
            if not Map(height=0, width=board.width, floor=board.floor, goals=goal).live_squares() & box:
                continue
            tried[0] |= goal
            if goal not in taken or serve(taken[goal], tried):
                taken[goal] = box
                return True
        return False

    return all(serve(box, [0]) for box in members(boxes))


def is_shut_in(board, boxes, keeper):
    """Whether the boxes cannot all be brought to goals even if they vanished there."""
    live = board.live_squares()
    todo = [(boxes & ~board.goals, keeper)]
    seen = set()
    for loose, cell in todo:
        if not loose:
            return False
        walk = walked(cell, board.floor & ~loose, board.width)
        if (loose, walk) not in seen:
            seen.add((loose, walk))
            for step in (1, board.width):
                ahead, back = live & ~loose, loose & walk << step
                todo += [
                    ((loose ^ box | box << step) & ~board.goals, box) for box in members(back & ahead >> step)
                ]
                back = loose & walk >> step
                todo += [
                    ((loose ^ box | box >> step) & ~board.goals, box) for box in members(back & ahead << step)
                ]
    return True


def smallest_shut_in(board, boxes, keeper):
    """The first smallest subset of the boxes that is shut in by itself, or None."""
    if not is_shut_in(board, boxes, keeper):
        return None
    subsets = (sum(some) for number in range(1, 5) for some in itertools.combinations(members(boxes), number))
    return next(subset for subset in subsets if is_shut_in(board, subset, keeper))


def touching(boxes, width):
    """Whether the boxes hang together, corners included."""
    part = boxes & -boxes
    while True:
        row = part | part << 1 | part >> 1
        wider = (row | row << width | row >> width) & boxes
        if wider == part:
            return part == boxes
        part = wider


def kind_of(board, boxes, keeper):
    """Why this position is dead."""
    if boxes & ~board.live_squares():
        return "simple"
    if frozen_off_goal(board, boxes):
        return "freeze"
    if not has_matching(board, boxes):
        return "matching"
    shut_in = smallest_shut_in(board, boxes, keeper)
    if shut_in is None:
        return "crowd"
    return "corral" if touching(shut_in, board.width) else "units"


def is_bait(board, boxes, walk, kind):
    """Whether a position that can be solved looks like a dead one of this kind."""
    walls, wide = ~board.floor, board.width
    loose = boxes & ~board.goals
    if kind == "simple":
        return bool(loose & (walls << 1 | walls >> 1 | walls << wide | walls >> wide))
    if kind == "freeze":
        solid = walls | boxes
        return bool(boxes & (solid << 1 | solid >> 1) & (solid << wide | solid >> wide)) and bool(loose)
    if kind in ("corral", "units"):
        return walk != board.floor & ~boxes and bool(loose)
    return bool(loose)


def cave(height, width, cells, rng):
    """A blob that grows from the middle by random neighbours: crooked walls, few straight ways."""
    start = 1 << (height // 2 * width + width // 2)
    floor, inner = start, interior(height, width)
    while floor.bit_count() < cells:
        edge = (floor << 1 | floor >> 1 | floor << width | floor >> width) & inner & ~floor
        if not edge:
            break
        floor |= chosen(rng, edge)
    return floor


def halls(height, width, cells, rng):
    """Rooms of two or three cells a side, and corridors from one to the next: boxes in doors, corrals, units."""
    floor, inner = 0, interior(height, width)
    last = None
    for _ in range(6):
        rows, cols = 2 + grids.below(rng, 2), 2 + grids.below(rng, 2)
        top, left = 1 + grids.below(rng, max(height - rows - 1, 1)), 1 + grids.below(rng, max(width - cols - 1, 1))
        room = sum(1 << (row * width + col) for row in range(top, top + rows) for col in range(left, left + cols))
        way = corridor(last, (top, left), width, rng) if last else 0
        if (floor | room | way).bit_count() > cells:
            break
        floor |= (room | way) & inner
        last = (top, left)
    return floor


def corridor(start, end, width, rng):
    """The cells of a way with one bend."""
    (top, left), (bottom, right) = start, end
    row, col = (top, right) if rng.getrandbits(1) else (bottom, left)
    across = sum(1 << (row * width + at) for at in range(min(left, right), max(left, right) + 1))
    down = sum(1 << (at * width + col) for at in range(min(top, bottom), max(top, bottom) + 1))
    return across | down


def scatter(height, width, cells, rng):
    """Walls by lot, the part around the middle: pillars, loops, pockets."""
    cavern = grids.random_field(height, width, rng, density=30)
    free = sum(1 << cell for cell, sign in enumerate(cavern) if sign == grids.FLOOR[0]) & interior(height, width)
    if not free:
        return 0
    floor = chosen(rng, free)
    while floor.bit_count() < cells:
        edge = (floor << 1 | floor >> 1 | floor << width | floor >> width) & free & ~floor
        if not edge:
            break
        floor |= chosen(rng, edge)
    return floor


STYLES = {"cave": cave, "halls": halls, "scatter": scatter}


def interior(height, width):
    """All cells but those of the outer rows and columns."""
    return sum(((1 << (width - 2)) - 1) << (row * width + 1) for row in range(1, height - 1))


def chosen(rng, cells):
    """One cell of a set, by lot."""
    return next(itertools.islice(members(cells), grids.below(rng, cells.bit_count()), None))


def several(rng, cells, number):
    """So many cells of a set, by lot."""
    return sum(grids.shuffled(rng, members(cells))[:number])


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What the arguments ask for."""

    kind: str
    style: str = "cave"
    boxes: int = 3
    floor: int = 22
    side: int = 9
    count: int = 20


def random_map(wish, rng):
    """A map with goals, or None when it came out too small."""
    height, width = (wish.side - grids.below(rng, 3) for _ in range(2))
    floor = STYLES[wish.style](height, width, wish.floor - grids.below(rng, 4), rng)
    if floor.bit_count() < 2 * wish.boxes + 2:
        return None
    return Map(height=height, width=width, floor=floor, goals=several(rng, floor, wish.boxes))


def random_positions(board, wish, rng):
    """Positions on this map, by lot: (boxes, cell of the keeper)."""
    squares = board.floor if wish.kind in ("simple", "mixed") else board.live_squares()
    if squares.bit_count() <= wish.boxes:
        return
    for _ in range(DRAWS):
        boxes = several(rng, squares, wish.boxes)
        yield boxes, chosen(rng, board.floor & ~boxes)


def harvest(board, wish, rng, kinds, texts):
    """Take from one map what is still wanted: `kinds` are the reasons asked for, `texts` [dead, solvable] so far."""
    taken = [0, 0]
    for boxes, keeper in random_positions(board, wish, rng):
        walk = walked(keeper, board.floor & ~boxes, board.width)
        solvable = board.solvable(boxes, walk)
        wanted = kinds[len(texts[0]) % len(kinds)]
        if taken[solvable] == WANTED_PER_MAP or len(texts[solvable]) == wish.count // 2:
            continue
        if is_bait(board, boxes, walk, wanted) if solvable else kind_of(board, boxes, keeper) == wanted:
            text = printed(board, boxes, keeper)
            if text not in texts[solvable]:
                texts[solvable].append(text)
                taken[solvable] += 1


def built(arguments):
    """The bytes of the input that these arguments ask for."""
    kind, *rest = arguments
    options = dict(word.split("=", 1) for word in rest if "=" in word)
    seeds = [int(word) for word in rest if "=" not in word]
    numbers = {name: value if name == "style" else int(value) for name, value in options.items()}
    wish, rng = Wish(kind=kind, **numbers), random.Random(seeds[0] if seeds else 0)
    kinds = KINDS if kind == "mixed" else (kind,)
    texts = [[], []]
    while sum(map(len, texts)) < wish.count:
        board = random_map(wish, rng)
        if board is not None:
            harvest(board, wish, rng, kinds, texts)
    return b"%d\n" % wish.count + b"".join(grids.shuffled(rng, texts[0] + texts[1]))


def printed(board, boxes, keeper):
    """The bytes of one position."""
    lines = [b"%d %d" % (board.height, board.width)]
    for row in range(board.height):
        cells = (1 << (row * board.width + column) for column in range(board.width))
        lines.append(bytes(sign_of(cell, board, boxes, keeper) for cell in cells))
    return b"\n".join(lines) + b"\n"


def sign_of(cell, board, boxes, keeper):
    """The character of one cell."""
    if not cell & board.floor:
        return ord("#")
    what = b"$*" if cell & boxes else b"@+" if cell == keeper else b"-."
    return what[bool(cell & board.goals)]


if __name__ == "__main__":
    sys.stdout.buffer.write(built(sys.argv[1:]))
