"""The files that a command writes: checked while the options are read, written whole at the end."""

import json
import os
from pathlib import Path
from typing import Any

import click

from harness.errors import UsageError
from harness.files import atomic


def check_target(path: Path) -> None:
    """Raise UsageError if no result can be written to `path`: before judging, not after it."""
    if path.is_dir():
        raise UsageError(f"{path}: is a folder: name a file")
    if atomic.is_stream(path):
        if not os.access(path, os.W_OK):
            raise UsageError(f"{path}: cannot be written to")
        return
    if not path.parent.is_dir():
        raise UsageError(f"{path.parent}: no such folder: make it first")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise UsageError(f"{path.parent.absolute()}: cannot be written to, so {path.name} cannot be put there")


class OutputFile(click.Path):
    """An option that names a file to write. Parsing raises UsageError if the file cannot be written.

    stream: `-` is allowed, for standard output.
    """

    def __init__(self, *, stream: bool = False) -> None:
        super().__init__(path_type=Path)
        self._stream = stream

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path, or `-` as it is."""
        if self._stream and value == "-":
            return value
        check_target(Path(value))
        return Path(value)


OUTPUT = OutputFile()
JsonTarget = Path | str | None  # the value of --json; `-` is standard output


def write_json(target: JsonTarget, values: object) -> None:
    """Write values to the target of `--json`: a file, standard output (`-`), or nothing (None)."""
    text = json.dumps(values, ensure_ascii=False, indent=1) if target is not None else ""
    if isinstance(target, Path):
        atomic.deliver(target, text.encode() + b"\n")
    elif target is not None:
        click.echo(text)
