"""The parts `package` and `data`: the package loads, and the data built from its recipe matches its lock."""

import math
import shlex
import time
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Collection
from pathlib import Path

from rich.filesize import decimal

from harness.errors import HarnessError, PackageError, counted
from harness.generate.case_rule import NAME
from harness.generate.data import DataReport
from harness.generate.overlay import bring_up_to_date, built_overlay, fixes, load_unbuilt, overlay_of
from harness.generate.programs import PackagePrograms, ProgramCall, generator_program, unused_generators
from harness.generate.recipe import PlannedCase, alternating, read_recipe, readable_recipe
from harness.generate.record import digest_of
from harness.host.host import Host
from harness.package import Package, ProblemType
from harness.package.names import misspelt
from harness.package.workspace import LOCK, RECIPE
from harness.sandbox.facts import Sandbox
from harness.store.identity import file_identity, files_identity
from harness.verify.findings import Finding, FindingCollector, Level, PartResult, level_of
from harness.verify.setting import Progress

AGAIN_S = 3.0  # for calling generators again
_JUDGED = ("sample/", "secret/")
_HEAD_BYTES = 4096  # of an input or answer that are looked at for its line ends


def check_package(root: Path, host: Host) -> tuple[Package | None, PartResult]:
    """Load the package; if it is broken, return None and a result with all faults and warnings."""
    try:
        package = load_unbuilt(root, built_overlay(root, host.builder.cache))
    except PackageError as error:
        summary = "is broken: nothing else was checked"
        lesser = (
            Finding(level=Level.WARNING, subject=each.where, message=each.message) for each in error.warnings
        )
        return None, PartResult(part="package", summary=summary, findings=(*fault_findings(error), *lesser))
    findings = FindingCollector()
    for message in package.warnings:
        findings.warning(package.slug, message)
    known = host.builder.language_codes
    for code in sorted((package.languages or frozenset()) - frozenset(known)):
        near = misspelt(code, known)
        level, fix = (Level.WARNING, f": did you mean `{near}`?") if near else (Level.NOTE, " here")
        findings.add(level, "languages", f"no language is called `{code}`{fix}")
    kinds = ", ".join(sorted(package.types))
    submissions = counted(len(package.submissions), "submission")
    summary = f"{package.foreign_family or package.format} package, {kinds}, {submissions}"
    return package, findings.part(summary, part="package")


def fault_findings(error: PackageError) -> tuple[Finding, ...]:
    """Return the faults of a package as findings."""
    return tuple(Finding(level=Level.ERROR, subject=fault.where, message=fault.message) for fault in error.faults)


def findings_of_cases(package: Package, earlier: Collection[str]) -> tuple[Finding, ...]:
    """Return what is wrong with the cases of a package. earlier: its warnings before its data was built."""
    findings = FindingCollector()
    for message in package.warnings:
        if message not in earlier:
            findings.warning(package.slug, message)
    for name in unlisted_cases(package):
        findings.warning(name, f"is judged, but not in {RECIPE}: name it there, or remove it")
    _report_repeated_cases(package, findings)
    for case in package.judged_cases():
        files = {"input": case.input, "answer": case.answer}
        heads = {kind: file.read(_HEAD_BYTES) for kind, file in files.items() if file is not None}
        with_cr = " and ".join(kind for kind, head in heads.items() if b"\r\n" in head)
        if with_cr:  # a submission's `getline` keeps the CR
            findings.warning(case.name, f"lines of the {with_cr} end in CR LF: write LF, as other judges do")
        for kind, head in heads.items():
            if head.startswith(BOM_UTF8):
                findings.warning(case.name, f"the {kind} begins with a byte order mark: save it without one")
    if not package.judged_cases():
        findings.error("data/secret", "no test case: a package needs at least one, a .in and a .ans")
    elif not any(package.secret.all_cases()) and package.foreign_family is None:
        findings.warning("data/secret", "no test case: only samples are judged")
    return findings.result()


def unlisted_cases(package: Package) -> list[str]:
    """Return the secret cases of data/ that the recipe, if there is one, does not make."""
    recipe = readable_recipe(package) if package.foreign_family is None else None
    if recipe is None:
        return []
    listed = {case.name for case in recipe.cases}
    return [case.name for case in package.secret.all_cases() if case.name not in listed]


