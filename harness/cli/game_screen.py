"""Print games: `harness play` as it is played, and a failed game of `judge` or `stress` played again."""

import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from harness.cli.console import console
from harness.errors import JudgeError, UsageError
from harness.files import atomic
from harness.host.host import Host
from harness.judge.judging import Judging
from harness.judge.submission_result import Entry
from harness.package import Case, Package, ProblemType
from harness.replay.failed_game import IMAGES, PAGE, FailedGame, first_failed_game
from harness.replay.manual_game import ManualGame
from harness.replay.record import Game
from harness.replay.viewer import Pictures, Viewer
from harness.report.escape import printable
from harness.report.games import MESSAGE_CHARACTERS, picture_text, quoted_line, replay_text, strip_text
from harness.results.model import SubmissionResult
from harness.results.verdict import Verdict
from harness.rules.outcomes import ALL_AS_EXPECTED, NOT_AS_EXPECTED
from harness.sandbox.transcript import Speaker, Transcript, TranscriptLine

YOU = "a person"


def _where_rules_stand(package: Package) -> str:
    """Say where the rules of the game are."""
    files = [printable(str(package.statements[language].origin)) for language in sorted(package.statements)][:1]
    if not files:
        return "there is no statement: see what the samples show"
    return f"the rules: harness statement {printable(package.slug)}, or {files[0]}"


class GameScreen:
    """The terminal of a person who plays: the lines of each side with their times, and pictures of the game."""

    def __init__(self, package: Package, host: Host, viewer: Viewer | None) -> None:
        self._package, self._host, self._viewer = package, host, viewer
        self._out = console()
        self._watched = sys.stdin.isatty()
        self._lines_shown = 0
        self._drawn: list[str] = []

    def play(self, case: Case) -> int:
        """Play a game; return exit code 0 if it is accepted."""
        self._say(f"{self._package.slug}, {case.name}: you are the submission, Ctrl-D ends your output", "bold")
        self._say(f"type what a program would print; {_where_rules_stand(self._package)}")
        session = ManualGame(
            package=self._package,
            host=self._host,
            input_descriptor=sys.stdin.fileno(),
            on_transcript=lambda transcript: self._show_lines(case, transcript),
            on_pass=lambda number: self._say(f"pass {number}: you begin anew", "bold"),
        )
        judgement, transcript = session.play(case)
        self._print_lines(transcript.lines)
        accepted = judgement.verdict is Verdict.ACCEPTED
        ended = self._game(case, transcript, judgement.verdict, judgement.message)
        if self._watched:
            if any(not line.whole for line in transcript.lines if line.speaker is Speaker.SUBMISSION):
                self._say("")  # the cursor stands behind what was typed
            self._draw(case, ended)
        else:
            self._last_pictures(case, ended)
        self._say(judgement.verdict.words, "bold green" if accepted else "bold red")
        if judgement.message:
            self._say(printable(judgement.message, MESSAGE_CHARACTERS))
        return ALL_AS_EXPECTED if accepted else NOT_AS_EXPECTED

    def _show_lines(self, case: Case, transcript: Transcript) -> None:
        whole = [line for line in transcript.lines if line.whole]
        fresh = whole[self._lines_shown :]
        self._print_lines(whole)
        if self._watched and any(line.speaker is Speaker.INTERACTOR for line in fresh):
            self._draw(case, self._game(case, transcript))

    def _draw(self, case: Case, game: Game) -> None:
        """Draw the game, if it has changed."""
        pictures = self._pictures(case, game).pictures
        text = picture_text(pictures[-1]) if pictures else self._drawn
        if text != self._drawn:
            self._drawn = text
            self._say("\n".join(["", *text, ""]))

    def _print_lines(self, lines: Sequence[TranscriptLine]) -> None:
        """Print the new lines; typed lines are on the terminal already."""
        for line in lines[self._lines_shown :]:
            if line.speaker is Speaker.INTERACTOR:
                self._say(f"{line.at_s:9.3f}  interactor  {quoted_line(line)}", "cyan")
            elif not self._watched:
                self._say(f"{line.at_s:9.3f}  you         {quoted_line(line)}")
        self._lines_shown = max(self._lines_shown, len(lines))

    def _game(self, case: Case, transcript: Transcript, verdict: Verdict | None = None, message: str = "") -> Game:
        return Game(
            problem=self._package.slug,
            case=case.name,
            submission=YOU,
            transcript=transcript,
            verdict=verdict,
            message=message,
        )

    def _pictures(self, case: Case, game: Game) -> Pictures:
        if self._viewer is None:
            return Pictures()
        try:
            return self._viewer.pictures(case, game)
        except JudgeError as error:  # the game goes on without pictures
            self._viewer = None
            self._say(f"no pictures: {printable(str(error))}")
            return Pictures()

    def _last_pictures(self, case: Case, game: Game) -> None:
        for line in strip_text(self._pictures(case, game), width=min(self._out.width, 120), full=False):
            self._say(line)

    def _say(self, text: str, style: str = "") -> None:
        self._out.print(Text(text, style=style))
        self._out.file.flush()


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
        out.print(Text(f"no replay: {printable(game.trouble)}"))
        return
    if not quiet:
        out.print()
        for number, line in enumerate(replay_text(game, game.replay, width=out.width, full=False)):
            out.print(Text(line, style="bold" if number == 0 else ""))
    if file is not None and (game.content is not None or file.suffix not in (PAGE, *IMAGES)):
        content = game.content or "\n".join([*replay_text(game, game.replay, width=160, full=True), ""]).encode()
        atomic.deliver(file, content)
        out.print(f"the whole replay: {file}", markup=False)
