"""Export for DOMjudge: a zip without an outer folder, named after the problem."""

import shlex
from dataclasses import replace

from harness.export.archive import ExportedFiles
from harness.export.legacy_parts import (
    add_data,
    add_group_settings,
    add_page,
    add_programs,
    add_rest,
    credits_of,
    validation_words,
    with_included,
)
from harness.export.submissions import FOLDERS, depends_on_require_pass, home_of
from harness.package import Package, ProblemType, Program
from harness.package.model import rules_for

_RUN = """#!/bin/sh
exec python3 "$(dirname "$0")/{name}" "$@"
"""
_TAGS = {"AC": "CORRECT", "WA": "WRONG-ANSWER", "TLE": "TIMELIMIT", "RTE": "RUN-ERROR", "CE": "COMPILER-ERROR"}
_SPOKEN = b"@EXPECTED_RESULTS@:"
_COMMENTS = {".py": "#", ".py3": "#", ".py2": "#", ".rb": "#", ".sh": "#", ".hs": "--"}
MIXED = "mixed"


def domjudge(package: Package) -> ExportedFiles:
    """Return the package as DOMjudge imports it."""
    exported = ExportedFiles(folder="")
    exported.add_yaml("problem.yaml", _manifest(package))
    exported.add("domjudge-problem.ini", _ini(package))
    add_page(exported, package)
    add_data(exported, package)
    add_group_settings(exported, package, known=_flags(package))
    _add_validator(exported, package)
    _add_submissions(exported, with_included(package, exported))
    add_rest(exported, package)
    exported.note_loss("input validators: DOMjudge runs none")
    exported.note_loss("the verdict MLE: it counts as a run-time error")
    if package.scoring:
        exported.note_loss("points by test group, where the importing version judges pass-fail only")
    return exported


def _manifest(package: Package) -> dict[str, object]:
    limits = package.limits
    multi_pass = ProblemType.MULTI_PASS in package.types
    return {
        "name": package.title,
        "uuid": package.uuid,
        **credits_of(package),  # the importer ignores what it does not know
        # One string: the importer splits it at spaces and rejects a list.
        "type": " ".join(kind for kind in ProblemType if kind in package.types),
        "validation": validation_words(package),
        "validator_flags": _flags(package),
        "limits": {
            "time_limit": limits.time_limit_s,
            "memory": limits.memory_mib,
            "output": limits.output_mib,
            **({"validation_passes": limits.validation_passes} if multi_pass else {}),
        },
    }


def _flags(package: Package) -> str:
    given = {case.settings.output_validator_args for case in package.judged_cases()}
    return shlex.join(given.pop()) if len(given) == 1 else ""


def _ini(package: Package) -> bytes:
    lines = [f"short-name = {package.slug}", f"externalid = {package.slug}"]
    if package.limits.time_limit_s is not None:
        lines.append(f"timelimit = {package.limits.time_limit_s:g}")
    return ("\n".join(lines) + "\n").encode()


def _add_validator(exported: ExportedFiles, package: Package) -> None:
    """Add the validator's files in one folder; Python gets a `run` script: the importer may lack Python."""
    if not package.output_validators:
        return
    validator = package.output_validators[0]
    folder = f"output_validators/{package.slug}"
    for name, file in validator.files.items():
        exported.add(f"{folder}/{name}", file)
    scripts = [name for name in validator.files if name.endswith(".py")]
    if len(scripts) == 1 and not validator.files.keys() & {"build", "run"}:
        exported.add(f"{folder}/run", _RUN.format(name=scripts[0]).encode(), executable=True)
    if len(package.output_validators) > 1:
        exported.note_loss("all output validators but the first")


def _add_submissions(exported: ExportedFiles, package: Package) -> None:
    for program in package.submissions:
        home = home_of(package, program)
        dependent = depends_on_require_pass(package, home)
        if home.folder in FOLDERS.values() and not dependent:
            add_programs(exported, f"submissions/{home.folder}", [program])
        else:
            verdicts = [rule.verdicts for rule in rules_for(program.path, package.rules) if rule.verdicts]
            broken = ("CE",) if any("CE" in codes for codes in verdicts) else home.possible
            possible = tuple(dict.fromkeys(("AC", *broken))) if dependent else broken
            tagged = program if _speaks(program) else _tagged(program, possible)
            add_programs(exported, f"submissions/{MIXED}", [tagged])


def _speaks(program: Program) -> bool:
    return any(_SPOKEN in file.read() for file in program.files.values())


def _tagged(program: Program, possible: tuple[str, ...]) -> Program:
    """Return the program with a comment that names its possible verdicts."""
    tag = f"@EXPECTED_RESULTS@: {', '.join(_TAGS[code] for code in possible)}"
    first, file = next(iter(sorted(program.files.items())))
    comment = _COMMENTS.get(first[first.rfind(".") :], "//")
    with_tag = replace(file, content=file.read() + f"\n{comment} {tag}\n".encode())
    return replace(program, files={**program.files, first: with_tag})
