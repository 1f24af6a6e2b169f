"""Replay a judged game and record its pipes. The verdict of the first run stays."""

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from harness.check.validator_call import ValidatorCall
from harness.errors import HarnessError, UsageError, first_few
from harness.host.host import Host
from harness.judge.judging import Judging
from harness.judge.visualizers import Gallery
from harness.package import Case, GroupCase, Package, Program
from harness.replay.manual_game import ManualGame
from harness.results.model import CaseResult
from harness.results.verdict import Reason, Verdict
from harness.sandbox.facts import Sandbox
from harness.sandbox.transcript import Speaker, Transcript
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
    """Return the JSON that a viewer reads from its standard input."""
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


@dataclass(frozen=True, kw_only=True)
class Replay:
    """The recorded game, and the result of the first run."""

    game: Game
    judged: CaseResult

    @property
    def agrees(self) -> bool:
        """Whether the replay ended like the first run."""
        return self.game.verdict is self.judged.verdict


def play_again(judging: Judging, program: Program, judged: CaseResult, gallery: Gallery | None = None) -> Replay:
    """Replay the game of `judged`, a result of this judging. The submission comes from the cache of programs.

    gallery: collects the images that the package's output visualizer draws of this game.
    """
    group, case = find_case(judging.package, judged.name)
    result, transcript = judging.recorded(program, group, case, gallery)
    game = Game(
        problem=judging.package.slug,
        case=case.name,
        submission=program.path,
        transcript=transcript,
        verdict=result.verdict,
        reason=result.reason,
        message=result.message,
    )
    return Replay(game=game, judged=judged)


def find_case(package: Package, name: str) -> GroupCase:
    """Find a case by its name, its name without `secret/`, or a part of its name that no other case has.

    Raises UsageError if there is not exactly one.
    """
    cases = package.cases_with_groups()
    for matches in (
        lambda case: case.name == name,
        lambda case: case.name.partition("/")[2] == name,
        lambda case: name in case.name,
    ):
        matching = [(group, case) for group, case in cases if matches(case)]
        if len(matching) == 1:
            return matching[0]
        if matching:
            names = first_few([case.name for _, case in matching], 5)
            raise UsageError(f"`{name}` could be {len(matching)} cases: {names}")
    raise UsageError(
        f"{package.slug} has no case `{name}`; it has {first_few([case.name for _, case in cases], 3)}"
    )


def images_of(package: Package, host: Host, case: Case, game: Game) -> Mapping[str, bytes]:
    """Return the images by file name, the judge's first; none if the package has no visualizer or it fails."""
    if package.output_visualizer is None:
        return {}
    [visualizer] = host.build_judge_programs([package.output_visualizer], package.limits)
    gallery = Gallery(visualizer=visualizer)

    def draw(sandbox: Sandbox, call: ValidatorCall, _: Path) -> None:
        gallery.draw(sandbox, call, Path(os.devnull), case.settings.output_visualizer_args)

    with tempfile.TemporaryFile() as lines:
        lines.write(_submission_lines(game.transcript))
        lines.seek(0)
        again = ManualGame(
            package=package, host=host, input_descriptor=lines.fileno(), on_transcript=lambda _: None, on_end=draw
        )
        try:
            again.play(case)
        except HarnessError:
            return gallery.images
    return gallery.images


def _submission_lines(transcript: Transcript) -> bytes:
    lines = (line for line in transcript.lines if line.speaker is Speaker.SUBMISSION)
    return b"".join(line.text + (b"\n" if line.whole else b"") for line in lines)
