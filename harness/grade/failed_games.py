"""A failed game of an interactive problem as the report has it."""

from harness.replay import Game
from harness.results.model import Move, RecordedGame
from harness.sandbox.transcript import Transcript

MOVES = 2000
TEXT = 1000


def recorded_game(game: Game) -> RecordedGame:
    """The game, cut to what a page can show."""
    moves = _moves(game.transcript)
    return RecordedGame(
        submission=game.submission,
        case=game.case,
        verdict=game.verdict,
        moves=moves,
        cut=game.transcript.cut or len(moves) < len(game.transcript.lines),
    )


def _moves(transcript: Transcript) -> tuple[Move, ...]:
    return tuple(
        Move(
            by=line.speaker,
            at_s=round(line.at_s, 6),
            text=line.text[:TEXT].decode(errors="replace"),
            whole=line.whole,
        )
        for line in transcript.lines[:MOVES]
    )
