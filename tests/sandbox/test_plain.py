"""Tier T0: limits hold and facts are right, though nothing is isolated."""

import os
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from harness.errors import MachineError
from harness.sandbox.facts import DEFAULT_STACK_BYTES, MIB, Command, KillReason, Limits, RunResult
from harness.sandbox.plain import PlainSandbox

from .conftest import stack_limit_of_the_judge, twenty_rivals

PYTHON = "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable
LIMITS = Limits(cpu_s=1.0, wall_s=3.0, memory_bytes=256 * MIB, output_bytes=MIB)


@pytest.fixture
def sandbox() -> Iterator[PlainSandbox]:
    opened = PlainSandbox()
    yield opened
    opened.close()


def run(sandbox: PlainSandbox, work: Path, code: str, limits: Limits = LIMITS) -> RunResult:
    work.chmod(0o755)
    command = Command(argv=(PYTHON, "-S", "-c", code), directory=Path("/"))
    return sandbox.run(command, limits, stdin=Path("/dev/null"), stdout=work / "out", stderr=work / "err")


@pytest.mark.parametrize(
    ("code", "killed_for"),
    [
        ("while True: pass", KillReason.CPU),
        ("import time; time.sleep(60)", KillReason.WALL),
        ("while True: print('x' * 100000)", KillReason.OUTPUT),
        ("import os\nos.fork() or any(iter(int, 1))\nos.wait()", KillReason.CPU),
    ],
)
def test_limit_ends_the_run_and_is_named(
    code: str, killed_for: KillReason, sandbox: PlainSandbox, tmp_path: Path
) -> None:
    assert run(sandbox, tmp_path, code).killed_for is killed_for


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process shows its memory whatever its threads do")
def test_memory_is_seen_though_the_first_thread_has_left(sandbox: PlainSandbox, tmp_path: Path) -> None:
    code = """
import ctypes, os, platform, threading, time
def take():
    while open(f"/proc/{os.getpid()}/stat").read().rpartition(")")[2].split()[0] != "Z": time.sleep(0.01)
    taken = bytearray(b"1" * (100 << 20))
    time.sleep(2)
    os._exit(len(taken) == 0)
for _ in range(2):
    if os.fork() == 0:
        threading.Thread(target=take).start()
        ctypes.CDLL(None).syscall(60 if platform.machine() == "x86_64" else 93, 0)
os.wait(), os.wait()
"""
    limits = replace(LIMITS, memory_bytes=160 * MIB, cpu_s=20.0, wall_s=30.0)
    facts = run(sandbox, tmp_path, code, limits)
    assert facts.killed_for is KillReason.MEMORY, (tmp_path / "err").read_text()


def test_the_stack_is_not_what_the_judge_s_shell_allows(sandbox: PlainSandbox, tmp_path: Path) -> None:
    with stack_limit_of_the_judge(512 * MIB):
        run(sandbox, tmp_path, "import resource; print(resource.getrlimit(resource.RLIMIT_STACK)[0])")
    assert int((tmp_path / "out").read_text()) == DEFAULT_STACK_BYTES


@pytest.mark.slow
def test_starved_program_is_not_taken_for_a_sleeper(sandbox: PlainSandbox, tmp_path: Path) -> None:
    code = "import time\nwhile time.process_time() < 0.3: pass"
    with twenty_rivals():
        result = run(sandbox, tmp_path, code, replace(LIMITS, wall_s=1.0))
    assert result.killed_for is None
    assert result.wall_s > 1.5, "it was not starved, so nothing is shown"


def test_shared_memory_over_the_limit_is_named(sandbox: PlainSandbox, tmp_path: Path) -> None:
    """With CPU time to spare, for on a loaded machine fresh pages can cost seconds."""
    code = "import mmap\nm = mmap.mmap(-1, 1 << 30)\nfor i in range(0, 1 << 30, 4096): m[i] = 1"
    limits = replace(LIMITS, cpu_s=60.0, wall_s=120.0)
    assert run(sandbox, tmp_path, code, limits).killed_for is KillReason.MEMORY


