"""Export to the legacy format that Kattis' problemtools reads.

An output validator writes absolute points there, not a share: it is wrapped by a program that does.
"""

import re
from dataclasses import replace

from harness.errors import UsageError
from harness.export.archive import ExportedFiles
from harness.export.legacy_parts import (
    add_data,
    add_group_settings,
    add_included,
    add_programs,
    add_rest,
    add_statements_as_text,
    credits_of,
    validation_words,
)
from harness.export.submissions import depends_on_require_pass, home_of
from harness.package import Aggregation, Group, Package, ProblemType, Program
from harness.package.checks import SHORT_NAME
from harness.package.findings import Findings
from harness.package.formats.manifest import limits_as_stated
from harness.package.model import Format
from harness.package.yaml_lines import section_of

_FLAG = "points="
_NAMES = re.compile(rb"(?m)^name:[ \t]*(?:\{|(?:#.*)?\r?$)")  # a mapping in problem.yaml

# Python 3.9 and its standard library only: it runs on judge hosts. It contains the unchanged validator.
_WRAPPER = '''"""The output validator below for the legacy format: its share of the points becomes points."""

import os
import sys

SOURCE = {source!r}


def main():
    points = 1.0
    for argument in sys.argv[4:]:
        if argument.startswith({flag!r}):
            points = float(argument[len({flag!r}):])
            sys.argv.remove(argument)
    code = 0
    try:
        exec(compile(SOURCE, sys.argv[0], "exec"), {{"__name__": "__main__", "__file__": sys.argv[0]}})
    except SystemExit as stop:
        code = stop.code
    if code == 42:
        write_points(sys.argv[3], points)
    sys.exit(code)


def write_points(folder, points):
    share = os.path.join(folder, "score_multiplier.txt")
    total = os.path.join(folder, "score.txt")
    if os.path.exists(total):
        return
    factor = 1.0
    if os.path.exists(share):
        with open(share) as file:
            factor = float(file.read())
        os.remove(share)
    with open(total, "w") as file:
        file.write(repr(points * factor))


if __name__ == "__main__":
    main()
'''


def legacy(package: Package) -> ExportedFiles:
    """Return the package in the legacy format. Raises UsageError for multi-pass problems: it has none."""
    exported = _as_it_is(package) if package.format is Format.LEGACY else _converted(package)
    if not SHORT_NAME.fullmatch(package.slug):
        exported.note_loss(
            f"the short name `{package.slug}`: Kattis takes a-z and 0-9 only, so name the folder in the zip so"
        )
    return exported


def _as_it_is(package: Package) -> ExportedFiles:
    """Return every file of the package. A name in several languages becomes one: Kattis reads no other."""
    exported = ExportedFiles(folder=package.slug)
    for path, file in package.files.items():
        exported.add(path, file)
    manifest = package.files.get("problem.yaml")
    if manifest is not None and _NAMES.search(manifest.read()):
        section = section_of(manifest, Findings())
        values = section.value.plain if section is not None else None
        exported.add_yaml("problem.yaml", {**(values if isinstance(values, dict) else {}), "name": package.title})
        exported.note_loss("names in several languages: problem.yaml has one there")
    return exported


def _converted(package: Package) -> ExportedFiles:
    if ProblemType.MULTI_PASS in package.types:
        raise UsageError(f"{package.slug} is a multi-pass problem, which the legacy format cannot say")
    exported = ExportedFiles(folder=package.slug)
    exported.add_yaml("problem.yaml", _manifest(package, exported, points=_validators(package) is not None))
    add_statements_as_text(exported, package)
    add_data(exported, package)
    if package.invalid_inputs:
        exported.note_loss("data/invalid_input: tests of the input validators")
    validators = _validators(package)
    add_group_settings(exported, package, own_flag=_points_flag if validators is not None else None)
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
    made = [_wrapped(program) for program in package.output_validators] if _gives_points(package) else []
    return [program for program in made if program is not None] if made and None not in made else None


def _manifest(package: Package, exported: ExportedFiles, *, points: bool) -> dict[str, object]:
    limits = package.limits
    validation = validation_words(package)
    if points:
        validation += " score"
    elif _gives_points(package):
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
    unsure: list[str] = []
    for program in package.submissions:
        home = home_of(package, program)
        if home.folder is None:
            homeless.setdefault(" or ".join(home.possible), []).append(program.path)
        elif depends_on_require_pass(package, home):
            unsure.append(program.path)
        else:
            add_programs(exported, f"submissions/{home.folder}", [program])
    for possible, paths in homeless.items():
        exported.note_loss(
            f"submissions that may get {possible}, for which there is no folder: {', '.join(paths)}"
        )
    if unsure:
        exported.note_loss(f"submissions that may get points there without `require_pass`: {', '.join(unsure)}")


def _gives_points(package: Package) -> bool:
    """Return whether an output validator of a scoring package may give partial points for a case."""
    groups = [group for group in (package.secret.groups or (package.secret,)) if group.cases]
    by_case = any(group.aggregation is not Aggregation.PASS_FAIL for group in groups)
    sources = [file.read() for program in package.output_validators for file in program.files.values()]
    return package.scoring and by_case and any(b"score" in source for source in sources)


def _wrapped(program: Program) -> Program | None:
    """Return the validator as one file that writes points; None if it is not a single Python file."""
    [*names] = program.files
    if len(names) != 1 or not names[0].endswith(".py"):
        return None
    [file] = program.files.values()
    source = file.read().decode("utf-8", errors="surrogateescape")
    text = _WRAPPER.format(source=source, flag=_FLAG)
    return replace(program, files={names[0]: replace(file, content=text.encode("utf-8", "surrogateescape"))})


def _points_flag(group: Group) -> str:
    """Return the validator's flag for the points of one case of the group."""
    points = group.max_score
    if group.name == "sample" or points is None:
        return f"{_FLAG}1"
    if group.aggregation is Aggregation.SUM:
        points /= max(len(group.cases), 1)
    return f"{_FLAG}{points:.15g}"
