"""A worker's folder is used again only while nothing has touched it."""

import os
import stat
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import pytest

from harness.build.executable import Executable
from harness.errors import HarnessError
from harness.files import untrusted
from harness.host.host import Host
from harness.package import Program
from harness.package.files import File
from harness.sandbox.facts import MIB, Sandbox

FILES = {
    "main.py": File(content=b"print(1)\n", origin=Path("main.py")),
    "inner/table": File(content=b"0", origin=Path("table")),
}


@pytest.fixture
def sandbox(host: Host) -> Sandbox:
    [sandbox] = {id(found): found for found in host.pool.in_order(lambda one, _: one, [0])}.values()
    if not sandbox.isolation.contained:
        pytest.skip("nothing is used again where runs are not contained")
    return sandbox


@pytest.fixture
def executable(host: Host, tmp_path: Path) -> Executable:
    folder = tmp_path / "program"
    (folder / "inner").mkdir(parents=True)
    for name, file in FILES.items():
        (folder / name).write_bytes(file.read())
    tmp_path.chmod(0o755)
    program = Program(path="accepted/main.py", files=FILES)
    language = host.builder.language(program)
    assert language is not None
    return Executable(program=program, language=language, directory=folder, argv=("/bin/true",))


def used(host: Host, executable: Executable, sandbox: Sandbox, touch: str = "") -> Path:
    """The folder of one run, which does this to it."""
    with host.boxes.box(executable, {}, sandbox, writable=True) as box:
        folder = box.executable.directory
        match touch:
            case "write":
                _undated(folder / "main.py", lambda path: path.write_bytes(b"print(2)\n"))
            case "write below":
                _undated(folder / "inner" / "table", lambda path: path.write_bytes(b"1"))
            case "new file":
                _undated(folder, lambda path: (path / "note").touch())
            case "new file, gone again":
                _undated(folder / "inner", lambda path: ((path / "note").touch(), (path / "note").unlink()))
            case "mode":
                (folder / "main.py").chmod(0o777)
            case "link":
                os.link(folder / "main.py", folder.with_name("linked"))
    return folder


def _undated(path: Path, change: object) -> None:
    """Do it as the owner can, and set mode and times back as far as a program can."""
    before = path.stat()
    path.chmod(before.st_mode | stat.S_IWUSR)
    change(path)  # type: ignore[operator]
    path.chmod(before.st_mode)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_an_untouched_folder_is_used_again(host: Host, executable: Executable, sandbox: Sandbox) -> None:
    assert used(host, executable, sandbox) == used(host, executable, sandbox)


@pytest.mark.parametrize("touch", ["write", "write below", "new file", "new file, gone again", "mode", "link"])
def test_a_touched_folder_is_not(host: Host, executable: Executable, sandbox: Sandbox, touch: str) -> None:
    first = used(host, executable, sandbox, touch)
    assert not first.exists()
    second = used(host, executable, sandbox)
    assert second != first


def test_a_folder_used_again_runs_what_is_asked_for_now(
    host: Host, executable: Executable, sandbox: Sandbox
) -> None:
    folder = used(host, executable, sandbox)
    language = replace(executable.language, environment={"MUTANT": "2"})
    mutant = replace(executable, language=language, argv=(f"{executable.directory}/main.py", "x"))
    with host.boxes.box(mutant, {}, sandbox, writable=True) as box:
        command = box.command(64 * MIB, ())
    assert (command.environment["MUTANT"], command.argv) == ("2", (f"{folder}/main.py", "x"))
    with host.boxes.box(executable, {}, sandbox, writable=True) as box:
        assert "MUTANT" not in box.command(64 * MIB, ()).environment


def test_a_run_that_failed_leaves_no_folder(host: Host, executable: Executable, sandbox: Sandbox) -> None:
    with (
        pytest.raises(HarnessError),
        host.boxes.box(executable, {}, sandbox, writable=True) as box,
    ):
        raise HarnessError("the run failed")
    assert not box.executable.directory.exists()


def test_nothing_in_a_kept_folder_can_be_written_as_it_stands(
    host: Host, executable: Executable, sandbox: Sandbox
) -> None:
    folder = used(host, executable, sandbox)
    modes = [path.stat().st_mode for path in folder.rglob("*")]
    assert not any(mode & 0o222 for mode in modes if stat.S_ISREG(mode))


def test_a_change_gets_a_later_time_than_all_that_is_there(
    host: Host, executable: Executable, sandbox: Sandbox
) -> None:
    with host.boxes.box(executable, {}, sandbox, writable=True) as box:
        newest_ns = max(mark.changed_ns for mark in box.before.values())
        assert time.clock_gettime_ns(5) > newest_ns


def test_folders_that_a_program_has_closed_are_looked_into_and_removed_by_an_ordinary_user() -> None:
    root = Path(tempfile.mkdtemp())
    owner = 65534 if os.geteuid() == 0 else os.geteuid()
    os.chown(root, owner, -1)
    before = os.geteuid()
    os.seteuid(owner)
    try:
        (root / "box" / "closed" / "inner").mkdir(parents=True)
        (root / "box" / "closed" / "inner" / "file").write_bytes(b"123")
        for folder in ("box/closed/inner", "box/closed", "box"):
            (root / folder).chmod(0)
        with pytest.raises(PermissionError):
            untrusted.marks(root / "box")
        untrusted.make_accessible(root / "box")
        assert any(mark.size == 3 for (_, name), mark in untrusted.marks(root / "box").items() if name == "file")
        untrusted.remove(root / "box")
        assert not (root / "box").exists()
    finally:
        os.seteuid(before)
        untrusted.remove(root)


def test_of_two_programs_the_later_has_the_folder(host: Host, executable: Executable, sandbox: Sandbox) -> None:
    other = executable.directory.with_name("other")
    executable.directory.rename(other)
    second = executable.moved(other)
    first = used(host, second, sandbox)
    (executable.directory / "inner").mkdir(parents=True)
    assert used(host, executable, sandbox) != first
    assert not first.exists()
