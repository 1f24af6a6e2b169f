"""harness test: run a program on the samples of a folder, without a package."""

from dataclasses import replace
from pathlib import Path

import click
from rich.text import Text

from harness.cli.ad_hoc_options import AdHocOptions, warn_of_samples
from harness.cli.console import on_every_save
from harness.cli.environment import judge_host
from harness.cli.judging_screen import JudgingOptions, judge_and_show
from harness.cli.options import TakesCommand, command_of, grouped
from harness.errors import UsageError
from harness.judge.entries import entries_at, named_files
from harness.judge.judging import Judging
from harness.judge.prepare import with_checks
from harness.package import Case, Package
from harness.package.ad_hoc import StatedLimits
from harness.package.archive import is_archive, opened
from harness.package.samples import (
    folder_and_program,
    places_of_samples,
    samples_in,
    unanswered_in,
)
from harness.report.escape import printable
from harness.report.words import limits_line


@click.command("test", cls=TakesCommand)
@click.argument("arguments", nargs=-1, metavar="[DIR] PROGRAM")
@grouped("judged_by", AdHocOptions)
@grouped("options", JudgingOptions)
@click.pass_context
def command(
    context: click.Context, arguments: tuple[str, ...], *, judged_by: AdHocOptions, options: JudgingOptions
) -> int:
    """Run PROGRAM on the samples in DIR, as oj and cph leave them.

    DIR is by default the current folder, or else the folder of PROGRAM. PROGRAM is a source or a compiled program.
    After `--` you may give any command instead; the files that it names are copied.

    Samples are pairs such as 1.in and 1.out (or .ans), sample-1.in and sample-1.out, in1.txt and out1.txt, in/1.txt
    and out/1.txt, in DIR (a folder or a zip) or in its folder test, tests, samples, sample or testcases. Samples that
    cph or `harness listen` keeps in .cph are found, too, with their limits; options override these.

    Exit code 0: all are right. 1: one is not. 2: nothing could be judged.

    \b
    Examples:
      harness test my.cpp
      harness test samples ./a.out
      harness test -- python3 my.py fast
    """
    own_command = command_of(context)
    folder, program = folder_and_program(_unpacked(arguments, context), has_command=bool(own_command))
    if not own_command and not program.exists():
        raise UsageError(f"{program}: no such file or folder")
    options = replace(options, may_hint=judged_by.judge is None)

    def prepared() -> tuple[Package, StatedLimits]:
        """Return the package of the current samples, and its limits. They may change between two runs."""
        cases = _samples(folder, program, interactive=judged_by.interactor is not None)
        name = folder.resolve().name or "samples"
        package, stated = judged_by.package(name, cases, program, (folder, program.parent), root=folder)
        return (with_checks(package) if options.sanitize else package), stated

    ready = [] if options.watch else [prepared()]  # reports faults of the samples before anything is built
    with judge_host(options.jobs, options.isolation, sanitize=options.sanitize, in_report=True) as host:

        def once() -> int:
            package, stated = ready.pop() if ready else prepared()
            entries = entries_at(package, [program], options.language, host, command=own_command)
            lines = [limits_line(stated), *judged_by.notes(package.sample.all_cases())]
            heading = [Text(line, style="dim") for line in lines]
            return judge_and_show(
                Judging(package=package, host=host, complete=True), entries, options, heading=heading
            )

        def watched() -> list[Path]:
            return [*(named_files(own_command).values() or [program]), *places_of_samples(folder)]

        return on_every_save(watched, once) if options.watch else once()


def _samples(folder: Path, program: Path, *, interactive: bool) -> list[Case]:
    """Read the samples; warn of inputs without an answer. interactive: inputs need no answer."""
    cases = samples_in(folder, program, unanswered=interactive)
    for path in unanswered_in(folder) if not interactive else ():
        click.echo(printable(f"warning: {path}: left out, for no answer is beside it"), err=True)
    warn_of_samples(cases)
    return cases


def _unpacked(arguments: tuple[str, ...], context: click.Context) -> tuple[str, ...]:
    """Return the arguments; each zip of samples is replaced by a folder with its files."""
    return tuple(
        str(context.with_resource(opened(Path(argument)))) if is_archive(Path(argument)) else argument
        for argument in arguments
    )
