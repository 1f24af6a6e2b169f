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


def failed(
    verdict: Verdict, *cases: CaseResult, language: str = "python3", path: str = "accepted/a.py"
) -> SubmissionResult:
    """A submission that must be accepted, and is not."""
    unmet = Unmet(rule="accepted", scope="", demand=Demand.PERMITTED, wanted="AC", found=verdict.value)
    return SubmissionResult(
        path=path,
        language=language,
        verdict=verdict,
        cases=cases,
        expected=Expected(permitted=("AC",), required=(), unmet=(unmet,)),
    )


def case(verdict: Verdict, message: str = "", group: str = "sample") -> CaseResult:
    return CaseResult(name=f"{group}/1", group=group, verdict=verdict, message=message)


def remarks_of(submission: SubmissionResult) -> str:
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
    assert ("PyPy" in remarks_of(failed(verdict, language=language))) == told


def test_missing_module_is_told_once_and_only_of_what_must_be_accepted() -> None:
    crash = case(Verdict.RUN_TIME_ERROR, "Traceback …\nModuleNotFoundError: No module named 'numpy.linalg'")
    crash = replace(crash, reason=Reason.EXIT_CODE, exit_code=1)
    one = failed(Verdict.RUN_TIME_ERROR, crash)
    other = replace(one, path="rejected/b.py", expected=Expected(permitted=("RTE",), required=(), unmet=()))
    assert list(python_hints.hints([other], lambda: False)) == []
    [hint] = python_hints.hints([one, one, other], lambda: False)
    assert "the module `numpy` is not there" in hint
    assert list(python_hints.hints([replace(other, expected=None)], lambda: False)) == [hint]
    many = tuple(
        replace(crash, message=f"ModuleNotFoundError: No module named 'm{number}'") for number in range(99)
    )
    assert len(list(python_hints.hints([replace(other, expected=None, cases=many)], lambda: False))) == 3


def test_what_became_of_a_submission_that_is_not_as_expected_is_told_where_others_stand_beside_it() -> None:
    text = remarks_of(failed(Verdict.WRONG_ANSWER, case(Verdict.WRONG_ANSWER, "no such road"), language="cpp"))
    assert "accepted/a.py: Wrong answer on sample/1: no such road" in text


@pytest.mark.parametrize(
    ("case_group", "groups", "verdict", "shown"),
    [
        ("secret/1", ["sample", "secret", "secret/1"], Verdict.WRONG_ANSWER, ["sample", "secret/1"]),
        ("secret", ["sample", "secret", "secret/1"], Verdict.WRONG_ANSWER, ["sample", "secret", "secret/1"]),
        ("sample", ["sample", "secret"], Verdict.ACCEPTED, ["sample"]),
    ],
    ids=["all_in_groups", "some_beside_groups", "an_accepted_group_without_a_case"],
)
def test_groups_are_shown_where_cases_lie_directly_in_them(
    case_group: str, groups: list[str], verdict: Verdict, shown: list[str]
) -> None:
    results = tuple(GroupResult(name=name, verdict=verdict) for name in groups)
    one = failed(Verdict.WRONG_ANSWER, case(Verdict.WRONG_ANSWER, group=case_group))
    assert tables.shown_groups([replace(one, groups=results)]) == shown


@pytest.mark.parametrize(
    ("is_there", "fix"),
    [(True, "pypy3 is there; write in ~/.config/harness/harness.toml"), (False, "apt install pypy3")],
)
def test_a_python_that_is_too_slow_is_told_what_is_missing(is_there: bool, fix: str) -> None:
    [hint] = python_hints.hints([failed(Verdict.TIME_LIMIT_EXCEEDED)], lambda: is_there)
    assert fix in hint
    assert ("apt install" in hint) is not is_there
