"""A search learns the shape, the rules and the planned arguments of a package whose data is not built."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from harness.generate.recipe import Invocation, PlannedCase, Recipe
from harness.host.run_many import OutOfTimeError
from harness.package import Program
from harness.package.ad_hoc import package_of_cases
from harness.package.model import CaseSettings, ProblemLimits
from harness.search.learn_rules import add_rules, drop_graph_rules
from harness.search.policy import LEARN
from harness.search.preparation import shape_from_recipe
from harness.search.sample_rules import as_samples_show
from harness.search.target import SearchTarget, settings_in
from harness.shapes import Shape, parsed, read_shape
from harness.shapes.graphs import components, is_acyclic
from harness.shapes.kinds import Array, Edges

WRITTEN = (
    PlannedCase(name="1", texts={".in": b"3\n5 6 7\n", ".ans": b"18\n"}),
    PlannedCase(name="2", texts={".in": b"2\n1 1\n"}),
)
CALLED = (PlannedCase(name="a", invocation=Invocation(generator="gen.py", arguments=("3",))),)


def target(recipe: Recipe | None) -> SearchTarget:
    package = package_of_cases(name="p", root=Path("p"), cases=[], limits=ProblemLimits())
    program = Program(path="my.py", files={})
    return SearchTarget(
        package=package, submission=program, reference=None, shape=None, recipe=recipe, guessed=True
    )


def text(recipe: Recipe | None, made: Sequence[bytes | None] = ()) -> str | None:
    shape = shape_from_recipe(target(recipe), lambda calls: list(made) if calls else [])
    return None if shape is None else shape.text


def test_inputs_that_the_recipe_holds_tell_the_shape() -> None:
    recipe = Recipe(cases=WRITTEN, group_files={}, generators={})
    assert "n * (1..10)" in str(text(recipe))


def test_inputs_that_generators_make_tell_the_shape() -> None:
    recipe = Recipe(cases=CALLED, group_files={}, generators={})
    assert "n * (1..10^2)" in str(text(recipe, [b"2\n50 2\n", None, b"3\n1 2 4\n"]))


def test_written_inputs_tell_the_shape_where_generators_make_another() -> None:
    recipe = Recipe(cases=(*WRITTEN, *CALLED), group_files={}, generators={})
    assert "n * (1..10)" in str(text(recipe, [b"# a comment\n\n1\n"]))


def test_without_a_recipe_nothing_is_learned() -> None:
    assert text(None) is None


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
        return [fits(read_shape('brackets(2..40, "()")'), data) for data in inputs]

    guess, samples = read_shape('string(1..10, "()")'), [b"(()())(()())\n", b"()(())()\n"]
    assert add_rules(guess, valid, samples).block == read_shape('brackets(1..10, "()")').block
    shown = as_samples_show(read_shape('string(1..20, "()")'), samples)
    assert shown is not None and shown.block.items[0].matching


def fits(shape: Shape, data: bytes) -> bool:
    return parsed(shape, data) is not None


def test_nothing_is_learnt_where_nothing_is_asked_for_or_a_sample_breaks_the_rule() -> None:
    guess = "n: 1..9 k: 1..9"
    assert learnt(guess, "5 2\n", lambda lines: True).block == read_shape(guess).block
    assert learnt(guess, "2 2\n", lambda lines: lines[0][0] in (2, 3)).block == read_shape(guess).block


GUESS = "n: 1..30 m: 0..60; graph(n, m, connected, simple, rising)"


def graph_of(valid: object) -> Edges:
    [_, _, graph] = drop_graph_rules(read_shape(GUESS), valid).block.items  # type: ignore[arg-type]
    assert isinstance(graph, Edges)
    return graph


def _edges(data: bytes) -> tuple[int, list[tuple[int, int]]]:
    first, *lines = data.decode().splitlines()
    return int(first.split()[0]), [(int(one), int(other)) for one, other in (line.split() for line in lines)]


def test_graph_rules_that_the_validator_does_not_demand_are_dropped() -> None:
    graph = graph_of(lambda inputs: [True] * len(inputs))
    assert not (graph.connected or graph.rising or graph.simple or graph.acyclic or graph.loopless)


def test_graph_rules_that_the_validator_demands_stay() -> None:
    def valid(inputs: Sequence[bytes]) -> list[bool]:
        """Edges rise, none is a loop, but the graph may fall apart."""
        return [all(one < other for one, other in _edges(data)[1]) for data in inputs]

    graph = graph_of(valid)
    assert graph.rising and not graph.connected


def test_a_graph_without_a_way_back_need_not_have_edges_that_rise() -> None:
    graph = graph_of(lambda inputs: [is_acyclic(_edges(data)[1]) for data in inputs])
    assert graph.acyclic and not (graph.rising or graph.simple or graph.connected)


def test_edges_that_may_come_twice_need_no_loops() -> None:
    graph = graph_of(lambda inputs: [all(one != other for one, other in _edges(data)[1]) for data in inputs])
    assert graph.loopless and not (graph.acyclic or graph.simple)


def order_of(valid: object) -> str:
    [_, array] = drop_graph_rules(read_shape("n: 2..9; rising(n * (0..20))"), valid).block.items  # type: ignore[arg-type]
    assert isinstance(array, Array)
    return array.order


def _numbers(data: bytes) -> list[int]:
    return list(map(int, data.split()[1:]))


def test_an_order_is_dropped_where_the_validator_accepts_others() -> None:
    assert order_of(lambda inputs: [True] * len(inputs)) == ""
    assert order_of(lambda inputs: [sorted(_numbers(data)) == _numbers(data) for data in inputs]) == "sorted"
    assert (
        order_of(lambda inputs: [len(set(_numbers(data))) == len(_numbers(data)) for data in inputs]) == "distinct"
    )
    assert order_of(lambda inputs: [False] * len(inputs)) == "rising"


def test_a_graph_that_must_hang_together_does() -> None:
    graph = graph_of(lambda inputs: [components(*_edges(data), base=1) <= 1 for data in inputs])
    assert graph.connected and not graph.rising


def test_group_files_of_a_recipe_give_their_arguments_and_nothing_else() -> None:
    files = {
        "test_group.yaml": b"output_validator_args: [case_sensitive]\nmax_score: 5\n",
        "secret/test_group.yaml": b"input_validator_args: {one: [a]}\nargs: no list\n",
        "secret/b/test_group.yaml": b"input_validator_args: ['{{most}}']\n",
        "secret/a/test_group.yaml": b"- nothing of the kind\n",
    }
    recipe = Recipe(cases=(), group_files=files, generators={})
    assert settings_in(recipe) == [CaseSettings(output_validator_args=("case_sensitive",))]
