"""What stands where on the pages of a PDF, and in which font."""

import io
import os
import shutil
import subprocess
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from conftest import PackageMaker
from harness.errors import MachineError
from harness.package.load import load
from harness.statement import page as page_module
from harness.statement.page import render_pdf

INPUT = "".join(f"in{line}\n" for line in range(10))
TALK = "".join(f"<ask{turn}\n>say{turn}\n" for turn in range(12))
HEIGHTS = range(24, 50, 2)  # lines of text above, so that the foot of the page falls on every line of what follows


def pages(root: Path) -> list[list[str]]:
    """The words of each page."""
    pypdf: Any = pytest.importorskip("pypdf", reason="pypdf is not installed: pip install '.[dev]'")
    pytest.importorskip("typst")
    return [page.extract_text().split() for page in pypdf.PdfReader(io.BytesIO(render_pdf(load(root)))).pages]


def fonts(root: Path, language: str | None = None) -> dict[str, set[str]]:
    """The fonts that each text is set in."""
    pypdf: Any = pytest.importorskip("pypdf", reason="pypdf is not installed: pip install '.[dev]'")
    pytest.importorskip("typst")
    found: dict[str, set[str]] = {}

    def visit(text: str, _user: object, _matrix: object, font: dict[str, str] | None, _size: float) -> None:
        for word in text.split() if font else ():
            found.setdefault(word, set()).add(str(font["/BaseFont"]).partition("+")[2] if font else "")

    pdf = render_pdf(load(root), language)
    for page in pypdf.PdfReader(io.BytesIO(pdf)).pages:
        page.extract_text(visitor_text=visit)
    return found


def filled(lines: int) -> str:
    return "".join(f"Line{number}\n\n" for number in range(lines))


