"""Run the reference on inputs, as long as it is worth the time (harness.search.adaptive_limits)."""

import time
from collections.abc import Sequence
from dataclasses import replace

from harness.errors import UsageError
from harness.host.batches import Call, Ran
from harness.host.run_many import Programs, Runnable, ending
from harness.sandbox.facts import Limits, Sandbox
from harness.search.adaptive_limits import ReferenceLimit
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class ReferenceReply:
    """The reply of the reference. output None: no reply; `fault` gives the reason, `ending` how its run ended."""

    output: bytes | None
    fault: str = ""
    ending: str = ""


NOT_ASKED = ReferenceReply(output=None)
BEYOND = ReferenceReply(output=None, fault="the reference fails on it, or is too slow")
SKIPPED_AS_SLOW = ReferenceReply(output=None, fault="the reference is too slow for inputs of that size")


@dataclass(kw_only=True)
class Reference:
    """Runs the program whose answers count as right; program None: there is none. Shared by the workers.

    is_own: it is one of the package's submissions, which must keep the package's limits. limits: of a run.
    """

    programs: Programs
    program: Runnable | None
    limits: Limits
    is_own: bool

    def __post_init__(self) -> None:
        self.time_limit = ReferenceLimit(full_s=self.limits.cpu_s)

    def replies(self, sandbox: Sandbox, calls: Sequence[Call], *, full_time: bool = False) -> list[ReferenceReply]:
        """Return the reply to each call; b"" without a program. full_time: each run gets its full time."""
        if self.program is None:
            return [ReferenceReply(output=b"")] * len(calls)
        if full_time:
            return self._replies(sandbox, calls, self.time_limit.full_s)
        replies: list[ReferenceReply] = []
        while len(replies) < len(calls):
            left = calls[len(replies) :]
            count, limit_s = self.time_limit.next_batch([len(call.stdin) for call in left])
            replies += self._replies(sandbox, left[:count], limit_s) if limit_s else [SKIPPED_AS_SLOW] * count
        return replies

    def runs(self, sandbox: Sandbox, calls: Sequence[Call], limit_s: float) -> list[Ran]:
        """Run the reference on each input with `limit_s` CPU seconds. Raises UsageError without a program."""
        if self.program is None:
            raise UsageError("there is no reference to ask")
        began_s = time.monotonic()
        runs = self.programs.run(sandbox, self.program, calls, replace(self.limits, cpu_s=limit_s))
        took_s = time.monotonic() - began_s
        for ran, call in zip(runs, calls, strict=True):
            wall_s = min(took_s, ran.result.wall_s or took_s)
            self.time_limit.note(len(call.stdin), in_time=not ran.is_late, cpu_s=ran.result.cpu_s, wall_s=wall_s)
        return runs

    def reply_of(self, ran: Ran) -> ReferenceReply:
        """Return the reply that a run of the reference gives; without an output if it failed."""
        if ran.succeeded:
            return ReferenceReply(output=ran.output)
        path = self.program.executable.program.path if self.program is not None else ""
        how = ending(ran)
        return ReferenceReply(output=None, fault=f"the reference {path} fails: {how}", ending=how)

    def _replies(self, sandbox: Sandbox, calls: Sequence[Call], limit_s: float) -> list[ReferenceReply]:
        return [self.reply_of(ran) for ran in self.runs(sandbox, calls, limit_s)]
