"""What would give this machine a better tier, told from why the kernel refused it and from what the machine is."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

from harness.sandbox.launcher import SetupError
from harness.values import dataclass

LANDLOCK = (
    "Landlock is not at work: it needs Linux 5.13 with landlock among the `lsm=` modules, and in a container "
    "a seccomp profile that knows it (Docker 23 or later)"
)
_TOO_OLD = "the kernel is older than 5.12 (5.13 for Landlock): upgrade it"
_UBUNTU = (
    "AppArmor forbids user namespaces: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0, "
    "or run as root (programs then run as an unprivileged user)"
)
# (file, its content when it is to blame, mend)
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
# (what exists there, mend); the first that exists is this container's kind.
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


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """What is asked about this machine. root: who runs the judge is root. content: of a file; None: there is none."""

    root: bool
    content: Callable[[str], str | None]
    exists: Callable[[str], bool]

    def capable(self) -> bool:
        """Whether this process may administrate the system, as making namespaces without a user namespace needs."""
        return bool(int(self._status("CapEff") or "0", 16) >> _SYS_ADMIN & 1)

    def filtered(self) -> bool:
        """Whether a seccomp filter holds this process already."""
        return self._status("Seccomp") == "2"

    def _status(self, name: str) -> str:
        lines = (self.content("/proc/self/status") or "").splitlines()
        return next((line.partition(":")[2].strip() for line in lines if line.startswith(f"{name}:")), "")


def here() -> Surroundings:
    """This machine."""
    return Surroundings(root=os.geteuid() == 0, content=_content, exists=lambda path: Path(path).exists())


def mend_of(error: SetupError, machine: Surroundings) -> str:
    """What would mend that the walls could not be built; the error itself where nobody can say."""
    if error.error in (errno.ENOSYS, errno.EOPNOTSUPP):
        return LANDLOCK if error.stage == "Landlock" else _TOO_OLD
    own_user_namespace = not machine.root or error.stage == "user namespace"
    switches: tuple[tuple[str, str, str], ...] = _SWITCHES_OF_USERS if own_user_namespace else ()
    for path, culprit, mend in (*switches, *_SWITCHES_OF_ALL):
        if machine.content(path) == culprit:
            return mend
    may = machine.capable() or own_user_namespace
    if may and not machine.filtered():
        return str(error)  # nothing around us forbids it: a container's options would not help
    container = next((mend for path, mend in _CONTAINERS if machine.exists(path)), None)
    return container or (_FILTER if may else _CAPABILITY)


def _content(path: str) -> str | None:
    try:
        return Path(path).read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return None
