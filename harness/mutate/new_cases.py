"""Data that heals itself: inputs that kill survivors, made small, as lines of the recipe."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from harness.generate.add_case import promote
from harness.judge import Judging
from harness.mutate.building import Schemata, build_schemata
from harness.mutate.candidate_inputs import Arena
from harness.mutate.killer_search import open_arena, shape_of
from harness.mutate.model import Finding, MutationReport
from harness.mutate.mutation import Mutation
from harness.package import Package
from harness.sandbox import Sandbox
from harness.shapes import InputError, Record, Shape, parse, shrink, write
from harness.values import dataclass

BUDGET = 300
_NUMBER = re.compile(r"(\d+)-")


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A test case to add. group: where it is valid; kills: the mutants, as `path#id`; minimal: no reducer helps."""

    group: str
    name: str
    input: bytes
    answer: bytes
    kills: tuple[str, ...]
    minimal: bool

    @property
    def path(self) -> str:
        """The case below secret/."""
        return "/".join((*self.group.split("/")[1:], self.name))

    def lines(self, indent: str) -> list[str]:
        """The lines of the recipe."""
        text = self.input.decode("ascii", errors="backslashreplace")
        rows = text.split("\n")[:-1]
        return [
            f"{indent}{self.name}:",
            f"{indent}  in: |2",
            *(f"{indent}    {row}" if row else "" for row in rows),
        ]


@dataclass(frozen=True, kw_only=True)
class Healing:
    """Proposes cases for the survivors of a report for which a killing input was found."""

    mutation: Mutation

    def propose(self, report: MutationReport) -> tuple[Proposal, ...]:
        """Reduced inputs that kill every survivor that a search could kill; each kills as many as it can."""
        open_ones = [(one.path, finding) for one, finding in report.survivors() if finding.killer is not None]
        if not open_ones:
            return ()
        judge = Judging(package=self.mutation.package, host=self.mutation.host).case_judge
        programs = {one.path: one for one in self.mutation.package.submissions}
        schemata = {
            path: build_schemata(programs[path], self.mutation.host, self.mutation.package.include)
            for path, _ in open_ones
        }
        with open_arena(self.mutation.package, judge) as arena:
            return tuple(_proposals(arena, schemata, open_ones, self.mutation.progress))


def _proposals(
    arena: Arena,
    schemata: dict[str, Schemata],
    open_ones: Sequence[tuple[str, Finding]],
    progress: Callable[[str], None],
) -> Iterator[Proposal]:
    shape = shape_of(arena.package)
    left = list(open_ones)
    taken = {case.name for case in arena.package.judged_cases()}

    def kills(sandbox: Sandbox, item: tuple[str, Finding, bytes]) -> bool:
        path, finding, data = item
        built = schemata[path]
        return arena.tells_apart(sandbox, built.as_mutant(0), built.as_mutant(finding.mutant.number), data)

    while left:
        path, finding = left[0]
        progress(f"making small what kills {finding.mutant.id}")
        smaller = _Smaller(arena=arena, shape=shape, schemata=schemata[path], finding=finding)
        data, minimal = arena.host.pool.alone(lambda sandbox, one: one.run(sandbox), smaller)
        orders = [(other, one, data) for other, one in left[1:]]
        also = list(arena.host.pool.in_order(kills, orders))
        dead = [left[0], *(pair for pair, is_killed in zip(left[1:], also, strict=True) if is_killed)]
        left = [pair for pair in left if pair not in dead]
        found = arena.host.pool.alone(arena.group_of, data)
        if found is None:
            continue
        name = _name(found[0].name, finding, taken)
        taken.add(f"{found[0].name}/{name}")
        names = tuple(f"{one}#{each.mutant.id}" for one, each in dead)
        answer = arena.host.pool.alone(arena.answer, data)
        group = found[0].name
        yield Proposal(group=group, name=name, input=data, answer=answer, kills=names, minimal=minimal)


@dataclass(frozen=True, kw_only=True)
class _Smaller:
    """One killing input on its way to a small one."""

    arena: Arena
    shape: Shape | None
    schemata: Schemata
    finding: Finding

    def run(self, sandbox: Sandbox) -> tuple[bytes, bool]:
        """The small input, and whether no reducer makes it any smaller."""
        given = self.finding.killer or b""
        return self._shrunk(sandbox, self.shape, given) if self.shape is not None else (given, False)

    def _shrunk(self, sandbox: Sandbox, shape: Shape, given: bytes) -> tuple[bytes, bool]:
        original, mutant = self.schemata.as_mutant(0), self.schemata.as_mutant(self.finding.mutant.number)

        def fails(value: Record) -> bool:
            data = write(shape, value)
            return self.arena.is_valid(sandbox, data) and self.arena.tells_apart(sandbox, original, mutant, data)

        try:
            value = parse(shape, given)
        except InputError:
            return given, False
        shrunk = shrink(shape, value, fails, BUDGET)
        return write(shape, shrunk.value), shrunk.is_minimal


def _name(group: str, finding: Finding, taken: set[str]) -> str:
    """A name behind all others of the group that says what the case kills."""
    numbers = [
        int(found[1][:6]) for one in taken if one.startswith(group) and (found := _NUMBER.search(one, len(group)))
    ]
    words = re.sub(r"[^a-z0-9]+", "-", f"{finding.mutant.operator.value} in {finding.mutant.function}".lower())
    return f"{max(numbers, default=0) + 1:02}-found-{words.strip('-')}"


def add_cases(package: Package, proposals: Sequence[Proposal]) -> list[Path]:
    """Add the cases to the recipe, everything else in it stays as it is; or as files where there is no recipe.

    The files that were written. Raises PackageError when lines cannot be added to a group of the recipe.
    """
    return [promote(package, one.path, one.input, one.answer) for one in proposals]
