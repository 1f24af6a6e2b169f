"""harness test: run a program on the samples of a folder, without a package."""

from pathlib import Path

import click
from rich.text import Text

from harness.cli.environment import host
from harness.cli.judging_screen import JudgingViews, ci_output, judge_and_show
from harness.cli.options import (
    FILE,
    CiOptions,
    TakesCommand,
    ci_options,
    command_of,
    jobs_option,
    language_option,
    limit_options,
    sanitize_option,
    watch_option,
    with_options,
)
from harness.cli.packages import limits_line
from harness.cli.watch_files import on_every_save
from harness.errors import UsageError
from harness.judge.entries import command_entry, entries_at, named_files
from harness.judge.judging import Judging
from harness.judge.prepare import with_checks
from harness.package import Case, Package
from harness.package.ad_hoc import (
    Loose,
    StatedLimits,
    comparison_arguments,
    has_samples,
    limits_for,
    sample_folder,
    samples_in,
    unanswered_in,
)
from harness.package.archive import is_archive, opened
from harness.package.named_programs import judge_program_at
from harness.report.escape import printable
from harness.rules.outcomes import judging_exit_code

_comparing_options = with_options(
    click.option(
        "--float-tolerance", metavar="NUMBER", help="Numbers may differ by so much, absolutely or relatively."
    ),
    click.option(
        "--float-relative", "float_relative_tolerance", metavar="NUMBER", help="The same, relatively only."
    ),
    click.option(
        "--float-absolute", "float_absolute_tolerance", metavar="NUMBER", help="The same, absolutely only."
    ),
    click.option("--case-sensitive", is_flag=True, help="Upper and lower case differ."),
    click.option("--space-sensitive", "space_change_sensitive", is_flag=True, help="Spaces and line ends count."),
)


@click.command("test", cls=TakesCommand)
@click.argument("arguments", nargs=-1, metavar="[DIR] PROGRAM")
@limit_options(time_default="as cph keeps it, or 2", memory_default="as cph keeps it, or 1024")
@_comparing_options
@click.option(
    "--checker",
    type=FILE,
    help="A program that decides which outputs are right: CHECKER INPUT ANSWER FOLDER/, the output on standard input; "
    "exit code 42: right, 43: wrong (docs/packages.md).",
)
@click.option("--interactor", type=FILE, help="The same for an interactive problem: it talks to PROGRAM.")
@language_option
@watch_option
@sanitize_option
@ci_options
@click.option("-q", "--quiet", is_flag=True, help="Only what is wrong.")
@click.option("-v", "--verbose", is_flag=True, help="Every case, and all of its standard error.")
@jobs_option
@click.pass_context
def command(
    context: click.Context,
    /,
    arguments: tuple[str, ...],
    *,
    time_limit: float | None,
    memory: int | None,
    checker: Path | None,
    interactor: Path | None,
    language: str | None,
    ci: CiOptions,
    watch: bool,
    sanitize: bool,
    quiet: bool,
    verbose: bool,
    jobs: int,
    isolation: str,
    **comparing: str | bool | None,
) -> int:
    """Run PROGRAM on the samples in DIR, as oj and cph leave them. DIR is by default here, or else beside PROGRAM.

    PROGRAM is a source or a compiled program. Samples are pairs as 1.in and 1.out (or .ans), sample-1.in and
    sample-1.out, in1.txt and out1.txt, in/1.txt and out/1.txt, in DIR (a folder or a zip) or in its folder test; or
    what cph or `harness listen` keeps in .cph, whose limits count unless options state others. After `--` stands any
    command instead; the files that it names are copied.

    Exit code 0 when all are right, 1 when not, 2 when nothing could be judged.

    \b
    Examples:
      harness test my.cpp
      harness test samples ./a.out
      harness test -- python3 my.py fast
    """
    quiet = quiet or ci.short
    own_command = command_of(context)
    folder, program = _folder_and_program(_unpacked(arguments, context), has_command=bool(own_command))
    if not own_command and not program.exists():
        raise UsageError(f"{program}: no such file or folder")
    if checker is not None and interactor is not None:
        raise UsageError("--checker and --interactor: give the one that the problem has")
    judge_program = judge_program_at(checker or interactor)
    may_tolerate = judge_program is None and not comparing.get("float_tolerance")
    views = JudgingViews(ci=ci, quiet=quiet, verbose=verbose, may_tolerate=may_tolerate)

    def prepared() -> tuple[Package, StatedLimits]:
        """The samples and limits as they are now: they may change between two runs."""
        samples = _samples(folder, program, interactive=interactor is not None)
        stated = limits_for(
            (folder, program.parent),
            program,
            time_limit_s=time_limit,
            memory_mib=memory,
            has_checker=judge_program is not None,
        )
        package = Loose(
            name=folder.resolve().name or "samples",
            root=folder,
            cases=samples,
            limits=stated.limits,
            checker=judge_program,
            arguments=comparison_arguments(comparing),
            interactive=stated.interactive or interactor is not None,
        ).package()
        return (with_checks(package) if sanitize else package), stated

    if not watch:
        prepared()  # what is wrong with the samples is said before anything is built
    with host(jobs, isolation, sanitize=sanitize, in_report=True) as opened_host:

        def once() -> int:
            package, stated = prepared()
            own = [command_entry(own_command, opened_host)] if own_command else []
            entries = own or entries_at(package, [program], language, opened_host)
            with ci_output(ci, entries) as conclude:
                if not quiet:
                    views.out.print(Text(limits_line(stated), style="dim"), soft_wrap=True)
                report = judge_and_show(Judging(package=package, host=opened_host, complete=True), entries, views)
                conclude(report)
            return judging_exit_code(report)

        watched = [*(list(named_files(own_command).values()) or [program]), folder / "test", folder / ".cph"]
        return on_every_save(watched, once) if watch else once()


def _samples(folder: Path, program: Path, *, interactive: bool) -> list[Case]:
    """Read the samples; print which inputs are left out for want of an answer. interactive: none needs an answer."""
    cases = samples_in(folder, program, unanswered=interactive)
    for path in unanswered_in(folder) if not interactive else ():
        click.echo(printable(f"warning: {path}: left out, for no answer is beside it"), err=True)
    return cases


def _unpacked(arguments: tuple[str, ...], context: click.Context) -> tuple[str, ...]:
    """The arguments, with the folder of its unpacked files in the place of each zip of samples."""
    return tuple(
        str(context.with_resource(opened(Path(argument)))) if is_archive(Path(argument)) else argument
        for argument in arguments
    )


def _folder_and_program(arguments: tuple[str, ...], *, has_command: bool) -> tuple[Path, Path]:
    paths = [Path(argument) for argument in arguments]
    match paths:
        case [] if has_command:
            return Path(), Path()
        case [folder] if has_command and folder.is_dir():
            return folder, Path()
        case [folder] if folder.is_dir() and not has_command and has_samples(folder, Path()):
            raise UsageError(f"{folder} holds samples: name the program too: harness test {folder} PROGRAM")
        case [program] if not has_command:
            return sample_folder(program) or Path(), program
        case [folder, program] if folder.is_dir() and not has_command:
            return folder, program
        case [program, folder] if folder.is_dir() and not has_command:
            return folder, program
    raise UsageError("harness test [DIR] PROGRAM: one folder at most, and one program")
