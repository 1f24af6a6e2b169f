"""Judges a submitted answer; gives points."""

from dataclasses import replace
from pathlib import Path

from harness.check import Judgement
from harness.errors import JudgeError
from harness.judge.case_setting import CaseOutcome, CaseTask, judge_error
from harness.judge.submitted_answers import Answers
from harness.results.verdict import Reason, Verdict
from harness.rules import group_tree
from harness.rules.score import case_score, static_case_name


def judge_answer(task: CaseTask, answers: Answers) -> CaseOutcome:
    """Judge the submitted answer to the case."""
    most_bytes = task.setting.limits.output_bytes
    answer = answers.answer(task.case, most_bytes)
    if answer is None:
        message = f"no answer was handed in: expected {answers.names_tried(task.case)}"
        judgement = Judgement(verdict=Verdict.WRONG_ANSWER, reason=Reason.VALIDATOR, message=message)
    elif len(answer) > most_bytes:
        judgement = Judgement(verdict=Verdict.OUTPUT_LIMIT_EXCEEDED, reason=Reason.OUTPUT)
    else:
        with task.check.open(task.sandbox, task.case, task.work) as check:
            judgement = check.judge_bytes(answer)
    return CaseOutcome(run=None, judgement=judgement)


def with_points(task: CaseTask, judgement: Judgement) -> Judgement:
    """Return the judgement with its points; a judge error that names the validator if its score breaks the rules."""
    if not task.setting.scoring and task.group.grading is not None:
        return judgement
    if task.group.grading is not None:
        points = group_tree.case_score(task.group.grading, judgement.verdict, judgement.score)
        return replace(judgement, score=points)
    if judgement.verdict is not Verdict.ACCEPTED or task.group.name == "sample":
        return judgement if judgement.score is None else replace(judgement, score=None)
    static = task.case.name == static_case_name(task.group)
    try:
        score = case_score(task.group, score=judgement.score, multiplier=judgement.score_multiplier, static=static)
    except JudgeError as error:
        return judge_error(JudgeError(f"{_validator_name(task, static=static)}: {error}"))
    return judgement if score == judgement.score else replace(judgement, score=score)


def _validator_name(task: CaseTask, *, static: bool) -> Path | str:
    validators = (task.check.static,) if static else task.check.validators
    validator = next((validator for validator in validators if validator is not None), None)
    return validator.program.origin if validator is not None else task.case.name
