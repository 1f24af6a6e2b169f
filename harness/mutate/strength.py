"""How strong is the data? What it rejects, and valid inputs that show what it misses.

True positive rate (TPR): the share of accepted solutions that pass the data. True negative rate (TNR): the share of
wrong programs that it rejects. Fault exposure of a case: the share of wrong programs that fail on it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from harness.build import Executable
from harness.errors import HarnessError
from harness.host.host import submission_build_limits
from harness.judge import Judging
from harness.mutate.kill_matrix import KillMatrix, Kills, smallest_cover
from harness.mutate.model import Fate, MutationReport
from harness.mutate.mutation import Mutation
from harness.mutate.new_cases import Proposal
from harness.package import Case, Group, Package, Program
from harness.package.files import File
from harness.package.model import CaseSettings
from harness.results.model import CaseResult
from harness.results.verdict import Verdict
from harness.sandbox import Sandbox
from harness.search import Hunt, target_of
from harness.store.identity import digest_of_texts, harness_identity, machine_identity, package_identity
from harness.store.memory import MEMORY, Memory
from harness.values import dataclass

SEARCH_S = 10.0  # for an input that breaks a submission


@dataclass(frozen=True, kw_only=True)
class Exposure:
    """What the data does to some wrong programs.

    rejected: by any case; by_samples: by a sample. fault_exposure: of a case, on average; 0 to 1.
    """

    programs: int
    rejected: int
    by_samples: int
    fault_exposure: float


@dataclass(frozen=True, kw_only=True)
class MissedInput:
    """A valid input that breaks programs which pass all cases.

    programs: `path` of a submission, or `path#id` of a mutant. accepted: whether an accepted solution is among them.
    verdict: what the first gets. confirmed_by: accepted solutions that are accepted on it, the one that made the answer
    among them; disputed_by: those that are not.
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

    accepted: accepted solutions; passing: those that pass all cases. wrong: wrong solutions; mutants: those that are
    not equivalent. basis: names of programs of maximal rank; on_basis: their exposure. needless: cases that kill no
    program which the smallest set of cases does not kill.
    """

    accepted: int
    passing: int
    wrong: Exposure
    mutants: Exposure
    basis: tuple[str, ...]
    on_basis: Exposure
    needless: tuple[str, ...]
    missed: tuple[MissedInput, ...]

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
    equivalent = {
        f"{solution.path}#{finding.mutant.number}"
        for solution in report.solutions
        for finding in solution.findings
        if finding.fate not in (Fate.KILLED, Fate.SURVIVED)
    }
    killed = frozenset[str]().union(*kills.by_case.values())
    programs = [name for name in sorted(killed | set(kills.survivors)) if name not in equivalent]
    wrong = [name for name in programs if "#" not in name]
    mutants = [name for name in programs if "#" in name]
    basis = maximal_rank(kills.by_case, programs)
    cover = set(smallest_cover(kills.by_case).cases)
    missed = [*_broken_submissions(mutation, kills, search_s), *_of_mutants(proposals)]
    return Strength(
        accepted=len(kills.accepted),
        passing=sum(not cases for cases in kills.accepted.values()),
        wrong=exposure(kills.by_case, wrong),
        mutants=exposure(kills.by_case, mutants),
        basis=basis,
        on_basis=exposure(kills.by_case, basis),
        needless=tuple(case for case in kills.by_case if case not in cover),
        missed=tuple(_confirm(mutation, missed)),
    )


def exposure(by_case: Kills, programs: Sequence[str]) -> Exposure:
    """Count what the cases do to these programs."""
    chosen = frozenset(programs)
    killed = {case: killed & chosen for case, killed in by_case.items()}
    samples = [killed[case] for case in killed if case.startswith("sample/")]
    pairs = len(by_case) * len(chosen)
    return Exposure(
        programs=len(chosen),
        rejected=len(frozenset[str]().union(*killed.values())),
        by_samples=len(frozenset[str]().union(*samples)),
        fault_exposure=sum(map(len, killed.values())) / pairs if pairs else 0.0,
    )


def maximal_rank(by_case: Kills, programs: Iterable[str]) -> tuple[str, ...]:
    """Choose programs whose rows of kills are linearly independent over GF(2), as many as there can be.

    Programs that the same cases kill count once. Those that few cases kill come first.
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


