"""What is said of a program that a signal ended."""

import signal
from typing import Any

import pytest

from harness.report.words import why
from harness.results.model import CaseResult
from harness.results.verdict import Reason, Verdict
from harness.sandbox.facts import MIB


def crash(message: str = "", **facts: Any) -> CaseResult:
    facts = {"reason": Reason.SIGNAL, **facts}
    return CaseResult(name="1", group="sample", verdict=Verdict.RUN_TIME_ERROR, message=message, **facts)


@pytest.mark.parametrize(
    ("memory_mib", "words"),
    [
        (80, "SIGSEGV: segmentation fault: an index or a pointer out of bounds?"),
        (1000, "SIGSEGV: segmentation fault, with memory near its limit of 1024 MiB: deep recursion?"),
    ],
)
def test_recursion_is_named_only_where_the_stack_can_have_been_at_its_limit(memory_mib: int, words: str) -> None:
    assert why(crash(signal=signal.SIGSEGV, memory_bytes=memory_mib * MIB), 1.0, 1024) == words


def test_what_a_checked_library_found_is_quoted_and_not_its_last_line() -> None:
    said = (
        "/usr/include/c++/12/debug/vector:442:\nIn function:\n    operator[](size_type)\n\n"
        "Error: attempt to subscript container with out-of-bounds index 2, but \n"
        "container only holds 2 elements.\n\nObjects involved:\n    sequence {\n    }\n"
    )
    wanted = (
        "Error: attempt to subscript container with out-of-bounds index 2, but container only holds 2 elements."
    )
    assert why(crash(said, signal=6), 1.0, 1024).endswith(wanted)


REPORT = """==2==ERROR: AddressSanitizer: {kind} on unknown address 0x603000000054 at pc 0x558c7f13851e
{access}    #0 0x7f460a6a8eec in __GI_abort stdlib/abort.c:79
    #1 0x558c7f13851c in std::vector<int, std::allocator<int> >::at(unsigned long) const /usr/include/c++/12/v.h:1194
    #2 0x558c7f13851d in get(std::vector<int> const&, int) my.cpp:3
    #3 0x7f9214a45249 in main my.cpp:9

allocated by thread T0 here:
    #0 0x558c7f13851d in main my.cpp:2
SUMMARY: AddressSanitizer: {kind} {place} in get
==2==ABORTING"""


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (REPORT.format(kind="heap-buffer-overflow", access="WRITE of size 4 at 0x603\n", place="my.cpp:3"),
         "heap-buffer-overflow, write of 4 bytes at my.cpp:3"),
        (REPORT.format(kind="heap-buffer-overflow", access="", place="v.h:2").replace(" my.cpp:3", " ./my.cpp:3:106"),
         "heap-buffer-overflow at my.cpp:3"),
        ("my.cpp:3: int main(): Assertion `n' failed.\nAddressSanitizer:DEADLYSIGNAL\n=====\n"
         + REPORT.format(kind="ABRT", access="", place="stdlib/abort.c:79"),
         "Assertion `n' failed (my.cpp:3)"),
        ("much\nSUMMARY: AddressSanitizer: stack-overflow my.cpp:7 in f\n==2==", "stack-overflow at my.cpp:7"),
        ("SUMMARY: AddressSanitizer: SEGV stdlib/x.c:7 in f\n==2==ABORTING", "SEGV"),
    ],
    ids=["access", "of Clang", "abort", "summary", "not one's own"],
)  # fmt: skip
def test_of_a_report_of_addresses_the_kind_and_the_own_line_are_quoted(said: str, words: str) -> None:
    assert why(crash(said, reason=Reason.EXIT_CODE, exit_code=1), 1.0, 1024) == f"exit code 1: {words}"
