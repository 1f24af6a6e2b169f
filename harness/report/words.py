"""The words for facts and verdicts, shared so that all views agree."""

import signal
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from harness.errors import first_few
from harness.package.ad_hoc import DEFAULT, StatedLimits
from harness.report import crashes
from harness.report.escape import one_line, one_name
from harness.results.model import CaseResult, Outcome, Report, SubmissionResult, Unmet
from harness.results.verdict import Reason, Verdict
from harness.rules.outcomes import as_expected
from harness.rules.score import points_text
from harness.rules.time_limit import TimeLimits
from harness.sandbox.facts import MIB, Isolation, Tier

_TELLING_S = 0.05
_MOST_FILES = 3  # named in a warning

_SIGNALS = {
    signal.SIGSEGV: "segmentation fault",
    signal.SIGABRT: "aborted",
    signal.SIGFPE: "arithmetic error (division by zero?)",
    signal.SIGKILL: "killed",
    signal.SIGBUS: "bus error",
    signal.SIGILL: "illegal instruction",
}


def seconds(value: float | None) -> str:
    """Format CPU or wall seconds for a table."""
    return "" if value is None else f"{value:.3f} s"


def mebibytes(value: int | None) -> str:
    """Format a memory size in MiB for a table."""
    return "" if value is None else f"{value / MIB:.1f} MiB"


def time_spent(seconds_by_phase: Mapping[str, float]) -> str:
    """Word the total time and its parts: `12.3 s: building 2.0 s, searching 10.3 s`."""
    parts = [f"{phase} {spent_s:.1f} s" for phase, spent_s in seconds_by_phase.items() if spent_s >= _TELLING_S]
    return f"{sum(seconds_by_phase.values()):.1f} s" + (f": {', '.join(parts)}" if parts else "")


def left_out_mark(path: Path) -> str:
    """Warn of a file of a sample that begins with a byte order mark."""
    return f"{path}: the byte order mark at its start is left out; save it as UTF-8 without BOM"


def keeps_cr_lf(paths: Sequence[Path]) -> str:
    """Warn of inputs whose lines end with CR LF."""
    names = first_few([str(path) for path in paths], _MOST_FILES)
    return f"{names}: lines end with CR LF, and programs get the CR, too, often as a part of a word; save with LF"


def took_long(building_s: float) -> str:
    """Say that building left little time to search."""
    again = "they are kept, so run the command again, or give more --search-time"
    return f"building the programs took {building_s:.0f} s; {again}"


def judged_so_far(path: str, cases: Sequence[CaseResult]) -> str:
    """Summarize an interrupted judging: `a.cpp, so far: 3 AC, 1 WA (first on secret/4)`."""
    counts = Counter(case.verdict for case in cases)
    parts = [f"{count} {verdict.value}" for verdict, count in counts.items()]
    failed = next((case for case in cases if case.failed), None)
    first = f" (first failure on {one_name(failed.name)})" if failed is not None else ""
    return f"{one_name(path)}, so far: {', '.join(parts) or 'no case judged'}{first}"


def key_of(verdicts: Iterable[Verdict]) -> str:
    """Explain SK if it is among the verdicts of a table."""
    return "SK: not run, for the outcome was decided before" if Verdict.SKIPPED in verdicts else ""


def slowest(submission: SubmissionResult) -> str:
    """Format the CPU time of the slowest case for a table."""
    case = submission.slowest()
    return seconds(case.cpu_s if case is not None else None)


def peak(submission: SubmissionResult) -> str:
    """Format the highest memory use for a table."""
    return mebibytes(submission.peak_memory_bytes())


def points(value: float | None) -> str:
    """Format a score for a table."""
    return "" if value is None else points_text(value)


def why(case: CaseResult, time_limit_s: float, memory_limit_mib: int) -> str:
    """Say on one line why a case got its verdict."""
    match case.reason:
        case Reason.SIGNAL:
            return _signal_words(case, memory_limit_mib) + _quoted(case)
        case Reason.EXIT_CODE:
            return f"exit code {case.exit_code}" + _near_memory_limit(case, memory_limit_mib) + _quoted(case)
        case None | Reason.VALIDATOR | Reason.INTERRUPTED:
            return one_line(case.message)
    also = f"; {one_line(case.message)}" if case.message else ""
    waited = f" after {seconds(case.wall_s)}, {seconds(case.cpu_s)} of it CPU" if case.wall_s is not None else ""
    return {
        Reason.CPU_TIME: f"over {time_limit_s:g} s of CPU time{also}",
        Reason.WALL_TIME: f"stopped by the clock{waited}: is it waiting?{also}",
        Reason.IDLE: one_line(case.message) or "waiting for input: missing flush?",
        Reason.MEMORY: f"over {memory_limit_mib} MiB",
        Reason.OUTPUT: "wrote more than the output limit",
    }[case.reason]


def _signal_words(case: CaseResult, memory_limit_mib: int) -> str:
    number = case.signal or 0
    try:
        named = signal.Signals(number)
    except ValueError:
        return f"signal {number}"
    words = f"{named.name}: {_SIGNALS.get(named, 'ended by a signal')}"
    near = _near_memory_limit(case, memory_limit_mib)
    if named is signal.SIGSEGV:  # the stack may use the whole memory limit, so recursion is no cause below it
        return f"{words}{near}: deep recursion?" if near else f"{words}: an index or a pointer out of bounds?"
    if named is signal.SIGABRT and not case.message.strip():
        words += " (assert, uncaught exception or failed allocation)"
    return words + near


