"""The catalogue of bug classes: every class has a wrong solution that its own cases catch."""

from harness.mutate.catalogue import CatalogueCheck, ClassCheck, check_catalogue
from harness.mutate.mutation_yaml import NOTES
from harness.verify.findings import Findings, PartResult
from harness.verify.judged_submissions import Judged, with_limit
from harness.verify.timing import working_limit_s


def check_classes(judged: Judged) -> PartResult:
    """The part `classes`; a package without a catalogue has nothing to look at."""
    setting = judged.setting
    if NOTES not in setting.package.files:
        return _nothing()
    package = with_limit(setting.package, working_limit_s(judged))
    found = check_catalogue(
        package, setting.host, memory=setting.memory, progress=setting.progress, lenient_s=judged.widest_s
    )
    return _told(found) if found.present else _nothing()


def _nothing() -> PartResult:
    return PartResult(part="classes", summary=f"no catalogue of bug classes in {NOTES}", skipped=True)


def _told(found: CatalogueCheck) -> PartResult:
    findings = Findings()
    for one in found.classes:
        for fault in one.faults:
            findings.error(f"{NOTES}:{one.line}", f"bug class {one.name}: {fault}")
        if not one.faults and not one.killers:
            findings.warning(
                f"{NOTES}:{one.line}", f"bug class {one.name}: this machine can build none of its solutions"
            )
    covered = sum(bool(one.killers) and not one.faults for one in found.classes)
    return PartResult(
        part="classes",
        summary=f"{covered} of {len(found.classes)} bug classes have a wrong solution that their cases catch",
        findings=findings.result(),
        columns=("class", "mistake", "solution", "caught by"),
        rows=tuple(row for one in found.classes for row in _rows(one)),
    )


def _rows(one: ClassCheck) -> list[tuple[str, ...]]:
    return [(one.name, one.what, path, ", ".join(cases)) for path, cases in one.killers.items()]
