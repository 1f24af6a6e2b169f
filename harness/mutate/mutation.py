"""Test a package's data by mutation: judge mutants of its solutions, search inputs that kill survivors."""

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import field
from pathlib import Path

from harness.build.executable import Executable
from harness.host.host import Host
from harness.host.run_many import OutOfTimeError
from harness.judge.judge_case import CaseJudge
from harness.judge.judging import Judging
from harness.mutate.building import MutantProgram, build_mutants
from harness.mutate.candidate_inputs import InputJudge, open_input_judge, why_unsearched
from harness.mutate.compare import BatchComparer, GameComparer
from harness.mutate.corpus import FULL, Corpus, find_corpus
from harness.mutate.judge_mutants import CandidateJudge, CandidateMemory, CandidateProgram, Progress, open_memory
from harness.mutate.mutants import Mutant, MutationError, UnsearchableError
from harness.mutate.mutation_yaml import Notes, read_notes
from harness.mutate.outcomes import (
    CandidateResult,
    Comparison,
    Fate,
    MutantOutcome,
    MutationReport,
    SolutionFindings,
)
from harness.package import Package, Program
from harness.store.identity import (
    digest_of_texts,
    harness_identity,
    judging_identity,
    program_identity,
    tools_identity,
)
from harness.store.memory import Memory, memory_in
from harness.values import dataclass

OUT_OF_TIME = "out of time"


