"""Packages that state no time limit: their own submissions are run first, and give one."""

from dataclasses import dataclass, replace

from harness.errors import JudgeError, UsageError
from harness.host.host import Host
from harness.judge.judging import Entry, Judging, Observer
from harness.package import Package, Rule
from harness.results.verdict import Verdict
from harness.rules.expectations import rules_for
from harness.rules.time_limit import TimeLimits, time_limits

CAP_S = 60.0


@dataclass(frozen=True, kw_only=True)
class Inferred:
    """The package with the limit that was found, and what it was found from."""

    package: Package
    limits: TimeLimits


def infer_time_limit(package: Package, host: Host, *, cap_s: float = CAP_S, observer: Observer) -> Inferred:
    """Run every submission that must be accepted on every case, and take the limit that follows.

    Those that are to be wrong or to crash bound the limit too by the format's text (contested), but run for as long
    as they like: whether they fit is for `harness verify` to say.

    Raises UsageError where nothing can be timed, JudgeError where the validator fails on the way.
    """
    bounding = [
        (program, rules)
        for program in package.submissions
        if (rules := tuple(filter(_must_be_accepted, rules_for(program.path, package.rules))))
    ]
    capped = replace(package, limits=replace(package.limits, time_limit_s=cap_s))
    entries = [Entry(program=program, rules=rules) for program, rules in bounding]
    results = Judging(package=capped, host=host, complete=True, observer=observer).run(entries)
    for result in results:
        if result.verdict is Verdict.JUDGE_ERROR:
            broken = next((case.message for case in result.cases if case.verdict is Verdict.JUDGE_ERROR), "")
            raise JudgeError(f"no time limit could be found: {result.message or broken}")
    judged = [(result, rules) for result, (_, rules) in zip(results, bounding, strict=True)]
    found = time_limits(judged, package.limits, cap_s=cap_s)
    if found.default_s is None:
        why = found.faults[0] if found.faults else "no submission could be timed"
        raise UsageError(f"{package.slug} has no time_limit, and none follows: {why}; give --time-limit SECONDS")
    limits = replace(package.limits, time_limit_s=found.default_s)
    return Inferred(package=replace(package, limits=limits), limits=found)


def _must_be_accepted(rule: Rule) -> bool:
    said = rule.use_for_time_limit == "lower"
    return rule.bounds_from_below and (said or rule.permitted == frozenset({"AC"}))
