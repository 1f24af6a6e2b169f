"""The contracts of readers: `load` and the reader of a family; the versions of Kattis' format, and their data/."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from harness.package.files import Files
from harness.package.findings import Findings
from harness.package.formats.cases import GROUP_FILES, CaseReader
from harness.package.model import Case, CaseSettings, Format, Group, GroupGrading, Package, ProblemLimits, Program
from harness.package.names import misspelt
from harness.values import dataclass

_PARTS = ("sample", "secret", "invalid_input", "invalid_output", "valid_output")
# Older names of parts.
_OLD_NAMES = {
    "invalid_input": "invalid_inputs",
    "invalid_output": "invalid_outputs",
    "valid_output": "valid_outputs",
}


@dataclass(frozen=True, kw_only=True)
class PackageSource:
    """A package to read: its folder, its files by package-relative path, and where faults and warnings go.

    built: whether secret data must be there. lenient: whether to read as much as possible of a package whose manifest
    is missing or broken. foreign_family: the family that laid the files out so, None for a package's own layout.
    """

    root: Path
    files: Files
    findings: Findings
    built: bool = True
    lenient: bool = False
    foreign_family: str | None = None


@dataclass(frozen=True, kw_only=True)
class Family:
    """A family of package formats.

    manifests: the names of files at a package's top that show the family.
    read: returns the package, or None if its manifest cannot be read; faults go to the source's findings.
    is_strict: whether the package at a path must keep today's rules for names and keys. If not, old names are read and
    doubled keys are warnings.
    lay_out: for folders of another layout, see `LayOut`; None: the folder is laid out as a package.
    """

    name: str
    manifests: tuple[str, ...]
    read: Callable[[PackageSource], Package | None]
    is_strict: Callable[[Path], bool] = lambda root: False
    lay_out: "LayOut | None" = None


# (folder, its files, findings) -> the same files under the paths of a package of 2025-09: problem.yaml, data/,
# submissions/, generators/generators.yaml (RECIPE), generators/data.lock (LOCK) and so on. A file that the folder does
# not have is a File with `content`, whose origin is the file that a person edits to change it. Faults go to the
# findings; without problem.yaml in the result the package is not read further.
LayOut = Callable[[Path, Files, Findings], Files]


@dataclass(frozen=True, kw_only=True)
class Version:
    """A version of the format.

    is_current: whether violations of 2025-09 are faults; else they are merely old. limits: the defaults.
    statement_folders, output_validator_folders: the version's own name first, then the other versions' name.
    statements_are_named: whether each statement needs a name in problem.yaml and each name a statement.
    guesses_python_2: whether programs may be in Python 2 without stating it.
    default_validator_unless_custom: whether an output validator counts only with `validation: custom`.
    has_graders: whether groups are graded by graders, of the cases, the programs in graders/ and whether there are
    scores; else by the rules of 2025-09.
    """

    format: Format
    is_current: bool
    limits: ProblemLimits
    statement_folders: tuple[str, str] = ("statement", "problem_statement")
    output_validator_folders: tuple[str, str] = ("output_validator", "output_validators")
    statements_are_named: bool = True
    guesses_python_2: bool = False
    default_validator_unless_custom: bool = False
    has_graders: Callable[[CaseReader, Sequence[Program], bool], bool]


@dataclass(frozen=True, kw_only=True)
class FolderSettings:
    """The settings of a folder of data/, inherited by the folders in it. cases: of its test cases."""

    cases: CaseSettings = CaseSettings()


Settings = TypeVar("Settings", bound=FolderSettings)


@dataclass(frozen=True, kw_only=True)
class GroupReader(Generic[Settings]):
    """Read the groups of data/ by the rules of a version.

    validator_flags: the output validator's arguments in problem.yaml of drafts and legacy, for all of data/.
    """

    cases: CaseReader
    scoring: bool
    validator_flags: tuple[str, ...] = ()
    _settings: dict[str, Settings] = field(default_factory=dict)

    @abstractmethod
    def top(self) -> Settings:
        """Return what data/ itself inherits."""

    @abstractmethod
    def read(self, folder: str, inherited: Settings) -> Settings:
        """Read the settings of a folder."""

    @abstractmethod
    def sample(self) -> Group:
        """Read data/sample."""

    @abstractmethod
    def secret(self) -> Group:
        """Read data/secret."""

    def for_cases(self, settings: Settings) -> CaseSettings:
        """Return the settings of the cases of a folder with these settings."""
        return settings.cases

    def of(self, folder: str) -> Settings:
        """Return the settings of a folder of data/; those of cases are inherited from each folder above it."""
        if folder not in self._settings:
            inherited = self.of(folder.rpartition("/")[0]) if folder else self.top()
            if folder == "sample":
                inherited = replace(inherited, cases=replace(inherited.cases, full_feedback=True))
            self._settings[folder] = self.read(folder, inherited)
        return self._settings[folder]

    def cases_in(self, folder: str, *, answered: bool = True) -> list[Case]:
        """Return the cases directly in `folder`, by name."""
        return self.cases.cases_in(folder, self.for_cases(self.of(folder)), answered=answered)

    def all_cases(self, folder: str, *, answered: bool = True) -> tuple[Case, ...]:
        """Return each case in `folder` or below it, sorted by name."""
        folders = self.cases.tree.walk(folder) if self.cases.tree.has(folder) else ()
        cases = [case for inner in folders for case in self.cases_in(inner, answered=answered)]
        return tuple(sorted(cases, key=lambda case: case.name))


@dataclass(frozen=True, kw_only=True)
class Data:
    """The content of data/. grading: of data/ itself; None where groups have no graders."""

    sample: Group
    secret: Group
    invalid_inputs: tuple[Case, ...]
    invalid_outputs: tuple[Case, ...]
    valid_outputs: tuple[Case, ...]
    grading: GroupGrading | None = None


def read_data(reader: GroupReader[Any], grading: GroupGrading | None = None) -> Data:
    """Read all parts of data/. grading: of data/ itself, see `Data`."""
    _check_parts(reader.cases)
    return Data(
        sample=reader.sample(),
        secret=reader.secret(),
        invalid_inputs=_part(reader, "invalid_input", answered=False),
        invalid_outputs=_with_outputs(reader, "invalid_output"),
        valid_outputs=_with_outputs(reader, "valid_output"),
        grading=grading,
    )


def _part(reader: GroupReader[Any], part: str, *, answered: bool) -> tuple[Case, ...]:
    tree = reader.cases.tree
    old = _OLD_NAMES[part]
    return reader.all_cases(part if tree.has(part) or not tree.has(old) else old, answered=answered)


def _with_outputs(reader: GroupReader[Any], part: str) -> tuple[Case, ...]:
    cases = _part(reader, part, answered=True)
    for case in cases:
        if case.output is None:
            base = case.name.rpartition("/")[2]
            reader.cases.warn(
                f"{case.name}.in", f"no output beside it, so nothing is tried: expected `{base}.out`"
            )
    return tuple(case for case in cases if case.output is not None)


def _check_parts(cases: CaseReader) -> None:
    for name in cases.tree.folders.get("", ()):
        if name not in (*_PARTS, *_OLD_NAMES.values()):
            meant = misspelt(name, _PARTS)
            hint = f": did you mean data/{meant}?" if meant else ""
            cases.warn(name, f"no part of data/ in this format: ignored{hint}")
    for name in cases.tree.names.get("", ()):
        if name not in GROUP_FILES:
            cases.warn(name, "lies directly in data/: ignored")
