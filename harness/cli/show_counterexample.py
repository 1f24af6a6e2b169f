"""The output of `harness stress`: the input, how the program fails on it, and the command that tries it again."""

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from harness.cli.console import console
from harness.cli.output_files import write_json
from harness.cli.show_game import show_failed_game
from harness.errors import JudgeError, UsageError
from harness.generate.add_case import promote
from harness.package import Package
from harness.report import search, words
from harness.report.differences import HINT, agree_nearly, difference_table
from harness.report.escape import printable
from harness.report.search import search_as_json
from harness.results.verdict import Verdict
from harness.search import CandidateFailure, CandidateOutcome, Clock, Hunt, SearchResult, SearchTarget
from harness.shapes import on_one_line

_LONGEST_SHAPE = 2000


def show_result(result: SearchResult, hunt: Hunt, *, may_tolerate: bool = False) -> None:
    """Print the input and all that is known about it. may_tolerate: --float-tolerance could be given, and was not."""
    out = console()
    if result.trial.doubt is not None:
        out.print(Text(search.doubt_line(result.trial.doubt), style="bold yellow"), soft_wrap=True)
    for line in search.failure_lines(result, hunt.limit_s, hunt.target.package.limits.memory_mib):
        out.print(Text(line), soft_wrap=True)
    failure = result.trial.failure
    if failure is not None and failure.verdict is Verdict.WRONG_ANSWER and not hunt.target.played:
        _show_difference(result, failure, out)
        texts = ((data or b"").decode(errors="replace") for data in (failure.answer, failure.output))
        if may_tolerate and agree_nearly(*texts):
            out.print(Text(HINT, style="yellow"), soft_wrap=True)
    _show_game(result, hunt, out)
    for line in search.other_lines(result):
        out.print(Text(line), soft_wrap=True)
    out.print(Text(search.story(result), style="dim"), soft_wrap=True)
    show_time(hunt.progress.clock, out)
    _show_doubts(result, hunt, out)


def show_time(clock: Clock, out: Console) -> None:
    """The whole time that was waited, and what it went into."""
    out.print(Text(words.time_spent(clock.seconds), style="dim"), soft_wrap=True)


def _show_difference(result: SearchResult, failure: CandidateFailure, out: Console) -> None:
    """The output beside a right answer, as the plain run has compared them; without one, both."""
    compared = result.confirmed.difference if result.confirmed is not None else None
    if compared is not None:
        out.print(difference_table(compared))
        return
    for title, data in (("your program printed:", failure.output), ("right is:", failure.answer or b"")):
        for line in search.block(title, data):
            out.print(Text(line), soft_wrap=True)


def _show_doubts(result: SearchResult, hunt: Hunt, out: Console) -> None:
    if hunt.progress.interrupted:
        out.print(Text("interrupted: this is the best so far", style="bold yellow"))
    passed_over = hunt.progress.outcomes[CandidateOutcome.DOUBTFUL]
    if passed_over and result.trial.doubt is None:
        inputs = words.counted(passed_over, "input")
        text = f"{inputs} passed over: right programs differ there, or the reference goes wrong"
        out.print(Text(text, style="yellow"), soft_wrap=True)
    if not result.is_confirmed:
        why = "interrupted" if hunt.progress.interrupted else "the time was over"
        text = f"not confirmed by a plain run: {why}"
        if result.confirmed is not None:
            text = f"but a plain run gave {result.confirmed.verdict}: the program does not do the same every time"
        out.print(Text(text, style="bold yellow"))
    _show_doubt_of_reference(hunt, out)
    if not hunt.target.may_change:
        guessed = hunt.target.may_shrink
        source = "the programs" if hunt.target.drafts else "samples"
        text = "not made smaller: nothing says which inputs are valid (give --shape or --validator)"
        text = (
            f"made to a shape that was guessed from {source}: if this input is not valid, give --shape."
            if guessed
            else text
        )
        out.print(Text(text, style="dim"))
        if guessed:
            show_guess(hunt.target, out)


def _show_doubt_of_reference(hunt: Hunt, out: Console) -> None:
    if hunt.progress.doubt:
        out.print(Text(printable(hunt.progress.doubt, _LONGEST_SHAPE), style="bold yellow"), soft_wrap=True)


