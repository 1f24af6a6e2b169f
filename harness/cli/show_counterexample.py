"""What `harness stress` says in the end: the input, how the program fails on it, and how to see that again."""

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from harness.cli.common import console
from harness.cli.show_game import replay_of, show
from harness.errors import UsageError
from harness.files import atomic
from harness.report import counterexample
from harness.report.escape import printable
from harness.report.search_json import search_as_json
from harness.report.side_by_side import difference
from harness.results.verdict import Verdict
from harness.search import Found, Hunt, Outcome, Source, Target
from harness.shapes import on_one_line

_LONGEST_SHAPE = 2000


def tell_found(found: Found, hunt: Hunt) -> None:
    """The input and all that is known about it."""
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
    _tell_doubts(found, hunt, out)


def _tell_doubts(found: Found, hunt: Hunt, out: Console) -> None:
    if not found.is_real:
        text = "not confirmed by a plain run: interrupted"
        if found.confirmed is not None:
            text = f"but a plain run gave {found.confirmed.verdict}: the program does not do the same every time"
        out.print(Text(text, style="bold yellow"))
    _tell_doubt_of_oracle(hunt, out)
    if not hunt.target.may_change:
        guessed = found.trial.candidate.source in (Source.TINY, Source.RANDOM, Source.LARGE)
        text = "not made smaller: nothing says which inputs are valid (give --shape or --validator)"
        text = (
            "made to a shape that was guessed from samples: if this input is not valid, give --shape."
            if guessed
            else text
        )
        out.print(Text(text, style="dim"))
        if guessed:
            tell_guess(hunt.target, out)


def _tell_doubt_of_oracle(hunt: Hunt, out: Console) -> None:
    if hunt.progress.doubt:
        out.print(Text(printable(hunt.progress.doubt, _LONGEST_SHAPE), style="bold yellow"), soft_wrap=True)


def tell_guess(target: Target, out: Console) -> None:
    """The shape that was guessed from samples, to be mended by hand; or that none was."""
    if target.may_change or not target.trusts_shape:
        return
    text = "no shape could be guessed from the samples: give --shape or --gen (docs/shapes.md)"
    if target.shape is not None:
        text = f"guessed: --shape {shlex.quote(on_one_line(target.shape.text))}"
    out.print(Text(printable(text, _LONGEST_SHAPE), style="dim"), soft_wrap=True)


def _tell_game(found: Found, hunt: Hunt, out: Console) -> None:
    """The moves of an interactive problem."""
    if not hunt.target.interactive:
        return
    confirming = hunt.confirming
    judging, entries = confirming.judging(found.trial), [confirming.entry]
    shown = replay_of(judging, entries, judging.run(entries), None)
    if shown is not None:
        show(shown, out, file=None)


def tell_commands(data: bytes, words: Sequence[str], *, seed: int, saved: Path | None) -> None:
    """The command that tries the input again."""
    again = shlex.join(words)
    printing = counterexample.replay_input(data)
    text = f"again: {again} --seed {seed} --save FILE"
    if saved is not None:
        text = f"again: {again} --input {shlex.quote(str(saved))}"
    elif printing is not None:
        text = f"again: {printing} | {again} --input -"
    console().print(Text(text), soft_wrap=True)


def tell_nothing(hunt: Hunt, *, given: bool) -> None:
    """What was tried in vain. Raises UsageError where nothing could be tried."""
    out, progress = console(), hunt.progress
    if given:
        if progress.outcomes[Outcome.PASSED]:
            out.print("that input is answered rightly", style="bold")
            return
        raise UsageError(progress.complaint or "that input is not valid: an input validator refuses it")
    tried = ", ".join(f"{count} {source.value}" for source, count in progress.tried.items())
    out.print(Text(f"nothing found: {progress.executions} inputs in {progress.elapsed_s:.0f} s ({tried})"))
    refused, unanswered = progress.outcomes[Outcome.REFUSED], progress.outcomes[Outcome.UNANSWERED]
    if refused:
        out.print(Text(f"{refused} more were no valid inputs", style="dim"))
    if unanswered:
        out.print(Text(f"{unanswered} could not be answered: {progress.complaint}", style="yellow"))
    _tell_doubt_of_oracle(hunt, out)
    tell_guess(hunt.target, out)
    if not progress.executions and progress.phase != "building":
        raise UsageError("no input could be tried")


def write_search(hunt: Hunt, found: Found | None, file: str) -> None:
    """The outcome as JSON; -: one line on standard output."""
    values = search_as_json(hunt, found)
    if file == "-":
        click.echo(json.dumps(values, ensure_ascii=False))
    else:
        atomic.deliver(Path(file), json.dumps(values, ensure_ascii=False, indent=1).encode() + b"\n")
