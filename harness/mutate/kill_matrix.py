"""The kill matrix: which case kills which mutants and wrong solutions; the smallest sufficient set of cases."""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from harness.build.executable import Executable
from harness.mutate.judge_mutants import CandidateProgram, candidate_key
from harness.mutate.mutants import MutationError
from harness.mutate.mutation import Mutation, candidates
from harness.package import Package, Program
from harness.package.model import rules_for
from harness.values import dataclass

MOST_NODES = 200_000  # of the exact search for the smallest cover

Kills = Mapping[str, frozenset[str]]  # by case: the programs that it kills


@dataclass(frozen=True, kw_only=True)
class Cover:
    """A set of cases that kills every program that any case kills. exact: no smaller set does."""

    cases: tuple[str, ...]
    exact: bool


@dataclass(frozen=True, kw_only=True)
class KillMatrix:
    """Which case kills which program.

    by_case: for every case the killed programs, `path` or `path#mutant`. costs_s: by case, CPU time of the original.
    survivors: programs that no case kills. not_run: number of pairs (program, case) skipped because the program had
    timed out twice. accepted: by accepted solution, the cases that it fails. unjudged: number of programs without a
    result, as time was up.
    """

    by_case: Kills
    costs_s: Mapping[str, float]
    survivors: tuple[str, ...]
    not_run: int
    accepted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unjudged: int = 0

    @property
    def redundant(self) -> tuple[str, ...]:
        """Cases all of whose kills are made by other cases, too. Removing such a case can make another necessary."""
        return tuple(
            case
            for case, killed in self.by_case.items()
            if killed <= frozenset[str]().union(*(other for name, other in self.by_case.items() if name != case))
        )

    def cover(self) -> Cover:
        """Return the smallest set of cases that keeps every kill."""
        return smallest_cover(self.by_case)

    def soonest(self) -> tuple[str, ...]:
        """Order the cases so that wrong programs fail soonest: most new kills per second first."""
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
    """Run every submission of the package, and every mutant of these solutions, on every case.

    Submissions that may pass and are not in accepted/ are left out: they are neither right nor wrong.
    """
    judge = mutation.case_judge
    submissions = mutation.candidate_judge(judge, "submissions")
    built = _submissions(mutation)
    results = list(submissions.on_every_case(built).values())
    count = len(built)
    costs_s: dict[str, float] = {}
    for program in programs:
        mutated = mutation.mutant_program(program)
        mutants = mutation.candidate_judge(judge, program.path, mutated.executable)
        try:
            mutants.judge_original(CandidateProgram(name=program.path, executable=mutated.as_mutant(0)))
        except MutationError:  # Mutation.run says why it is left out
            continue
        costs_s = {name: result.cpu_s for name, result in mutants.original.items()} | costs_s
        judged = mutants.on_every_case(candidates(mutated)).values()
        results += [replace(result, name=f"{program.path}#{result.name}") for result in judged]
        count += len(mutated.mutants)
    accepted = {
        result.name: tuple(kill.case for kill in result.kills)
        for result in results
        if result.name.startswith("accepted/") and "#" not in result.name
    }
    wrong = [result for result in results if result.name not in accepted]
    by_case: dict[str, set[str]] = {case.name: set() for _, case in submissions.cases}
    for result in wrong:
        for kill in result.kills:
            by_case[kill.case].add(result.name)
    return KillMatrix(
        by_case={case: frozenset(killed) for case, killed in by_case.items()},
        costs_s=costs_s,
        survivors=tuple(result.name for result in wrong if not result.kills),
        not_run=sum(len(result.not_run) for result in wrong),
        accepted=accepted,
        unjudged=count - len(results),
    )


def _submissions(mutation: Mutation) -> list[CandidateProgram]:
    package, host = mutation.package, mutation.host
    programs = [
        program for program in package.submissions if program in package.accepted or _is_wrong(package, program)
    ]
    built = host.build_submissions(package, programs)
    return [
        CandidateProgram(name=program.path, executable=executable, key=candidate_key(executable, host))
        for program, executable in zip(programs, built, strict=True)
        if isinstance(executable, Executable)
    ]


def _is_wrong(package: Package, program: Program) -> bool:
    """Return whether a rule of the package demands that the submission is not accepted, on some case or in all."""
    rules = rules_for(program.path, package.rules)
    demands = [codes for rule in rules for codes in (rule.permitted, rule.required, rule.verdicts) if codes]
    return any("AC" not in codes for codes in demands) or any(rule.below_maximum for rule in rules)


def smallest_cover(kills: Kills) -> Cover:
    """Find a smallest set of cases that keeps every kill; a greedy set if branch and bound takes too long."""
    everyone = frozenset[str]().union(*kills.values())
    search = _CoverSearch(kills=_without_dominated(kills), best=_greedy(kills, everyone))
    search.descend((), everyone)
    return Cover(cases=tuple(sorted(search.best)), exact=search.nodes <= MOST_NODES)


def _greedy(kills: Kills, everyone: frozenset[str]) -> tuple[str, ...]:
    chosen: list[str] = []
    left = everyone
    while left:
        case = min(kills, key=lambda name: (-len(kills[name] & left), name))
        chosen.append(case)
        left -= kills[case]
    return tuple(chosen)


def _without_dominated(kills: Kills) -> dict[str, frozenset[str]]:
    """Drop cases whose kills a single other case makes, too."""
    kept: dict[str, frozenset[str]] = {}
    for name, killed in sorted(kills.items(), key=lambda item: (-len(item[1]), item[0])):
        if killed and not any(killed <= other for other in kept.values()):
            kept[name] = killed
    return kept


@dataclass(kw_only=True)
class _CoverSearch:
    """Branch and bound: branch on the program with the fewest killers."""

    kills: Kills
    best: tuple[str, ...]
    nodes: int = 0
    killers: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for case, killed in self.kills.items():
            for program in killed:
                self.killers.setdefault(program, []).append(case)

    def descend(self, chosen: tuple[str, ...], left: frozenset[str]) -> None:
        """Search a smaller set that contains `chosen`, with the programs `left` not yet killed."""
        self.nodes += 1
        if not left:
            self.best = min(self.best, chosen, key=len)
            return
        if self.nodes > MOST_NODES or len(chosen) + self._lower_bound(left) >= len(self.best):
            return
        hardest = min(left, key=lambda program: (len(self.killers[program]), program))
        for case in sorted(self.killers[hardest], key=lambda name: (-len(self.kills[name] & left), name)):
            self.descend((*chosen, case), left - self.kills[case])

    def _lower_bound(self, left: frozenset[str]) -> int:
        """Count programs without common killers: each needs a separate case."""
        count, used = 0, set[str]()
        for program in sorted(left, key=lambda program: (len(self.killers[program]), program)):
            if used.isdisjoint(self.killers[program]):
                used.update(self.killers[program])
                count += 1
        return count
