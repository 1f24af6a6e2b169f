"""A sandbox a tier, and a public directory to run in."""

import contextlib
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from harness.errors import MachineError
from harness.sandbox.contained import ContainedSandbox
from harness.sandbox.facts import MIB, Command, Limits, RunResult, Tier

LIMITS = Limits(cpu_s=10, wall_s=30, memory_bytes=512 * MIB, output_bytes=16 * MIB)
TIERS = (Tier.NAMESPACED, Tier.LOCKED, Tier.FILTERED)


@dataclass(frozen=True, kw_only=True)
class Finished:
    """The facts of a run and what it wrote."""

    facts: RunResult
    out: bytes
    err: bytes


@dataclass(frozen=True, kw_only=True)
class Box:
    """A sandbox, a directory for programs, and one for their streams."""

    sandbox: ContainedSandbox
    directory: Path
    streams: Path

    @property
    def tier(self) -> Tier:
        return self.sandbox.isolation.tier

    def run(self, *argv: str | Path, stdin: bytes = b"", limits: Limits = LIMITS, **command: object) -> Finished:
        """Run a program in the directory; further arguments go into the Command."""
        given = Command(argv=tuple(map(str, argv)), directory=self.directory)
        paths = {name: self.streams / name for name in ("stdin", "stdout", "stderr")}
        paths["stdin"].write_bytes(stdin)
        facts = self.sandbox.run(replace(given, **command), limits, **paths)  # type: ignore[arg-type]
        return Finished(facts=facts, out=paths["stdout"].read_bytes(), err=paths["stderr"].read_bytes())

    def compile_c(self, source: str, name: str = "program", *flags: str) -> Path:
        """Compile a C program in the sandbox; returns the binary."""
        (self.directory / f"{name}.c").write_text(source)
        binary = self.directory / name
        argv = ("/usr/bin/gcc", "-O1", "-w", *flags, "-o", str(binary), f"{name}.c", "-lpthread")
        done = self.run(*argv, writable_directory=True, environment=self.environment)
        assert done.facts.exit_code == 0, done.err.decode()
        return binary

    @property
    def environment(self) -> dict[str, str]:
        return {"PATH": "/usr/bin:/bin", "TMPDIR": str(self.directory), "HOME": str(self.directory)}


def undisturbed(run: Callable[[], RunResult], good: Callable[[RunResult], bool]) -> RunResult:
    """The facts of the first of five runs that are good, else of the last: a busy machine disturbs some, not all."""
    for _ in range(5):
        facts = run()
        if good(facts):
            break
    return facts


@contextlib.contextmanager
def twenty_rivals() -> Iterator[None]:
    """All that is started here shares one core with them, so it gets less than a tenth of that."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    # Each in a session of its own, for Linux may share a core among sessions.
    rivals = [
        subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"], start_new_session=True)
        for _ in range(20)
    ]
    try:
        yield
    finally:
        for rival in rivals:
            rival.kill()
            rival.wait()
        os.sched_setaffinity(0, cores)


@contextlib.contextmanager
def stack_limit_of_the_judge(size: int) -> Iterator[None]:
    """What `ulimit -S -s` in the shell of whoever judges does: all that is started here inherits it."""
    before = resource.getrlimit(resource.RLIMIT_STACK)
    resource.setrlimit(resource.RLIMIT_STACK, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_STACK, before)


@contextlib.contextmanager
def public_directory() -> Iterator[Path]:
    """A new directory that every user may enter (pytest's own are private)."""
    with tempfile.TemporaryDirectory(prefix="harness-test-") as name:
        directory = Path(name)
        directory.chmod(0o755)
        yield directory


def open_or_skip(tier: Tier) -> ContainedSandbox:
    try:
        return ContainedSandbox(tier)
    except MachineError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session", params=TIERS, ids=str)
def sandbox(request: pytest.FixtureRequest) -> Iterator[ContainedSandbox]:
    """Every tier that this machine gives."""
    with open_or_skip(request.param) as opened:
        yield opened


@pytest.fixture
def box(sandbox: ContainedSandbox) -> Iterator[Box]:
    with public_directory() as root:
        yield make_box(sandbox, root)


@pytest.fixture
def namespaced() -> Iterator[Box]:
    """T3 alone."""
    with open_or_skip(Tier.NAMESPACED) as opened, public_directory() as root:
        yield make_box(opened, root)


def make_box(sandbox: ContainedSandbox, root: Path) -> Box:
    """A program directory and one for streams, side by side, so that programs don't see their streams."""
    for name in ("program", "streams"):
        (root / name).mkdir()
        (root / name).chmod(0o755)
    return Box(sandbox=sandbox, directory=root / "program", streams=root / "streams")
