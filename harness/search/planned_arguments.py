"""The arguments that a recipe's group files will give to cases which are not built yet."""

import yaml

from harness.generate import Recipe
from harness.package.model import CaseSettings


def settings_in(recipe: Recipe) -> list[CaseSettings]:
    """One for each group file that gives arguments; those are lists of words, anything else is left out.

    So are arguments with constants, which nobody has filled in here.
    """
    found = []
    for text in recipe.group_files.values():
        try:
            known = yaml.safe_load(text)
        except yaml.YAMLError:
            continue
        settings = CaseSettings(
            args=_words(known, "args"),
            input_validator_args=_words(known, "input_validator_args"),
            output_validator_args=_words(known, "output_validator_args"),
        )
        if settings != CaseSettings():
            found.append(settings)
    return found


def _words(known: object, key: str) -> tuple[str, ...]:
    value = known.get(key) if isinstance(known, dict) else None
    words = tuple(map(str, value)) if isinstance(value, list) else ()
    return () if any("{{" in word for word in words) else words
