"""harness stress: find an input that breaks a program, and make it small."""

import contextlib
from collections.abc import Iterator
from dataclasses import replace

import click
from click.core import ParameterSource

from harness.cli.console import show_warnings
from harness.cli.environment import judge_host
from harness.cli.options import grouped, write_json
from harness.cli.stress_options import (
    StressOptions,
    folder_of_samples,
    package_of,
    target_in,
    with_time_limit,
)
from harness.cli.stress_screen import (
    Screen,
    add_as_case,
    check_searched,
    hunt_slowest,
    show_command,
    show_nothing_found,
    show_result,
    warn_of_misfit,
)
from harness.errors import UnbuiltError
from harness.files import atomic
from harness.report.diagnostics import of_compiler, short_line
from harness.report.search import diagnostic, search_as_json
from harness.search.candidates import Clock, Progress, SearchResult
from harness.search.hunt import Hunt
from harness.search.slowest import SlowHunt

FOUND, NOTHING_FOUND, UNDECIDED = 1, 0, 2


# --time is the older name of --search-time, too similar to --time-limit.
@click.command(
    "stress", context_settings={"token_normalize_func": lambda name: {"time": "search-time"}.get(name, name)}
)
@click.argument("arguments", nargs=-1, metavar="[PROBLEM | DIR] PROGRAM", required=True)
@grouped("options", StressOptions)
def command(arguments: tuple[str, ...], *, options: StressOptions) -> int:
    """Find a smallest input on which PROGRAM fails.

    The reference is an accepted program of PROBLEM, or --brute. Without a package, inputs come from --gen or --shape,
    or from a shape that is guessed from samples: those in DIR, in test/ here, or beside the program.

    Exit code 1: a failing input was found. 0: none was found. 2: the search could not be made, was interrupted, or
    found only doubtful inputs: accepted programs differ there, or it may be invalid, or the reference is wrong.

    \b
    Examples:
      harness stress sokoban my.cpp
      harness stress samples my.cpp --brute slow.py
      harness stress my.cpp --brute slow.py --gen gen.py
      harness stress my.cpp --brute slow.py --shape 'n m; grid(n, m, ".#")'
    """
    clock = Clock(phase="preparing")
    options = replace(options, folder=folder_of_samples(arguments))
    options.check()
    problem, path, package = package_of(arguments, options)
    workers = options.jobs
    if click.get_current_context().get_parameter_source("jobs") is ParameterSource.DEFAULT and not options.slowest:
        workers += 1  # it runs while others wait for this process: a fifth more inputs on two cores
    with (
        judge_host(workers, options.isolation, sanitize=options.sanitize) as host,
        host.adopting(),
        _short_compile_errors(options),
    ):
        target = target_in(package, path, options)
        target = with_time_limit(target, host, options, clock)
        if options.shape is not None:
            warn_of_misfit(target)
        if options.slowest:
            hunt = SlowHunt(target=target, host=host, seed=options.seed, time_s=options.time_s, clock=clock)
            return hunt_slowest(hunt, options)
        search = Hunt(
            target=target,
            host=host,
            seed=options.seed,
            time_s=options.time_s,
            given=options.given_input,
            progress=Progress(clock=clock),
        )
        result = _search(search, options)
    show_warnings(search.progress.unbuilt_validators)
    if result is None:
        progress = search.progress
        hurried = options.given is None and progress.was_hurried(options.time_s)
        is_searched = not (
            progress.interrupted or progress.is_hardly_searched or hurried or progress.doubt_of_reference
        )
        return NOTHING_FOUND if is_searched else UNDECIDED
    if options.save is not None:
        atomic.deliver(options.save, result.trial.data)
    in_doubt = result.trial.doubt is not None or search.doubt_of_answer(result)
    if options.promote is not None and not in_doubt:
        add_as_case(package, options.promote, result)
    if not options.is_for_programs:
        words = options.command(problem, path)
        show_command(result.trial.data, words, seed=options.seed, saved=options.save, given=options.given)
    return UNDECIDED if in_doubt or search.progress.interrupted else FOUND


@contextlib.contextmanager
def _short_compile_errors(options: StressOptions) -> Iterator[None]:
    """Print the errors of a program that does not compile in the short format, if it is asked for, and end."""
    try:
        yield
    except UnbuiltError as error:
        if not options.ci.short:
            raise
        for fault in of_compiler(str(error), error.file):
            click.echo(short_line(fault))
        raise click.exceptions.Exit(UNDECIDED) from error


def _search(hunt: Hunt, options: StressOptions) -> SearchResult | None:
    """Search, and print the result or write it as JSON. An interrupt ends the search early."""
    result: SearchResult | None = None
    try:
        with Screen(hunt):
            result = hunt.run()
    except KeyboardInterrupt:
        hunt.progress.interrupted = True
    if options.ci.json_file is not None:  # the values hold the input, which may be large
        write_json(options.ci.json_file, search_as_json(hunt, result), one_line=True)
    if options.ci.short and result is not None:
        click.echo(short_line(diagnostic(result, hunt.target.submission.origin, hunt.doubt_of_answer(result))))
    given = options.given is not None and not hunt.progress.interrupted
    if result is None and not hunt.progress.interrupted:
        check_searched(hunt, given=given)
    if result is not None and not options.is_for_programs:
        show_result(result, hunt, may_hint=options.replaces_package and options.judged_by.judge is None)
    elif result is None and not options.is_for_programs:
        show_nothing_found(hunt, given=given)
    return result
