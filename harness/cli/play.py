"""harness play: a person, or a pipe, plays against the interactor of a package."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from harness.build.languages import language_of
from harness.cli.ad_hoc_options import AdHocOptions
from harness.cli.environment import built_package, judge_host, language_table, package_folder
from harness.cli.game_screen import GameScreen
from harness.cli.options import FILE, OUTPUT, isolation_option
from harness.errors import UsageError
from harness.files import atomic
from harness.package import Case, Package, ProblemType
from harness.package.load import load
from harness.package.samples import case_at
from harness.replay.viewer import Viewer, case_to_play, viewer_of
from harness.rules.outcomes import ALL_AS_EXPECTED

WORKERS = 2  # for the game, and for the viewer that draws it


@click.command("play", context_settings={"ignore_unknown_options": True})
@click.argument(
    "arguments", nargs=-1, type=click.UNPROCESSED, metavar="[PROBLEM] [CASE] [OPTIONS OF THE PROBLEM]..."
)
@click.option(
    "--page",
    type=OUTPUT,
    metavar="FILE",
    help="Write the problem's page to play on, one HTML file; do not play here.",
)
@click.option(
    "--interactor",
    type=FILE,
    help="Without a package: use this one; CASE is then an input file, or a sample in this folder.",
)
@click.option("--plain", is_flag=True, help="Show no pictures.")
@isolation_option
def command(
    arguments: tuple[str, ...], *, page: Path | None, interactor: Path | None, plain: bool, isolation: str
) -> int:
    """Play against the interactor of PROBLEM: you are the submission. Without a CASE, on the first sample.

    What you type goes to the interactor, line by line; Ctrl-D ends your output. Options that are not listed here are
    the problem's own: they make a case (for bridgit, --board ROWSxCOLUMNS, such as 5x4, and --second).

    \b
    Examples:
      harness play bridgit --board 5x4 --first
      harness play bridgit 3-exact-05x03-second-current-1
      harness play bridgit --page bridgit.html
      ./my_program | harness play bridgit sample/2
      harness play --interactor judge.py 1.in
    """
    if interactor is not None:
        package = _game_of(interactor, arguments)
        with judge_host(WORKERS, isolation) as host:
            return GameScreen(package, host, None).play(next(iter(package.judged_cases())))
    problem, name, options = _split(arguments)
    with _hint_of_file(problem, "PROBLEM"):
        root = package_folder(problem)
    with judge_host(WORKERS, isolation) as host:
        package = load(root, built=False) if name is None else built_package(root, host)
        if ProblemType.INTERACTIVE not in package.types:
            raise UsageError(f"{package.slug} is not interactive: there is nobody to play against")
        viewer = viewer_of(package, host)
        with _hint_of_file(name, package.slug):
            case = case_to_play(package, viewer, name, options, page=page is not None)
        if page is not None:
            return _write_page(package, viewer, case, page)
        return GameScreen(package, host, None if plain else viewer).play(case)


def _game_of(interactor: Path, arguments: Sequence[str]) -> Package:
    """Return a package of this interactor and one case."""
    if len(arguments) > 1:
        raise UsageError(f"with --interactor only CASE is expected, found also: {arguments[1]}")
    case = case_at(arguments[0] if arguments else None, interactor)
    judged_by = AdHocOptions(interactor=interactor)
    return judged_by.package("game", [case], interactor, (), root=Path())[0]


def _split(arguments: Sequence[str]) -> tuple[str | None, str | None, list[str]]:
    """Return PROBLEM, CASE and the problem's own options, which begin at the first word with a `-`."""
    start = next((index for index, word in enumerate(arguments) if word.startswith("-")), len(arguments))
    names, options = arguments[:start], list(arguments[start:])
    if len(names) > 2:
        raise UsageError(f"expected PROBLEM and CASE, found a third word: {names[2]}")
    if len(names) == 2 and options:
        raise UsageError(f"either a case ({names[1]}) or options that make one ({options[0]}), not both")
    return (names[0] if names else None), (names[1] if len(names) > 1 else None), options


@contextmanager
def _hint_of_file(word: str | None, problem: str) -> Iterator[None]:
    """Add a hint to the error if the word names a file: who names a program wants to judge it, else to play on it."""
    try:
        yield
    except UsageError as error:
        if word is None or not Path(word).is_file():
            raise
        hint = f"without a package: harness play --interactor judge.py {word}"
        if os.access(word, os.X_OK) or language_of(language_table(), [word]) is not None:
            hint = f"in `play` you are the submission; to judge a program: harness judge {problem} {word}"
        raise UsageError(f"{error}\n{hint}") from error


def _write_page(package: Package, viewer: Viewer | None, case: Case, page: Path) -> int:
    if viewer is None:
        raise UsageError(
            f"{package.slug} has no viewer that makes a page (docs/interactive.md says how to write one)"
        )
    atomic.deliver(page, viewer.page(case, None))
    click.echo(str(page))
    return ALL_AS_EXPECTED
