"""The files that a command writes: checked before anything is judged, written whole after."""

import json
import os
from pathlib import Path

import click

from harness.errors import UsageError
from harness.files import atomic


def check_target(path: Path) -> None:
    """Raise UsageError when a result cannot be written to `path`: before judging, not after."""
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


def result_file(json_file: str | None) -> Path | None:
    """Return the file of `--json`; None for none, or standard output. Raises UsageError where it cannot be written."""
    if json_file is None or json_file == "-":
        return None
    check_target(Path(json_file))
    return Path(json_file)


def write_json(json_file: str | None, values: object) -> None:
    """Write values where `--json` says, if it is given; `-`: to standard output."""
    if json_file == "-":
        click.echo(json.dumps(values, ensure_ascii=False, indent=1))
    elif json_file is not None:
        deliver_json(Path(json_file), values)


def deliver_json(path: Path, values: object) -> None:
    """Write values to a file, which is whole or as it was."""
    atomic.deliver(path, json.dumps(values, ensure_ascii=False, indent=1).encode() + b"\n")
