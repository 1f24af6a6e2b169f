"""harness play: a person, or a pipe, opposite the interactor of any package."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from harness.cli.console import console
from harness.cli.environment import host
from harness.cli.options import isolation_option
from harness.cli.output_files import OUTPUT
from harness.cli.packages import built_package, package_folder
from harness.errors import JudgeError, UsageError
from harness.files import atomic
from harness.host.host import Host
from harness.package import Case, Package, ProblemType
from harness.package.load import load
from harness.replay.manual_game import manual_game
from harness.replay.record import Game, find_case
from harness.replay.viewer import Pictures, Viewer, viewer_of
from harness.report.escape import printable
from harness.report.games import picture_text, quoted_line, strip_text
from harness.results.verdict import Verdict
from harness.rules.outcomes import ALL_AS_EXPECTED, NOT_AS_EXPECTED
from harness.sandbox.transcript import Line, Speaker, Transcript

MESSAGE_CHARACTERS = 4000
YOU = "a person"
WORKERS = 2  # the game, and the viewer that draws it meanwhile


@click.command("play", context_settings={"ignore_unknown_options": True})
@click.argument(
    "arguments", nargs=-1, type=click.UNPROCESSED, metavar="[PROBLEM] [CASE] [OPTIONS OF THE PROBLEM]..."
)
@click.option(
    "--page",
    type=OUTPUT,
    metavar="FILE",
    help="Do not play here: write the problem's page to play on, one HTML file.",
)
@click.option("--plain", is_flag=True, help="No pictures.")
@isolation_option
def command(arguments: tuple[str, ...], *, page: Path | None, plain: bool, isolation: str) -> int:
    """Play against the interactor of PROBLEM: you are the submission. Without a CASE, on the first sample.

    What you type goes to the interactor, line by line; Ctrl-D ends your output. Options that are not listed here are
    the problem's own: they make a case (for bridgit, --board ROWSxCOLUMNS, such as 5x4, and --second).

    \b
    Examples:
      harness play bridgit --board 5x4 --first
      harness play bridgit 3-exact-05x03-second-current-1
      harness play bridgit --page bridgit.html
      ./my_program | harness play bridgit sample/2
    """
    problem, name, options = _split(arguments)
    root = package_folder(problem)
    with host(WORKERS, isolation) as opened:
        package = load(root, built=False) if name is None else built_package(root, opened)
        if ProblemType.INTERACTIVE not in package.types:
            raise UsageError(f"{package.slug} is not interactive: there is nobody to play against")
        viewer = viewer_of(package, opened)
        case = _case(package, viewer, name, options, page=page is not None)
        if page is not None:
            return _write_page(package, viewer, case, page)
        return _Table(package, opened, None if plain else viewer).play(case)


def _split(arguments: Sequence[str]) -> tuple[str | None, str | None, list[str]]:
    """(PROBLEM, CASE, the problem's own options), which begin with the first word that looks like one."""
    start = next((place for place, word in enumerate(arguments) if word.startswith("-")), len(arguments))
    names, options = arguments[:start], list(arguments[start:])
    if len(names) > 2:
        raise UsageError(f"expected PROBLEM and CASE, found a third word: {names[2]}")
    if len(names) == 2 and options:
        raise UsageError(f"either a case ({names[1]}) or options that make one ({options[0]}), not both")
    return (names[0] if names else None), (names[1] if len(names) > 1 else None), options


def _case(
    package: Package, viewer: Viewer | None, name: str | None, options: Sequence[str], *, page: bool
) -> Case:
    if options:
        if viewer is None:
            raise UsageError(f"no such option: {options[0]}; {package.slug} has no viewer that makes cases")
        return viewer.case_from(options)
    if name is not None:
        return find_case(package, name)[1]
    if page and viewer is not None:
        with suppress(UsageError):  # the case of a viewer without options; a sample is often too small to play on
            return viewer.case_from(())
    first = next(iter(package.judged_cases()), None)
    if first is None:
        raise UsageError(f"{package.slug} has no sample: name a case")
    return first


def _write_page(package: Package, viewer: Viewer | None, case: Case, page: Path) -> int:
    if viewer is None:
        raise UsageError(
            f"{package.slug} has no viewer that makes a page (docs/interactive.md says how to write one)"
        )
    atomic.deliver(page, viewer.page(case, None))
    click.echo(str(page))
    return ALL_AS_EXPECTED


def _where_rules_stand(package: Package) -> str:
    """Where to read what the game is."""
    files = [printable(str(package.statements[language].origin)) for language in sorted(package.statements)][:1]
    if not files:
        return "the package has no statement: see what its samples show"
    return f"the rules: harness statement {printable(package.slug)}, or {files[0]}"


class _Table:
    """The terminal: what each side says, when, and how the game stands."""

    def __init__(self, package: Package, opened: Host, viewer: Viewer | None) -> None:
        self._package, self._host, self._viewer = package, opened, viewer
        self._out = console()
        self._watched = sys.stdin.isatty()
        self._told = 0
        self._drawn: list[str] = []

    def play(self, case: Case) -> int:
        """One game; 0 when it is accepted."""
        self._say(f"{self._package.slug}, {case.name}: you are the submission, Ctrl-D ends your output", "bold")
        self._say(f"type what a program would print; {_where_rules_stand(self._package)}")
        session = manual_game(
            self._package,
            self._host,
            sys.stdin.fileno(),
            lambda transcript: self._heard(case, transcript),
            lambda number: self._say(f"pass {number}: you begin anew", "bold"),
        )
        judgement, transcript = session.play(case)
        self._tell(transcript.lines)
        accepted = judgement.verdict is Verdict.ACCEPTED
        ended = self._game(case, transcript, judgement.verdict, judgement.message)
        if self._watched:
            self._draw(case, ended)
        else:
            self._last_pictures(case, ended)
        self._say(judgement.verdict.words, "bold green" if accepted else "bold red")
        if judgement.message:
            self._say(printable(judgement.message, MESSAGE_CHARACTERS))
        return ALL_AS_EXPECTED if accepted else NOT_AS_EXPECTED

    def _heard(self, case: Case, transcript: Transcript) -> None:
        whole = [line for line in transcript.lines if line.whole]
        fresh = whole[self._told :]
        self._tell(whole)
        if self._watched and any(line.speaker is Speaker.INTERACTOR for line in fresh):
            self._draw(case, self._game(case, transcript))

    def _draw(self, case: Case, game: Game) -> None:
        """The game as it stands, if it has changed."""
        pictures = self._pictures(case, game).pictures
        text = picture_text(pictures[-1]) if pictures else self._drawn
        if text != self._drawn:
            self._drawn = text
            self._say("\n".join(["", *text, ""]))

    def _tell(self, lines: Sequence[Line]) -> None:
        """Print what is new; what was typed stands on the terminal already."""
        for line in lines[self._told :]:
            if line.speaker is Speaker.INTERACTOR:
                self._say(f"{line.at_s:9.3f}  interactor  {quoted_line(line)}", "cyan")
            elif not self._watched:
                self._say(f"{line.at_s:9.3f}  you         {quoted_line(line)}")
        self._told = max(self._told, len(lines))

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
        except JudgeError as error:  # the game goes on without
            self._viewer = None
            self._say(f"no pictures: {printable(str(error))}")
            return Pictures()

    def _last_pictures(self, case: Case, game: Game) -> None:
        for line in strip_text(self._pictures(case, game), width=min(self._out.width, 120), full=False):
            self._say(line)

    def _say(self, text: str, style: str = "") -> None:
        self._out.print(Text(text, style=style), soft_wrap=True)
        self._flush(self._out)

    @staticmethod
    def _flush(out: Console) -> None:
        out.file.flush()
