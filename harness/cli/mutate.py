"""harness mutate: would the data catch wrong solutions that nobody has written yet?"""

import math
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from harness.cli.ci_output import CiOutput
from harness.cli.console import Counter, console, show
from harness.cli.environment import (
    built_package,
    cache_folder,
    judge_host,
    package_folder,
    show_data_report,
    timed_package,
)
from harness.cli.mutate_options import MutateOptions
from harness.cli.options import CiOptions, ci_options, jobs_option, options_of, write_json
from harness.files import atomic
from harness.generate.data import build_data
from harness.host.host import Host
from harness.judge.prepare import with_limits
from harness.mutate.mutation import Mutation
from harness.mutate.new_cases import Proposal, add_cases
from harness.mutate.run import chosen_solutions, run_mutation, with_kept_time_limit
from harness.package import Package
from harness.package.find import split_arguments
from harness.package.workspace import RECIPE
from harness.report import mutation as words
from harness.report import mutation_page as page
from harness.report.escape import printable

NOTHING_OPEN, SOMETHING_OPEN, NOT_DECIDED = 0, 1, 2
PLAIN_EVERY_S = 10.0


@click.command("mutate")
@click.argument("arguments", nargs=-1, metavar="[PROBLEM] [SOLUTION]...")
@options_of(MutateOptions)
@ci_options
@jobs_option
def command(arguments: tuple[str, ...], *, ci: CiOptions, jobs: int, isolation: str, **values: Any) -> int:
    """Change PROBLEM's accepted SOLUTIONs in small ways and see whether the data notices each.

    SOLUTION is a path, or a name below submissions/. Without SOLUTIONs: all accepted ones, or with --strength the
    three fastest. If a mutant survives, new inputs are tried until one kills it. Results are kept: the same command
    continues where it was stopped. Exit code 0: no mutant survives, nor a wrong solution; 2: time was up.

    \b
    Examples:
      harness mutate sokoban faces.cpp
      harness mutate sokoban --heal --html mutants.html
      harness mutate sokoban --strength --json strength.json
      harness mutate faces.cpp        (inside a package's folder)
    """
    options = MutateOptions(**values)
    problem, solutions = split_arguments(arguments, Path.cwd())
    output = CiOutput(ci)
    out = console(stderr=ci.json_lines)
    root = package_folder(problem, to_change="--apply" if options.applied else "")
    with judge_host(jobs, isolation) as host:
        limited = with_limits(built_package(root, host), options.time_limit, None)
        programs, left = chosen_solutions(limited, solutions, strength=options.strength)
        if left:
            names = ", ".join(printable(program.path) for program in left)
            click.echo(f"left out, for only single files in C++ and Python 3 are mutated: {names}", err=True)
        package = with_kept_time_limit(limited, cache_folder(), partial(timed_package, host=host, quiet=False))
        with Counter(f"mutating {package.slug}", unit="steps", plain_every_s=PLAIN_EVERY_S) as counter:
            mutation = Mutation(
                package=package,
                host=host,
                cache=cache_folder(),
                inputs=options.tried_inputs,
                sample=options.sampled_mutants,
                fresh=options.fresh,
                until_s=time.monotonic() + options.time_s if options.time_s is not None else math.inf,
                progress=counter.step,
            )
            try:
                result = run_mutation(
                    mutation,
                    programs,
                    matrix=options.matrix,
                    propose=options.heal or options.applied,
                    strength=options.strength,
                    search_s=options.seconds,
                )
            except KeyboardInterrupt:
                click.echo("\nthe results so far are kept: the same command goes on there", err=True)
                raise
        if not ci.short:
            show(out, words.result_lines(result))
        if options.applied and result.proposals:
            _apply(package, result.proposals, host, out)
    report = result.report
    if options.html_file:
        atomic.deliver(options.html_file, page.render(result).encode())
    write_json(ci.json_file, words.as_json(result))
    origins = {program.path: program.origin for program in programs}
    output.conclude(list(words.diagnostics(report, origins)), words.suites(report), words.summary(report))
    if report.survivors() or report.left_out or result.passing_wrong_solutions:
        return SOMETHING_OPEN
    unjudged = result.kills.unjudged if result.kills is not None else 0
    return NOT_DECIDED if report.undecided or unjudged else NOTHING_OPEN


def _apply(package: Package, proposals: Sequence[Proposal], host: Host, out: Console) -> None:
    """Add cases to the package; with a recipe, build and lock."""
    for path in dict.fromkeys(add_cases(package, proposals)):
        out.print(f"added to {path}", markup=False)
    if RECIPE in package.files:
        with Counter("building", unit="files") as counter:
            report = build_data(package.root, host, relock=True, progress=counter.step)
        show_data_report(report, package.root, stderr=out.stderr)
    out.print("the same command again judges the mutants on the new data")
