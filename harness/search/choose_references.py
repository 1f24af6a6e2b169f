"""Choose the right programs that a search compares with, and estimate a time limit from them."""

import time
from dataclasses import replace

from harness.errors import HarnessError
from harness.generate.recipe import Recipe
from harness.host.host import Host
from harness.judge.judging import Observer
from harness.judge.prepare import Inferred, infer_time_limit
from harness.package import Group, Package, Program
from harness.package.model import rules_for
from harness.search.policy import RUNNING

# Languages by the usual speed of their programs. The shorter list of generate/programs.py is fixed for locks.
_FAST = (".cpp", ".cc", ".c", ".rs", ".java", ".kt", ".go", ".cs", ".js", ".py")


def answering_programs(
    package: Package, recipe: Recipe | None, submission: Program | None = None
) -> list[Program]:
    """Return `references_of` the package, those that make the answers of the recipe first."""
    solutions = {case.solution.lstrip("/") for case in recipe.cases if case.solution} if recipe else set()
    accepted = references_of(package, submission)
    return sorted(accepted, key=lambda program: f"submissions/{program.path}" not in solutions)


def references_of(package: Package, submission: Program | None) -> list[Program]:
    """Return the package's accepted programs without the submission, fast languages first.

    A program that is stated to get fewer points than another is left out, unless fewer points are better: there are
    better answers.
    """
    stated = {program.path: _stated_points(package, program) for program in package.accepted}
    most = max((points for points in stated.values() if points is not None), default=None)
    best = [program for program in package.accepted if package.minimize or stated[program.path] in (None, most)]
    return sorted(
        (
            program
            for program in best
            if submission is None or program.origin.resolve() != submission.origin.resolve()
        ),
        key=slowness,
    )


def _stated_points(package: Package, program: Program) -> float | None:
    """Return the most points that the package's rules allow a submission in all; None: they state none."""
    rules = [rule for rule in rules_for(program.path, package.rules) if rule.cases is None]
    return min((rule.score[1] for rule in rules if rule.score is not None), default=None)


def slowness(program: Program) -> tuple[int, str]:
    """Return a sort key that puts programs in fast languages first."""
    names = tuple(program.files)
    ranks = [rank for rank, end in enumerate(_FAST) if any(name.endswith(end) for name in names)]
    return (min(ranks, default=len(_FAST)), program.path)


def estimated_time_limit(
    package: Package, submission: Program, host: Host, *, cap_s: float = RUNNING.estimate_cap_s, observer: Observer
) -> Inferred | None:
    """Estimate the time limit from accepted programs on the largest cases; None if no case is large, or they fail.

    submission: the program to break, which is not measured.
    """
    accepted = references_of(package, submission)
    largest = sorted(package.judged_cases(), key=lambda case: case.input.size(), reverse=True)[
        : RUNNING.estimate_cases
    ]
    if not accepted or not largest or largest[0].input.size() < RUNNING.estimate_least_bytes:
        return None
    few = replace(package, submissions=tuple(accepted[-RUNNING.estimate_programs :]), sample=Group(name="sample"))
    began_s, inferred = time.monotonic(), None
    for cases in (largest[:1], largest)[: len(largest)]:
        if inferred is not None and time.monotonic() - began_s > RUNNING.estimate_soon_s:
            break  # the others would take as long
        try:
            timed = replace(few, secret=Group(name="secret", cases=tuple(cases)))
            inferred = infer_time_limit(timed, host, cap_s=cap_s, observer=observer)
        except HarnessError:
            break
    if inferred is None or inferred.limits.lowest is None or inferred.limits.lowest.open_end:
        return None
    return replace(inferred, package=replace(package, limits=inferred.package.limits))
