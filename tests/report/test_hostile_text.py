"""No format lets the text of a submission out of the place where it belongs."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hostile import CASE, LINE, report, submission
from markdown_it import MarkdownIt

from harness.cli.ci_output import SUMMARY_BYTES
from harness.errors import UsageError
from harness.report import diagnostics
from harness.report.gradebooks import check_gradescope, gradescope, spreadsheet
from harness.report.junit import junit
from harness.report.markdown import markdown
from harness.report.page import html
from harness.results.model import Asked, GroupResult, Outcome
from harness.results.verdict import Verdict

# What the JUnit schema of Jenkins and GitLab allows: children and attributes of each element.
JUNIT = {
    "testsuites": ({"testsuite"}, set()),
    "testsuite": ({"properties", "testcase"}, {"name", "tests", "failures", "errors", "skipped", "time"}),
    "properties": ({"property"}, set()),
    "property": (set(), {"name", "value"}),
    "testcase": ({"failure", "error", "skipped"}, {"classname", "name", "time"}),
    "failure": (set(), {"type", "message"}),
    "error": (set(), {"type", "message"}),
    "skipped": (set(), {"message"}),
}


def test_junit_is_valid_xml_of_the_known_elements_whatever_was_printed() -> None:
    root = ET.fromstring(junit([report()]).encode())
    for element in root.iter():
        children, attributes = JUNIT[element.tag]
        assert {child.tag for child in element} <= children
        assert set(element.attrib) <= attributes
    assert "]]></failure>" in (root.find(".//failure").text or "")  # type: ignore[union-attr]
    suite = root.find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("1", "1", "0")


def test_junit_counts_what_it_holds_and_names_judge_errors_and_skips() -> None:
    cases = [
        replace(CASE, name=f"secret/{code}", verdict=Verdict(code), message="")
        for code in ("AC", "SK", "JE", "TLE")
    ]
    one = submission("a.cpp", cases=tuple(cases), verdict=Verdict.JUDGE_ERROR, outcome=Outcome.COULD_NOT_JUDGE)
    suite = ET.fromstring(junit([report(one)])).find("testsuite")
    assert suite is not None
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        assert int(suite.get(attribute, "")) == len(suite.findall(f".//{tag}"))
    assert [len(suite.findall(f".//{tag}")) for tag in ("failure", "error", "skipped")] == [1, 2, 1]


def test_csv_has_a_line_a_submission_and_no_formula() -> None:
    named = [submission(name) for name in ("=1+1.py", "+a.py", 'a,b\n"c.py', "plain.py")]
    header, *rows = csv.reader(io.StringIO(spreadsheet([report(*named)])))
    assert len(rows) == 4 and {len(row) for row in rows} == {len(header)}
    assert [row[1] for row in rows] == ["'=1+1.py", "'+a.py", 'a,b\\n"c.py', "plain.py"]
    assert {row[header.index("verdict")] for row in rows} == {str(submission("x").verdict)}


@pytest.mark.parametrize("view", [junit, markdown, html], ids=lambda view: view.__name__)
def test_ten_megabytes_on_one_line_make_no_large_report(view) -> None:  # type: ignore[no-untyped-def]
    line = replace(LINE, text="z" * 1_000_000)
    assert CASE.difference is not None
    row = replace(CASE.difference.rows[0], expected=line, printed=line)
    flood = replace(
        CASE,
        message="x" * 10_000_000,
        output="y" * 10_000_000,
        difference=replace(CASE.difference, rows=(row,) * 1000),
        stderr="w" * 10_000_000,
    )
    assert len(view([report(submission("a.cpp", cases=(flood,), message="z" * 10_000_000))])) < 200_000


def test_github_commands_are_ours_alone() -> None:
    lines = diagnostics.annotations([report()], {})
    assert all("\n" not in line and "\r" not in line for line in lines)
    assert [line.split("::")[1].split()[0] for line in lines] == ["error", "error", "notice"]
    assert "file=a%2Cb%3Ac%25<b>|`@x`%0A%3A%3Aerror%3A%3A.py,title=double%3A Wrong answer::" in lines[0]


def test_github_takes_ten_annotations_and_is_given_no_more() -> None:
    many = [submission(f"{number}.cpp") for number in range(50)]
    lines = diagnostics.annotations([report(*many)], {})
    assert len([line for line in lines if line.startswith("::error")]) == 10
    assert "and 41 more" in lines[9]


def test_github_gets_a_warning_for_each_failing_submission_where_nothing_is_asked() -> None:
    right = submission("right.cpp", verdict=Verdict.ACCEPTED, outcome=Outcome.AS_ASKED)
    many = [submission(f"{number}.cpp", outcome=Outcome.AS_ASKED) for number in range(14)]
    lines = diagnostics.annotations([report(right, *many)], {})
    assert [line.split("::")[1].split()[0] for line in lines] == ["warning"] * 10 + ["notice"]
    assert "and 5 more" in lines[9]
    asked = replace(report(right, *many), asked=Asked(require=(Verdict.WRONG_ANSWER,)))
    assert len(diagnostics.annotations([asked], {})) == 1


def test_github_is_told_of_the_worst_first() -> None:
    accepted = replace(CASE, verdict=Verdict.ACCEPTED)
    half = submission("half.cpp", cases=(CASE, accepted))
    points = submission("points.cpp", score=30.0)
    broken = submission("broken.cpp", verdict=Verdict.JUDGE_ERROR, outcome=Outcome.COULD_NOT_JUDGE)
    lines = diagnostics.annotations([report(points, half, submission("none.cpp"), broken)], {})
    assert [line.split("file=")[1].split(",")[0] for line in lines[:-1]] == [
        "broken.cpp",
        "none.cpp",
        "half.cpp",
        "points.cpp",
    ]


def test_step_summary_stays_under_its_size_limit() -> None:
    cases = tuple(replace(CASE, name=f"sample/{number}", output="é" * 4000) for number in range(3))
    text = markdown([report(*(submission(f"{number}.cpp", cases=cases) for number in range(3000)))], SUMMARY_BYTES)
    assert len(text.encode()) <= 1024 * 1024
    assert "left out: no room" in text or "… cut" in text


def test_markdown_shows_hostile_text_as_text() -> None:
    page = MarkdownIt("commonmark", {"html": True}).enable("table").render(markdown([report()]))
    outside = re.sub(r"<code[^>]*>.*?</code>", "", page, flags=re.DOTALL)
    for tag in ("<script", "<img", "<b>", "<h1"):
        assert tag not in page
    assert "::error" not in "\n".join(line for line in outside.splitlines() if line.startswith("::"))
    rows = re.findall(r"<tr>.*?</tr>", page, flags=re.DOTALL)
    assert {row.count("<td") + row.count("<th") for row in rows} == {7}  # no `|` of theirs makes a cell
    assert "@everyone" not in outside


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def test_page_holds_no_tag_and_no_handler_of_theirs_and_loads_nothing() -> None:
    text = html([report()])
    tags = _Tags()
    tags.feed(text)
    assert [tag for tag, _ in tags.seen].count("script") == 1
    assert not {"img", "b", "i", "link", "iframe"} & {tag for tag, _ in tags.seen}
    for _, attributes in tags.seen:
        assert not [name for name in attributes if name.startswith("on") or name == "src"]
        assert (attributes.get("href") or "#").startswith("#")
    assert "\x1b" not in text
    assert "{{ 7*7 }}" in text


def test_gradescope_holds_the_points_of_the_groups() -> None:
    groups = (
        GroupResult(name="sample", verdict=Verdict.WRONG_ANSWER),
        GroupResult(name="secret", verdict=Verdict.WRONG_ANSWER, score=30.0, max_score=100.0),
        GroupResult(name="secret/g1", verdict=Verdict.ACCEPTED, score=30.0, max_score=30.0),
        GroupResult(name="secret/g2", verdict=Verdict.WRONG_ANSWER, score=0.0, max_score=70.0),
    )
    values = json.loads(json.dumps(gradescope(report(submission("a.cpp", score=30.0, groups=groups)))))
    tests = [(test["name"], test.get("score"), test.get("max_score")) for test in values["tests"][1:]]
    assert (values["score"], tests) == (30.0, [("secret/g1", 30.0, 30.0), ("secret/g2", 0.0, 70.0)])
    assert values["output_format"] == "text"
    assert all(ord(char) >= 32 or char in "\n\t" for test in values["tests"] for char in test["output"])


def test_gradescope_of_several_submissions_is_refused() -> None:
    with pytest.raises(UsageError, match="one submission at a time"):
        check_gradescope(1, 2)
