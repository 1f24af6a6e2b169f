"""data/ of the legacy format: groups in groups, each inheriting the `testdata.yaml` of all folders above it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from harness.package.cases import GROUP_FILE, LEGACY_GROUP_FILE, CaseReader, read_case_settings
from harness.package.legacy_flags import take_flags
from harness.package.legacy_grading import KEYS, Words, grading_of, take_words
from harness.package.model import Case, CaseSettings, Group, GroupGrading, Program

_DEFAULT_FLAGS = ("float_tolerance", "float_relative_tolerance", "float_absolute_tolerance")


@dataclass(frozen=True, kw_only=True)
class LegacySettings:
    """What holds in a folder: the words of each key of KEYS, and what its cases inherit."""

    words: Words
    case_settings: CaseSettings


@dataclass(frozen=True, kw_only=True)
class LegacyReader:
    """Reads groups out of legacy's data/.

    graders: the package's own. validator_flags: of problem.yaml, before those of a group. oldest: what `grading` of
    problem.yaml says of all groups. default_validator: whether the flags are for the default output validator.
    """

    cases: CaseReader
    scoring: bool
    graders: tuple[Program, ...] = ()
    validator_flags: tuple[str, ...] = ()
    oldest: Words
    default_validator: bool = False

    def root(self) -> LegacySettings:
        """The settings of data/ itself."""
        inherited = LegacySettings(words=self.oldest, case_settings=CaseSettings())
        return self._settings("", inherited)

    def grading(self) -> GroupGrading:
        """The grading of data/ itself, over sample and secret."""
        return self._grading("", self.root().words)

    def sample(self) -> Group:
        """data/sample, with all groups in it."""
        return self._group("sample", self.root())

    def secret(self) -> Group:
        """data/secret, with all groups in it."""
        return self._group("secret", self.root())

    def all_cases(self, folder: str, *, answered: bool = True) -> tuple[Case, ...]:
        """Every case in `folder` or below it, sorted by name."""
        if not self.cases.tree.has(folder):
            return ()
        found: list[Case] = []
        pending = [(folder, self.root())]
        while pending:
            inner, inherited = pending.pop()
            settings = self._settings(inner, inherited)
            found += self.cases.cases_in(inner, self._for_case(settings), answered=answered)
            pending += [(f"{inner}/{name}", settings) for name in self.cases.tree.folders.get(inner, ())]
        return tuple(sorted(found, key=lambda case: case.name))

    def _group(self, folder: str, inherited: LegacySettings) -> Group:
        settings = self._settings(folder, inherited)
        grading = self._grading(folder, settings.words)
        bounds = grading.score_range
        names = self.cases.tree.folders.get(folder, ())
        return Group(
            name=folder,
            cases=tuple(self.cases.cases_in(folder, self._for_case(settings))),
            groups=tuple(self._group(f"{folder}/{name}", settings) for name in names),
            max_score=bounds[1] if self.scoring and bounds is not None and bounds[1] < float("inf") else None,
            grading=grading,
        )

    def _for_case(self, settings: LegacySettings) -> CaseSettings:
        flags = (*self.validator_flags, *settings.case_settings.output_validator_args)
        if self.default_validator:
            flags = _last_of_each(flags)
        return replace(settings.case_settings, output_validator_args=flags)

    def _settings(self, folder: str, inherited: LegacySettings) -> LegacySettings:
        case_settings = inherited.case_settings
        if folder == "sample":
            case_settings = replace(case_settings, full_feedback=True)
        words = inherited.words
        for name in (LEGACY_GROUP_FILE, GROUP_FILE):
            path = f"{folder}/{name}".lstrip("/")
            section = self.cases.section(path)
            if section is None:
                continue
            words = take_words(section, words)
            case_settings = read_case_settings(section, take_flags(section, case_settings))
            section.finish(name, strict=False)
        return LegacySettings(words=words, case_settings=case_settings)

    def _grading(self, folder: str, words: Words) -> GroupGrading:
        place = self.cases.place(f"{folder}/{LEGACY_GROUP_FILE}".lstrip("/"))
        return grading_of(place, words, self.graders, self.cases.findings)


def has_legacy_keys(cases: CaseReader) -> bool:
    """Whether some `testdata.yaml` groups its cases as the legacy format does."""
    quiet = replace(cases, findings=type(cases.findings)())
    for path in cases.tree.files:
        if path.rpartition("/")[2] == LEGACY_GROUP_FILE:
            section = quiet.section(path)
            if section is not None and any(key in section.entries for key in KEYS):
                return True
    return False


def _last_of_each(flags: Iterable[str]) -> tuple[str, ...]:
    """Of a flag that is given twice, at the top and in a group, the nearer one counts."""
    chosen: dict[str, tuple[str, ...]] = {}
    words = iter(flags)
    for word in words:
        value = (word, *((next(words, ""),) if word in _DEFAULT_FLAGS else ()))
        if word == "float_tolerance":
            chosen.pop("float_relative_tolerance", None)
            chosen.pop("float_absolute_tolerance", None)
        elif word in _DEFAULT_FLAGS:
            chosen.pop("float_tolerance", None)
        chosen[word] = value
    return tuple(part for value in chosen.values() for part in value)
