"""CPU of the judge's side of whole `bridgit` games on 10 × 9: the interactor kept warm against a fresh process a game.

Both run the shipped file as plain processes, by turns, against the same C++ contestant. Warm is one `fork_server.py`
for all games: what it used in the end, its own start and every fork included (rusage), over the games. Fresh is the sum
over its processes. What the contestant uses is in neither. Usage: bridgit_warm.py [GAMES] [STYLE…]
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from harness.package.load import load

ROOT = Path(__file__).resolve().parents[1]
SERVER = ROOT / "harness" / "host" / "fork_server.py"
REFERENCE = ROOT / "reference" / "bridgit" / "accepted" / "diagonals.cpp"
STYLES = ["path", "current", "random", "mirror", "mixed", "trap"]
BOARD = "10 9 First\n"
ACCEPT = 42
MESSAGE_BYTES = 1 << 16
Judge = Callable[[list[str], int, int], Callable[[], int]]


def cpu_s(pid: int) -> tuple[int, float]:
    """(exit code, CPU seconds) of a process that ends, with the children that it waited for."""
    _, status, usage = os.wait4(pid, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime


def game(contestant: Path, judge: Judge, arguments: list[str]) -> None:
    """One game over direct pipes; it must be accepted."""
    to_player, from_judge = os.pipe()
    to_judge, from_player = os.pipe()
    finish = judge(arguments, to_judge, from_judge)
    with subprocess.Popen([contestant], stdin=to_player, stdout=from_player):
        for end in (to_player, from_judge, to_judge, from_player):
            os.close(end)
        code = finish()
    if code != ACCEPT:
        raise SystemExit(f"{' '.join(arguments)}: exit code {code}")


class Fresh:
    """A process for each game."""

    def __init__(self, program: Path) -> None:
        self.program, self.spent_s = program, 0.0

    def __call__(self, arguments: list[str], heard: int, said: int) -> Callable[[], int]:
        argv = [sys.executable, "-I", "-S", str(self.program), *arguments]
        process = subprocess.Popen(argv, stdin=heard, stdout=said)

        def finish() -> int:
            process.returncode, spent_s = cpu_s(process.pid)
            self.spent_s += spent_s
            return process.returncode

        return finish


class Warm:
    """One interpreter, forked for each game."""

    def __init__(self, program: Path) -> None:
        self.folder = program.parent
        self.channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            argv = [sys.executable, "-I", "-S", str(SERVER), str(program)]
            self.server = subprocess.Popen(argv, stdin=theirs.fileno())

    def __call__(self, arguments: list[str], heard: int, said: int) -> Callable[[], int]:
        order = {"arguments": arguments, "directory": str(self.folder), "makes": None, "wall_s": 60, "cpu_s": 60}
        socket.send_fds(self.channel, [json.dumps(order).encode()], [heard, said, 2])
        return lambda: os.waitstatus_to_exitcode(json.loads(self.channel.recv(MESSAGE_BYTES))["status"])

    def close(self) -> float:
        """End it; all the CPU seconds it used, its forks' with them."""
        self.channel.close()
        self.server.returncode, spent_s = cpu_s(self.server.pid)
        return spent_s


def measure(program: Path, contestant: Path, style: str, games: int) -> tuple[float, float]:
    """(warm, fresh): CPU milliseconds a game, over the same games in turn."""
    folder = program.parent
    case, answer, feedback = folder / "case.in", folder / "case.ans", folder / "feedback"
    case.write_text(BOARD)
    feedback.mkdir(exist_ok=True)
    warm, fresh = Warm(program), Fresh(program)
    for seed in range(games):
        answer.write_text(f"Yes {style} {seed}\n")
        for judge in (warm, fresh):
            game(contestant, judge, [str(case), str(answer), f"{feedback}/"])
    return 1000 * warm.close() / games, 1000 * fresh.spent_s / games


def main() -> None:
    """A line a style."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    with tempfile.TemporaryDirectory() as name:
        program, contestant = Path(name) / "interactor.py", Path(name) / "diagonals"
        [shipped] = load(ROOT / "problems" / "bridgit", built=False).output_validator.files.values()
        program.write_bytes(shipped.read())
        subprocess.run(["c++", "-std=gnu++20", "-O2", "-o", contestant, REFERENCE], check=True)
        for style in sys.argv[2:] or STYLES:
            warm_ms, fresh_ms = measure(program, contestant, style, games)
            line = f"CPU a game warm {warm_ms:5.1f} ms, fresh {fresh_ms:5.1f} ms: {fresh_ms / warm_ms:.2f} ×"
            print(
                f"{style:8} {line}, {1000 / warm_ms:.0f} against {1000 / fresh_ms:.0f} games a second of CPU",
                flush=True,
            )


if __name__ == "__main__":
    main()
