"""Measure the strength of the data: the wrong programs it rejects, and valid inputs that break programs it accepts.

True positive rate (TPR): the share of accepted solutions that pass the data. True negative rate (TNR): the share of
wrong programs that it rejects. Fault exposure of a case: the share of wrong programs that fail on it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from pathlib import PurePosixPath
from typing import Any, TypeVar

from harness.build.executable import Executable
from harness.errors import HarnessError
from harness.mutate.candidate_inputs import open_input_judge
from harness.mutate.kill_matrix import KillMatrix, Kills, smallest_cover
from harness.mutate.mutants import UnsearchableError
from harness.mutate.mutation import Mutation
from harness.mutate.new_cases import Proposal, proposed
from harness.mutate.outcomes import Fate, MutationReport
from harness.package import Program
from harness.package.files import File
from harness.package.model import is_sample_name
from harness.results.verdict import Verdict
from harness.sandbox.facts import Sandbox
from harness.search.hunt import Hunt
from harness.search.target import target_of
from harness.store.identity import digest_of_texts, identity_of_results
from harness.values import dataclass

Value = TypeVar("Value")
SEARCH_S = 10.0  # search time for an input that breaks a submission


@dataclass(frozen=True, kw_only=True)
class Exposure:
    """How many of a set of wrong programs the data rejects.

    programs: their number. rejected: by any case; by_samples: by a sample. fault_exposure: mean of all cases, 0 to 1.
    """

    programs: int
    rejected: int
    by_samples: int
    fault_exposure: float


@dataclass(frozen=True, kw_only=True)
class MissedInput:
    """A valid input that breaks programs which pass all cases.

    programs: `path` of a submission, or `path#id` of a mutant. accepted: whether an accepted solution is among them.
    verdict: of the first program. confirmed_by: accepted solutions that solve it, including the one that made the
    answer; disputed_by: accepted solutions that do not.
    """

    programs: tuple[str, ...]
    accepted: bool
    verdict: Verdict
    input: bytes
    answer: bytes
    confirmed_by: tuple[str, ...] = ()
    disputed_by: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Strength:
    """Strength of a package's data.

    accepted: number of accepted solutions; passing: of those that pass all cases. wrong: exposure of wrong solutions;
    mutants: of mutants that are not equivalent. basis: names of wrong programs whose kills are linearly independent
    (`maximal_rank`); on_basis: their exposure. needless: cases that are not in the smallest set with all kills.
    disputed: inputs on which most accepted solutions disagree with the answer.
    """

    accepted: int
    passing: int
    wrong: Exposure
    mutants: Exposure
    basis: tuple[str, ...]
    on_basis: Exposure
    needless: tuple[str, ...]
    missed: tuple[MissedInput, ...]
    disputed: tuple[MissedInput, ...] = ()

    @property
    def tpr(self) -> float | None:
        """The true positive rate; None without accepted solutions."""
        return self.passing / self.accepted if self.accepted else None

    @property
    def tnr(self) -> float | None:
        """The true negative rate on the package's wrong solutions; None without any."""
        return self.wrong.rejected / self.wrong.programs if self.wrong.programs else None


def measure_strength(
    mutation: Mutation,
    report: MutationReport,
    kills: KillMatrix,
    proposals: Sequence[Proposal],
    search_s: float = SEARCH_S,
) -> Strength:
    """Compute the figures of a kill matrix, and search inputs that break submissions which pass all cases.

    search_s: seconds of the search for each submission.
    """
    excluded = {  # mutants that are undecided or equivalent
        f"{solution.path}#{finding.mutant.number}"
        for solution in report.solutions
        for finding in solution.findings
        if finding.fate not in (Fate.KILLED, Fate.SURVIVED)
    }
    killed = frozenset[str]().union(*kills.by_case.values())
    programs = [name for name in sorted(killed | set(kills.survivors)) if name not in excluded]
    wrong = [name for name in programs if "#" not in name]
    mutants = [name for name in programs if "#" in name]
    basis = maximal_rank(kills.by_case, programs)
    cover = set(smallest_cover(kills.by_case).cases)
    search = _BreakSearch(mutation=mutation, search_s=search_s)
    inputs = list(map(search.confirmed, (*search.broken_submissions(kills), *_of_mutants(proposals))))
    missed = [item for item in inputs if len(item.confirmed_by) >= len(item.disputed_by) + item.accepted]
    return Strength(
        accepted=len(kills.accepted),
        passing=sum(not cases for cases in kills.accepted.values()),
        wrong=exposure(kills.by_case, wrong),
        mutants=exposure(kills.by_case, mutants),
        basis=basis,
        on_basis=exposure(kills.by_case, basis),
        needless=tuple(case for case in kills.by_case if case not in cover),
        missed=tuple(missed),
        disputed=tuple(item for item in inputs if item not in missed),
    )


def cases_for_wrong_solutions(
    mutation: Mutation, strength: Strength, proposals: Sequence[Proposal]
) -> Iterator[Proposal]:
    """Yield a case to add for each input that breaks a wrong solution, unless it is proposed already."""
    package = mutation.package
    known = {proposal.input for proposal in proposals}
    found = {
        item.input: item for item in reversed(strength.missed) if not item.accepted and item.input not in known
    }
    if not found:
        return
    names = {case.name for case in package.judged_cases()}
    names |= {f"{proposal.group}/{proposal.name}" for proposal in proposals}
    with suppress(UnsearchableError), open_input_judge(package, mutation.case_judge) as judge:
        for item in reversed(found.values()):
            what = PurePosixPath(item.programs[0]).stem
            yield from proposed(judge, item.input, kills=item.programs, what=what, names=names, answer=item.answer)


