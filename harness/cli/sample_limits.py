"""The limits of a problem that is no package: from the options, from what cph keeps, or the defaults."""

from collections.abc import Sequence
from pathlib import Path

from harness.errors import UsageError
from harness.package.ad_hoc import DEFAULT, StatedLimits, stated_limits
from harness.report.escape import one_name


def limits_for(
    folders: Sequence[Path],
    program: Path,
    *,
    time_limit_s: float | None,
    memory_mib: int | None,
    has_checker: bool,
) -> StatedLimits:
    """The limits in force. Raises UsageError for an interactive problem without an interactor."""
    found = stated_limits(folders, program, time_limit_s=time_limit_s, memory_mib=memory_mib)
    if found.interactive and not has_checker:
        raise UsageError(
            f"{found.cph}: this problem is interactive, so its samples alone cannot judge a program: "
            "name its interactor with --checker (docs/packages.md)"
        )
    return found


def limits_line(found: StatedLimits) -> str:
    """The limits in force and where they come from, in one line."""
    time, memory = f"{found.time_limit_s:g} s", f"{found.memory_mib} MiB"
    if found.time_from == found.memory_from:
        return f"limits: {time}, {memory} ({_source(found.time_from)})"
    return f"limits: {time} ({_source(found.time_from)}), {memory} ({_source(found.memory_from)})"


def _source(name: str) -> str:
    return "the default" if name == DEFAULT else one_name(name)
