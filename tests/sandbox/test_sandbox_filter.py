"""The seccomp filters: their numbers are the kernel's, on both machines, and they decide as the table says."""

import errno
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

import harness.sandbox
from harness.sandbox.launcher import launcher_binary

TABLE = Path(harness.sandbox.__file__).parent / "syscalls.h"
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
ALLOW, KILL, ERRNO, ASK_KEEPER = 0x7FFF0000, 0x80000000, 0x00050000, 0x7FC00000
NO_FORK, SUBMISSION, ATTRIBUTES, SIGNALS, TRUNCATE, ASK = 1, 2, 4, 8, 16, 32
OWN_PID = 4321
# younger than the headers of Debian 12; the kernel gives new calls the same number on every machine
YOUNG = {
    "cachestat": 451, "fchmodat2": 452, "statmount": 457, "listmount": 458, "memfd_secret": 447, "mseal": 462,
}  # fmt: skip

Rule = tuple[int, int, int, int]


def table() -> list[tuple[str, int, int]]:
    rows = re.findall(r"^[A-Z]+\((\w+), (-?\d+), (-?\d+), \w+\)$", TABLE.read_text(), re.MULTILINE)
    assert len(rows) > 120
    return [(name, int(x86), int(arm)) for name, x86, arm in rows]


@pytest.mark.parametrize(("machine", "column"), [("x86_64", 1), ("aarch64", 2)])
def test_numbers_are_the_kernels(machine: str, column: int) -> None:
    if not HEADERS[machine].exists():
        pytest.skip(f"{HEADERS[machine]} is not installed: apt install linux-libc-dev")
    text = HEADERS[machine].read_text()
    # asm-generic names some after their 64-bit twin: __NR3264_fcntl
    numbers = {name: int(number) for name, number in re.findall(r"__NR(?:3264)?_(\w+)\s+(\d+)", text)}
    for row in table():
        expected = numbers.get(row[0], YOUNG.get(row[0], -1))
        assert row[column] == expected, row[0]


