"""BUG: does not know the sign for a keeper on a goal."""

import sys

STATES_AT_MOST = 10000  # a unit with more states than this is given up: unknown
RADII = (1, 2, 3)  # units reach so far around their boxes; each cut is tried


class Position:
    """One board. Cells are numbers, row by row; `steps` are the differences to the four neighbours."""

    def __init__(self, rows):
        width = len(rows[0])
        cells = "".join(rows)
        self.width = width
        self.steps = (1, -1, width, -width)
        self.floor = frozenset(cell for cell, sign in enumerate(cells) if sign != "#")
        self.goals = frozenset(cell for cell, sign in enumerate(cells) if sign in ".*+")
        self.boxes = frozenset(cell for cell, sign in enumerate(cells) if sign in "$*")
        self.keeper = next(cell for cell, sign in enumerate(cells) if sign in "@")

    def live_squares(self):
        """The cells from which a lone box can be pushed to some goal, wherever the keeper stands."""
        live, todo = set(self.goals), list(self.goals)
        for cell in todo:
            for step in self.steps:
                before, keeper = cell - step, cell - 2 * step
                if before in self.floor and keeper in self.floor and before not in live:
                    live.add(before)
                    todo.append(before)
        return live


def components(cells, steps):
    """The connected parts of a set of cells."""
    cells, parts = set(cells), []
    while cells:
        part = [cells.pop()]
        for cell in part:
            for step in steps:
                if cell + step in cells:
                    cells.remove(cell + step)
                    part.append(cell + step)
        parts.append(frozenset(part))
    return parts


def cut_around_boxes(position, radius):
    """The cells of each unit, when units reach so far around their boxes, corners included; they hold no goal."""
    width, boxes = position.width, position.boxes - position.goals
    near = {
        cell
        for cell in position.floor - position.goals
        for box in boxes
        if abs(cell // width - box // width) <= radius and abs(cell % width - box % width) <= radius
    }
    return [part for part in components(near, position.steps) if part & boxes]


class Division:
    """A cut of the floor: units, and the passages between them.

    Where two units touch, the passage between them has no cell: it is named by the two cells that it joins.
    """

    def __init__(self, position, parts):
        self.position = position
        passages = components(position.floor.difference(*parts), position.steps)
        self.passage_of = {cell: number for number, passage in enumerate(passages) for cell in passage}
        live = position.live_squares()
        boxes = position.boxes - position.goals
        self.units = [Unit(part, part & boxes, live, self) for part in parts]

    def passage(self, inner, outer):
        """The passage that a gateway from the cell `inner` of a unit to the cell `outer` beside it leads to."""
        return self.passage_of.get(outer, frozenset((inner, outer)))


class Unit:
    """Cells, the boxes in them, and the gateways: (inner cell, step outwards) -> passage.

    A state is (boxes, keeper); the keeper is a cell of the unit, or None when outside.
    """

    def __init__(self, cells, boxes, live, division):
        position = division.position
        self.cells, self.boxes, self.live, self.steps = cells, boxes, live, position.steps
        self.gateways = {
            (cell, step): division.passage(cell, cell + step)
            for cell in cells
            for step in position.steps
            if cell + step in position.floor and cell + step not in cells
        }
        keeper = position.keeper
        self.start = (boxes, keeper if keeper in cells else None)
        self.passages = set(self.gateways.values())
        self._alive = None

    def _step(self, boxes, cell, step):
        """The state after the keeper has stepped onto a cell of the unit, with a push if there is a box; or None."""
        if cell not in boxes:
            return boxes, cell
        target = cell + step
        if target in boxes or target not in self.live:
            return None
        pushed = boxes - {cell}
        return (pushed | {target} if target in self.cells else pushed), cell

    def moves(self, state, reachable):
        """The states that one step leads to, when the keeper can come in from these passages; None: all of them."""
        boxes, keeper = state
        if keeper is None:
            for (cell, step), passage in self.gateways.items():
                if reachable is None or passage in reachable:
                    yield self._step(boxes, cell, -step)
            return
        for step in self.steps:
            if keeper + step in self.cells:
                yield self._step(boxes, keeper + step, step)
            elif (keeper, step) in self.gateways:
                yield boxes, None

    def states(self, reachable, allowed=None):
        """All states that any number of visits can lead to, or None when they are too many."""
        if allowed is not None and self.start not in allowed:
            return set()
        found, todo = {self.start}, [self.start]
        for state in todo:
            for after in self.moves(state, reachable):
                if after is not None and after not in found and (allowed is None or after in allowed):
                    found.add(after)
                    todo.append(after)
            if len(found) > STATES_AT_MOST:
                return None
        return found

    def alive(self):
        """The states without a deadlock inside: those from which the unit can be emptied if all passages are open."""
        if self._alive is None:
            found = self.states(None)
            if found is None:
                return None
            before = {}
            for state in found:
                for after in self.moves(state, None):
                    before.setdefault(after, []).append(state)
            alive = {state for state in found if not state[0]}
            todo = list(alive)
            for state in todo:
                for earlier in before.get(state, ()):
                    if earlier not in alive:
                        alive.add(earlier)
                        todo.append(earlier)
            self._alive = alive
        return self._alive

    def passable(self, reachable):
        """The passages that the keeper can leave for, without a deadlock inside, having come from `reachable`."""
        keepers = {keeper for _, keeper in self.states(reachable, self.alive())}
        return {passage for (cell, _), passage in self.gateways.items() if cell in keepers}


def is_dead_in(division):
    """Whether this cut proves that the position is dead."""
    if any(unit.alive() is None for unit in division.units):
        return False
    keeper = division.position.keeper
    reachable = {division.passage_of[keeper]} if keeper in division.passage_of else set()
    while True:
        found = reachable.union(*(unit.passable(reachable) for unit in division.units))
        if found == reachable:
            break
        reachable = found
    return any(unit.start not in unit.alive() or unit.passages - reachable for unit in division.units)


def is_dead(position):
    """Whether some cut proves that the position is dead."""
    return any(is_dead_in(Division(position, cut_around_boxes(position, radius))) for radius in RADII)


def positions_of(text):
    """The positions of an input."""
    lines = iter(text.split("\n"))
    for _ in range(int(next(lines))):
        height = int(next(lines).split()[0])
        yield Position([next(lines) for _ in range(height)])


if __name__ == "__main__":
    for position in positions_of(sys.stdin.read()):
        print("dead" if is_dead(position) else "unknown")
