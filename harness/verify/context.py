"""What every part is given."""

from collections.abc import Callable

from harness.host.host import Host
from harness.judge import Memory, NoMemory
from harness.package import Package
from harness.values import dataclass

Progress = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Setting:
    """One package under verification, the host that runs its programs, and who is told of progress.

    rounds: how often a submission that bounds the time limit is run again to see how its time varies.
    """

    package: Package
    host: Host
    progress: Progress = lambda _: None
    memory: Memory = NoMemory()
    rounds: int = 5
