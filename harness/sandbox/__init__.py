"""Runs programs within limits and reports the facts. `open_sandboxes` is the way in."""

from harness.sandbox.facts import Command, Isolation, KillReason, RunResult, Sandbox, Tier
from harness.sandbox.opening import IsolationMode, open_sandboxes
from harness.sandbox.plain import PlainSandbox

__all__ = [
    "Command",
    "Isolation",
    "IsolationMode",
    "KillReason",
    "PlainSandbox",
    "RunResult",
    "Sandbox",
    "Tier",
    "open_sandboxes",
]
