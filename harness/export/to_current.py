"""Convert a package of an older format to 2025-09: same cases, programs and verdicts in new paths and keys."""

import re
import uuid
from collections.abc import Callable, Mapping

from harness.errors import UsageError, first_few
from harness.export.archive import CREDITS_LOSS, RECIPE_LOSS, ExportedFiles, credits_others
from harness.export.groups import group_values
from harness.export.submissions import demands
from harness.package import Case, Group, Package, Program
from harness.package.files import File, below, is_legal
from harness.package.formats.manifest import limits_as_stated
from harness.statement.source import title_of

_STATEMENTS = ("statement", "problem_statement")
_RESOLUTIONS_S = (1.0, 0.5, 0.1, 0.05, 0.01, 0.001)
_UNREAD = re.compile(r"input(?:_format)?_validators/.*\.viva$")
_NAMED = 5  # names that one line of losses names
_ILLEGAL = re.compile(r"[^A-Za-z0-9_.-]")


def converted(package: Package) -> ExportedFiles:
    """Return the package in 2025-09. Raises UsageError that names what 2025-09 cannot express."""
    if len(package.output_validators) > 1:
        raise UsageError(
            f"{package.slug} has several output validators, and 2025-09 has one: join them into one program"
        )
    exported = ExportedFiles(folder=package.slug)
    names = _Names()
    exported.add_yaml("problem.yaml", _manifest(package))
    _add_statements(exported, package)
    _add_data(exported, package, names)
    for program in package.input_validators:
        add_program(exported, f"input_validators/{names.of(_base(program))}", program, names.of)
    for program in package.output_validators:
        add_program(exported, "output_validator", program, names.of, alone=False)
    for program in package.submissions:
        add_program(exported, f"submissions/{names.of(program.path)}", program, names.of)
    exported.add_yaml("submissions/submissions.yaml", demands(package, names.of, exported))
    for other in (package.static_validator, package.input_visualizer, package.output_visualizer):
        if other is not None:
            add_program(exported, other.path.partition("/")[0], other, names.of, alone=False)
    for folder in ("include", "attachments", "solution"):
        for path, file in below(package.files, folder).items():
            exported.add(f"{folder}/{names.of(path)}", file)
    _tell_losses(exported, package, names)
    return exported


class _Names:
    """Maps names to names that 2025-09 allows, consistently. `changed`: the renamed ones."""

    def __init__(self) -> None:
        self._given: dict[str, str] = {}
        self.changed: dict[str, str] = {}

    def of(self, path: str) -> str:
        """Make each part of a path legal; paths that would become equal stay different."""
        if is_legal(path):
            return path
        if path not in self.changed:
            made = "/".join(_ILLEGAL.sub("_", part).lstrip(".-")[:200] or "_" for part in path.split("/"))
            while self._given.setdefault(made, path) != path:
                stem, dot, ending = made.partition(".")
                made = f"{stem}_{dot}{ending}"
            self.changed[path] = made
        return self.changed[path]


def _manifest(package: Package) -> dict[str, object]:
    limits = package.limits
    authors = [f"{person.name} <{person.email}>" if person.email else person.name for person in package.authors]
    languages = sorted(package.statements) or sorted(package.names)
    owned = package.license in ("unknown", "public domain") or package.authors or package.source
    return {
        "problem_format_version": "2025-09",
        "type": sorted(map(str, package.types)),
        "name": {language: title_of(package, language) for language in languages},
        # The same package must give the same bytes: a missing UUID is derived from its name.
        "uuid": package.uuid or str(uuid.uuid5(uuid.NAMESPACE_URL, f"{package.slug} {package.title}")),
        "credits": {"authors": authors} if authors else None,
        "source": package.source,
        "license": package.license,
        "rights_owner": package.rights_owner or (None if owned else "unknown"),
        "keywords": list(package.keywords),
        "languages": sorted(package.languages) if package.languages is not None else None,
        "allow_file_writing": package.allow_file_writing or None,
        "constants": {name: dict(variants) for name, variants in package.constants.items()},
        "limits": {
            "time_limit": limits.time_limit_s,
            "time_resolution": _resolution_s(limits.time_limit_s),
            "time_multipliers": {
                "ac_to_time_limit": max(limits.ac_to_time_limit, 1.0),
                "time_limit_to_tle": max(limits.time_limit_to_tle, 1.0),
            },
            **limits_as_stated(limits),
            **({"validation_passes": limits.validation_passes} if "multi-pass" in package.types else {}),
        },
    }


def _resolution_s(limit_s: float | None) -> float:
    """Return a time resolution in seconds of which the time limit is a multiple."""
    whole = (
        step for step in _RESOLUTIONS_S if limit_s is None or abs(limit_s / step - round(limit_s / step)) < 1e-6
    )
    return next(whole, _RESOLUTIONS_S[-1])


