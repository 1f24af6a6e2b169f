"""Compare a submission's results with the package's expectations (2025-09, "submissions.yaml")."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from harness.package.globs import matches, names
from harness.package.model import Rule
from harness.results.model import CaseResult, Demand, Expected, GroupResult, Unmet
from harness.results.verdict import PACKAGE_FORMAT_CODE, Verdict
from harness.rules.score import nearest, points_text


def demands_of(rules: Iterable[Rule]) -> list[Rule]:
    """Return the demands of the rules that a single case can meet, each as a rule of its own: `required`, `message`."""
    demands = []
    for rule in rules:
        alone = Rule(pattern=rule.pattern, cases=rule.cases)
        demands += [replace(alone, required=rule.required)] if rule.required is not None else []
        demands += [replace(alone, message=rule.message)] if rule.message is not None else []
    return demands


def in_scope(rule: Rule, case_name: str) -> bool:
    """Return whether a rule is about the case."""
    return rule.cases is None or matches(rule.cases, case_name)


def meets(demand: Rule, case: CaseResult) -> bool:
    """Return whether the result meets a demand of `demands_of`."""
    if not case.judged or not in_scope(demand, case.name):
        return False
    if demand.required is not None:
        return _code(case) in demand.required
    return demand.message is not None and demand.message in case.message


def check_rules(
    rules: Sequence[Rule],
    cases: Sequence[CaseResult],
    groups: Sequence[GroupResult],
    score: float | None,
    verdict: Verdict | None = None,
    *,
    graded: bool = False,
) -> Expected:
    """Compare the results with all rules. verdict: of the whole submission, if any.

    graded: the package has graders: then rules without `cases` are about that verdict, not about those of the cases.
    """
    own = verdict if graded else None
    if verdict is Verdict.COMPILE_ERROR:
        return _uncompiled(rules)
    unmet = [item for rule in rules for item in _unmet(rule, _cases_of(rule, cases, own), groups, score)]
    unmet += [item for rule in rules for item in _verdict_unmet(rule, groups, score, verdict)]
    whole = [rule for rule in rules if rule.cases is None]
    permitted = [rule.permitted for rule in whole if rule.permitted is not None]
    required = [rule.required for rule in whole if rule.required is not None]
    return Expected(
        permitted=tuple(sorted(frozenset.intersection(*permitted))) if permitted else (),
        required=tuple(sorted(frozenset.union(*required))) if required else (),
        unmet=tuple(unmet),
        nothing=not rules,
    )


def _uncompiled(rules: Sequence[Rule]) -> Expected:
    """Return the result for a submission that does not compile: only rules that ask for CE are met."""
    if any(Verdict.COMPILE_ERROR in (rule.verdicts or ()) for rule in rules):
        return Expected(permitted=(), required=(), unmet=())
    whole = next((rule for rule in rules if rule.cases is None), Rule(pattern="*"))
    return Expected(
        permitted=(),
        required=(),
        unmet=(_unmet_by(whole, Demand.VERDICT, "a program that compiles", Verdict.COMPILE_ERROR),),
    )


def _cases_of(rule: Rule, cases: Sequence[CaseResult], own: Verdict | None) -> Sequence[CaseResult]:
    """Return what a rule is about: cases, or the submission as a whole, as a case without a name."""
    if own is None or rule.cases is not None:
        return cases
    message = "\n".join(case.message for case in cases)
    return [CaseResult(name="", group="", verdict=own, message=message)]


def _unmet(
    rule: Rule, cases: Sequence[CaseResult], groups: Sequence[GroupResult], score: float | None
) -> Iterable[Unmet]:
    """Yield the demands of a rule on cases and score that are not met."""
    judged = [case for case in _in_scope(rule, cases) if case.judged]
    if rule.permitted is not None:
        stray = next((case for case in judged if _code(case) not in rule.permitted), None)
        if stray is not None:
            unmet = _unmet_by(rule, Demand.PERMITTED, " or ".join(sorted(rule.permitted)), stray.verdict)
            yield replace(unmet, case=stray.name)
    if rule.required is not None and not rule.required & {_code(case) for case in judged}:
        verdicts = ", ".join(sorted({case.verdict for case in judged})) or "nothing run"
        yield _unmet_by(rule, Demand.REQUIRED, " or ".join(sorted(rule.required)), verdicts)
    if rule.message is not None and not any(rule.message in case.message for case in judged):
        yield _unmet_by(rule, Demand.MESSAGE, repr(rule.message), "in no judge message")
    if rule.score is not None:
        yield from _score_unmet(rule, rule.score, groups, score)


def _verdict_unmet(
    rule: Rule, groups: Sequence[GroupResult], score: float | None, verdict: Verdict | None
) -> Iterable[Unmet]:
    """Yield the demands of a rule on the verdict of the whole submission that are not met."""
    if verdict is None:
        return
    if rule.verdicts is not None and PACKAGE_FORMAT_CODE.get(verdict, verdict) not in rule.verdicts:
        yield _unmet_by(rule, Demand.VERDICT, " or ".join(sorted(rule.verdicts)), verdict)
    most = next((group.max_score for group in groups if group.name == "secret"), None)
    if rule.below_maximum and most is not None and score is not None and score >= most:
        yield _unmet_by(rule, Demand.SCORE, f"less than {points_text(most)}", points_text(score))


def _score_unmet(
    rule: Rule, wanted: tuple[float, float], groups: Sequence[GroupResult], score: float | None
) -> Iterable[Unmet]:
    low, high = wanted
    text = points_text(low) if low == high else f"{points_text(low)} to {points_text(high)}"
    scores = {"": score} if rule.cases is None else {g.name: g.score for g in groups if names(rule.cases, g.name)}
    for name, points in scores.items():
        if points is None or not low <= nearest(points, low, high) <= high:
            yield _unmet_by(
                rule, Demand.SCORE, text, f"{name} {'no score' if points is None else points_text(points)}".strip()
            )


def _unmet_by(rule: Rule, demand: Demand, wanted: str, found: str) -> Unmet:
    return Unmet(rule=rule.pattern, scope=rule.cases or "", demand=demand, wanted=wanted, found=found)


def _in_scope(rule: Rule, cases: Sequence[CaseResult]) -> list[CaseResult]:
    return [case for case in cases if in_scope(rule, case.name)]


def _code(case: CaseResult) -> str | None:
    return PACKAGE_FORMAT_CODE.get(case.verdict)
