"""The model of a problem package: frozen values, the same for all formats.

It has a field for each part of the 2025-09 format, and readers of other formats fill the same fields. Section
names in docstrings are those of the format's text.
"""

import enum
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from pathlib import Path, PurePath, PurePosixPath

from harness.package.files import File, Files
from harness.package.globs import matches
from harness.values import dataclass


class Format(enum.StrEnum):
    """The versions of the package format that are read, by the words of `problem_format_version`."""

    CURRENT = "2025-09"
    DRAFT = "2023-07-draft"
    LEGACY = "legacy"


class ProblemType(enum.StrEnum):
    """The words of `type` in problem.yaml."""

    PASS_FAIL = "pass-fail"
    SCORING = "scoring"
    MULTI_PASS = "multi-pass"
    INTERACTIVE = "interactive"
    SUBMIT_ANSWER = "submit-answer"


# Problems in which a judge program talks to the submission, so that answers may be empty.
CONVERSATIONS = frozenset({ProblemType.INTERACTIVE, ProblemType.MULTI_PASS})


class Aggregation(enum.StrEnum):
    """How a group combines the scores of its cases, or `secret` those of its groups."""

    PASS_FAIL = "pass-fail"
    SUM = "sum"
    MIN = "min"


@dataclass(frozen=True, kw_only=True)
class ProblemLimits:
    """`limits` of problem.yaml, defaults filled in. time_limit_s is None when the package leaves it to the judge.

    time_limit_is_multiple: whether a stated time limit has to be a multiple of time_resolution_s.
    """

    time_limit_s: float | None = None
    ac_to_time_limit: float = 2.0
    time_limit_to_tle: float = 1.5
    time_resolution_s: float = 1.0
    memory_mib: int = 2048
    output_mib: int = 8
    code_kib: int = 128
    compilation_time_s: float = 60
    compilation_memory_mib: int = 2048
    validation_time_s: float = 60
    validation_memory_mib: int = 2048
    validation_output_mib: int = 8
    validation_passes: int = 2
    time_limit_is_multiple: bool = True


@dataclass(frozen=True, kw_only=True)
class Person:
    """A person to credit."""

    name: str
    email: str | None = None


@dataclass(frozen=True, kw_only=True)
class Program:
    """A judge program or submission before it is built.

    files: by relative path, constants substituted; their order counts, the first source may be what is started.

    path: where it lies in the package (`submissions/accepted/a.cpp`), also its name in every report.
    """

    path: str
    files: Mapping[str, File]
    language: str | None = None
    entrypoint: str | None = None

    @property
    def origin(self) -> Path:
        """The file or folder that a person edits to fix it."""
        first = next(iter(self.files.values())).origin
        return first if len(self.files) == 1 else first.parent

    @property
    def shown(self) -> PurePath:
        """The path of that file or folder in messages."""
        first = next(iter(self.files.values())).shown
        return first if len(self.files) == 1 else first.parent

    @property
    def start_by_name(self) -> str:
        """The name of its folder in small letters, if one of several files is called so and may be started; else ""."""
        name = PurePosixPath(self.path).name.lower()
        is_there = any(file.rpartition(".")[0].lower() == name for file in self.files)
        return name if is_there and len(self.files) > 1 else ""

    def lies_at(self, path: Path) -> bool:
        """Return whether this is the program at `path`, a file or a folder."""
        resolved = path.resolve()
        name, file = next(iter(self.files.items()))
        if len(self.files) == 1 and file.origin.resolve() == resolved:
            return True
        folder = file.origin.parents[name.count("/")]
        return folder.name == self.path.rpartition("/")[2] and folder.resolve() == resolved


@dataclass(frozen=True, kw_only=True)
class CaseSettings:
    """The settings of a case, inherited from its group and overridden by its own `.yaml`."""

    args: tuple[str, ...] = ()
    input_visualizer_args: tuple[str, ...] = ()
    output_visualizer_args: tuple[str, ...] = ()
    input_validator_args: tuple[str, ...] | Mapping[str, tuple[str, ...]] = ()
    output_validator_args: tuple[str, ...] = ()
    hint: str | None = None
    description: str | None = None


