"""Word a counterexample and the search for it, for people and as JSON (schema version 1, docs/stress.md)."""

import base64
import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from harness.errors import counted
from harness.report import crashes, words
from harness.report.diagnostics import Diagnostic, Severity
from harness.report.differences import difference_table, hint
from harness.report.escape import LINES, lines_of, printable
from harness.results.python_hints import missing_module
from harness.results.verdict import Reason, Verdict
from harness.search.candidates import (
    Candidate,
    CandidateFailure,
    CandidateOutcome,
    Clock,
    Doubt,
    LessCertainFind,
    SearchResult,
    Source,
    TriedCandidate,
)
from harness.search.hunt import Hunt
from harness.search.target import SearchTarget
from harness.shapes import on_one_line, parsed_tidy

REPLAY_BYTES = 300
_LONGEST_SHAPE = 2000
_INTEGER = re.compile(rb"(?<!\S)-?[0-9]{1,30}(?!\S)")  # longer ones are words
SCHEMA_VERSION = 1
NOT_COMPARED = "outputs were not compared: without --brute only crashes and exceeded limits are found"
_SAMPLE = "the input is a sample as it is; --input makes it smaller, with less regard to what samples look like"
_CUT = "perhaps not the smallest: the time for making it small was over; to go on, try this input again (--input)"


def block(title: str, data: bytes, most: int = LINES) -> list[str]:
    """Return a title and indented lines; words in place of a text without visible characters."""
    if not data.strip():
        lines = data.count(b"\n")
        return [f"{title} {'nothing' if not data else 'one empty line' if lines == 1 else 'only white space'}"]
    return [title, *(f"    {line}" for line in lines_of(data, most))]


def failure_words(failure: CandidateFailure) -> str:
    """Say on one line how a program failed."""
    if failure.verdict is Verdict.WRONG_ANSWER:
        return printable(failure.message.strip().partition("\n")[0], 300) or "wrong answer"
    if failure.reason is Reason.SIGNAL:
        return f"killed by signal {failure.signal}"
    if failure.reason is Reason.EXIT_CODE:
        return f"exit code {failure.exit_code}"
    return failure.verdict.words.lower() + (f": {failure.message}" if failure.message else "")


def origin(candidate: Candidate) -> str:
    """Word the origin of an input."""
    if candidate.source in (Source.TINY, Source.RANDOM, Source.LARGE) and candidate.invocation is None:
        return candidate.description
    return (
        f"{candidate.source.value} {candidate.description}"
        if candidate.source is not Source.GIVEN
        else candidate.description
    )


