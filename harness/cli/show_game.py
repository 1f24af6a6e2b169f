"""Show a failed game of an interactive problem: play it again, print it, write it to a file."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from harness.errors import UsageError
from harness.files import atomic
from harness.judge.judging import Judging
from harness.judge.submission_result import Entry
from harness.package import Package, ProblemType
from harness.replay.failed_game import IMAGES, PAGE, FailedGame, first_failed_game
from harness.report.escape import printable
from harness.report.games import replay_text
from harness.results.model import SubmissionResult


def check_replay(package: Package, entries: Sequence[Entry], file: Path | None) -> None:
    """Raise UsageError if no game can be written to the file."""
    if file is not None and ProblemType.INTERACTIVE not in package.types:
        raise UsageError(f"--replay: {package.slug} is not interactive, so there are no games")
    if file is not None and len(entries) != 1:
        raise UsageError(f"--replay writes the game of one submission, here are {len(entries)}: name it")


def show_failed_game(
    judging: Judging,
    entries: Sequence[Entry],
    results: Sequence[SubmissionResult],
    out: Console,
    *,
    file: Path | None = None,
    quiet: bool = False,
) -> None:
    """Play the first failed game of the only submission again and print it (unless `quiet`); write it to `file`."""
    game = first_failed_game(judging, entries, results, file.suffix if file is not None else None)
    if game is not None:
        show_game(game, out, file, quiet=quiet)


def show_game(game: FailedGame, out: Console, file: Path | None, *, quiet: bool = False) -> None:
    """Print the game in short (unless `quiet`), and write it whole to `file`."""
    if game.replay is None:
        out.print(Text(f"no replay: {printable(game.trouble)}"), soft_wrap=True)
        return
    if not quiet:
        out.print()
        for number, line in enumerate(replay_text(game, game.replay, width=out.width, full=False)):
            out.print(Text(line, style="bold" if number == 0 else ""), soft_wrap=True)
    if file is not None and (game.content is not None or file.suffix not in (PAGE, *IMAGES)):
        content = game.content or "\n".join([*replay_text(game, game.replay, width=160, full=True), ""]).encode()
        atomic.deliver(file, content)
        out.print(f"the whole replay: {file}", markup=False, soft_wrap=True)
