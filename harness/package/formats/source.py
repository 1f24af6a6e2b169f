"""Families of package formats, the versions of Kattis' format, and the reader of data/ that they share."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import field
from pathlib import Path
from typing import Any, Generic, TypeVar

from harness.package.files import Files
from harness.package.findings import Findings
from harness.package.formats.cases import GROUP_FILES, CaseReader
from harness.package.model import Case, CaseSettings, Format, Group, GroupGrading, ProblemLimits
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
class Family:
    """A family of package formats.

    manifests: the names of files at a package's top that show the family.
    lay_out: for folders of another layout, see `LayOut`; None: the folder is laid out as a package.
    """

    name: str
    manifests: tuple[str, ...]
    lay_out: "LayOut | None" = None


# (folder, its files, findings) -> the same files under the paths of a package of 2025-09: problem.yaml, data/,
# submissions/, generators/generators.yaml (RECIPE), generators/data.lock (LOCK) and so on. A file that the folder does
# not have is a File with `content`, whose origin is the file that a person edits to change it. Faults go to the
# findings; without problem.yaml in the result the package is not read further.
LayOut = Callable[[Path, Files, Findings], Files]


@dataclass(frozen=True, kw_only=True)
class Version:
    """A version of the format. limits: the defaults.

    statement_folders, output_validator_folders: the version's own name first, then the other versions' name.
    """

    format: Format
    limits: ProblemLimits
    statement_folders: tuple[str, str] = ("statement", "problem_statement")
    output_validator_folders: tuple[str, str] = ("output_validator", "output_validators")

    @property
    def is_current(self) -> bool:
        """Return whether violations of 2025-09 are faults; else they are merely old."""
        return self.format is Format.CURRENT

    @property
    def is_legacy(self) -> bool:
        """Return whether it is the oldest version: Python 2 is guessed, statements give the names."""
        return self.format is Format.LEGACY


CURRENT = Version(format=Format.CURRENT, limits=ProblemLimits())
# The drafts of 2025-09 (2023-07-draft): the folders and keys of 2025-09, with groups of either kind.
DRAFT = Version(format=Format.DRAFT, limits=ProblemLimits(time_limit_is_multiple=False))
LEGACY = Version(
    format=Format.LEGACY,
    limits=ProblemLimits(ac_to_time_limit=5.0, time_limit_to_tle=2.0, time_limit_is_multiple=False),
    statement_folders=("problem_statement", "statement"),
    output_validator_folders=("output_validators", "output_validator"),
)


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


def read_data(reader: GroupReader[Any], grading: GroupGrading | None = None) -> dict[str, Any]:
    """Return the fields of a Package that data/ fills. grading: of data/ itself; None where groups have no graders."""
    _check_parts(reader.cases)
    return {
        "sample": reader.sample(),
        "secret": reader.secret(),
        "invalid_inputs": _part(reader, "invalid_input", answered=False),
        "invalid_outputs": _with_outputs(reader, "invalid_output"),
        "valid_outputs": _with_outputs(reader, "valid_output"),
        "grading": grading,
    }


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
            cases.warn(name, "lies directly in data/: ignored; move it to data/secret/")