def _report_repeated_cases(package: Package, findings: FindingCollector) -> None:
    """Warn of each case that has the input, answer and settings of an earlier case of its folder.

    Cases of an interactive problem may be the same: its interactor may draw at random.
    """
    if ProblemType.INTERACTIVE in package.types:
        return
    first: dict[tuple[object, ...], str] = {}
    cases = package.judged_cases()
    sizes = Counter(case.input.size() for case in cases)
    for case in cases:
        if sizes[case.input.size()] == 1:
            continue
        files = file_identity(case.input), file_identity(case.answer), files_identity(case.extra_files)
        folder, settings = case.name.rpartition("/")[0], case.settings
        key = (folder, files, settings.args, settings.output_validator_args)
        earlier = first.setdefault(key, case.name)
        if earlier != case.name:
            findings.warning(
                case.name, f"has the same input and answer as {earlier}: remove it, it tests nothing more"
            )


def check_data(root: Path, package: Package, host: Host, progress: Progress, *, fresh: bool = False) -> PartResult:
    """Build missing data and compare all data with the lock, which is never rewritten.

    Some generators are called again, all of them if `fresh`: they must make the same inputs.
    """
    findings = FindingCollector()
    try:
        report = bring_up_to_date(root, host, progress=progress)
    except PackageError as error:
        return PartResult(summary="could not be built", findings=fault_findings(error))
    except HarnessError as error:
        findings.add(level_of(error), str(root / "data"), str(error))
        return findings.part("could not be built", disturbed=True)
    for name in _unused(package):
        findings.warning(f"generators/{name}", "nothing uses this generator: let the recipe call it, or remove it")
    if report is None:
        _report_absent(package, findings)
        cases = len(package.judged_cases())
        return findings.part(f"{cases} cases, as they lie in the package (no recipe with a lock)")
    for warning in report.warnings:
        findings.warning(str(root), warning)
    for kind, name in report.drift.items():
        findings.error(name, f"{kind} against the lock")
    for line in fixes(root) if report.drift else ():
        findings.error(report.lock or LOCK, line)
    for name in _unlike_before(root, package, host, report, fresh=fresh):
        findings.error(name, "its generator made another input when it was called again: draw from the seed alone")
    for name in report.removed:
        findings.note(name, "removed: no longer in the recipe")
    if report.locked:
        findings.note(LOCK, "written: there was none")
    if report.overlaid and report.lock is None and package.foreign_family is None:
        findings.note(
            LOCK, "there is none, so the data was built beside the package: harness generate writes both"
        )
    return findings.part(f"{report.cases} cases, {decimal(report.bytes)}, {_against_lock(report)}")


def _unlike_before(root: Path, package: Package, host: Host, report: DataReport, *, fresh: bool) -> list[str]:
    """Return the inputs that their generators make differently when they are called again, as no other machine may.

    The first cases of all generators come first; after AGAIN_S seconds no further call is begun, unless `fresh`. A call
    that fails, or that writes its files itself, tells nothing.
    """
    recipe = read_recipe(package.files, package.constants)
    if recipe is None or report.drift:
        return []
    data = overlay_of(root, host.builder.cache) or root / "data"
    programs = PackagePrograms(host=host, limits=package.limits)
    end_s = math.inf if fresh else time.monotonic() + AGAIN_S
    made = [case for case in alternating(recipe.cases) if case.invocation is not None and ".in" not in case.texts]

    def differs(sandbox: Sandbox, case: PlannedCase) -> bool:
        if case.invocation is None or case.retries > 1 or time.monotonic() > end_s:
            return False
        program = generator_program(package, recipe, case.invocation.generator)
        call = ProgramCall(
            program=program, arguments=case.invocation.arguments, stdin=Path("/dev/null"), writes_files=True
        )
        with host.work_folder(sandbox) as work:
            try:
                folder = programs.run(sandbox, call, f"{case.name}.in", work)
            except HarnessError:
                return False
            own = folder / f"{NAME}.in"
            return not own.exists() and digest_of(work / "stdout") != digest_of(data / f"{case.name}.in")

    return sorted(f"{case.name}.in" for case, is_other in host.pool.each(differs, made) if is_other)


def _against_lock(report: DataReport) -> str:
    if report.lock is None and not report.locked:
        return "without a lock"
    return "differs from its lock" if report.drift else "byte-identical to its lock"


def _report_absent(package: Package, findings: FindingCollector) -> None:
    """Warn of cases that the recipe of a package without a lock makes and that are not in data/."""
    recipe = readable_recipe(package)
    if recipe is None:
        return
    present = {case.name for case in package.judged_cases()}
    absent = [case.name for case in recipe.cases if case.name.startswith(_JUDGED) and case.name not in present]
    if absent:
        findings.warning(
            RECIPE,
            f"makes {len(absent)} cases that are not in data/, {absent[0]} first: only what is there is judged; "
            f"harness generate {shlex.quote(str(package.root))} makes them",
        )


def _unused(package: Package) -> tuple[str, ...]:
    """Return the unused generators; none if the recipe cannot be read, which is reported elsewhere."""
    try:
        return unused_generators(package)
    except HarnessError:
        return ()
