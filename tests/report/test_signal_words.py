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


def test_what_a_checked_library_found_is_quoted_and_not_its_last_line() -> None:
    said = (
        "/usr/include/c++/12/debug/vector:442:\nIn function:\n    operator[](size_type)\n\n"
        "Error: attempt to subscript container with out-of-bounds index 2, but \n"
        "container only holds 2 elements.\n\nObjects involved:\n    sequence {\n    }\n"
    )
    case = CaseResult(
        name="1", group="sample", verdict=Verdict.RUN_TIME_ERROR, reason=Reason.SIGNAL, signal=6, message=said
    )
    wanted = (
        "Error: attempt to subscript container with out-of-bounds index 2, but container only holds 2 elements."
    )
    assert why(case, 1.0, 1024).endswith(wanted)
