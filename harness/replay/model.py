"""The model of a game: who played, the transcript, and how it ended."""

import json

from harness.results.verdict import Reason, Verdict
from harness.sandbox.transcript import Transcript
from harness.values import dataclass

SCHEMA_VERSION = 1


@dataclass(frozen=True, kw_only=True)
class Game:
    """One game, finished or running. verdict: None while it runs. message: the interactor's, untrusted."""

    problem: str
    case: str
    submission: str
    transcript: Transcript
    verdict: Verdict | None = None
    reason: Reason | None = None
    message: str = ""


def game_as_json(game: Game) -> bytes:
    """The JSON that a viewer reads from its standard input."""
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
