"""harness judge: run submissions on a package's data and print their verdicts."""

import importlib
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from harness.cli.console import on_every_save, show_warnings
from harness.cli.environment import built_package, judge_host, package_or_hint, timed_package
from harness.cli.judging_screen import JudgingOptions, judge_and_show
from harness.cli.options import OUTPUT, TakesCommand, command_of, every_case_option, grouped, limit_options
from harness.errors import UsageError
from harness.judge.entries import entries_at, named_files
from harness.judge.judging import Judging
from harness.judge.prepare import with_checks, with_limits
from harness.package import ProblemType
from harness.package.find import split_arguments
from harness.package.named_programs import places


@click.command("judge", cls=TakesCommand)
@click.argument("arguments", nargs=-1, metavar="[PROBLEM] [SUBMISSION]...")
@limit_options
@every_case_option
@click.option(
    "--skip-missing-languages",
    "skip_missing",
    is_flag=True,
    help="Submissions whose compiler is missing do not count for the exit code.",
)
@click.option(
    "--replay",
    type=OUTPUT,
    metavar="FILE",
    help="Of an interactive problem, write the first failed game there; .html: its page, .svg: its image.",
)
@grouped("options", JudgingOptions)
@click.pass_context
def command(
    context: click.Context,
    arguments: tuple[str, ...],
    *,
    options: JudgingOptions,
    time_limit: float | None,
    memory: int | None,
    complete: bool,
    skip_missing: bool,
    replay: Path | None,
) -> int:
    """Judge SUBMISSIONs (files or folders) on PROBLEM. Without SUBMISSIONs, judge all of the package's own.

    A submission of the package may be named by its path below submissions/ (accepted/faces.cpp) or by its file name
    (faces.cpp). It is compared with what submissions.yaml says of it.

    A submission may be a compiled program. After `--` you may give any command; the files that it names are copied.

    Exit code 0: your submissions are accepted, and those of the package are as expected. 1: one is not. 2: one could
    not be judged, for instance because its compiler is missing.

    \b
    Examples:
      harness judge sokoban my.cpp
      harness judge sokoban -- python3 my.py fast
      harness judge sokoban
      harness judge accepted/faces.cpp (inside a package: PROBLEM is left out)
    """
    own_command = command_of(context)
    problem, paths = split_arguments(arguments, Path.cwd())
    root = package_or_hint(problem, "harness test FILE runs a program on the samples beside it")
    _check(own_command, paths, options)
    options = replace(options, skip_missing=skip_missing, calibrate=True)
    quiet = not options.shows_tables
    with judge_host(options.jobs, options.isolation, sanitize=options.sanitize, in_report=True) as host:
        package = with_limits(built_package(root, host), time_limit, memory)
        show_warnings(package.warnings)
        package = timed_package(package, host, quiet=quiet)
        package = with_checks(package) if options.sanitize else package
        judging = Judging(package=package, host=host, complete=complete)
        # Imported for interactive problems only: it imports all of `replay`.
        interactive = replay is not None or ProblemType.INTERACTIVE in package.types
        games = importlib.import_module("harness.cli.game_screen") if interactive else None

        def once() -> int:
            entries = entries_at(package, paths, options.language, host, command=own_command)
            if games is None:
                return judge_and_show(judging, entries, options)
            games.check_replay(package, entries, replay)
            show_game = partial(
                games.show_failed_game, judging, entries, out=options.out, file=replay, quiet=quiet
            )
            return judge_and_show(judging, entries, options, then=show_game)

        watched = [*named_files(own_command).values(), *places(package, paths)]
        return on_every_save(lambda: watched, once) if options.watch else once()


def _check(own_command: Sequence[str], paths: Sequence[Path], options: JudgingOptions) -> None:
    """Raise UsageError for arguments that do not go together."""
    if own_command and paths:
        raise UsageError("submissions, or one command after `--`, not both")
    if options.language is not None and not paths:
        raise UsageError("--language is for files that you name: harness judge PROBLEM FILE --language CODE")
    if options.watch and not paths and not named_files(own_command):
        raise UsageError("--watch needs the program that you are writing: harness judge PROBLEM my.cpp --watch")