def test_facts_of_a_good_run(sandbox: PlainSandbox, tmp_path: Path) -> None:
    result = run(sandbox, tmp_path, "import sys; sys.stdout.write('abc'); sys.stderr.write('de'); sys.exit(7)")
    assert (result.exit_code, result.signal, result.killed_for, result.output_bytes) == (7, None, None, 5)
    assert (tmp_path / "out").read_bytes() == b"abc"
    assert 0 <= result.cpu_s < LIMITS.cpu_s


def test_environment_is_what_was_given_and_no_more(sandbox: PlainSandbox, tmp_path: Path) -> None:
    run(sandbox, tmp_path, "import os; print(sorted(set(os.environ) - {'LC_CTYPE'}))")
    assert (tmp_path / "out").read_text() == "[]\n"


def test_background_child_is_gone_after_the_run(sandbox: PlainSandbox, tmp_path: Path) -> None:
    run(sandbox, tmp_path, "import os, time\npid = os.fork()\nif pid: print(pid)\nelse: time.sleep(60)")
    pid = int((tmp_path / "out").read_text())
    # It has been killed; whose child it is by now may take a moment to notice.
    left = [psutil.Process(pid)] if psutil.pid_exists(pid) else []
    still_there = psutil.wait_procs(left, timeout=10)[1]
    assert all(process.status() == psutil.STATUS_ZOMBIE for process in still_there)


def test_program_that_is_not_there_is_the_machine_s_error(sandbox: PlainSandbox, tmp_path: Path) -> None:
    command = Command(argv=("/no/such/program",), directory=Path("/"))
    with pytest.raises(MachineError, match=r"could not run /no/such/program: .*No such file"):
        sandbox.run(command, LIMITS, stdin=Path("/dev/null"), stdout=tmp_path / "out", stderr=tmp_path / "err")


@pytest.mark.skipif(os.geteuid() != 0, reason="programs run as another user only under root")
def test_a_folder_that_the_programs_user_cannot_enter_is_the_machine_s_error(
    sandbox: PlainSandbox, tmp_path: Path
) -> None:
    tmp_path.chmod(0o700)
    null = Path("/dev/null")
    command = Command(argv=(PYTHON, "-S", "-c", ""), directory=tmp_path)
    with pytest.raises(MachineError, match="Permission denied"):
        sandbox.run(command, LIMITS, stdin=null, stdout=tmp_path / "out", stderr=tmp_path / "err")


def test_nothing_runs_any_more_when_the_sandbox_has_been_closed(sandbox: PlainSandbox) -> None:
    command = Command(argv=(PYTHON, "-S", "-c", "import time; time.sleep(60)"), directory=Path("/"))
    before = set(psutil.Process().children())
    with Path("/dev/null").open("r+b") as null:
        streams = {"stdin": null.fileno(), "stdout": null.fileno(), "stderr": null.fileno()}
        sandbox.start(command, LIMITS, **streams)
    [sleeper] = set(psutil.Process().children()) - before
    sandbox.close()
    assert not sleeper.is_running()


def test_waiting_again_closes_no_file_of_another(sandbox: PlainSandbox) -> None:
    with Path("/dev/null").open("r+b") as null:
        streams = {"stdin": null.fileno(), "stdout": null.fileno(), "stderr": null.fileno()}
        command = Command(argv=(PYTHON, "-S", "-c", ""), directory=Path("/"))
        running = sandbox.start(command, LIMITS, **streams)
        number = running.fileno()
        first = running.wait()
        os.dup2(null.fileno(), number)
        assert running.wait() is first
        os.close(number)  # it is still open


def test_close_from_another_thread_ends_the_run(sandbox: PlainSandbox, tmp_path: Path) -> None:
    timer = threading.Timer(0.5, sandbox.close)
    timer.start()
    result = run(sandbox, tmp_path, "import time; time.sleep(60)", Limits(**{**LIMITS.__dict__, "wall_s": 30.0}))
    assert result.killed_for is KillReason.REQUEST
