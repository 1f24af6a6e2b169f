"""--watch: call a function again whenever a file is saved, until Ctrl-C."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from harness.errors import HarnessError
from harness.report.escape import printable

_LOOK_S = 0.05
_NOTHING_DONE = 2  # the exit code of an interrupt before the first call has ended
Stamp = tuple[int, int]


def on_every_save(paths: Sequence[Path], once: Callable[[], int], *, most: int | None = None) -> int:
    """Call `once` after every save; return its last exit code. After an error print it and wait for the next save.

    most: the largest number of calls, for tests.
    """
    code, times = _NOTHING_DONE, 0
    try:
        while True:
            stamps = _stamps(paths)
            try:
                code = once()
            except HarnessError as error:
                click.echo(printable(f"error: {error}"), err=True)
                code = 2
            times += 1
            if times == most:
                return code
            click.echo("waiting for the next save; Ctrl-C ends", err=True)
            while _stamps(paths) == stamps:
                time.sleep(_LOOK_S)
    except KeyboardInterrupt:
        return code


def _stamps(paths: Sequence[Path]) -> dict[Path, Stamp]:
    """Return the time of the last change of each file, also in folders; without files that are being replaced."""
    stamps = {}
    for path in paths:
        for file in path.rglob("*") if path.is_dir() else (path,):
            try:
                status = file.stat()
            except OSError:
                continue
            stamps[file] = (status.st_mtime_ns, status.st_size)
    return stamps
