"""harness judge: run submissions on a package's data and say what they got."""

import importlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from harness.cli.command_program import (
    TakesCommand,
    binary_entry,
    command_entry,
    command_of,
    is_binary,
    named_files,
)
from harness.cli.common import (
    SANITIZE_HELP,
    check_target,
    console,
    host,
    jobs_option,
    show_warnings,
)
from harness.cli.json_file import result_file, write_result
from harness.cli.judging_screen import View, report_of
from harness.cli.prepare_package import built_package, timed_package
from harness.cli.program_arguments import own_or_strange, package_or_hint, places, split
from harness.cli.show_samples import show_samples
from harness.cli.watch_files import on_every_save
from harness.errors import UsageError
from harness.host.host import Host
from harness.judge import Entry, Judging
from harness.judge.prepare import with_checks, with_limits
from harness.package import Package, ProblemType
from harness.rules.expectations import rules_for


@click.command("judge", cls=TakesCommand)
@click.argument("arguments", nargs=-1, metavar="[PROBLEM] [SUBMISSION]...")
@click.option(
    "--language", help="The submissions' language, where the file name does not tell (harness doctor lists)."
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0.001, max=86400),
    help="CPU seconds a case, instead of the package's.",
)
@click.option("--memory", type=click.IntRange(min=4, max=1 << 24), help="Memory in MiB, instead of the package's.")
@click.option("--all", "complete", is_flag=True, help="Run every case, also where the outcome is decided already.")
@click.option(
    "--skip-missing-languages",
    "skip_missing",
    is_flag=True,
    help="Exit 0 also where a submission was not judged for want of a compiler.",
)
@click.option("--watch", is_flag=True, help="Again whenever a submission is saved.")
@click.option("--sanitize", is_flag=True, help=SANITIZE_HELP)
@click.option("--json", "json_file", metavar="FILE", help="Write the result there; -: JSON Lines to stdout.")
@click.option(
    "--replay",
    metavar="FILE",
    help="Write the first failed game of an interactive problem there; .html: its page, .svg: its image.",
)
@click.option("-q", "--quiet", is_flag=True, help="Only what is not as expected.")
@click.option(
    "-v", "--verbose", is_flag=True, help="Every case of every submission, and all of a sample's standard error."
)
@jobs_option
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
    json_file: str | None,
    replay: str | None,
    quiet: bool,
    verbose: bool,
    jobs: int,
    isolation: str,
) -> int:
    """Judge SUBMISSIONs (files or folders) on PROBLEM; without any, all of the package's own.

    The package's own go by their names below submissions/ (accepted/faces.cpp, faces.cpp), too, and are held against
    what its submissions.yaml says of them; for yours, 0 means accepted. Exit code 2 when one could
    not be judged, for want of a compiler too.

    A submission may be a compiled program; behind `--` stands any command, and the files that it names are copied.

    \b
    Examples:
      harness judge sokoban my.cpp
      harness judge sokoban -- python3 my.py fast
      harness judge sokoban
      harness judge sokoban accepted/faces.cpp
      harness judge accepted/faces.cpp (inside a package: PROBLEM is left out)
    """
    own_command = command_of(context)
    problem, paths = split(arguments)
    root = package_or_hint(problem, "harness test FILE runs a program on the samples beside it")
    if own_command and paths:
        raise UsageError("submissions, or one command behind `--`, not both")
    if language is not None and not paths:
        raise UsageError(
            "--language is that of the files that you name: harness judge PROBLEM FILE --language CODE"
        )
    if watch and not paths and not named_files(own_command):
        raise UsageError("--watch needs the program that you are writing: harness judge PROBLEM my.cpp --watch")
    target = result_file(json_file)
    if replay is not None:
        check_target(Path(replay))
    with host(jobs, isolation, sanitize=sanitize, in_report=True) as opened:
        package = with_limits(built_package(root, opened), time_limit, memory)
        show_warnings(package)
        package = timed_package(package, opened, quiet=quiet)
        package = with_checks(package) if sanitize else package
        watched = [*named_files(own_command).values(), *places(package, paths)]

        # Loaded for interactive problems alone: it brings all of `replay` along.
        interactive = replay is not None or ProblemType.INTERACTIVE in package.types
        games = importlib.import_module("harness.cli.show_game") if interactive else None

        def once() -> int:
            own = command_entry(own_command, opened) if own_command else None
            entries = [own] if own else _entries(package, paths, language, opened)
            if games and replay is not None:
                games.check_replay(package, entries)
            view = View(
                package=package,
                json_lines=json_file == "-",
                quiet=quiet,
                total=len(entries),
                skip_missing=skip_missing,
            )
            judging = Judging(package=package, host=opened, complete=complete)
            with view.live(opened, entries) as observer:
                results = replace(judging, observer=observer).run(entries)
            shown = None
            if games and (replay is not None or not quiet):
                shown = games.replay_of(judging, entries, results, replay)
            report = report_of(package, opened, results, calibrate=json_file is not None)
            view.conclude(report, verbose=verbose)
            if not quiet:
                show_samples(package, results, console(stderr=json_file == "-"), verbose=verbose)
            if games and shown is not None:
                games.show(shown, console(stderr=json_file == "-"), file=replay, quiet=quiet)
            write_result(report, target)
            return view.exit_code(report)

        return on_every_save(watched, once) if watch else once()


def _entries(package: Package, paths: Sequence[Path], language: str | None, opened: Host) -> list[Entry]:
    if paths:
        return [_entry(package, path, language, opened) for path in paths]
    if not package.submissions:
        raise UsageError(f"{package.slug} has no submissions of its own: name yours")
    return [Entry(program=one, rules=rules_for(one.path, package.rules)) for one in package.submissions]


def _entry(package: Package, path: Path, language: str | None, opened: Host) -> Entry:
    """A submission by path. One of the package's own keeps what the package demands of it, if it demands anything."""
    if language is None and is_binary(path):
        return binary_entry(path, opened)
    program, is_own = own_or_strange(package, path, language)
    return Entry(program=program, rules=(rules_for(program.path, package.rules) or None) if is_own else None)
