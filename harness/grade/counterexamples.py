"""A fresh small input for each submission that fails: it shows the fault and is no secret case."""

import hashlib
from collections.abc import Iterator, Sequence

from harness.errors import HarnessError
from harness.host.host import Host
from harness.judge import Entry
from harness.package import Group, Package
from harness.results.model import Counterexample, SubmissionResult
from harness.results.verdict import Verdict
from harness.search import Hunt, SearchResult, TriedCandidate, target_of

SEARCH_S = 10.0
TEXT = 4000
_NOT_SEARCHED = (Verdict.ACCEPTED, Verdict.COMPILE_ERROR, Verdict.JUDGE_ERROR, Verdict.SKIPPED)


def counterexamples(
    package: Package,
    host: Host,
    entries: Sequence[Entry],
    results: Sequence[SubmissionResult],
    *,
    seconds: float = SEARCH_S,
) -> Iterator[Counterexample]:
    """One for each failing submission, where the search finds one in time and the package can be searched."""
    secret = _digests(package.secret) - _digests(package.sample)
    for entry, result in zip(entries, results, strict=True):
        if result.verdict in _NOT_SEARCHED:
            continue
        found = _found(package, host, entry, seconds)
        trials = (found.trial, found.first) if found is not None else ()
        fresh = next((one for one in trials if hashlib.sha256(one.data).digest() not in secret), None)
        if fresh is not None and len(fresh.data) <= TEXT:
            yield _shown(result.path, fresh)


def _digests(group: Group) -> set[bytes]:
    return {hashlib.sha256(case.input.read()).digest() for case in group.all_cases()}


def _found(package: Package, host: Host, entry: Entry, seconds: float) -> SearchResult | None:
    try:
        target = target_of(package, entry.program)
        found = Hunt(target=target, host=host, seed=0, time_s=seconds, spares_secret=True).run()
    except HarnessError:  # an extra: for want of it nobody loses a verdict
        return None
    return found if found is not None and found.is_real else None


def _shown(path: str, trial: TriedCandidate) -> Counterexample:
    failure = trial.failure
    return Counterexample(
        submission=path,
        verdict=failure.verdict if failure is not None else Verdict.WRONG_ANSWER,
        input=trial.data.decode(errors="replace"),
        answer=((failure.answer if failure is not None else None) or b"")[:TEXT].decode(errors="replace"),
        output=(failure.output if failure is not None else b"")[:TEXT].decode(errors="replace"),
    )
