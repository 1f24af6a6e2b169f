"""harness stress: find an input that breaks a program, and make it small."""

import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from harness import atomic
from harness.cli.common import console, host, jobs_option, package_folder, show_warnings
from harness.cli.hunting import Screen
from harness.cli.judge import with_limits
from harness.cli.programs import own_or_strange, program_at, split
from harness.cli.replaying import replay_of, show
from harness.cli.slowest import hunt_slowest
from harness.errors import UsageError
from harness.package import Package, load
from harness.package.model import ProblemLimits
from harness.report import counterexample
from harness.report.sidebyside import difference
from harness.search import Found, Hunt, Outcome, Progress, Source, Target, target_of
from harness.search.loose import Loose, samples_in
from harness.search.promote import promote
from harness.verdict import Verdict

FOUND, NOTHING_FOUND = 1, 0
_FILE = click.Path(path_type=Path)
_OPTIONS = (
    click.option("--brute", "--against", "brute", type=_FILE, help="The program that is right."),
    click.option("--gen", type=_FILE, help="A program that prints an input, given a seed."),
    click.option(
        "--shape", help="What inputs look like: a shape's text, or a file that holds it (docs/shapes.md)."
    ),
    click.option(
        "--checker", type=_FILE, help="Without a package: says which outputs are right (42), as in packages."
    ),
    click.option("--validator", type=_FILE, help="Without a package: says which inputs are valid (exit code 42)."),
    click.option("--slowest", is_flag=True, help="Hunt the slowest input instead, and show how time grows."),
    click.option("--plot", type=_FILE, help="With --slowest: write the growth there as SVG."),
    click.option("--promote", metavar="NAME", help="Add the input to the package's data as the case NAME."),
    click.option(
        "--input", "given", metavar="FILE", help="Try this input, make it smaller if it fails; -: stdin."
    ),
    click.option("--time", "time_s", type=float, default=30.0, show_default=True, help="Seconds to search."),
    click.option("--seed", default=0, show_default=True, help="Another seed tries other inputs."),
    click.option("--save", type=_FILE, help="Write the input there."),
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
    language: str | None
    time_limit: float | None
    memory: int | None
    jobs: int
    isolation: str


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
    --shape, or from a shape that is guessed from samples beside the program.

    Exit code 1 when one is found, 0 when none is, 2 when the search could not be made.

    Examples: harness stress sokoban my.cpp,
    harness stress my.cpp --brute slow.py --shape 'n m; grid(n, m, ".#")'
    """
    asked = Asked(**options)
    problem, path, package = _package_of(arguments, asked)
    with host(asked.jobs, asked.isolation) as opened:
        if asked.slowest:
            target = _target(package, path, asked)
            return hunt_slowest(
                target, opened, seed=asked.seed, time_s=asked.time_s, save=asked.save, plot_file=asked.plot
            )
        hunt = Hunt(
            target=_target(package, path, asked),
            host=opened,
            seed=asked.seed,
            time_s=asked.time_s,
            given=_given(asked.given),
        )
        try:
            with Screen(hunt):
                found = hunt.run()
        except KeyboardInterrupt:
            _tell_nothing(hunt.progress, given=False)
            raise
        if found is None:
            return _tell_nothing(hunt.progress, given=asked.given is not None)
        _tell(found, hunt)
    if asked.save is not None:
        atomic.write(asked.save, found.trial.data)
    if asked.promote is not None:
        _promote(package, asked.promote, found)
    _tell_commands(found, [word for word in ("harness", "stress", problem, str(path)) if word], asked)
    return FOUND


def _package_of(arguments: tuple[str, ...], asked: Asked) -> tuple[str | None, Path, Package]:
    """PROBLEM as typed, the program, and the package; without one, a package made of what the options say."""
    bare = len(arguments) == 1 and (asked.brute or asked.gen or asked.checker or asked.shape) is not None
    problem, paths = (None, [Path(arguments[0])]) if bare else split(arguments)
    if len(paths) != 1:
        raise UsageError("one program at a time: harness stress PROBLEM my.cpp")
    if bare:
        return problem, paths[0], _loose(paths[0], asked)
    package = load(package_folder(problem), built=False)
    show_warnings(package)
    return problem, paths[0], with_limits(package, asked.time_limit, asked.memory)


def _loose(path: Path, asked: Asked) -> Package:
    try:
        cases = samples_in(path.parent, path)
    except UsageError:
        cases = []
    if not cases and asked.gen is None and asked.shape is None and asked.given is None:
        raise UsageError("no inputs to try: give --gen or --shape, or put samples into test/ (1.in and 1.out)")
    return Loose(
        name=path.stem,
        root=path.parent,
        cases=cases,
        limits=ProblemLimits(time_limit_s=asked.time_limit or 2.0, memory_mib=asked.memory or 1024),
        checker=program_at(asked.checker) if asked.checker is not None else None,
        validator=program_at(asked.validator) if asked.validator is not None else None,
    ).package()


def _target(package: Package, path: Path, asked: Asked) -> Target:
    submission, _ = own_or_strange(package, path, asked.language)
    return target_of(
        package,
        submission,
        oracle=program_at(asked.brute) if asked.brute is not None else None,
        shape=_text_of(asked.shape),
        generator=program_at(asked.gen) if asked.gen is not None else None,
    )


def _given(name: str | None) -> bytes | None:
    if name is None:
        return None
    return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()


def _text_of(shape: str | None) -> str | None:
    """A shape's text, read from a file where the option names one."""
    if shape is None or "\n" in shape or ";" in shape or not Path(shape).is_file():
        return shape
    return Path(shape).read_text("utf-8")


def _tell(found: Found, hunt: Hunt) -> None:
    out = console()
    for line in counterexample.found_lines(found, hunt.limit_s, hunt.target.package.limits.memory_mib):
        out.print(Text(line), soft_wrap=True)
    failure = found.trial.failure
    if failure is not None and failure.verdict is Verdict.WRONG_ANSWER and not hunt.target.played:
        out.print(
            difference((failure.answer or b"").decode(errors="replace"), failure.output.decode(errors="replace"))
        )
    _tell_game(found, hunt, out)
    out.print(Text(counterexample.story(found, hunt.progress.elapsed_s), style="dim"), soft_wrap=True)
    if not found.is_real:
        text = "not confirmed by a plain run: interrupted"
        if found.confirmed is not None:
            text = f"but a plain run gave {found.confirmed.verdict}: the program does not do the same every time"
        out.print(Text(text, style="bold yellow"))
    if not hunt.target.may_change:
        guessed = found.trial.candidate.source in (Source.TINY, Source.RANDOM, Source.LARGE)
        text = "not made smaller: nothing says which inputs are valid (give --shape or --validator)"
        text = "made to a shape that was guessed: if this input is not valid, give --shape." if guessed else text
        out.print(Text(text, style="dim"))


def _tell_game(found: Found, hunt: Hunt, out: Console) -> None:
    """The moves of an interactive problem."""
    if not hunt.target.interactive:
        return
    judging = hunt.plainly(found.trial)
    shown = replay_of(judging, [hunt.entry], judging.run([hunt.entry]), None)
    if shown is not None:
        show(shown, out, file=None)


def _promote(package: Package, name: str, found: Found) -> None:
    failure = found.trial.failure
    path = promote(package, name, found.trial.data, failure.answer if failure is not None else None)
    text = f"added to {path}"
    slug = package.slug
    tail = f"; build it and accept its hashes: harness generate {slug} --relock" if path.suffix == ".yaml" else ""
    console().print(Text(text + tail))


def _tell_commands(found: Found, again: list[str], asked: Asked) -> None:
    out = console()
    for name, value in (("--brute", asked.brute), ("--checker", asked.checker), ("--shape", asked.shape)):
        again += [name, str(value)] if value is not None else []
    words = shlex.join(again)
    printing = counterexample.replay_input(found.trial.data)
    if asked.save is not None:
        out.print(Text(f"again: {words} --input {shlex.quote(str(asked.save))}"), soft_wrap=True)
    elif printing is not None:
        out.print(Text(f"again: {printing} | {words} --input -"), soft_wrap=True)
    else:
        out.print(Text(f"again: {words} --seed {asked.seed} --save FILE"), soft_wrap=True)


def _tell_nothing(progress: Progress, *, given: bool) -> int:
    out = console()
    if given:
        if progress.outcomes[Outcome.PASSED]:
            out.print("that input is answered rightly", style="bold")
            return NOTHING_FOUND
        raise UsageError(progress.complaint or "that input is not valid: an input validator refuses it")
    tried = ", ".join(f"{count} {source.value}" for source, count in progress.tried.items())
    out.print(Text(f"nothing found: {progress.executions} inputs in {progress.elapsed_s:.0f} s ({tried})"))
    refused, unanswered = progress.outcomes[Outcome.REFUSED], progress.outcomes[Outcome.UNANSWERED]
    if refused:
        out.print(Text(f"{refused} more were no valid inputs", style="dim"))
    if unanswered:
        out.print(Text(f"{unanswered} could not be answered: {progress.complaint}", style="yellow"))
    if not progress.executions and progress.phase != "building":
        raise UsageError("no input could be tried")
    return NOTHING_FOUND
