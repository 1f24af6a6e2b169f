"""What a build of test data did, and how it differs from the lock."""

from collections.abc import Iterator
from pathlib import Path

from rich.filesize import decimal
from rich.text import Text

from harness.generate.data import DataReport
from harness.generate.overlay import mends
from harness.package.workspace import LOCK
from harness.report.escape import printable
from harness.report.words import counted

_SHOWN = 10


def report_lines(report: DataReport, root: Path) -> Iterator[Text]:
    """Yield what the build did; differences from the lock, and how to mend them."""
    made = counted(report.made, "file")
    yield Text(f"{counted(report.cases, 'case')}, {decimal(report.bytes)}; {made} made anew")
    yield from (Text(f"removed, no longer in the recipe: {name}") for name in report.removed)
    if report.locked:
        yield Text(f"locked: {root / LOCK}")
    elif report.lock is not None and not report.drift:
        yield Text(f"every sum is as in {report.lock}")
    drift = [f"{kind} against the lock: {name}" for kind, name in report.drift.items()]
    yield from (Text(line, style="bold red") for line in drift[:_SHOWN])
    if len(drift) > _SHOWN:
        yield Text(f"… and {len(drift) - _SHOWN} more", style="bold red")
    if drift:
        yield from (Text(printable(line), style="bold") for line in mends(root))


def warning_lines(report: DataReport) -> Iterator[Text]:
    """Yield what the package's author should mend."""
    yield from (Text(printable(f"warning: {warning}"), style="yellow") for warning in report.warnings)
