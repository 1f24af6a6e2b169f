"""The time limit of a search in a package that states none."""

from harness.cli.common import console
from harness.cli.prepare_package import with_limits
from harness.cli.progress import Counter
from harness.host.host import Host
from harness.judge import Observer
from harness.package import Package, Program
from harness.report import words
from harness.search.estimated_time_limit import estimated_time_limit
from harness.search.policy import RUNNING


def roughly_timed_package(package: Package, submission: Program, opened: Host) -> Package:
    """Return the package with a time limit: its own, an estimate from few programs and cases, or 2 s. Prints which."""
    if package.limits.time_limit_s is not None:
        return package
    with Counter(f"timing {package.slug}", unit="cases") as counter:
        observer = Observer(case=lambda path, result: counter.step(f"{path} {result.name}"))
        inferred = estimated_time_limit(package, submission, opened, observer=observer)
    if inferred is None:
        taken = f"{RUNNING.default_limit_s:g} s are taken; --time-limit SECONDS takes another"
        line = f"no time_limit in the package: {taken}"
    else:
        line = f"{words.inferred_limit(inferred.limits, package.limits.ac_to_time_limit)}, on the largest cases"
    console(stderr=True).print(line, markup=False, soft_wrap=True)
    return inferred.package if inferred is not None else with_limits(package, RUNNING.default_limit_s, None)
