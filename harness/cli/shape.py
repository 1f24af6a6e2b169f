"""harness shape: guess the input format from samples."""

from pathlib import Path

import click

from harness.errors import UsageError
from harness.report.escape import printable
from harness.shapes import infer


@click.command("shape")
@click.argument("samples", nargs=-1, required=True, metavar="SAMPLE...", type=click.Path(path_type=Path))
def command(samples: tuple[Path, ...]) -> int:
    """Print a draft of the shape that all SAMPLEs have, for harness stress --shape.

    Ranges and alphabets are guessed: check them against the statement.

    Example: harness shape test/*.in > shape.txt
    """
    inputs = []
    for path in samples:
        if path.is_dir():
            raise UsageError(f"{path}: is a folder: name the inputs in it, such as {path / '*.in'}")
        if not path.is_file():
            raise UsageError(f"{path}: no such file")
        data = path.read_bytes()
        if not data or not data.isascii():
            raise UsageError(f"{path}: {'not ASCII' if data else 'empty'}, so no shape describes it")
        inputs.append(data)
    click.echo(printable(infer(inputs), 1 << 20), nl=False)
    return 0
