"""Where the views of a grading go is checked before anything is graded; what they tell of odd submissions."""

import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from harness.cli.merge import command as merge
from harness.errors import UsageError
from harness.grade.shards import merged
from harness.report.gradebooks import spreadsheet
from harness.report.grades import details, grade_table
from harness.report.junit import junit
from harness.report.page import html
from harness.results.as_json import report_as_json
from harness.results.model import (
    Asked,
    CaseResult,
    Feedback,
    GroupResult,
    Machine,
    Report,
    Shard,
    SubmissionResult,
)
from harness.results.reading import read_reports
from harness.results.verdict import Verdict
from harness.rules.outcomes import with_outcome
from harness.sandbox.facts import Isolation, Tier


@pytest.mark.parametrize("view", ["json", "junitxml", "html", "markdown", "gradescope"])
def test_a_view_that_cannot_be_written_is_said_before_anything_is_graded(view: str, tmp_path: Path) -> None:
    target = tmp_path / "missing" / "view"
    with pytest.raises(UsageError, match="no such folder"):
        merge.main([f"--{view}", str(target), "none.json"], standalone_mode=False)
    assert not target.parent.exists()


def graded(submission: SubmissionResult, asked: Asked | None = None) -> Report:
    return Report(
        problem="double",
        title="Double",
        time_limit_s=1.0,
        memory_limit_mib=256,
        isolation=Isolation(tier=Tier.NAMESPACED),
        machine=Machine(
            system="", processor="", cores=1, python="", calibration_integer_s=None, calibration_memory_s=None
        ),
        submissions=(with_outcome(submission, asked),),
        asked=asked,
    )


def test_what_does_not_compile_is_a_failed_test_unless_that_is_what_is_asked() -> None:
    broken = SubmissionResult(
        path="a.c", language=None, verdict=Verdict.COMPILE_ERROR, message="a.c:1: no such ]]> thing"
    )
    [suite] = ElementTree.fromstring(junit([graded(broken)]))
    assert suite.get("failures") == "1"
    assert "no such ]]> thing" in (suite.findtext("testcase/failure") or "")
    [suite] = ElementTree.fromstring(junit([graded(broken, Asked(require=(Verdict.COMPILE_ERROR,)))]))
    assert suite.get("failures") == "0"


@pytest.mark.parametrize(
    ("shard", "message"),
    [
        (Shard(index=2, count=3), "shard 1/3, 3/3 is missing"),
        (Shard(index=2, count=10**9), "shard 1/1000000000, 3/1000000000, .* and 999,999,989 more is missing"),
        (Shard(index=4, count=3), "there is no shard 4/3"),
        (Shard(index=1, count=-1), "there is no shard 1/-1"),
    ],
)
def test_a_shard_that_is_missing_is_named_however_many_a_file_claims(shard: Shard, message: str) -> None:
    one = SubmissionResult(path="a.c", language="c", verdict=Verdict.ACCEPTED)
    with pytest.raises(UsageError, match=message):
        merged([replace(graded(one), shard=shard)])


def test_a_store_and_a_json_file_of_one_grading_are_not_merged_and_the_fix_is_said() -> None:
    one = graded(SubmissionResult(path="a.c", language="c", verdict=Verdict.ACCEPTED))
    stored = replace(one, shard=Shard(index=1, count=2))
    written = replace(one, shard=Shard(index=2, count=2), feedback=Feedback.SAMPLES)
    with pytest.raises(UsageError, match=r"differ in `feedback`: give stores only, .* or JSON of one level"):
        merged([stored, written])


def test_half_a_character_in_a_result_file_is_none_that_an_output_must_hold() -> None:
    one = SubmissionResult(path="a.c", language="c", verdict=Verdict.ACCEPTED)
    report = replace(graded(one), title="x\ud800y \U0001f600")
    [read] = read_reports(json.dumps(report_as_json(report)), "a.json")
    assert read.title == "x?y \U0001f600"


def test_junit_tells_points_of_the_whole_and_of_each_group() -> None:
    half = SubmissionResult(
        path="a.c",
        language="c",
        verdict=Verdict.WRONG_ANSWER,
        score=20.0,
        cases=(CaseResult(name="sample/1", group="sample", verdict=Verdict.ACCEPTED),),
        groups=(GroupResult(name="secret/group1", verdict=Verdict.ACCEPTED, score=20.0, max_score=20.0),),
    )
    [suite] = ElementTree.fromstring(junit([graded(half)]))
    assert {one.get("name"): one.get("value") for one in suite.iter("property")} == {
        "verdict": "WA",
        "score": "20",
        "score of secret/group1": "20",
    }


def test_page_has_the_points_of_each_group_and_says_what_is_skipped() -> None:
    case = CaseResult(name="secret/a/1", group="secret/a", verdict=Verdict.ACCEPTED)
    groups = (
        GroupResult(name="secret", verdict=Verdict.WRONG_ANSWER, score=31.0, max_score=100.0),
        GroupResult(name="secret/a", verdict=Verdict.ACCEPTED, score=31.0, max_score=40.0),
        GroupResult(name="secret/b", verdict=Verdict.SKIPPED, score=0.0, max_score=60.0),
    )
    one = SubmissionResult(path="a.c", language="c", verdict=Verdict.WRONG_ANSWER, score=31.0, groups=groups)
    page = html([graded(replace(one, cases=(case,)))])
    assert '>a <span class="soft">of 40</span></th>' in page
    assert re.findall(r'<td class="number">(\d+)</td>', page)[:3] == ["31", "31", "0"]
    assert "SK:" not in page
    skipped = CaseResult(name="secret/b/1", group="secret/b", verdict=Verdict.SKIPPED)
    assert "SK: not run" in html([graded(replace(one, cases=(case, skipped)))])
    assert str(grade_table(graded(one)).caption).startswith("SK: not run")


def test_a_very_long_name_is_cut_in_the_middle_of_the_table_only() -> None:
    long = SubmissionResult(path=f"ada/{'x' * 240}.cpp", language="cpp", verdict=Verdict.ACCEPTED)
    [name] = grade_table(graded(long)).columns[0].cells
    assert str(name).startswith("ada/xxx") and str(name).endswith("xxx.cpp") and "x … x" in str(name)
    assert len(str(name)) < 90
    assert long.path in spreadsheet([graded(long)])


def test_the_table_quotes_some_lines_of_a_compiler() -> None:
    said = "\n".join(f"In file included from a.c:{line}," for line in range(40))
    one = SubmissionResult(path="a.c", language="c", verdict=Verdict.COMPILE_ERROR, message=said)
    [text] = details(graded(one))
    assert text.startswith("a.c: compile error\nIn file included from a.c:0,\n")
    assert text.count("\n") < 20 and "more lines" in text and text.endswith("a.c:39,")


@pytest.mark.parametrize(
    ("feedback", "group", "told"),
    [
        (Feedback.SAMPLES, "secret", True),
        (Feedback.SAMPLES, "sample", False),
        (Feedback.FULL, "secret", False),
        (None, "secret", False),
    ],
)
def test_numbers_in_the_place_of_names_are_explained(feedback: Feedback | None, group: str, *, told: bool) -> None:
    case = CaseResult(name=f"{group}/7", group=group, verdict=Verdict.WRONG_ANSWER)
    one = SubmissionResult(path="a.c", language="c", verdict=Verdict.WRONG_ANSWER, cases=(case,))
    lines = list(details(replace(graded(one), feedback=feedback)))
    assert lines[0] == f"a.c: wrong answer on {group}/7"
    assert any("go by number" in line for line in lines) is told
