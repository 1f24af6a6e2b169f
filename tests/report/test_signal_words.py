"""What is said of a program that a signal ended."""

import signal

import pytest

from harness.limits import MIB
from harness.report.words import why
from harness.results import CaseResult
from harness.verdict import Reason, Verdict


@pytest.mark.parametrize(
    ("memory_mib", "words"),
    [
        (80, "SIGSEGV: segmentation fault: an index or a pointer out of bounds?"),
        (1000, "SIGSEGV: segmentation fault, with memory near its limit of 1024 MiB: deep recursion?"),
    ],
)
def test_recursion_is_named_only_where_the_stack_can_have_been_at_its_limit(memory_mib: int, words: str) -> None:
    case = CaseResult(
        name="1",
        group="secret",
        verdict=Verdict.RUN_TIME_ERROR,
        reason=Reason.SIGNAL,
        signal=signal.SIGSEGV,
        memory_bytes=memory_mib * MIB,
    )
    assert why(case, 1.0, 1024) == words