@dataclass(frozen=True, kw_only=True)
class Mutation:
    """Mutation testing of one package.

    cache: the folder of stored results. inputs: number of new inputs among which killers are searched; 0: none. sample:
    most mutants of a solution, evenly spread. fresh: delete the results of earlier calls. every_case: judge mutants on
    all cases, not only until the first kill. until_s: by time.monotonic(); later nothing is judged or searched.
    """

    package: Package
    host: Host
    cache: Path
    inputs: int = FULL
    sample: int | None = None
    fresh: bool = False
    every_case: bool = False
    until_s: float = math.inf
    progress: Progress = lambda _: None
    _mutant_programs: dict[str, MutantProgram] = field(default_factory=dict, init=False)
    _forgotten: set[str] = field(default_factory=set, init=False)

    def run(self, programs: Sequence[Program]) -> MutationReport:
        """Judge the mutants of these solutions and search killers. Raises MutationError if none is accepted."""
        notes, judge = read_notes(self.package), self.case_judge
        solutions, left_out = [], []
        with ExitStack() as stack:
            search, unsearched = self._open_search(judge, notes, stack)
            for program in programs:
                try:
                    solutions.append(self._solution(program, judge, notes, search or unsearched))
                except MutationError as error:
                    if len(programs) == 1:
                        raise
                    left_out.append(str(error) if program.path in str(error) else f"{program.path}: {error}")
        if left_out and not solutions:
            raise MutationError("\n".join(left_out))
        ids = {finding.mutant.id for solution in solutions for finding in solution.findings}
        stale = sorted(set(notes.listed) - ids) if self._is_whole(programs) and not left_out else []
        searched = search is not None and not all(solution.unsearched for solution in solutions)
        return MutationReport(
            problem=self.package.slug,
            solutions=tuple(solutions),
            searched_inputs=search.corpus.weight if search and searched else 0,
            unsearched=unsearched,
            stale=tuple(stale),
            left_out=tuple(left_out),
        )

    @property
    def case_judge(self) -> CaseJudge:
        """The judge of single cases."""
        return Judging(package=self.package, host=self.host).case_judge

    def candidate_judge(
        self, judge: CaseJudge, label: str, executable: Executable | None = None
    ) -> CandidateJudge:
        """Prepare to judge the mutants of a built solution, or the package's submissions."""
        cases = self.package.cases_with_groups()
        memory = open_memory(self.memory, self.package, self.host, cases, executable)
        if self.fresh and memory.topic not in self._forgotten:
            self._forgotten.add(memory.topic)
            memory.forget()
        return CandidateJudge(
            judge=judge,
            cases=cases,
            memory=memory,
            progress=self.progress,
            label=label,
            until_s=self.until_s,
        )

    @property
    def is_over(self) -> bool:
        """Return whether time is up."""
        return time.monotonic() >= self.until_s

    @property
    def memory(self) -> Memory:
        """The stored results of earlier calls."""
        return memory_in(self.cache)

    def mutant_program(self, program: Program) -> MutantProgram:
        """Build a solution with its mutants, at most `sample` of them, evenly spread."""
        if program.path not in self._mutant_programs:
            tools = tools_identity(self.host.builder.tools_of([program]))
            parts = [harness_identity(), tools, program_identity(program), judging_identity(self.package)]
            topic = f"mutants that do not compile {digest_of_texts(*parts)}"
            stored = self.memory.recall(topic).get("numbers", [])
            built = build_mutants(
                program,
                self.host,
                self.package.include,
                stored,
                self.sample,
                older_dialects=self.package.older_dialects,
            )
            unbuilt = sorted({*stored, *(mutant.number for mutant in built.unbuilt)})
            if unbuilt != stored:
                self.memory.keep(topic, {"numbers": unbuilt})
            self._mutant_programs[program.path] = built
        return self._mutant_programs[program.path]

    def _is_whole(self, programs: Sequence[Program]) -> bool:
        accepted = {program.path for program in self.package.accepted}
        return self.sample is None and {program.path for program in programs} >= accepted

    def _open_search(self, judge: CaseJudge, notes: Notes, stack: ExitStack) -> "tuple[_KillerSearch | None, str]":
        """Open the search for killers until the stack closes; or return None and why there is no search."""
        why = why_unsearched(self.package) if self.inputs else "not asked for"
        if why:
            return None, why
        if self.is_over:
            return None, OUT_OF_TIME
        self.progress("gathering inputs")
        try:
            input_judge = stack.enter_context(open_input_judge(self.package, judge))
        except UnsearchableError as error:
            return None, str(error)
        try:
            corpus = find_corpus(input_judge, notes, self.inputs, self.memory, self._gathering)
        except OutOfTimeError:
            return None, OUT_OF_TIME
        return _KillerSearch(judge=input_judge, corpus=corpus), ""

    def _gathering(self, step: str) -> None:
        self.progress(step)
        if self.is_over:
            raise OutOfTimeError

    def _solution(
        self, program: Program, judge: CaseJudge, notes: Notes, search: "_KillerSearch | str"
    ) -> SolutionFindings:
        """Judge the mutants of a solution. search: the search for killers, or why there is none."""
        started = time.monotonic()
        built = self.mutant_program(program)
        mutant_judge = self.candidate_judge(judge, program.path, built.executable)
        mutant_judge.judge_original(CandidateProgram(name=program.path, executable=built.as_mutant(0)))
        judge_all = mutant_judge.on_every_case if self.every_case else mutant_judge.until_killed
        results = judge_all(candidates(built))
        judged = [mutant for mutant in built.mutants if str(mutant.number) in results]
        alive = [mutant for mutant in judged if not results[str(mutant.number)].kills]
        unexplained = [mutant.number for mutant in alive if mutant.id not in notes.listed]
        self.progress(f"{program.path}: searching for killers of {len(unexplained)}")
        compared: dict[int, Comparison] = {}
        unsearched = ""
        try:
            stored = mutant_judge.memory
            for comparison in (
                search.compare(built, unexplained, stored) if isinstance(search, _KillerSearch) else ()
            ):
                compared[comparison.number] = comparison
                self.progress(f"{program.path}: searched for killers of {len(compared)} of {len(unexplained)}")
                if self.is_over:
                    break
        except UnsearchableError as error:  # other solutions may still be searched
            unsearched = str(error)
        decider = _FateDecider(
            notes=notes,
            compared=compared,
            corpus=search.corpus if isinstance(search, _KillerSearch) else None,
            wanted=self.inputs,
            is_over=self.is_over and not unsearched
            if isinstance(search, _KillerSearch)
            else search == OUT_OF_TIME,
        )
        findings = [decider.finding(mutant, results.get(str(mutant.number))) for mutant in built.mutants]
        unbuilt = [MutantOutcome(mutant=mutant, fate=Fate.UNBUILT) for mutant in built.unbuilt]
        failing = [comparison for comparison in compared.values() if comparison.failing]
        return SolutionFindings(
            path=program.path,
            source=built.source,
            findings=tuple(sorted((*findings, *unbuilt), key=lambda finding: finding.mutant.number)),
            runs=sum(result.runs for result in results.values()),
            cpu_s=sum(result.cpu_s for result in results.values()),
            wall_s=time.monotonic() - started,
            unsearched=unsearched,
            failing=max((comparison.failing for comparison in failing), default=0),
            failing_on=failing[0].failing_on if failing else "",
        )