@dataclass(frozen=True, kw_only=True)
class Case:
    """A test case. `name` is the path of its `.in` below data/, without extension (`secret/group1/01`).

    output: `.out`, of valid_output, invalid_output, or to show in place of the answer. extra_files: of its `.files`.
    shown: what accompanies it for people, by extension (`.in.statement`, `.interaction`, `.png`, `.hint`, …).
    """

    name: str
    input: File
    answer: File | None
    output: File | None = None
    settings: CaseSettings = field(default_factory=CaseSettings)
    extra_files: Mapping[str, File] = field(default_factory=dict)
    shown: Mapping[str, File] = field(default_factory=dict)

    def read_answer(self) -> bytes:
        """Return the answer; empty if there is none."""
        return self.answer.read() if self.answer is not None else b""


def is_sample_name(name: str) -> bool:
    """Return whether a case or file of this path below data/ is a sample's."""
    return name.startswith("sample/")


class VerdictMode(enum.StrEnum):
    """How the default grader of a group combines the verdicts of its parts."""

    WORST_ERROR = "worst_error"
    FIRST_ERROR = "first_error"
    ALWAYS_ACCEPT = "always_accept"


class ScoreMode(enum.StrEnum):
    """How the default grader of a group combines the scores of its parts."""

    SUM = "sum"
    AVERAGE = "avg"
    MIN = "min"
    MAX = "max"


@dataclass(frozen=True, kw_only=True)
class GroupGrading:
    """How a grader combines the results of a group's cases and groups (section "Graders" of the format's older text).

    grader: the package's own program with its flags, or None for the default grader, whose flags are resolved into the
    modes. score_range: the closed interval that the group's score must lie in.
    """

    grader: Program | None = None
    grader_flags: tuple[str, ...] = ()
    verdict_mode: VerdictMode = VerdictMode.WORST_ERROR
    score_mode: ScoreMode = ScoreMode.SUM
    ignore_sample: bool = False
    accept_if_any_accepted: bool = False
    break_on_reject: bool = True
    accept_score: float = 1.0
    reject_score: float = 0.0
    score_range: tuple[float, float] | None = None


@dataclass(frozen=True, kw_only=True)
class StaticValidation:
    """A group's static test case (2025-09, "Static validator"). score None: pass-fail, no points of its own."""

    score: float | None = None
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Group:
    """A test group: `sample`, `secret`, or a group of secret. max_score None: unbounded.

    grading: None in packages without graders. Else a grader makes the group's result, aggregation and max_score mean
    nothing, and the group may hold both `cases` and `groups`, in the order of names; without, at most one of them.
    require_pass: names of groups.
    shown_only: samples without an input, of which statements show what they have (`.interaction`); nothing is run.
    """

    name: str
    cases: tuple[Case, ...] = ()
    groups: tuple["Group", ...] = ()
    aggregation: Aggregation = Aggregation.PASS_FAIL
    max_score: float | None = None
    require_pass: tuple[str, ...] = ()
    static: StaticValidation | None = None
    grading: GroupGrading | None = None
    shown_only: tuple[Case, ...] = ()

    def all_cases(self) -> Iterator[Case]:
        """Yield the cases of this group and of the groups in it, in judging order."""
        yield from self.cases
        for group in self.groups:
            yield from group.all_cases()

    def case_with(self, data: bytes) -> Case | None:
        """Return the first case with this input; None: there is none."""
        same = (case for case in self.all_cases() if case.input.size() == len(data) and case.input.read() == data)
        return next(same, None)

    def all_shown(self) -> list[Case]:
        """Return the cases that statements show, by name."""
        return sorted((*self.all_cases(), *self.shown_only), key=lambda case: case.name)

    def holders(self) -> Iterator["Group"]:
        """Yield this group and its inner groups if they hold cases: in older packages at every level."""
        if self.cases:
            yield self
        for group in self.groups:
            yield from group.holders()


