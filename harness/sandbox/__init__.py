"""Runs programs within limits and reports the facts. `open_sandbox` is the way in."""

from harness.sandbox.facts import Command, Isolation, KillReason, RunResult, Sandbox, Tier
from harness.sandbox.plain import PlainSandbox

__all__ = ["Command", "Isolation", "KillReason", "PlainSandbox", "RunResult", "Sandbox", "Tier"]
