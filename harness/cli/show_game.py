"""Shows a failed game of an interactive problem: it is played again and recorded, and drawn by the package's viewer."""

from collections.abc import Iterator, Sequence
from dataclasses import field
from pathlib import Path

from rich.console import Console
from rich.text import Text

from harness.errors import HarnessError, UsageError
from harness.files import atomic
from harness.judge.judging import Judging
from harness.judge.submission_result import Entry
from harness.package import Case, Package, ProblemType
from harness.replay.record import Replay, find_case, images_of, play_again
from harness.replay.viewer import Pictures, Viewer, viewer_of
from harness.report.escape import printable
from harness.report.games import strip_text, transcript_text
from harness.results.model import SubmissionResult
from harness.values import dataclass

MESSAGE_CHARACTERS = 4000
PAGE, IMAGES = ".html", (".svg", ".png", ".jpg", ".jpeg")


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A replay with what the package's viewer made of it. content: the page or image, if one was asked for.

    trouble: why there are no pictures, or, without a replay, why there is none.
    """

    replay: Replay | None = None
    pictures: Pictures = field(default_factory=Pictures)
    trouble: str = ""
    content: bytes | None = None


def check_replay(package: Package, entries: Sequence[Entry]) -> None:
    """Refuse a file to write a game into where none would be written."""
    if ProblemType.INTERACTIVE not in package.types:
        raise UsageError(f"--replay: {package.slug} is not interactive, so there are no games")
    if len(entries) != 1:
        raise UsageError(f"--replay writes the game of one submission, here are {len(entries)}: name it")


def show_failed_game(
    judging: Judging,
    entries: Sequence[Entry],
    results: Sequence[SubmissionResult],
    out: Console,
    *,
    file: Path | None,
    quiet: bool = False,
) -> None:
    """Play the first failed game of the only submission again and print it (unless `quiet`); write it to `file`."""
    shown = replay_of(judging, entries, results, file)
    if shown is not None:
        show(shown, out, file=file, quiet=quiet)


def replay_of(
    judging: Judging, entries: Sequence[Entry], results: Sequence[SubmissionResult], file: Path | None
) -> Shown | None:
    """The first failed game of the only submission, played again; None where there is nothing to show.

    file: where it will be written, if anywhere; .html asks for the viewer's page, .svg and the like for an image.
    """
    if ProblemType.INTERACTIVE not in judging.package.types or len(results) != 1:
        return None
    failed = results[0].first_failure()
    if failed is None:
        return Shown(trouble="no game was lost") if file else None
    try:
        replay = play_again(judging, entries[0].program, failed)
    except HarnessError as error:
        return Shown(trouble=str(error))
    try:
        return _seen(judging, replay, file.suffix if file else "")
    except HarnessError as error:  # pictures are an extra: for want of them nobody loses a verdict
        return Shown(replay=replay, trouble=str(error))


def _seen(judging: Judging, replay: Replay, kind: str) -> Shown:
    viewer = viewer_of(judging.package, judging.host)
    _, case = find_case(judging.package, replay.game.case)
    return Shown(
        replay=replay,
        pictures=viewer.pictures(case, replay.game) if viewer is not None else Pictures(),
        content=_content(judging, viewer, case, replay, kind),
    )


def _content(judging: Judging, viewer: Viewer | None, case: Case, replay: Replay, kind: str) -> bytes | None:
    if kind == PAGE:
        if viewer is None:
            raise UsageError(f"{judging.package.slug} has no viewer that could make a page")
        return viewer.page(case, replay.game)
    if kind not in IMAGES:
        return None
    found = images_of(judging.package, judging.host, case, replay.game)
    image = next((content for name, content in found.items() if name.endswith(kind)), None)
    if image is None:
        names = ", ".join(found) or "none"
        raise UsageError(
            f"{judging.package.slug} has no output visualizer that draws a {kind} image (found: {names})"
        )
    return image


def show(shown: Shown, out: Console, *, file: Path | None, quiet: bool = False) -> None:
    """Print the replay in short (unless `quiet`), and write it whole to `file`."""
    if shown.replay is None:
        out.print(Text(f"no replay: {printable(shown.trouble)}"), soft_wrap=True)
        return
    if not quiet:
        out.print()
        for number, line in enumerate(_lines(shown, shown.replay, width=out.width, full=False)):
            out.print(Text(line, style="bold" if number == 0 else ""), soft_wrap=True)
    if file is not None and (shown.content is not None or file.suffix not in (PAGE, *IMAGES)):
        content = shown.content or "\n".join([*_lines(shown, shown.replay, width=160, full=True), ""]).encode()
        atomic.deliver(file, content)
        out.print(f"the whole replay: {file}", markup=False, soft_wrap=True)


def _lines(shown: Shown, replay: Replay, *, width: int, full: bool) -> Iterator[str]:
    game = replay.game
    yield f"the game of {printable(game.submission)} on {printable(game.case)}, played again: {_outcome(replay)}"
    yield from transcript_text(game, shown.pictures, full=full)
    yield from strip_text(shown.pictures, width=min(width, 160), full=full)
    yield ""
    yield from printable(game.message, MESSAGE_CHARACTERS).splitlines()
    if shown.trouble:
        yield f"not all of it can be shown: {printable(shown.trouble)}"


def _outcome(replay: Replay) -> str:
    found, before = replay.game.verdict, replay.judged.verdict
    if replay.agrees:
        return f"{found} as before"
    return f"this time it ends with {found}; the verdict stays {before}. The outcome depends on time or chance"
