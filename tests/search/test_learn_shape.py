"""A package whose data is not built still has a shape: from its recipe's own inputs, or from its generators."""

from collections.abc import Sequence
from pathlib import Path

from harness.generate import Invocation, Recipe
from harness.generate.recipe import PlannedCase
from harness.package import Program
from harness.package.ad_hoc import Loose
from harness.package.model import ProblemLimits
from harness.search import SearchTarget
from harness.search.learn import shape_from_recipe

WRITTEN = (
    PlannedCase(name="1", texts={".in": b"3\n5 6 7\n", ".ans": b"18\n"}),
    PlannedCase(name="2", texts={".in": b"2\n1 1\n"}),
)
CALLED = (PlannedCase(name="a", invocation=Invocation(generator="gen.py", arguments=("3",))),)


def target(recipe: Recipe | None) -> SearchTarget:
    package = Loose(name="p", root=Path("p"), cases=[], limits=ProblemLimits()).package()
    program = Program(path="my.py", files={})
    return SearchTarget(package=package, submission=program, oracle=None, shape=None, recipe=recipe, guessed=True)


def text(recipe: Recipe | None, made: Sequence[bytes | None] = ()) -> str | None:
    shape = shape_from_recipe(target(recipe), lambda calls: list(made) if calls else [])
    return None if shape is None else shape.text


def test_inputs_that_the_recipe_holds_tell_the_shape() -> None:
    recipe = Recipe(cases=WRITTEN, group_files={}, generators={})
    assert "n * (1..10)" in str(text(recipe))


def test_inputs_that_generators_make_tell_the_shape() -> None:
    recipe = Recipe(cases=CALLED, group_files={}, generators={})
    assert "n * (1..10^2)" in str(text(recipe, [b"2\n50 2\n", None, b"3\n1 2 4\n"]))


def test_of_a_generator_that_makes_something_else_what_is_written_counts() -> None:
    recipe = Recipe(cases=(*WRITTEN, *CALLED), group_files={}, generators={})
    assert "n * (1..10)" in str(text(recipe, [b"# a comment\n\n1\n"]))


def test_without_a_recipe_nothing_is_learned() -> None:
    assert text(None) is None
