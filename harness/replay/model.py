"""A game to be shown: who played, what was said, and how it ended."""

import json

from harness.results.verdict import Reason, Verdict
from harness.sandbox.transcript import Transcript
from harness.values import dataclass

SCHEMA_VERSION = 1


@dataclass(frozen=True, kw_only=True)
class Game:
    """One game, whole or so far. verdict: None while it is played. message: the interactor's, untrusted."""

    problem: str
    case: str
    submission: str
    transcript: Transcript
    verdict: Verdict | None = None
    reason: Reason | None = None
    message: str = ""


def game_as_json(game: Game) -> bytes:
    """What a viewer is given on its standard input."""
    value = {
        "schema_version": SCHEMA_VERSION,
        "problem": game.problem,
        "case": game.case,
        "submission": game.submission,
        "verdict": game.verdict.value if game.verdict else None,
        "reason": game.reason.value if game.reason else None,
        "message": game.message,
        "cut": game.transcript.cut,
        "lines": [
            {
                "by": line.speaker.value,
                "at_s": round(line.at_s, 6),
                "text": line.text.decode(errors="replace"),
                "whole": line.whole,
            }
            for line in game.transcript.lines
        ],
    }
    return json.dumps(value).encode()
