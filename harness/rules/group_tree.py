"""Grade nested test groups: the default grader, and the walk over the tree that calls a grader for each group.

The submission's verdict is the one that the topmost grader gives (section "Graders" of the format's older text).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from harness.errors import JudgeError
from harness.package.model import Case, Group, GroupCase, GroupGrading, Package, Program, ScoreMode, VerdictMode
from harness.results.model import CaseResult, GroupResult
from harness.results.verdict import Verdict
from harness.rules.score import nearest, points_text, sum_of
from harness.values import dataclass

ROOT = "data"

# "Default grader specification": the first of these that occurs. (IF is a judge failure, so JE.)
_WORST_FIRST = (
    Verdict.JUDGE_ERROR,
    Verdict.COMPILE_ERROR,
    Verdict.RUN_TIME_ERROR,
    Verdict.MEMORY_LIMIT_EXCEEDED,
    Verdict.TIME_LIMIT_EXCEEDED,
    Verdict.OUTPUT_LIMIT_EXCEEDED,
    Verdict.WRONG_ANSWER,
    Verdict.ACCEPTED,
)


@dataclass(frozen=True, kw_only=True)
class GradedPart:
    """The result of a test case or group, as input of a grader. message: of a judge error."""

    verdict: Verdict
    score: float = 0.0
    message: str = ""


Grader = Callable[[GroupGrading, Sequence[GradedPart]], GradedPart]


def root_group(package: Package) -> Group:
    """Return the group of data/ itself, whose parts are sample and secret."""
    grading, sample = package.grading or GroupGrading(), package.sample
    if grading.ignore_sample:  # sample does not count, so it may be out of its range
        sample = replace(sample, grading=replace(grading_of(sample), score_range=None))
    return Group(name=ROOT, groups=(sample, package.secret), grading=grading)


def grading_of(group: Group) -> GroupGrading:
    """Return how a group is graded."""
    return group.grading or GroupGrading()


def items(group: Group) -> list[Case | Group]:
    """Return the test cases and groups directly in `group`, in judging order: by name; sample before secret."""
    if group.name == ROOT:
        return list(group.groups)
    return sorted((*group.cases, *group.groups), key=lambda item: item.name.rpartition("/")[2])


def graded_case_score(grading: GroupGrading, verdict: Verdict, score: float | None) -> float:
    """Return the points of a test case: the validator's for an accepted one, if it gave any, else the group's."""
    if verdict is not Verdict.ACCEPTED:
        return grading.reject_score
    return grading.accept_score if score is None else score


def default_grader(grading: GroupGrading, parts: Sequence[GradedPart], *, root: bool = False) -> GradedPart:
    """Derive a group's result from its parts. root: the parts are sample and secret; sample may not count."""
    if not parts:
        return GradedPart(verdict=Verdict.ACCEPTED)
    if grading.ignore_sample and root:  # the flag is inherited, but has no meaning further down
        parts = parts[-1:]
    verdicts = [part.verdict for part in parts]
    return GradedPart(verdict=_verdict(grading, verdicts), score=_score(grading, [part.score for part in parts]))


def _verdict(grading: GroupGrading, verdicts: Sequence[Verdict]) -> Verdict:
    if Verdict.JUDGE_ERROR in verdicts:
        return Verdict.JUDGE_ERROR
    if grading.accept_if_any_accepted and Verdict.ACCEPTED in verdicts:
        return Verdict.ACCEPTED
    match grading.verdict_mode:
        case VerdictMode.ALWAYS_ACCEPT:
            return Verdict.ACCEPTED
        case VerdictMode.FIRST_ERROR:
            return next((verdict for verdict in verdicts if verdict is not Verdict.ACCEPTED), Verdict.ACCEPTED)
        case VerdictMode.WORST_ERROR:
            return min(verdicts, key=_WORST_FIRST.index)


def _score(grading: GroupGrading, scores: Sequence[float]) -> float:
    match grading.score_mode:
        case ScoreMode.SUM:
            return sum_of(scores)
        case ScoreMode.AVERAGE:
            return sum_of(scores) / len(scores)
        case ScoreMode.MIN:
            return min(scores)
        case ScoreMode.MAX:
            return max(scores)


