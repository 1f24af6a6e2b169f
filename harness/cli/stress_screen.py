"""What `harness stress` prints: live progress, the counterexample, the command that repeats it; with --slowest, the
slowest input and how the time grows."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from harness.cli.console import Counter, console, show, show_warnings
from harness.cli.game_screen import show_failed_game
from harness.cli.options import write_json
from harness.cli.stress_options import StressOptions
from harness.errors import JudgeError, MachineError, UsageError, counted
from harness.files import atomic
from harness.generate.add_case import promote
from harness.package import Package
from harness.report import search, slowest, words
from harness.report.escape import lines_of
from harness.report.growth_plot import growth_plot
from harness.report.search import failure_words, origin
from harness.results.python_hints import missing_module
from harness.search.candidates import BUILDING, SEARCHING, TIMING, CandidateOutcome, Progress, SearchResult
from harness.search.hunt import Hunt
from harness.search.slowest import SlowHunt
from harness.search.stopwatch import Slowest, SlowInput
from harness.search.target import SearchTarget

_BEST_LINES = 14
OVER_THE_LIMIT, WITHIN, INTERRUPTED = 1, 0, 2
_ALL_REFUSED = (
    "refused every input (exit code 42 means valid, 43 invalid): a sample, --shape or --gen shows what inputs "
    "look like"
)
_REFUSED = "that input is not valid: an input validator refuses it"
_NOT_TRIED = "that input was not tried: the time was over before; --search-time SECONDS gives more"
_UNREAD = "the programs do not show what they read; give --gen or --shape, or put samples into test/"


def warn_of_misfit(target: SearchTarget) -> None:
    """Warn if a sample does not fit the given shape, which is then probably wrong."""
    if target.misfit:
        show_warnings([f"{target.misfit}\n  inputs are made after the shape: is there a mistake in it?"])


class Screen:
    """Shows a hunt's progress on standard error while it lasts."""

    def __init__(self, hunt: Hunt) -> None:
        self._hunt = hunt
        self._console = Console(stderr=True, highlight=False, emoji=False)
        self._phases: set[str] = set()  # that were shown
        self._live = Live(self, console=self._console, transient=True, refresh_per_second=5)
        hunt.tell = self._show_phase

    def __enter__(self) -> "Screen":
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._console.is_terminal:
            self._live.stop()

    def __rich__(self) -> RenderableType:
        progress = self._hunt.progress
        best = progress.best
        if best is None or best.failure is None:
            return Text(self._headline(progress))
        title = f"fails with {best.failure.verdict}: {failure_words(best.failure)}; {len(best.data)} bytes"
        shown = "\n".join(f"    {line}" for line in lines_of(best.data, _BEST_LINES, 100))
        return Group(Text(self._headline(progress)), Text(title, style="bold"), Text(shown))

    def _headline(self, progress: Progress) -> str:
        seconds = progress.clock.elapsed_s
        searching_s = progress.clock.seconds.get(SEARCHING, 0.0)
        rate = progress.executions / searching_s if searching_s > 0.5 else 0.0
        parts = [f"{progress.clock.phase}: {progress.executions} inputs", f"{seconds:.0f} s"]
        parts += [f"{rate:.0f} per second"] if progress.clock.phase == SEARCHING and rate else []
        parts += [f"{source.value} {count}" for source, count in progress.tried.items()]
        refused = progress.outcomes[CandidateOutcome.REFUSED]
        parts += [f"{refused} not valid"] if refused else []
        parts += [f"made smaller {progress.shrinking} times"] if progress.shrinking else []
        return " · ".join([*parts, "Ctrl-C keeps the best" if progress.best else "Ctrl-C ends"])

    def _show_phase(self, progress: Progress) -> None:
        if not self._console.is_terminal and progress.clock.phase not in self._phases:
            self._phases.add(progress.clock.phase)
            self._console.print(Text(f"{progress.clock.phase} …", style="dim"))


def show_result(result: SearchResult, hunt: Hunt, *, may_hint: bool = False) -> None:
    """Print the input and all that is known about it. may_hint: see report.search."""
    out = console()
    show(out, search.counterexample(result, hunt, may_hint=may_hint))
    if hunt.target.interactive:
        judging, entries = hunt.confirming.judging(result.trial), [hunt.confirming.entry]
        show_failed_game(judging, entries, judging.run(entries), out)
    show(out, search.circumstances(result, hunt))


def show_command(data: bytes, command: Sequence[str], *, seed: int, saved: Path | None, given: str | None) -> None:
    """Print the command that tries the input again; of a large one that is not saved, the command that found it.

    given: the file of --input.
    """
    again = shlex.join(command)
    printing = search.replay_input(data)
    text = f"again: {again} --seed {seed} --save FILE"
    if given is not None:
        text = f"again: {again} --input {shlex.quote(given)} --save FILE"
    if saved is not None:
        text = f"again: {again} --input {shlex.quote(str(saved))}"
    elif printing is not None:
        text = f"again: {printing} | {again} --input -"
    console().print(Text(text))


