"""Points of a case, a group and a submission (2025-09, "Scoring"). group_tree.py: groups with graders."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from harness.errors import JudgeError
from harness.package.files import File
from harness.package.model import Aggregation, Case, Group
from harness.results.model import CaseResult, GroupResult
from harness.results.verdict import Verdict

_TOLERANCE = 1e-9

# A static test case has no name in the format. A blank keeps it apart from every case that has one, and globs over
# the group match it (2025-09, "Static validation test cases").
STATIC_CASE = "static validation"


def static_case_name(group: Group) -> str:
    """What results call the group's static test case."""
    return f"{group.name}/{STATIC_CASE}"


def own_case_names(group: Group) -> tuple[str, ...]:
    """The names of the results that the group's score is made of, but for its inner groups: the static one first."""
    static = () if group.static is None else (static_case_name(group),)
    return (*static, *(case.name for case in group.cases))


def case_max_score(group: Group, *, static: bool = False) -> float | None:
    """The most that one case of `group` can give; None: unbounded, or no score of its own (pass-fail)."""
    if group.max_score is None or group.aggregation is Aggregation.PASS_FAIL:
        return None
    static_max = (group.static.score or 0.0) if group.static is not None else 0.0
    if static:
        return static_max
    if group.aggregation is Aggregation.MIN:
        return group.max_score
    return (group.max_score - static_max) / max(len(group.cases), 1)


def case_score(
    group: Group, *, score: float | None, multiplier: float | None, static: bool = False
) -> float | None:
    """The points of an accepted case. Raises JudgeError where the validator's score file breaks the rules."""
    if group.aggregation is Aggregation.PASS_FAIL:
        if score is not None or multiplier is not None:
            raise JudgeError("a score file in a pass-fail test group")
        return None
    if score is not None and score < 0:
        raise JudgeError(f"score.txt says {score:g}, must not be negative")
    highest = case_max_score(group, static=static)
    if highest is None:
        return _unbounded(score, multiplier)
    if score is not None and score > highest + _TOLERANCE:
        raise JudgeError(f"score.txt says {score:g}, the most for this test case is {highest:g}")
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
    """The results of `group` and of the groups in it, itself first. Raises JudgeError for a score over the most."""
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
            total = sum(scores)
        case Aggregation.MIN:
            total = min(scores, default=0.0)
    if group.max_score is not None and total > group.max_score + _TOLERANCE:
        raise JudgeError(f"{group.name}: a score of {total:g}, where the most is {group.max_score:g}")
    return total


def first_failure(results: Sequence[CaseResult | GroupResult]) -> Verdict:
    """JE if there is one, else the first verdict that is not AC, in judging order; a skipped case tells nothing."""
    verdicts = [result.verdict for result in results]
    if Verdict.JUDGE_ERROR in verdicts:
        return Verdict.JUDGE_ERROR
    telling = [verdict for verdict in verdicts if verdict is not Verdict.SKIPPED]
    if not telling:
        return Verdict.SKIPPED if verdicts else Verdict.ACCEPTED
    return next((verdict for verdict in telling if verdict is not Verdict.ACCEPTED), Verdict.ACCEPTED)


def static_case(group: Group) -> Case | None:
    """The group's static test case as one that can be planned like the others; its input is nothing."""
    if group.static is None:
        return None
    return Case(name=static_case_name(group), input=File(origin=Path(os.devnull)), answer=None)
