"""The launcher for aarch64, and linked with musl: built here, and run as far as this machine can.

qemu's user mode has the system calls of aarch64 but neither seccomp nor Landlock nor new mounts: a launcher there
answers over its socket which of them is missing. So its filters are looked at as programs.
"""

import shutil
import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

import harness.sandbox
from harness.errors import MachineError
from harness.sandbox import launcher
from harness.sandbox.contained import ContainedSandbox
from harness.sandbox.facts import MIB, Command, Limits, Tier
from harness.sandbox.launcher import FLAGS, MessageKind, launcher_binary

from .test_sandbox_filter import AUDIT_ARCH, OWN_PID, decide, filters, table

SOURCE = Path(harness.sandbox.__file__).parent / "launcher.c"
ARGUMENTS = (
    (), (1,), (0, 1), (0, 7), (17,), (17, 1), (OWN_PID, 9), (0x3D0F00,), (0x10000011,), (1, 1, 0), (1, 0o4755),
    (0, 0, 0o1000), (0, 0, 0o2755), (0, 4, 1), (0, 1, 3, 0x21), (0, 1, 3, 0x22), (0, 1, 4), (0, 1, 21), (2**64 - 1, 9),
    (0, 0x5412), (0, 0x5421), (3, 1, 7), (3, 1, 20),
)  # fmt: skip
TIERS = (Tier.FILTERED, Tier.LOCKED, Tier.NAMESPACED)


def tool(name: str, package: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed: apt install {package}")
    return found


def built(folder: Path, *compiler: str) -> Path:
    binary = folder / "launcher"
    subprocess.run([*compiler, *FLAGS, "-Werror", "-static", "-o", str(binary), str(SOURCE)], check=True)
    return binary


@pytest.fixture(scope="module")
def on_aarch64(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A command that is the launcher of aarch64."""
    qemu = tool("qemu-aarch64-static", "qemu-user-static")
    compiler = tool("aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu libc6-dev-arm64-cross")
    return qemu, str(built(tmp_path_factory.mktemp("aarch64"), compiler))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("parts", range(64))
def test_a_call_gets_the_same_answer_on_both_machines(parts: int) -> None:
    programs = {machine: filters(machine, parts) for machine in AUDIT_ARCH}
    both = [row for row in table() if -1 not in row[1:]]
    assert len(both) > 100
    for name, x86, arm in both:
        for arguments in ARGUMENTS:
            for which in (0, 1):
                on_x86 = decide(programs["x86_64"][which], "x86_64", x86, arguments)
                assert decide(programs["aarch64"][which], "aarch64", arm, arguments) == on_x86, (name, arguments)


@pytest.mark.parametrize("parts", [0, 1, 31, 63])
def test_the_launcher_of_aarch64_makes_the_filters_that_are_tested_here(
    parts: int, on_aarch64: tuple[str, str]
) -> None:
    asked = ("--dump-filter", "aarch64", str(parts), str(OWN_PID))
    made = [subprocess.run([*way, *asked], capture_output=True, check=True).stdout for way in (on_aarch64, here())]
    assert made[0] == made[1] and made[0].count(b"\n") > 300


def here() -> Sequence[str]:
    return (str(launcher_binary()),)


@pytest.mark.parametrize(
    ("tier", "stage"), [(1, "seccomp"), (2, "Landlock"), (3, "mount_setattr")], ids=["T1", "T2", "T3"]
)
def test_the_launcher_of_aarch64_starts_and_names_the_wall_that_qemu_lacks(
    tier: int, stage: str, on_aarch64: tuple[str, str]
) -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours:
        with theirs:
            asked = [*on_aarch64, str(tier), "0", str(theirs.fileno()), "-1"]
            started = subprocess.Popen(asked, pass_fds=[theirs.fileno()], env={}, cwd="/")
        reply = launcher._unpack(ours.recv(launcher._REPLY.size))
        ended = started.wait()
    found = {reply.stage} if tier < 3 else {reply.stage, "mount_setattr"}  # without namespaces it ends sooner
    assert reply.kind is MessageKind.READY and reply.error != 0 and reply.stage
    assert stage in found and ended == 1


@pytest.mark.parametrize("tier", TIERS)
def test_a_launcher_linked_with_musl_runs_programs(tier: Tier, tmp_path: Path) -> None:
    compiler = tool("musl-gcc", "musl-tools")
    machine = subprocess.run(
        ["gcc", "-print-multiarch"], capture_output=True, text=True, check=True
    ).stdout.strip()
    kernel = (
        "-idirafter",
        "/usr/include",
        "-idirafter",
        f"/usr/include/{machine}",
    )  # musl ships no kernel headers
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    built(cache, compiler, *kernel).rename(cache / f"launcher-{launcher._fingerprint(SOURCE.parent)}")
    try:
        sandbox = ContainedSandbox(tier, cache=cache)
    except MachineError as error:
        pytest.skip(f"this machine does not give the tier: {error}")
    limits = Limits(cpu_s=5, wall_s=20, memory_bytes=256 * MIB, output_bytes=MIB)
    command = Command(argv=("/bin/sh", "-c", "echo out; exit 7"), directory=Path("/usr/bin"))
    try:
        streams = {name: tmp_path / name for name in ("stdout", "stderr")}
        facts = sandbox.run(command, limits, stdin=Path("/dev/null"), **streams)
    finally:
        sandbox.close()
    assert (facts.exit_code, facts.signal, facts.killed_for) == (7, None, None)
    assert (tmp_path / "stdout").read_bytes() == b"out\n" and 0 < facts.memory_bytes < 16 * MIB
