"""The images of a game that the package's output visualizer draws (2025-09, "Output visualizer").

The visualizer sees what the interactor left in its feedback folder. So the interactor hears the recorded lines of the
submission once more; then the visualizer is run on its folder. As the format says, its failure is nobody's.
"""

import os
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from harness import tidy
from harness.check import Validation
from harness.errors import HarnessError
from harness.host import Host
from harness.package import Case, Package
from harness.replay.game import Game
from harness.replay.seat import take_seat
from harness.sandbox import Sandbox
from harness.transcript import Speaker, Transcript

IMAGE_BYTES = 16 << 20
_KINDS = ("judgeimage", "teamimage")


def images_of(package: Package, host: Host, case: Case, game: Game) -> Mapping[str, bytes]:
    """File name → content, judge's images first; nothing if the package has no visualizer or it fails."""
    if package.output_visualizer is None:
        return {}
    [visualizer] = host.build_judge_programs([package.output_visualizer], package.limits)
    found: dict[str, bytes] = {}

    def draw(sandbox: Sandbox, validation: Validation, work: Path) -> None:
        call = replace(validation, validator=visualizer, arguments=case.settings.output_visualizer_args)
        with Path(os.devnull).open("r+b") as null:
            streams = {"stdin": null.fileno(), "stdout": null.fileno(), "stderr": null.fileno()}
            call.start(sandbox, wall_s=call.limits.wall_s, **streams).wait()
        found.update(_images_in(validation.place.directory))

    with tempfile.TemporaryFile() as said:
        said.write(_said(game.transcript))
        said.seek(0)
        seat = replace(take_seat(package, host, said.fileno(), lambda _: None), after=draw)
        try:
            seat.play(case)
        except HarnessError:
            return found
    return found


def _said(transcript: Transcript) -> bytes:
    lines = (line for line in transcript.lines if line.speaker is Speaker.SUBMISSION)
    return b"".join(line.text + (b"\n" if line.whole else b"") for line in lines)


def _images_in(folder: Path) -> dict[str, bytes]:
    names = sorted(path.name for path in folder.iterdir() if path.name.startswith(_KINDS))
    contents = {name: tidy.first_bytes(folder / name, IMAGE_BYTES) for name in names}
    return {name: content for name, content in contents.items() if content}
