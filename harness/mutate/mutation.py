"""Mutation testing of a package's data: its solutions' mutants, judged; a search for killers of those that survive."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from harness.host.host import Host
from harness.judge import Judging
from harness.judge.judge_case import CaseJudge
from harness.mutate.building import Schemata, build_schemata
from harness.mutate.candidate_inputs import Arena
from harness.mutate.compare import Comparing, Comparison
from harness.mutate.corpus import Corpus
from harness.mutate.errors import MutationError, UnsearchableError
from harness.mutate.games import Playing
from harness.mutate.judge_mutants import Contender, Court, Judged, NoTrialMemory, Trial, TrialMemory
from harness.mutate.killer_search import find_corpus, open_arena, why_unsearched
from harness.mutate.memory import MutantMemory, open_memory
from harness.mutate.model import Fate, Finding, Mutant, MutationReport, SolutionFindings
from harness.mutate.mutation_yaml import Notes, read_notes
from harness.package import Package, Program
from harness.store.memory import MEMORY, Memory
from harness.values import dataclass

Progress = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Mutation:
    """Mutation testing of one package. inputs: how many the search for killers goes through; 0: no search.

    sample: at most so many mutants of a solution, evenly spread. cache: where corpora are kept, and what was found;
    fresh: what an earlier call has found is not asked.
    """

    package: Package
    host: Host
    cache: Path
    inputs: int = 100_000
    sample: int | None = None
    fresh: bool = False
    progress: Progress = lambda _: None

    def run(self, programs: Sequence[Program]) -> MutationReport:
        """Everything, for these solutions. Raises MutationError when none of them is accepted."""
        notes = read_notes(self.package)
        judge = Judging(package=self.package, host=self.host).case_judge
        solutions, left_out = [], []
        with ExitStack() as stack:
            hunt, unsearched = self._hunt(judge, notes, stack)
            for program in programs:
                try:
                    solutions.append(self._solution(program, judge, notes, hunt))
                except MutationError as error:
                    if len(programs) == 1:
                        raise
                    left_out.append(str(error) if program.path in str(error) else f"{program.path}: {error}")
        if left_out and not solutions:
            raise MutationError("\n".join(left_out))
        known = {finding.mutant.id for one in solutions for finding in one.findings}
        stale = sorted(set(notes.listed) - known) if self._is_whole(programs) and not left_out else []
        return MutationReport(
            problem=self.package.slug,
            solutions=tuple(solutions),
            searched_inputs=hunt.corpus.weight if hunt and not all(one.unsearched for one in solutions) else 0,
            unsearched=unsearched,
            stale=tuple(stale),
            left_out=tuple(left_out),
        )

    def court(self, judge: CaseJudge, label: str, memory: TrialMemory | None = None) -> Court:
        """The package's cases, ready to judge. label: what is judged, for the progress."""
        cases, memory = judged_cases(self.package), memory or NoTrialMemory()
        return Court(judge=judge, cases=cases, memory=memory, progress=self.progress, label=label)

    def memory(self, schemata: Schemata) -> MutantMemory:
        """What is known of a solution's mutants."""
        return open_memory(
            Memory(path=self.cache / MEMORY), self.package, schemata, judged_cases(self.package), self.host
        )

    def _is_whole(self, programs: Sequence[Program]) -> bool:
        accepted = {one.path for one in self.package.submissions if one.path.startswith("accepted/")}
        return self.sample is None and {one.path for one in programs} >= accepted

    def _hunt(self, judge: CaseJudge, notes: Notes, stack: ExitStack) -> "tuple[_Hunt | None, str]":
        """Where killers of survivors are searched, while the stack is open; or why they are not."""
        why = why_unsearched(self.package) if self.inputs else "not asked for"
        if why:
            return None, why
        self.progress("gathering inputs")
        try:
            arena = stack.enter_context(open_arena(self.package, judge))
        except UnsearchableError as error:
            return None, str(error)
        corpus = find_corpus(arena, notes, self.inputs, self.cache / "corpus")
        return _Hunt(arena=arena, corpus=corpus), ""

    def _solution(
        self, program: Program, judge: CaseJudge, notes: Notes, hunt: "_Hunt | None"
    ) -> SolutionFindings:
        started = time.monotonic()
        schemata = self.sampled(build_schemata(program, self.host, self.package.include))
        memory = self.memory(schemata)
        if self.fresh:
            memory.forget()
        court = self.court(judge, program.path, memory)
        court.hear_original(Contender(name=program.path, executable=schemata.as_mutant(0)))
        trials = court.try_all(contenders(schemata))
        alive = [one for one in schemata.mutants if not trials[str(one.number)].kills]
        open_ones = [one.number for one in alive if one.id not in notes.listed]
        self.progress(f"{program.path}: searching for killers of {len(open_ones)}")
        compared: dict[int, Comparison] = {}
        unsearched = ""
        try:
            for one in hunt.compare(schemata, open_ones, memory) if hunt is not None else ():
                compared[one.number] = one
                self.progress(f"{program.path}: searched for killers of {len(compared)} of {len(open_ones)}")
        except UnsearchableError as error:  # the other solutions go on
            unsearched = str(error)
        words = _Words(notes=notes, compared=compared, corpus=hunt.corpus if hunt else None, wanted=self.inputs)
        findings = [words.finding(one, trials[str(one.number)]) for one in schemata.mutants]
        unbuilt = [Finding(mutant=one, fate=Fate.UNBUILT) for one in schemata.unbuilt]
        return SolutionFindings(
            path=program.path,
            source=schemata.source,
            findings=tuple(sorted((*findings, *unbuilt), key=lambda one: one.mutant.number)),
            runs=sum(trial.runs for trial in trials.values()),
            cpu_s=sum(trial.cpu_s for trial in trials.values()),
            wall_s=time.monotonic() - started,
            unsearched=unsearched,
            failing=max((one.failing for one in compared.values()), default=0),
            failing_on=next((one.failing_on for one in compared.values() if one.failing), ""),
        )

    def sampled(self, schemata: Schemata) -> Schemata:
        """The mutants to look at."""
        if self.sample is None or len(schemata.mutants) <= self.sample:
            return schemata
        step = len(schemata.mutants) / self.sample
        chosen = tuple(schemata.mutants[int(place * step)] for place in range(self.sample))
        return replace(schemata, mutants=chosen)


