"""Other spellings of names: the known name that was probably meant, and the codes of languages."""

import difflib
from collections.abc import Iterable

_CODES = {
    **dict.fromkeys(("python", "py", "py3", "pypy3"), "python3"),
    **{"py2": "python2", "c++": "cpp", "cs": "csharp", "js": "javascript", "kt": "kotlin"},
}
_ALIKE = 0.8  # above the likeness of `valid_input` and `valid_output`


def misspelt(name: str, names: Iterable[str]) -> str | None:
    """Return the known name that differs from `name` by a slip (`secrets`, `Sample`); None if there is none."""
    likely = [other for other in names if other[:1] == name[:1].lower()]
    return next(iter(difflib.get_close_matches(name.lower(), likely, n=1, cutoff=_ALIKE)), None)


def language_code(word: str) -> str:
    """Return the code of a language by another spelling of it (`C++`: cpp); other words as they are."""
    return _CODES.get(word.lower(), word)
