"""harness test: run a program on the samples of a folder, without a package."""

from dataclasses import replace
from pathlib import Path

import click
from rich.text import Text

from harness.cli.command_program import (
    TakesCommand,
    binary_entry,
    command_entry,
    command_of,
    is_binary,
    named_files,
)
from harness.cli.common import SANITIZE_HELP, console, host, jobs_option
from harness.cli.json_file import result_file, write_result
from harness.cli.judging_screen import View, report_of
from harness.cli.program_arguments import judge_program_at, program_at
from harness.cli.sample_limits import limits_for, limits_line
from harness.cli.show_samples import show_samples
from harness.cli.watch_files import on_every_save
from harness.errors import UsageError
from harness.host.host import Host
from harness.judge import Entry, Judging
from harness.judge.prepare import with_checks
from harness.package import Case, Package, opened
from harness.package.ad_hoc import (
    Loose,
    StatedLimits,
    comparison_arguments,
    has_samples,
    sample_folder,
    samples_in,
    unanswered_in,
)
from harness.package.archive import is_archive
from harness.report.escape import printable


@click.command("test", cls=TakesCommand)
@click.argument("arguments", nargs=-1, metavar="[DIR] PROGRAM")
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0.001, max=86400),
    show_default="as cph keeps it, or 2",
    help="CPU seconds a case.",
)
@click.option(
    "--memory",
    type=click.IntRange(min=4, max=1 << 24),
    show_default="as cph keeps it, or 1024",
    help="Memory in MiB.",
)
@click.option(
    "--float-tolerance", metavar="NUMBER", help="Numbers may differ by so much, absolutely or relatively."
)
@click.option("--float-relative", "float_relative_tolerance", metavar="NUMBER", help="The same, relatively only.")
@click.option("--float-absolute", "float_absolute_tolerance", metavar="NUMBER", help="The same, absolutely only.")
@click.option("--case-sensitive", is_flag=True, help="Upper and lower case differ.")
@click.option("--space-sensitive", "space_change_sensitive", is_flag=True, help="Spaces and line ends count.")
@click.option(
    "--checker",
    type=click.Path(path_type=Path),
    help="A program that says which outputs are right: CHECKER INPUT ANSWER FOLDER/, the output on standard input; "
    "exit code 42: right, 43: wrong (docs/packages.md).",
)
@click.option(
    "--interactor",
    type=click.Path(path_type=Path),
    help="The same for an interactive problem: it talks to PROGRAM.",
)
@click.option("--language", help="The program's language, where the file name does not tell.")
@click.option("--watch", is_flag=True, help="Again whenever the program is saved.")
@click.option("--sanitize", is_flag=True, help=SANITIZE_HELP)
@click.option("--json", "json_file", metavar="FILE", help="Write the result there; -: JSON Lines to stdout.")
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
    json_file: str | None,
    watch: bool,
    sanitize: bool,
    quiet: bool,
    verbose: bool,
    jobs: int,
    isolation: str,
    **comparing: str | bool | None,
) -> int:
    """Run PROGRAM on the samples in DIR (if not said: here, or else beside PROGRAM), as oj and cph leave them.

    PROGRAM is a source or a compiled program. Samples are pairs as 1.in and 1.out (or .ans), sample-1.in and
    sample-1.out, in1.txt and out1.txt, in/1.txt and out/1.txt, in DIR (a folder or a zip) or in its folder test; or
    what cph or `harness listen` keeps in .cph, whose limits count unless options say others.

    Exit code 0 when all are right, 1 when not, 2 when nothing could be judged.

    Behind `--` stands any command instead; the files that it names are copied into the sandbox.

    \b
    Examples:
      harness test my.cpp
      harness test samples ./a.out
      harness test -- python3 my.py fast
    """
    target = result_file(json_file)
    own_command = command_of(context)
    folder, program = _folder_and_program(_unpacked(arguments, context), has_command=bool(own_command))
    if not own_command and not program.exists():
        raise UsageError(f"{program}: no such file or folder")
    if checker is not None and interactor is not None:
        raise UsageError("--checker and --interactor: give the one that the problem has")
    may_tolerate = checker is None and interactor is None and not comparing.get("float_tolerance")
    judge_program = judge_program_at(checker or interactor)

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
            view = View(package=package, json_lines=json_file == "-", quiet=quiet, total=1)
            judging = Judging(package=package, host=opened_host, complete=True)
            if not quiet:
                console(stderr=json_file == "-").print(Text(limits_line(stated), style="dim"), soft_wrap=True)
            own = command_entry(own_command, opened_host) if own_command else None
            entries = [own or _entry(program, language, opened_host)]
            with view.live(opened_host, entries) as observer:
                results = replace(judging, observer=observer).run(entries)
            report = report_of(package, opened_host, results, calibrate=False)
            view.conclude(report, verbose=verbose)
            if not quiet:
                out = console(stderr=json_file == "-")
                show_samples(package, results, out, verbose=verbose, may_tolerate=may_tolerate)
            write_result(report, target)
            return view.exit_code(report)

        watched = [*(list(named_files(own_command).values()) or [program]), folder / "test", folder / ".cph"]
        return on_every_save(watched, once) if watch else once()


def _samples(folder: Path, program: Path, *, interactive: bool) -> list[Case]:
    """The samples; an input that is left out for want of an answer is named. interactive: none needs an answer."""
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


def _entry(path: Path, language: str | None, opened: Host) -> Entry:
    if language is None and is_binary(path):
        return binary_entry(path, opened)
    return Entry(program=program_at(path, language))


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
