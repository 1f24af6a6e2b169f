"""The images that a package's output visualizer draws of a run (2025-09, "Output visualizer").

It is called as the output validator was, after it and in the same feedback folder, and hears what the validator heard.
As the format says, its failure is nobody's: then there is no picture.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from harness import tidy
from harness.build import Executable
from harness.check import Validation
from harness.errors import MachineError
from harness.sandbox import Sandbox

IMAGE_BYTES = 16 << 20
ENDINGS = (".svg", ".png", ".jpg", ".jpeg")
_KINDS = ("judgeimage", "teamimage")


@dataclass(frozen=True, kw_only=True)
class Gallery:
    """Takes the images of one run: file name → content, the judge's first. All untrusted."""

    visualizer: Executable
    images: dict[str, bytes] = field(default_factory=dict)

    def draw(self, sandbox: Sandbox, validation: Validation, output: Path, arguments: Sequence[str]) -> None:
        """Run the visualizer where `validation` has judged. output: what the submission said; a game: os.devnull."""
        call = replace(validation, validator=self.visualizer, arguments=arguments, warm=None)
        with output.open("rb") as said, Path(os.devnull).open("wb") as null:
            streams = {"stdin": said.fileno(), "stdout": null.fileno(), "stderr": null.fileno()}
            try:
                call.start(sandbox, wall_s=call.limits.wall_s, **streams).wait()
            except MachineError:
                return
        self.images.update(images_in(validation.place.directory, _KINDS))


def images_in(folder: Path, starts: Sequence[str] = ("",)) -> dict[str, bytes]:
    """The images in a folder that a hostile program may have filled, by name. starts: what the names begin with."""
    names = sorted(path.name for path in folder.iterdir() if path.name.startswith(tuple(starts)))
    kept = [name for name in names if name.lower().endswith(ENDINGS)]
    contents = {name: tidy.first_bytes(folder / name, IMAGE_BYTES) for name in kept}
    return {name: content for name, content in contents.items() if content}
