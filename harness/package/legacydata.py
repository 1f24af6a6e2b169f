"""data/ of the legacy format: groups in groups, each inheriting the `testdata.yaml` of all folders above it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from harness.package.cases import GROUP_FILE, LEGACY_GROUP_FILE, CaseReader, read_case_settings
from harness.package.legacyflags import take_flags
from harness.package.model import Case, CaseSettings, Group, LegacyGrading, Program, ScoreMode, VerdictMode
from harness.package.yamltext import Section, decimal

KEYS = ("on_reject", "grading", "grader_flags", "accept_score", "reject_score", "range")
_VERDICTS = {mode.value for mode in VerdictMode}
_SCORES = {mode.value for mode in ScoreMode}
_MODES = _VERDICTS | _SCORES
_DEFAULT_FLAGS = ("float_tolerance", "float_relative_tolerance", "float_absolute_tolerance")


@dataclass(frozen=True, kw_only=True)
class LegacySettings:
    """What holds in a folder: the words of each key of KEYS, and what its cases inherit."""

    words: Mapping[str, str]
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
    oldest: Mapping[str, str]
    default_validator: bool = False

    def root(self) -> LegacySettings:
        """The settings of data/ itself."""
        inherited = LegacySettings(words={**_modern(self.oldest)}, case_settings=CaseSettings())
        return self._settings("", inherited)

    def grading(self) -> LegacyGrading:
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
            legacy=grading,
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
        words = dict(inherited.words)
        for name in (LEGACY_GROUP_FILE, GROUP_FILE):
            path = f"{folder}/{name}".lstrip("/")
            section = self.cases.section(path)
            if section is None:
                continue
            words |= _words(section)
            case_settings = read_case_settings(section, take_flags(section, case_settings))
            section.finish(name, strict=False)
        return LegacySettings(words=words, case_settings=case_settings)

    def _grading(self, folder: str, words: Mapping[str, str]) -> LegacyGrading:
        path = f"{folder}/{LEGACY_GROUP_FILE}".lstrip("/")
        flags = tuple(words.get("grader_flags", "").split())
        custom = words.get("grading", "default") == "custom"
        if words.get("grading", "default") not in ("default", "custom"):
            self.cases.fault(path, f"`grading` is {words['grading']!r}, must be default or custom")
        if custom and not self.graders:
            self.cases.fault(path, "`grading: custom` without a program in graders/")
        if len(self.graders) > 1:
            self.cases.warn(path, f"several graders: {self.graders[0].path} is used")
        self._check_flags(path, flags, custom=custom)
        return LegacyGrading(
            grader=self.graders[0] if custom and self.graders else None,
            grader_flags=flags,
            # Of several modes the last one counts (legacy, "Default grader specification").
            verdict_mode=VerdictMode(next((flag for flag in reversed(flags) if flag in _VERDICTS), "worst_error")),
            score_mode=ScoreMode(next((flag for flag in reversed(flags) if flag in _SCORES), "sum")),
            ignore_sample="ignore_sample" in flags,
            accept_if_any_accepted="accept_if_any_accepted" in flags,
            break_on_reject=self._breaks(path, words),
            accept_score=self._number(path, words, "accept_score", 1.0),
            reject_score=self._number(path, words, "reject_score", 0.0),
            score_range=self._range(path, words),
        )

    def _check_flags(self, path: str, flags: Iterable[str], *, custom: bool) -> None:
        unknown = [flag for flag in flags if flag not in {*_MODES, "ignore_sample", "accept_if_any_accepted"}]
        if unknown and not custom:
            self.cases.fault(path, f"`grader_flags` holds {unknown[0]!r}, which the default grader does not know")

    def _breaks(self, path: str, words: Mapping[str, str]) -> bool:
        word = words.get("on_reject", "break")
        if word not in ("break", "continue"):
            self.cases.fault(path, f"`on_reject` is {word!r}, must be break or continue")
        return word != "continue"

    def _number(self, path: str, words: Mapping[str, str], key: str, default: float) -> float:
        number = decimal(words[key].strip()) if key in words else default
        if number is None:
            self.cases.fault(path, f"`{key}` is {words[key]!r}, must be a number")
        return default if number is None else number

    def _range(self, path: str, words: Mapping[str, str]) -> tuple[float, float] | None:
        if "range" not in words:
            return None
        bounds = [_bound(word) for word in words["range"].replace(",", " ").split()]
        match bounds:
            case [float() as low, float() as high] if low <= high:
                return (low, high)
        self.cases.fault(path, f"`range` is {words['range']!r}, must be two numbers, the lower first")
        return None


def has_legacy_keys(cases: CaseReader) -> bool:
    """Whether some `testdata.yaml` groups its cases as the legacy format does."""
    quiet = replace(cases, findings=type(cases.findings)())
    for path in cases.tree.files:
        if path.rpartition("/")[2] == LEGACY_GROUP_FILE:
            section = quiet.section(path)
            if section is not None and any(key in section.entries for key in KEYS):
                return True
    return False


def _words(section: Section) -> dict[str, str]:
    words = {}
    for key in KEYS:
        value = section.take(key)
        if value is not None:
            words[key] = " ".join(item.text or "" for item in value.items())
    return words


def _modern(oldest: Mapping[str, str]) -> dict[str, str]:
    """`grading` of the oldest packages, in the words of testdata.yaml."""
    policies = {"first_error": "break", "worst_error": "continue", "grade": "continue"}
    words = dict(oldest)
    if "on_reject" in words:
        words["on_reject"] = policies.get(words["on_reject"], words["on_reject"])
    return words


def _bound(word: str) -> float | None:
    infinite = {"-inf": -float("inf"), "+inf": float("inf"), "inf": float("inf")}
    return infinite.get(word.lower()) if word.lower() in infinite else decimal(word)


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
