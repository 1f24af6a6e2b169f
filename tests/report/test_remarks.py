"""What stands under the tables of a judging."""

from dataclasses import replace

import pytest
from hostile import report

from harness.report import tables
from harness.results import python_hints
from harness.results.model import (
    CaseResult,
    Demand,
    Expected,
    GroupResult,
    SubmissionResult,
    Unmet,
)
from harness.results.verdict import Reason, Verdict


def remarks_of(verdict: Verdict, language: str, message: str = "") -> str:
    unmet = Unmet(rule="accepted", scope="", demand=Demand.PERMITTED, wanted="AC", found=verdict.value)
    submission = SubmissionResult(
        path="accepted/slow.py",
        language=language,
        verdict=verdict,
        cases=(CaseResult(name="sample/1", group="sample", verdict=verdict, message=message),) if message else (),
        expected=Expected(permitted=("AC",), required=(), unmet=(unmet,)),
    )
    remarks = tables.remarks(report(submission, replace(submission, path="accepted/other.py")))
    return "\n".join(line.plain for line in remarks)


@pytest.mark.parametrize(
    ("verdict", "language", "told"),
    [
        (Verdict.TIME_LIMIT_EXCEEDED, "python3", True),
        (Verdict.WRONG_ANSWER, "python3", False),
        (Verdict.TIME_LIMIT_EXCEEDED, "cpp", False),
    ],
)
def test_slow_accepted_python_is_told_of_pypy(verdict: Verdict, language: str, told: bool) -> None:
    assert ("PyPy" in remarks_of(verdict, language)) == told


def test_missing_module_is_told_once_and_only_of_what_must_be_accepted() -> None:
    case = CaseResult(
        name="sample/1",
        group="sample",
        verdict=Verdict.RUN_TIME_ERROR,
        reason=Reason.EXIT_CODE,
        exit_code=1,
        message="Traceback …\nModuleNotFoundError: No module named 'numpy.linalg'",
    )
    unmet = Unmet(rule="accepted", scope="", demand=Demand.PERMITTED, wanted="AC", found="RTE on the submission")
    failed = SubmissionResult(
        path="accepted/a.py",
        language="python3",
        verdict=Verdict.RUN_TIME_ERROR,
        cases=(case,),
        expected=Expected(permitted=("AC",), required=(), unmet=(unmet,)),
    )
    other = replace(failed, path="rejected/b.py", expected=Expected(permitted=("RTE",), required=(), unmet=()))
    assert list(python_hints.hints([other], lambda: False)) == []
    [hint] = python_hints.hints([failed, failed, other], lambda: False)
    assert "the module `numpy` is not there" in hint
    assert list(python_hints.hints([replace(other, expected=None)], lambda: False)) == [hint]
    many = tuple(
        replace(case, message=f"ModuleNotFoundError: No module named 'm{number}'") for number in range(99)
    )
    assert len(list(python_hints.hints([replace(other, expected=None, cases=many)], lambda: False))) == 3


def test_what_became_of_a_submission_that_is_not_as_expected_is_told_where_others_stand_beside_it() -> None:
    text = remarks_of(Verdict.WRONG_ANSWER, "cpp", "no such road")
    assert "accepted/slow.py: Wrong answer on sample/1: no such road" in text


@pytest.mark.parametrize(
    ("case_group", "shown"),
    [("secret/1", ["sample", "secret/1"]), ("secret", ["sample", "secret", "secret/1"])],
    ids=["all_in_groups", "some_beside_groups"],
)
def test_the_outermost_group_is_shown_where_cases_lie_directly_in_it(case_group: str, shown: list[str]) -> None:
    case = CaseResult(name=f"{case_group}/x", group=case_group, verdict=Verdict.WRONG_ANSWER)
    groups = [GroupResult(name=name, verdict=Verdict.WRONG_ANSWER) for name in ("sample", "secret", "secret/1")]
    one = SubmissionResult(
        path="a.py", language="python3", verdict=Verdict.WRONG_ANSWER, cases=(case,), groups=tuple(groups)
    )
    assert tables.shown_groups([one]) == shown


def test_a_group_without_a_case_is_not_shown_as_accepted() -> None:
    case = CaseResult(name="sample/1", group="sample", verdict=Verdict.RUN_TIME_ERROR)
    groups = (
        GroupResult(name="sample", verdict=Verdict.RUN_TIME_ERROR),
        GroupResult(name="secret", verdict=Verdict.ACCEPTED),
    )
    one = SubmissionResult(
        path="a.py", language="python3", verdict=Verdict.RUN_TIME_ERROR, cases=(case,), groups=groups
    )
    assert tables.shown_groups([one]) == ["sample"]


@pytest.mark.parametrize(
    ("is_there", "fix"),
    [(True, "pypy3 is there; write in ~/.config/harness/harness.toml"), (False, "apt install pypy3")],
)
def test_a_python_that_is_too_slow_is_told_what_is_missing(is_there: bool, fix: str) -> None:
    unmet = Unmet(rule="accepted", scope="", demand=Demand.PERMITTED, wanted="AC", found="TLE on the submission")
    slow = SubmissionResult(
        path="accepted/a.py",
        language="python3",
        verdict=Verdict.TIME_LIMIT_EXCEEDED,
        expected=Expected(permitted=("AC",), required=(), unmet=(unmet,)),
    )
    [hint] = python_hints.hints([slow], lambda: is_there)
    assert fix in hint
    assert ("apt install" in hint) is not is_there
