"""Opens the best sandboxes that this machine gives and that the caller allows."""

import enum
from pathlib import Path

from harness.errors import MachineError
from harness.sandbox.contained import ContainedSandbox
from harness.sandbox.facts import Isolation, Sandbox, Tier
from harness.sandbox.plain import PlainSandbox
from harness.sandbox.probe import isolation


class IsolationMode(enum.StrEnum):
    """What the caller asks for: only contained runs, the best there is, or plain runs."""

    STRICT = "strict"
    AUTO = "auto"
    NONE = "none"


def open_sandboxes(mode: IsolationMode, count: int, *, cache: Path | None = None) -> list[Sandbox]:
    """One sandbox a worker. `cache` is where the compiled launcher is kept.

    Raises MachineError when `strict` cannot be had.
    """
    found = _isolation(mode, cache)
    if mode is IsolationMode.STRICT and not found.contained:
        raise MachineError("--isolation=strict cannot be had here: " + "; ".join(found.missing))
    if found.tier is Tier.PLAIN:
        return [PlainSandbox(worker=worker, missing=found.missing) for worker in range(count)]
    return [ContainedSandbox(found.tier, worker, cache=cache, missing=found.missing) for worker in range(count)]


def _isolation(mode: IsolationMode, cache: Path | None) -> Isolation:
    if mode is IsolationMode.NONE:
        return Isolation(tier=Tier.PLAIN, missing=("asked for with --isolation=none",))
    return isolation(cache)
