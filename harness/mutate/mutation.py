"""Mutation testing of a package's data: mutants of its solutions, judged, and those that survive searched for killers."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from harness.host import Host
from harness.judge import Judging
from harness.judge.case import CaseJudge
from harness.mutate.arena import Arena
from harness.mutate.building import Schemata, build_schemata
from harness.mutate.comparing import Comparing, Comparison
from harness.mutate.corpus import Corpus
from harness.mutate.model import Fate, Finding, Mutant, MutationReport, SolutionFindings
from harness.mutate.notes import Notes, read_notes
from harness.mutate.search import find_corpus, open_arena
from harness.mutate.trial import Contender, Court, Judged, Trial
from harness.package import Package, ProblemType, Program

Progress = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Mutation:
    """Mutation testing of one package. inputs: how many the search for killers goes through; 0: no search.

    operators: only these; sample: at most so many mutants of a solution, evenly spread.
    """

    package: Package
    host: Host
    cache: Path
    inputs: int = 100_000
    sample: int | None = None
    progress: Progress = lambda _: None

    def run(self, programs: Sequence[Program]) -> MutationReport:
        """Everything, for these solutions. Raises MutationError for one that is not accepted."""
        notes = read_notes(self.package)
        judge = Judging(package=self.package, host=self.host).case_judge
        hunt = self._hunt(judge, notes)
        solutions = tuple(self._solution(program, judge, notes, hunt) for program in programs)
        known = {finding.mutant.id for one in solutions for finding in one.findings}
        stale = sorted(set(notes.listed) - known) if self._is_whole(programs) else []
        return MutationReport(
            problem=self.package.slug,
            solutions=solutions,
            searched_inputs=hunt.corpus.weight if hunt is not None else 0,
            stale=tuple(stale),
        )

    def court(self, judge: CaseJudge) -> Court:
        """The package's cases, ready to judge."""
        return Court(judge=judge, cases=judged_cases(self.package), progress=self.progress)

    def _is_whole(self, programs: Sequence[Program]) -> bool:
        accepted = {one.path for one in self.package.submissions if one.path.startswith("accepted/")}
        return self.sample is None and {one.path for one in programs} >= accepted

    def _hunt(self, judge: CaseJudge, notes: Notes) -> "_Hunt | None":
        if self.inputs == 0 or ProblemType.INTERACTIVE in self.package.types:
            return None
        self.progress("gathering inputs")
        arena = open_arena(self.package, judge)
        return _Hunt(arena=arena, corpus=find_corpus(arena, notes, self.inputs, self.cache))

    def _solution(
        self, program: Program, judge: CaseJudge, notes: Notes, hunt: "_Hunt | None"
    ) -> SolutionFindings:
        started = time.monotonic()
        schemata = self._sampled(build_schemata(program, self.host))
        court = self.court(judge)
        court.hear_original(Contender(name=program.path, executable=schemata.as_mutant(0)))
        trials = court.try_all(contenders(schemata))
        alive = [one for one in schemata.mutants if not trials[str(one.number)].kills]
        open_ones = [one.number for one in alive if one.id not in notes.listed]
        self.progress(f"{program.path}: searching for killers of {len(open_ones)}")
        compared = hunt.compare(schemata, open_ones) if hunt is not None else {}
        complete = hunt is not None and hunt.corpus.complete
        wanted = self.inputs if hunt is not None else 1
        findings = [
            _finding(one, trials[str(one.number)], notes, compared, complete, wanted, hunt)
            for one in schemata.mutants
        ]
        unbuilt = [Finding(mutant=one, fate=Fate.UNBUILT) for one in schemata.unbuilt]
        return SolutionFindings(
            path=program.path,
            source=schemata.source,
            findings=tuple(sorted((*findings, *unbuilt), key=lambda one: one.mutant.number)),
            runs=sum(trial.runs for trial in trials.values()),
            cpu_s=sum(trial.cpu_s for trial in trials.values()),
            wall_s=time.monotonic() - started,
        )

    def _sampled(self, schemata: Schemata) -> Schemata:
        if self.sample is None or len(schemata.mutants) <= self.sample:
            return schemata
        step = len(schemata.mutants) / self.sample
        chosen = tuple(schemata.mutants[int(place * step)] for place in range(self.sample))
        return replace(schemata, mutants=chosen)


@dataclass(frozen=True, kw_only=True)
class _Hunt:
    arena: Arena
    corpus: Corpus

    def compare(self, schemata: Schemata, numbers: Sequence[int]) -> dict[int, Comparison]:
        return Comparing(arena=self.arena, schemata=schemata, corpus=self.corpus).run(numbers) if numbers else {}

    def weight_until(self, comparison: Comparison) -> int:
        """How many problems a mutant was compared on."""
        return self.corpus.weight * comparison.searched // max(len(self.corpus.inputs), 1)


def judged_cases(package: Package) -> list[Judged]:
    """Every case with its group, in judging order."""
    groups = (package.sample, *(package.secret.groups or (package.secret,)))
    return [(group, case) for group in groups for case in group.all_cases()]


def contenders(schemata: Schemata) -> list[Contender]:
    """The mutants of a solution as contenders, named by their numbers."""
    return [Contender(name=str(one.number), executable=schemata.as_mutant(one.number)) for one in schemata.mutants]


def _finding(
    mutant: Mutant,
    trial: Trial,
    notes: Notes,
    compared: dict[int, Comparison],
    complete: bool,
    wanted: int,
    hunt: _Hunt | None,
) -> Finding:
    if trial.kills:
        return Finding(mutant=mutant, fate=Fate.KILLED, kill=trial.kills[0])
    if mutant.id in notes.listed:
        return Finding(mutant=mutant, fate=Fate.LISTED, reason=notes.listed[mutant.id])
    comparison = compared.get(mutant.number)
    if comparison is None or hunt is None:
        return Finding(mutant=mutant, fate=Fate.SURVIVED)
    searched = hunt.weight_until(comparison)
    if comparison.killer is not None:
        return Finding(mutant=mutant, fate=Fate.SURVIVED, searched=searched, killer=comparison.killer)
    note = f"another right output on {comparison.other_outputs}" if comparison.other_outputs else ""
    if complete and searched >= hunt.corpus.weight:
        return Finding(mutant=mutant, fate=Fate.PROVED, searched=searched, note=note)
    fate = Fate.PRESUMED if searched >= wanted else Fate.SURVIVED
    return Finding(mutant=mutant, fate=fate, searched=searched, note=note)
