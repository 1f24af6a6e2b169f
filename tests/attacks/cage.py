"""Judges one attack inside the outer cage and prints, as JSON, whatever it achieved.

Run as `python cage.py TIER PROGRAM ROOT` by test_attacks.py, in a PID and UTS namespace whose host name is
`harness-attack`. It refuses otherwise: an attack kills and stops whatever it can reach.
"""

import hashlib
import importlib.util
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from unittest.mock import MagicMock

sys.path.insert(0, str(Path(__file__).parents[2]))
if importlib.util.find_spec("psutil") is None:  # the system's Python may lack it; T0 alone needs it
    sys.modules["psutil"] = MagicMock()

from harness.errors import MachineError
from harness.sandbox.facts import MIB, Limits
from harness.sandbox.contained import ContainedSandbox
from harness.sandbox.facts import Command, RunResult, Tier

SECRET = "s3cret-of-the-judge"
LIMITS = Limits(cpu_s=1, wall_s=3, memory_bytes=128 * MIB, output_bytes=4 * MIB, threads=32)
COMPILER = Limits(cpu_s=5, wall_s=10, memory_bytes=1024 * MIB, output_bytes=64 * MIB, threads=64)
COMPILERS = {".c": "/usr/bin/gcc", ".cpp": "/usr/bin/g++"}


@dataclass(kw_only=True)
class Host:
    """What lies about on the machine for an attack to reach, and whether it was reached."""

    root: Path
    touched: list[str] = field(default_factory=list)

    def prepare(self) -> None:
        """Files that are as open as files get, listeners of every kind, and a bystander."""
        self.root.chmod(0o755)
        for name, mode in (("answers", 0o755), ("open", 0o777), ("program", 0o755), ("streams", 0o755)):
            (self.root / name).mkdir(exist_ok=True)
            (self.root / name).chmod(mode)
        self.answer.write_text(SECRET)
        self.open_file.write_text("untouched")
        self.open_file.chmod(0o666)
        self.victim = subprocess.Popen(["/bin/sleep", "1000"], env={"HARNESS_SECRET": SECRET})
        self.tcp = self._listen(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))
        self.udp = self._listen(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0))
        self._listen(socket.AF_UNIX, socket.SOCK_STREAM, str(self.root / "open" / "stream"))
        self._listen(socket.AF_UNIX, socket.SOCK_DGRAM, str(self.root / "open" / "datagram"))
        self._listen(socket.AF_UNIX, socket.SOCK_STREAM, f"\0harness-attack-{self.root.name}")
        self.before, self.priorities = self._state(), self._priorities()

    @property
    def answer(self) -> Path:
        return self.root / "answers" / "1.ans"

    @property
    def open_file(self) -> Path:
        return self.root / "open" / "file"

    def _listen(self, family: int, kind: int, address: object) -> int:
        listener = socket.socket(family, kind)
        listener.bind(address)
        if isinstance(address, str) and address.startswith("/"):
            Path(address).chmod(0o777)
        if kind == socket.SOCK_STREAM:
            listener.listen()

        def serve() -> None:
            while True:
                got = listener.accept() if kind == socket.SOCK_STREAM else listener.recvfrom(100)
                self.touched.append(f"listener {address!r} was reached: {got!r}")

        threading.Thread(target=serve, daemon=True).start()
        return listener.getsockname()[1] if family == socket.AF_INET else 0

    def targets(self, may_fork: bool) -> str:
        """What an attack is told: more than it could find out."""
        known = {
            "answer": self.answer,
            "open_file": self.open_file,
            "open_directory": self.root / "open",
            "input": self.root / "streams" / "stdin",
            "program": self.root / "program" / "program",
            "unix_stream": self.root / "open" / "stream",
            "unix_datagram": self.root / "open" / "datagram",
            "abstract": f"harness-attack-{self.root.name}",
            "tcp_port": self.tcp,
            "udp_port": self.udp,
            "judge": os.getpid(),
            "victim": self.victim.pid,
            "memory_mib": LIMITS.memory_bytes // MIB,
            "may_fork": int(may_fork),
        }
        return "".join(f"{key}={value}\n" for key, value in known.items())

    def _state(self) -> dict[str, object]:
        files = {}
        for path in sorted(self.root.glob("open/**/*")) + sorted(self.root.glob("answers/*")):
            s = path.stat()
            files[str(path)] = (s.st_mode, s.st_uid, s.st_mtime_ns, s.st_ctime_ns, s.st_size)
        return files

    def _priorities(self) -> list[int]:
        return [os.getpriority(os.PRIO_PROCESS, pid) for pid in (self.victim.pid, 0)]

    def damage(self) -> list[str]:
        """What is not as it was."""
        found = list(self.touched)
        if self._state() != self.before:
            found.append("files of the host were changed")
        status = Path(f"/proc/{self.victim.pid}/stat")
        if self.victim.poll() is not None:
            found.append("the bystander was killed")
        elif status.read_text().rpartition(")")[2].split()[0] == "T":
            found.append("the bystander was stopped")
        elif self._priorities() != self.priorities:
            found.append("priorities were changed")
        return found


def processes() -> set[int]:
    """The processes of the cage, zombies aside."""
    found = set()
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and (entry / "stat").read_text().rpartition(")")[2].split()[0] != "Z":
                found.add(int(entry.name))
        except OSError:
            continue
    return found