def filters(machine: str, parts: int) -> tuple[list[Rule], list[Rule]]:
    """The worker's and the run's filter, as the launcher builds them."""
    command = [str(launcher_binary()), "--dump-filter", machine, str(parts), str(OWN_PID)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    worker, run = text.strip().split("\n\n")
    return rules(worker), rules(run)


def rules(text: str) -> list[Rule]:
    found = []
    for line in text.splitlines():
        code, jt, jf, k = map(int, line.split())
        found.append((code, jt, jf, k))
    return found


def decide(program: list[Rule], machine: str, number: int, arguments: Sequence[int] = ()) -> int:
    """What the kernel would answer: an interpreter of the few BPF instructions that we use."""
    words = {0: number, 4: AUDIT_ARCH[machine]}
    for index, argument in enumerate((*arguments, 0, 0, 0, 0, 0, 0)[:6]):
        words[16 + 8 * index] = argument & 0xFFFFFFFF
        words[20 + 8 * index] = argument >> 32 & 0xFFFFFFFF
    accumulator, at = 0, 0
    while True:
        code, jt, jf, k = program[at]
        at += 1
        if code == 0x20:
            accumulator = words[k]
        elif code == 0x06:
            return k
        elif code == 0x05:
            at += k
        elif code == 0x54:
            accumulator &= k
        else:
            holds = {0x15: accumulator == k, 0x35: accumulator >= k, 0x45: bool(accumulator & k)}[code]
            at += jt if holds else jf


def number_of(name: str, machine: str) -> int:
    return next(row[1 if machine == "x86_64" else 2] for row in table() if row[0] == name)


EPERM, ENOSYS = ERRNO | errno.EPERM, ERRNO | errno.ENOSYS
# call, arguments, the worker's answer
WORKER = [
    ("ptrace", (), EPERM), ("bpf", (), EPERM), ("io_uring_setup", (), ENOSYS), ("clone3", (), ENOSYS),
    ("socket", (1, 1, 0), EPERM), ("socket", (16, 3, 0), EPERM), ("socket", (40, 1, 0), EPERM),
    ("socketpair", (1, 1), ALLOW), ("socketpair", (1, 1 | 0o2000000), ALLOW), ("socketpair", (1, 5), ALLOW),
    ("socketpair", (1, 2), EPERM), ("socketpair", (30, 1), EPERM),
    ("clone", (0x3D0F00,), ALLOW), ("clone", (17,), ALLOW), ("clone", (0x10000000 | 17,), EPERM),
    ("clone", (0x00020000,), EPERM), ("clone", (0x40000000,), EPERM),
    ("prlimit64", (0,), ALLOW), ("prlimit64", (1,), EPERM), ("setpriority", (0, 0), ALLOW),
    ("setpriority", (2, 0), EPERM), ("setpriority", (0, 7), EPERM),
    ("fcntl", (0, 1), ALLOW), ("fcntl", (0, 8), EPERM), ("fcntl", (0, 10), EPERM), ("fcntl", (0, 15), EPERM),
    ("ioctl", (0, 0x5401), ALLOW), ("ioctl", (0, 0x5421), ALLOW), ("ioctl", (0, 0x5412), ERRNO | errno.ENOTTY),
    ("ioctl", (0, 0x40305828), ERRNO | errno.ENOTTY), ("sync", (), ERRNO),
    ("setsockopt", (3, 1, 7), EPERM), ("setsockopt", (3, 1, 20), ALLOW),
    ("fchmod", (1, 0o755), ALLOW), ("fchmod", (1, 0o4755), EPERM), ("fchmodat", (0, 0, 0o2755), EPERM),
    ("mmap", (0, 1, 3, 0x22), ALLOW), ("mmap", (0, 1, 3, 0x40021), ERRNO | errno.ENOMEM), ("io_setup", (), ENOSYS),
    ("vmsplice", (), EPERM), ("madvise", (0, 1, 4), ALLOW), ("madvise", (0, 1, 21), ERRNO | errno.EINVAL),
    ("mount", (), ALLOW), ("unshare", (), ALLOW), ("fallocate", (), ERRNO | errno.EOPNOTSUPP),
]  # fmt: skip
# parts, call, arguments, the run's answer
RUN = [
    (0, "mount", (), EPERM), (0, "unshare", (), EPERM), (0, "setns", (), EPERM), (0, "open_tree", (), EPERM),
    (0, "mount_setattr", (), EPERM), (0, "clone", (17,), ALLOW), (0, "kill", (1, 9), ALLOW),
    (0, "setrlimit", (4, 1), EPERM), (0, "setrlimit", (3, 1), ALLOW),
    (0, "prlimit64", (0, 4, 1), EPERM), (0, "prlimit64", (0, 4, 0), ALLOW), (0, "prlimit64", (0, 3, 1), ALLOW),
    (NO_FORK, "clone", (17,), EPERM), (NO_FORK, "clone", (0x3D0F00,), ALLOW),
    (0, "rt_sigaction", (17, 1), ALLOW), (SUBMISSION, "rt_sigaction", (17, 1), ERRNO),
    (SUBMISSION, "rt_sigaction", (17, 0), ALLOW), (SUBMISSION, "rt_sigaction", (2, 1), ALLOW),
    (SUBMISSION, "mmap", (0, 1, 3, 0x21), EPERM), (SUBMISSION, "mmap", (0, 1, 3, 0x23), EPERM),
    (SUBMISSION, "mmap", (0, 1, 3, 0x22), ALLOW), (SUBMISSION, "mmap", (0, 1, 1, 0x01), ALLOW),
    (ATTRIBUTES, "fchmod", (1, 0o600), EPERM), (ATTRIBUTES, "utimensat", (), EPERM),
    (SIGNALS, "kill", (OWN_PID, 9), ALLOW), (SIGNALS, "kill", (OWN_PID + 1, 9), EPERM),
    (SIGNALS, "kill", (2**32 - 1, 9), EPERM), (SIGNALS, "kill", (0, 9), EPERM), (SIGNALS, "tkill", (1, 9), EPERM),
    (0, "pidfd_send_signal", (), EPERM), (0, "seccomp", (), ENOSYS),
    (ASK, "kill", (OWN_PID, 9), ASK_KEEPER), (ASK, "kill", (2**32 - 1, 9), ASK_KEEPER), (ASK, "tgkill", (), ASK_KEEPER),
    (ASK, "tkill", (1, 9), ASK_KEEPER), (ASK, "rt_sigqueueinfo", (1, 9), EPERM),
    (ASK, "rt_tgsigqueueinfo", (1,), EPERM),
    (TRUNCATE, "openat", (0, 0, 0o1000), EPERM), (TRUNCATE, "openat", (0, 0, 0o1001), ALLOW),
    (TRUNCATE, "openat", (0, 0, 0), ALLOW), (TRUNCATE, "truncate", (), EPERM),
]  # fmt: skip


@pytest.mark.parametrize("machine", AUDIT_ARCH)
def test_worker_filter_decides(machine: str) -> None:
    worker, _ = filters(machine, 0)
    for name, arguments, answer in WORKER:
        assert decide(worker, machine, number_of(name, machine), arguments) == answer, (name, arguments)


@pytest.mark.parametrize("machine", AUDIT_ARCH)
def test_run_filter_decides(machine: str) -> None:
    for parts, name, arguments, answer in RUN:
        _, run = filters(machine, parts)
        assert decide(run, machine, number_of(name, machine), arguments) == answer, (parts, name, arguments)


@pytest.mark.parametrize("machine", AUDIT_ARCH)
@pytest.mark.parametrize("which", [0, 1])
def test_everything_else(machine: str, which: int) -> None:
    """read and write pass; a foreign machine kills; unknown and x32 numbers do not exist; programs are short."""
    program = filters(machine, 63)[which]
    other = next(name for name in AUDIT_ARCH if name != machine)
    for number in (0, 1) if machine == "x86_64" else (63, 64):
        assert decide(program, machine, number) == ALLOW
    assert decide(program, other, 1) == KILL
    assert decide(program, machine, 0x40000001) == ENOSYS
    assert decide(program, machine, 512) == ENOSYS
    assert len(program) < 1000
    if which == 0:
        assert decide(program, machine, 463) == ENOSYS
        assert decide(program, machine, 462) == ALLOW
