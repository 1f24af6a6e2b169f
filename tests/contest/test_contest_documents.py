"""The booklet, the page and the slides of a contest hold every problem, and say what is missing."""

import io
import shutil
from pathlib import Path

import pytest
from pypdf import PdfReader

from command_line import harness, said
from conftest import DOUBLE, TESTS
from harness.contest.booklet import booklet_html, booklet_pdf, slides_pdf
from harness.contest.read import find_contest, read_contest
from harness.errors import UsageError

PROBLEMS = TESTS.parent / "problems"


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """A contest of two packages: one with a formula that Typst cannot set, one without a statement."""
    for name in ("one", "two"):
        shutil.copytree(DOUBLE, tmp_path / name)
    shutil.rmtree(tmp_path / "two" / "statement")
    statement = next((tmp_path / "one" / "statement").iterdir())
    statement.write_text(
        statement.read_text() + "\n\nA note[^1] and $a_1 < \\undefinedmacro{b}$.\n\n[^1]: below.\n"
    )
    (tmp_path / "contest.yaml").write_text("name: Two & <Three>\nduration: 2:00:00\n")
    (tmp_path / "problems.yaml").write_text("- {id: one, label: A, rgb: '#000080'}\n- {id: two, label: B}\n")
    return tmp_path


def text_of(pdf: bytes) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)


def test_the_booklet_has_a_title_page_and_every_statement(two: Path) -> None:
    booklet = booklet_pdf(read_contest(two))
    text = text_of(booklet.content)
    assert "Two & <Three>" in text
    assert "2:00 h" in text
    assert "navy" in text, "colours are named for those who print in black and white"
    assert "Sample 1" in text
    assert booklet.missing == ("B two: no statement",)


def test_a_statement_in_pdf_gives_its_pages(two: Path) -> None:
    pages = booklet_pdf(read_contest(two)).content
    (two / "two/statement").mkdir()
    (two / "two/statement/problem.en.pdf").write_bytes(pages)
    booklet = booklet_pdf(read_contest(two))
    assert not booklet.missing
    assert len(PdfReader(io.BytesIO(booklet.content)).pages) == 2 * len(PdfReader(io.BytesIO(pages)).pages)
    assert text_of(booklet.content).count("2:00 h") == 2


def test_each_problem_of_the_workspace_starts_a_page_of_its_own() -> None:
    contest = read_contest(find_contest(PROBLEMS))
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(booklet_pdf(contest, ["en"]).content)).pages]
    for problem in contest.problems:
        first = next(index for index, page in enumerate(pages[1:], 1) if f"{problem.label}:" in page[:60])
        assert f"{problem.label}:" not in pages[first - 1][:60]
        assert "Time limit" in pages[first]


def test_a_language_that_no_problem_has_is_refused(two: Path) -> None:
    with pytest.raises(UsageError, match="no problem has a statement in xx"):
        booklet_pdf(read_contest(two), ["xx"])


@pytest.mark.parametrize("form", ["pdf", "html"])
def test_a_booklet_of_an_export_for_domjudge_says_why_it_has_no_statement(two: Path, form: str) -> None:
    done = harness("contest", "export", two, "--output", two / "exported")
    assert done.returncode == 0, said(done)
    done = harness("contest", "booklet", two / "exported", "--output", two / f"all.{form}")
    assert done.returncode == 2
    assert "no problem has a statement: A one: its statement is problem.html, which is not read" in said(done)
    assert "B two: no statement" in said(done)
    assert not (two / f"all.{form}").exists()


def test_the_page_is_one_offline_document_whose_ids_are_unique() -> None:
    page = booklet_html(read_contest(find_contest(PROBLEMS))).content.decode()
    ids = [part.partition('"')[0] for part in page.split(' id="')[1:]]
    assert len(ids) == len(set(ids))
    assert {f"{slug}-en" for slug in ("sokoban", "apples", "bridgit")} <= set(ids)
    assert 'src="http' not in page
    assert "Content-Security-Policy" in page


def test_names_are_escaped_on_the_page(two: Path) -> None:
    assert "Two &amp; &lt;Three&gt;" in booklet_html(read_contest(two)).content.decode()


def test_slides_begin_a_slide_a_heading_and_say_what_has_no_editorial(two: Path) -> None:
    folder = two / "one" / "solution"
    folder.mkdir(exist_ok=True)
    (folder / "solution.en.md").write_text("Why it works.\n\n## First idea\n\nTwice.\n\n## Second idea\n\n$x+x$\n")
    slides = slides_pdf(read_contest(two))
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(slides.content)).pages]
    assert sum("idea" in page for page in pages) == 2
    assert slides.missing == ("B two: no statement",)


def test_slides_without_any_solution_are_refused(two: Path) -> None:
    shutil.rmtree(two / "one" / "solution", ignore_errors=True)
    done = harness("contest", "booklet", two, "--slides", "--output", two / "all.pdf")
    assert done.returncode == 2
    assert "no problem has a solution to show: A one: no solution (solution/solution.en.md" in said(done)
    assert not (two / "all.pdf").exists()


def test_solutions_in_latex_become_slides_with_their_pictures(two: Path) -> None:
    folder = two / "one" / "solution"
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    (folder / "idea.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>X</text></svg>'
    )
    (folder / "solution.tex").write_text(
        "\\begin{frame}{First} Twice.\\pause \\includegraphics{idea} \\end{frame}\n"
        "\\begin{frame}\\frametitle{Second} $x+x$ \\end{frame}\n"
    )
    slides = slides_pdf(read_contest(two))
    pages = PdfReader(io.BytesIO(slides.content)).pages
    [first] = [page for page in pages if "First" in page.extract_text()]
    assert "Twice." in first.extract_text() and "figure" not in first.extract_text()
    assert sum("Second" in page.extract_text() for page in pages) == 1
    assert slides.missing == ("B two: no statement",)


def test_the_command_writes_the_file_and_says_what_is_not_in_it(two: Path) -> None:
    done = harness("contest", "booklet", two, "--format", "html", "--output", two / "all.html")
    assert done.returncode == 0, said(done)
    assert "not in it: B two: no statement" in done.stderr
    assert (two / "all.html").is_file()
    refused = harness("contest", "booklet", two, "--slides", "--format", "html")
    assert refused.returncode == 2
    assert "--slides makes one PDF" in said(refused)


def test_samples_that_only_the_recipe_has_are_built_for_the_statement(two: Path) -> None:
    shutil.rmtree(two / "one" / "data")
    (two / "one" / "generators").mkdir(exist_ok=True)
    (two / "one" / "generators" / "generators.yaml").write_text(
        "solution: /submissions/accepted/double.py\n"
        "data:\n  sample:\n    data:\n      shown:\n        in: |\n          77\n"
        "  secret:\n    data:\n      '1':\n        in: |\n          5\n"
    )
    cache = str(two / "cache")
    done = harness(
        "contest", "booklet", two, "--format", "html", "--output", two / "all.html", XDG_CACHE_HOME=cache
    )
    assert done.returncode == 0, said(done)
    assert ">154\n<" in (two / "all.html").read_text()
    done = harness("statement", two / "one", "--format", "md", "--output", two / "one.md", XDG_CACHE_HOME=cache)
    assert "154" in (two / "one.md").read_text(), said(done)
    assert not (two / "one" / "data").exists()
    (two / "one" / "submissions" / "accepted" / "double.py").write_text("raise SystemExit(3)\n")
    done = harness("statement", two / "one", "--format", "md", "-o", two / "one.md", XDG_CACHE_HOME=str(two / "b"))
    assert done.returncode == 0 and "samples of its recipe are not in data/: " in said(done)
