"""The board in text, move by move."""

import re

MAX_SIDE = int("{{max_side}}")
STYLES = ("path", "current", "random", "mirror", "mixed", "trap")
UNDECIDED, FIXED, CLOSED = 0, 1, 2

_INPUT = re.compile(r"([1-9][0-9]?) ([1-9][0-9]?) (First|Second)\s*")
_MOVE = re.compile(r"\s*([|-])\s+([1-9][0-9]?)\s+([1-9][0-9]?)\s*", re.ASCII)
_LOST_BY = re.compile(r"The game was lost by move ([1-9][0-9]{0,2}), `[|-] [0-9]+ [0-9]+`")
_INSTEAD = re.compile(r", (`[|-] [0-9]+ [0-9]+` would have kept the win)")


def case_of(height, width, first, style, seed):
    """An input, and the answer that tells the king how to play."""
    wins = height >= width + (1 if first else 2)
    return {
        "in": "%d %d %s\n" % (height, width, "First" if first else "Second"),
        "ans": "Yes %s %d\n" % (style, seed) if wins else "No\n",
    }


def sides(text):
    """(height, width, whether the contestant begins) of an input; None if it is none."""
    found = _INPUT.fullmatch(text)
    return (int(found[1]), int(found[2]), found[3] == "First") if found else None


class Board:
    """Which doors are fixed and closed, and what was decided last."""

    def __init__(self, height, width):
        self.height, self.width = height, width
        self.state = {("|", i, j): UNDECIDED for i in range(1, height + 1) for j in range(1, width + 2)}
        self.state.update({("-", i, j): UNDECIDED for i in range(1, height) for j in range(1, width + 1)})

    def decide(self, text, what):
        """Make the move that a line spells; its door, or None if it is no move on this board."""
        found = _MOVE.fullmatch(text[:64])
        door = (found[1], int(found[2]), int(found[3])) if found else None
        if self.state.get(door) != UNDECIDED:
            return None
        self.state[door] = what
        return door

    def picture(self, latest):
        """`|` and `-` closed, `:` and `.` undecided, a gap where a door is fixed; `latest` as X (closed), O (fixed)."""
        frame = "+-" * self.width + "+"
        rows = [frame]
        for i in range(1, self.height + 1):
            rows.append(" ".join(self._mark(("|", i, j), latest) for j in range(1, self.width + 2)))
            if i < self.height:
                rows.append("+" + "".join(self._mark(("-", i, j), latest) + "+" for j in range(1, self.width + 1)))
        return "\n".join([*rows, frame])

    def _mark(self, door, latest):
        what = self.state[door]
        if door in latest:
            return " OX"[what]
        return (": |" if door[0] == "|" else ". -")[what]


def pictures(given, game):
    """A picture after each of the king's answers and after the last move; the losing move is marked."""
    start = sides(given)
    if start is None:
        return {"pictures": []}
    board = Board(*start[:2])
    lost_by, instead = blamed(str(game.get("message", "")))
    found = []
    for number, round_ in enumerate(rounds(game.get("lines", []), start[2]), 0 if not start[2] else 1):
        latest = [board.decide(line["text"], what) for line, what, _ in round_]
        latest = [door for door in latest if door is not None]
        if latest:
            mark = "the losing move" + (": " + instead if instead else "") if number == lost_by and number else ""
            caption = "move %d" % number if number else "the king begins"
            at = max(place for _, _, place in round_)
            found.append({"line": at, "caption": caption, "text": board.picture(latest), "mark": mark})
        if not latest or len(latest) < len(round_):
            break  # not a move of this board, or the end
    return {"pictures": found, "legend": "O just fixed, X just closed; | - closed, : . undecided, gap: fixed"}


def rounds(lines, contestant_first):
    """The moves in the order of play, [(line, what it does, its place), …] a round: mine, and the king's answer.

    The contestant may have written ahead, so the order in time is not the order of play.
    """
    said = [(line, FIXED, at) for at, line in enumerate(lines) if line["by"] == "submission"][1:]
    heard = [(line, CLOSED, at) for at, line in enumerate(lines) if line["by"] == "interactor"][1:]
    if not contestant_first:
        yield heard[:1]
        heard = heard[1:]
    for number, mine in enumerate(said):
        answer = heard[number : number + 1]
        yield [mine, *answer] if answer else [mine]


def blamed(message):
    """(number of the losing move, what would have been right) as the interactor says; (0, "") if it does not."""
    lost_by, instead = _LOST_BY.search(message), _INSTEAD.search(message)
    return (int(lost_by[1]) if lost_by else 0), (instead[1] if instead else "")
