"""One loader: a folder in, a frozen Package out, or every fault of the package at once."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from harness.errors import Fault, PackageError
from harness.package.archive import place_in_archive
from harness.package.cases import CaseReader, tree_of
from harness.package.checks import JUDGES, Checks
from harness.package.data import Data, is_legacy_data, read_current, read_legacy
from harness.package.domjudge import with_domjudge
from harness.package.expected_comments import rules_in_comments
from harness.package.files import File, Files, below, read_folder
from harness.package.findings import Findings
from harness.package.folders import check_folders
from harness.package.legacy_data import LegacyReader
from harness.package.manifest import Manifest, read_manifest
from harness.package.model import Format, Package, ProblemType, Program
from harness.package.programs import ProgramReader
from harness.package.repository import enclosing
from harness.package.rules import (
    DEFAULT_RULES,
    LEGACY_RULES,
    Expectations,
    check_contradictions,
    matches,
    read_rules,
)
from harness.package.statements import check_languages, check_statements, names_in, read_statements, read_texts
from harness.package.unused import check_globs, check_opting_out
from harness.package.version import take_format
from harness.package.workspace import RECIPE, lay_out, workspace_of
from harness.package.yaml_lines import Section, section_of

_CURRENT = re.compile(
    rb"""^["']?problem_format_version["']?[ \t]*:[ \t]*["']?2025-09["']?[ \t]*(#.*)?\r?$""", re.MULTILINE
)
_MANIFEST_BYTES = 1 << 20
_EMPTY = b"{}\n"


def load(root: Path, *, built: bool = True, overlay: Path | None = None) -> Package:
    """The package at `root` (a package folder, or problems/<slug> of a workspace).

    built: whether secret data must be there; False while it is being made from the package's recipe.
    overlay: a folder whose files lie over those of data/.
    Raises PackageError with all of the package's faults.
    """
    package, findings = _read(root, built=built, overlay=overlay)
    if findings.faults or package is None:
        raise PackageError(findings.faults, findings.warnings)
    return replace(package, warnings=tuple(str(warning) for warning in findings.warnings))


def load_to_read(root: Path) -> tuple[Package, tuple[Fault, ...]]:
    """The package as far as it can be read, and its faults: for people who read its texts, never for judging.

    Raises PackageError where nothing of it can be read at all.
    """
    package, findings = _read(root, built=False, lenient=True)
    if package is None:
        raise PackageError(findings.faults, findings.warnings)
    return package, tuple(findings.faults)


def _read(
    root: Path, *, built: bool, overlay: Path | None = None, lenient: bool = False
) -> tuple[Package | None, Findings]:
    findings = Findings(last_key_counts=not _is_current(root), unpacked=place_in_archive(root))
    files = read_package_files(root, findings)
    if overlay is not None:
        made = {f"data/{path}": file for path, file in read_folder(overlay, findings).items()}
        files = dict(sorted({**files, **made}.items()))
    loader = _Loader(
        root=root, files=files, findings=findings, built=built or RECIPE not in files, lenient=lenient
    )
    return loader.package(), findings


def read_package_files(root: Path, findings: Findings) -> Files:
    """The package's mapping from path to file, wherever its parts lie."""
    workspace = workspace_of(root)
    if workspace is not None:
        return lay_out(workspace, root.resolve().name, findings)
    return read_folder(root, findings, around=enclosing(root.resolve()), old_names=not _is_current(root))


def _is_current(root: Path) -> bool:
    """Whether problem.yaml says 2025-09, before it is read in earnest."""
    manifest = root / "problem.yaml"
    try:
        if not manifest.is_file():  # a pipe would be waited for
            return False
        with manifest.open("rb") as file:
            return _CURRENT.search(file.read(_MANIFEST_BYTES)) is not None
    except OSError:
        return False


