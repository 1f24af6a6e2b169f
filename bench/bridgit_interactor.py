"""Time of the `bridgit` interactor: each move, each game, and against a bare loop of the same protocol.

First in process, CPU time by style at 20 × 18 and 20 × 19 against three contestants (the diagonals, the most current,
chance). Then as processes: whole games of the C++ reference against the interactor, and against a loop that parses
and answers the same number of lines without a thought, in turn. Usage: bridgit_interactor.py [ROUNDS]
"""

import gc
import importlib.util
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from harness.package.load import load

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ROOT / "reference" / "bridgit" / "accepted" / "diagonals.cpp"
STYLES = ["path", "current", "random", "mirror", "mixed", "trap"]
BOARDS = [(20, 18, False), (20, 19, True), (20, 10, False), (10, 9, True)]
LOOP = """
import sys
_, moves, *_ = open(sys.argv[2]).read().split()
case = open(sys.argv[1]).read().split()
print(*case, flush=True)
sys.stdin.readline()
listens = case[2] == "First"
for line in open(moves):
    if listens:
        sys.stdin.readline()
    listens = True
    sys.stdout.write(line)
    sys.stdout.flush()
sys.stdin.read()
sys.exit(42)
"""


def shipped(folder):
    """The interactor as one file."""
    (file,) = load(ROOT / "problems" / "bridgit", built=False).output_validator.files.values()
    path = folder / "bridgit_interactor.py"
    path.write_bytes(file.read())
    return path


