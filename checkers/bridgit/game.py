"""Of `bridgit`: the contestant at the other end of the pipes, and the rules of the game."""

import os

from board import CLOSED, FIXED, OPEN_DOOR
from forests import Forests
from judgelib import Rejected, bounded_integer, quoted

MAX_SIDE = int("{{max_side}}")
LINE_BYTES = 64  # no line of the game needs more than 8
WON = b"a 0 0\n"


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
