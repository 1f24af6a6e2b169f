"""harness judge: run submissions on a package's data and print their verdicts."""

import importlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from harness.cli.console import on_every_save, show_warnings
from harness.cli.environment import built_package, judge_host, package_or_hint, timed_package
from harness.cli.judging_screen import JudgingViews, ci_output, judge_and_show, judging_options
from harness.cli.options import OUTPUT, TakesCommand, command_of, every_case_option, limit_options
from harness.errors import UsageError
from harness.judge.entries import entries_at, named_files
from harness.judge.judging import Judging
from harness.judge.prepare import with_checks, with_limits
from harness.package import ProblemType
from harness.package.find import split_arguments
from harness.package.named_programs import places
from harness.rules.outcomes import judging_exit_code


@click.command("judge", cls=TakesCommand)
@click.argument("arguments", nargs=-1, metavar="[PROBLEM] [SUBMISSION]...")
@limit_options()
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
@judging_options
@click.pass_context
def command(
    context: click.Context,
    arguments: tuple[str, ...],
    *,
    language: str | None,
    time_limit: float | None,
    memory: int | None,
    complete: bool,
    skip_missing: bool,
    watch: bool,
    sanitize: bool,
    views: JudgingViews,
    replay: Path | None,
    jobs: int,
    isolation: str,
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
    _check(own_command, paths, language, watch=watch)
    views = replace(views, skip_missing=skip_missing, calibrate=True)
    with judge_host(jobs, isolation, sanitize=sanitize, in_report=True) as host:
        package = with_limits(built_package(root, host), time_limit, memory)
        show_warnings(package)
        package = timed_package(package, host, quiet=views.quiet)
        package = with_checks(package) if sanitize else package
        judging = Judging(package=package, host=host, complete=complete)
        # Imported for interactive problems only: it imports all of `replay`.
        interactive = replay is not None or ProblemType.INTERACTIVE in package.types
        games = importlib.import_module("harness.cli.game_screen") if interactive else None

        def once() -> int:
            entries = entries_at(package, paths, language, host, command=own_command)
            if games:
                games.check_replay(package, entries, replay)
            with ci_output(views.ci, entries) as conclude:
                report = judge_and_show(judging, entries, views)
                conclude(report)
                if games and (replay is not None or not views.quiet):
                    shown = report.submissions, views.out
                    games.show_failed_game(judging, entries, *shown, file=replay, quiet=views.quiet)
            return judging_exit_code(report, skip_missing=skip_missing)

        watched = [*named_files(own_command).values(), *places(package, paths)]
        return on_every_save(watched, once) if watch else once()


def _check(own_command: Sequence[str], paths: Sequence[Path], language: str | None, *, watch: bool) -> None:
    """Raise UsageError for arguments that do not go together."""
    if own_command and paths:
        raise UsageError("submissions, or one command after `--`, not both")
    if language is not None and not paths:
        raise UsageError("--language is for files that you name: harness judge PROBLEM FILE --language CODE")
    if watch and not paths and not named_files(own_command):
        raise UsageError("--watch needs the program that you are writing: harness judge PROBLEM my.cpp --watch")