def module_at(path):
    """The same as a module."""
    spec = importlib.util.spec_from_file_location("bridgit_interactor", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Diagonals:
    """Right, by the two colours."""

    def __init__(self, judge, doors, king):
        self.judge, self.doors, self.state = judge, doors, king.maze.state

    def move(self):
        """A door that joins what one colour leaves apart."""
        ends, places = self.doors.between_rooms, self.doors.places
        free = [door for door, what in enumerate(self.state) if what == 0]
        for colour in (0, 1):
            groups = self.judge.Groups(self.doors.rooms)
            for door, what in enumerate(self.state):
                if what == 1 or (what == 0 and (places[door][1] + places[door][2]) % 2 == colour):
                    groups.join(*ends[door])
            for door in free:
                if groups.find(ends[door][0]) != groups.find(ends[door][1]):
                    return door
        return free[0]


class Chance:
    """Any door."""

    def __init__(self, _judge, _doors, king):
        self.undecided, self.rng = king.maze.undecided, random.Random(1)

    def move(self):
        """A door."""
        return self.rng.choice(self.undecided)


class Current:
    """The most current; the levels are the king's, made better."""

    def __init__(self, _judge, _doors, king):
        self.maze = king.maze

    def move(self):
        """A door."""
        self.maze.flow(20)
        return self.maze.strongest()


def move_times(judge, board, style, contestant, seed):
    """CPU seconds of each answer of the king, the first with the setup."""
    height, width, first = board
    start = time.thread_time()
    doors = judge.Doors(height, width)
    king = judge.King(doors, style, seed)
    spent, times, last = time.thread_time() - start, [], judge.OPEN_DOOR
    player = contestant(judge, doors, king)
    turn = first
    while True:
        if turn:
            last = player.move()
            start = time.thread_time()
            king.sees(last)
            if king.maze.crossed():
                return times
            spent += time.thread_time() - start
        turn, start = True, time.thread_time()
        _, door = king.choice(last)
        over = king.maze.cuts_off(door)
        if not over:
            king.closes(door)
        times.append(spent + time.thread_time() - start)
        spent = 0.0
        if over:
            return times


def engine_table(judge, rounds):
    """Mean and worst of a move, worst of a game, in milliseconds."""
    print(f"{'board':8}{'style':9}{'mean of a move':>16}{'worst move':>12}{'worst game':>12}   (CPU ms)")
    for board in BOARDS:
        for style in STYLES:
            games = [
                move_times(judge, board, style, contestant, seed)
                for contestant in (Diagonals, Chance, Current)
                for seed in range(rounds)
            ]
            moves = [1000 * move for game in games for move in game]
            worst = 1000 * max(sum(game) for game in games)
            size = f"{board[0]}×{board[1]}"
            print(f"{size:8}{style:9}{statistics.mean(moves):16.2f}{max(moves):12.2f}{worst:12.1f}", flush=True)


def game_ms(judge, reference, case, answer, feedback):
    """(wall, CPU of the judge) of one game between processes, and what the judge said."""
    to_player, from_judge = os.pipe()
    to_judge, from_player = os.pipe()
    start = time.perf_counter()
    argv = [sys.executable, "-I", "-S", judge, case, answer, f"{feedback}/"]
    one = subprocess.Popen(argv, stdin=to_judge, stdout=from_judge)
    two = subprocess.Popen([reference], stdin=to_player, stdout=from_player)
    for end in (to_player, from_judge, to_judge, from_player):
        os.close(end)
    _, status, usage = os.wait4(one.pid, 0)
    wall = time.perf_counter() - start
    one.returncode = os.waitstatus_to_exitcode(status)
    two.wait()
    if one.returncode != 42:
        raise SystemExit(f"{judge}: exit code {one.returncode}")
    return 1000 * wall, 1000 * (usage.ru_utime + usage.ru_stime)


def recorded(judge, board, style, seed):
    """The king's moves of the game against the diagonals."""
    height, width, first = board
    doors = judge.Doors(height, width)
    king = judge.King(doors, style, seed)
    player, moves, last, turn = Diagonals(judge, doors, king), [], judge.OPEN_DOOR, first
    while True:
        if turn:
            last = player.move()
            king.sees(last)
            if king.maze.crossed():
                return [*moves, "a 0 0"]
        turn = True
        _, door = king.choice(last)
        king.closes(door)
        moves.append(doors.named(door))


def process_table(judge, program, folder, rounds):
    """Interactor and bare loop in turn; the loop replays the king's moves of the same game."""
    reference, loop, feedback = folder / "diagonals", folder / "loop.py", folder / "feedback"
    subprocess.run(["c++", "-std=gnu++20", "-O2", "-o", reference, REFERENCE], check=True)
    loop.write_text(LOOP)
    feedback.mkdir()
    print(
        "\nwhole games against the C++ reference, judge's CPU and wall in ms (medians), ratio of CPU [10 %, 90 %]"
    )
    for board in BOARDS:
        height, width, first = board
        case, answer, plain, script = (folder / name for name in ("case.in", "case.ans", "loop.ans", "moves"))
        case.write_text(f"{height} {width} {'First' if first else 'Second'}\n")
        answer.write_text("Yes mixed 1\n")
        plain.write_text(f"Yes {script}\n")
        script.write_text("\n".join(recorded(judge, board, "mixed", 1)) + "\n")
        pairs = [
            (game_ms(program, reference, case, answer, feedback), game_ms(loop, reference, case, plain, feedback))
            for _ in range(rounds + 1)
        ][1:]
        ratios = sorted(ours[1] / bare[1] for ours, bare in pairs)
        ours, bare = (
            [statistics.median(pair[side][kind] for pair in pairs) for kind in (1, 0)] for side in (0, 1)
        )
        low, high = ratios[len(ratios) // 10], ratios[-1 - len(ratios) // 10]
        print(
            f"{height}×{width}: interactor {ours[0]:.0f} / {ours[1]:.0f}, bare loop {bare[0]:.0f} / {bare[1]:.0f}, "
            f"{statistics.median(ratios):.1f}× [{low:.1f}, {high:.1f}]",
            flush=True,
        )


def main():
    """Both tables."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = shipped(folder)
        judge = module_at(program)
        gc.disable()  # as the interactor itself does
        engine_table(judge, rounds)
        process_table(judge, program, folder, rounds)


if __name__ == "__main__":
    main()
