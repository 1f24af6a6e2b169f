"""Run a package's visualizers, which draw images of an input and of a run (2025-09, "Visualizers").

The output visualizer is called after the output validator, in the same way: in the same feedback folder and with the
same standard input. By the format, a failing visualizer changes no verdict: there is no picture, and `faults` says why.
"""

import os
import tempfile
from collections.abc import Sequence
from dataclasses import field, replace
from pathlib import Path

from harness.build.executable import Executable
from harness.check.validator_call import ACCEPT, ValidatorCall, judge_program_limits
from harness.errors import HarnessError, MachineError
from harness.files import untrusted
from harness.host.host import Host
from harness.package import Case, Package
from harness.sandbox.facts import RunResult, Sandbox
from harness.values import dataclass

IMAGE_BYTES = 16 << 20
ENDINGS = (".svg", ".png", ".jpg", ".jpeg")
_KINDS = ("judgeimage", "teamimage")
_SUCCESS_CODES = (0, ACCEPT)  # the format names no exit code; some end as a validator does
_STDERR_BYTES = 2000


@dataclass(frozen=True, kw_only=True)
class Gallery:
    """The images of one run, by file name, the judge's first; all untrusted. faults: why there are none."""

    visualizer: Executable
    images: dict[str, bytes] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def draw(self, sandbox: Sandbox, call: ValidatorCall, output: Path, arguments: Sequence[str]) -> None:
        """Run the visualizer after `call` has judged. output: what the submission printed; os.devnull for a game."""
        own = replace(call, validator=self.visualizer, arguments=arguments, warm=None)
        with output.open("rb") as printed, Path(os.devnull).open("wb") as null, tempfile.TemporaryFile() as stderr:
            streams = {"stdin": printed.fileno(), "stdout": null.fileno(), "stderr": stderr.fileno()}
            try:
                run = own.start(sandbox, wall_s=own.limits.wall_s, **streams).wait()
            except MachineError as error:
                self.faults.append(str(error))
                return
            images = images_in(call.folder, _KINDS)
            stderr.seek(0)
            self.faults.extend(_faults_of(run, images, stderr.read(_STDERR_BYTES)))
        self.images.update(images)


def draw_input(package: Package, host: Host, visualizer: Executable, case: Case) -> Gallery:
    """Run the input visualizer on a case; return all images that it writes to its folder."""
    gallery, limits = Gallery(visualizer=visualizer), visualizer.fit(judge_program_limits(package.limits))

    def draw(sandbox: Sandbox, _: None) -> None:
        with host.work_folder(sandbox) as work:
            files, folder = (work / "case.in", work / "case.ans"), work / "images"
            folder.mkdir()
            files[0].write_bytes(case.input.read())
            files[1].write_bytes(case.read_answer())
            arguments = (*map(str, files), *case.settings.input_visualizer_args)
            command = visualizer.command(limits.memory_bytes, *arguments, elsewhere=True).reading(*files)
            command = replace(command, directory=folder, writable_directory=True)
            null, stderr = Path(os.devnull), work / "stderr"
            run = sandbox.run(command, limits, stdin=null, stdout=work / "stdout", stderr=stderr)
            gallery.images.update(images_in(folder))
            gallery.faults.extend(
                _faults_of(run, gallery.images, untrusted.first_bytes(stderr, _STDERR_BYTES) or b"")
            )

    try:
        host.pool.alone(draw, None)
    except HarnessError as error:
        gallery.faults.append(str(error))
    return gallery


def images_in(folder: Path, starts: Sequence[str] = ("",)) -> dict[str, bytes]:
    """Read the images in a folder that a hostile program may have filled. starts: allowed prefixes of their names."""
    names = sorted(path.name for path in folder.iterdir() if path.name.startswith(tuple(starts)))
    kept = [name for name in names if name.lower().endswith(ENDINGS)]
    contents = {name: untrusted.first_bytes(folder / name, IMAGE_BYTES) for name in kept}
    return {name: content for name, content in contents.items() if content}


def _faults_of(run: RunResult, images: dict[str, bytes], stderr: bytes) -> list[str]:
    """Return the faults of a visualizer's run, one line each. stderr: its standard error."""
    last_line = stderr.decode(errors="replace").strip().rpartition("\n")[2]  # the error of a traceback
    detail = f": {last_line}" if last_line else ""
    if run.killed_for is not None or run.exit_code not in _SUCCESS_CODES:
        return [f"failed: {run.ending}{detail}"]
    return [] if images else [f"drew nothing: no picture in {', '.join(ENDINGS)} was found{detail}"]
