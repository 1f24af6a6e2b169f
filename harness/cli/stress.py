"""harness stress: find an input that breaks a program, and make it small."""

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from harness.cli.common import (
    SANITIZE_HELP,
    check_target,
    console,
    host,
    jobs_option,
    show_warnings,
)
from harness.cli.prepare_package import with_checks, with_limits
from harness.cli.program_arguments import own_or_strange, package_or_hint, program_at, split, within_a_package
from harness.cli.sample_limits import limits_for, limits_line
from harness.cli.search_screen import Screen, warn_of_misfit
from harness.cli.search_time_limit import roughly_timed_package
from harness.cli.show_counterexample import check_searched, tell_commands, tell_found, tell_nothing, write_search
from harness.cli.slowest import hunt_slowest
from harness.errors import UsageError
from harness.files import atomic
from harness.generate.add_case import promote
from harness.host.host import Host
from harness.package import Case, Package, load
from harness.package.ad_hoc import Loose, comparison_arguments, sample_folder, samples_in
from harness.package.files import LEGAL_NAME
from harness.package.model import CaseSettings
from harness.search import Clock, Hunt, Progress, SearchResult, SearchTarget, target_of
from harness.search.slowest import SlowHunt

FOUND, NOTHING_FOUND, UNDECIDED = 1, 0, 2
_FILE_NAME = re.compile(r"[\w./-]*[\w/]\.[A-Za-z]\w*")  # no shape looks so
_WITHOUT = "harness stress FILE --brute SLOW, with inputs from --gen, --shape, or samples in test/"
_FILE = click.Path(path_type=Path)
_OPTIONS = (
    click.option("--brute", "--against", "brute", type=_FILE, help="The program that is right."),
    click.option("--gen", type=_FILE, help="A program that prints an input, given a seed as its argument."),
    click.option(
        "--shape", help="What inputs look like: a shape's text, or a file that holds it (docs/shapes.md)."
    ),
    click.option(
        "--checker",
        type=_FILE,
        help="Without a package: says which outputs are right (docs/packages.md).",
    ),
    click.option(
        "--validator", type=_FILE, help="Without a package: reads an input; exit code 42: valid, 43: not."
    ),
    click.option("--slowest", is_flag=True, help="Hunt the slowest input instead, and show how time grows."),
    click.option("--plot", type=_FILE, help="With --slowest: write the growth there as SVG."),
    click.option("--promote", metavar="NAME", help="Add the input to the package's data as the case NAME."),
    click.option(
        "--input", "given", metavar="FILE", help="Try this input, make it smaller if it fails; -: stdin."
    ),
    click.option(
        "--time",
        "time_s",
        type=click.FloatRange(min=0, max=86400),
        default=30.0,
        show_default=True,
        help="Seconds to search.",
    ),
    click.option("--seed", default=0, show_default=True, help="Another seed tries other inputs."),
    click.option("--save", type=_FILE, help="Write the input there."),
    click.option("--json", "json_file", metavar="FILE", help="Write what was found there; -: one line to stdout."),
    click.option(
        "--float-tolerance",
        metavar="NUMBER",
        help="Without a package: numbers may differ by so much, absolutely or relatively.",
    ),
    click.option("--sanitize", is_flag=True, help=SANITIZE_HELP),
    click.option("--language", help="The program's language, where the file name does not tell."),
    click.option("--time-limit", type=click.FloatRange(min=0.001, max=86400), help="CPU seconds a run."),
    click.option("--memory", type=click.IntRange(min=4, max=1 << 24), help="Memory in MiB a run."),
)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What the command line asks for; the names are those of the options."""

    brute: Path | None
    gen: Path | None
    shape: str | None
    checker: Path | None
    validator: Path | None
    slowest: bool
    plot: Path | None
    promote: str | None
    given: str | None
    time_s: float
    seed: int
    save: Path | None
    json_file: str | None
    float_tolerance: str | None
    sanitize: bool
    language: str | None
    time_limit: float | None
    memory: int | None
    jobs: int
    isolation: str

    @property
    def says_json(self) -> bool:
        """Whether standard output is for JSON alone."""
        return self.json_file == "-"


def _with_options(function: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


@click.command("stress")
@click.argument("arguments", nargs=-1, metavar="[PROBLEM] PROGRAM", required=True)
@_with_options
@jobs_option
def command(arguments: tuple[str, ...], **options: Any) -> int:
    """Find a smallest input on which PROGRAM fails.

    What is right says an accepted program of PROBLEM, or --brute. Without a package, inputs come from --gen or
    --shape, or from a shape that is guessed from samples (here in test/, or else beside the program).

    Exit code 1 when one is found, 0 when none is, 2 when the search could not be made, was interrupted, or found only
    inputs on which accepted programs of PROBLEM differ.

    \b
    Examples:
      harness stress sokoban my.cpp
      harness stress my.cpp --brute slow.py --gen gen.py
      harness stress my.cpp --brute slow.py --shape 'n m; grid(n, m, ".#")'
    """
    clock = Clock(phase="preparing")
    asked = Asked(**options)
    _check(asked)
    problem, path, package = _package_of(arguments, asked)
    with host(asked.jobs, asked.isolation, sanitize=asked.sanitize) as opened:
        target = _target(package, path, asked)
        clock.enter("timing the reference")
        target = _timed(target, opened, asked)
        if asked.shape is not None:
            warn_of_misfit(target)
        if asked.slowest:
            hunt = SlowHunt(target=target, host=opened, seed=asked.seed, time_s=asked.time_s, clock=clock)
            return hunt_slowest(hunt, save=asked.save, plot_file=asked.plot)
        search = Hunt(
            target=target,
            host=opened,
            seed=asked.seed,
            time_s=asked.time_s,
            given=_given(asked.given),
            progress=Progress(clock=clock),
        )
        found = _hunted(search, asked)
    if found is None:
        return UNDECIDED if search.progress.interrupted else NOTHING_FOUND
    if asked.save is not None:
        atomic.deliver(asked.save, found.trial.data)
    if asked.promote is not None and found.dispute is None:
        _promote(package, asked.promote, found)
    if not asked.says_json:
        words = _again(problem, path, asked)
        tell_commands(found.trial.data, words, seed=asked.seed, saved=asked.save)
    return FOUND if found.dispute is None and not search.progress.interrupted else UNDECIDED


def _check(asked: Asked) -> None:
    """Say what cannot go well before the search, not after it."""
    if asked.json_file is not None and asked.slowest:
        raise UsageError("--json goes without --slowest, which prints a table")
    if asked.slowest and (asked.promote is not None or asked.given is not None):
        raise UsageError("--promote and --input go without --slowest; --save FILE keeps the slowest input")
    if asked.plot is not None and not asked.slowest:
        raise UsageError("--plot draws what --slowest measures: say both")
    if asked.promote is not None and not all(map(LEGAL_NAME.fullmatch, asked.promote.split("/"))):
        raise UsageError(f"--promote: the name {asked.promote!r} is not allowed: use letters, digits, _ . -")
    for file in (asked.save, asked.plot, Path(asked.json_file) if asked.json_file not in (None, "-") else None):
        if file is not None:
            check_target(file)


def _hunted(hunt: Hunt, asked: Asked) -> SearchResult | None:
    """What the search finds; it is told, or written as JSON. An interrupt ends it early."""
    found: SearchResult | None = None
    try:
        with Screen(hunt):
            found = hunt.run()
    except KeyboardInterrupt:
        hunt.progress.interrupted = True
    if asked.json_file is not None:
        write_search(hunt, found, asked.json_file)
    given = asked.given is not None and not hunt.progress.interrupted
    if found is None and not hunt.progress.interrupted:
        check_searched(hunt, given=given)
    if found is not None and not asked.says_json:
        may_tolerate = asked.checker is None and asked.float_tolerance is None and _goes_without_a_package(asked)
        tell_found(found, hunt, may_tolerate=may_tolerate)
    elif found is None and not asked.says_json:
        tell_nothing(hunt, given=given)
    return found


def _package_of(arguments: tuple[str, ...], asked: Asked) -> tuple[str | None, Path, Package]:
    """PROBLEM as typed, the program, and the package; without one, a package made of what the options say."""
    bare = len(arguments) == 1 and _goes_without_a_package(asked)
    problem, paths = (None, [Path(arguments[0])]) if bare else split(arguments)
    if len(paths) != 1:
        raise UsageError("one program at a time: harness stress PROBLEM my.cpp")
    if bare:
        if asked.promote is not None:
            raise UsageError("--promote adds to a package's data: name the PROBLEM; --save FILE goes without one")
        package = _loose(paths[0], asked)
    else:
        package = load(
            package_or_hint(problem, _WITHOUT, to_change="--promote" if asked.promote else ""), built=False
        )
        show_warnings(package)
        package = with_limits(package, asked.time_limit, asked.memory)
    return problem, paths[0], package


def _goes_without_a_package(asked: Asked) -> bool:
    """Whether the options stand for a package; within a package's folder they add to it, --checker excepted."""
    if asked.checker is not None:
        return True
    return any((asked.brute, asked.gen, asked.shape)) and not within_a_package()


