"""Show a game as text: its transcript and the package's pictures, side by side as far as they fit."""

import itertools
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from harness.replay.failed_game import FailedGame
from harness.replay.record import Game, Replay
from harness.replay.viewer import Picture, Pictures
from harness.report.escape import printable
from harness.sandbox.transcript import Speaker, TranscriptLine

COLUMN = 34
MESSAGE_CHARACTERS = 4000
LINE_CHARACTERS = 200
SHORT, HEAD, TAIL, AROUND = 40, 4, 12, 2
STRIP_LINES = 44
_GAP = "   "
_MARK = "▶ "


def replay_text(shown: FailedGame, replay: Replay, *, width: int, full: bool) -> Iterator[str]:
    """Yield the lines of a replayed game: transcript, pictures, and the interactor's message."""
    game = replay.game
    yield f"the game of {printable(game.submission)} on {printable(game.case)}, played again: {_outcome(replay)}"
    yield from transcript_text(game, shown.pictures, full=full)
    yield from strip_text(shown.pictures, width=min(width, 160), full=full)
    yield ""
    yield from printable(game.message, MESSAGE_CHARACTERS).splitlines()
    if shown.trouble:
        yield f"not all of it can be shown: {printable(shown.trouble)}"


def _outcome(replay: Replay) -> str:
    verdict, before = replay.game.verdict, replay.judged.verdict
    if replay.agrees:
        return f"{verdict} as before"
    return f"this time it ends with {verdict}; the verdict stays {before}. The outcome depends on time or chance"


def transcript_text(game: Game, pictures: Pictures, *, full: bool) -> Iterator[str]:
    """Yield the transcript in two columns; unless `full`, only start, end and lines around marks."""
    lines = game.transcript.lines
    marks = {picture.line: picture.mark for picture in pictures.pictures if picture.mark}
    shown = set(range(len(lines))) if full or len(lines) <= SHORT else _chosen_lines(len(lines), marks)
    before = -1
    yield f"{'seconds':>9}  {'interactor':<{COLUMN}}submission"
    for number in sorted(shown):
        if number > before + 1:
            yield f"{'':11}… {number - before - 1} lines …"
        yield _line(lines[number], said_by_judge(lines, number, marks))
        before = number
    if before + 1 < len(lines):
        yield f"{'':11}… {len(lines) - before - 1} lines …"
    if game.transcript.cut:
        yield f"{'':11}… more than is recorded"


def said_by_judge(lines: Sequence[TranscriptLine], number: int, marks: dict[int, str]) -> str:
    """Return the mark beside a submission's line: its own, else the first of the interactor's reply, else ""."""
    if lines[number].speaker is not Speaker.SUBMISSION:
        return ""
    later = itertools.takewhile(
        lambda index: lines[index].speaker is Speaker.INTERACTOR, range(number + 1, len(lines))
    )
    return marks.get(number, "") or next((marks[index] for index in later if index in marks), "")


def _chosen_lines(count: int, marks: Iterable[int]) -> set[int]:
    chosen = {*range(HEAD), *range(count - TAIL, count)}
    for mark in marks:
        chosen |= set(range(mark - AROUND, mark + AROUND + 1))
    return {number for number in chosen if 0 <= number < count}


def _line(line: TranscriptLine, mark: str) -> str:
    text = quoted_line(line)
    note = f"   ◀ {printable(mark, LINE_CHARACTERS)}" if mark else ""
    if line.speaker is Speaker.INTERACTOR:
        return f"{line.at_s:9.3f}  {text}".rstrip()
    return f"{line.at_s:9.3f}  {'':{COLUMN}}{text}{note}".rstrip()


def quoted_line(line: TranscriptLine) -> str:
    """Return a line of the game, made printable; a missing line end is noted."""
    text = printable(line.text.decode(errors="replace").replace("\t", "\\t"), LINE_CHARACTERS)
    return text if line.whole else f"{text} (no line end)"


def strip_text(pictures: Pictures, *, width: int, full: bool) -> Iterator[str]:
    """Yield the pictures in reading order: all, or only the marked and the last ones."""
    rows = _packed([picture_text(picture) for picture in pictures.pictures], width)
    if not full:
        rows = _packed([picture_text(picture) for picture in _chosen_pictures(pictures.pictures, width)], width)
    if rows and pictures.legend:
        yield printable(pictures.legend, LINE_CHARACTERS)
    for row in rows:
        yield ""
        yield from _beside(row)


def picture_text(picture: Picture) -> list[str]:
    """Return the lines of a picture under its caption."""
    title = (_MARK if picture.mark else "") + printable(picture.caption, COLUMN)
    rows = [printable(row.rstrip("\r"), LINE_CHARACTERS).replace("\t", "    ") for row in picture.text.split("\n")]
    return [title, *rows]


def _chosen_pictures(pictures: Sequence[Picture], width: int) -> list[Picture]:
    """Return as many pictures as fit: each marked picture and the one before, then the last ones."""
    marked = [index for index, picture in enumerate(pictures) if picture.mark]
    order = [shown for index in marked for shown in (index, index - 1) if shown >= 0]
    order += [index for index in range(len(pictures) - 1, -1, -1) if index not in order]
    chosen: list[int] = []
    for index in order:
        drawn = [picture_text(pictures[index]) for index in sorted([*chosen, index])]
        if chosen and sum(_height(row) + 1 for row in _packed(drawn, width)) > STRIP_LINES:
            break
        chosen.append(index)
    return [pictures[index] for index in sorted(chosen)]


def _packed(drawn: Sequence[list[str]], width: int) -> list[list[list[str]]]:
    rows: list[list[list[str]]] = []
    room = 0
    for picture in drawn:
        needed = _width(picture) + len(_GAP)
        if not rows or needed > room:
            rows.append([])
            room = width + len(_GAP)
        rows[-1].append(picture)
        room -= needed
    return rows


def _beside(row: Sequence[list[str]]) -> Iterator[str]:
    height = _height(row)
    widths = [_width(picture) for picture in row]
    for number in range(height):
        cells = [picture[number] if number < len(picture) else "" for picture in row]
        yield _GAP.join(_padded(cell, width) for cell, width in zip(cells, widths, strict=True)).rstrip()


def _height(row: Sequence[list[str]]) -> int:
    return max(len(picture) for picture in row)


def _width(lines: Sequence[str]) -> int:
    return max(map(_columns, lines), default=0)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _columns(text))


def _columns(text: str) -> int:
    """Return the width of a text in terminal columns."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