@dataclass(frozen=True, kw_only=True)
class _Hunt:
    arena: Arena
    corpus: Corpus

    def compare(self, schemata: Schemata, numbers: Sequence[int], memory: MutantMemory) -> Iterator[Comparison]:
        """What is known already, then the rest as it comes."""
        corpus = self.corpus.digest
        known = {number: memory.comparison(corpus, number) for number in numbers}
        yield from (one for one in known.values() if one is not None)
        left = [number for number, one in known.items() if one is None]
        way = Playing if self.arena.solution is None else Comparing
        for one in way(arena=self.arena, schemata=schemata, corpus=self.corpus).each(left):
            memory.keep_comparison(corpus, one)
            yield one


def judged_cases(package: Package) -> list[Judged]:
    """Every case with its group, in judging order."""
    groups = (*package.sample.holders(), *package.secret.holders())
    return [(group, case) for group in groups for case in group.cases]


def contenders(schemata: Schemata) -> list[Contender]:
    """The mutants of a solution as contenders, named by their numbers."""
    return [Contender(name=str(one.number), executable=schemata.as_mutant(one.number)) for one in schemata.mutants]


@dataclass(frozen=True, kw_only=True)
class _Words:
    """What became of a mutant, from everything that was found out."""

    notes: Notes
    compared: Mapping[int, Comparison]
    corpus: Corpus | None
    wanted: int

    def finding(self, mutant: Mutant, trial: Trial) -> Finding:
        if trial.kills:
            return Finding(mutant=mutant, fate=Fate.KILLED, kill=trial.kills[0])
        if mutant.id in self.notes.listed:
            return Finding(mutant=mutant, fate=Fate.LISTED, reason=self.notes.listed[mutant.id])
        comparison = self.compared.get(mutant.number)
        if comparison is None or self.corpus is None:
            return Finding(mutant=mutant, fate=Fate.SURVIVED)
        return self._searched(mutant, comparison, self.corpus)

    def _searched(self, mutant: Mutant, comparison: Comparison, corpus: Corpus) -> Finding:
        searched = corpus.weight * comparison.searched // max(len(corpus.inputs), 1)
        note = f"another right output on {comparison.other_outputs}" if comparison.other_outputs else ""
        fate = Fate.PRESUMED if searched >= self.wanted else Fate.SURVIVED
        if comparison.killer is not None:
            fate = Fate.SURVIVED
        elif corpus.complete and searched >= corpus.weight:
            fate = Fate.PROVED
        return Finding(mutant=mutant, fate=fate, searched=searched, killer=comparison.killer, note=note)
