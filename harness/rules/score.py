"""Points of a case, a group and a submission (2025-09, "Scoring"). group_tree.py: groups with graders."""

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from harness.errors import JudgeError
from harness.package.files import File
from harness.package.model import Aggregation, Case, Group
from harness.results.model import CaseResult, GroupResult
from harness.results.verdict import Verdict

_TOLERANCE = 1e-9  # of points, which are sums of decimal numbers
_RELATIVE_TOLERANCE = 1e-12  # of many points

# A static test case has no name in the format. No other case has a blank in its name, and globs over the group match it
# (2025-09, "Static validation test cases").
STATIC_CASE = "static validation"


def points_text(points: float) -> str:
    """Return points for people: six digits, and all digits of a whole number that has more."""
    return f"{points:g}" if abs(points) < 1e5 else f"{round(points, 4):.15g}"


def static_case_name(group: Group) -> str:
    """Return the name of the group's static test case in results."""
    return f"{group.name}/{STATIC_CASE}"


def own_case_names(group: Group) -> tuple[str, ...]:
    """Return the names of the group's own cases, the static one first; not those of its inner groups."""
    static = () if group.static is None else (static_case_name(group),)
    return (*static, *(case.name for case in group.cases))


def case_max_score(group: Group, *, static: bool = False) -> float | None:
    """Return the most points of a case of `group`; None: unbounded, or no points of its own (pass-fail)."""
    if group.max_score is None or group.aggregation is Aggregation.PASS_FAIL:
        return None
    static_max = (group.static.score or 0.0) if group.static is not None else 0.0
    if static:
        return static_max
    if group.aggregation is Aggregation.MIN:
        return group.max_score
    return (group.max_score - static_max) / max(len(group.cases), 1)


def accepted_case_score(
    group: Group, *, score: float | None, multiplier: float | None, static: bool = False
) -> float | None:
    """Return the points of an accepted case. Raises JudgeError if the validator's score file breaks the rules."""
    if group.aggregation is Aggregation.PASS_FAIL:
        if score is not None or multiplier is not None:
            raise JudgeError("a score file in a pass-fail test group")
        return None
    if score is not None and score < 0:
        raise JudgeError(f"score.txt says {points_text(score)}, must not be negative")
    highest = case_max_score(group, static=static)
    if highest is None:
        return _unbounded(score, multiplier)
    if score is not None and nearest(score, highest) > highest:
        most = f"the most for this test case is {points_text(highest)}"
        raise JudgeError(f"score.txt says {points_text(score)}, {most}")
    if multiplier is not None and not 0 <= multiplier <= 1:
        raise JudgeError(f"score_multiplier.txt says {multiplier:g}, must lie between 0 and 1")
    return score if score is not None else highest * (1 if multiplier is None else multiplier)


def _unbounded(score: float | None, multiplier: float | None) -> float:
    if multiplier is not None:
        raise JudgeError("score_multiplier.txt, where the group is unbounded and there is nothing to multiply")
    if score is None:
        raise JudgeError("no score.txt, which an accepted test case of an unbounded group must have")
    return score


def group_results(group: Group, cases: Mapping[str, CaseResult]) -> tuple[GroupResult, ...]:
    """Return the results of `group` and of the groups in it. Raises JudgeError for a score over the maximum."""
    inner = [result for child in group.groups for result in group_results(child, cases)]
    own = [cases[name] for name in own_case_names(group)]
    children = [result for result in inner if result.name in {child.name for child in group.groups}]
    everything: list[CaseResult | GroupResult] = [*own, *children]
    verdict = first_failure(everything)
    result = GroupResult(name=group.name, verdict=verdict, max_score=group.max_score)
    if group.name == "sample" or (group.max_score is None and group.aggregation is Aggregation.PASS_FAIL):
        return (result, *inner)
    scores = [item.score or 0.0 for item in everything]
    return (replace(result, score=_aggregate(group, verdict, scores)), *inner)


def _aggregate(group: Group, verdict: Verdict, scores: Sequence[float]) -> float:
    match group.aggregation:
        case Aggregation.PASS_FAIL:
            total = (group.max_score or 0.0) if verdict is Verdict.ACCEPTED else 0.0
        case Aggregation.SUM:
            total = sum_of(scores)
        case Aggregation.MIN:
            total = min(scores, default=0.0)
    if group.max_score is None:
        return total
    total = nearest(total, group.max_score)
    if total > group.max_score:
        most = f"where the most is {points_text(group.max_score)}"
        raise JudgeError(f"{group.name}: a score of {points_text(total)}, {most}")
    return total


def sum_of(scores: Sequence[float]) -> float:
    """Return the sum, rounded once; infinite if it is more than any number holds."""
    try:
        return math.fsum(scores)
    except (OverflowError, ValueError):  # too large, or infinite with both signs
        return sum(scores)


def nearest(score: float, *limits: float) -> float:
    """Return the limit that a score differs from by rounding only; else the score."""
    near = (
        limit for limit in limits if math.isclose(score, limit, rel_tol=_RELATIVE_TOLERANCE, abs_tol=_TOLERANCE)
    )
    return next(near, score)


def first_failure(results: Sequence[CaseResult | GroupResult]) -> Verdict:
    """Return JE if any, else the first verdict except AC, in judging order; skipped cases do not count."""
    verdicts = [result.verdict for result in results]
    if Verdict.JUDGE_ERROR in verdicts:
        return Verdict.JUDGE_ERROR
    judged = [verdict for verdict in verdicts if verdict is not Verdict.SKIPPED]
    if not judged:
        return Verdict.SKIPPED if verdicts else Verdict.ACCEPTED
    return next((verdict for verdict in judged if verdict is not Verdict.ACCEPTED), Verdict.ACCEPTED)


def static_case(group: Group) -> Case | None:
    """Return the group's static test case as an ordinary case with an empty input, or None."""
    if group.static is None:
        return None
    return Case(name=static_case_name(group), input=File(origin=Path(os.devnull)), answer=None)
