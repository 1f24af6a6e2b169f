"""What a problem package *is*, format differences resolved: frozen values, no reading, no running.

Made for the whole of the 2025-09 format (and what legacy maps onto), so that a reader of one more part fills a
field that is already there. Section names in docstrings are those of the format's text.
"""

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from harness.package.files import File, Files


class ProblemType(enum.StrEnum):
    """The words of `type` in problem.yaml."""

    PASS_FAIL = "pass-fail"
    SCORING = "scoring"
    MULTI_PASS = "multi-pass"
    INTERACTIVE = "interactive"
    SUBMIT_ANSWER = "submit-answer"


class Aggregation(enum.StrEnum):
    """How a group makes one score of its cases, or `secret` of its groups."""

    PASS_FAIL = "pass-fail"
    SUM = "sum"
    MIN = "min"


@dataclass(frozen=True, kw_only=True)
class ProblemLimits:
    """`limits` of problem.yaml, defaults filled in. time_limit_s is None when the package leaves it to the judge."""

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


@dataclass(frozen=True, kw_only=True)
class Person:
    """Somebody to credit."""

    name: str
    email: str | None = None


@dataclass(frozen=True, kw_only=True)
class Program:
    """A judge program or submission before it is built: its files, constants substituted, by relative path.

    path: where it lies in the package (`submissions/accepted/a.cpp`), also its name in every report.
    """

    path: str
    files: Mapping[str, File]
    language: str | None = None
    entrypoint: str | None = None

    @property
    def origin(self) -> Path:
        """The file or folder that a person would open to mend it."""
        first = next(iter(self.files.values())).origin
        return first if len(self.files) == 1 else first.parent


@dataclass(frozen=True, kw_only=True)
class CaseSettings:
    """What a case's `.yaml` says, after inheriting from its group's `test_group.yaml`."""

    args: tuple[str, ...] = ()
    input_validator_args: tuple[str, ...] | Mapping[str, tuple[str, ...]] = ()
    output_validator_args: tuple[str, ...] = ()
    full_feedback: bool = False
    hint: str | None = None
    description: str | None = None


@dataclass(frozen=True, kw_only=True)
class Case:
    """One test case. `name` is the path of its `.in` below data/, without extension (`secret/group1/01`)."""

    name: str
    input: File
    answer: File | None
    output: File | None = None
    settings: CaseSettings = field(default_factory=CaseSettings)
    extra_files: Mapping[str, File] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Group:
    """A test group: `sample`, `secret`, or a group of secret. max_score None: unbounded.

    Exactly one of `cases` and `groups` is filled, or none.
    """

    name: str
    cases: tuple[Case, ...] = ()
    groups: tuple["Group", ...] = ()
    aggregation: Aggregation = Aggregation.PASS_FAIL
    max_score: float | None = None
    require_pass: tuple[str, ...] = ()

    def all_cases(self) -> Iterator[Case]:
        """The cases of this group and of the groups in it, in judging order."""
        yield from self.cases
        for group in self.groups:
            yield from group.all_cases()


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One thing that submissions.yaml (or a default directory) demands of the submissions that `pattern` matches.

    cases: a glob over groups and cases relative to data/, or None for all of them.
    permitted, required: codes out of AC WA TLE RTE; None: no such demand.
    score: the closed interval that the score must lie in, of `cases` if given, else of the submission.
    use_for_time_limit: False, "lower", "upper", or None where nothing was said.
    """

    pattern: str
    cases: str | None = None
    permitted: frozenset[str] | None = None
    required: frozenset[str] | None = None
    score: tuple[float, float] | None = None
    message: str | None = None
    use_for_time_limit: bool | str | None = None


@dataclass(frozen=True, kw_only=True)
class Package:
    """A loaded problem package. slug: its short name; root: where it was found."""

    slug: str
    root: Path
    files: Files
    names: Mapping[str, str]
    types: frozenset[ProblemType]
    limits: ProblemLimits
    constants: Mapping[str, Mapping[str, str]]
    authors: tuple[Person, ...]
    source: str | None
    license: str
    statements: Mapping[str, File]
    sample: Group
    secret: Group
    invalid_inputs: tuple[Case, ...]
    input_validators: tuple[Program, ...]
    output_validator: Program | None
    submissions: tuple[Program, ...]
    rules: tuple[Rule, ...]
    warnings: tuple[str, ...] = ()

    @property
    def scoring(self) -> bool:
        """Whether submissions get points."""
        return ProblemType.SCORING in self.types

    @property
    def title(self) -> str:
        """The English name, else the first."""
        return self.names.get("en") or next(iter(self.names.values()))

    def judged_cases(self) -> tuple[Case, ...]:
        """Every case that a submission is run on, in judging order: samples first."""
        return (*self.sample.all_cases(), *self.secret.all_cases())
