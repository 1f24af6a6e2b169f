"""The statement page: complete, self-contained, and deaf to hostile Markdown."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from conftest import DOUBLE, TESTS, PackageMaker
from harness.cli import group
from harness.errors import PackageError, UsageError
from harness.package.load import load, load_to_read
from harness.statement.labels import labels_for
from harness.statement.markdown import defects, to_html
from harness.statement.page import render_html
from harness.statement.source import plain_markdown, render_markdown
from harness.statement.typst_page import limits_of


class Balance(HTMLParser):
    """Fails on tags that do not nest."""

    VOID = frozenset({"meta", "img", "br", "hr", "input", "link"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, tag


def test_page_holds_title_limits_constants_math_and_samples() -> None:
    page = render_html(load(DOUBLE))
    for part in (
        "<h1>Double</h1>",
        "<dd>1 s</dd>",
        "<dd>256 MiB</dd>",
        "<mn>1000000</mn>",
        "<math",
        ">1\n</pre>",
        ">2\n</pre>",
    ):
        assert part in page
    balance = Balance()
    balance.feed(page)
    assert not balance.open


@pytest.mark.parametrize("language", ["en", "ja"])
def test_page_needs_nothing_from_elsewhere(language: str) -> None:
    page = render_html(load(TESTS.parent / "problems" / "sokoban", built=False), language)
    outside = re.sub(r'xmlns="[^"]*"', "", page)
    assert not re.search(r"(src|href)=[\"']?(https?:|//)", outside)
    assert f'<html lang="{language}">' in page


HOSTILE = """
<script>alert(1)</script> [x](javascript:alert(1)) ![y](http://evil.example/x.png) ![z](../../../etc/passwd)

$\\frac{1}{$ and $<img src=x onerror=alert(1)>$
"""


def test_hostile_markdown_stays_text(double_with: PackageMaker) -> None:
    root = double_with(
        {"statement/problem.en.md": HOSTILE, "data/sample/1.ans": "</pre><script>alert(2)</script>\n"}
    )
    page = render_html(load(root))
    assert page.count("<script") == 1
    assert "href=" not in page
    assert "src=" not in re.sub(r"&lt;.*?&gt;", "", page)
    assert "<img" not in page


def test_japanese_lines_join_without_a_space_and_english_ones_with(double_with: PackageMaker) -> None:
    page = render_html(load(double_with({"statement/problem.en.md": "壁と\n床。\n\ntwo\nwords\n"})))
    assert "壁と床。" in page
    assert "two\nwords" in page


def test_picture_beside_the_statement_goes_into_the_page(double_with: PackageMaker) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
    root = double_with({"statement/problem.en.md": "![a figure](board.svg)\n", "statement/board.svg": svg})
    assert '<img alt="a figure" src="data:image/svg+xml;base64,' in render_html(load(root))


def test_language_that_is_not_there_is_an_error() -> None:
    with pytest.raises(UsageError, match="no statement in `fr`, only in en"):
        render_html(load(DOUBLE), "fr")


@pytest.mark.parametrize(
    "formula",
    [
        "\\text{<script>alert(1)</script>}",
        "\\text{<img src=x onerror=alert(1)>}",
        "\\text{&lt;script&gt;alert(1)&lt;/script&gt;}",
        "\\text{</math><meta http-equiv=refresh content=0>}",
        '\\color{"><script>}{x}',
        '\\style{position:fixed"><script>}{x}',
        "\\href{javascript:alert(1)}{x}",
        '\\class{a"><script>}{x}',
    ],
)
def test_formulas_bring_no_markup_of_their_own(formula: str, double_with: PackageMaker) -> None:
    page = render_html(load(double_with({"statement/problem.en.md": f"Text ${formula}$ text.\n"})))
    article = page.partition("<article>")[2].partition("</article>")[0]
    tags = {tag for tag, _ in _tags(article)}
    assert tags <= {"p", "span", "math", "mrow", "mi", "mtext", "mstyle", "mo", "mn", "merror", "code"}
    assert not {name for _, names in _tags(article) for name in names} & {"href", "style", "onerror"}


def test_formulas_keep_their_signs() -> None:
    assert "<mo>&lt;</mo>" in to_html("$a<b$", {}) and "≤" in to_html("$a \\le b$", {})
    assert "a&lt;b" in to_html("$\\text{a<b}$", {})


def test_dollar_signs_with_a_blank_inside_are_no_formula() -> None:
    assert to_html("It costs $5 and $6, or 7 $.\n", {}) == "<p>It costs $5 and $6, or 7 $.</p>\n"
    assert to_html("2$^n$ $$ n $$", {}).count("<math") == 2
    assert [
        (one.line, one.message, one.certain)
        for one in defects("Costs $5 and $6.\n\nLet\n$ n $ be \\$ 1 \\$.\n", {})
    ] == [(4, "`$ n $` is no formula: write it without blanks inside the `$`, or `\\$` for a dollar sign", False)]


def _tags(html: str) -> list[tuple[str, list[str]]]:
    found: list[tuple[str, list[str]]] = []

    class Collector(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.append((tag, [name for name, _ in attrs]))

    Collector().feed(html)
    return found


def test_a_package_with_faults_still_shows_its_statement(double_with: PackageMaker) -> None:
    root = double_with({"data/secret/01-zero.ans": None, "problem.yaml": "name: [Double\n"})
    with pytest.raises(PackageError):
        load(root)
    package, faults = load_to_read(root)
    assert {fault.path.name for fault in faults} == {"01-zero.in", "problem.yaml"}
    page = render_html(package)
    assert "One integer." in page
    assert "<h1>double</h1>" in page


def test_nothing_to_read_is_still_refused(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match="not found"):
        load_to_read(tmp_path)


def test_markdown_of_other_tools_shows_no_second_title_and_no_sizes(double_with: PackageMaker) -> None:
    text = "# Double\n\nText.\n\n![a figure](board.svg){width=50% #id} {not} {{this}}\n"
    svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
    page = render_html(load(double_with({"statement/problem.en.md": text, "statement/board.svg": svg})))
    assert page.count("<h1>") == 1
    assert "width=50%" not in page
    assert "{not}" in page


def test_samples_stand_where_the_text_asks_for_them(double_with: PackageMaker) -> None:
    samples = {f"data/sample/{number}.{end}": f"{number}{end}\n" for number in (2, 3) for end in ("in", "ans")}
    text = "first\n\n{{nextsample}}\n\nthen {{nextsample}}\n\nlast\n"
    root = double_with({"statement/problem.en.md": text, **samples})
    page = render_html(load(root))
    places = [page.index(one) for one in ("first", "Sample 1<", "then", "Sample 2<", "last", "Sample 3<")]
    assert places == sorted(places) and "nextsample" not in page
    balance = Balance()
    balance.feed(page)
    assert not balance.open
    (root / "statement/problem.en.md").write_text("first\n\n{{remainingsamples}}\n\nlast {{remainingsamples}}\n")
    words = render_markdown(load(root))
    assert words.index("Sample 3") < words.index("last") and words.count("## Sample") == 3


def test_samples_stand_where_latex_asks_for_them(double_with: PackageMaker) -> None:
    root = double_with({"statement/problem.en.md": None})
    (root / "statement/problem.en.tex").write_text("\\problemname{Double}\nfirst\n\\nextsample\nlast\n")
    words = render_markdown(load(root))
    assert words.index("first") < words.index("## Sample 1") < words.index("last")


def test_footnotes_are_shown_wherever_a_sample_cuts_the_text(double_with: PackageMaker) -> None:
    text = "one[^a]\n\n{{nextsample}}\n\ntwo[^b] and[^a]\n\n[^a]: first *note*\n[^b]: second note\n"
    root = double_with({"statement/problem.en.md": text})
    page = render_html(load(root))
    assert "[^" not in page and page.count("first <em>note</em>") == 2 and page.count("second note") == 1
    names = re.findall(r' id="([^"]+)"', page)
    assert len(names) == len(set(names))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(names)
    assert render_markdown(load(root)).count("first *note*") == 1


def test_a_name_that_another_statement_gives_in_latex_is_shown_plain(double_with: PackageMaker) -> None:
    root = double_with(
        {"statement/problem.sv.tex": "\\problemname{A $n^2$ \\& co}\n", "problem.yaml": "author: X\n"}
    )
    assert "<h1>A n^2 &amp; co</h1>" in render_html(load(root), "en")


def test_html_in_markdown_is_said_in_markdown_or_stays_text(double_with: PackageMaker) -> None:
    text = (
        "<!-- no {{nextsample}} -->a<sup>2</sup> <b>bold</b> `<b>`<br>\nnext\n\n```\n<i>code</i> <!-- kept -->\n```\n"
        '<figure>\n<img width="50%"\n src="a.svg" alt="A [b]">\n</figure>\n\n<script>x</script><img onerror=y>\n'
    )
    svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
    page = render_html(load(double_with({"statement/problem.en.md": text, "statement/a.svg": svg})))
    article = page.partition("<article>")[2].partition("</article>")[0]
    for part in ("<msup>", "<strong>bold</strong>", "<code>&lt;b&gt;</code><br", '<img alt="A b" src="data:'):
        assert part in article
    assert "&lt;i&gt;code&lt;/i&gt; &lt;!-- kept --&gt;" in article and "no {{" not in article
    assert "&lt;script&gt;" in article and "&lt;img onerror=y&gt;" in article and "figure" not in article


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a<!-- b\n<!-- c -->d", "a\nd"),
        ("a<!-- b -->c<!-- d", "ac<!-- d"),
        ("a<!-->b", "a<!-->b"),
        ("`<!--`a-->", "`<!--`a-->"),
        ("<!--" * 250_000, "<!--" * 250_000),  # in quadratic time this would take an hour
    ],
    ids=range(5),
)
def test_a_comment_ends_at_its_first_end_and_is_text_without_one(text: str, shown: str) -> None:
    assert plain_markdown(text, "") == shown


def test_a_dialogue_in_markdown_has_every_line_marked(double_with: PackageMaker) -> None:
    talk = "<encode\n<abc\n>cba\n---\n<decode\n>abc\n"
    case = {
        "data/sample/1.interaction": talk,
        "data/sample/1.in.download": "x\n",
        "data/sample/1.ans.download": "x\n",
    }
    text = render_markdown(load(double_with(case)))
    assert "< encode\n< abc\n> cba\n---\n< decode\n> abc\n" in text


def test_file_is_called_after_the_language_that_it_is_in(
    double_with: PackageMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = double_with({"statement/problem.en.md": None, "statement/problem.ja.md": "二倍\n"})
    monkeypatch.chdir(root.parent)
    CliRunner().invoke(group, ["statement", str(root)])
    assert [path.name for path in root.parent.glob("*.html")] == [f"{root.name}.ja.html"]


@pytest.mark.parametrize(
    ("language", "time_limit", "input_label"),
    [
        ("de", "Zeitlimit", "Eingabe"),
        ("pt-BR", "Limite de tempo", "Entrada"),
        ("zh-CN", "时间限制", "输入"),
        ("zh-TW", "時間限制", "輸入"),
        ("zh", "时间限制", "输入"),
        ("uk", "Обмеження часу", "Вхідні дані"),
        ("tlh", "Time limit", "Input"),
    ],
)
def test_labels_are_in_the_language_of_the_statement(
    double_with: PackageMaker, language: str, time_limit: str, input_label: str
) -> None:
    page = render_html(load(double_with({f"statement/problem.{language}.md": "$2n$\n"})), language)
    assert f"<dt>{time_limit}</dt>" in page and f"<figcaption>{input_label} <button" in page


def test_every_language_has_every_label() -> None:
    codes = "cs de en es fr id it ja ko nl pl pt ru sv tr uk vi zh zh-Hant"
    for code in codes.split(" "):
        assert all(vars(labels_for(code)).values()) and (code == "en" or labels_for(code) != labels_for("en"))


def test_a_problem_whose_submissions_are_not_run_shows_no_limits() -> None:
    package = load(TESTS / "packages" / "judge_submit_answer")
    assert "MiB" not in render_html(package) + render_markdown(package)
    assert limits_of(package, labels_for("en")) == []
