"""Every room builds the submissions of a package by the same rules."""

from dataclasses import replace
from pathlib import Path

from conftest import DOUBLE
from harness.build.executable import CompileFailure, Executable
from harness.host.host import Host
from harness.package import Program
from harness.package.files import File
from harness.package.load import load

OLD = b"int half(int n) throw(int) { return n / 2; }\nint main() { return half(0); }\n"  # no C++ since 2017


def test_submissions_of_an_older_package_may_be_in_older_dialects(host: Host) -> None:
    program = Program(path="accepted/old.cpp", files={"old.cpp": File(origin=Path("old.cpp"), content=OLD)})
    package = load(DOUBLE)
    [today] = host.build_submissions(replace(package, older_dialects=False), [program])
    [older] = host.build_submissions(replace(package, older_dialects=True), [program])
    assert isinstance(today, CompileFailure)
    assert isinstance(older, Executable)
