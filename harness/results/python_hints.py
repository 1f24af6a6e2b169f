"""Hints on what this machine lacks for Python submissions: a faster Python, a module."""

import re
from collections.abc import Callable, Iterable, Iterator

from harness.results.model import SubmissionResult
from harness.results.verdict import Reason, Verdict

_SLOW = (
    "Python runs in CPython here; Kattis, DOMjudge and BAPCtools take PyPy, which is often ten times as fast. "
    "To judge with it: {install}in ~/.config/harness/harness.toml: "
    '[languages.pypy3] extensions = [".py", ".py3"] and [languages.python3] extensions = []'
)
_INSTALL = "apt install pypy3 (or dnf), and "
_HAS_IT = "pypy3 is there; write "
_MODULE = (
    "the module `{module}` is not there for the Python that runs submissions (harness doctor names it), "
    "other judges may have it: for the Python of Debian apt install python3-{module}"
)
_MOST_MODULES = 3  # a program may name another one on each case
_MISSING = re.compile(r"ModuleNotFoundError: No module named '([A-Za-z0-9_]{1,60})")


def hints(submissions: Iterable[SubmissionResult], has_pypy: Callable[[], bool]) -> Iterator[str]:
    """Yield a line for each missing tool, derived from the results of programs that are not meant to fail."""
    submissions = [item for item in submissions if item.language == "python3"]
    must_be_accepted = [item for item in submissions if _must_be_accepted(item)]
    if any(map(_is_slow, must_be_accepted)):
        yield _SLOW.format(install=_HAS_IT if has_pypy() else _INSTALL)
    not_meant = [*must_be_accepted, *(item for item in submissions if item.expected is None)]
    crashed = (case for item in not_meant for case in item.cases if case.verdict is Verdict.RUN_TIME_ERROR)
    yield from sorted(set(filter(None, (missing_module(case.message) for case in crashed))))[:_MOST_MODULES]


def missing_module(message: str) -> str:
    """Return what installs the module that a program in Python did not find; "" if the message names none."""
    found = _MISSING.search(message)
    return "" if found is None else _MODULE.format(module=found[1])


def _is_slow(submission: SubmissionResult) -> bool:
    """Return whether a submission computes for too long; one that waits is not helped by a faster Python."""
    waits = any(case.reason in (Reason.IDLE, Reason.WALL_TIME) for case in submission.failed_cases())
    return submission.verdict is Verdict.TIME_LIMIT_EXCEEDED and not waits


def _must_be_accepted(submission: SubmissionResult) -> bool:
    expected = submission.expected
    return expected is not None and not expected.met and expected.permitted == ("AC",)
