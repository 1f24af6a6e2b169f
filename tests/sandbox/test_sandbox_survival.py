"""The judge survives what happens to it, and leaves nothing behind."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from harness.errors import MachineError
from harness.sandbox.contained import ContainedSandbox
from harness.sandbox.facts import MIB, Command, KillReason, Tier
from harness.sandbox.launcher import launcher_binary

from .conftest import LIMITS, Box, make_box, public_directory

ROOT = Path(__file__).parents[2]
SLEEPER = """
import sys
from pathlib import Path
from harness.sandbox.facts import Limits
from harness.sandbox.contained import ContainedSandbox
from harness.sandbox.facts import Command, Tier

sandbox = ContainedSandbox(Tier(sys.argv[1]))
print("ready", flush=True)
null = Path("/dev/null")
limits = Limits(cpu_s=1, wall_s=60, memory_bytes=1 << 28, output_bytes=1000)
shell = "/bin/sleep {0} & /bin/sleep {0}".format(sys.argv[2])
command = Command(argv=("/bin/sh", "-c", shell), directory=Path("/usr"))
sandbox.run(command, limits, stdin=null, stdout=null, stderr=null)
"""


def commands() -> list[str]:
    """The command lines of all processes."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(path.read_bytes().replace(b"\0", b" ").decode(errors="replace"))
        except OSError:
            continue
    return found


def wait_until(holds: object, timeout_s: float = 5.0) -> bool:
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        if holds():  # type: ignore[operator]
            return True
        time.sleep(0.02)
    return False


