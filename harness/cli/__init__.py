"""The command line: the only place that prints, exits or reads the environment."""

import io
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from harness.cli.commands import COMPLETE_VARIABLE, ReaderGone, group
from harness.errors import HarnessError
from harness.report.escape import printable

COULD_NOT_JUDGE = 2


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command, print its error, exit."""
    signal.signal(signal.SIGTERM, _interrupt)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal that is not UTF-8 is no internal error
    if sys.stdout is None:  # the shell's `>&-`
        _fail("standard output is closed: there is nowhere to write the result")
    try:
        code = group.main(
            args=arguments, prog_name="harness", complete_var=COMPLETE_VARIABLE, standalone_mode=False
        )
        sys.stdout.flush()  # an error here gets a message; at the interpreter's end it would not
    except click.exceptions.Abort:
        _fail("interrupted: no half-written file is left")
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        sys.exit(COULD_NOT_JUDGE)
    except click.ClickException as error:
        if isinstance(error, click.UsageError) and error.ctx is not None:
            click.echo(error.ctx.get_usage(), err=True)
        _fail(error.format_message())
    except KeyboardInterrupt:
        _fail("interrupted: no half-written file is left")
    except (ReaderGone, BrokenPipeError):
        _give_up_output()  # the reader has gone: no message can be printed
        sys.exit(COULD_NOT_JUDGE)
    except HarnessError as error:
        _fail(str(error))
    except OSError as error:
        _fail(f"{error.filename or _likely_file()}: {error.strerror or error}")
    except Exception as error:
        _fail(f"internal: {type(error).__name__}: {error}")
    sys.exit(code if isinstance(code, int) else 0)


def _fail(message: str) -> None:
    first, *rest = message.splitlines() or ["unknown"]
    for line in (f"error: {first}", *(f"       {line}" for line in rest)):
        click.echo(printable(line), err=True)
    sys.exit(COULD_NOT_JUDGE)


def _likely_file() -> str:
    """Return the likely cause of a system error that names no file."""
    if _give_up_output():
        return "standard output"
    try:
        Path.cwd()
    except OSError:
        return "the folder that you are in (`cd` to one that is there)"
    return "the system"


def _give_up_output() -> bool:
    """Return whether standard output is broken; drop its buffer then, or Python would exit with 120."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return True
    return False


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt
