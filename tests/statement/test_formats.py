"""Statements as PDF, Markdown and dialogue; new packages are whole."""

import importlib
import re
import uuid
from pathlib import Path

import pytest

from conftest import PackageMaker, write_files
from harness.errors import MachineError
from harness.host.host import Host
from harness.package.load import load
from harness.package.template import template_files
from harness.statement.page import render_html, render_pdf
from harness.statement.source import render_markdown
from harness.verify.run import PARTS, Verifier

TEXT = """Text with $1 \\le n \\le 10^{6}$, `code`, *stress* and [a link](https://example.org), #1 @2 $\\binom{n}{k}$.

- one
- two

| a | b |
|---|---|
| 1 | $x_1$ |

![a figure](figure.svg)
"""
FIGURE = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/></svg>'


def new_package(folder: Path, *options: str) -> Path:
    identity = str(uuid.UUID(int=7))
    return write_files(
        folder / "new", template_files(title="New", identity=identity, **dict.fromkeys(options, True))
    )


def test_a_pdf_is_made_of_text_tables_math_and_figures(double_with: PackageMaker) -> None:
    pytest.importorskip("typst")
    root = double_with({"statement/problem.en.md": TEXT, "statement/figure.svg": FIGURE})
    assert render_pdf(load(root)).startswith(b"%PDF-")


def test_pictures_of_a_legacy_statement_are_in_page_and_pdf(double_with: PackageMaker) -> None:
    pytest.importorskip("typst")
    latex = "\\problemname{Double \\& more}\n\\includegraphics[width=3cm]{figs/figure}\n"
    old = {"problem.yaml": "limits: {time_limit: 1}\n", "statement/problem.en.md": None}
    files = {"problem_statement/problem.tex": latex, "problem_statement/figs/figure.svg": FIGURE}
    package = load(double_with({**old, **files}))
    page = render_html(package)
    assert "data:image/svg+xml" in page
    assert "<h1>Double &amp; more</h1>" in page
    assert render_pdf(package).startswith(b"%PDF-")


def test_hostile_text_sets_no_typst_code(double_with: PackageMaker) -> None:
    pytest.importorskip("typst")
    hostile = 'Text #panic("x") `#panic()` $#panic()$ [#panic()](") #panic() (") *#panic()*\n\n'
    hostile += "| #panic() |\n|---|\n| ] |\n"
    root = double_with({"statement/problem.en.md": hostile, "data/sample/1.in": '3\n"#panic()\\\n'})
    assert render_pdf(load(root)).startswith(b"%PDF-")


def test_a_package_s_own_typst_file_is_not_run(double_with: PackageMaker) -> None:
    pytest.importorskip("typst")
    root = double_with({"statement/page.typ": '#panic("ours")'})
    assert render_pdf(load(root)).startswith(b"%PDF-")


@pytest.mark.parametrize("sign", ["{", "^", "\\frac "])
def test_a_formula_nested_beyond_reason_is_shown_as_it_is(sign: str, double_with: PackageMaker) -> None:
    pytest.importorskip("typst")
    root = double_with({"statement/problem.en.md": f"Text ${sign * 5000}$ text.\n"})
    assert render_pdf(load(root)).startswith(b"%PDF-")


def test_without_typst_the_error_says_what_to_install(
    double_with: PackageMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(MachineError, match="pip install typst"):
        render_pdf(load(double_with(None)))


def test_markdown_holds_title_limits_and_samples(double_with: PackageMaker) -> None:
    text = render_markdown(load(double_with(None)))
    assert text.startswith("# Double\n\n1 s, 256 MiB\n")
    assert "1000000" in text and "## Sample 1" in text


def test_an_interactive_sample_is_shown_as_a_dialogue(tmp_path: Path) -> None:
    page = render_html(load(new_package(tmp_path, "interactive")))
    said = [part.partition("</figure>")[0] for part in page.split('<figure class="')[1:]]
    assert [one.partition('"')[0] for one in said] == ["you", "judge", "you", "judge"]
    assert [one.rpartition("</pre>")[0].rpartition(">")[2] for one in said] == ["5", "less", "3", "yes"]


def test_a_statement_in_latex_still_shows_title_limits_and_samples(double_with: PackageMaker) -> None:
    root = double_with({"statement/problem.en.md": None, "statement/problem.en.tex": "\\problemname{Double}"})
    page = render_html(load(root))
    assert "<h1>Double</h1>" in page and "problem.en.tex" in page and "256 MiB" in page and "Sample 1" in page


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "options", [(), ("checker",), ("interactive",), ("checker", "groups"), ("interactive", "groups")], ids=" ".join
)
def test_a_new_package_verifies_at_once(options: tuple[str, ...], host: Host, tmp_path: Path) -> None:
    root = new_package(tmp_path, *options)
    verification = Verifier(root=root, host=host, cache=tmp_path / "cache").run(
        [one for one in PARTS if one != "time"]
    )
    assert verification.holds(strict=True), [one.findings for one in verification.parts]


def rules(page: str) -> dict[str, str]:
    """The page's style rules outside of `@media`, by selector."""
    style = re.sub(
        r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*\s*\}", "", page.partition("<style>")[2].partition("</style>")[0]
    )
    found = re.findall(r"([^{}]+)\{([^{}]*)\}", style)
    return {selector.strip(): body for group, body in found for selector in group.split(",")}


def test_a_japanese_page_says_emphasis_by_weight_and_not_by_slant(double_with: PackageMaker) -> None:
    page = render_html(load(double_with({"statement/problem.ja.md": "*箱* を\n"})), "ja")
    assert '<html lang="ja">' in page and "<em>箱</em>" in page
    rule = rules(page)["em:lang(ja)"]
    assert "font-style: normal" in rule and "font-weight: 700" in rule


def test_numbers_in_formulas_have_the_font_of_the_text(double_with: PackageMaker) -> None:
    found = rules(render_html(load(double_with(None))))
    family = [re.search(r"font-family: ([^;}]*)", found[name]) for name in ("body", "mn")]
    assert family[0] is not None and family[1] is not None and family[0][1].strip() == family[1][1].strip()