def _loose(path: Path, asked: Asked) -> Package:
    cases = _samples(path, answered=asked.brute is not None)
    if not cases and asked.gen is None and asked.shape is None and asked.given is None:
        raise UsageError("no inputs to try: give --gen or --shape, or put samples into test/ (1.in and 1.out)")
    stated = limits_for(
        (Path(), path.parent),
        path,
        time_limit_s=asked.time_limit,
        memory_mib=asked.memory,
        has_checker=asked.checker is not None,
    )
    if stated.cph is not None:
        console(stderr=True).print(Text(limits_line(stated), style="dim"), soft_wrap=True)
    return Loose(
        name=path.stem,
        root=path.parent,
        cases=cases,
        limits=stated.limits,
        checker=program_at(asked.checker) if asked.checker is not None else None,
        validator=program_at(asked.validator) if asked.validator is not None else None,
        arguments=_comparison(asked),
        interactive=stated.interactive,
    ).package()


def _samples(path: Path, *, answered: bool) -> list[Case]:
    """The program's samples, or none. answered: another program gives the answers."""
    folder = sample_folder(path, unanswered=answered)
    return samples_in(folder, path, unanswered=answered) if folder is not None else []


def _target(package: Package, path: Path, asked: Asked) -> SearchTarget:
    submission, _ = own_or_strange(package, path, asked.language)
    return target_of(
        package,
        submission,
        oracle=program_at(asked.brute) if asked.brute is not None else None,
        shape=_text_of(asked.shape),
        generator=program_at(asked.gen) if asked.gen is not None else None,
        usual=CaseSettings(output_validator_args=_comparison(asked)),
    )


