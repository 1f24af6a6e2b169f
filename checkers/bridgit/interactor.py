"""Interactor of `bridgit`: the demon king, who plays perfectly from every position.

Usage: X.in X.ans feedback_dir/. The answer is `No`, or `Yes STYLE SEED`: how the king plays while his position is lost
(default: `Yes mixed 0`). Whenever his position is won, he wins it, and the message names the move that gave it to him.
The feedback folder gets `moves.txt`, for the output visualizer: `H W`, then `+ | i j` (fixed), `x | i j` (closed).

`Forests` holds two edge-disjoint forests of the doors that still matter, as large as possible together (matroid union);
from them it can be read who wins. `Maze` is the contestant's side: rooms, entrance and exit.
"""

import contextlib
import gc
import os
import sys

from board import Doors
from game import MAX_SIDE, Contestant, Game
from judgelib import JudgeAnswer, JudgeError, Rejected, accept, judge_error, quoted, reject
from king import King

LOST = b"w 0 0\n"


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