GroupCase = tuple[Group, Case]  # a case and the group that holds it


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A demand of submissions.yaml (or a default directory) on the submissions that `pattern` matches.

    cases: a glob over groups and cases relative to data/, or None for all of them.
    permitted, required: codes out of AC WA TLE RTE; None: no such demand.
    score: the closed interval that the score must lie in, of `cases` if given, else of the submission.
    use_for_time_limit: False, "lower", "upper", or None where nothing is stated.
    verdicts: the permitted verdicts of the submission as a whole, whatever its cases got (`@EXPECTED_RESULTS@`).
    below_maximum: accepted, but not with all points (partially_accepted).
    """

    pattern: str
    cases: str | None = None
    permitted: frozenset[str] | None = None
    required: frozenset[str] | None = None
    score: tuple[float, float] | None = None
    message: str | None = None
    use_for_time_limit: bool | str | None = None
    verdicts: frozenset[str] | None = None
    below_maximum: bool = False

    @property
    def bounds_from_below(self) -> bool:
        """Return whether a submission under this rule must keep the limit: TLE is not permitted, or it is stated."""
        if self.use_for_time_limit is None:
            return self.permitted is not None and "TLE" not in self.permitted
        return self.use_for_time_limit == "lower"

    @property
    def bounds_from_above(self) -> bool:
        """Return whether a submission under this rule must exceed the limit: only TLE is required, or it is stated."""
        if self.use_for_time_limit is None:
            return self.required == frozenset({"TLE"})
        return self.use_for_time_limit == "upper"

    @property
    def requires_failure(self) -> bool:
        """Return whether some case must get another verdict than AC."""
        return self.required is not None and "AC" not in self.required


def rules_for(path: str, rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """Return the rules that apply to the submission at `path` (relative to submissions/); all of them must hold."""
    return tuple(rule for rule in rules if matches(rule.pattern, path))


@dataclass(frozen=True, kw_only=True)
class Metadata:
    """What problem.yaml says of a problem, the same for all formats.

    languages: codes that submissions may use, None for all. minimize: the least score is the best.
    """

    names: Mapping[str, str]
    types: frozenset[ProblemType]
    limits: ProblemLimits
    constants: Mapping[str, Mapping[str, str]]
    authors: tuple[Person, ...]
    source: str | None
    license: str
    rights_owner: str | None = None
    uuid: str | None = None
    keywords: tuple[str, ...] = ()
    languages: frozenset[str] | None = None
    allow_file_writing: bool = False
    minimize: bool = False


@dataclass(frozen=True, kw_only=True)
class Package(Metadata):
    """A loaded problem package. slug: its short name; root: its folder.

    output_validators: none: the default one; several: all must accept.
    include: by language code or `default`, files that each submission gets.
    grading: of data/ itself, whose two parts are sample and secret; None in packages without graders. With graders,
    a rule's `permitted` and `required` without `cases` are about the verdict that the topmost grader gives.
    older_dialects: submissions may be in dialects that today's compilers refuse
    by default. validator_args_key: where the package states the output validator's arguments, for messages.
    format: for messages and export; the other fields hold what it means for judging.
    foreign_family: the family whose layout the folder has, None for a package's own. Nothing is written into it then.
    """

    slug: str
    root: Path
    files: Files
    statements: Mapping[str, File]
    sample: Group
    secret: Group
    invalid_inputs: tuple[Case, ...]
    input_validators: tuple[Program, ...]
    output_validators: tuple[Program, ...]
    submissions: tuple[Program, ...]
    rules: tuple[Rule, ...]
    warnings: tuple[str, ...] = ()
    format: Format = Format.CURRENT
    invalid_outputs: tuple[Case, ...] = ()
    valid_outputs: tuple[Case, ...] = ()
    static_validator: Program | None = None
    input_visualizer: Program | None = None
    output_visualizer: Program | None = None
    include: Mapping[str, Files] = field(default_factory=dict)
    attachments: Files = field(default_factory=dict)
    solutions: Mapping[str, File] = field(default_factory=dict)
    grading: GroupGrading | None = None
    older_dialects: bool = False
    validator_args_key: str = "output_validator_args"
    foreign_family: str | None = None

    @property
    def output_validator(self) -> Program | None:
        """Return the output validator, the first if there are several; None: the default output validator."""
        return self.output_validators[0] if self.output_validators else None

    @property
    def runs_submissions(self) -> bool:
        """Return whether submissions are run, so that limits concern them; answers are only checked."""
        return ProblemType.SUBMIT_ANSWER not in self.types

    @property
    def scoring(self) -> bool:
        """Return whether submissions get points."""
        return ProblemType.SCORING in self.types

    @property
    def title(self) -> str:
        """Return the English name, else the first name."""
        return self.names.get("en") or next(iter(self.names.values()))

    @property
    def accepted(self) -> tuple[Program, ...]:
        """Return the submissions in accepted/."""
        return tuple(program for program in self.submissions if program.path.startswith("accepted/"))

    def judged_cases(self) -> tuple[Case, ...]:
        """Return each case that a submission is run on, in judging order: samples first."""
        return tuple(case for _, case in self.cases_with_groups())

    def cases_with_groups(self) -> list[GroupCase]:
        """Return each judged case with its group."""
        groups = (*self.sample.holders(), *self.secret.holders())
        return [(group, case) for group in groups for case in group.cases]
