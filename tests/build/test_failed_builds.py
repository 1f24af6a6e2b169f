"""A program that does not compile is compiled once in a process, unless a limit stopped the compiler."""

from pathlib import Path

import pytest

from conftest import host_with
from harness.build import builder
from harness.build.compiler import BuildLimits
from harness.build.executable import CompileFailure, Executable
from harness.build.source_files import unknown_language
from harness.errors import UsageError
from harness.host.host import Host
from harness.host.run_many import Runnable, build_one
from harness.package import Program
from harness.package.files import File
from harness.sandbox.facts import RunResult


def program_of(source: bytes) -> Program:
    return Program(path="a.c", files={"a.c": File(origin=Path("a.c"), content=source)})


def counted_runs(monkeypatch: pytest.MonkeyPatch) -> list[RunResult]:
    """The runs of a compiler from now on."""
    runs: list[RunResult] = []
    run_compiler = builder.run_compiler

    def counted(*arguments: object) -> RunResult:
        runs.append(run_compiler(*arguments))  # type: ignore[arg-type]
        return runs[-1]

    monkeypatch.setattr(builder, "run_compiler", counted)
    return runs


@pytest.mark.parametrize("content", [b"\x7fELF\x02", b"MZ\x90"])
def test_a_compiled_program_among_submissions_asks_for_its_source(content: bytes) -> None:
    program = Program(path="accepted/old", files={"old": File(origin=Path("old"), content=content)})
    assert "no language for old: a compiled program: put its source in its place" in unknown_language(program, {})


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
    runs, program = counted_runs(monkeypatch), program_of(source)
    [first] = host.build_all([program], limits)
    assert isinstance(first, CompileFailure)
    needed = len(runs)
    [second] = host.build_all([program], limits)
    assert isinstance(second, CompileFailure)
    assert needed > 0 and len(runs) == (2 * needed if again else needed)


def served(host: Host, program: Program, limits: BuildLimits | None = None) -> Runnable:
    """Build a program as a search does."""
    return host.pool.alone(
        lambda sandbox, each: build_one(host.builder, each, limits or BuildLimits(), sandbox), program
    )


def test_a_search_compiles_what_does_not_compile_once_not_again_without_its_server(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = served(host, program_of(b"int main(void) { return 0; }\n"))
    if not right.serves:
        pytest.skip("no servers on this tier")
    runs, program = counted_runs(monkeypatch), program_of(b"int main(void) { return nothing; }\n")
    with pytest.raises(UsageError, match="nothing"):
        served(host, program)
    assert len(runs) == 1


@pytest.mark.parametrize(
    ("content", "begin"),
    [
        (b"if 1:\n\tprint(1)\n        print(2)\n", "TabError: inconsistent use of tabs and spaces"),
        (b"print(1)\0\n", ("ValueError: ", "SyntaxError: ")),  # of Python before and from 3.12
    ],
)
def test_an_error_of_python_begins_without_its_apology(
    host: Host, content: bytes, begin: str | tuple[str, ...]
) -> None:
    source = File(origin=Path("a.py"), content=content)
    program = Program(path="a.py", files={"a.py": source})
    [(_, failed)] = host.pool.each(lambda sandbox, one: host.builder.build(one, BuildLimits(), sandbox), [program])
    assert isinstance(failed, CompileFailure)
    assert failed.diagnostics.lstrip().startswith(begin)


def test_what_only_the_server_prevents_is_built_without_it(host: Host) -> None:
    """It defines the function that the linker is to put in the place of `main`."""
    program = program_of(b"int __wrap_main(void) { return 1; }\nint main(void) { return 0; }\n")
    built = served(host, program)
    assert not built.serves


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("old.c", b"int restrict = 0;\nint main(void) { return restrict; }\n"),
        (
            "names.cpp",
            b"#include <bits/stdc++.h>\nint close[100], read;\nint main() { return close[0] + read; }\n",
        ),
    ],
    ids=["of 1989", "names of the system"],
)
def test_what_only_a_retry_compiles_is_built_for_a_search_although_the_server_is_newer(
    host: Host, name: str, source: bytes
) -> None:
    program = Program(path=name, files={name: File(origin=Path(name), content=source)})
    built = served(host, program, BuildLimits(older_dialects=True))
    assert built.executable.argv


def test_a_program_that_compiles_only_with_changes_is_taken_from_the_cache_by_the_next_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = Program(
        path="a.cpp",
        files={"a.cpp": File(origin=Path("a.cpp"), content=b"int main() { std::string a; return a.size(); }\n")},
    )

    def built_anew() -> Executable:
        """As another process builds it, with the same cache."""
        with host_with(tmp_path / "cache", workers=1) as other:
            [built] = other.build_all([program], BuildLimits(older_dialects=True))
        assert isinstance(built, Executable)
        return built

    first, runs = built_anew(), counted_runs(monkeypatch)
    again = built_anew()
    assert not runs
    assert "#include <string>" in again.mended and again.mended == first.mended