@pytest.fixture
def judge(sandbox: ContainedSandbox) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Another judge that runs two sleepers, and how long they sleep: a number that tells them from all others."""
    seconds = f"{5000 + os.getpid() % 1000}.{sandbox.isolation.tier[1:]}"
    argv = [sys.executable, "-c", SLEEPER, sandbox.isolation.tier.value, seconds]
    process = subprocess.Popen(argv, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    assert wait_until(lambda: commands().count(f"/bin/sleep {seconds} ") == 2)
    yield process, seconds
    process.kill()
    process.wait()
    process.stdout.close()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_nothing_outlives_the_judge(judge: tuple[subprocess.Popen[bytes], str], number: signal.Signals) -> None:
    process, seconds = judge
    process.send_signal(number)
    process.wait(10)
    assert wait_until(lambda: not any(f"sleep {seconds}" in line for line in commands()))


def test_nothing_outlives_the_launcher(
    judge: tuple[subprocess.Popen[bytes], str], sandbox: ContainedSandbox
) -> None:
    """Without a PID namespace the program dies with it, but its children can live on: the docs say so."""
    process, seconds = judge
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    os.kill(int(children[0]), signal.SIGKILL)
    process.wait(10)
    allowed = 0 if sandbox.isolation.tier is Tier.NAMESPACED else 2
    assert wait_until(lambda: sum(f"sleep {seconds}" in line for line in commands()) <= allowed)
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        if path.read_bytes() == f"/bin/sleep\0{seconds}\0".encode():
            os.kill(int(path.parent.name), signal.SIGKILL)


def test_a_program_that_fills_tmp_harms_nobody(namespaced: Box) -> None:
    fill = "dd if=/dev/urandom of=/tmp/a bs=1M count=200 2>/dev/null; dd if=/dev/urandom of=/tmp/b bs=1M count=200"
    facts = namespaced.run("/bin/sh", "-c", fill, limits=replace(LIMITS, output_bytes=500 * MIB)).facts
    assert facts.memory_bytes < 90 * MIB
    done = namespaced.run("/bin/sh", "-c", "ls /tmp/a; echo x > /tmp/a && cat /tmp/a")
    assert done.out == b"x\n"


def test_files_in_tmp_are_memory(namespaced: Box) -> None:
    limits = replace(LIMITS, memory_bytes=32 * MIB, output_bytes=500 * MIB)
    facts = namespaced.run("/bin/dd", "if=/dev/urandom", "of=/tmp/a", "bs=1M", "count=60", limits=limits).facts
    assert facts.killed_for is KillReason.MEMORY or facts.memory_bytes > 50 * MIB


def test_a_full_disk_is_the_machines_fault(box: Box) -> None:
    if os.geteuid() != 0:
        pytest.skip("mounting a small disk needs root")
    small = box.streams.parent / "small"
    small.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k", "small", small], check=True)
    try:
        command = Command(argv=("/bin/dd", "if=/dev/urandom", "bs=64k", "count=100"), directory=box.directory)
        with pytest.raises(MachineError, match="disk is full"):
            box.sandbox.run(
                command, LIMITS, stdin=Path("/dev/null"), stdout=small / "out", stderr=Path("/dev/null")
            )
    finally:
        subprocess.run(["umount", small], check=True)


@pytest.mark.parametrize("isolation", ["auto", "none"])
def test_a_folder_in_which_nothing_may_be_executed_is_named_with_its_mend(isolation: str) -> None:
    if os.geteuid() != 0:
        pytest.skip("mounting a disk needs root")
    package = ROOT / "tests" / "packages" / "judge_validator_in_cpp"
    command = [sys.executable, "-m", "harness", "judge", package, "--isolation", isolation]
    with public_directory() as folder:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "noexec", "noexec", folder], check=True)
        try:
            environment = {**os.environ, "TMPDIR": str(folder)}
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        finally:
            subprocess.run(["umount", folder], check=True)
    assert done.returncode == 2
    assert "its disk is mounted `noexec`: set TMPDIR to a folder on another one" in done.stderr


def test_no_compiler_is_said_with_its_mend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.sandbox.launcher.COMPILER_PATH", str(tmp_path))
    with pytest.raises(MachineError, match="apt install gcc"):
        launcher_binary(tmp_path / "cache")


def test_a_cache_that_others_can_write_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(0o777)
    with pytest.raises(MachineError, match="you alone"):
        launcher_binary(tmp_path / "cache")


def test_the_launcher_compiles_without_warnings(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    source = ROOT / "harness" / "sandbox" / "launcher.c"
    flags = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([compiler, *flags, "-o", tmp_path / "launcher", source], check=True)


def test_workers_run_as_different_users() -> None:
    if os.geteuid() != 0:
        pytest.skip("an ordinary user has one user id")
    seen = set()
    with ContainedSandbox(Tier.FILTERED, 0) as first, ContainedSandbox(Tier.FILTERED, 0) as second:
        for sandbox in (first, second):
            with public_directory() as root:
                seen.add(make_box(sandbox, root).run("/usr/bin/id", "-u").out)
    assert len(seen) == 2
    assert b"0\n" not in seen


def test_closing_wakes_a_thread_that_waits(sandbox: ContainedSandbox) -> None:
    """Ctrl-C in the main thread closes the sandboxes of all workers."""
    failures = []
    null = Path("/dev/null")
    other = ContainedSandbox(sandbox.isolation.tier)

    def work() -> None:
        try:
            command = Command(argv=("/bin/sleep", "50"), directory=Path("/usr"))
            other.run(command, LIMITS, stdin=null, stdout=null, stderr=null)
        except MachineError as error:
            failures.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.3)
    other.close()
    thread.join(5)
    assert not thread.is_alive()
    assert len(failures) == 1


def test_output_stays_readable_after_a_program_that_may_change_modes(box: Box) -> None:
    box.run("/bin/chmod", "0", "/proc/self/fd/1", writable_directory=True)
    assert (box.streams / "stdout").stat().st_mode & 0o777 == 0o644


def test_many_directories_leave_no_trace_in_the_root(namespaced: Box) -> None:
    """Mount points outside /tmp go with their mounts."""
    if os.geteuid() != 0:
        pytest.skip("making a directory in /var needs root")
    with tempfile.TemporaryDirectory(dir="/var", prefix="harness-test-") as name:
        Path(name).chmod(0o755)
        for index in range(3):
            folder = Path(name) / str(index)
            folder.mkdir(mode=0o755)
            done = namespaced.run("/usr/bin/test", "-d", str(folder), readable=(folder,))
            assert done.facts.exit_code == 0
        assert namespaced.run("/usr/bin/test", "-e", "/var").facts.exit_code == 1


def test_a_directory_that_was_made_anew_is_seen_anew(box: Box) -> None:
    """The mounts of the last run are kept only for the very same directory, not for one of the same name."""
    for text in (b"first", b"second"):
        shutil.rmtree(box.directory)
        box.directory.mkdir(mode=0o755)
        (box.directory / "file").write_bytes(text)
        assert box.run("/bin/cat", str(box.directory / "file")).out == text
