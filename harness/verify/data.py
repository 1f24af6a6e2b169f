"""The test data: built from its recipe, and the same bytes as its lock says."""

from pathlib import Path

from rich.filesize import decimal

from harness.errors import HarnessError
from harness.generate import DataReport, bring_up_to_date, mends
from harness.generate.programs import unused_generators
from harness.host.host import Host
from harness.package import Package
from harness.package.workspace import LOCK
from harness.verify.context import Progress
from harness.verify.findings import Findings, PartResult


def check_data(root: Path, package: Package, host: Host, progress: Progress) -> PartResult:
    """The part `data`: builds what is missing. Never rewrites a lock that is there."""
    findings = Findings()
    try:
        report = bring_up_to_date(root, host, progress=progress)
    except HarnessError as error:
        findings.error(str(root / "data"), str(error))
        return PartResult(part="data", summary="could not be built", findings=findings.result())
    for name in _unused(package):
        findings.warning(f"generators/{name}", "nothing uses this generator: let the recipe call it, or remove it")
    if report is None:
        cases = len(package.judged_cases())
        summary = f"{cases} cases, as they lie in the package (no recipe with a lock)"
        return PartResult(part="data", summary=summary, findings=findings.result())
    for warning in report.warnings:
        findings.warning(str(root), warning)
    for kind, name in report.drift.items():
        findings.error(name, f"{kind} against the lock")
    for line in mends(root) if report.drift else ():
        findings.error(report.lock or LOCK, line)
    for name in report.removed:
        findings.note(name, "removed: no longer in the recipe")
    if report.locked:
        findings.note(LOCK, "written: there was none")
    if report.overlaid and report.lock is None and package.foreign_family is None:
        findings.note(
            LOCK, "there is none, so the data was built beside the package: harness generate writes both"
        )
    summary = f"{report.cases} cases, {decimal(report.bytes)}, {_against_lock(report)}"
    return PartResult(part="data", summary=summary, findings=findings.result())


def _against_lock(report: DataReport) -> str:
    if report.lock is None and not report.locked:
        return "without a lock"
    return "differs from its lock" if report.drift else "byte-identical to its lock"


def _unused(package: Package) -> tuple[str, ...]:
    """The generators that nothing uses; a recipe that cannot be read has been told of by then."""
    try:
        return unused_generators(package)
    except HarnessError:
        return ()
