"""Run all that `harness mutate` computes: mutants, and on request kill matrix, new cases, the data's strength."""

from collections.abc import Sequence

from harness.mutate.kill_matrix import KillMatrix, kill_matrix
from harness.mutate.model import MutationReport
from harness.mutate.mutation import Mutation
from harness.mutate.new_cases import Proposal, propose_cases
from harness.mutate.strength import SEARCH_S, Strength, measure_strength
from harness.package import Program
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class MutationResult:
    """The results; None or empty where they were not asked for."""

    report: MutationReport
    kills: KillMatrix | None = None
    proposals: tuple[Proposal, ...] = ()
    strength: Strength | None = None


def run_mutation(
    mutation: Mutation,
    programs: Sequence[Program],
    *,
    matrix: bool = False,
    propose: bool = False,
    strength: bool = False,
    search_s: float = SEARCH_S,
) -> MutationResult:
    """Judge the mutants of these solutions. strength needs the matrix and new cases and computes them, too."""
    report = mutation.run(programs)
    reported = {solution.path for solution in report.solutions}
    kept = [program for program in programs if program.path in reported]
    kills = kill_matrix(mutation, kept) if matrix or strength else None
    proposals = propose_cases(mutation, report) if propose or strength else ()
    measured = None
    if strength and kills is not None:
        measured = measure_strength(mutation, report, kills, proposals, search_s)
    return MutationResult(report=report, kills=kills, proposals=proposals, strength=measured)
