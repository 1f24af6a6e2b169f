"""One loader: a folder in, a frozen Package out, or every fault of the package at once."""

from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from harness.errors import Fault, PackageError
from harness.package.constants import Constants
from harness.package.files import File, Files, below, read_folder
from harness.package.manifest import Manifest, read_manifest
from harness.package.model import CaseSettings, Package, ProblemType, Program
from harness.package.programs import program_at, programs_in, submissions_of
from harness.package.rules import Expectations, matches, read_rules
from harness.package.testdata import DataReader
from harness.package.workspace import RECIPE, lay_out, workspace_of
from harness.package.yamltext import Section, parse_section

FORMAT = "2025-09"
NOT_JUDGED_YET = frozenset({ProblemType.MULTI_PASS, ProblemType.SUBMIT_ANSWER})


def load(root: Path, *, built: bool = True) -> Package:
    """The package at `root` (a package folder, or problems/<slug> of a workspace).

    built: whether secret data must be there; False while it is being made from the package's recipe.
    Raises PackageError with all of the package's faults.
    """
    faults: list[Fault] = []
    files = read_package_files(root, faults)
    loader = _Loader(root=root, files=files, faults=faults, built=built or RECIPE not in files)
    package = loader.package()
    if faults or package is None:
        raise PackageError(faults)
    return package


def read_package_files(root: Path, faults: list[Fault]) -> Files:
    """The package's mapping from path to file, wherever its parts lie."""
    workspace = workspace_of(root)
    return read_folder(root, faults) if workspace is None else lay_out(workspace, root.name, faults)


@dataclass(frozen=True, kw_only=True)
class _Loader:
    root: Path
    files: Files
    faults: list[Fault]
    built: bool

    def package(self) -> Package | None:
        section = self._manifest_section()
        if section is None:
            return None
        manifest = read_manifest(section)
        constants = manifest.constants
        expectations = read_rules(self.files.get("submissions/submissions.yaml"), constants, self.faults)
        data = self._data_reader(manifest)
        package = Package(
            slug=self.root.resolve().name,
            root=self.root,
            files=self.files,
            names=manifest.names,
            types=manifest.types,
            limits=manifest.limits,
            constants=constants,
            authors=manifest.authors,
            source=manifest.source,
            license=manifest.license,
            statements=self._statements(manifest),
            sample=data.sample(),
            secret=data.secret(),
            invalid_inputs=replace(data, answers_expected=False).cases("invalid_input", CaseSettings()),
            input_validators=programs_in(self.files, "input_validators", constants),
            output_validators=self._output_validators(constants),
            submissions=_with_hints(submissions_of(self.files, constants), expectations),
            rules=expectations.rules,
        )
        self._check(package)
        return package

    def _manifest_section(self) -> Section | None:
        file = self.files.get("problem.yaml")
        if file is None:
            self._fault(self.root / "problem.yaml", "not found: a problem package has one at its top")
            return None
        section = parse_section(file.origin, file.read(), self.faults)
        if section is None:
            if not self.faults:
                self._fault(file.origin, "is empty: a package needs at least `name` and `uuid`")
            return None
        version = section.entries.get("problem_format_version")
        if version is None or version.plain != FORMAT:
            found = "no problem_format_version" if version is None else f"the format {version.plain!r}"
            line = version.line if version is not None else 1
            message = f"{found}: this version of harness judges `problem_format_version: {FORMAT}` only"
            self.faults.append(Fault(path=file.origin, line=line, message=message))
            return None
        return section

    def _data_reader(self, manifest: Manifest) -> DataReader:
        return DataReader(
            data=below(self.files, "data"),
            root=self.root / "data",
            scoring=ProblemType.SCORING in manifest.types,
            constants=manifest.constants,
            faults=self.faults,
            answers_expected=self.built,
        )

    def _statements(self, manifest: Manifest) -> dict[str, File]:
        inside = below(self.files, "statement")
        found = {}
        for language in manifest.names:
            names = [f"problem.{language}.{extension}" for extension in ("md", "tex", "pdf")]
            name = next((name for name in names if name in inside), None)
            if name is None:
                self._fault(self.root / "statement", f"no statement in `{language}`: expected {names[0]}")
            else:
                found[language] = inside[name]
        return found

    def _output_validators(self, constants: Constants) -> tuple[Program, ...]:
        inside = below(self.files, "output_validator")
        if not inside:
            return ()
        # The folder is the program; one lone file in it is that program by itself.
        only = next(iter(inside)) if len(inside) == 1 else None
        return (program_at(self.files, f"output_validator/{only}" if only else "output_validator", constants),)

    def _check(self, package: Package) -> None:
        for kind in sorted(package.types & NOT_JUDGED_YET):
            self._fault(self.root / "problem.yaml", f"`type: {kind}` is not judged by this version of harness")
        if ProblemType.INTERACTIVE in package.types and package.output_validator is None:
            self._fault(
                self.root / "output_validator", "an interactive problem needs one: it plays the other side"
            )
        if not package.input_validators:
            self._fault(self.root / "input_validators", "no input validator: a package needs at least one")
        if self.built and not any(package.secret.all_cases()):
            self._fault(self.root / "data" / "secret", "no test case: a package needs at least one")

    def _fault(self, path: PurePath, message: str) -> None:
        self.faults.append(Fault(path=path, message=message))


def _with_hints(submissions: tuple[Program, ...], expectations: Expectations) -> tuple[Program, ...]:
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
