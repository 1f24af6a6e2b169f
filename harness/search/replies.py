"""What the reference says to an input, or why it says nothing."""

from dataclasses import dataclass

from harness.host.batches import Ran
from harness.search.programs import ending


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What the reference answers. output None: nothing; `fault` says why."""

    output: bytes | None
    fault: str = ""


NOT_ASKED = Reply(output=None)
BEYOND = Reply(output=None, fault="the reference fails on it, or is too slow")
PASSED_OVER = Reply(output=None, fault="the reference is too slow for inputs of that size")


def reply_of(path: str, ran: Ran) -> Reply:
    """Read the reply of the program `path` from its run."""
    if ran.result.killed_for is None and ran.result.exit_code == 0:
        return Reply(output=ran.output)
    return Reply(output=None, fault=f"the reference {path} fails: {ending(ran)}")
