"""The format 2025-09: sample and secret as groups of cases, and the cases for the validators ("Test data")."""

import itertools
from collections.abc import Sequence
from dataclasses import replace

from harness.package.formats.cases import (
    GRADING_KEYS,
    GROUP_FILE,
    GROUP_FILES,
    LEGACY_GROUP_FILE,
    read_case_settings,
    take_flags,
)
from harness.package.formats.source import FolderSettings, GroupReader
from harness.package.model import Aggregation, Case, CaseSettings, Group, StaticValidation
from harness.package.yaml_lines import LARGEST_SCORE, YamlSection, score_in
from harness.values import dataclass

SECRET_MAX_SCORE = 100.0
_ROUNDING = 1e-9
_SHOWN_GROUPS = 20
_SCORES = ("max_score", "score_aggregation", "require_pass")
_SCORES_OF_DRAFTS = {"score": "max_score", "aggregation": "score_aggregation"}


@dataclass(frozen=True, kw_only=True)
class GroupSettings(FolderSettings):
    """The content of a `test_group.yaml`."""

    max_score: float | None = None
    aggregation: Aggregation = Aggregation.PASS_FAIL
    require_pass: tuple[str, ...] = ()
    static: StaticValidation | None = None

    def group(self, name: str, cases: tuple[Case, ...] = ()) -> Group:
        """Return the group with these settings."""
        return Group(
            name=name,
            cases=cases,
            aggregation=self.aggregation,
            max_score=self.max_score,
            require_pass=self.require_pass,
            static=self.static,
        )


