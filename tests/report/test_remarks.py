"""What stands under the tables of a judging."""

import pytest

from harness.report import tables
from harness.results import Demand, Expected, Machine, Report, SubmissionResult, Unmet
from harness.sandbox import Isolation, Tier
from harness.verdict import Verdict


def remarks_of(verdict: Verdict, language: str) -> str:
    unmet = Unmet(rule="accepted", scope="", demand=Demand.PERMITTED, wanted="AC", found=verdict.value)
    submission = SubmissionResult(
        path="accepted/slow.py",
        language=language,
        verdict=verdict,
        expected=Expected(permitted=("AC",), required=(), unmet=(unmet,)),
    )
    report = Report(
        problem="double",
        title="Double",
        time_limit_s=1.0,
        memory_limit_mib=256,
        isolation=Isolation(tier=Tier.NAMESPACED),
        machine=Machine(
            system="", processor="", cores=2, python="3", calibration_integer_s=None, calibration_memory_s=None
        ),
        submissions=(submission,),
    )
    return "\n".join(line.plain for line in tables.remarks(report))


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
