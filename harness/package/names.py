"""Which known name was probably meant by a name that is not known."""

import difflib
from collections.abc import Iterable

_ALIKE = 0.8  # above the likeness of `valid_input` and `valid_output`


def misspelt(name: str, names: Iterable[str]) -> str | None:
    """Return the known name that differs from `name` by a slip (`secrets`, `Sample`); None if there is none."""
    likely = [other for other in names if other[:1] == name[:1].lower()]
    return next(iter(difflib.get_close_matches(name.lower(), likely, n=1, cutoff=_ALIKE)), None)
