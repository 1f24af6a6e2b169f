"""Opens the best sandboxes that this machine gives and that the caller allows."""

import enum

from harness.errors import MachineError
from harness.sandbox.facts import Sandbox
from harness.sandbox.plain import PlainSandbox

NO_LAUNCHER_YET = "the contained launcher is not part of this version yet"


class IsolationMode(enum.StrEnum):
    """What the caller asks for: only contained runs, the best there is, or plain runs."""

    STRICT = "strict"
    AUTO = "auto"
    NONE = "none"


def open_sandboxes(mode: IsolationMode, count: int) -> list[Sandbox]:
    """One sandbox a worker. Raises MachineError when `strict` cannot be had."""
    if mode is IsolationMode.STRICT:
        raise MachineError(f"--isolation=strict cannot be had here: {NO_LAUNCHER_YET}")
    missing = ("asked for with --isolation=none",) if mode is IsolationMode.NONE else (NO_LAUNCHER_YET,)
    return [PlainSandbox(missing=missing) for _ in range(count)]
