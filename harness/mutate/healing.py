"""Data that heals itself: inputs that kill survivors, made small, as lines of the recipe."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from harness import atomic
from harness.errors import Fault, PackageError
from harness.judge import Judging
from harness.mutate.arena import Arena
from harness.mutate.building import Schemata, build_schemata
from harness.mutate.model import Finding, MutationReport
from harness.mutate.mutation import Mutation
from harness.mutate.search import open_arena, shape_of
from harness.package.workspace import RECIPE
from harness.sandbox import Sandbox
from harness.shapes import InputError, Record, Shape, parse, shrink, write

BUDGET = 300
_NUMBER = re.compile(r"(\d+)-")


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A test case to add. group: where it is valid; kills: the mutants, as `path#id`; minimal: no reducer helps."""

    group: str
    name: str
    input: bytes
    kills: tuple[str, ...]
    minimal: bool

    def lines(self, indent: str) -> list[str]:
        """The lines of the recipe."""
        text = self.input.decode("ascii")
        rows = text.split("\n")[:-1]
        return [
            f"{indent}{self.name}:",
            f"{indent}  in: |",
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
        arena = open_arena(
            self.mutation.package, Judging(package=self.mutation.package, host=self.mutation.host).case_judge
        )
        programs = {one.path: one for one in self.mutation.package.submissions}
        schemata = {path: build_schemata(programs[path], self.mutation.host) for path, _ in open_ones}
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
        yield Proposal(group=found[0].name, name=name, input=data, kills=names, minimal=minimal)


@dataclass(frozen=True, kw_only=True)
class _Smaller:
    """One killing input on its way to a small one."""

    arena: Arena
    shape: Shape
    schemata: Schemata
    finding: Finding

    def run(self, sandbox: Sandbox) -> tuple[bytes, bool]:
        """The small input, and whether no reducer makes it any smaller."""
        given = self.finding.killer or b""
        original, mutant = self.schemata.as_mutant(0), self.schemata.as_mutant(self.finding.mutant.number)

        def fails(value: Record) -> bool:
            data = write(self.shape, value)
            return bool(self.arena.valid(sandbox, [data])) and self.arena.tells_apart(
                sandbox, original, mutant, data
            )

        try:
            value = parse(self.shape, given)
        except InputError:
            return given, False
        shrunk = shrink(self.shape, value, fails, BUDGET)
        return write(self.shape, shrunk.value), shrunk.is_minimal


def _name(group: str, finding: Finding, taken: set[str]) -> str:
    """A name behind all others of the group that says what the case kills."""
    numbers = [
        int(found[1][:6]) for one in taken if one.startswith(group) and (found := _NUMBER.search(one, len(group)))
    ]
    words = re.sub(r"[^a-z0-9]+", "-", f"{finding.mutant.operator.value} in {finding.mutant.function}".lower())
    return f"{max(numbers, default=0) + 1:02}-found-{words.strip('-')}"


def add_to_recipe(root: Path, proposals: Sequence[Proposal]) -> None:
    """Put the lines at the end of their groups in the recipe; everything else in it stays as it is.

    Raises PackageError when the recipe has no such group, or a form that lines cannot be added to.
    """
    path = root / RECIPE
    text = path.read_text("utf-8")
    for proposal in proposals:
        text = _with_lines(path, text, proposal)
    atomic.write(path, text.encode())


def _with_lines(path: Path, text: str, proposal: Proposal) -> str:
    node = _group_node(yaml.compose(text, Loader=yaml.SafeLoader), proposal.group)
    if not isinstance(node, yaml.MappingNode) or node.flow_style or not node.value:
        message = f"found no list of test cases for {proposal.group} to add {proposal.name} to: add it by hand"
        raise PackageError([Fault(path=path, message=message)])
    first, last = node.value[0][0], node.value[-1][1]
    lines = text.splitlines()
    at = last.end_mark.line + (1 if last.end_mark.column > first.start_mark.column else 0)
    while at > 0 and not lines[at - 1].strip():
        at -= 1
    return "\n".join([*lines[:at], *proposal.lines(" " * first.start_mark.column), *lines[at:]]) + "\n"


def _group_node(node: yaml.Node | None, group: str) -> yaml.Node | None:
    """The mapping of the cases of `secret/…` in a recipe."""
    for name in group.split("/"):
        node = _child(_child(node, "data"), name)
    return _child(node, "data")


def _child(node: yaml.Node | None, key: str) -> yaml.Node | None:
    if not isinstance(node, yaml.MappingNode):
        return None
    return next((value for name, value in node.value if name.value == key), None)
