"""Open the best sandboxes that this machine supports and the caller allows; say what a better tier needs."""

import contextlib
import enum
import errno
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from harness.errors import MachineError
from harness.files.temporary import temporary_folder
from harness.sandbox.contained import ContainedSandbox
from harness.sandbox.facts import MIB, Command, Isolation, Limits, Sandbox, Tier
from harness.sandbox.launcher import SetupError, launcher_binary
from harness.sandbox.plain import PlainSandbox
from harness.values import dataclass

LANDLOCK = (
    "Landlock is not at work: it needs Linux 5.13 with landlock among the `lsm=` modules, and in a container "
    "a seccomp profile that knows it (Docker 23 or later)"
)
_NO_LINUX = "programs are contained on Linux only (here: in a virtual machine or a container with it)"
_TOO_OLD = "the kernel is older than 5.12 (5.13 for Landlock): upgrade it"
_UBUNTU = (
    "AppArmor forbids user namespaces: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0, "
    "or run as root (programs then run as an unprivileged user)"
)
# (file, its content where it forbids namespaces, fix)
_SWITCHES_OF_USERS = (
    ("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1", _UBUNTU),
    (
        "/proc/sys/kernel/unprivileged_userns_clone",
        "0",
        "user namespaces are switched off: sudo sysctl kernel.unprivileged_userns_clone=1",
    ),
    (
        "/proc/sys/user/max_user_namespaces",
        "0",
        "user namespaces are switched off: sudo sysctl user.max_user_namespaces=10000",
    ),
)
_SWITCHES_OF_ALL = tuple(
    (
        f"/proc/sys/user/max_{kind}_namespaces",
        "0",
        f"namespaces are switched off: sysctl user.max_{kind}_namespaces=10000, as root of the host",
    )
    for kind in ("mnt", "pid", "net", "ipc", "uts")
)
# (file by which the kind of container is recognised, fix)
_CONTAINERS = (
    (
        "/var/run/secrets/kubernetes.io",
        "the pod forbids namespaces: securityContext with capabilities.add [SYS_ADMIN], seccompProfile Unconfined, "
        "procMount Unmasked",
    ),
    (
        "/run/.containerenv",
        "the container forbids namespaces: podman run --cap-add SYS_ADMIN --security-opt seccomp=unconfined "
        "--security-opt unmask=ALL",
    ),
    (
        "/.dockerenv",
        "the container forbids namespaces: docker run --cap-add SYS_ADMIN --security-opt seccomp=unconfined "
        "--security-opt apparmor=unconfined --security-opt systempaths=unconfined",
    ),
)
_CAPABILITY = (
    "root has no CAP_SYS_ADMIN here: run where it has (a systemd unit: take CapabilityBoundingSet= and "
    "PrivateUsers= out; a container: add SYS_ADMIN), or as an ordinary user who may make user namespaces"
)
_FILTER = (
    "a seccomp filter around this process forbids namespaces: run outside of it (a systemd unit: take "
    "RestrictNamespaces= and SystemCallFilter= out; a container: seccomp=unconfined)"
)
_SYS_ADMIN = 21
_TRIAL = Limits(cpu_s=5, wall_s=20, memory_bytes=256 * MIB, output_bytes=MIB)
_NULL = Path("/dev/null")


class IsolationMode(enum.StrEnum):
    """What the caller allows: only contained runs, the best available tier, or plain runs."""

    STRICT = "strict"
    AUTO = "auto"
    NONE = "none"


def open_sandboxes(mode: IsolationMode, count: int, *, cache: Path | None = None) -> list[Sandbox]:
    """Open a sandbox for each worker. cache: the folder of the compiled launcher.

    Raises MachineError if `strict` is not available.
    """
    isolation = _allowed(mode, cache)
    if mode is IsolationMode.STRICT and not isolation.contained:
        raise MachineError("--isolation=strict cannot be had here: " + "; ".join(isolation.missing))
    if isolation.tier is Tier.PLAIN:
        return [PlainSandbox(worker=worker, missing=isolation.missing) for worker in range(count)]
    return [
        ContainedSandbox(isolation.tier, worker, cache=cache, missing=isolation.missing) for worker in range(count)
    ]


