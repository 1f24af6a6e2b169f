"""What a package's visualizers draw, as the report has it."""

import base64
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

from harness.build import Executable
from harness.check import validation_limits
from harness.errors import HarnessError
from harness.judge import Judging, images_in
from harness.package import Case, Program
from harness.results import Image
from harness.sandbox import Sandbox

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


def input_images(judging: Judging, drawer: Executable, case: Case) -> Mapping[str, bytes]:
    """What the input visualizer leaves in the folder that it works in, whatever its name; nothing where it fails."""
    host, limits = judging.host, drawer.fit(validation_limits(judging.package.limits))

    def draw(sandbox: Sandbox, _: None) -> Mapping[str, bytes]:
        with host.work_folder(sandbox) as work:
            files, folder = (work / "case.in", work / "case.ans"), work / "images"
            folder.mkdir()
            files[0].write_bytes(case.input.read())
            files[1].write_bytes(case.answer.read() if case.answer is not None else b"")
            command = drawer.command(limits.memory_bytes, *map(str, files), *case.settings.input_visualizer_args)
            command = command.reading(drawer.directory, *files)
            argv = tuple(_absolute(part, drawer.directory) for part in command.argv)
            command = replace(command, argv=argv, directory=folder, writable_directory=True)
            null = Path(os.devnull)
            sandbox.run(command, limits, stdin=null, stdout=work / "stdout", stderr=work / "stderr")
            return images_in(folder)

    try:
        return host.pool.alone(draw, None)
    except HarnessError:
        return {}


def _absolute(part: str, folder: Path) -> str:
    return str(folder / part) if (folder / part).is_file() else part


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