def _near_memory_limit(case: CaseResult, memory_limit_mib: int) -> str:
    near = case.memory_bytes is not None and case.memory_bytes > 0.9 * memory_limit_mib * MIB
    return f", with memory near its limit of {memory_limit_mib} MiB" if near else ""


def _quoted(case: CaseResult) -> str:
    cause = crashes.cause(case.message)
    return f": {cause}" if cause else ""


def inferred_limit(limits: TimeLimits, factor: float) -> str:
    """Say how a time limit was inferred that the package does not state."""
    lowest = limits.lowest
    if lowest is None or limits.default_s is None:
        return "no time limit"
    slowest = f"{lowest.path} took {seconds(lowest.cpu_s)} on {lowest.case}"
    return (
        f"no time_limit in the package: {limits.default_s:g} s, for {slowest} and ac_to_time_limit is {factor:g}"
    )


def limits_line(limits: StatedLimits) -> str:
    """Say on one line which limits are in force and where they come from."""
    time, memory = f"{limits.time_limit_s:g} s", f"{limits.memory_mib} MiB"
    if limits.time_from == limits.memory_from:
        return f"limits: {time}, {memory} ({_source(limits.time_from)})"
    return f"limits: {time} ({_source(limits.time_from)}), {memory} ({_source(limits.memory_from)})"


def tolerance_line(tolerance: str) -> str:
    """Say that numbers may differ, which no option asked for."""
    return f"numbers may differ by {tolerance}, as answers have decimals (--float-tolerance 0: not at all)"


def _source(name: str) -> str:
    return "the default" if name == DEFAULT else one_name(name)


def unmet(item: Unmet) -> str:
    """Describe an unmet expectation on one line."""
    scope = f" in {item.scope}" if item.scope else ""
    return f"{item.demand}{scope}: wanted {item.wanted}, found {item.found_words} (rule `{item.rule}`)"


def outcome(submission: SubmissionResult) -> str:
    """Say whether a submission meets its expectation."""
    if submission.unavailable:
        return "not judged"
    if submission.expected is None:
        return ""
    if submission.expected.nothing:
        return "nothing is expected of it"
    return "as expected" if submission.expected.met else "NOT AS EXPECTED"


def remark(submission: SubmissionResult) -> str:
    """Return the remark beside a graded submission's verdict: outcome, reruns near the limit, flips."""
    texts = {Outcome.NOT_AS_ASKED: "NOT AS ASKED", Outcome.COULD_NOT_JUDGE: "could not judge"}
    parts = [texts[submission.outcome]] if submission.outcome in texts else []
    if not submission.stable:
        flipped = [case.name for case in submission.cases if len(set(case.repeats)) > 1]
        parts.append(
            f"UNSTABLE over {len(submission.repeats)} times: {one_line(', '.join(flipped)) or 'its verdict'}"
        )
    elif submission.repeats:
        parts.append(f"the same {len(submission.repeats)} times")
    if any(case.cpu_runs_s for case in submission.cases):  # no number: of some cases the times are not shown
        parts.append("near the limit, run again alone")
    return "; ".join(parts)


def isolation_banner(isolation: Isolation) -> str:
    """Return one line on the isolation of submissions; a loud warning if there was none."""
    lacking = f" — {'; '.join(isolation.missing)}" if isolation.missing else ""
    if isolation.tier is Tier.PLAIN:
        return (
            "NOT ISOLATED (tier T0): programs run under limits only and can read what this user can; "
            f"judge nothing that you would not run yourself{lacking}"
        )
    state = "isolated" if isolation.contained else "NOT ISOLATED"
    return f"{state} (tier {isolation.tier}, {isolation.tier.name.lower()}){lacking}"


def summary(submission: SubmissionResult) -> str:
    """Return the last line about the only submission: verdict, points, slowest case, first failure."""
    case = submission.slowest()
    parts = [f"{one_name(submission.path)}: {submission.verdict.words}"]
    if submission.score is not None:
        parts.append(f"{points(submission.score)} points")
    if case is not None:
        parts += [f"slowest {slowest(submission)} on {one_name(case.name)}", f"peak memory {peak(submission)}"]
    failed = submission.first_failure()
    if failed is not None:
        parts.append(f"first failure on {one_name(failed.name)}")
    if submission.expected is not None:
        parts.append(outcome(submission))
    return ", ".join(parts)


def summary_of_all(report: Report, *, skip_missing: bool) -> str:
    """Return the last line about several submissions. skip_missing: ignore those without a compiler here."""
    total = len(report.submissions)
    unbound = sum(bool(submission.expected and submission.expected.nothing) for submission in report.submissions)
    met = sum(
        as_expected(submission) and not (submission.expected and submission.expected.nothing)
        for submission in report.submissions
    )
    missing = sum(submission.unavailable for submission in report.submissions)
    what = "accepted" if all(submission.expected is None for submission in report.submissions) else "as expected"
    hint = "" if skip_missing else " (harness doctor names them; or --skip-missing-languages)"
    line = f"{met} of {total} submissions {what}"
    line += f", {missing} not judged: no compiler or no known language{hint}" if missing else ""
    return line + (f"; of {unbound} nothing is expected" if unbound else "")
