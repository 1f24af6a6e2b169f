"""Below T3 a program that may fork sends signals to its own run only, and to that as it would anywhere."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from sandbox.conftest import Box, make_box, public_directory

from harness.errors import MachineError
from harness.sandbox.contained import ContainedSandbox
from harness.sandbox.facts import Tier
from tiers.machines import Laboratory, kernel_abi, laboratory

PROGRAM = """
import ctypes, errno, os, signal, subprocess, sys, time

def tried(action):
    try:
        action()
    except OSError as error:
        return errno.errorcode[error.errno]
    return "done"

stranger, heard = int(sys.stdin.read()), []
signal.signal(signal.SIGUSR1, lambda *_: heard.append("heard"))
print("nobody else:", tried(lambda: os.kill(-1, 0)))
print("a stranger:", tried(lambda: os.kill(stranger, 0)), tried(lambda: os.kill(-stranger, 0)))
child = subprocess.Popen(["/bin/sleep", "100"])
print("a child:", tried(lambda: os.kill(child.pid, signal.SIGTERM)), child.wait())
print("a reaped one:", tried(lambda: os.kill(child.pid, signal.SIGTERM)))
child = subprocess.Popen(["/bin/sleep", "100"], start_new_session=True)
print("its group:", tried(lambda: os.killpg(child.pid, signal.SIGKILL)), child.wait())
child = subprocess.Popen(["/bin/sleep", "100"])
print("all:", tried(lambda: os.kill(-1, signal.SIGINT)), child.wait(), heard)
print("itself:", tried(lambda: os.kill(os.getpid(), signal.SIGUSR1)), heard)
print("its thread:", tried(lambda: signal.raise_signal(signal.SIGUSR1)), heard)
print("own group:", tried(lambda: os.kill(0, signal.SIGUSR1)), heard)
print("own group by number:", tried(lambda: os.killpg(os.getpgrp(), signal.SIGUSR1)), end=" ")
deadline = time.monotonic() + 20
while len(heard) < 4 and time.monotonic() < deadline:
    time.sleep(0.01)
print(heard)
child = subprocess.Popen([sys.executable, "-c", "import os; os.abort()"])
print("a child aborts:", child.wait())
libc = ctypes.CDLL(None, use_errno=True)
number = 317 if os.uname().machine == "x86_64" else 277
print("a listener:", libc.syscall(number, 1, 8, None), errno.errorcode[ctypes.get_errno()])
"""
SAID = """nobody else: ESRCH
a stranger: ESRCH ESRCH
a child: done -15
a reaped one: ESRCH
its group: done -9
all: done -2 []
itself: done ['heard']
its thread: done ['heard', 'heard']
own group: done ['heard', 'heard', 'heard']
own group by number: done ['heard', 'heard', 'heard', 'heard']
a child aborts: -6
a listener: -1 ENOSYS
"""
TIERS = [(Tier.NAMESPACED, 0), (Tier.NAMESPACED, 7), (Tier.LOCKED, 1), (Tier.LOCKED, 5), (Tier.FILTERED, 0)]


@pytest.fixture(scope="module")
def lab() -> Iterator[Laboratory]:
    with laboratory() as opened:
        yield opened


@pytest.fixture(params=TIERS, ids=lambda given: f"{given[0]}-abi{given[1]}")
def box(request: pytest.FixtureRequest, lab: Laboratory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Box]:
    tier, abi = request.param
    if abi > kernel_abi():
        pytest.skip(f"this kernel has Landlock ABI {kernel_abi()}")
    monkeypatch.setattr("harness.sandbox.contained.launcher_binary", lambda cache=None: lab.launcher(abi))
    try:
        sandbox = ContainedSandbox(tier)
    except MachineError as error:
        pytest.skip(str(error))
    with sandbox, public_directory() as root:
        yield make_box(sandbox, root)


@pytest.mark.sampled(3)
def test_signals_reach_the_own_run_as_anywhere_and_nobody_else(box: Box) -> None:
    server = box.sandbox._server
    assert server is not None
    user = {"user": server.uid, "group": server.uid, "extra_groups": ()} if server.uid else {}
    python = Path("/usr/bin/python3")
    if not python.exists():
        pytest.skip("no /usr/bin/python3")
    (box.directory / "signals.py").write_text(PROGRAM)
    with subprocess.Popen(["/bin/sleep", "100"], start_new_session=True, **user) as stranger:  # type: ignore[call-overload]
        done = box.run(python, "signals.py", stdin=str(stranger.pid).encode())
        stranger.kill()
    assert (done.out.decode(), done.err.decode()) == (SAID, "")
