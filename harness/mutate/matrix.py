"""The kill matrix: which case kills which mutant and which wrong solution, and what follows from it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from harness.build import Executable
from harness.host.host import submission_build_limits
from harness.judge import Judging
from harness.mutate.building import build_schemata
from harness.mutate.judge_mutants import Contender, Court, Trial
from harness.mutate.mutation import Mutation, contenders
from harness.mutate.smallest_cover import Cover, smallest_cover
from harness.package import Program
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class KillMatrix:
    """Who is killed by which case. unknown: pairs that were not run, since the program had run out of time before.

    by_case: by case (all of them) the names of those that it kills, `path` or `path#mutant`. costs_s: CPU of a run.
    """

    by_case: Mapping[str, frozenset[str]]
    costs_s: Mapping[str, float]
    survivors: tuple[str, ...]
    unknown: int

    @property
    def redundant(self) -> tuple[str, ...]:
        """Cases whose every kill another case makes, too; dropping one may make another one needed."""
        return tuple(
            case
            for case, killed in self.by_case.items()
            if killed <= frozenset[str]().union(*(other for name, other in self.by_case.items() if name != case))
        )

    def cover(self) -> Cover:
        """The smallest set of cases that keeps every kill."""
        return smallest_cover(self.by_case)

    def soonest(self) -> tuple[str, ...]:
        """The cases in the order in which wrong programs die soonest: most new kills for the time first."""
        order: list[str] = []
        left = dict(self.by_case)
        dead: frozenset[str] = frozenset()
        while left:
            case = min(
                left, key=lambda name: (-len(left[name] - dead) / (self.costs_s.get(name, 0) + 0.005), name)
            )
            dead |= left.pop(case)
            order.append(case)
        return tuple(order)


def kill_matrix(mutation: Mutation, programs: Sequence[Program]) -> KillMatrix:
    """Run every mutant of these solutions, and every wrong solution of the package, on every case."""
    judge = Judging(package=mutation.package, host=mutation.host).case_judge
    trials: list[Trial] = []
    costs_s: dict[str, float] = {}
    for program in programs:
        schemata = mutation.sampled(build_schemata(program, mutation.host, mutation.package.include))
        court = mutation.court(judge, program.path, mutation.memory(schemata))
        court.hear_original(Contender(name=program.path, executable=schemata.as_mutant(0)))
        costs_s |= {name: result.cpu_s for name, result in court.baseline.items() if name not in costs_s}
        found = court.matrix(contenders(schemata))
        trials += [replace(trial, name=f"{program.path}#{trial.name}") for trial in found]
    wrong = mutation.court(judge, "wrong solutions")
    trials += wrong.matrix(_wrong(mutation))
    return _matrix(wrong, trials, costs_s)


def _wrong(mutation: Mutation) -> list[Contender]:
    """The package's own solutions that are not accepted."""
    programs = [one for one in mutation.package.submissions if not one.path.startswith("accepted/")]
    built = mutation.host.build_all(programs, submission_build_limits(mutation.package.limits))
    return [
        Contender(name=program.path, executable=outcome)
        for program, outcome in zip(programs, built, strict=True)
        if isinstance(outcome, Executable)
    ]


def _matrix(court: Court, trials: Iterable[Trial], costs_s: Mapping[str, float]) -> KillMatrix:
    by_case: dict[str, set[str]] = {case.name: set() for _, case in court.cases}
    survivors, unknown = [], 0
    for trial in trials:
        for kill in trial.kills:
            by_case[kill.case].add(trial.name)
        if not trial.kills:
            survivors.append(trial.name)
        unknown += len(trial.unknown)
    return KillMatrix(
        by_case={case: frozenset(killed) for case, killed in by_case.items()},
        costs_s=costs_s,
        survivors=tuple(survivors),
        unknown=unknown,
    )
