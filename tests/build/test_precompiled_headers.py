"""A precompiled header changes how long a compiler takes, and nothing else."""

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from harness.build import precompiled_headers
from harness.build.compiler import BuildLimits
from harness.build.executable import CompileFailure, Executable
from harness.build.languages import load_table
from harness.build.precompiled_headers import FIRST, Headers
from harness.errors import MachineError
from harness.host.host import Host, open_host
from harness.package import Program
from harness.package.files import File
from harness.sandbox.opening import IsolationMode, open_sandboxes

MAIN = "int main() {{ std::vector<int> v = {{3, 1}}; std::sort(v.begin(), v.end()); std::cout << v[0] + {0}; }}\n"
Build = Callable[[str], Executable | str]


def builder_of(host: Host) -> Build:
    def build(text: str) -> Executable | str:
        source = File(origin=Path("a.cpp"), content=text.encode())
        [built] = host.build_all([Program(path="a.cpp", files={"a.cpp": source})], BuildLimits())
        if isinstance(built, CompileFailure):
            return built.diagnostics
        assert isinstance(built, Executable), built
        return built

    return build


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Callable[[str], Host]]:
    """Hosts with caches of their own."""
    with contextlib.ExitStack() as stack:

        def make(name: str) -> Host:
            opened = open_host(
                open_sandboxes(IsolationMode.AUTO, 1),
                table=load_table(()),
                search_path=os.environ["PATH"],
                cache=tmp_path / name,
                as_other_user=os.geteuid() == 0,
            )
            return stack.enter_context(opened)

        yield make


def compiled(cache: Path) -> list[Path]:
    return list(cache.glob("headers/*/header.gch"))


def binary(built: Executable | str) -> bytes:
    assert isinstance(built, Executable), built
    return (built.directory / "program.bin").read_bytes()


def text(number: int, before: str = "") -> str:
    return f"{before}#include <bits/stdc++.h>\n{MAIN.format(number)}"


def test_one_that_is_made_changes_no_byte_of_the_result(
    fresh: Callable[[str], Host], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(precompiled_headers, "FIRST", 2)
    build, plain = builder_of(fresh("with")), builder_of(fresh("without"))
    build(text(1))
    assert not compiled(tmp_path / "with")
    commented = text(2, "// by me\n/* and *\n/ you */ ")
    found = [binary(build(commented)), binary(build(text(3)))]
    assert len(compiled(tmp_path / "with")) == 1
    assert found[0] == binary(plain(commented))
    assert not compiled(tmp_path / "without")


@pytest.mark.slow
def test_words_on_a_wrong_program_are_those_without_it(fresh: Callable[[str], Host], tmp_path: Path) -> None:
    build, plain = builder_of(fresh("with")), builder_of(fresh("without"))
    for number in range(FIRST):
        build(text(number))
    wrong = "#include <bits/stdc++.h>\nint main() { return std::nothing; }\n"
    assert "nothing" in str(build(wrong))
    assert build(wrong) == plain(wrong)
    assert compiled(tmp_path / "with")


@pytest.mark.slow
def test_one_that_is_broken_harms_nobody(fresh: Callable[[str], Host], tmp_path: Path) -> None:
    build = builder_of(fresh("broken"))
    build(text(0))
    [home] = (tmp_path / "broken" / "headers").iterdir()
    (home / "header.gch").write_bytes(b"gpch nonsense" * 1000)
    assert isinstance(build(text(1)), Executable)


def asked(
    before: str, folder: Path, host: Host, *, works: bool = True, stopped: bool = False
) -> list[Path | None]:
    """What FIRST + 1 programs that begin so are given, by a compiler that is none."""

    def compile_it(where: Path, _: Sequence[str]) -> bool:
        if stopped:
            raise MachineError("the compiler was stopped")
        (where / "header.gch").write_bytes(b"compiled")
        return works

    program = Program(path="a.cpp", files={"a.cpp": File(origin=Path("a.cpp"), content=text(1, before).encode())})
    headers = Headers(folder, host.stage)
    toolchain = host.builder.toolchain(load_table(())["cpp"])
    return [headers.folder_for(program, toolchain, compile_it) for _ in range(FIRST + 1)]


NONE = [None] * (FIRST + 1)


def test_it_is_made_when_enough_programs_asked_and_kept_for_each_after_that(host: Host, tmp_path: Path) -> None:
    *before, made, again = asked("// ours\n", tmp_path, host)
    assert before == [None] * (FIRST - 1)
    assert made is not None
    assert made == again
    assert (made / "bits/stdc++.h.gch").read_bytes() == b"compiled"


def test_one_that_cannot_be_made_is_not_tried_again(host: Host, tmp_path: Path) -> None:
    assert asked("", tmp_path, host, works=False) == NONE
    assert asked("", tmp_path, host) == NONE


def test_one_that_was_interrupted_is_tried_again(host: Host, tmp_path: Path) -> None:
    assert asked("", tmp_path, host, stopped=True) == NONE
    assert None not in asked("", tmp_path, host)


NOT_FIRST = (
    "#define int long long\n",
    "#pragma GCC optimize(3)\n",
    "int x;\n",
    "#if 0\n",
    "/* never ended\n",
    "/**/" * 2000 + "x\n",
)


@pytest.mark.parametrize("before", NOT_FIRST, ids=range(len(NOT_FIRST)))
def test_only_what_begins_with_the_header_asks_for_it(before: str, host: Host, tmp_path: Path) -> None:
    assert asked(before, tmp_path, host) == NONE
    assert not list(tmp_path.iterdir())
