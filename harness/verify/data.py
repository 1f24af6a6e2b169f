"""The test data: built from its recipe, and the same bytes as its lock says."""

from pathlib import Path

from harness.errors import HarnessError
from harness.generate import LOCK, build_data, needs_building
from harness.host import Host
from harness.package import Package
from harness.verify.findings import Findings, PartResult
from harness.verify.setting import Progress


def check_data(root: Path, package: Package, host: Host, progress: Progress) -> PartResult:
    """The part `data`: builds what is missing. Never rewrites a lock that is there."""
    findings = Findings()
    if not needs_building(package):
        cases = len(package.judged_cases())
        summary = f"{cases} cases, as they lie in the package (no recipe with a lock)"
        return PartResult(part="data", summary=summary)
    try:
        report = build_data(root, host, progress=progress)
    except HarnessError as error:
        findings.error(str(root / "data"), str(error))
        return PartResult(part="data", summary="could not be built", findings=findings.result())
    for warning in report.warnings:
        findings.warning(str(root), warning)
    for kind, name in report.drift.items():
        findings.error(name, f"{kind} against {LOCK}; if that is meant: harness generate --relock")
    for name in report.removed:
        findings.note(name, "removed: no longer in the recipe")
    if report.locked:
        findings.note(LOCK, "written: there was none")
    same = "differs from its lock" if report.drift else "byte-identical to its lock"
    return PartResult(
        part="data", summary=f"{report.cases} cases, {report.bytes >> 20} MiB, {same}", findings=findings.result()
    )
