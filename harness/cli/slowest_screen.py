"""What `harness stress --slowest` prints and writes: the slowest input, how the time grows, the plot, the JSON."""

from harness.cli.console import Counter, console, show, show_as_warnings
from harness.cli.stress_options import StressOptions
from harness.cli.stress_screen import took_long, write_search
from harness.errors import MachineError, UsageError
from harness.files import atomic
from harness.report import slowest, words
from harness.report.growth_plot import growth_plot
from harness.report.search import origin
from harness.search.candidates import TIMING
from harness.search.slowest import SlowHunt
from harness.search.stopwatch import Slowest, SlowInput

OVER_THE_LIMIT, WITHIN, INTERRUPTED = 1, 0, 2


def hunt_slowest(hunt: SlowHunt, options: StressOptions) -> int:
    """Search and show; return exit code 1 if an input exceeds the time limit."""
    with Counter("looking for slow inputs", unit="inputs") as counter:
        hunt.tell = lambda phase, worst: counter.step(_step(phase, worst))
        result = hunt.run()
    show_as_warnings(hunt.evaluator.built.unbuilt_validators)
    if options.ci.json_file is not None:
        write_search(slowest.slowest_as_json(hunt, result), options.ci.json_file)
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
        return took_long(building_s)
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
