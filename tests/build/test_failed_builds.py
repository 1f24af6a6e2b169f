"""A program that does not compile is compiled once in a process, unless a limit stopped the compiler."""

from pathlib import Path

import pytest

from harness.build import builder
from harness.build.compiler import BuildLimits
from harness.build.model import CompileFailure
from harness.host.host import Host
from harness.package import Program
from harness.package.files import File
from harness.sandbox.facts import RunResult


@pytest.mark.parametrize(
    ("source", "limits", "again"),
    [
        (b"int main(void) { return\n", BuildLimits(), False),
        (b"#if 1\n#include __FILE__\n#endif\nint main(void) {}\n", BuildLimits(), False),
        (b'#include "/dev/zero"\n', BuildLimits(time_s=0.2), True),
    ],
)
def test_what_does_not_compile_is_compiled_once(
    source: bytes, limits: BuildLimits, again: bool, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[RunResult] = []
    run_compiler = builder.run_compiler

    def counted(*arguments: object) -> RunResult:
        runs.append(run_compiler(*arguments))  # type: ignore[arg-type]
        return runs[-1]

    monkeypatch.setattr(builder, "run_compiler", counted)
    program = Program(path="a.c", files={"a.c": File(origin=Path("a.c"), content=source)})
    [first] = host.build_all([program], limits)
    assert isinstance(first, CompileFailure)
    needed = len(runs)
    [second] = host.build_all([program], limits)
    assert isinstance(second, CompileFailure)
    assert needed > 0 and len(runs) == (2 * needed if again else needed)
