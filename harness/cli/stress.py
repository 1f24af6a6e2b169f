"""harness stress: find an input that breaks a program, and make it small."""

import shlex
import sys
from pathlib import Path

import click

from harness import atomic
from harness.cli.common import console, host, jobs_option, package_folder
from harness.cli.judge import built_package, with_limits
from harness.cli.programs import own_or_strange, program_at, split
from harness.errors import UsageError
from harness.report import counterexample
from harness.search import Found, Hunt, Outcome, Progress, target_of

FOUND, NOTHING_FOUND, COULD_NOT = 1, 0, 2


@click.command("stress")
@click.argument("arguments", nargs=-1, metavar="[PROBLEM] SUBMISSION", required=True)
@click.option(
    "--against", type=click.Path(path_type=Path), help="The program that is right, instead of the package's."
)
@click.option("--shape", help="What inputs look like: a shape's text, or a file that holds it.")
@click.option(
    "--input", "given", metavar="FILE", help="Try this input, and make it smaller if it fails; -: stdin."
)
@click.option("--time", "time_s", default=30.0, show_default=True, help="Seconds to search.")
@click.option("--seed", default=0, show_default=True, help="Another seed tries other inputs.")
@click.option("--save", type=click.Path(path_type=Path), help="Write the input there.")
@click.option("--language", help="The submission's language, where the file name does not tell.")
@click.option("--time-limit", type=click.FloatRange(min=0.001, max=86400), help="CPU seconds a run.")
@click.option("--memory", type=click.IntRange(min=4, max=1 << 24), help="Memory in MiB a run.")
@jobs_option
def command(
    arguments: tuple[str, ...],
    *,
    against: Path | None,
    shape: str | None,
    given: str | None,
    time_s: float,
    seed: int,
    save: Path | None,
    language: str | None,
    time_limit: float | None,
    memory: int | None,
    jobs: int,
    isolation: str,
) -> int:
    """Find the smallest input on which SUBMISSION fails.

    Exit code 1 when one is found, 0 when none is, 2 when the search could not be made.

    Example: harness stress sokoban my.cpp
    """
    problem, paths = split(arguments)
    if len(paths) != 1:
        raise UsageError("one program at a time: harness stress PROBLEM my.cpp")
    root = package_folder(problem)
    with host(jobs, isolation) as opened:
        package = with_limits(built_package(root, opened), time_limit, memory)
        submission, _ = own_or_strange(package, paths[0], language)
        target = target_of(
            package,
            submission,
            oracle=program_at(against) if against is not None else None,
            shape=_text_of(shape),
        )
        hunt = Hunt(target=target, host=opened, seed=seed, time_s=time_s, given=_given(given))
        found = hunt.run()
    if found is None:
        _tell_nothing(hunt.progress, given=given is not None)
        return NOTHING_FOUND
    _tell(found, hunt.progress)
    if save is not None:
        atomic.write(save, found.trial.data)
    again = [word for word in ("harness", "stress", problem, str(paths[0])) if word]
    _tell_commands(found, again, save, seed)
    return FOUND


def _given(name: str | None) -> bytes | None:
    if name is None:
        return None
    return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()


def _text_of(shape: str | None) -> str | None:
    """A shape's text, read from a file where the option names one."""
    if shape is None or "\n" in shape or not Path(shape).is_file():
        return shape
    return Path(shape).read_text("utf-8")


def _tell(found: Found, progress: Progress) -> None:
    out = console()
    for line in counterexample.found_lines(found):
        out.print(line, markup=False)
    out.print(
        f"found after {found.to_find} inputs ({counterexample.origin(found.first.candidate)}), "
        f"made smaller in {found.to_shrink} runs, {progress.elapsed_s:.1f} s",
        markup=False,
        style="dim",
    )
    if not found.is_real:
        verdict = found.confirmed.verdict if found.confirmed is not None else "nothing"
        out.print(
            f"but a plain run gave {verdict}: the program does not do the same every time", style="bold yellow"
        )


def _tell_commands(found: Found, again: list[str], save: Path | None, seed: int) -> None:
    out = console()
    words = shlex.join(again)
    printing = counterexample.replay_input(found.trial.data)
    if save is not None:
        out.print(f"again: {words} --input {shlex.quote(str(save))}", markup=False)
    elif printing is not None:
        out.print(f"again: {printing} | {words} --input -", markup=False)
    else:
        out.print(f"again: {words} --seed {seed} --save FILE", markup=False)


def _tell_nothing(progress: Progress, *, given: bool) -> None:
    out = console()
    if given:
        state = next(iter(progress.outcomes), Outcome.PASSED)
        out.print(f"that input: {state.value}", style="bold")
        return
    tried = ", ".join(f"{count} {source.value}" for source, count in progress.tried.items())
    out.print(f"nothing found: {progress.executions} inputs in {progress.elapsed_s:.0f} s ({tried})", markup=False)
    refused, unanswered = progress.outcomes[Outcome.REFUSED], progress.outcomes[Outcome.UNANSWERED]
    if refused:
        out.print(f"{refused} more were no valid inputs", style="dim")
    if unanswered:
        out.print(f"{unanswered} could not be answered: {progress.complaint}", markup=False, style="yellow")