def _broken_submissions(mutation: Mutation, kills: KillMatrix, search_s: float) -> list[MissedInput]:
    """Search an input that breaks each accepted solution, and each wrong one that passes all cases."""
    package = mutation.package
    if not package.input_validators:  # no program says which inputs are valid
        return []
    texts = [harness_identity(), machine_identity(), package_identity(package), repr((package.limits, search_s))]
    memory, topic = Memory(path=mutation.cache / MEMORY), f"missed inputs {digest_of_texts(*texts)}"
    remembered = {} if mutation.fresh else memory.recall(topic)
    missed = []
    for program in package.submissions:
        accepted = program.path in kills.accepted
        if not accepted and program.path not in kills.survivors:
            continue
        if program.path not in remembered:
            mutation.progress(f"searching an input that breaks {program.path}")
            remembered[program.path] = _search(mutation, program, search_s)
            memory.keep(topic, {program.path: remembered[program.path]})
        entry = remembered[program.path]
        if entry is not None:
            missed.append(_missed(program.path, entry, accepted=accepted))
    return missed


def _search(mutation: Mutation, program: Program, search_s: float) -> dict[str, Any] | None:
    try:
        hunt = Hunt(target=target_of(mutation.package, program), host=mutation.host, seed=0, time_s=search_s)
        result = hunt.run()
    except HarnessError:  # nothing to compare with, say
        return None
    failure = result.trial.failure if result is not None else None
    if result is None or failure is None or not result.is_confirmed:
        return None
    answer = failure.answer or b""
    return {"input": result.trial.data.hex(), "answer": answer.hex(), "verdict": failure.verdict.value}


def _missed(path: str, entry: Mapping[str, Any], *, accepted: bool) -> MissedInput:
    return MissedInput(
        programs=(path,),
        accepted=accepted,
        verdict=Verdict(entry["verdict"]),
        input=bytes.fromhex(entry["input"]),
        answer=bytes.fromhex(entry["answer"]),
    )


def _confirm(mutation: Mutation, missed: Sequence[MissedInput]) -> list[MissedInput]:
    """Judge the accepted solutions on each input; drop it where most of them say that the broken program is right."""
    package, host = mutation.package, mutation.host
    if not missed:
        return []
    programs = [program for program in package.submissions if program.path.startswith("accepted/")]
    built = host.build_all(programs, submission_build_limits(package.limits), package.include)
    executables = [executable for executable in built if isinstance(executable, Executable)]
    judge = Judging(package=package, host=host).case_judge

    def work(sandbox: Sandbox, pair: tuple[MissedInput, Executable]) -> CaseResult:
        item, executable = pair
        return judge.judge(sandbox, executable, *_case_of(package, item))

    pairs = [(item, executable) for item in missed for executable in executables]
    verdicts = [
        (item, executable.program.path, result.verdict is Verdict.ACCEPTED)
        for (item, executable), result in zip(pairs, host.pool.in_order(work, pairs), strict=True)
    ]
    confirmed = [
        replace(
            item,
            confirmed_by=tuple(path for each, path, passes in verdicts if each is item and passes),
            disputed_by=tuple(
                path
                for each, path, passes in verdicts
                if each is item and not passes and path not in item.programs
            ),
        )
        for item in missed
    ]
    return [item for item in confirmed if len(item.confirmed_by) >= len(item.disputed_by) + item.accepted]


def _case_of(package: Package, item: MissedInput) -> tuple[Group, Case]:
    *_, group = (*package.sample.holders(), *package.secret.holders())
    settings = group.cases[0].settings if group.cases else CaseSettings()
    given, answer = (
        File(origin=package.root / "missed", content=content) for content in (item.input, item.answer)
    )
    return group, Case(name="search/input", input=given, answer=answer, settings=settings)
