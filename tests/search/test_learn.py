"""A search learns the shape, the rules and the planned arguments of a package whose data is not built."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, cast

import pytest

from harness.generate.recipe import Invocation, PlannedCase, Recipe
from harness.host.run_many import OutOfTimeError, Programs
from harness.package import Group, ProblemType
from harness.package.model import CaseSettings
from harness.search.evaluate import Evaluator
from harness.search.learn_rules import add_rules, drop_graph_rules
from harness.search.policy import LEARN
from harness.search.preparation import shape_from_recipe
from harness.search.sample_rules import as_samples_show
from harness.search.target import SearchTarget, guessed_shape, settings_in, target_of
from harness.shapes import Shape, parsed, read_shape
from harness.shapes.graphs import components, is_acyclic
from harness.shapes.kinds import Array, Edges
from search import case, package, program, target, tried

WRITTEN = (
    PlannedCase(name="1", texts={".in": b"3\n5 6 7\n", ".ans": b"18\n"}),
    PlannedCase(name="2", texts={".in": b"2\n1 1\n"}),
)
CALLED = (PlannedCase(name="a", invocation=Invocation(generator="gen.py", arguments=("3",))),)


def shape_of_recipe(recipe: Recipe | None, made: Sequence[bytes | None]) -> Shape | None:
    return shape_from_recipe(target(recipe=recipe, guessed=True), lambda calls: list(made) if calls else [])


@pytest.mark.parametrize(
    ("cases", "made", "told"),
    [
        (WRITTEN, [], "n * (1..10)"),
        (CALLED, [b"2\n50 2\n", None, b"3\n1 2 4\n"], "n * (1..10^2)"),
        ((*WRITTEN, *CALLED), [b"# a comment\n\n1\n"], "n * (1..10)"),
    ],
    ids=["written", "made by generators", "written, and others are made"],
)
def test_inputs_of_a_recipe_tell_the_shape(
    cases: tuple[PlannedCase, ...], made: list[bytes | None], told: str
) -> None:
    shape = shape_of_recipe(Recipe(cases=cases, group_files={}, generators={}), made)
    assert shape is not None and told in shape.text


def test_without_a_recipe_nothing_is_learned() -> None:
    assert shape_of_recipe(None, []) is None


def test_rules_found_before_the_time_is_over_are_kept() -> None:
    asked: list[int] = []

    def valid(inputs: Sequence[bytes]) -> list[bool]:
        asked.append(len(inputs))
        if asked.count(LEARN.rule_draws) > 1:
            raise OutOfTimeError
        rows = [list(map(int, data.split()[1:])) for data in inputs]
        return [row == sorted(row) for row in rows]

    shape = add_rules(read_shape("n: 1..9; n * (1..1000)"), valid, [b"2\n5 7\n"])
    assert parsed(shape, b"2\n7 5\n") is None


Lines = list[list[int]]


def learnt(text: str, sample: str, holds: Callable[[Lines], bool]) -> Shape:
    def valid(inputs: object) -> list[bool]:
        return [holds([list(map(int, line.split())) for line in data.decode().splitlines()]) for data in inputs]  # type: ignore[attr-defined]

    return add_rules(read_shape(text), valid, [sample.encode()])


@pytest.mark.parametrize(
    ("guess", "sample", "holds", "wanted"),
    [
        ("n: 1..9 k: 1..9", "5 2\n", lambda lines: lines[0][1] <= lines[0][0], "n: 1..9 k: 1..n"),
        ("n: 1..9 k: 1..9", "5 2\n", lambda lines: lines[0][1] < lines[0][0], "n: 1..9 k: 1..n-1"),
        (
            "l: 1..9 r: 1..9 x: 1..9",
            "3 8 5\n",
            lambda lines: lines[0][0] <= lines[0][2] <= lines[0][1],
            "l: 1..9 r: 1..9 x: l..r",
        ),
        (
            "n: 1..9; n * (1..9)",
            "2\n2 5\n",
            lambda lines: len(set(lines[1])) == len(lines[1]),
            "n: 1..9; distinct(n * (1..9))",
        ),
        (
            "n: 1..9; n times { x: 1..3 y: 1..3 }",
            "2\n2 1\n2 3\n",
            lambda lines: len(set(map(tuple, lines[1:]))) == len(lines) - 1,
            "n: 1..9; distinct(n times { x: 1..3 y: 1..3 })",
        ),
        (
            "n: 1..9; n times { x: 1..9 y: 1..3 }",
            "2\n2 1\n4 1\n",
            lambda lines: all(one[0] < other[0] for one, other in pairwise(lines[1:])),
            "n: 1..9; rising(n times { x: 1..9 y: 1..3 })",
        ),
        (
            "n: 2..9 m: 0..9; graph(n, m)",
            "2 1\n1 2\n",
            lambda lines: all(one != other for one, other in lines[1:]),
            "n: 2..9 m: 0..9; graph(n, m, loopless)",
        ),
        (
            "T: 1..3; T times { n: 1..9 k: 1..9; n * (0..9) }",
            "1\n3 1\n0 0 9\n",
            lambda lines: all(k <= n for n, k in lines[1::2]),
            "T: 1..3; T times { n: 1..9 k: 1..n; n * (0..9) }",
        ),
    ],
)
def test_a_rule_that_the_validator_asks_for_is_learnt(
    guess: str, sample: str, holds: Callable[[Lines], bool], wanted: str
) -> None:
    assert learnt(guess, sample, holds).block == read_shape(wanted).block


def test_brackets_that_must_match_are_learnt_from_the_validator_and_from_samples() -> None:
    def valid(inputs: Sequence[bytes]) -> list[bool]:
        return [parsed(read_shape('brackets(2..40, "()")'), data) is not None for data in inputs]

    guess, samples = read_shape('string(1..10, "()")'), [b"(()())(()())\n", b"()(())()\n"]
    assert add_rules(guess, valid, samples).block == read_shape('brackets(1..10, "()")').block
    shown = as_samples_show(read_shape('string(1..20, "()")'), samples)
    assert shown is not None and shown.block.items[0].matching


def test_nothing_is_learnt_where_nothing_is_asked_for_or_a_sample_breaks_the_rule() -> None:
    guess = "n: 1..9 k: 1..9"
    assert learnt(guess, "5 2\n", lambda lines: True).block == read_shape(guess).block
    assert learnt(guess, "2 2\n", lambda lines: lines[0][0] in (2, 3)).block == read_shape(guess).block


GUESS = "n: 1..30 m: 0..60; graph(n, m, connected, simple, rising)"


def graph_of(holds: Callable[[int, list[tuple[int, int]]], bool]) -> Edges:
    """The graph that is learnt where validators accept these numbers of vertices and edges."""

    def valid(inputs: Sequence[bytes]) -> list[bool]:
        return [holds(*_graph(data)) for data in inputs]

    [_, _, graph] = drop_graph_rules(read_shape(GUESS), valid).block.items
    assert isinstance(graph, Edges)
    return graph


def _graph(data: bytes) -> tuple[int, list[tuple[int, int]]]:
    first, *lines = data.decode().splitlines()
    return int(first.split()[0]), [(int(one), int(other)) for one, other in (line.split() for line in lines)]


@pytest.mark.parametrize(
    ("holds", "kept", "dropped"),
    [
        (lambda _, __: True, (), ("connected", "rising", "simple", "acyclic", "loopless")),
        (lambda _, edges: all(one < other for one, other in edges), ("rising",), ("connected",)),
        (lambda _, edges: is_acyclic(edges), ("acyclic",), ("rising", "simple", "connected")),
        (lambda _, edges: all(one != other for one, other in edges), ("loopless",), ("acyclic", "simple")),
        (lambda n, edges: components(n, edges, base=1) <= 1, ("connected",), ("rising",)),
    ],
    ids=["no rule", "edges rise", "no way back", "no loop", "connected"],
)
def test_rules_of_a_graph_stay_only_where_the_validator_demands_them(
    holds: Callable[[int, list[tuple[int, int]]], bool], kept: tuple[str, ...], dropped: tuple[str, ...]
) -> None:
    graph = graph_of(holds)
    assert all(getattr(graph, rule) for rule in kept)
    assert not any(getattr(graph, rule) for rule in dropped)


@pytest.mark.parametrize(
    ("holds", "order"),
    [
        (lambda _: True, ""),
        (lambda numbers: sorted(numbers) == numbers, "sorted"),
        (lambda numbers: len(set(numbers)) == len(numbers), "distinct"),
        (lambda _: False, "rising"),
    ],
)
def test_an_order_is_dropped_where_the_validator_accepts_others(
    holds: Callable[[list[int]], bool], order: str
) -> None:
    def valid(inputs: Sequence[bytes]) -> list[bool]:
        return [holds(list(map(int, data.split()[1:]))) for data in inputs]

    [_, array] = drop_graph_rules(read_shape("n: 2..9; rising(n * (0..20))"), valid).block.items
    assert isinstance(array, Array)
    assert array.order == order


def test_group_files_of_a_recipe_give_their_arguments_and_nothing_else() -> None:
    files = {
        "test_group.yaml": b"output_validator_args: [case_sensitive]\nmax_score: 5\n",
        "secret/test_group.yaml": b"input_validator_args: {one: [a]}\nargs: no list\n",
        "secret/b/test_group.yaml": b"input_validator_args: ['{{most}}']\n",
        "secret/a/test_group.yaml": b"- nothing of the kind\n",
    }
    recipe = Recipe(cases=(), group_files=files, generators={})
    assert settings_in(recipe) == [CaseSettings(output_validator_args=("case_sensitive",))]


def evaluator_of(known: SearchTarget) -> Evaluator:
    """An evaluator that can run nothing."""
    built: Any = SimpleNamespace(
        submission=SimpleNamespace(java_server=None), reference=None, checker=None, validators=[]
    )
    return Evaluator(target=known, programs=Programs(host=cast("Any", None)), built=built)


def test_an_input_is_tried_under_the_settings_under_which_it_is_valid_with_few_arguments_at_first() -> None:
    few, many = CaseSettings(args=("few",)), CaseSettings(args=("many",), input_validator_args=("a", "b"))

    def evaluator(*several: CaseSettings) -> Evaluator:
        cases = tuple(replace(case("sample/1", b"1\n"), settings=one) for one in several)
        return evaluator_of(target(package=replace(package(), sample=Group(name="sample", cases=cases))))

    both, trial = evaluator(many, few), tried(b"1\n")
    assert both.settings == [few, many]
    assert both.call_of(trial).arguments == ("few",)
    assert both.call_of(replace(trial, settings=many)).arguments == ("many",)
    assert both.trust.asks_always and not evaluator(few).trust.asks_always


@pytest.mark.parametrize(("limit_s", "reference_s"), [(None, 10.0), (1.0, 10.0), (20.0, 20.0)])
def test_a_reference_may_take_as_long_as_the_submission_and_ten_seconds(
    limit_s: float | None, reference_s: float
) -> None:
    assert evaluator_of(target(package=package(time_limit_s=limit_s))).reference.limits.cpu_s == reference_s


def test_a_guess_is_not_trusted_where_there_are_secret_cases_or_a_generator() -> None:
    bare = target("n: 1..9", guessed=True)
    assert bare.trusts_shape
    secret = Group(name="secret", cases=(case("secret/1", b"3\n"),))
    assert not replace(bare, package=replace(bare.package, secret=secret)).trusts_shape
    assert not replace(bare, generator=program("gen.py")).trusts_shape


def test_a_shape_is_guessed_from_the_samples_where_none_fits_the_secret_cases() -> None:
    secret = Group(name="secret", cases=(case("secret/1", b"\xff\n"),))
    shape = guessed_shape(replace(package(samples=[b"3\n1 2 3\n", b"2\n5 6\n"]), secret=secret), ())
    assert shape is not None and "n * (" in shape.text


@pytest.mark.parametrize("kind", [ProblemType.PASS_FAIL, ProblemType.INTERACTIVE])
def test_what_a_program_reads_of_an_interactor_is_no_input(kind: ProblemType) -> None:
    mine = program("my.py", "n = int(input())\nprint(n)\n")
    shape = target_of(replace(package(), types=frozenset({kind})), mine, reference=program("right.py")).shape
    assert (shape is None) is (kind is ProblemType.INTERACTIVE)
