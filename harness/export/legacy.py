"""Export to the legacy format that Kattis' problemtools reads."""

from harness.errors import UsageError
from harness.export.archive import ExportedFiles
from harness.export.legacy_points import gives_points, wrapped
from harness.export.older_formats import (
    FlagSettings,
    add_data,
    add_group_settings,
    add_included,
    add_programs,
    add_rest,
    add_statements_as_text,
    credits_of,
    validation_words,
)
from harness.export.submissions import home_of
from harness.package import Package, ProblemType, Program
from harness.package.formats.manifest import limits_as_stated


def legacy(package: Package) -> ExportedFiles:
    """Return the package in the legacy format. Raises UsageError for multi-pass problems: it has none."""
    if ProblemType.MULTI_PASS in package.types:
        raise UsageError(f"{package.slug} is a multi-pass problem, which the legacy format cannot say")
    exported = ExportedFiles(folder=package.slug)
    exported.add_yaml("problem.yaml", _manifest(package, exported, points=_validators(package) is not None))
    add_statements_as_text(exported, package)
    add_data(exported, package)
    if package.invalid_inputs:
        exported.note_loss("data/invalid_input: tests of the input validators")
    validators = _validators(package)
    add_group_settings(exported, package, FlagSettings(points=validators is not None))
    add_programs(exported, "input_validators", package.input_validators)
    add_programs(exported, "output_validators", validators or package.output_validators)
    _add_submissions(exported, package)
    add_included(exported, package)
    add_rest(exported, package)
    exported.note_loss("the time limit as it is given here: Kattis computes its own from the accepted submissions")
    exported.note_loss("the verdict MLE: it counts as a run-time error")
    return exported


def _validators(package: Package) -> list[Program] | None:
    """Return the output validators, wrapped to write points; None if they give none or cannot be wrapped."""
    made = [wrapped(program) for program in package.output_validators] if gives_points(package) else []
    return [program for program in made if program is not None] if made and None not in made else None


def _manifest(package: Package, exported: ExportedFiles, *, points: bool) -> dict[str, object]:
    limits = package.limits
    validation = validation_words(package)
    if points:
        validation += " score"
    elif gives_points(package):
        exported.note_loss("points that the output validator gives: an accepted case gets all of its points")
    return {
        "problem_format_version": "legacy",
        "name": package.title,
        "uuid": package.uuid,
        "type": "scoring" if package.scoring else "pass-fail",
        **credits_of(package),
        "limits": {
            "time_multiplier": limits.ac_to_time_limit,
            "time_safety_margin": limits.time_limit_to_tle,
            **limits_as_stated(limits),
        },
        "validation": validation,
        "grading": {"objective": "max", "show_test_data_groups": True} if package.scoring else None,
    }


def _add_submissions(exported: ExportedFiles, package: Package) -> None:
    homeless: dict[str, list[str]] = {}
    for program in package.submissions:
        home = home_of(package, program)
        if home.folder is None:
            homeless.setdefault(" or ".join(home.possible), []).append(program.path)
        else:
            add_programs(exported, f"submissions/{home.folder}", [program])
    for possible, paths in homeless.items():
        exported.note_loss(
            f"submissions that may get {possible}, for which there is no folder: {', '.join(paths)}"
        )
