"""How surely the data of `bridgit` catches a wrong program, whatever seeds the king has.

Each case in which the contestant can win is played with many seeds; its share of lost games is the chance that a
re-seeded case catches the program (one further game, not lost, is counted in, so that a few games prove nothing).
Cases are independent, so the chances of at least one and of at least three catches in a re-seeded data set follow.
Usage: bridgit_strength.py SUBMISSION [SEEDS] [MOST_DOORS] [STYLE]     (fewer cases: the chances are bounds)
"""

import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import yaml
from bridgit_interactor import ROOT, module_at, shipped

RECIPE = ROOT / "problems" / "bridgit" / "generators" / "generators.yaml"


class Program:
    """The submission as a process, opposite the interactor's own classes."""

    def __init__(self, command, first_line):
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.say(first_line)
        self.hear()

    def hear(self):
        """Its next line."""
        return self._process.stdout.readline().rstrip(b"\n")

    def say(self, line):
        """Send a line."""
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
        except BrokenPipeError:
            pass

    def end(self):
        """Let it go."""
        self._process.kill()
        self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()


def lost(judge, command, board, style, seed):
    """Whether the submission loses this game."""
    height, width, mover = board
    doors = judge.Doors(height, width)
    program = Program(command, f"{height} {width} {mover}\n".encode())
    try:
        judge.Game(doors, judge.King(doors, style, seed), program).play(mover == "First")
    except judge.Rejected:
        return True
    finally:
        program.end()
    return False


def winnable_cases(most_doors, only):
    """(board, style) of the recipe's cases with a game, up to so many doors; of one style only, if one is named."""
    recipe = yaml.safe_load(RECIPE.read_text())["data"]["secret"]["data"]
    for case in recipe.values():
        height, width, mover = case["in"].split()
        words = case["ans"].split()
        if words[0] == "Yes" and 2 * int(height) * int(width) + int(height) - int(width) <= most_doors:
            board = int(height), int(width), mover
            if only in (None, words[1]):
                yield board, words[1]


def chances(shares):
    """The chances of exactly 0, 1 and 2 catches."""
    exactly = [1.0, 0.0, 0.0]
    for share in shares:
        exactly = [
            exactly[count] * (1 - share) + (exactly[count - 1] * share if count else 0) for count in range(3)
        ]
    return exactly


def main():
    """A line a style, then the chances."""
    submission = Path(sys.argv[1])
    seeds = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    most_doors = int(sys.argv[3]) if len(sys.argv) > 3 else 800
    only = sys.argv[4] if len(sys.argv) > 4 else None
    by_style, shares, games = defaultdict(list), [], 0
    with tempfile.TemporaryDirectory() as name:
        judge = module_at(shipped(Path(name)))
        command = [sys.executable, submission]
        if submission.suffix == ".cpp":
            command = [Path(name) / "program"]
            subprocess.run(["c++", "-std=gnu++20", "-O2", "-o", command[0], submission], check=True)
        for number, (board, style) in enumerate(winnable_cases(most_doors, only)):
            catches = sum(
                lost(judge, command, board, style, 1000 * number + 10_000 + seed) for seed in range(seeds)
            )
            games += seeds
            shares.append(catches / (seeds + 1))
            by_style[style].append(catches / seeds)
    for style, found in sorted(by_style.items()):
        print(f"{style:8} {len(found):3} cases, caught in {100 * sum(found) / len(found):5.1f} % of the games")
    none, one, two = chances(shares)
    print(f"{submission.name}: {len(shares)} cases, {games} games, {sum(shares):.1f} catches a data set expected")
    print(f"chance of no catch {none:.2g}, of fewer than three {none + one + two:.2g}")


if __name__ == "__main__":
    main()
