"""Finds out by trial which tier this machine gives, and what would mend the lack of a better one."""

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

from harness.errors import MachineError
from harness.files.temporary import temporary_folder
from harness.sandbox.contained import ContainedSandbox
from harness.sandbox.facts import Command, Isolation, Sandbox, Tier
from harness.sandbox.launcher import SetupError
from harness.sandbox.limits import MIB, Limits

_TRIAL = Limits(cpu_s=5, wall_s=20, memory_bytes=256 * MIB, output_bytes=MIB)
_NULL = Path("/dev/null")
_TOO_OLD = "the kernel is older than 5.12 (5.13 for Landlock): upgrade it"
_DOCKER = (
    "the container forbids namespaces: docker run --cap-add SYS_ADMIN --security-opt seccomp=unconfined "
    "--security-opt apparmor=unconfined --security-opt systempaths=unconfined"
)
_UBUNTU = (
    "AppArmor forbids user namespaces: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0, "
    "or run as root (programs then run as an unprivileged user)"
)
_LANDLOCK = (
    "Landlock is not at work: it needs Linux 5.13 with landlock among the `lsm=` modules, and in a container "
    "a seccomp profile that knows it (Docker 23 or later)"
)
# (file, its content when it is to blame, mend)
_SWITCHES = (
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


def isolation(cache: Path | None = None) -> Isolation:
    """The best tier that really runs a program here. Costs some 20 ms (seconds when the launcher is compiled)."""
    missing: list[str] = []
    for tier in (Tier.NAMESPACED, Tier.LOCKED, Tier.FILTERED):
        try:
            with ContainedSandbox(tier, cache=cache) as sandbox:
                _try(sandbox)
                if sandbox.landlock_abi == 0 and tier is Tier.NAMESPACED:
                    missing.append(_LANDLOCK)
        except SetupError as error:
            missing.append(f"{_name(tier)}: {_mend(error)}")
        except MachineError as error:
            missing.append(f"{_name(tier)}: {error}")
        else:
            return Isolation(tier=tier, missing=tuple(missing))
    return Isolation(tier=Tier.PLAIN, missing=tuple(dict.fromkeys(missing)))


def _name(tier: Tier) -> str:
    return f"T{int(tier)}"


def _try(sandbox: Sandbox) -> None:
    """Run /bin/true, which must end well."""
    true = Path("/bin/true").resolve()
    with _public_directory() as directory:
        command = Command(argv=(str(true),), directory=directory)
        result = sandbox.run(command, _TRIAL, stdin=_NULL, stdout=_NULL, stderr=_NULL)
    if result.exit_code != 0:
        raise MachineError(f"{true} does not run: exit code {result.exit_code}, signal {result.signal}")


@contextlib.contextmanager
def _public_directory() -> Iterator[Path]:
    """A new directory that every user may enter."""
    with temporary_folder("probe") as directory:
        directory.chmod(0o755)
        yield directory


def _mend(error: SetupError) -> str:
    if error.error in (errno.ENOSYS, errno.EOPNOTSUPP):
        return _LANDLOCK if error.stage == "Landlock" else _TOO_OLD
    if os.geteuid() != 0 or error.stage == "user namespace":
        for path, culprit, mend in _SWITCHES:
            if _content(Path(path)) == culprit:
                return mend
    if _in_container():
        return _DOCKER
    return str(error)


def _content(path: Path) -> str | None:
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return None


def _in_container() -> bool:
    return any(Path(mark).exists() for mark in ("/.dockerenv", "/run/.containerenv"))
