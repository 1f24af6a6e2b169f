"""LaTeX statements where no TeX is: the text, near enough to be read."""

import pytest

from harness.statement.latextext import LONGEST, as_markdown


@pytest.mark.parametrize(
    ("latex", "markdown"),
    [
        ("\\problemname{Odd Echo}\nHello.\n", "Hello.\n"),
        ("\\section*{Input}\nA number.", "## Input\n\nA number.\n"),
        ("between $1$ and $10^{15}$ % not this\n", "between $1$ and $10^{15}$\n"),
        ("\\[ a_i \\le b \\]", "$$a_i \\le b$$\n"),
        ("\\textbf{big} and \\emph{small}", "**big** and *small*\n"),
        ("\\begin{itemize}\n  \\item one\n  \\item two\n\\end{itemize}", "-  one\n-  two\n"),
        ("``quoted'' and `a-z'", '"quoted" and ‘a-z\'\n'),
        ("100\\% of 5\\,000", "100% of 5 000\n"),
        ("\\begin{verbatim}\n\\x{1}\n\\end{verbatim}", "\\x{1}\n"),
        ("\\includegraphics[width=3cm]{cave.jpg}", "[figure: cave.jpg]\n"),
        ("<script>", "\\<script\\>\n"),
    ],
)
def test_latex_becomes_readable_text(latex: str, markdown: str) -> None:
    assert as_markdown(latex).strip() == markdown.strip()


@pytest.mark.parametrize("hostile", ["\\[", "$$", "\\item[", "\\begin{verbatim}", "\\section{", "`", "\\textbf{{"])
def test_hostile_latex_comes_to_an_end(hostile: str) -> None:
    assert len(as_markdown(hostile * 200_000)) <= 2 * LONGEST
