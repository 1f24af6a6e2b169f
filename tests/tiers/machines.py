"""Emulated machines: a Landlock ABI, what the kernel refuses, and a user; `harness` run on them."""

import ctypes
import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import harness.sandbox
from harness.sandbox.launcher import FLAGS

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[1]
ORDINARY_USER = 12345
NEWEST_ABI = 7


@dataclass(frozen=True, kw_only=True)
class Machine:
    """abi: of Landlock, 0: none. refused: see command.py. tier: what the judge must find. root: who judges."""

    tier: str
    abi: int
    root: bool
    refused: str = "-"

    def __str__(self) -> str:
        listener = "-listener_taken" if "listener" in self.refused else ""
        return f"{self.tier}-abi{self.abi}-{'root' if self.root else 'user'}{listener}"


def machines() -> Iterator[Machine]:
    """Every tier with every ABI that leads to it, as root and as an ordinary user."""
    for root in (False, True):
        for abi in range(NEWEST_ABI + 1):
            yield Machine(tier="T3", abi=abi, root=root)
            yield Machine(tier="T2" if abi else "T1", abi=abi, root=root, refused="namespaces")
        for abi in (0, 5):
            yield Machine(tier="T2" if abi else "T1", abi=abi, root=root, refused="namespaces,listener")


def missing(machine: Machine) -> str:
    """Why this machine cannot be emulated here."""
    if machine.root and os.geteuid() != 0:
        return "only root can judge as root"
    if machine.abi > kernel_abi():
        return f"this kernel has Landlock ABI {kernel_abi()}"
    if not machine.root and not ordinary_python():
        return f"no Python {sys.version_info[0]}.{sys.version_info[1]} that an ordinary user can execute"
    return ""


def kernel_abi() -> int:
    """The Landlock ABI of this very kernel; 0: none."""
    return max(int(ctypes.CDLL(None).syscall(444, None, ctypes.c_size_t(0), 1)), 0)


@functools.cache
def ordinary_python() -> str:
    """A Python like ours that the ordinary user can execute; empty if there is none."""
    if os.geteuid() != 0:
        return sys.executable
    version = "import sys; print(sys.version_info[:2])"
    for python in (sys.executable, "/usr/bin/python3", f"/usr/bin/python3.{sys.version_info[1]}"):
        try:
            found = subprocess.run([python, "-c", version], capture_output=True, text=True, **as_ordinary_user())
        except OSError:
            continue
        if found.stdout.strip() == str(sys.version_info[:2]):
            return python
    return ""


def as_ordinary_user() -> dict[str, Any]:
    """Arguments for subprocess: the ordinary user, where we are root."""
    return {"user": ORDINARY_USER, "group": ORDINARY_USER, "extra_groups": ()} if os.geteuid() == 0 else {}


HEAVY = ("mypy*", "typst*", "dask*", "distributed*", "pip*", "ruff*", "*__mypyc*", "*editable*")


def _copy(source: Path, target: Path, *left_out: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", *left_out))
    else:
        shutil.copy(source, target)


class Laboratory:
    """Launchers of all machines, and a folder and caches for each user. Everything lies below `root`."""

    def __init__(self, root: Path, parts: tuple[str, ...]) -> None:
        """parts: what of our checkout is copied to where the ordinary user can read it."""
        self.root = root
        self.root.chmod(0o755)
        self.checkout = self.root / "checkout"
        for name in parts:
            _copy(REPOSITORY / name, self.checkout / name)
        site = next(Path(one) for one in sys.path if one.endswith("site-packages"))
        _copy(site, self.checkout / "site-packages", *HEAVY)

    def launcher(self, abi: int) -> Path:
        """The launcher for a kernel with this ABI, compiled when first asked for."""
        binary = self.root / f"launcher-{abi}"
        if not binary.exists():
            source = Path(harness.sandbox.__file__).parent / "launcher.c"
            shim = ["-include", str(HERE / "kernel.h"), f"-DEMULATED_ABI={abi}"] if abi != kernel_abi() else []
            command = ["cc", *FLAGS, "-static", *shim, "-o", str(binary), str(source)]
            subprocess.run(command, check=True)
        return binary

    def user_home(self) -> Path:
        """A folder of the ordinary user's own."""
        return self._home("user", owner=ORDINARY_USER if os.geteuid() == 0 else os.geteuid())

    def home(self, machine: Machine) -> Path:
        """A folder of the machine's user."""
        return self._home("root", owner=0) if machine.root else self.user_home()

    def _home(self, name: str, owner: int) -> Path:
        folder = self.root / name
        if not folder.exists():
            folder.mkdir(mode=0o755)
            os.chown(folder, owner, -1)
        return folder

    def environment(self, home: Path) -> dict[str, str]:
        """What programs of a user get, who reads our sources and libraries from the copy."""
        return {
            "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"),
            "PYTHONPATH": f"{self.checkout}:{self.checkout / 'site-packages'}", "LANG": "C.UTF-8",
        }  # fmt: skip

    def harness(self, machine: Machine, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run `harness` there, in the user's own folder."""
        home = self.home(machine)
        command = [
            sys.executable if machine.root else ordinary_python(),
            "-B",
            str(self.checkout / "tests/tiers/command.py"),
        ]
        return subprocess.run(
            [*command, str(self.launcher(machine.abi)), machine.refused, *arguments],
            env=self.environment(home), cwd=home, capture_output=True, text=True, timeout=280, check=False,
            **({} if machine.root else as_ordinary_user()),
        )  # fmt: skip

    def result(self, machine: Machine, *arguments: str, exits: int) -> dict[str, Any]:
        """The JSON that a command writes, which must end with this code."""
        written = self.home(machine) / "result.json"
        done = self.harness(machine, *arguments, "--json", str(written))
        assert done.returncode == exits, done.stdout + done.stderr
        found: dict[str, Any] = json.loads(written.read_text())
        return found


@contextmanager
def laboratory(*parts: str) -> Iterator[Laboratory]:
    """A folder for it, below /tmp, that everybody may enter. parts: see Laboratory; without any, what machines need."""
    with tempfile.TemporaryDirectory(prefix="harness-tiers-") as name:
        yield Laboratory(Path(name), parts or ("harness", "tests/tiers"))