def _add_statements(exported: ExportedFiles, package: Package) -> None:
    chosen = {str(file.origin) for file in package.statements.values()}
    for language, file in package.statements.items():
        exported.add(f"statement/problem.{language}{file.origin.suffix}", file)
    for folder in _STATEMENTS:
        for path, file in below(package.files, folder).items():
            if str(file.origin) not in chosen and is_legal(path) and not path.startswith("problem."):
                exported.add(f"statement/{path}", file)


def add_program(
    exported: ExportedFiles,
    path: str,
    program: Program,
    name_of: Callable[[str], str] = str,
    *,
    alone: bool = True,
) -> None:
    """Add a program. alone: a single-file program becomes the file `path`; else `path` is its folder."""
    for part, file in program.files.items():
        single = alone and len(program.files) == 1 and part == _base(program)
        exported.add(path if single else f"{_folder(path, program)}/{name_of(part)}", file)


def _folder(path: str, program: Program) -> str:
    """Return the program's folder: a single file with added headers becomes a folder."""
    return path.rpartition(".")[0] if _base(program) in program.files and "." in path else path


def _base(program: Program) -> str:
    return program.path.rpartition("/")[2]


def _add_data(exported: ExportedFiles, package: Package, names: _Names) -> None:
    for group in (package.sample, package.secret):
        _add_group(exported, package, group, names)
    for sample in package.sample.shown_only:
        for extension, file in sample.shown.items():
            exported.add(f"data/{names.of(sample.name)}{extension}", file)
    for cases in (package.invalid_inputs, package.invalid_outputs, package.valid_outputs):
        for case in cases:
            _add_case(exported, case, names, _old_part(case.name), {})


def _old_part(name: str) -> str:
    """Return today's name of an older package's `invalid_inputs/…`."""
    part, _, rest = name.partition("/")
    return f"{part.removesuffix('s')}/{rest}"


def _add_group(exported: ExportedFiles, package: Package, group: Group, names: _Names) -> None:
    cases = list(group.all_cases()) if group.name == "sample" or not package.scoring else list(group.cases)
    shared = _arguments(cases[0]) if cases else {}
    if any(_arguments(case) != shared for case in cases):
        shared = {}
    values = {**group_values(package, group), **_static(group), **shared}
    if values:
        exported.add_yaml(f"data/{names.of(group.name)}/test_group.yaml", values)
    for case in cases:
        _add_case(exported, case, names, case.name, shared)
    for inner in group.groups if package.scoring and group.name != "sample" else ():
        _add_group(exported, package, inner, names)


def _static(group: Group) -> dict[str, object]:
    if group.static is None:
        return {}
    score = "pass-fail" if group.static.score is None else int(group.static.score)
    return {"static_validation_score": score, "static_validator_args": list(group.static.arguments)}


def _arguments(case: Case) -> dict[str, object]:
    inputs = case.settings.input_validator_args
    given = (
        list(inputs) if not isinstance(inputs, Mapping) else {name: list(words) for name, words in inputs.items()}
    )
    settings: dict[str, object] = {
        "args": list(case.settings.args),
        "input_validator_args": given,
        "output_validator_args": list(case.settings.output_validator_args),
        "input_visualizer_args": list(case.settings.input_visualizer_args),
        "output_visualizer_args": list(case.settings.output_visualizer_args),
    }
    return {key: value for key, value in settings.items() if value}


def _add_case(exported: ExportedFiles, case: Case, names: _Names, name: str, shared: Mapping[str, object]) -> None:
    stem = f"data/{names.of(name)}"
    files: dict[str, File | None] = {".in": case.input, ".ans": case.answer, ".out": case.output}
    files |= {
        end: file for end, file in case.shown.items() if end not in (".hint", ".desc", ".args", ".gif", ".pdf")
    }
    for extension, file in files.items():
        if file is not None:
            exported.add(stem + extension, file)
    for path, file in case.extra_files.items():
        exported.add(f"{stem}.files/{names.of(path)}", file)
    own = {key: value for key, value in _arguments(case).items() if shared.get(key) != value}
    settings = {**own, "hint": case.settings.hint, "description": case.settings.description}
    if any(settings.values()):
        exported.add_yaml(f"{stem}.yaml", settings)


def _tell_losses(exported: ExportedFiles, package: Package, names: _Names) -> None:
    if package.minimize:
        exported.note_loss("`grading.objective: min`: in 2025-09 more points are better")
    if package.foreign_family is None and below(package.files, "generators"):
        exported.note_loss(RECIPE_LOSS)
    if credits_others(package):
        exported.note_loss(CREDITS_LOSS)
    if any(rule.cases is not None or rule.message is not None for rule in package.rules):
        exported.note_loss("submissions.yaml: demands on single groups and messages")
    unread = [path for path in package.files if _UNREAD.match(path)]
    if unread:
        exported.note_loss(f"input validators in VIVA: {first_few(unread, _NAMED)}")
    if names.changed:
        exported.note_loss(
            f"names that 2025-09 does not allow are written otherwise: {first_few([*names.changed], _NAMED)}"
        )