def exposure(by_case: Kills, programs: Sequence[str]) -> Exposure:
    """Count how many of these programs the cases reject."""
    chosen = frozenset(programs)
    killed = {case: killed & chosen for case, killed in by_case.items()}
    samples = [killed[case] for case in killed if is_sample_name(case)]
    pairs = len(by_case) * len(chosen)
    return Exposure(
        programs=len(chosen),
        rejected=len(frozenset[str]().union(*killed.values())),
        by_samples=len(frozenset[str]().union(*samples)),
        fault_exposure=sum(map(len, killed.values())) / pairs if pairs else 0.0,
    )


def maximal_rank(by_case: Kills, programs: Iterable[str]) -> tuple[str, ...]:
    """Choose a largest set of programs whose rows of kills are linearly independent over GF(2).

    Programs that the same cases kill count once. Programs with few killers come first.
    """
    bits = {case: 1 << index for index, case in enumerate(by_case)}
    rows = {name: sum(bits[case] for case, killed in by_case.items() if name in killed) for name in programs}
    reduced: dict[int, int] = {}  # by highest bit
    chosen = []
    for name in sorted(rows, key=lambda name: (rows[name].bit_count(), name)):
        row = rows[name]
        while row and row.bit_length() in reduced:
            row ^= reduced[row.bit_length()]
        if row:
            reduced[row.bit_length()] = row
            chosen.append(name)
    return tuple(chosen)


def _of_mutants(proposals: Sequence[Proposal]) -> list[MissedInput]:
    return [
        MissedInput(
            programs=proposal.kills,
            accepted=False,
            verdict=Verdict.WRONG_ANSWER,
            input=proposal.input,
            answer=proposal.answer,
        )
        for proposal in proposals
    ]


@dataclass(frozen=True, kw_only=True)
class _BreakSearch:
    """Searches inputs that break submissions, and judges accepted solutions on them; results are stored."""

    mutation: Mutation
    search_s: float

    def broken_submissions(self, kills: KillMatrix) -> Iterator[MissedInput]:
        """Search an input that breaks each accepted solution, and each wrong one that passes all cases."""
        package = self.mutation.package
        if not package.input_validators:  # without validators, valid inputs are unknown
            return
        for program in package.submissions:
            if self.mutation.is_over:
                return
            if program.path in kills.accepted or program.path in kills.survivors:
                search = partial(self._search, program)
                missed = self._remembered(f"broken {program.path}", MissedInput | None, search)
                if missed is not None:
                    yield missed

    def _search(self, program: Program) -> MissedInput | None:
        """Search an input that breaks a submission; None if none is found or confirmed."""
        self.mutation.progress(f"searching an input that breaks {program.path}")
        try:
            target = target_of(self.mutation.package, program)
            result = Hunt(target=target, host=self.mutation.host, seed=0, time_s=self.search_s).run_to_the_end()
        except HarnessError:  # for example, there is nothing to compare with
            return None
        failure = result.trial.failure if result is not None else None
        if result is None or failure is None or not result.is_confirmed:
            return None
        return MissedInput(
            programs=(program.path,),
            accepted=program in self.mutation.package.accepted,
            verdict=failure.verdict,
            input=result.trial.data,
            answer=failure.answer or b"",
        )

    def confirmed(self, item: MissedInput) -> MissedInput:
        """Judge the accepted solutions on an input."""
        key = digest_of_texts(item.input.hex(), item.answer.hex())
        passing = self._remembered(f"confirmed {key}", Mapping[str, bool], partial(self._judge, item))
        return replace(
            item,
            confirmed_by=tuple(path for path, passes in passing.items() if passes),
            disputed_by=tuple(
                path for path, passes in passing.items() if not passes and path not in item.programs
            ),
        )

    def _judge(self, item: MissedInput) -> dict[str, bool]:
        judge, package = self.mutation.case_judge, self.mutation.package
        *_, group = (*package.sample.holders(), *package.secret.holders())
        files = (File(origin=package.root / "missed", content=content) for content in (item.input, item.answer))
        input_file, answer = files
        case = replace(group.cases[0], name="search/input", input=input_file, answer=answer)
        built = judge.host.build_submissions(package, package.accepted)
        executables = [executable for executable in built if isinstance(executable, Executable)]

        def work(sandbox: Sandbox, executable: Executable) -> bool:
            return judge.judge(sandbox, executable, group, case).verdict is Verdict.ACCEPTED

        paths = [executable.program.path for executable in executables]
        return dict(zip(paths, judge.host.pool.in_order(work, executables), strict=True))

    def _remembered(self, name: str, kind: Any, compute: Callable[[], Value]) -> Value:
        return self.mutation.memory.remembered(self._topic, name, kind, compute, fresh=self.mutation.fresh)

    @cached_property
    def _topic(self) -> str:
        package = self.mutation.package
        return f"missed inputs {identity_of_results(package, repr((package.limits, self.search_s)))}"
