"""harness listen: problems from the browser."""

from pathlib import Path

import click

from harness.cli.options import NumberType
from harness.errors import counted
from harness.package.companion import PORTS, CompanionProblem, Listener, lay_down
from harness.report.escape import printable


@click.command("listen")
@click.argument(
    "folder", required=False, default=".", type=click.Path(path_type=Path, exists=True, file_okay=False)
)
@click.option(
    "--port",
    type=NumberType(int, 1, 65535),
    help=f"The port. [the first free of {', '.join(map(str, PORTS))}]",
)
@click.option("--once", is_flag=True, help="End after one problem, or after one whole contest.")
def command(folder: Path, *, port: int | None, once: bool) -> int:
    """Take problems from the browser extension Competitive Companion: its button saves the samples in FOLDER.

    One problem: samples go to test/, limits to .cph/; `harness test --watch` in the folder uses them at once. A whole
    contest: a folder for it, with one folder for each problem. Only this machine can connect.

    \b
    Example:
      harness listen &
      harness test --watch my.cpp
    """
    laid_down: list[CompanionProblem] = []

    def take(problem: CompanionProblem) -> None:
        written = lay_down(problem, folder)
        laid_down.append(problem)
        click.echo(printable(f"{problem.name}: {counted(len(problem.samples), 'sample')} in {written / 'test'}"))

    def is_complete() -> bool:
        return once and bool(laid_down) and len(laid_down) >= laid_down[-1].batch[1]

    def refuse(reason: str) -> None:
        click.echo(printable(reason), err=True)

    listener = Listener(take=take, refuse=refuse, ports=PORTS if port is None else (port,))
    click.echo(f"listening on port {listener.port}; Ctrl-C ends", err=True)
    try:
        listener.take_requests(until=is_complete)
    except KeyboardInterrupt:
        return 0
    return 0
