"""Judge programs in C++ start and compile faster by flags that change nothing else."""

import struct
from pathlib import Path

import pytest

from harness.build.compiler import BuildLimits
from harness.build.executable import Executable
from harness.build.judge_flags import judge_flags
from harness.host.host import Host
from harness.host.run_many import build_one
from harness.package import Program
from harness.package.files import File
from harness.package.headers import adapted
from harness.package.model import ProblemLimits

HELLO = "int main() { return 42; }\n"
# The dynamic loader has this name, the static library of C has not.
ONLY_DYNAMIC = 'extern "C" char _rtld_global;\nint main() { volatile char c = _rtld_global; return c * 0 + 42; }\n'
CHECKER = '#include "testlib.h"\nint main(int c, char **v) { registerTestlibCmd(c, v); quitf(_ok, ""); }\n'


def program(**sources: str) -> Program:
    files = {f"{name}.cpp": File(origin=Path(name), content=text.encode()) for name, text in sources.items()}
    return Program(path="check", files=files)


def is_dynamic(built: Executable) -> bool:
    """Whether the ELF file names an interpreter (a program header of type 3): the dynamic loader."""
    binary = (built.directory / "program.bin").read_bytes()
    (first,), (size, count) = struct.unpack_from("=Q", binary, 32), struct.unpack_from("=HH", binary, 54)
    return 3 in (struct.unpack_from("=I", binary, first + number * size)[0] for number in range(count))


def test_a_judge_program_is_linked_statically_and_a_submission_is_not(host: Host) -> None:
    [judge] = host.build_judge_programs([program(a=HELLO)], ProblemLimits())
    [submission] = host.build_all([program(a=HELLO)], BuildLimits())
    assert isinstance(submission, Executable)
    assert [is_dynamic(judge), is_dynamic(submission)] == [False, True]


def test_one_that_cannot_be_linked_statically_is_linked_as_ever(host: Host) -> None:
    [judge] = host.build_judge_programs([program(a=ONLY_DYNAMIC)], ProblemLimits())
    assert is_dynamic(judge)


@pytest.mark.parametrize(
    ("sources", "flags"),
    [
        ({"a": CHECKER}, ("-static", "-Wl,--gc-sections", "-fwhole-program")),
        ({"a": CHECKER, "b": "int other;"}, ("-static", "-Wl,--gc-sections")),
        ({"a": HELLO}, ("-static", "-Wl,--gc-sections")),
    ],
    ids=["testlib alone", "testlib and another source", "no testlib"],
)
def test_only_a_single_source_with_testlib_is_a_whole_program(
    sources: dict[str, str], flags: tuple[str, ...], host: Host
) -> None:
    language = host.judges.language(program(**sources))
    assert language is not None
    assert judge_flags(adapted(program(**sources)), host.judges.toolchain(language)) == flags


def test_a_judge_program_of_a_search_is_linked_as_it_is_elsewhere_unless_it_has_run_time_checks(
    host: Host,
) -> None:
    """The builder of a search is made from that for judge programs, with other flags: the server's, or checks."""
    hello = program(hello=HELLO)
    [plain] = host.build_judge_programs([hello], ProblemLimits())
    served = host.pool.alone(lambda sandbox, _: build_one(host.judges, hello, BuildLimits(), sandbox), None)
    assert is_dynamic(served.executable) == is_dynamic(plain)
    checked = host.judges.with_checks()
    language = checked.language(hello)
    assert language is not None
    assert judge_flags(hello, checked.toolchain(language)) == ()


def test_a_judge_program_in_c_is_linked_statically_too(host: Host) -> None:
    source = Program(path="check.c", files={"check.c": File(origin=Path("check.c"), content=HELLO.encode())})
    [judge] = host.build_judge_programs([source], ProblemLimits())
    assert not is_dynamic(judge)
