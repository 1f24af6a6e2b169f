"""A time limit for a search in a package that states none: from a few accepted programs on the largest cases.

`harness judge` runs all of them on all cases (judge/inferred_time_limit.py); a search is not to begin with that.
"""

from dataclasses import replace

from harness.errors import HarnessError
from harness.host.host import Host
from harness.judge import Inferred, Observer, infer_time_limit
from harness.package import Group, Package, Program
from harness.search.policy import RUNNING
from harness.search.target import length_of, references_of


def estimated_time_limit(
    package: Package, submission: Program, host: Host, *, cap_s: float = RUNNING.estimate_cap_s, observer: Observer
) -> Inferred | None:
    """The package with the limit that follows; None where it has no large cases, or nothing follows.

    submission: the program that is to be broken, which has no say.
    """
    accepted = references_of(package, submission)
    largest = sorted(package.judged_cases(), key=length_of, reverse=True)[: RUNNING.estimate_cases]
    if not accepted or not largest or length_of(largest[0]) < RUNNING.estimate_least_bytes:
        return None
    few = replace(
        package,
        submissions=tuple(accepted[-RUNNING.estimate_programs :]),
        sample=Group(name="sample"),
        secret=Group(name="secret", cases=tuple(largest)),
    )
    try:
        found = infer_time_limit(few, host, cap_s=cap_s, observer=observer)
    except HarnessError:
        return None
    if found.limits.lowest is None or found.limits.lowest.open_end:
        return None
    return Inferred(package=replace(package, limits=found.package.limits), limits=found.limits)