def show_guess(target: SearchTarget, out: Console) -> None:
    """The shape that was guessed from samples, to be mended by hand; or that none was."""
    if target.may_change or not target.trusts_shape:
        return
    text = "no shape could be guessed from the samples: give --shape or --gen (docs/shapes.md)"
    if target.shape is not None:
        text = f"guessed: --shape {shlex.quote(on_one_line(target.shape.text))}"
    out.print(Text(printable(text, _LONGEST_SHAPE), style="dim"), soft_wrap=True)


def _show_game(result: SearchResult, hunt: Hunt, out: Console) -> None:
    """The moves of an interactive problem."""
    if not hunt.target.interactive:
        return
    confirming = hunt.confirming
    judging, entries = confirming.judging(result.trial), [confirming.entry]
    show_failed_game(judging, entries, judging.run(entries), out)


def show_command(data: bytes, command: Sequence[str], *, seed: int, saved: Path | None) -> None:
    """The command that tries the input again."""
    again = shlex.join(command)
    printing = search.replay_input(data)
    text = f"again: {again} --seed {seed} --save FILE"
    if saved is not None:
        text = f"again: {again} --input {shlex.quote(str(saved))}"
    elif printing is not None:
        text = f"again: {printing} | {again} --input -"
    console().print(Text(text), soft_wrap=True)


def check_searched(hunt: Hunt, *, given: bool) -> None:
    """Raise UsageError where no input could be tried, JudgeError where none could be judged."""
    progress = hunt.progress
    if given and not progress.outcomes[CandidateOutcome.PASSED]:
        raise UsageError(progress.complaint or "that input is not valid: an input validator refuses it")
    unanswered = progress.outcomes[CandidateOutcome.UNANSWERED]
    if unanswered and unanswered == progress.executions:
        none = f"none of {words.counted(unanswered, 'input')} could be judged, so nothing was searched"
        raise JudgeError(f"{progress.complaint}\n{none}")
    if not progress.executions and progress.phase != "building":
        raise UsageError("no input could be tried")


def show_nothing_found(hunt: Hunt, *, given: bool) -> None:
    """Print what was tried where nothing was found."""
    out, progress = console(), hunt.progress
    if given:
        out.print("that input is answered rightly", style="bold")
        return
    tried = ", ".join(f"{count} {source.value}" for source, count in progress.tried.items())
    early = "interrupted: " if progress.interrupted else ""
    out.print(Text(f"{early}nothing found: {words.counted(progress.executions, 'input')} ({tried or 'none yet'})"))
    show_time(progress.clock, out)
    refused, unanswered = (
        progress.outcomes[CandidateOutcome.REFUSED],
        progress.outcomes[CandidateOutcome.UNANSWERED],
    )
    if refused:
        out.print(Text(f"{refused} more were no valid inputs", style="dim"))
    if unanswered:
        share = f"{unanswered} of {progress.executions} inputs ({100 * unanswered // progress.executions} %)"
        text = f"{share} could not be judged: {progress.complaint}"
        style = "bold yellow" if 2 * unanswered > progress.executions else "yellow"
        out.print(Text(printable(text, _LONGEST_SHAPE), style=style), soft_wrap=True)
    _show_doubt_of_reference(hunt, out)
    show_guess(hunt.target, out)


def add_as_case(package: Package, name: str, result: SearchResult) -> None:
    """Add the input to the package's data as the case `name`, and print the file."""
    failure = result.trial.failure
    path = promote(package, name, result.trial.data, failure.answer if failure is not None else None)
    text = f"added to {path}"
    slug = package.slug
    tail = f"; build it and accept its hashes: harness generate {slug} --relock" if path.suffix == ".yaml" else ""
    console().print(Text(text + tail))


def write_search(hunt: Hunt, result: SearchResult | None, target: Path | str) -> None:
    """The outcome as JSON; -: one line on standard output."""
    values = search_as_json(hunt, result)
    if isinstance(target, Path):
        write_json(target, values)
    else:
        click.echo(json.dumps(values, ensure_ascii=False))
