"""Packages with a problem.yaml (or DOMjudge's ini file): the versions 2025-09, its drafts, and legacy."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from harness.package import checks
from harness.package.files import MANIFESTS, TIME_LIMIT_FILE, File, Files, below
from harness.package.findings import Findings
from harness.package.formats.cases import GROUP_FILE, LEGACY_GROUP_FILE, CaseReader, has_grading_keys, tree_of
from harness.package.formats.current import DataReader
from harness.package.formats.legacy import LegacyReader
from harness.package.formats.manifest import MOST_S, Manifest, read_manifest
from harness.package.formats.source import CURRENT, DRAFT, LEGACY, Family, Version, read_data
from harness.package.formats.submission_rules import (
    DEFAULT_RULES,
    LEGACY_RULES,
    Expectations,
    read_rules,
    rules_in_comments,
)
from harness.package.globs import matches
from harness.package.model import CONVERSATIONS, Format, Metadata, Package, ProblemType, Program
from harness.package.programs import ProgramReader
from harness.package.statements import names_in, read_statements, read_texts
from harness.package.yaml_lines import YamlSection, decimal, section_of
from harness.values import dataclass

PROBLEM, DOMJUDGE = MANIFESTS
SUBMISSIONS = "submissions/submissions.yaml"
_LARGEST_MANIFEST = 1 << 20
_AT_TOP = "a problem package has one at its top"
_EMPTY = b"{}\n"
_VERSIONS: dict[str | None, Version] = {
    Format.CURRENT: CURRENT,
    **dict.fromkeys((Format.DRAFT, "2023-07", "draft", "2025-09-draft"), DRAFT),
    **dict.fromkeys((Format.LEGACY, "legacy-icpc", "icpc", "legacy-draft"), LEGACY),
}
_LARGEST_FILE = 1 << 16
_LINE = re.compile(r"[ \t]*([a-z_-]{1,30})[ \t]*=[ \t]*(.*?)[ \t]*\r?")
_WITH_WORD = re.compile(r"(?:time_?limit[ \t]*[:=][ \t]*)?([0-9.]{1,20})[ \t]*(?:s|sec|seconds)?", re.IGNORECASE)
_CLOSE = 1e-9


def is_current(root: Path) -> bool:
    """Return whether problem.yaml states 2025-09. It is read first: the version decides how other files are read."""
    path = root / PROBLEM
    try:
        if not path.is_file():  # opening a named pipe would block
            return False
        with path.open("rb") as file:
            section = section_of(File(origin=path, content=file.read(_LARGEST_MANIFEST)), Findings())
    except OSError:
        return False
    stated = section.take("problem_format_version") if section is not None else None
    return stated is not None and _VERSIONS.get(stated.text) is CURRENT


FAMILY = Family(name="Kattis", manifests=MANIFESTS)


def _take_version(section: YamlSection) -> Version | None:
    """Take the version that is stated; None, with a fault, for an unknown version."""
    value = section.take("problem_format_version")
    version = LEGACY if value is None else _VERSIONS.get(value.text)
    if value is not None and version is None:
        value.fault(
            f"the format {value.text or value.plain!r} is not known: must be one of {', '.join(Format)}, "
            "or left out (legacy)"
        )
    return version


@dataclass(frozen=True, kw_only=True)
class PackageReader:
    """Read a package of any version: its folder, its files by package-relative path.

    built: whether secret data must be there. lenient: whether to read as much as possible of a package whose
    problem.yaml is missing or broken, as if it were empty. foreign_family: the family that laid the files out so, None
    for a package's own layout.
    """

    root: Path
    files: Files
    findings: Findings
    built: bool = True
    lenient: bool = False
    foreign_family: str | None = None

    def package(self) -> Package | None:
        """Return the package; None, with a fault, if problem.yaml cannot be read."""
        section = self._manifest_section()
        if section is None and self.lenient and self.files:
            section = section_of(File(origin=self.root / PROBLEM, content=_EMPTY), self.findings)
        version = _take_version(section) if section is not None else None
        version = LEGACY if version is None and self.lenient else version
        if section is None or version is None:
            return None
        manifest = with_domjudge(read_manifest(section, version), self.files, self.findings)
        programs = ProgramReader(
            files=self.files,
            constants=manifest.constants,
            findings=self.findings,
            guess_python_2=version.is_legacy,
            answers=ProblemType.SUBMIT_ANSWER in manifest.types,
        )
        return self._assembled(manifest, programs)

    def _assembled(self, manifest: Manifest, programs: ProgramReader) -> Package:
        version, scoring = manifest.version, ProblemType.SCORING in manifest.types
        output_validators = self._output_validators(manifest, programs)
        static_validator = programs.folder_program("static_validator")
        data = self._data(manifest, programs, bool(output_validators), static_validator is not None)
        rules = DEFAULT_RULES if data["grading"] is None else LEGACY_RULES
        expectations = read_rules(self.files.get(SUBMISSIONS), manifest.constants, self.findings, defaults=rules)
        submissions = _with_hints(programs.submissions(), expectations)
        commented = rules_in_comments(submissions, self.findings, scoring=scoring)
        statements = read_statements(self.files, self._folders(version.statement_folders), self.findings)
        metadata = {each.name: getattr(manifest, each.name) for each in fields(Metadata)}
        package = Package(
            slug=self.root.resolve().name,
            root=self.root,
            files=self.files,
            **{**metadata, **data, "names": self._names(manifest, statements)},
            statements=statements,
            input_validators=self._input_validators(programs),
            output_validators=output_validators,
            submissions=submissions,
            rules=(*expectations.rules, *commented),
            format=version.format,
            static_validator=static_validator,
            input_visualizer=programs.folder_program("input_visualizer"),
            output_visualizer=programs.folder_program("output_visualizer"),
            include=self._include(programs),
            attachments=below(self.files, "attachments"),
            solutions=read_texts(self.files, "solution", "solution"),
            # Packages of 2025-09 were written with today's compilers.
            older_dialects=not version.is_current or self.foreign_family is not None,
            foreign_family=self.foreign_family,
            validator_args_key="output_validator_args" if version.is_current else "validator_flags",
        )
        self._check(package, manifest, expectations)
        return package

    def _check(self, package: Package, manifest: Manifest, expectations: Expectations) -> None:
        """Report parts that do not fit together."""
        named = not manifest.version.is_legacy
        folder = manifest.version.statement_folders[0]
        checks.check_statements(
            package, self.findings, f"{folder}/problem.{'en.md' if named else 'tex'}", each_named=named
        )
        checks.check_parts(package, self.findings, data_expected=self.built)
        if package.foreign_family is None:
            version = manifest.version
            versions = (version.statement_folders, version.output_validator_folders)
            checks.check_folders(package, self.findings, versions)
            checks.check_places(package, self.findings)
        stated = self.files.get(SUBMISSIONS)
        lines = {hint.pattern: hint.line for hint in expectations.hints}
        groups = (package.sample, package.secret) if self.built else ()
        checks.check_submission_folders(package, self.findings)
        if stated is not None:
            checks.check_stated_rules(package, stated.origin, lines, groups, self.findings)
        self._check_validation(package, manifest)
        folders = {path.split("/")[0] for path in package.attachments if "/" in path} - {"templates"}
        for name in sorted(folders) if manifest.version.is_current else ():
            self.findings.warn(self.root / "attachments" / name, "no folder of this format: pack it as a zip")

    def _check_validation(self, package: Package, manifest: Manifest) -> None:
        path, words, line = self.root / PROBLEM, manifest.validation, manifest.validation_line
        if not words:
            return
        if words[0] not in ("custom", "default"):
            self.findings.fault(path, f"`validation: {words[0]}` must be default or custom", line)
        if words[0] == "custom" and package.output_validator is None:
            self.findings.fault(
                path, "`validation: custom`, but there is no output validator in the package", line
            )
        if manifest.version.is_current:
            self.findings.warn(
                path, "`validation` is a legacy key: say it with `type` and output_validator/", line
            )

    def _manifest_section(self) -> YamlSection | None:
        file = self.files.get(PROBLEM)
        if file is None and DOMJUDGE not in self.files:
            of_contest = "contest.xml" in self.files
            fix = "this is a contest of Polygon: name a folder of its problems/" if of_contest else _AT_TOP
            self.findings.fault(self.root / PROBLEM, f"not found: {fix}")
            return None
        file = file or File(origin=self.root / PROBLEM, content=_EMPTY)
        section = section_of(file, self.findings)
        if section is None and not self.findings.faults:
            self.findings.warn(file.origin, "is empty: read as a legacy package without a name")
            section = section_of(replace(file, content=_EMPTY), self.findings)
        return section

    def _folders(self, names: tuple[str, str]) -> tuple[str, str]:
        """Return `names`, and warn if only the folder with the name of another version exists."""
        if not below(self.files, names[0]) and below(self.files, names[1]):
            file = self.files.get(PROBLEM)
            is_stated = file is not None and b"problem_format_version" in file.read()
            why = "" if is_stated else " (legacy, as problem.yaml has no problem_format_version)"
            self.findings.warn(self.root / names[1], f"in this version of the format{why} its name is {names[0]}/")
        return names

    def _names(self, manifest: Manifest, statements: Files) -> dict[str, str]:
        names = dict(manifest.names) or names_in(statements)
        if not names:
            self.findings.warn(self.root / PROBLEM, "the key `name` is missing: the folder's name stands in")
            names = {"en": self.root.resolve().name}
        return names

    def _input_validators(self, programs: ProgramReader) -> tuple[Program, ...]:
        validators, old_name = programs.judge_programs("input_validators"), "input_format_validators"
        if below(self.files, old_name):
            self.findings.warn(self.root / old_name, "the old name: rename it to input_validators")
            validators += programs.judge_programs(old_name)
        return validators

    def _output_validators(self, manifest: Manifest, programs: ProgramReader) -> tuple[Program, ...]:
        version, first_word = manifest.version, manifest.validation[:1]
        own, other = self._folders(version.output_validator_folders)
        if below(self.files, own) and below(self.files, other):
            self.findings.fault(self.root / other, f"stands beside {own}: keep one of them")
        validators = programs.judge_programs("output_validators")
        if not validators and not version.is_current and first_word == ("custom",):
            validators = programs.judge_programs("validators")  # the oldest name
        single = programs.folder_program("output_validator")
        validators = (single,) if single is not None else validators
        default = version.is_legacy and first_word in ((), ("default",))
        if validators and default and not manifest.types & CONVERSATIONS:
            origin = validators[0].origin
            self.findings.warn(origin, "not used: problem.yaml does not say `validation: custom`")
            return ()
        if not validators and version.is_current:
            self._report_unusable(own)
        return validators

    def _report_unusable(self, folder: str) -> None:
        """Report a folder of files of which none is a program: the default validator may judge wrongly."""
        inside = below(self.files, folder).items()
        names = [name for name, file in inside if file.executable or file.read(2) == b"#!"]
        if names:
            message = "no program that can be run: give it the ending of its language, such as validate.py"
            self.findings.fault(self.root / folder / names[0], message)

    def _include(self, programs: ProgramReader) -> dict[str, Files]:
        languages = sorted({path.split("/")[0] for path in below(self.files, "include") if "/" in path})
        return {language: programs.program(f"include/{language}").files for language in languages}

    def _data(self, manifest: Manifest, programs: ProgramReader, custom: bool, static: bool) -> dict[str, Any]:
        """Read data/. custom: whether there are output validators; static: whether there is a static validator."""
        cases = CaseReader(
            tree=tree_of(below(self.files, "data")),
            root=self.root / "data",
            constants=manifest.constants,
            findings=self.findings,
            legacy=not manifest.version.is_current,
            answers_expected=self.built,
            conversation=bool(manifest.types & CONVERSATIONS),
        )
        graders = programs.judge_programs("graders")
        scoring = ProblemType.SCORING in manifest.types
        if not _has_graders(manifest.version, cases, graders, scoring=scoring):
            flags = manifest.validator_flags
            return read_data(
                DataReader(cases=cases, scoring=scoring, static_validated=static, validator_flags=flags)
            )
        reader = LegacyReader(
            cases=cases,
            scoring=scoring,
            graders=graders,
            validator_flags=manifest.validator_flags,
            oldest=manifest.grading,
            default_validator=not custom,
        )
        return read_data(reader, reader.grading())


def _has_graders(version: Version, cases: CaseReader, graders: Sequence[Program], *, scoring: bool) -> bool:
    """Return whether groups are graded by graders, as in legacy; else by the rules of 2025-09."""
    if version.is_legacy:
        return True
    if not version.is_current:
        return bool(graders) or has_grading_keys(cases)
    if not scoring or not has_grading_keys(cases) or any(path.endswith(GROUP_FILE) for path in cases.tree.files):
        return False
    cases.warn(
        "", f"graded by the legacy keys of its {LEGACY_GROUP_FILE}: write {GROUP_FILE} with those of 2025-09"
    )
    return True


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


def with_domjudge(manifest: Manifest, files: Files, findings: Findings) -> Manifest:
    """Return `manifest` with the time limit of these files, and their name if it has none."""
    ini = _read_ini(files.get(DOMJUDGE))
    given = [
        (files[name], text)
        for name, text in ((TIME_LIMIT_FILE, _text(files.get(TIME_LIMIT_FILE))), (DOMJUDGE, ini.get("timelimit")))
        if text is not None
    ]
    limit = manifest.limits.time_limit_s
    for file, text in given:
        seconds = _seconds(text.strip(), file, findings)
        if seconds is None:
            findings.fault(
                file.origin,
                f"the time limit {text.strip()[:40]!r} is no number of seconds from 0.001 to {MOST_S:,}",
            )
        elif limit is None:
            limit = seconds
        elif abs(limit - seconds) > _CLOSE:
            findings.warn(file.origin, f"says {seconds:g} s, but the limit is {limit:g} s by what comes before it")
    names = manifest.names or ({"en": ini["name"]} if ini.get("name") else {})
    return replace(manifest, names=names, limits=replace(manifest.limits, time_limit_s=limit))


def _seconds(text: str, file: File, findings: Findings) -> float | None:
    """Return the number of seconds; a number with a word (`2s`, `time_limit: 2`) is read, as other tools do."""
    seconds = decimal(text)
    if seconds is None and (number := _WITH_WORD.fullmatch(text)) is not None:
        seconds = decimal(number[1])
        findings.warn(
            file.origin, f"the time limit {text[:40]!r} is read as {number[1]} s: write the number alone"
        )
    return seconds if seconds is not None and 0.001 <= seconds <= MOST_S else None


def _read_ini(file: File | None) -> Mapping[str, str]:
    text = _text(file)
    lines = (_LINE.fullmatch(line) for line in (text or "").splitlines())
    return {line[1]: _value(line[2]) for line in lines if line is not None}


def _value(text: str) -> str:
    """Return a value of an ini file: the text in quotes, or the text up to a comment."""
    if text[:1] in ("'", '"'):
        return text[1:].partition(text[0])[0]
    return text.partition(";")[0].rstrip()


def _text(file: File | None) -> str | None:
    if file is None or file.size() > _LARGEST_FILE:
        return None
    return file.read().decode("utf-8-sig", errors="replace")
