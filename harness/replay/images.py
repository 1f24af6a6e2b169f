"""The images of a game that the package's output visualizer draws (2025-09, "Output visualizer").

The visualizer sees what the interactor left in its feedback folder. So the interactor hears the recorded lines of the
submission once more; then the visualizer is run on its folder. As the format says, its failure is nobody's.
"""

import os
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from harness.check import Validation
from harness.errors import HarnessError
from harness.host.host import Host
from harness.judge import Gallery
from harness.package import Case, Package
from harness.replay.model import Game
from harness.replay.play import take_seat
from harness.sandbox import Sandbox
from harness.sandbox.transcript import Speaker, Transcript


def images_of(package: Package, host: Host, case: Case, game: Game) -> Mapping[str, bytes]:
    """File name → content, judge's images first; nothing if the package has no visualizer or it fails."""
    if package.output_visualizer is None:
        return {}
    [visualizer] = host.build_judge_programs([package.output_visualizer], package.limits)
    gallery = Gallery(visualizer=visualizer)

    def draw(sandbox: Sandbox, validation: Validation, _: Path) -> None:
        gallery.draw(sandbox, validation, Path(os.devnull), case.settings.output_visualizer_args)

    with tempfile.TemporaryFile() as said:
        said.write(_said(game.transcript))
        said.seek(0)
        seat = replace(take_seat(package, host, said.fileno(), lambda _: None), after=draw)
        try:
            seat.play(case)
        except HarnessError:
            return gallery.images
    return gallery.images


def _said(transcript: Transcript) -> bytes:
    lines = (line for line in transcript.lines if line.speaker is Speaker.SUBMISSION)
    return b"".join(line.text + (b"\n" if line.whole else b"") for line in lines)