@dataclass(frozen=True, kw_only=True)
class _Loader:
    """lenient: what problem.yaml does not tell is taken as legacy has it."""

    root: Path
    files: Files
    findings: Findings
    built: bool
    lenient: bool = False

    def package(self) -> Package | None:
        """The package, or None where problem.yaml cannot be read."""
        section = self._manifest_section()
        if section is None and self.lenient and self.files:
            section = section_of(File(origin=self.root / "problem.yaml", content=_EMPTY), self.findings)
        version = take_format(section) if section is not None else None
        version = Format.LEGACY if version is None and self.lenient else version
        if section is None or version is None:
            return None
        manifest = with_domjudge(read_manifest(section, version), self.files, self.findings)
        programs = ProgramReader(
            files=self.files,
            constants=manifest.constants,
            findings=self.findings,
            guess_python_2=manifest.format is Format.LEGACY,
            answers=ProblemType.SUBMIT_ANSWER in manifest.types,
        )
        package = self._assembled(manifest, programs)
        checks = Checks(files=self.files, findings=self.findings, built=self.built)
        checks.check(package, manifest)
        return package

    def _assembled(self, manifest: Manifest, programs: ProgramReader) -> Package:
        output_validators = self._output_validators(manifest, programs)
        static_validator = programs.folder_program("static_validator")
        data = self._data(manifest, programs, bool(output_validators), static_validator is not None)
        expectations = self._expectations(manifest, legacy=data.grading is not None)
        submissions = _with_hints(programs.submissions(), expectations)
        scoring = ProblemType.SCORING in manifest.types
        spoken = rules_in_comments(submissions, self.findings, scoring=scoring)
        said = self.files.get("submissions/submissions.yaml")
        check_contradictions(submissions, expectations.rules, said, self.findings)
        check_folders(submissions, (*expectations.rules, *spoken), self.root, self.findings)
        groups = (data.sample, data.secret) if self.built else ()
        check_globs(expectations, submissions, groups, said, self.findings)
        check_opting_out(expectations.rules, submissions, said, self.findings)
        statements = read_statements(self.files, self._places(manifest, "statement", "problem_statement"))
        return Package(
            slug=self.root.resolve().name,
            root=self.root,
            files=self.files,
            names=self._names(manifest, statements),
            types=manifest.types,
            limits=manifest.limits,
            constants=manifest.constants,
            authors=manifest.authors,
            source=manifest.source,
            license=manifest.license,
            statements=statements,
            sample=data.sample,
            secret=data.secret,
            invalid_inputs=data.invalid_inputs,
            input_validators=self._input_validators(programs),
            output_validators=output_validators,
            submissions=submissions,
            rules=(*expectations.rules, *spoken),
            format=manifest.format,
            uuid=manifest.uuid,
            keywords=manifest.keywords,
            languages=manifest.languages,
            allow_file_writing=manifest.allow_file_writing,
            invalid_outputs=data.invalid_outputs,
            valid_outputs=data.valid_outputs,
            static_validator=static_validator,
            input_visualizer=programs.folder_program("input_visualizer"),
            output_visualizer=programs.folder_program("output_visualizer"),
            include=self._include(programs),
            attachments=below(self.files, "attachments"),
            solutions=read_texts(self.files, "solution", "solution"),
            grading=data.grading,
            minimize=manifest.minimize,
            older_dialects=manifest.is_legacy,  # packages of 2025-09 were written with today's compilers
            validator_args_key="validator_flags" if manifest.is_legacy else "output_validator_args",
        )

    def _manifest_section(self) -> Section | None:
        file = self.files.get("problem.yaml")
        if file is None and "domjudge-problem.ini" not in self.files:
            self.findings.fault(self.root / "problem.yaml", "not found: a problem package has one at its top")
            return None
        file = file or File(origin=self.root / "problem.yaml", content=_EMPTY)
        section = section_of(file, self.findings)
        if section is None and not self.findings.faults:
            self.findings.warn(file.origin, "is empty: read as a legacy package without a name")
            section = section_of(replace(file, content=_EMPTY), self.findings)
        return section

    def _places(self, manifest: Manifest, current: str, legacy: str) -> tuple[str, ...]:
        """Where a part may lie, its own place of this version first; the other one costs a warning."""
        places = (legacy, current) if manifest.format is Format.LEGACY else (current, legacy)
        if not below(self.files, places[0]) and below(self.files, places[1]):
            self.findings.warn(self.root / places[1], f"in this version of the format its name is {places[0]}/")
        return places

    def _names(self, manifest: Manifest, statements: Files) -> dict[str, str]:
        legacy = manifest.format is Format.LEGACY
        names = dict(manifest.names) or names_in(statements)
        if not names:
            self.findings.warn(
                self.root / "problem.yaml", "the key `name` is missing: the folder's name stands in"
            )
            names = {"en": self.root.resolve().name}
        check_statements(self.files, statements, self.root, self.findings, strict=not legacy)
        check_languages(names, statements, self.root, self.findings, strict=not legacy)
        return names

    def _input_validators(self, programs: ProgramReader) -> tuple[Program, ...]:
        found = programs.judge_programs("input_validators")
        if below(self.files, "input_format_validators"):
            self.findings.warn(
                self.root / "input_format_validators", "the old name: rename it to input_validators"
            )
            found += programs.judge_programs("input_format_validators")
        return found

    def _output_validators(self, manifest: Manifest, programs: ProgramReader) -> tuple[Program, ...]:
        one, several = "output_validator", "output_validators"
        places = self._places(manifest, one, several)
        if below(self.files, places[0]) and below(self.files, places[1]):
            self.findings.fault(self.root / places[1], f"stands beside {places[0]}: keep one of them")
        found: tuple[Program, ...] = programs.judge_programs(several)
        if not found and manifest.is_legacy and manifest.validation[:1] == ("custom",):
            found = programs.judge_programs("validators")  # the oldest name
        single = programs.folder_program(one)
        found = (single,) if single is not None else found
        default = manifest.format is Format.LEGACY and manifest.validation[:1] in ((), ("default",))
        if found and default and not manifest.types & JUDGES:
            where = found[0].origin
            self.findings.warn(where, "not used: problem.yaml does not say `validation: custom`")
            return ()
        return found

    def _include(self, programs: ProgramReader) -> dict[str, Files]:
        languages = sorted({path.split("/")[0] for path in below(self.files, "include") if "/" in path})
        return {language: programs.program(f"include/{language}").files for language in languages}

    def _expectations(self, manifest: Manifest, *, legacy: bool) -> Expectations:
        return read_rules(
            self.files.get("submissions/submissions.yaml"),
            manifest.constants,
            self.findings,
            defaults=LEGACY_RULES if legacy else DEFAULT_RULES,
        )

    def _data(self, manifest: Manifest, programs: ProgramReader, custom: bool, static: bool) -> Data:
        cases = CaseReader(
            tree=tree_of(below(self.files, "data")),
            root=self.root / "data",
            constants=manifest.constants,
            findings=self.findings,
            legacy=manifest.is_legacy,
            answers_expected=self.built,
            conversation=bool(manifest.types & JUDGES),
        )
        graders = programs.judge_programs("graders")
        scoring = ProblemType.SCORING in manifest.types
        if not is_legacy_data(cases, manifest.format, graders, scoring=scoring):
            flags = manifest.validator_flags
            return read_current(cases, scoring=scoring, static_validated=static, validator_flags=flags)
        reader = LegacyReader(
            cases=cases,
            scoring=scoring,
            graders=graders,
            validator_flags=manifest.validator_flags,
            oldest=manifest.grading,
            default_validator=not custom,
        )
        return read_legacy(reader)


def _with_hints(submissions: Sequence[Program], expectations: Expectations) -> tuple[Program, ...]:
    hinted = []
    for submission in submissions:
        for hint in expectations.hints:
            if matches(hint.pattern, submission.path):
                submission = replace(  # noqa: PLW2901
                    submission,
                    language=hint.language or submission.language,
                    entrypoint=hint.entrypoint or submission.entrypoint,
                )
        hinted.append(submission)
    return tuple(hinted)