@dataclass(frozen=True, kw_only=True)
class _KillerSearch:
    """The search for new inputs that kill surviving mutants."""

    judge: InputJudge
    corpus: Corpus

    def compare(
        self, built: MutantProgram, numbers: Sequence[int], memory: CandidateMemory
    ) -> Iterator[Comparison]:
        """Yield stored comparisons, then new ones as they finish."""
        corpus = self.corpus.digest
        stored = {number: memory.comparison(corpus, number) for number in numbers}
        yield from (comparison for comparison in stored.values() if comparison is not None)
        left = [number for number, comparison in stored.items() if comparison is None]
        for comparison in self._comparer(built).each(left):
            memory.keep_comparison(corpus, comparison)
            yield comparison

    def _comparer(self, built: MutantProgram) -> BatchComparer | GameComparer:
        inputs = self.corpus.inputs
        if self.judge.solution is None:
            return GameComparer(judge=self.judge, built=built, inputs=inputs)
        return BatchComparer(judge=self.judge, built=built, inputs=inputs, complete=self.corpus.complete)


def candidates(built: MutantProgram) -> list[CandidateProgram]:
    """Return the mutants of a solution as candidates, named by their numbers."""
    return [
        CandidateProgram(name=str(mutant.number), executable=built.as_mutant(mutant.number))
        for mutant in built.mutants
    ]


@dataclass(frozen=True, kw_only=True)
class _FateDecider:
    """Decides the fate of a mutant. compared: by number. wanted: number of inputs to search. is_over: time is up."""

    notes: Notes
    compared: Mapping[int, Comparison]
    corpus: Corpus | None
    wanted: int
    is_over: bool

    def finding(self, mutant: Mutant, result: CandidateResult | None) -> MutantOutcome:
        if result is None:
            return MutantOutcome(mutant=mutant, fate=Fate.OUT_OF_TIME)
        if result.kills:
            return MutantOutcome(mutant=mutant, fate=Fate.KILLED, kill=result.kills[0])
        if mutant.id in self.notes.listed:
            return MutantOutcome(mutant=mutant, fate=Fate.LISTED, reason=self.notes.listed[mutant.id])
        comparison = self.compared.get(mutant.number)
        if comparison is None or self.corpus is None:
            return MutantOutcome(mutant=mutant, fate=Fate.OUT_OF_TIME if self.is_over else Fate.SURVIVED)
        return self._searched(mutant, comparison, self.corpus)

    def _searched(self, mutant: Mutant, comparison: Comparison, corpus: Corpus) -> MutantOutcome:
        searched = corpus.weight * comparison.searched // max(len(corpus.inputs), 1)
        note = f"another correct output on {comparison.other_outputs}" if comparison.other_outputs else ""
        fate = Fate.PRESUMED if searched >= self.wanted else Fate.SURVIVED
        if comparison.killer is not None:
            fate = Fate.SURVIVED
        elif corpus.complete and searched >= corpus.weight:
            fate = Fate.PROVED
        return MutantOutcome(mutant=mutant, fate=fate, searched=searched, killer=comparison.killer, note=note)