def check_searched(hunt: Hunt, *, given: bool) -> None:
    """Raise UsageError if no input could be tried, JudgeError if no input could be judged.

    Also if the generator that the user named made none: then the search was not the one asked for.
    """
    progress = hunt.progress
    if not given and hunt.generator_fault and hunt.target.generator is not None:
        raise UsageError(f"the generator makes no input: {hunt.generator_fault}")
    if given and not progress.outcomes[CandidateOutcome.PASSED]:
        raise UsageError(
            progress.complaint or (_REFUSED if progress.outcomes[CandidateOutcome.REFUSED] else _NOT_TRIED)
        )
    unanswered = progress.outcomes[CandidateOutcome.UNANSWERED]
    if unanswered and unanswered == progress.executions:
        none = "the only input could not" if unanswered == 1 else f"none of {unanswered} inputs could"
        none += " be judged, so nothing was searched"
        raise JudgeError("\n".join(filter(None, (progress.complaint, none, missing_module(progress.complaint)))))
    if not progress.executions and progress.clock.phase != BUILDING:
        built_s = progress.clock.building_s
        why = "the time was over before the first one was made and had run (--search-time)"
        if progress.is_nearly_refused:
            why = hunt.generator_fault or f"{_validators(hunt)} {_ALL_REFUSED}"
        elif built_s > hunt.time_s / 2:
            why = words.took_long(built_s)
        elif progress.running_at_end:
            running = progress.running_at_end
            why = f"the time was over while {running} ran: does it end? --search-time SECONDS gives more time"
        elif hunt.target.has_unknown_format:
            why = _UNREAD
        elif refused := progress.outcomes[CandidateOutcome.REFUSED]:
            why += f"; {_validators(hunt)} refused {counted(refused, 'input')}"
        raise UsageError(f"no input could be tried: {why}")


def _validators(hunt: Hunt) -> str:
    names = [validator.executable.program.path for validator in hunt.evaluator.built.validators]
    return ", ".join(names) or "the input validator"


def show_nothing_found(hunt: Hunt, *, given: bool) -> None:
    """Print what was tried by a search that found no failing input. given: the only input was that of --input."""
    if given:
        told = "that input is answered rightly" if search.compares_outputs(hunt.target) else search.NOT_COMPARED
        console().print(told, style="bold")
    else:
        show(console(), search.nothing_found_lines(hunt))


def add_as_case(package: Package, name: str, result: SearchResult) -> None:
    """Add the input to the package's data as the case `name`, and print the file."""
    path = promote(package, name, result.trial.data, result.failure.answer)
    text = f"added to {path}"
    slug = package.slug
    tail = f"; build it and accept its hashes: harness generate {slug} --relock" if path.suffix == ".yaml" else ""
    console().print(Text(text + tail))


def hunt_slowest(hunt: SlowHunt, options: StressOptions) -> int:
    """Search and show; return exit code 1 if an input exceeds the time limit."""
    with Counter("looking for slow inputs", unit="inputs") as counter:
        hunt.tell = lambda phase, worst: counter.step(_step(phase, worst))
        result = hunt.run()
    show_warnings(hunt.evaluator.built.unbuilt_validators)
    if options.ci.json_file is not None:
        write_json(options.ci.json_file, slowest.slowest_as_json(hunt, result), one_line=True)
    if result is None:
        if hunt.interrupted:
            raise MachineError("interrupted: no input was tried")
        raise UsageError(f"no input could be tried: {why_nothing(hunt)}")
    if not options.is_for_programs:
        show(console(), slowest.slowest_lines(hunt, result))
    if options.save is not None:
        atomic.deliver(options.save, result.worst.data)
    if options.plot is not None:
        atomic.deliver(options.plot, _plotted(hunt, result).encode())
    if hunt.interrupted:
        return INTERRUPTED
    return OVER_THE_LIMIT if result.worst.cpu_s > hunt.limit_s else WITHIN


def _plotted(hunt: SlowHunt, result: Slowest) -> str:
    inputs = f"on {origin(result.worst.candidate)}"
    return growth_plot(result.points, result.fit, hunt.limit_s, program=hunt.target.submission.path, inputs=inputs)


def why_nothing(hunt: SlowHunt) -> str:
    """Say why no input could be tried."""
    seconds = hunt.clock.seconds
    building_s, timing_s = hunt.clock.building_s, seconds.get(TIMING, 0.0)
    if building_s > hunt.time_s:
        return words.took_long(building_s)
    if timing_s > hunt.time_s / 2:
        return (
            f"timing accepted programs took {timing_s:.0f} s: give --time-limit SECONDS, or a longer --search-time"
        )
    return (
        "--slowest needs a recipe or a shape, and inputs that the input validators accept, "
        "or without these that the reference reads to the end"
    )


def _step(phase: str, worst: SlowInput | None) -> str:
    return phase if worst is None else f"{phase}: {words.seconds(worst.cpu_s)} {worst.candidate.description}"
