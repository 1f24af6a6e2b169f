"""Where tools are found, and what of their installation programs may read."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from conftest import judge_file, reachable
from harness.build.languages import Language, checked
from harness.build.source_files import with_extensions
from harness.build.toolchains import find_toolchain
from harness.host.host import open_host
from harness.package import Program
from harness.package.files import File
from harness.package.load import load
from harness.results.verdict import Verdict
from harness.sandbox.opening import IsolationMode, open_sandboxes

DOUBLE = Path(__file__).parents[1] / "packages" / "double"
SHELL = Path("/bin/sh").resolve()


def shell(**changes: object) -> Language:
    return Language(code="other", name="Other", run=("{tool}", "{source}"), tools={"tool": ("tool",)}, **changes)  # type: ignore[arg-type]


def placed(path: Path, content: str | Path = SHELL) -> Path:
    """A file that can be executed: a copy of another one, or a text."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, Path):
        shutil.copyfile(content, path)
    else:
        path.write_text(content)
    path.chmod(0o755)
    return path


def found(folder: Path) -> tuple[Path, tuple[str, ...]]:
    toolchain = find_toolchain(shell(), search_path=str(folder), as_other_user=False)
    return toolchain.paths["tool"], toolchain.language.readable


def test_tool_outside_the_system_brings_its_installation(tmp_path: Path) -> None:
    real = placed(tmp_path / "cache" / "tool-1.0" / "bin" / "tool-1")
    link = tmp_path / "path" / "tool"
    link.parent.mkdir()
    link.symlink_to(real)
    assert found(link.parent) == (real, (str(tmp_path / "cache" / "tool-1.0"),))


@pytest.mark.parametrize("whose", ["ours", "another's"])
def test_a_home_is_never_shown_for_a_tool_in_it(
    whose: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    me = os.getuid()
    if whose == "another's":  # sudo with a tool of whoever called it
        monkeypatch.setattr(os, "getuid", lambda: me + 1)
    monkeypatch.setattr("harness.build.toolchains._home", lambda uid: tmp_path if uid == me else None)
    for folder in (tmp_path / "bin", tmp_path / ".local" / "bin", tmp_path / ".cargo" / "bin", tmp_path):
        tool = placed(folder / "tool")
        assert found(folder) == (tool, (str(tool),))
    tool = placed(tmp_path / ".nvm" / "v20" / "bin" / "tool")
    assert found(tool.parent) == (tool, (str(tmp_path / ".nvm" / "v20"),))


def test_tool_of_the_system_needs_nothing() -> None:
    language = Language(code="sh", name="Shell", run=("{sh}", "{source}"), tools={"sh": ("sh",)})
    assert find_toolchain(language, search_path="/usr/bin", as_other_user=False).language.readable == ()


def test_rust_is_what_rustup_starts(tmp_path: Path) -> None:
    real = placed(tmp_path / "toolchains" / "stable" / "bin" / "tool")
    asked = f'#!/bin/sh\n[ "$1 $2" = "which tool" ] && echo {real}\n'
    rustup = placed(tmp_path / "bin" / "rustup", asked)
    (rustup.parent / "tool").symlink_to(rustup)
    assert found(rustup.parent) == (real, (str(tmp_path / "toolchains" / "stable"),))


@pytest.mark.parametrize("copied", [False, True], ids=["link", "copy"])
def test_python_of_a_virtual_environment_is_the_one_it_was_made_of(copied: bool, tmp_path: Path) -> None:
    base = placed(tmp_path / "base" / "bin" / "python3")
    inside = tmp_path / "venv" / "bin" / "python3"
    inside.parent.mkdir(parents=True)
    if copied:
        placed(inside)
    else:
        inside.symlink_to(base)
    (tmp_path / "venv" / "pyvenv.cfg").write_text(f"home = {base.parent}\nversion = 3.11.7\n")
    language = Language(code="py", name="Python", run=("{python}",), tools={"python": ("python3",)})
    toolchain = find_toolchain(language, search_path=str(inside.parent), as_other_user=False)
    assert toolchain.paths["python"] == base
    assert toolchain.language.readable == (str(tmp_path / "base"),)


def test_program_runs_with_a_tool_that_reads_its_own_installation(tmp_path: Path) -> None:
    reachable(tmp_path)
    placed(tmp_path / "tool-1.0" / "bin" / "tool")
    (tmp_path / "tool-1.0" / "factor").write_text("2\n")
    source = tmp_path / "main.other"
    source.write_text(f"read n; read factor < {tmp_path}/tool-1.0/factor; echo $((n * factor))\n")
    with open_host(
        open_sandboxes(IsolationMode.AUTO, 1),
        table=checked({"other": shell(extensions=(".other",))}),
        search_path=str(tmp_path / "tool-1.0" / "bin"),
        cache=tmp_path / "cache",
        as_other_user=os.geteuid() == 0,
    ) as host:
        result = judge_file(load(DOUBLE), source, host)
    assert result.verdict.value == "AC", result


@pytest.mark.parametrize("with_checks", [False, True])
def test_checks_whose_libraries_are_missing_are_no_fault_of_the_program(with_checks: bool, tmp_path: Path) -> None:
    reachable(tmp_path)
    source = tmp_path / "my.cpp"
    source.write_text("echo '/usr/bin/ld: cannot find -lasan: No such file' >&2; exit 1")
    row = shell(extensions=(".cpp",), compile=(("/bin/sh", "{source}"),))
    table = {"cpp": replace(row, code="cpp", tools={}, run=("/bin/sh", "{source}"))}
    table = checked(table) if with_checks else table
    with open_host(
        open_sandboxes(IsolationMode.AUTO, 1),
        table=table,
        search_path="/bin",
        cache=tmp_path / "cache",
        as_other_user=os.geteuid() == 0,
    ) as host:
        result = judge_file(load(DOUBLE), source, host)
    if with_checks:
        assert (result.verdict, "dnf install libasan" in result.message) == (Verdict.SKIPPED, True)
    else:
        assert result.verdict is Verdict.COMPILE_ERROR


@pytest.mark.parametrize("names", [("solution",), ("solution.txt",), ("solution", "more", "notes.md")], ids=len)
def test_a_language_that_is_said_ends_the_names_of_its_files(names: tuple[str, ...]) -> None:
    row = Language(code="cpp", name="C++", run=("{binary}",), extensions=(".cpp", ".cc"))
    program = Program(
        path="p", files={name: File(origin=Path(name), content=b"") for name in names}, language="cpp"
    )
    ended = [f"{name}.cpp" for name in names if name != "notes.md"]
    assert list(with_extensions(program, row).files) == ended + ["notes.md"] * ("notes.md" in names)
    own = replace(program, files={**program.files, "main.cc": File(origin=Path("main.cc"), content=b"")})
    assert with_extensions(own, row) is own
