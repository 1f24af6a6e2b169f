"""Run `harness mutate`: judge mutants; on request compute the kill matrix, new cases and the strength of the data."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from harness.errors import UsageError
from harness.judge.prepare import with_limits
from harness.mutate.building import can_mutate
from harness.mutate.kill_matrix import KillMatrix, kill_matrix
from harness.mutate.mutation import Mutation
from harness.mutate.new_cases import Proposal, propose_cases
from harness.mutate.outcomes import MutationReport
from harness.mutate.strength import SEARCH_S, Strength, cases_for_wrong_solutions, measure_strength
from harness.package import Package, Program
from harness.package.named_programs import own_at, own_named
from harness.search.choose_references import slowness
from harness.store.identity import identity_of_results
from harness.store.memory import memory_in
from harness.values import dataclass

STRENGTH_SOLUTIONS, STRENGTH_MUTANTS, STRENGTH_INPUTS = 3, 24, 5000


def chosen_solutions(
    package: Package, paths: Sequence[Path], *, strength: bool
) -> tuple[list[Program], list[Program]]:
    """Return the solutions to mutate (at `paths`, else all accepted), and the accepted ones that cannot be mutated.

    strength: without paths, choose only the three fastest.
    """
    accepted = package.accepted
    if paths:
        return [own_at(package, path) or own_named(package, path, among=accepted) for path in paths], []
    chosen = [program for program in accepted if can_mutate(program)]
    left = [program for program in accepted if program not in chosen]
    if not package.runs_submissions:
        raise UsageError(f"{package.slug}: its submissions are answers, not programs: there is nothing to mutate")
    if not chosen:
        names = ", ".join(program.path for program in left) or "none"
        raise UsageError(f"{package.slug}: no accepted solution that is one file in C++ or Python 3: {names}")
    return sorted(chosen, key=slowness)[:STRENGTH_SOLUTIONS] if strength else chosen, left


def with_kept_time_limit(package: Package, cache: Path, infer: Callable[[Package], Package]) -> Package:
    """Return the package with a time limit, reusing an inferred limit so that stored results stay valid."""
    if package.limits.time_limit_s is not None:
        return package
    memory = memory_in(cache)
    topic = f"time limit {identity_of_results(package)}"
    seconds = memory.remembered(topic, "seconds", float | None, lambda: infer(package).limits.time_limit_s)
    return with_limits(package, seconds, None)


@dataclass(frozen=True, kw_only=True)
class MutationResult:
    """The results; None or empty if not requested."""

    report: MutationReport
    kills: KillMatrix | None = None
    proposals: tuple[Proposal, ...] = ()
    strength: Strength | None = None

    @property
    def passing_wrong_solutions(self) -> list[str]:
        """The wrong solutions of the package that no case kills, as far as the kill matrix was computed."""
        return [name for name in self.kills.survivors if "#" not in name] if self.kills is not None else []

    @property
    def holds(self) -> bool:
        """Return whether every solution has a result, and no mutant and no wrong solution survives."""
        return not (self.report.survivors() or self.report.left_out or self.passing_wrong_solutions)

    @property
    def unjudged(self) -> int:
        """The number of programs that were not run on every case for the kill matrix, as time was up."""
        return self.kills.unjudged if self.kills is not None else 0

    @property
    def decided(self) -> bool:
        """Return whether there was time for everything."""
        return not self.report.undecided and not self.unjudged


def run_mutation(
    mutation: Mutation,
    programs: Sequence[Program],
    *,
    matrix: bool = False,
    propose: bool = False,
    strength: bool = False,
    search_s: float = SEARCH_S,
) -> MutationResult:
    """Judge the mutants of these solutions. strength: computes the matrix and new cases, too.

    The matrix is computed first: it runs every program on every case, and the rest reuses these stored results.
    """
    mutation = replace(mutation, every_case=matrix or strength)
    kills = kill_matrix(mutation, programs) if matrix or strength else None
    report = mutation.run(programs)
    proposals = propose_cases(mutation, report) if (propose or strength) and not mutation.is_over else ()
    measured = None
    if strength and kills is not None:
        measured = measure_strength(mutation, report, kills, proposals, search_s)
        proposals = (*proposals, *cases_for_wrong_solutions(mutation, measured, proposals))
    return MutationResult(report=report, kills=kills, proposals=proposals, strength=measured)