def failure_lines(result: SearchResult, time_limit_s: float, memory_limit_mib: int) -> Iterator[str]:
    """Yield the failure and the input; except for a wrong answer, also the program's message."""
    failure, confirmed = result.failure, result.confirmed if result.is_real else None
    reason = words.why(confirmed, time_limit_s, memory_limit_mib) if confirmed is not None else ""
    reason = reason or failure_words(failure)
    is_said = reason.casefold() == failure.verdict.words.casefold()
    yield failure.verdict.words if is_said else f"{failure.verdict.words}: {reason}"
    minimal = ", proven smallest" if result.proven else ""
    yield from block(f"input ({counted(len(result.trial.data), 'byte')}{minimal}):", result.trial.data)
    if failure.verdict is not Verdict.WRONG_ANSWER:
        yield from block("your program printed:", failure.output, LINES // 4)
        if failure.answer:
            yield from block("right is:", failure.answer, LINES // 4)
    if failure.stderr.strip():
        yield from block("on standard error:", failure.stderr, LINES // 4)


def counterexample(result: SearchResult, hunt: Hunt, *, may_hint: bool) -> Iterator[RenderableType]:
    """Yield the failure, the input and the outputs. may_hint: options of the command say how outputs are compared."""
    yield from _doubt_of_reference(hunt)
    if result.trial.doubt is not None:
        yield Text(doubt_line(result.trial.doubt), style="bold yellow")
    is_given = result.first.candidate.source is Source.GIVEN
    if not is_given and (sample := hunt.target.package.sample.case_with(result.first.data)):
        yield Text(f"your program fails on {sample.name} itself", style="bold yellow")
    yield from map(Text, failure_lines(result, hunt.limit_s, hunt.target.package.limits.memory_mib))
    failure = result.failure
    if failure.verdict is Verdict.WRONG_ANSWER and not hunt.target.played:
        yield from _difference(result, failure)
        right, printed = ((data or b"").decode(errors="replace") for data in (failure.answer, failure.output))
        arguments = result.trial.settings.output_validator_args if result.trial.settings is not None else ()
        if may_hint and (said := hint(right, printed, arguments)):
            yield Text(said, style="yellow")
    if said := missing_module(failure.stderr.decode(errors="replace")):
        yield Text(printable(said), style="yellow")
    if failure.reason is Reason.SIGNAL and hunt.evaluator.built.can_have_checks:
        yield Text("--sanitize shows the line at fault", style="yellow")


def _difference(result: SearchResult, failure: CandidateFailure) -> Iterator[RenderableType]:
    """Yield the rows that the confirming run found different; without such a run, both outputs."""
    difference = result.confirmed.difference if result.confirmed is not None else None
    if difference is not None:
        yield difference_table(difference)
        return
    yield from map(Text, block("your program printed:", failure.output))
    yield from map(Text, block("right is:", failure.answer or b""))


def circumstances(result: SearchResult, hunt: Hunt) -> Iterator[Text]:
    """Yield other failing inputs, how the input was found, the time spent, and what makes the result doubtful."""
    yield from map(Text, other_lines(result))
    yield Text(found_line(result), style="dim")
    yield time_line(hunt.progress.clock)
    if hunt.progress.interrupted:
        yield Text("interrupted: this is the best so far", style="bold yellow")
    elif result.is_sample and result.less_certain is not None and result.less_certain.trial is not None:
        yield Text(_SAMPLE, style="dim")
    elif result.is_cut:
        yield Text(_CUT, style="yellow")
    doubtful = hunt.progress.outcomes[CandidateOutcome.DOUBTFUL]
    if doubtful and result.trial.doubt is None:
        inputs = counted(doubtful, "input")
        text = f"{inputs} skipped: the reference or the input is in doubt there"
        yield Text(text, style="yellow")
    if not (result.is_confirmed or result.trial.is_unsteady):  # the latter is said above
        yield Text(_unconfirmed(result, hunt), style="bold yellow")
    if hunt.target.package.sample.case_with(result.trial.data) is None:
        yield from _doubt_of_shape(hunt.target, result.trial.data)


def _unconfirmed(result: SearchResult, hunt: Hunt) -> str:
    if result.confirmed is not None:
        return f"but a plain run gave {result.confirmed.verdict}: the program does not do the same every time"
    why = "interrupted" if hunt.progress.interrupted else "the time was over"
    return f"not confirmed by a plain run: {why}"


def _doubt_of_reference(hunt: Hunt) -> Iterator[Text]:
    if hunt.progress.doubt_of_reference:
        yield Text(printable(hunt.progress.doubt_of_reference, _LONGEST_SHAPE), style="bold yellow")


def _doubt_of_shape(target: SearchTarget, data: bytes) -> Iterator[Text]:
    """Yield a warning if the input may be invalid because its shape is a guess, or unknown."""
    if target.can_validate:
        return
    if not target.can_shrink:
        text = "not made smaller: nothing says which inputs are valid (give --shape or --validator)"
        yield Text(text, style="dim")
        return
    source = "the programs" if target.drafts or target.has_unknown_format else "samples"
    fits = target.shape is None or parsed_tidy(target.shape, data) is not None
    made = "made to" if fits else "beyond"
    text = f"{made} a shape that was guessed from {source}: if this input is not valid, give --shape."
    yield Text(text, style="dim")
    samples = [case.input.read() for case in target.package.sample.all_cases()]
    largest, shown = _largest_number([data]), _largest_number(samples)
    if samples and abs(largest) > abs(shown):
        aside = ", signs aside," if min(largest, shown) < 0 else ""
        yield Text(
            f"its largest number{aside} is {largest}, that of the samples {shown}: is it allowed?", style="yellow"
        )
    yield from guess_lines(target)


def _largest_number(texts: Iterable[bytes]) -> int:
    """Return the integer in the texts that is farthest from 0; 0 if there is none."""
    return max((int(number) for text in texts for number in _INTEGER.findall(text)), key=abs, default=0)


def guess_lines(target: SearchTarget) -> Iterator[Text]:
    """Yield the guessed shape, as an option to correct by hand; or that none could be guessed."""
    if target.can_validate or not target.trusts_shape:
        return
    text = "no shape could be guessed from the samples: give --shape or --gen (docs/shapes.md)"
    if target.shape is not None:
        text = f"guessed: --shape {shlex.quote(on_one_line(target.shape.text))}"
    yield Text(printable(text, _LONGEST_SHAPE), style="dim")


def time_line(clock: Clock) -> Text:
    """Word the total time and the time of each phase."""
    return Text(words.time_spent(clock.seconds), style="dim")


def compares_outputs(target: SearchTarget) -> bool:
    """Return whether a reference or an output validator says which outputs are right."""
    return target.reference is not None or bool(target.package.output_validators)


def nothing_found_lines(hunt: Hunt) -> Iterator[Text]:
    """Yield what was tried by a search that found no failing input."""
    progress, outcomes = hunt.progress, hunt.progress.outcomes
    tried = ", ".join(_counted_source(source, count) for source, count in progress.tried.items())
    early = "interrupted: " if progress.interrupted else ""
    yield from _doubt_of_reference(hunt)
    yield Text(f"{early}nothing found: {counted(progress.executions, 'input')} ({tried or 'none yet'})")
    yield time_line(progress.clock)
    if progress.was_hurried(hunt.time_s):
        text = f"only {counted(progress.executions, 'input')}: {words.took_long(progress.clock.building_s)}"
        yield Text(text, style="bold yellow")
    refused, unanswered = outcomes[CandidateOutcome.REFUSED], outcomes[CandidateOutcome.UNANSWERED]
    if progress.is_nearly_refused:
        text = f"{refused} more were no valid inputs: a sample, --shape or --gen shows what inputs look like"
        yield Text(text, style="yellow")
    elif refused:
        yield Text(f"{refused} more were no valid inputs", style="dim")
    if hunt.target.generator is not None and outcomes[CandidateOutcome.REPEATED] > progress.executions == 1:
        text = "the generator always prints the same input: does it use its argument, the seed?"
        yield Text(text, style="bold yellow")
    if unanswered:
        share = f"{unanswered} of {progress.executions} inputs ({100 * unanswered // progress.executions} %)"
        text = f"{share} could not be judged: {progress.complaint}"
        style = "bold yellow" if 2 * unanswered > progress.executions else "yellow"
        yield Text(printable(text, _LONGEST_SHAPE), style=style)
    if not compares_outputs(hunt.target):
        yield Text(NOT_COMPARED, style="yellow")
    yield from guess_lines(hunt.target)


def _counted_source(source: Source, count: int) -> str:
    if source is Source.GENERATOR:
        return f"{count} of a generator"
    is_noun = source in (Source.CASE, Source.CHANGED_CASE)
    return counted(count, source.value) if is_noun else f"{count} {source.value}"


def found_line(result: SearchResult) -> str:
    """Say how the counterexample was found."""
    tried, runs = counted(result.to_find, "input"), counted(result.to_shrink, "run")
    made = f", made smaller in {runs}" if result.trial.data != result.first.data else ""
    source = f"{origin(result.first.candidate)}, {counted(len(result.first.data), 'byte')}"
    return f"found after {tried} ({source}){made}"


def doubt_line(doubt: Doubt) -> str:
    """Say why the submission may be right, or the input invalid."""
    if doubt.programs is not None:
        mine = f", and yours agrees with {doubt.programs[1]}" if doubt.agrees else ""
        return printable(f"your program may be right: {doubt.reason}{mine}", 500)
    if doubt.is_unsteady:
        return f"your program does not fail here every time: {doubt.reason}"
    crash = crashes.cause(doubt.errors)
    return printable(f"this input may be invalid: {doubt.reason}{f': {crash}' if crash else ''}", 500)


def other_lines(result: SearchResult) -> Iterator[str]:
    """Yield other failing inputs: a smaller input unlike the samples, and a doubtful input."""
    find = result.less_certain
    if find is not None and find.trial is None:
        yield f"no sample is like this input: {find.rule}"
    elif find is not None and find.trial is not None:
        why = f"no sample is like it: {find.rule}" if find.rule else "no sample, so perhaps not valid:"
        yield from block(f"smaller, but {why}", find.trial.data, LINES // 4)
    doubtful = result.doubtful
    if doubtful is not None and doubtful.doubt is not None and doubtful.doubt.programs is not None:
        yield from block(f"{doubtful.doubt.reason}, of which one is wrong:", doubtful.data, LINES // 4)


def replay_input(data: bytes) -> str | None:
    """Return a shell command that prints the input, None if too long."""
    if len(data) > REPLAY_BYTES:
        return None
    text = "".join(_octal(byte) for byte in data)
    return f"printf '{text}'"


def _octal(byte: int) -> str:
    char = chr(byte)
    if char == "\n":
        return "\\n"
    if char in "%\\'" or not char.isascii() or not char.isprintable():
        return "%%" if char == "%" else f"\\{byte:03o}"
    return char


def diagnostic(result: SearchResult, program: Path, doubt_of_answer: str = "") -> Diagnostic:
    """Return the counterexample in a line. program: the file that a person edits."""
    failure, data = result.failure, result.trial.data
    given = replay_input(data)
    shown = f": {given}" if given is not None else ""
    doubts = [doubt_line(result.trial.doubt)] if result.trial.doubt is not None else []
    doubt = "".join(f" ({printable(each, 500)})" for each in (*doubts, doubt_of_answer) if each)
    location = crashes.location_in(failure.stderr.decode(errors="replace"))
    verdict = failure.verdict.words.lower()
    return Diagnostic(
        path=str(program),
        line=location[1] if location is not None else None,
        severity=Severity.WARNING if doubt else Severity.ERROR,
        text=f"{verdict} on an input of {counted(len(data), 'byte')}{doubt}{shown} ({failure_words(failure)})",
        title="counterexample",
    )


def searched_as_json(target: SearchTarget, clock: Clock, *, seed: int, interrupted: bool) -> dict[str, Any]:
    """Return what was searched, and for how long, as JSON values."""
    return {
        "schema_version": SCHEMA_VERSION,
        "problem": target.package.slug,
        "program": target.submission.path,
        "seed": seed,
        "interrupted": interrupted,
        "elapsed_s": round(clock.elapsed_s, 3),
        "seconds": {phase: round(spent_s, 3) for phase, spent_s in clock.seconds.items()},
    }


def input_as_json(data: bytes) -> dict[str, Any]:
    """Return an input as JSON values; `input` replaces what is not UTF-8."""
    return {"input": _text(data), "input_base64": base64.b64encode(data).decode(), "input_bytes": len(data)}


def search_as_json(hunt: Hunt, result: SearchResult | None) -> dict[str, Any]:
    """Return the outcome of a search as JSON values; `found` is null without a counterexample."""
    progress = hunt.progress
    return {
        **searched_as_json(hunt.target, progress.clock, seed=hunt.seed, interrupted=progress.interrupted),
        "executions": progress.executions,
        "tried": {source.value: count for source, count in progress.tried.items()},
        "not_valid": progress.outcomes[CandidateOutcome.REFUSED],
        "doubtful": progress.outcomes[CandidateOutcome.DOUBTFUL],
        "not_answered": progress.outcomes[CandidateOutcome.UNANSWERED],
        "reason_not_answered": progress.complaint,
        "doubt_of_reference": progress.doubt_of_reference or None,
        "found": _result_as_json(result) if result is not None else None,
    }


def _result_as_json(result: SearchResult) -> dict[str, Any]:
    failure, first, confirmed = result.failure, result.first, result.confirmed
    return {
        "verdict": failure.verdict.value,
        "reason": failure.reason.value if failure.reason is not None else None,
        "signal": failure.signal,
        "exit_code": failure.exit_code,
        "message": failure.message,
        **input_as_json(result.trial.data),
        "output": _text(failure.output),
        "answer": _text(failure.answer) if failure.answer is not None else None,
        "standard_error": _text(failure.stderr),
        "proven_smallest": result.proven,
        "confirmed": result.is_confirmed,
        **_doubt(result.trial.doubt),
        "outside": _less_certain_as_json(result.less_certain) if result.less_certain is not None else None,
        "accepted_programs_differ_on": _differ(result.doubtful),
        "verdict_of_plain_run": confirmed.verdict.value if confirmed is not None else None,
        "first": {
            "source": first.candidate.source.value,
            "words": first.candidate.description,
            "bytes": len(first.data),
        },
        "inputs_to_find": result.to_find,
        "runs_to_shrink": result.to_shrink,
    }


def _doubt(doubt: Doubt | None) -> dict[str, Any]:
    programs = doubt.programs if doubt is not None else None
    dispute = None
    if doubt is not None and programs is not None:
        dispute = {"programs": list(programs), "program_agrees_with": programs[1] if doubt.agrees else None}
    return {"doubt": doubt.reason if doubt is not None else None, "dispute": dispute}


def _less_certain_as_json(find: LessCertainFind) -> dict[str, Any]:
    """Return the samples' rule that is broken; `smaller`: the input that breaks it, null if the main result."""
    return {"rule": find.rule, "smaller": _text(find.trial.data) if find.trial is not None else None}


def _differ(doubtful: TriedCandidate | None) -> dict[str, Any] | None:
    if doubtful is None or doubtful.doubt is None or doubtful.doubt.programs is None:
        return None
    return {"input": _text(doubtful.data), "programs": list(doubtful.doubt.programs)}


def _text(data: bytes) -> str:
    return data.decode("utf-8", errors="replace")
