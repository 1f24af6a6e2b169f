"""The arguments that cases will have once the recipe has made them."""

from harness.generate import Recipe
from harness.package.model import CaseSettings
from harness.search.target import settings_in


def test_group_files_of_a_recipe_give_their_arguments_and_nothing_else() -> None:
    files = {
        "test_group.yaml": b"output_validator_args: [case_sensitive]\nmax_score: 5\n",
        "secret/test_group.yaml": b"input_validator_args: {one: [a]}\nargs: no list\n",
        "secret/b/test_group.yaml": b"input_validator_args: ['{{most}}']\n",
        "secret/a/test_group.yaml": b"- nothing of the kind\n",
    }
    recipe = Recipe(cases=(), group_files=files, generators={})
    assert settings_in(recipe) == [CaseSettings(output_validator_args=("case_sensitive",))]
