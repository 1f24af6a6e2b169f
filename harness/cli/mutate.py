"""harness mutate: would the data catch wrong solutions that nobody has written yet?"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

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
from harness.cli.options import grouped, write_json
from harness.files import atomic
from harness.generate.data import build_data
from harness.host.host import Host
from harness.judge.prepare import with_limits
from harness.mutate.new_cases import Proposal, add_cases
from harness.mutate.run import chosen_solutions, with_kept_time_limit
from harness.package import Package
from harness.package.find import split_arguments
from harness.package.workspace import RECIPE
from harness.report import mutation as words
from harness.report import mutation_page as page
from harness.report.escape import printable
from harness.rules.outcomes import checking_exit_code

PLAIN_EVERY_S = 10.0


@click.command("mutate")
@click.argument("arguments", nargs=-1, metavar="[PROBLEM] [SOLUTION]...")
@grouped("options", MutateOptions)
def command(arguments: tuple[str, ...], *, options: MutateOptions) -> int:
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
    problem, solutions = split_arguments(arguments, Path.cwd())
    output = CiOutput(options.ci)
    out = console(stderr=options.ci.json_lines)
    root = package_folder(problem, to_change="--apply" if options.applied else "")
    with judge_host(options.jobs, options.isolation) as host:
        limited = with_limits(built_package(root, host), options.time_limit, None)
        programs, left = chosen_solutions(limited, solutions, strength=options.strength)
        if left:
            names = ", ".join(printable(program.path) for program in left)
            click.echo(f"left out, for only single files in C++ and Python 3 are mutated: {names}", err=True)
        package = with_kept_time_limit(limited, cache_folder(), partial(timed_package, host=host, quiet=False))
        with Counter(f"mutating {package.slug}", unit="steps", plain_every_s=PLAIN_EVERY_S) as counter:
            try:
                result = options.run(package, programs, host=host, cache=cache_folder(), progress=counter.step)
            except KeyboardInterrupt:
                click.echo("\nthe results so far are kept: the same command goes on there", err=True)
                raise
        if not options.ci.short:
            show(out, words.result_lines(result))
        if options.applied and result.proposals:
            _apply(package, result.proposals, host, out)
    report = result.report
    if options.html_file:
        atomic.deliver(options.html_file, page.render(result).encode())
    write_json(options.ci.json_file, words.as_json(result))
    origins = {program.path: program.origin for program in programs}
    output.conclude(list(words.diagnostics(report, origins)), words.suites(report), words.summary(report))
    return checking_exit_code(holds=result.holds, decided=result.decided)


def _apply(package: Package, proposals: Sequence[Proposal], host: Host, out: Console) -> None:
    """Add cases to the package; with a recipe, build and lock."""
    for path in dict.fromkeys(add_cases(package, proposals)):
        out.print(f"added to {path}", markup=False)
    if RECIPE in package.files:
        with Counter("building", unit="files") as counter:
            report = build_data(package.root, host, relock=True, progress=counter.step)
        show_data_report(report, package.root, stderr=out.stderr)
    out.print("the same command again judges the mutants on the new data")
