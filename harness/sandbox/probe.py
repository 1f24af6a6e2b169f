"""Finds out by trial which tier this machine gives, and what would mend the lack of a better one."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from harness.errors import MachineError
from harness.files.temporary import temporary_folder
from harness.sandbox.contained import ContainedSandbox
from harness.sandbox.facts import Command, Isolation, Sandbox, Tier
from harness.sandbox.launcher import SetupError
from harness.sandbox.limits import MIB, Limits
from harness.sandbox.mends import LANDLOCK, here, mend_of

_TRIAL = Limits(cpu_s=5, wall_s=20, memory_bytes=256 * MIB, output_bytes=MIB)
_NULL = Path("/dev/null")


def isolation(cache: Path | None = None) -> Isolation:
    """The best tier that really runs a program here. Costs some 20 ms (seconds when the launcher is compiled)."""
    missing: list[str] = []
    for tier in (Tier.NAMESPACED, Tier.LOCKED, Tier.FILTERED):
        try:
            with ContainedSandbox(tier, cache=cache) as sandbox:
                _try(sandbox)
                if sandbox.landlock_abi == 0 and tier is Tier.NAMESPACED:
                    missing.append(LANDLOCK)
        except SetupError as error:
            missing.append(f"{_name(tier)}: {mend_of(error, here())}")
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
