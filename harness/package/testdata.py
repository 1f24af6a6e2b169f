"""data/ of a package: sample and secret as groups of cases, and the invalid inputs (2025-09, "Test data")."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePath, PurePosixPath

from harness.errors import Fault
from harness.package.constants import Constants, substitute
from harness.package.files import File, Files, below
from harness.package.model import Aggregation, Case, CaseSettings, Group
from harness.package.yamltext import Section, parse_section

GROUP_FILE = "test_group.yaml"
SECRET_MAX_SCORE = 100.0
# Extensions that may accompany a case (2025-09, "Test data"), longest first.
CASE_EXTENSIONS = (
    ".in.statement", ".ans.statement", ".in.download", ".ans.download", ".interaction",
    ".yaml", ".ans", ".out", ".in", ".png", ".jpg", ".jpeg", ".svg",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class GroupSettings:
    """What a `test_group.yaml` says."""

    max_score: float | None = None
    aggregation: Aggregation = Aggregation.PASS_FAIL
    require_pass: tuple[str, ...] = ()
    case_settings: CaseSettings = field(default_factory=CaseSettings)


@dataclass(frozen=True, kw_only=True)
class DataReader:
    """Reads groups out of `data` (the files below data/); faults are collected.

    root: where data/ lies, for the faults. answers_expected: False while data is still being built.
    """

    data: Files
    root: PurePath
    scoring: bool
    constants: Constants
    faults: list[Fault]
    answers_expected: bool = True

    def sample(self) -> Group:
        """data/sample: always run, never scored."""
        settings = self._group_settings("sample", CaseSettings(full_feedback=True), secret=False)
        return Group(name="sample", cases=self.cases("sample", settings.case_settings))

    def secret(self) -> Group:
        """data/secret: either cases (perhaps in plain folders) or test groups."""
        folders = sorted({path.split("/")[0] for path in below(self.data, "secret") if "/" in path})
        grouped = [name for name in folders if f"secret/{name}/{GROUP_FILE}" in self.data]
        settings = self._group_settings("secret", CaseSettings(), secret=True)
        group = Group(
            name="secret",
            aggregation=settings.aggregation,
            max_score=settings.max_score,
            require_pass=settings.require_pass,
        )
        if not grouped:
            return replace(group, cases=self.cases("secret", settings.case_settings))
        self._check_all_grouped(folders, grouped)
        return replace(group, groups=tuple(self._group(f"secret/{name}") for name in grouped))

    def _check_all_grouped(self, folders: Iterable[str], grouped: Iterable[str]) -> None:
        for name in sorted(set(folders) - set(grouped)):
            self._fault(
                f"secret/{name}", f"lacks a {GROUP_FILE}: its neighbours are test groups, so it must be one"
            )
        for path in below(self.data, "secret"):
            if "/" not in path and path.endswith(".in"):
                self._fault(f"secret/{path}", "lies beside test groups: move it into one")

    def _group(self, name: str) -> Group:
        settings = self._group_settings(name, CaseSettings(), secret=False)
        for path in below(self.data, name):
            if path.count("/") and path.endswith(f"/{GROUP_FILE}"):
                self._fault(f"{name}/{path}", "test groups cannot be nested: flatten them")
        if self.scoring and settings.max_score is None:
            self._fault(
                f"{name}/{GROUP_FILE}",
                "lacks `max_score`: secret has a bounded score, so each group needs one",
            )
        return Group(
            name=name,
            cases=self.cases(name, settings.case_settings),
            aggregation=settings.aggregation,
            max_score=settings.max_score,
            require_pass=settings.require_pass,
        )

    def cases(self, folder: str, settings: CaseSettings) -> tuple[Case, ...]:
        """The cases anywhere below `folder`, sorted by name; stray files become faults."""
        names = {path[: -len(".in")] for path in self._paths(folder) if path.endswith(".in")}
        self._report_strays(folder, names)
        with_files = {path.partition(".files/")[0] for path in self.data if ".files/" in path}
        return tuple(self._case(name, settings, extra=name in with_files) for name in sorted(names))

    def _paths(self, folder: str) -> list[str]:
        return [path for path in self.data if path.startswith(folder + "/") and ".files/" not in path]

    def _case(self, name: str, settings: CaseSettings, *, extra: bool) -> Case:
        answer = self.data.get(f"{name}.ans")
        if answer is None and self.answers_expected:
            self._fault(f"{name}.in", f"no answer beside it: expected `{PurePosixPath(name).name}.ans`")
        return Case(
            name=name,
            input=self.data[f"{name}.in"],
            answer=answer,
            output=self.data.get(f"{name}.out"),
            settings=self._case_settings(name, settings),
            extra_files=below(self.data, f"{name}.files") if extra else {},
        )

    def _report_strays(self, folder: str, names: set[str]) -> None:
        for path in self._paths(folder):
            if PurePosixPath(path).name == GROUP_FILE:
                continue
            extension = next((end for end in CASE_EXTENSIONS if path.endswith(end)), None)
            if extension is None:
                self._fault(path, f"no file of a test case ends so: {', '.join(CASE_EXTENSIONS)}")
            elif path[: -len(extension)] not in names:
                self._fault(
                    path, f"no input beside it: expected `{PurePosixPath(path).name[: -len(extension)]}.in`"
                )

    def _case_settings(self, name: str, inherited: CaseSettings) -> CaseSettings:
        section = self._section(f"{name}.yaml")
        if section is None:
            return inherited
        settings = read_case_settings(section, inherited)
        section.finish("a test case's settings")
        return settings

    def _group_settings(self, name: str, case_settings: CaseSettings, *, secret: bool) -> GroupSettings:
        default_max = SECRET_MAX_SCORE if secret and self.scoring else None
        default_aggregation = Aggregation.SUM if secret and self.scoring else Aggregation.PASS_FAIL
        section = self._section(f"{name}/{GROUP_FILE}")
        if section is None:
            return GroupSettings(
                max_score=default_max, aggregation=default_aggregation, case_settings=case_settings
            )
        if not self.scoring or name == "sample":
            self._refuse_scores(section, name)
        settings = GroupSettings(
            max_score=_max_score(section, default_max),
            aggregation=Aggregation(
                section.choice("score_aggregation", Aggregation, default_aggregation) or "pass-fail"
            ),
            require_pass=section.strings("require_pass"),
            case_settings=read_case_settings(section, case_settings),
        )
        static = section.take("static_validation_score")
        if static is not None:
            static.fault("static validation is not judged by this version of harness")
        section.finish(GROUP_FILE)
        return settings

    def _refuse_scores(self, section: Section, name: str) -> None:
        why = "sample is never scored" if name == "sample" else "the problem is pass-fail"
        for key in ("max_score", "score_aggregation", "require_pass"):
            value = section.take(key)
            if value is not None:
                value.fault(f"`{key}` has no meaning here ({why}): remove it")

    def _section(self, path: str) -> Section | None:
        file = self.data.get(path)
        if file is None:
            return None
        return parse_section(file.origin, substitute(file.read(), self.constants), self.faults)

    def _fault(self, path: str, message: str) -> None:
        file: File | None = self.data.get(path)
        self.faults.append(Fault(path=file.origin if file else self.root / path, message=message))


def _max_score(section: Section, default: float | None) -> float | None:
    value = section.entries.get("max_score")
    if value is not None and value.plain == "unbounded":
        section.take("max_score")
        return None
    return section.number("max_score", 0, default)


def read_case_settings(section: Section, inherited: CaseSettings) -> CaseSettings:
    """The keys that a case's own settings and its group's share, over what is inherited."""
    for passive in ("static_validator_args", "input_visualizer_args", "output_visualizer_args"):
        section.take(passive)
    return CaseSettings(
        args=_strings(section, "args", inherited.args),
        input_validator_args=_validator_args(section, inherited.input_validator_args),
        output_validator_args=_strings(section, "output_validator_args", inherited.output_validator_args),
        full_feedback=section.boolean("full_feedback", inherited.full_feedback),
        hint=section.string("hint", inherited.hint),
        description=section.string("description", inherited.description),
    )


def _strings(section: Section, key: str, inherited: tuple[str, ...]) -> tuple[str, ...]:
    return section.strings(key) if key in section.entries else inherited


def _validator_args(
    section: Section, inherited: tuple[str, ...] | Mapping[str, tuple[str, ...]]
) -> tuple[str, ...] | Mapping[str, tuple[str, ...]]:
    value = section.entries.get("input_validator_args")
    if value is None:
        return inherited
    if not isinstance(value.plain, dict):
        return section.strings("input_validator_args")
    section.take("input_validator_args")
    by_validator = value.section()
    if by_validator is None:
        return ()
    return {name: by_validator.strings(name) for name in tuple(by_validator.entries)}
