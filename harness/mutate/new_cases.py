"""Add test cases for surviving mutants: minimize the inputs that kill them, add these to the package."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from pathlib import Path

from harness.generate.add_case import promote
from harness.mutate.building import MutantProgram
from harness.mutate.candidate_inputs import InputJudge, open_input_judge, shape_of
from harness.mutate.mutation import Mutation
from harness.mutate.outcomes import MutantOutcome, MutationReport
from harness.package import Package
from harness.sandbox.facts import Sandbox
from harness.shapes import Record, Shape, parsed, shrink, write
from harness.store.identity import identity_of_results
from harness.values import dataclass

BUDGET = 300  # most runs to minimize an input
_NUMBER = re.compile(r"(\d+)-")

Survivor = tuple[str, MutantOutcome]  # path of the solution, its finding


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A test case to add.

    group: the first group in which it is valid. kills: mutants, as `path#id`, or solutions. minimal: no reducer can
    make it smaller.
    """

    group: str
    name: str
    input: bytes
    answer: bytes
    kills: tuple[str, ...]
    minimal: bool

    @property
    def path(self) -> str:
        """The path of the case below secret/."""
        return "/".join((*self.group.split("/")[1:], self.name))

    @property
    def recipe_lines(self) -> list[str]:
        """The lines to add to the recipe."""
        text = self.input.decode("ascii", errors="backslashreplace")
        rows = text.split("\n")[:-1]
        return [
            f"  {self.name}:",
            "    in: |2",
            *(f"      {row}" if row else "" for row in rows),
        ]


def propose_cases(mutation: Mutation, report: MutationReport) -> tuple[Proposal, ...]:
    """Propose a small input for each survivor that has a killing input; each kills as many mutants as it can."""
    survivors = [
        (solution.path, finding) for solution, finding in report.survivors() if finding.killer is not None
    ]
    if not survivors:
        return ()
    package = mutation.package
    killers = repr([(path, finding.mutant.id, finding.killer) for path, finding in survivors])
    topic = f"new cases {identity_of_results(package, repr(package.limits), killers)}"

    def propose() -> tuple[Proposal, ...]:
        programs = {program.path: program for program in package.submissions}
        built = {path: mutation.mutant_program(programs[path]) for path in {path for path, _ in survivors}}
        with open_input_judge(package, mutation.case_judge) as judge:
            return tuple(_proposals(judge, built, survivors, mutation.progress))

    kind = tuple[Proposal, ...]
    return mutation.memory.remembered(topic, "cases", kind, propose, fresh=mutation.fresh)


def _proposals(
    judge: InputJudge,
    built: dict[str, MutantProgram],
    survivors: Sequence[Survivor],
    progress: Callable[[str], None],
) -> Iterator[Proposal]:
    """Yield a proposal for the first survivor that no earlier proposal kills, until all are killed."""
    shape, pool = shape_of(judge.package), judge.host.pool
    left = list(survivors)
    names = {case.name for case in judge.package.judged_cases()}

    def kills(sandbox: Sandbox, item: tuple[str, MutantOutcome, bytes]) -> bool:
        path, finding, data = item
        return judge.kills(sandbox, built[path], finding.mutant.number, data)

    while left:
        path, finding = left[0]
        progress(f"reducing the input that kills {finding.mutant.id}")
        reduce = partial(_reduced, judge=judge, shape=shape, built=built[path], finding=finding)
        data, minimal = pool.alone(lambda sandbox, work: work(sandbox), reduce)
        killed = list(pool.in_order(kills, [(path, finding, data) for path, finding in left[1:]]))
        dead = [left[0], *(survivor for survivor, dies in zip(left[1:], killed, strict=True) if dies)]
        left = [survivor for survivor in left if survivor not in dead]
        what = f"{finding.mutant.operator.value} in {finding.mutant.function}"
        ids = tuple(f"{path}#{finding.mutant.id}" for path, finding in dead)
        yield from proposed(judge, data, kills=ids, what=what, names=names, minimal=minimal)


def proposed(
    judge: InputJudge,
    data: bytes,
    *,
    kills: tuple[str, ...],
    what: str,
    names: set[str],
    answer: bytes | None = None,
    minimal: bool = False,
) -> Iterator[Proposal]:
    """Yield the input as a new case of the first group in which it is valid; nothing if there is none.

    answer: None: the package's own solution makes it. what: what it kills. names: the cases that exist; it is added.
    """
    pool = judge.host.pool
    valid_in = pool.alone(judge.group_of, data)
    if valid_in is None:
        return
    group, arguments = valid_in[0].name, valid_in[1].settings.args
    name = _case_name(group, what, names)
    names.add(f"{group}/{name}")
    if answer is None:
        answer = pool.alone(partial(judge.answer, arguments=arguments), data)
    yield Proposal(group=group, name=name, input=data, answer=answer, kills=kills, minimal=minimal)


def _reduced(
    sandbox: Sandbox, judge: InputJudge, shape: Shape | None, built: MutantProgram, finding: MutantOutcome
) -> tuple[bytes, bool]:
    """Return a small input that kills the mutant, and whether no reducer can make it smaller."""
    killer = finding.killer or b""
    if shape is None:
        return killer, False

    def is_killer(value: Record) -> bool:
        data = write(shape, value)
        if not judge.valid(sandbox, [data]) or not judge.kills(sandbox, built, finding.mutant.number, data):
            return False
        return judge.group_of(sandbox, data) is not None  # last, since it starts a process per validator and group

    value = parsed(shape, killer)
    if value is None:
        return killer, False
    shrunk = shrink(shape, value, is_killer, BUDGET)
    return write(shape, shrunk.value), shrunk.is_minimal


def _case_name(group: str, what: str, names: Collection[str]) -> str:
    """Name a case after what it kills, with the next free number of the group."""
    numbers = [
        int(match[1][:6])
        for name in names
        if name.startswith(f"{group}/") and (match := _NUMBER.search(name, len(group)))
    ]
    words = re.sub(r"[^a-z0-9]+", "-", what.lower())
    return f"{max(numbers, default=0) + 1:02}-found-{words.strip('-')}"


def add_cases(package: Package, proposals: Sequence[Proposal]) -> list[Path]:
    """Add cases at the end of their group in the recipe, or without a recipe as files; return the files written.

    Raises PackageError when lines cannot be added to a group of the recipe.
    """
    return [promote(package, proposal.path, proposal.input, proposal.answer) for proposal in proposals]
