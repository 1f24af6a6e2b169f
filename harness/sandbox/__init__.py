"""Runs programs within limits and reports the facts. `open_sandboxes` is the way in."""

from harness.sandbox.facts import Activity, Command, Isolation, KillReason, Running, RunResult, Sandbox, Tier
from harness.sandbox.opening import IsolationMode, open_sandboxes
from harness.sandbox.plain import PlainSandbox
from harness.sandbox.user_ids import open_to_programs

__all__ = [
    "Activity",
    "Command",
    "Isolation",
    "IsolationMode",
    "KillReason",
    "PlainSandbox",
    "RunResult",
    "Running",
    "Sandbox",
    "Tier",
    "open_sandboxes",
    "open_to_programs",
]