@dataclass(frozen=True, kw_only=True)
class Graded:
    """A group's result from its grader, the results of its inner groups, and the cases that do not count.

    part: None while it depends on an unjudged case.
    """

    part: GradedPart | None
    groups: tuple[GroupResult, ...] = ()
    missing: tuple[GroupCase, ...] = ()
    skipped: tuple[GroupCase, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Walk:
    """Grades a tree in judging order. grader: called for groups with their own grader. scoring: there are points."""

    cases: Mapping[str, CaseResult]
    grader: Grader
    scoring: bool

    def grade(self, group: Group) -> Graded:
        """Grade the group and its inner groups. A group that breaks on a rejection skips the rest after it."""
        parts: list[GradedPart] = []
        groups: list[GroupResult] = []
        missing: list[GroupCase] = []
        skipped: list[GroupCase] = []
        broken = False
        for item in items(group):
            if broken:
                skipped += _cases_in(group, item)
                continue
            graded = self.grade(item) if isinstance(item, Group) else self._case(group, item)
            groups += graded.groups
            missing += graded.missing
            skipped += graded.skipped
            if graded.part is not None:
                parts.append(graded.part)
                rejected = graded.part.verdict is not Verdict.ACCEPTED
                broken = rejected and grading_of(group).break_on_reject
        part = None if missing else self._part(group, parts)
        own = (self._result(group, part),) if part is not None and group.name != ROOT else ()
        return Graded(part=part, groups=(*own, *groups), missing=tuple(missing), skipped=tuple(skipped))

    def _case(self, group: Group, case: Case) -> Graded:
        result = self.cases.get(case.name)
        if result is None:
            return Graded(part=None, missing=((group, case),))
        return Graded(part=GradedPart(verdict=result.verdict, score=result.score or 0.0))

    def _part(self, group: Group, parts: Sequence[GradedPart]) -> GradedPart:
        """Grade a group from its parts; a failed grader or a score out of range becomes a judge error."""
        broken = next((part for part in parts if part.verdict is Verdict.JUDGE_ERROR), None)
        if broken is not None:
            return broken
        grading = grading_of(group)
        try:
            if grading.grader is None or not parts:
                part = default_grader(grading, parts, root=group.name == ROOT)
            else:
                part = self.grader(grading, parts)
        except JudgeError as error:
            return GradedPart(verdict=Verdict.JUDGE_ERROR, message=str(error))
        if self.scoring and part.verdict is Verdict.ACCEPTED and grading.score_range is not None:
            low, high = grading.score_range
            score = nearest(part.score, low, high)
            if not low <= score <= high:
                bounds = f"{points_text(low)} to {points_text(high)}"
                message = f"{group.name}: a score of {points_text(part.score)}, outside its range {bounds}"
                return GradedPart(verdict=Verdict.JUDGE_ERROR, message=message)
            return replace(part, score=score)
        return part

    def _result(self, group: Group, part: GradedPart) -> GroupResult:
        score_range = grading_of(group).score_range
        most = score_range[1] if score_range is not None and score_range[1] != float("inf") else None
        return GroupResult(
            name=group.name,
            verdict=part.verdict,
            score=part.score if self.scoring else None,
            max_score=most if self.scoring else None,
        )


def _cases_in(group: Group, item: Case | Group) -> list[GroupCase]:
    if isinstance(item, Case):
        return [(group, item)]
    return [pair for inner in items(item) for pair in _cases_in(item, inner)]


def ordered_cases(group: Group) -> list[GroupCase]:
    """Return every case below `group` with the group that holds it, in judging order."""
    return _cases_in(group, group)


def graders_in(group: Group) -> list[Program]:
    """Return the package's own graders that the group and its inner groups use."""
    own = grading_of(group).grader
    return [
        *([own] if own is not None else []),
        *(program for inner in group.groups for program in graders_in(inner)),
    ]


def tree_total(
    package: Package, cases: Mapping[str, CaseResult], grader: Grader
) -> tuple[Verdict, float | None, tuple[GroupResult, ...]]:
    """Return a submission's verdict, score and groups. A rejected submission always has no points.

    After a judge error no further case is judged, so that no grade follows: the verdict is JE then. Raises JudgeError
    if a grader failed or printed no valid grade.
    """
    graded = Walk(cases=cases, grader=grader, scoring=package.scoring).grade(root_group(package))
    is_broken = any(case.verdict is Verdict.JUDGE_ERROR for case in cases.values())
    part = graded.part or GradedPart(verdict=Verdict.JUDGE_ERROR if is_broken else Verdict.SKIPPED)
    if part.message:
        raise JudgeError(part.message)
    score = part.score if part.verdict is Verdict.ACCEPTED else 0.0
    return part.verdict, score if package.scoring else None, graded.groups
