"""What the package's visualizers draw of cases that a submission failed, for the report."""

import base64
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from harness.build import Executable
from harness.check import validation_limits
from harness.errors import HarnessError
from harness.grade.games import first_failed
from harness.host import Host
from harness.judge import Entry, Gallery, Judging, images_in
from harness.package import Case, Package, Program
from harness.replay import find_case
from harness.results import Image, SubmissionResult
from harness.sandbox import Sandbox

SHOWN_BYTES = 1 << 20
SHOWN_IMAGES = 4  # of one run
_MEDIA_TYPES = {".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg"}


def drawn_images(
    judging: Judging,
    entries: Sequence[Entry],
    results: Sequence[SubmissionResult],
    may_show: Callable[[str], bool],
) -> Iterator[Image]:
    """The images of the first failed case of each submission that may be shown, and of that case's input, once.

    Nothing where the package has no visualizer, or where one fails (2025-09: that is nobody's fault).
    """
    package, host = judging.package, judging.host
    failed = [(entry, first_failed(result, may_show)) for entry, result in zip(entries, results, strict=True)]
    wanted = [(entry, *find_case(package, one.name)) for entry, one in failed if one is not None]
    if not wanted:
        return
    drawer = _built(package.input_visualizer, package, host)
    if drawer is not None:
        for case in {case.name: case for _, _, case in wanted}.values():
            yield from _images("", case, _input_images(package, host, drawer, case))
    drawer = _built(package.output_visualizer, package, host)
    if drawer is not None:
        for entry, group, case in wanted:
            gallery = Gallery(visualizer=drawer)
            judging.recorded(entry.program, group, case, gallery)
            yield from _images(entry.program.path, case, gallery.images)


def _built(program: Program | None, package: Package, host: Host) -> Executable | None:
    if program is None:
        return None
    try:
        [built] = host.build_judge_programs([program], package.limits)
    except HarnessError:
        return None
    return built


def _input_images(package: Package, host: Host, drawer: Executable, case: Case) -> Mapping[str, bytes]:
    """What the input visualizer leaves in the folder that it works in, whatever its name."""
    limits = drawer.fit(validation_limits(package.limits))

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


def _images(submission: str, case: Case, found: Mapping[str, bytes]) -> Iterator[Image]:
    small = [(name, content) for name, content in found.items() if len(content) <= SHOWN_BYTES]
    for name, content in small[:SHOWN_IMAGES]:
        yield Image(
            submission=submission,
            case=case.name,
            name=name,
            media_type=_MEDIA_TYPES[PurePosixPath(name).suffix.lower()],
            content=base64.b64encode(content).decode("ascii"),
        )
