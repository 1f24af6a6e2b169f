"""Points: of a case, of a group, of a submission (2025-09, "Scoring")."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from harness.errors import JudgeError
from harness.package.model import Aggregation, Case, Group
from harness.results import CaseResult, GroupResult
from harness.verdict import Verdict

_TOLERANCE = 1e-9


def case_max_score(group: Group) -> float | None:
    """The most that one case of `group` can give; None: unbounded, or no score of its own (pass-fail)."""
    if group.max_score is None or group.aggregation is Aggregation.PASS_FAIL:
        return None
    return group.max_score if group.aggregation is Aggregation.MIN else group.max_score / max(len(group.cases), 1)


def case_score(group: Group, case: Case, *, score: float | None, multiplier: float | None) -> float | None:
    """The points of an accepted case. Raises JudgeError where the validator's score file breaks the rules."""
    if group.aggregation is Aggregation.PASS_FAIL:
        if score is not None or multiplier is not None:
            raise JudgeError(f"{case.name}: a score file in a pass-fail test group")
        return None
    highest = case_max_score(group)
    if highest is None:
        if score is None:
            raise JudgeError(f"{case.name}: the group is unbounded, so the output validator must write score.txt")
        return score
    if score is not None and not 0 <= score <= highest + _TOLERANCE:
        raise JudgeError(f"{case.name}: score.txt says {score:g}, must lie between 0 and {highest:g}")
    if multiplier is not None and not 0 <= multiplier <= 1:
        raise JudgeError(f"{case.name}: score_multiplier.txt says {multiplier:g}, must lie between 0 and 1")
    return score if score is not None else highest * (1 if multiplier is None else multiplier)


def group_results(group: Group, cases: Mapping[str, CaseResult]) -> tuple[GroupResult, ...]:
    """The results of `group` and of the groups in it, itself first."""
    inner = [result for child in group.groups for result in group_results(child, cases)]
    own = [cases[case.name] for case in group.cases]
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
        raise JudgeError(f"{group.name}: a score of {total:g} where the most is {group.max_score:g}")
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
