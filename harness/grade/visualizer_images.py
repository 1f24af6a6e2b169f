"""What a package's visualizers draw, as the report has it."""

import base64
from collections.abc import Mapping
from pathlib import PurePosixPath

from harness.build import Executable
from harness.errors import HarnessError
from harness.judge import Judging
from harness.package import Program
from harness.results.model import Image

SHOWN_BYTES = 1 << 20
SHOWN_IMAGES = 4  # of one run
_MEDIA_TYPES = {".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg"}


def built_visualizer(judging: Judging, program: Program | None) -> Executable | None:
    """One of the package's visualizers; None where it has none or it does not build (2025-09: nobody's fault)."""
    if program is None:
        return None
    try:
        [built] = judging.host.build_judge_programs([program], judging.package.limits)
    except HarnessError:
        return None
    return built


def report_images(submission: str, case: str, found: Mapping[str, bytes]) -> list[Image]:
    """The images of a run as the report has them: the first few, and none that is huge."""
    small = [(name, content) for name, content in found.items() if len(content) <= SHOWN_BYTES]
    return [
        Image(
            submission=submission,
            case=case,
            name=name,
            media_type=_MEDIA_TYPES[PurePosixPath(name).suffix.lower()],
            content=base64.b64encode(content).decode("ascii"),
        )
        for name, content in small[:SHOWN_IMAGES]
    ]