def _allowed(mode: IsolationMode, cache: Path | None) -> Isolation:
    if mode is IsolationMode.NONE:
        return Isolation(tier=Tier.PLAIN, missing=("asked for with --isolation=none",))
    return best_isolation(cache)


def best_isolation(cache: Path | None = None) -> Isolation:
    """Try the tiers; return the best that runs a program here. Takes some 20 ms, or seconds to compile the launcher."""
    if sys.platform != "linux":
        return Isolation(tier=Tier.PLAIN, missing=(_NO_LINUX,))
    try:
        launcher_binary(cache)
    except MachineError as error:
        return Isolation(tier=Tier.PLAIN, missing=(str(error),))
    missing: list[str] = []
    for tier in (Tier.NAMESPACED, Tier.LOCKED, Tier.FILTERED):
        try:
            with ContainedSandbox(tier, cache=cache) as sandbox:
                _try(sandbox)
                if sandbox.landlock_abi == 0 and tier is Tier.NAMESPACED:
                    missing.append(LANDLOCK)
        except SetupError as error:
            missing.append(f"{tier}: {mend_of(error, this_machine())}")
        except MachineError as error:
            missing.append(f"{tier}: {error}")
        else:
            return Isolation(tier=tier, missing=tuple(missing))
    return Isolation(tier=Tier.PLAIN, missing=tuple(dict.fromkeys(missing)))


def _try(sandbox: Sandbox) -> None:
    """Run /bin/true. Raises MachineError unless it ends with exit code 0."""
    true = Path("/bin/true").resolve()
    with _public_directory() as directory:
        command = Command(argv=(str(true),), directory=directory)
        result = sandbox.run(command, _TRIAL, stdin=_NULL, stdout=_NULL, stderr=_NULL)
    if result.exit_code != 0:
        raise MachineError(f"{true} does not run: {result.ending}")


@contextlib.contextmanager
def _public_directory() -> Iterator[Path]:
    """Make a directory that every user may enter."""
    with temporary_folder("probe") as directory:
        directory.chmod(0o755)
        yield directory


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """The facts that select a fix. root: the judge runs as root. content: reads a file; None if it is absent."""

    root: bool
    content: Callable[[str], str | None]
    exists: Callable[[str], bool]

    def capable(self) -> bool:
        """Return whether this process has CAP_SYS_ADMIN, which namespaces without a user namespace need."""
        return bool(int(self._status("CapEff") or "0", 16) >> _SYS_ADMIN & 1)

    def filtered(self) -> bool:
        """Return whether this process runs under a seccomp filter."""
        return self._status("Seccomp") == "2"

    def _status(self, name: str) -> str:
        lines = (self.content("/proc/self/status") or "").splitlines()
        return next((line.partition(":")[2].strip() for line in lines if line.startswith(f"{name}:")), "")


def this_machine() -> Surroundings:
    """Return the surroundings of this process."""
    return Surroundings(root=os.geteuid() == 0, content=_content, exists=lambda path: Path(path).exists())


def mend_of(error: SetupError, machine: Surroundings) -> str:
    """Return the fix for a tier that could not be set up; the error's text if none is known."""
    if error.error in (errno.ENOSYS, errno.EOPNOTSUPP):
        return LANDLOCK if error.stage == "Landlock" else _TOO_OLD
    own_user_namespace = not machine.root or error.stage == "user namespace"
    switches: tuple[tuple[str, str, str], ...] = _SWITCHES_OF_USERS if own_user_namespace else ()
    for path, culprit, fix in (*switches, *_SWITCHES_OF_ALL):
        if machine.content(path) == culprit:
            return fix
    may = machine.capable() or own_user_namespace
    if may and not machine.filtered():
        return str(error)  # nothing forbids it, so a container's options would not help
    container = next((fix for path, fix in _CONTAINERS if machine.exists(path)), None)
    return container or (_FILTER if may else _CAPABILITY)


def _content(path: str) -> str | None:
    try:
        return Path(path).read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return None