@pytest.fixture(scope="module", params=HEIGHTS)
def lines(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def test_a_short_sample_with_its_labels_stands_on_one_page(lines: int, double_with: PackageMaker) -> None:
    root = double_with({"statement/problem.en.md": filled(lines), "data/sample/1.in": INPUT})
    words = ["Sample", "Input", *INPUT.split()]
    assert [set(words) <= set(page) for page in pages(root)].count(True) == 1
    assert sum(word in page for page in pages(root) for word in words) == len(words)


def test_a_table_s_head_row_and_a_heading_never_stand_alone(lines: int, double_with: PackageMaker) -> None:
    rows = "".join(f"| row{number} | x |\n" for number in range(30))
    text = f"{filled(lines)}## Heading\n\n| Head | Other |\n|---|---|\n{rows}"
    for page in pages(double_with({"statement/problem.en.md": text})):
        assert ("Head" in page) == any(word.startswith("row") for word in page)
        assert "Heading" not in page or "Head" in page


def test_a_small_table_is_not_broken(lines: int, double_with: PackageMaker) -> None:
    text = f"{filled(lines)}| Head | Other |\n|---|---|\n" + "".join(
        f"| row{number} | x |\n" for number in range(5)
    )
    found = pages(double_with({"statement/problem.en.md": text}))
    assert [{"Head", "row0", "row4"} <= set(page) for page in found].count(True) == 1


def test_the_labels_of_a_long_sample_are_on_each_of_its_pages(double_with: PackageMaker) -> None:
    long = "".join(f"in{line}\n" for line in range(150))
    found = pages(double_with({"data/sample/1.in": long, "statement/problem.en.md": filled(30)}))
    assert len(found) > 2
    for page in found:
        assert ("Input" in page and "Output" in page) == any(word.startswith("in") for word in page)


def test_a_dialogue_has_its_labels_on_each_page_and_breaks_no_turn(lines: int, double_with: PackageMaker) -> None:
    case = {f"data/sample/1.{end}": text for end, text in (("in.download", "x\n"), ("ans.download", "x\n"))}
    files = {"data/sample/1.interaction": TALK.replace("say3", "say3\n>say3b"), **case}
    for page in pages(double_with({"statement/problem.en.md": filled(lines), **files})):
        talks = any(word.startswith(("ask", "say")) for word in page)
        assert ("Input" in page and "Output" in page) == talks
        assert ("say3" in page) == ("say3b" in page)
        assert page[-2] not in ("Input", "Output")


def test_a_pass_of_a_dialogue_begins_with_a_line(double_with: PackageMaker) -> None:
    """Only what is drawn differs, so the files do."""
    pytest.importorskip("typst")
    case = {f"data/sample/1.{end}": text for end, text in (("in.download", "x\n"), ("ans.download", "x\n"))}
    root = double_with({"data/sample/1.interaction": "<a\n>b\n---\n<c\n>d\n", **case})
    two = render_pdf(load(root))
    (root / "data/sample/1.interaction").write_text("<a\n>b\n<c\n>d\n")
    assert len(two) > len(render_pdf(load(root)))


def test_no_line_of_a_sample_leaves_the_page(double_with: PackageMaker) -> None:
    pypdf: Any = pytest.importorskip("pypdf", reason="pypdf is not installed: pip install '.[dev]'")
    pytest.importorskip("typst")
    root = double_with({"data/sample/1.in": "w" * 700 + "\n" + "1 2 3 " * 100 + "\n"})
    words = pypdf.PdfReader(io.BytesIO(render_pdf(load(root)))).pages[0].extract_text().replace("\u200b", "")
    assert words.count("w") >= 700 and max(map(len, words.splitlines())) < 110


def test_a_number_is_the_same_in_a_formula_and_in_the_text(double_with: PackageMaker) -> None:
    found = fonts(double_with({"statement/problem.en.md": "Text 123456 and $789$ more.\n"}))
    names = [*found["123456"], *found["9"]]  # the digits of a formula are set one by one
    assert len(names) == 2 and all(name.startswith("NewCM") and "Regular" in name for name in names)


def test_source_and_authors_are_named_as_on_the_page(double_with: PackageMaker) -> None:
    yaml = "problem_format_version: 2025-09\nname: Double\nuuid: 4f0c2a56-3f0f-4a8e-9d0b-2f6d3b6d2a11\n"
    root = double_with(
        {"problem.yaml": f"{yaml}source: A contest\ncredits: An Author\nlimits: {{time_limit: 1}}\n"}
    )
    words = [word for page in pages(root) for word in page]
    assert " ".join(words).endswith("Source: A contest Authors: An Author 1")


@pytest.mark.parametrize(("script", "expected"), [("exec sleep 30", None), ("true", False), ("echo Noto", True)])
def test_a_slow_list_of_fonts_says_nothing(
    script: str, expected: bool | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = tmp_path / "fc-list"
    tool.write_text(f"#!/bin/sh\n{script}\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(page_module, "_FONT_LIST_S", 1 if expected is None else 60)
    assert page_module.has_font("ja") is expected
    with pytest.raises(MachineError, match="fonts-noto-cjk") if expected is False else nullcontext():
        page_module.check_fonts("ja")


def _has_font(family: str) -> bool:
    tool = shutil.which("fc-list")
    command = [tool or "", family, "family"]
    return tool is not None and bool(subprocess.run(command, capture_output=True, check=False).stdout.strip())


@pytest.mark.skipif(not _has_font("Noto Sans CJK JP"), reason="no Noto Sans CJK JP: apt install fonts-noto-cjk")
def test_emphasis_in_japanese_is_bold_and_in_english_italic(double_with: PackageMaker) -> None:
    text = "壁と *箱* と 42 と $42$。\n"
    root = double_with({"statement/problem.ja.md": text, "statement/problem.en.md": "wall and *box* $x$\n"})
    japanese = fonts(root, "ja")
    assert all("Sans" in font and "Bold" in font for font in japanese["箱"])
    assert all("Serif" in font for word, names in japanese.items() if word.startswith("壁") for font in names)
    assert all(font.startswith("NewCM") for font in japanese["42"])
    assert all("Italic" in font for font in fonts(root, "en")["box"])


@pytest.mark.parametrize(
    ("options", "expected"), [("", 3), ("[height=1cm]", 1), ("[width=0.1\\textwidth]", 1), ("[scale=0.1]", 1)]
)
def test_pictures_are_as_large_as_the_statement_in_latex_asks(
    options: str, expected: int, double_with: PackageMaker
) -> None:
    square = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><rect width="400" height="400"/></svg>'
    )
    pictures = f"\\includegraphics{options}{{square}}\n\n" * 7
    root = double_with(
        {
            "statement/problem.en.md": None,
            "statement/problem.en.tex": "\\problemname{Double}\n" + pictures,
            "statement/square.svg": square,
        }
    )
    assert len(pages(root)) == expected
