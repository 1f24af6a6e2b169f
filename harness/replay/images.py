"""Draws the images of a recorded game with the package's output visualizer (2025-09, "Output visualizer").

The visualizer reads the interactor's feedback folder. So the interactor is run again on the recorded lines of the
submission, and then the visualizer on its folder. As the format says, its failure has no consequence.
"""

import os
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from harness.check.validator_call import ValidatorCall
from harness.errors import HarnessError
from harness.host.host import Host
from harness.judge.visualizers import Gallery
from harness.package import Case, Package
from harness.replay.manual_game import manual_game
from harness.replay.record import Game
from harness.sandbox.facts import Sandbox
from harness.sandbox.transcript import Speaker, Transcript


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
        again = replace(manual_game(package, host, lines.fileno(), lambda _: None), on_end=draw)
        try:
            again.play(case)
        except HarnessError:
            return gallery.images
    return gallery.images


def _submission_lines(transcript: Transcript) -> bytes:
    lines = (line for line in transcript.lines if line.speaker is Speaker.SUBMISSION)
    return b"".join(line.text + (b"\n" if line.whole else b"") for line in lines)