def tree(directory: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(directory.rglob("*")):
        digest.update(f"{path} {path.lstat().st_mode}".encode())
        if path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()


@dataclass(frozen=True, kw_only=True)
class Judge:
    """The judge under test."""

    sandbox: ContainedSandbox
    host: Host

    @property
    def directory(self) -> Path:
        return self.host.root / "program"

    def stream(self, name: str) -> Path:
        return self.host.root / "streams" / name

    def run(self, command: Command, limits: Limits) -> RunResult:
        streams = {name: self.stream(name) for name in ("stdin", "stdout", "stderr")}
        return self.sandbox.run(command, limits, **streams)

    def compile(self, source: Path) -> RunResult:
        (self.directory / source.name).write_text(self._substituted(source))
        for helper in ("attack.h", "attack.py"):
            shutil.copy(source.parent / helper, self.directory)
        argv = [COMPILERS[source.suffix], "-O1", "-w", "-fmax-errors=5", "-o", "program", source.name, "-lpthread"]
        environment = {"PATH": "/usr/bin:/bin", "TMPDIR": str(self.directory)}
        self.stream("stdin").write_text("")
        command = Command(
            argv=tuple(argv), directory=self.directory, environment=environment, writable_directory=True
        )
        return self.run(command, COMPILER)

    def _substituted(self, source: Path) -> str:
        text = source.read_text()
        return text.replace("@answer@", str(self.host.answer)).replace("@judge@", str(os.getpid()))

    def leaks(self) -> list[str]:
        """Where the secret or a claim of success turns up."""
        found = []
        for path in (self.stream("stdout"), self.stream("stderr"), self.directory / "program"):
            data = path.read_bytes() if path.exists() else b""
            if SECRET.encode() in data:
                found.append(f"the secret is in {path.name}")
            found += [line.decode(errors="replace") for line in data.splitlines()
                      if line.startswith((b"ESCAPED", b"REFUSED"))]  # fmt: skip
        return found

    def attack(self, program: Path) -> list[str]:
        """Run the attack twice (the second may find what the first has left); what it achieved."""
        if program.suffix == ".py":
            shutil.copy(program, self.directory / "program.py")
            shutil.copy(program.parent / "attack.py", self.directory)
            argv = ("/usr/bin/python3", "program.py")
        else:
            done = self.compile(program)
            found = self.leaks()
            if program.name.startswith("compile_"):
                return found + over(done, COMPILER)
            if done.exit_code != 0:
                return [*found, "does not compile: " + self.stream("stderr").read_text()]
            argv = (str(self.directory / "program"),)
        may_fork = self.sandbox.isolation.tier is Tier.NAMESPACED
        found, before = [], tree(self.directory)
        targets = self.host.targets(may_fork)
        for _ in range(2):
            self.stream("stdin").write_text(targets)
            command = Command(argv=argv, directory=self.directory)
            done = self.run(command, replace(LIMITS, may_fork=may_fork))
            found += self.leaks() + over(done, LIMITS)
            print(done, self.stream("stdout").read_bytes()[:300], file=sys.stderr)
            if self.stream("stdin").read_text() != targets:
                found.append("the test's input was changed")
        if tree(self.directory) != before:
            found.append("the program's directory was changed")
        return found


def over(done: RunResult, limits: Limits) -> list[str]:
    """Limits that did not hold. (The end of a process with a gigabyte takes the kernel 0.1 s of its CPU time.)

    Only a sleeper must end by the wall limit; whoever competes for the cores of a loaded machine has ten times that.
    """
    found = []
    slept = done.cpu_s < done.wall_s / 10 and done.starved_s < done.wall_s / 10
    latest_s = limits.wall_s + 1 if slept else 10 * limits.wall_s + 1
    if done.wall_s > latest_s or done.cpu_s > limits.cpu_s + 0.3:
        found.append(f"ran for too long: {done}")
    if done.output_bytes > 2 * (limits.output_bytes + 1):
        found.append(f"wrote too much: {done}")
    return found


def main() -> None:
    if socket.gethostname() != "harness-attack" or len(processes()) > 50:
        sys.exit("not in the cage")
    tier, program, root = Tier(f"T{sys.argv[1]}"), Path(sys.argv[2]), Path(sys.argv[3])
    os.environ["HARNESS_SECRET"] = SECRET
    host = Host(root=root)
    host.prepare()
    try:
        sandbox = ContainedSandbox(tier, cache=root / "cache")
    except MachineError as error:
        print(json.dumps({"skipped": str(error)}))
        return
    judge = Judge(sandbox=sandbox, host=host)
    before = processes()
    started = time.monotonic()
    found = judge.attack(program)
    print(f"{time.monotonic() - started:.1f} s", file=sys.stderr)
    time.sleep(0.3)
    found += host.damage()
    if left := processes() - before:
        found.append(f"processes were left: {[Path(f'/proc/{pid}/stat').read_text() for pid in left]}")
    if before - processes():
        found.append("processes of the judge are gone")
    judge.stream("stdin").write_text("ping")
    done = judge.run(Command(argv=("/bin/cat",), directory=judge.directory), LIMITS)
    if (done.exit_code, judge.stream("stdout").read_text()) != (0, "ping"):
        found.append(f"the next run failed: {done}")
    sandbox.close()
    host.victim.send_signal(signal.SIGKILL)
    print(json.dumps({"achieved": sorted(set(found))}))


if __name__ == "__main__":
    main()
