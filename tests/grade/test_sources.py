"""Sources and what was passed over, from the folder to the page: what is cut is said, judge files stay out."""

from dataclasses import replace
from pathlib import Path

import pytest
from test_report_files import graded

from conftest import DOUBLE
from harness.build.languages import load_table
from harness.grade import session as module
from harness.grade.collect import Collector
from harness.grade.feedback import limited
from harness.grade.session import MOST_FILES, SUBMISSION_BYTES, sources
from harness.grade.shards import merged
from harness.judge.submission_result import Entry
from harness.package import Program
from harness.package.files import File
from harness.package.load import load
from harness.report.page import html
from harness.results.as_json import reports_as_json
from harness.results.model import Feedback, Report, Shard, SourceFile, SubmissionResult, SubmissionSource
from harness.results.reading import read_reports
from harness.results.verdict import Verdict

NASTY = "</pre><script>alert(1)</script>\x1b[31m\u202e{{ 7*7 }}\r\n"


def sources_of(*paths: Path, root: Path = DOUBLE) -> dict[str, SubmissionSource]:
    entries = Collector(package=load(DOUBLE), languages=load_table(())).collect(paths).entries
    return {source.submission: source for source in sources(entries, root)}


def report(*texts: SubmissionSource, passed_over: tuple[str, ...] = ()) -> Report:
    one = SubmissionResult(path="a.py", language="python3", verdict=Verdict.ACCEPTED)
    return replace(graded(one), sources=texts, passed_over=passed_over)


def test_a_source_is_cut_at_64_kib_over_all_its_files_and_says_how_much_is_missing(tmp_path: Path) -> None:
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "a.py").write_bytes(b"\xff" + b"#" * (SUBMISSION_BYTES - 11))
    (tmp_path / "ann" / "b.py").write_bytes(b"0123456789abc")
    (tmp_path / "ann" / "c.py").write_bytes(b"1")
    (tmp_path / "bob").mkdir()
    for number in range(MOST_FILES + 5):
        (tmp_path / "bob" / f"{number}.py").touch()
    found = sources_of(tmp_path)
    first, second = found["ann"].files
    assert (first.text[:5], first.bytes_left_out) == (r"\xff#", 0)
    assert (second.text, second.bytes_left_out, found["ann"].files_left_out) == ("0123456789", 3, 1)
    assert (len(found["bob"].files), found["bob"].files_left_out) == (MOST_FILES, 5)
    page = html([report(replace(found["ann"], submission="a.py"))])
    assert "cut: 3 more bytes" in page and "cut: 1 more files" in page


def test_where_the_report_is_full_the_files_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REPORT_BYTES", 3)
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("1234")
    found = sources_of(tmp_path)
    assert [(file.text, file.bytes_left_out) for file in found["a.py"].files] == [("123", 1)]
    assert found["b.py"] == SubmissionSource(submission="b.py", files=(), files_left_out=1)


def test_files_of_the_package_and_the_reason_of_a_refusal_are_no_source(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text("print(1)")
    (tmp_path / "out.py").symlink_to(DOUBLE / "problem.yaml")
    own = DOUBLE / "submissions"
    assert list(sources_of(tmp_path, own / "wrong_answer", own / "accepted")) == ["good.py"]
    assert not sources_of(tmp_path, root=tmp_path)
    kept = Program(path="a.py", files={"a.py": File(origin=tmp_path / "a.py", content=b"1")})
    assert list(sources([Entry(program=kept)], DOUBLE))
    assert not list(sources([Entry(program=kept, rules=())], DOUBLE))  # the package's own, wherever it lies


def test_a_source_is_text_on_the_page_at_every_level_whatever_it_holds() -> None:
    text = SubmissionSource(submission="a.py", files=(SourceFile(name=NASTY, text="\n" + NASTY + "x" * 50_000),))
    for level in Feedback:
        page = html([limited(report(text, passed_over=(NASTY,)), level)])
        assert page.count("<script") == 1 and "x" * 50_000 in page
        assert "\x1b" not in page and "\u202e" not in page
        assert (
            '<pre tabindex="0">\n\n&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;\\x1b[31m\\u202e{{ 7*7 }}\n'
            in page
        )
    flood = replace(text, files=(SourceFile(name="a.py", text="x" * 10_000_000),))
    assert len(html([report(flood)])) < 400_000
    assert "Source" not in html([report()])


def test_a_merge_of_shards_keeps_sources_and_each_file_that_was_passed_over_once() -> None:
    text = SubmissionSource(submission="a.py", files=(SourceFile(name="a.py", text="1"),))
    both = [
        replace(report(text, passed_over=("subs/notes.md",)), shard=Shard(index=index, count=2))
        for index in (1, 2)
    ]
    both[1] = replace(both[1], sources=())
    [read] = merged([shard for part in both for shard in read_reports(reports_as_json([part]), "r.json")])
    assert (read.passed_over, read.sources) == (("subs/notes.md",), (text,))


def test_the_page_names_200_of_what_was_passed_over_and_counts_the_rest() -> None:
    page = html([report(passed_over=tuple(f"subs/{number}.md" for number in range(201)))])
    assert "subs/199.md" in page and "subs/200.md" not in page and "… and 1 more" in page