def _timed(target: SearchTarget, opened: Host, asked: Asked) -> SearchTarget:
    """The target with a time limit, which is said where the package states none."""
    package = roughly_timed_package(target.package, target.submission, opened)
    return replace(target, package=with_checks(package) if asked.sanitize else package)


def _comparison(asked: Asked) -> tuple[str, ...]:
    """The arguments of the default output validator, without a package."""
    return comparison_arguments({"float_tolerance": asked.float_tolerance})


def _given(name: str | None) -> bytes | None:
    if name is None:
        return None
    return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()


def _text_of(shape: str | None) -> str | None:
    """A shape's text, read from a file where the option names one."""
    if shape is None or "\n" in shape or ";" in shape:
        return shape
    if Path(shape).is_file():
        try:
            return Path(shape).read_text("utf-8")
        except UnicodeDecodeError as error:
            raise UsageError(f"--shape: {shape}: not UTF-8, so it is no shape: {error}") from error
    if _FILE_NAME.fullmatch(shape):
        raise UsageError(f"--shape: {shape}: no such file")
    return shape


def _promote(package: Package, name: str, found: SearchResult) -> None:
    failure = found.trial.failure
    path = promote(package, name, found.trial.data, failure.answer if failure is not None else None)
    text = f"added to {path}"
    slug = package.slug
    tail = f"; build it and accept its hashes: harness generate {slug} --relock" if path.suffix == ".yaml" else ""
    console().print(Text(text + tail))


def _again(problem: str | None, path: Path, asked: Asked) -> list[str]:
    """The words of a command that would try another input in the same way."""
    words = [word for word in ("harness", "stress", problem, str(path)) if word]
    options = (
        *(("--brute", asked.brute), ("--gen", asked.gen), ("--shape", asked.shape)),
        *(("--checker", asked.checker), ("--validator", asked.validator)),
        *(("--float-tolerance", asked.float_tolerance), ("--language", asked.language)),
        *(("--time-limit", asked.time_limit), ("--memory", asked.memory)),
    )
    words += ["--sanitize"] if asked.sanitize else []
    return words + [word for name, value in options if value is not None for word in (name, str(value))]
