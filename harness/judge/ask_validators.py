"""Asks the validators of a package about an output, a submitted answer or a source; gives points."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from harness.build import Executable
from harness.check import Judgement, Validation, compare_files, run_static_validator, run_validator
from harness.errors import JudgeError
from harness.host.warm_programs import Place
from harness.judge.case_setting import CaseOutcome, CaseTask, judge_error
from harness.judge.submitted_answers import Answers
from harness.results.verdict import Reason, Verdict
from harness.rules import group_tree
from harness.rules.score import case_score, static_case_name


def judge_statically(task: CaseTask, executable: Executable) -> CaseOutcome:
    """Judge the files of a submission without running it. Raises JudgeError without a static validator."""
    validator = task.check.static
    if validator is None:
        raise JudgeError(f"{task.group.name}: a static test case, but the package has no static validator")
    validation = Validation(
        validator=validator,
        limits=task.check.limits,
        input=Path(os.devnull),
        answer=Path(os.devnull),
        told=(executable.language.code, executable.entry),
        place=Place(directory=task.work / "feedback"),
        directory=executable.directory,
        arguments=task.group.static.arguments if task.group.static else (),
    )
    return CaseOutcome(run=None, judgement=run_static_validator(validation, task.sandbox, task.work))


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
        task.files.stdout.write_bytes(answer)
        with open_validations(task, None) as validations:
            judgement = judge_output(task, validations)
    return CaseOutcome(run=None, judgement=judgement)


def judge_output(task: CaseTask, validations: Sequence[Validation]) -> Judgement:
    """Judge the output in `task.files.stdout`: every validator must accept; without any, the default one.

    Raises JudgeError for a validator that fails.
    """
    output = task.files.stdout
    if not validations:
        comparison = task.check.comparisons[task.case.settings.output_validator_args]
        return compare_files(output, task.case.answer, comparison)
    judgements = []
    for validation in validations:
        judgements.append(run_validator(validation, output, task.sandbox, task.work))
        if judgements[-1].verdict is not Verdict.ACCEPTED:
            return judgements[-1]
    return next((judgement for judgement in judgements if judgement.score is not None), judgements[0])


@contextmanager
def open_validations(task: CaseTask, executable: Executable | None) -> Iterator[list[Validation]]:
    """Prepare a call of each validator on copies of the case: its user may not read the package's own files.

    executable: the submission, whose folder the validators work in. Feedback folders are removed at the end.
    """
    if task.check.validators:
        task.files.input.write_bytes(task.case.input.read())
        task.files.answer.write_bytes(task.case.answer.read() if task.case.answer is not None else b"")
    validations = [
        _validation(task, validator, number, executable) for number, validator in enumerate(task.check.validators)
    ]
    try:
        yield validations
    finally:
        for validation in validations:
            validation.feedback.remove()


def _validation(task: CaseTask, validator: Executable, number: int, executable: Executable | None) -> Validation:
    warm = task.setting.host.warm(validator, task.sandbox, task.check.limits)
    return Validation(
        validator=validator,
        limits=task.check.limits,
        input=task.files.input,
        answer=task.files.answer,
        place=warm.fresh_place() if warm is not None else Place(directory=task.work / f"feedback{number}"),
        directory=executable.directory if executable is not None else None,
        arguments=task.case.settings.output_validator_args,
        warm=warm,
        rules=task.check.rules,
        keep=True,
    )


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
