"""Export to the legacy format that Kattis' problemtools reads."""

from harness.errors import UsageError
from harness.export.archive import Parcel
from harness.export.legacy_points import gives_points, wrapped
from harness.export.older_formats import (
    FlagSettings,
    add_data,
    add_group_settings,
    add_included,
    add_programs,
    add_statements_as_text,
    credits_of,
    lose_what_neither_has,
    validation_words,
)
from harness.export.submissions import home_of
from harness.package import Package, ProblemType, Program
from harness.package.formats.manifest import limits_as_stated


def legacy(package: Package) -> Parcel:
    """Return the package in the legacy format. Raises UsageError for multi-pass problems: it has none."""
    if ProblemType.MULTI_PASS in package.types:
        raise UsageError(f"{package.slug} is a multi-pass problem, which the legacy format cannot say")
    parcel = Parcel(folder=package.slug)
    parcel.add_yaml("problem.yaml", _manifest(package, parcel, points=_validators(package) is not None))
    if package.limits.time_limit_s is not None:
        parcel.add(".timelimit", f"{package.limits.time_limit_s:g}\n".encode())
    add_statements_as_text(parcel, package)
    add_data(parcel, package)
    if package.invalid_inputs:
        parcel.lose("data/invalid_input: tests of the input validators")
    validators = _validators(package)
    add_group_settings(parcel, package, FlagSettings(points=validators is not None))
    add_programs(parcel, "input_validators", package.input_validators)
    add_programs(parcel, "output_validators", validators or package.output_validators)
    _add_submissions(parcel, package)
    add_included(parcel, package)
    for path, file in package.attachments.items():
        parcel.add(f"attachments/{path}", file)
    lose_what_neither_has(parcel, package)
    parcel.lose("the time limit as it is given here: Kattis computes its own from the accepted submissions")
    parcel.lose("the verdict MLE: it counts as a run-time error")
    return parcel


def _validators(package: Package) -> list[Program] | None:
    """Return the output validators, wrapped to write points; None if they give none or cannot be wrapped."""
    made = [wrapped(program) for program in package.output_validators] if gives_points(package) else []
    return [program for program in made if program is not None] if made and None not in made else None


def _manifest(package: Package, parcel: Parcel, *, points: bool) -> dict[str, object]:
    limits = package.limits
    validation = validation_words(package)
    if points:
        validation += " score"
    elif gives_points(package):
        parcel.lose("points that the output validator gives: an accepted case gets all of its points")
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


def _add_submissions(parcel: Parcel, package: Package) -> None:
    homeless: dict[str, list[str]] = {}
    for program in package.submissions:
        home = home_of(package, program)
        if home.folder is None:
            homeless.setdefault(" or ".join(home.possible), []).append(program.path)
        else:
            add_programs(parcel, f"submissions/{home.folder}", [program])
    for possible, paths in homeless.items():
        parcel.lose(f"submissions that may get {possible}, for which there is no folder: {', '.join(paths)}")
