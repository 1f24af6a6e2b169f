"""The command line: the only place that prints, exits or reads the environment."""

import io
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from harness import __version__
from harness.cli.lazy_group import COMPLETE_VARIABLE, LazyGroup, ReaderGone
from harness.errors import HarnessError
from harness.report.escape import printable

COULD_NOT_JUDGE = 2


# The commands as `harness --help` lists them: name, module, first sentence of its help.
SECTIONS: Mapping[str, Sequence[tuple[str, str, str]]] = {
    "Contestants": (
        ("judge", "harness.cli.judge", "Judge submissions on a package, or all of the package's own."),
        ("test", "harness.cli.test", "Run a program on the samples of a folder, without a package."),
        ("listen", "harness.cli.listen", "Take problems from the browser: samples and limits, by one button."),
        ("stress", "harness.cli.stress", "Find a smallest input on which a program fails."),
        ("shape", "harness.cli.shape", "Guess the input format from samples, for stress --shape."),
        ("play", "harness.cli.play", "Play against the interactor of a problem: you are the submission."),
    ),
    "Setters": (
        ("new", "harness.cli.new", "Make a small package that verifies at once, as a start of yours."),
        ("generate", "harness.cli.generate", "Build the secret data from its recipe, and lock it by hash."),
        ("verify", "harness.cli.verify", "Check a whole package: data, programs, limits, statements."),
        ("mutate", "harness.cli.mutate", "Change accepted solutions slightly and see if the data notices."),
        ("statement", "harness.cli.statement", "Render a statement as one offline HTML page, PDF or Markdown."),
        ("export", "harness.cli.export", "Write a zip for another judge, and say what is lost."),
        ("contest", "harness.cli.contest", "Prepare a whole contest: verify, booklet, export, upload."),
    ),
    "CI": (
        ("grade", "harness.cli.grade", "Grade many submissions: resumable, sharded, with reports."),
        ("merge", "harness.cli.merge", "Merge the reports or stores of shards into one report."),
    ),
    "All": (
        ("list", "harness.cli.listing", "List the problems of a workspace, or the packages in a folder."),
        ("help", "harness.cli.lazy_group:show_help", "Show the help of a command."),
        ("doctor", "harness.cli.doctor", "Show the languages and isolation of this machine."),
    ),
}
COMMANDS = {name: module for rows in SECTIONS.values() for name, module, _ in rows}


@click.group(cls=LazyGroup, sections=SECTIONS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="harness")
def group() -> None:
    """Judge problem packages and programs on this machine.

    PROBLEM is the name of a problem in the workspace around you (sokoban), or a path to a package. Inside a package,
    leave it out.

    Exit codes: 0 all as expected, 1 something is not, 2 could not judge.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command, print its error, exit."""
    signal.signal(signal.SIGTERM, _interrupt)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # nohup
        signal.signal(signal.SIGHUP, _interrupt)  # the terminal was closed
    _check_streams()
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


def _check_streams() -> None:
    if sys.stderr is None:  # the shell's `2>&-`: nobody reads progress and messages
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal that is not UTF-8 is no internal error
    if sys.stdout is None:  # the shell's `>&-`
        _fail("standard output is closed: there is nowhere to write the result")


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
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # the shell and the kernel may both send it: once is enough
    raise KeyboardInterrupt
