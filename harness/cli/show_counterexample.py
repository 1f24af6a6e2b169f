"""Print the result of `harness stress`: the input, the failure, and the command that repeats it."""

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

import click
from rich.text import Text

from harness.cli.console import console, show
from harness.cli.output_files import write_json
from harness.cli.show_game import show_failed_game
from harness.errors import JudgeError, UsageError
from harness.generate.add_case import promote
from harness.package import Package
from harness.report import search, words
from harness.report.search_json import search_as_json
from harness.search import CandidateOutcome, Hunt, SearchResult

_ALL_REFUSED = (
    ": all were refused, by an input validator (exit code 42: valid, 43: not) or for their generator failed"
)


def show_result(result: SearchResult, hunt: Hunt, *, may_tolerate: bool = False) -> None:
    """Print the input and all that is known about it. may_tolerate: --float-tolerance could be given, and was not."""
    out = console()
    show(out, search.counterexample(result, hunt, may_tolerate=may_tolerate))
    if hunt.target.interactive:
        judging, entries = hunt.confirming.judging(result.trial), [hunt.confirming.entry]
        show_failed_game(judging, entries, judging.run(entries), out)
    show(out, search.circumstances(result, hunt))


def show_command(data: bytes, command: Sequence[str], *, seed: int, saved: Path | None) -> None:
    """Print the command that tries the input again."""
    again = shlex.join(command)
    printing = search.replay_input(data)
    text = f"again: {again} --seed {seed} --save FILE"
    if saved is not None:
        text = f"again: {again} --input {shlex.quote(str(saved))}"
    elif printing is not None:
        text = f"again: {printing} | {again} --input -"
    console().print(Text(text), soft_wrap=True)


def check_searched(hunt: Hunt, *, given: bool) -> None:
    """Raise UsageError if no input could be tried, JudgeError if no input could be judged."""
    progress = hunt.progress
    if given and not progress.outcomes[CandidateOutcome.PASSED]:
        raise UsageError(progress.complaint or "that input is not valid: an input validator refuses it")
    unanswered = progress.outcomes[CandidateOutcome.UNANSWERED]
    if unanswered and unanswered == progress.executions:
        none = f"none of {words.counted(unanswered, 'input')} could be judged, so nothing was searched"
        raise JudgeError(f"{progress.complaint}\n{none}")
    if not progress.executions and progress.phase != "building":
        why = _ALL_REFUSED if progress.outcomes[CandidateOutcome.REFUSED] else ""
        raise UsageError(f"no input could be tried{why}")


def show_nothing_found(hunt: Hunt, *, given: bool) -> None:
    """Print what was tried by a search that found no failing input. given: the only input was that of --input."""
    if given:
        console().print("that input is answered rightly", style="bold")
    else:
        show(console(), search.nothing_found_lines(hunt))


def add_as_case(package: Package, name: str, result: SearchResult) -> None:
    """Add the input to the package's data as the case `name`, and print the file."""
    failure = result.trial.failure
    path = promote(package, name, result.trial.data, failure.answer if failure is not None else None)
    text = f"added to {path}"
    slug = package.slug
    tail = f"; build it and accept its hashes: harness generate {slug} --relock" if path.suffix == ".yaml" else ""
    console().print(Text(text + tail))


def write_search(hunt: Hunt, result: SearchResult | None, target: Path | str) -> None:
    """Write the outcome as JSON; -: one line on standard output."""
    values = search_as_json(hunt, result)
    if isinstance(target, Path):
        write_json(target, values)
    else:
        click.echo(json.dumps(values, ensure_ascii=False))
