"""The arena and the corpus of a package: what a search for killing inputs works with."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from harness.build import Executable
from harness.check import judge_program_limits
from harness.check.input_validators import InputValidators
from harness.errors import UsageError
from harness.generate import generator_program, read_recipe
from harness.host.host import Host
from harness.host.run_many import Programs
from harness.judge.judge_case import CaseJudge
from harness.mutate.building import build_schemata, can_mutate
from harness.mutate.candidate_inputs import Arena
from harness.mutate.compare import Comparing
from harness.mutate.corpus import Corpus, gather, gather_few, keep, recall, weight_of
from harness.mutate.errors import UnsearchableError
from harness.mutate.games import GAMES
from harness.mutate.mutation_yaml import Notes
from harness.mutate.run_helper import run_batch
from harness.mutate.validity import quick_validators
from harness.package import Package, ProblemType
from harness.package.constants import substitute
from harness.sandbox import Sandbox
from harness.sandbox.limits import MIB
from harness.search.target import guessed_shape
from harness.shapes import Shape, read_shape
from harness.store.identity import programs_identity

SHAPE = "generators/shape.txt"
_SEED = 1


def shape_of(package: Package) -> Shape | None:
    """The shape of the package's inputs: its own, or else one that is guessed from its cases; None: no guess fits."""
    file = package.files.get(SHAPE)
    if file is None:
        return guessed_shape(package, ())
    return read_shape(substitute(file.read(), package.constants, file.origin).decode("utf-8", errors="replace"))


def converses(package: Package) -> bool:
    """Whether what a program is given depends on what it says, so that only a judged run can tell."""
    return bool(package.types & {ProblemType.INTERACTIVE, ProblemType.MULTI_PASS})


def why_unsearched(package: Package) -> str:
    """Why no new inputs can be searched for a package; empty: they can be."""
    if ProblemType.SUBMIT_ANSWER in package.types:
        return "a problem of type submit-answer: only its data is judged on"
    if converses(package) and any(case.answer and case.answer.read().strip() for case in package.judged_cases()):
        return "interactors may read the answers, which are not empty here, and nobody makes new ones"
    if not package.input_validators:
        return "no input validator: nobody can say which new inputs are valid"
    if shape_of(package) is None:
        return f"the cases show no shape that could be guessed: write {SHAPE}"
    return ""


@contextmanager
def open_arena(package: Package, judge: CaseJudge) -> Iterator[Arena]:
    """The place where new inputs are judged. Raises UnsearchableError where no validator can be asked often enough."""
    limits, host = judge_program_limits(package.limits), judge.host
    executables = host.build_judge_programs(package.input_validators, package.limits)
    with Programs(host=host) as programs:
        quick = quick_validators(package, programs, limits)
        if not quick.validators:
            need = "one in Python can be, one in C or C++ where programs are contained by namespaces"
            raise UnsearchableError(f"no input validator that can be asked thousands of times: {need}")
        yield Arena(
            package=package,
            judge=judge,
            validators=InputValidators(executables=executables, limits=limits, host=host),
            quick=quick,
            solution=_solution(package, host),
        )


def find_corpus(arena: Arena, notes: Notes, wanted: int, cache: Path) -> Corpus:
    """A corpus of at least `wanted` inputs, from the cache or made anew; of a few, where each is a game."""
    package, games = arena.package, converses(arena.package)
    wanted = min(wanted, GAMES) if games else wanted
    quick = [one.executable.program for one in arena.quick.validators]
    digest = hashlib.sha256(f"3 {wanted} {_SEED} {games} {programs_identity(quick)}".encode())
    for name in (SHAPE, "problem.yaml"):
        if name in package.files:
            digest.update(package.files[name].read())
    if SHAPE not in package.files:
        digest.update(repr(shape_of(package)).encode())
    digest.update(repr(notes.search).encode())
    path = cache / f"{package.slug}-{digest.hexdigest()[:32]}.corpus"
    known = recall(path)
    if known is None:
        shape = shape_of(package)
        if shape is None:
            raise UsageError(f"{package.slug}: no {SHAPE}")
        made = list(_made(arena, notes))
        found = (gather_few if games else gather)(arena, shape, made, wanted, _SEED)
        if SHAPE not in package.files:  # other inputs than those of a guess may be valid, too
            found = replace(found, complete=False)
        known = _without_slow(arena, found)
        keep(path, known)
    return known


def _without_slow(arena: Arena, corpus: Corpus) -> Corpus:
    """All but what keeps the package's own solution busy, so that many mutants can be tried."""
    solution = arena.solution
    if solution is None or corpus.complete or not can_mutate(solution.program):
        return corpus
    schemata = build_schemata(solution.program, arena.host, arena.package.include)
    comparing = Comparing(arena=arena, schemata=schemata, corpus=corpus)
    slow = arena.host.pool.alone(lambda sandbox, one: one.slow(sandbox), comparing)
    inputs = tuple(data for number, data in enumerate(corpus.inputs) if number not in slow)
    return Corpus(inputs=inputs, complete=False, weight=sum(map(weight_of, inputs)))


def _made(arena: Arena, notes: Notes) -> Iterator[bytes]:
    """What the package's generators make for a search."""
    orders = [(one.generate, number) for one in notes.search for number in range(one.count)]
    if not orders:
        return
    recipe = read_recipe(arena.package.files, arena.package.constants)
    if recipe is None:
        raise UsageError(
            f"{arena.package.slug}: mutation.yaml has `search`, but there is no recipe with generators"
        )
    names = sorted({command.split()[0] for command, _ in orders})
    programs = [generator_program(arena.package, recipe, name) for name in names]
    built = arena.host.build_judge_programs(programs, arena.package.limits)
    generators = dict(zip(names, built, strict=True))

    def make(sandbox: Sandbox, order: tuple[str, int]) -> list[bytes]:
        command, number = order
        text = substitute(command.encode(), arena.package.constants, arena.package.root).decode()
        name, *arguments = text.replace("{seed}", str(1_000_000 + number)).split()
        call = generators[name].command(1024 * MIB, *arguments)
        return arena.valid(sandbox, [run_batch(arena.host, sandbox, call, b"")])

    for found in arena.host.pool.in_order(make, orders):
        yield from found


def _solution(package: Package, host: Host) -> Executable | None:
    """What makes the answers: the recipe's solution, else the first accepted submission."""
    if converses(package):
        return None
    recipe = read_recipe(package.files, package.constants)
    named = [case.solution for case in recipe.cases if case.solution] if recipe is not None else []
    known = {one.path: one for one in package.submissions}
    paths = {path.lstrip("/").removeprefix("submissions/") for path in named} & known.keys()
    paths = paths or {path for path in known if path.startswith("accepted/")}
    if not paths:
        raise UsageError(f"{package.slug}: no accepted submission: nothing makes answers for new inputs")
    return host.build_judge_programs([known[min(paths)]], package.limits)[0]