@dataclass(frozen=True, kw_only=True)
class DataReader(GroupReader[GroupSettings]):
    """Read the groups of data/. static_validated: whether the package has a static validator."""

    static_validated: bool = False

    def top(self) -> GroupSettings:
        """Return what data/ itself inherits."""
        return GroupSettings(cases=CaseSettings(output_validator_args=self.validator_flags))

    def sample(self) -> Group:
        """Read data/sample: always run, never scored."""
        shown_only = self.cases.shown_samples()
        return Group(
            name="sample", cases=self.all_cases("sample"), static=self.of("sample").static, shown_only=shown_only
        )

    def secret(self) -> Group:
        """Read data/secret: either cases (perhaps in plain folders) or test groups."""
        settings = self.of("secret")
        group = settings.group("secret")
        if self.scoring and settings.aggregation is Aggregation.PASS_FAIL and settings.max_score is None:
            self.cases.fault(f"secret/{GROUP_FILE}", "a secret that passes or fails needs a bounded `max_score`")
        self._check_required(group)
        folders = self.cases.tree.folders.get("secret", ())
        grouped = [name for name in folders if self._file(f"secret/{name}") is not None]
        if not grouped or not self._regular(folders, grouped):
            return replace(group, cases=self.all_cases("secret"))
        groups = tuple(self._group(f"secret/{name}") for name in grouped)
        self._check_secret(group, groups)
        return replace(group, groups=groups)

    def _regular(self, folders: Sequence[str], grouped: Sequence[str]) -> bool:
        """Return whether secret consists of groups alone. Unscored groups only set arguments."""
        note = self.cases.fault if self.scoring else self.cases.warn
        stray = sorted(set(folders) - set(grouped))
        loose = [name for name in self.cases.tree.names.get("secret", ()) if name.endswith(".in")]
        nested = [
            folder
            for name in grouped
            for folder in self.cases.tree.walk(f"secret/{name}")
            if folder != f"secret/{name}" and self._file(folder) is not None
        ]
        for name in stray:
            note(f"secret/{name}", f"lacks a {GROUP_FILE}: its neighbours are test groups, so it must be one")
        for name in loose:
            note(f"secret/{name}", "lies beside test groups: move it into one")
        for folder in nested:
            note(self._file(folder) or folder, "test groups cannot be nested: flatten them")
        return self.scoring or not (stray or loose)

    def _group(self, name: str) -> Group:
        settings, secret = self.of(name), self.of("secret")
        lacks = self.scoring and settings.max_score is None
        if lacks and secret.max_score is not None:
            self.cases.fault(
                f"{name}/{GROUP_FILE}", "lacks `max_score`: secret has a bounded score, so each group needs one"
            )
        elif lacks and settings.aggregation is Aggregation.PASS_FAIL:
            self.cases.fault(
                f"{name}/{GROUP_FILE}",
                "a group that passes or fails needs a `max_score`, or a `score_aggregation`",
            )
        cases = self.all_cases(name)
        if not cases and settings.static is None and self.cases.answers_expected:
            note = self.cases.fault if self.scoring else self.cases.warn  # every submission would get the points
            note(f"{name}/{GROUP_FILE}", "a test group without a test case: give it one, or remove it")
        return settings.group(name, cases)

    def _check_secret(self, secret: Group, groups: Sequence[Group]) -> None:
        path = f"secret/{GROUP_FILE}"
        if self.scoring and secret.aggregation is Aggregation.PASS_FAIL:
            for group in groups:
                if group.aggregation is not Aggregation.PASS_FAIL:
                    self.cases.fault(
                        f"{group.name}/{GROUP_FILE}", "secret passes or fails, so each of its groups must"
                    )
        bounds = [group.max_score for group in groups if group.max_score is not None]
        if secret.static is not None and secret.static.score is not None:
            bounds.append(secret.static.score)
        if (
            secret.aggregation is Aggregation.SUM
            and secret.max_score is not None
            and sum(bounds) > secret.max_score * (1 + _ROUNDING)
        ):
            parts = "its groups" if len(bounds) <= len(groups) else "its groups and static_validation_score"
            total = f"{parts} sum to {sum(bounds):g} points, more than its max_score of {secret.max_score:g}"
            self.cases.fault(path, f"{total}: change one, or every right submission is a judge error")
        self._check_required_groups(groups)

    def _check_required(self, secret: Group) -> None:
        for required in secret.require_pass:
            if required != "sample":
                self.cases.fault(
                    f"secret/{GROUP_FILE}", f"`require_pass: {required}`: secret may require sample only"
                )

    def _check_required_groups(self, groups: Sequence[Group]) -> None:
        passing = {"sample": "sample"}  # full name: name as `require_pass` has it
        for group in groups:
            for required in group.require_pass:
                if required not in passing:
                    here, short = group.name.removeprefix("secret/"), required.removeprefix("secret/")
                    later = any(other.name == required for other in groups[groups.index(group) + 1 :])
                    why = f"there are {', '.join(itertools.islice(passing.values(), _SHOWN_GROUPS))}"
                    if later:
                        why = f"groups go by name, `{here}` before `{short}`: call them 1-{short} and 2-{here}"
                    self.cases.fault(
                        f"{group.name}/{GROUP_FILE}",
                        f"`require_pass: {short}` names no earlier group that passes or fails: {why}",
                    )
            if group.aggregation is Aggregation.PASS_FAIL:
                passing[group.name] = group.name.removeprefix("secret/")

    def _file(self, folder: str) -> str | None:
        names = self.cases.tree.names.get(folder, ())
        file_name = next((name for name in GROUP_FILES if name in names), None)
        return None if file_name is None else f"{folder}/{file_name}".lstrip("/")

    def read(self, folder: str, inherited: GroupSettings) -> GroupSettings:
        """Read the settings of a folder; only those of cases are inherited."""
        scored = self.scoring and folder == "secret"
        usual = GroupSettings(
            max_score=SECRET_MAX_SCORE if scored else None,
            aggregation=Aggregation.SUM if scored else Aggregation.PASS_FAIL,
            cases=inherited.cases,
        )
        path = self._file(folder)
        section = self.cases.section(path) if path is not None else None
        if path is None or section is None:
            return usual
        if path.endswith(LEGACY_GROUP_FILE):
            self._take_over(section, path)
        _lift_scores(section)
        if not self.scoring or folder.split("/", maxsplit=1)[0] != "secret":
            self._refuse_scores(section, folder)
        settings = self._settings_in(section, usual, folder)
        section.finish(path.rpartition("/")[2], strict=not self.cases.legacy)
        return settings

    def _settings_in(self, section: YamlSection, usual: GroupSettings, folder: str) -> GroupSettings:
        flags = take_flags(section, usual.cases)
        aggregation = section.choice("score_aggregation", Aggregation, usual.aggregation)
        max_score = _max_score(section, usual.max_score)
        scored = self.scoring and folder != "sample"
        return GroupSettings(
            aggregation=aggregation,
            max_score=max_score,
            require_pass=tuple(map(_full_name, section.strings("require_pass"))),
            static=self._static(section, aggregation, max_score, scored=scored),
            cases=read_case_settings(section, flags),
        )

    def _take_over(self, section: YamlSection, path: str) -> None:
        """Read testdata.yaml, the older name. Keys of legacy in it are harmless if it only sets arguments."""
        graded = [key for key in GRADING_KEYS if key in section.entries]
        if self.scoring and graded:
            fix = f"move what it says to a {GROUP_FILE}"
            section.entries[graded[0]].fault(f"`{graded[0]}` is legacy's, beside groups of 2025-09: {fix}")
        else:
            self.cases.warn(path, f"the older name: rename it to {GROUP_FILE}")
        section.skip(*GRADING_KEYS)

    def _refuse_scores(self, section: YamlSection, folder: str) -> None:
        why = f"{folder or 'data'} is never scored" if self.scoring else "the problem is pass-fail"
        for key in _SCORES:
            value = section.take(key)
            if value is not None:
                value.fault(f"`{key}` has no meaning here ({why}): remove it")

    def _static(
        self, section: YamlSection, aggregation: Aggregation, max_score: float | None, *, scored: bool
    ) -> StaticValidation | None:
        given = section.entries.get("static_validator_args")
        arguments = section.strings("static_validator_args")
        value = section.take("static_validation_score")
        if value is None:
            if given is not None:
                given.fault("`static_validator_args` without `static_validation_score`: add it, or nothing is run")
            return None
        if not self.static_validated:
            value.fault("`static_validation_score` needs a static_validator/, which is not in the package")
            return None
        if value.text == "pass-fail":
            if scored and aggregation is not Aggregation.PASS_FAIL:
                value.fault("`static_validation_score: pass-fail` needs `score_aggregation: pass-fail`")
            return StaticValidation(arguments=arguments)
        score = score_in(value.text or "")
        if score is None or score < 0:
            value.fault(f"`static_validation_score` must be pass-fail or a number from 0 to {LARGEST_SCORE:g}")
        elif not scored or aggregation is Aggregation.PASS_FAIL:
            value.fault("a group that passes or fails has no static score of its own: write `pass-fail`")
        elif max_score is not None and score > max_score:
            value.fault(f"`static_validation_score` is more than the `max_score` of {max_score:g}: lower it")
        return StaticValidation(score=score, arguments=arguments)


def _lift_scores(section: YamlSection) -> None:
    """Read the scores of drafts, which are in a separate mapping, under shorter names."""
    value = section.entries.get("scoring")
    if value is None or not value.is_mapping:
        return
    value.warn("`scoring` is of a draft: write `max_score`, `score_aggregation` and `require_pass` without it")
    section.skip("scoring")
    for key, inner in YamlSection(value=value).entries.items():
        section.entries[_SCORES_OF_DRAFTS.get(key, key)] = inner


def _full_name(group: str) -> str:
    return group if group in ("sample", "secret") or group.startswith("secret/") else f"secret/{group}"


def _max_score(section: YamlSection, default: float | None) -> float | None:
    value = section.entries.get("max_score")
    if value is not None and value.text == "unbounded":
        section.skip("max_score")
        return None
    return section.number("max_score", 0, default, high=LARGEST_SCORE)
