"""LaTeX statements where no TeX is: the text, near enough to be read."""

import itertools

import pytest

from harness.statement.latex_macros import with_inputs
from harness.statement.latex_text import LONGEST, as_markdown, plain


@pytest.mark.parametrize(
    ("latex", "markdown"),
    [
        ("\\problemname{Odd Echo}\nHello.\n", "Hello.\n"),
        ("\\section*{Input}\nA number.", "## Input\n\nA number.\n"),
        ("between $1$ and $10^{15}$ % not this\n", "between $1$ and $10^{15}$\n"),
        ("\\[ a_i \\le b \\]", "$$a_i \\le b$$\n"),
        ("\\textbf{big} and \\emph{small}", "**big** and *small*\n"),
        ("\\bf{big}, \\it{small} and \\t{YES}", "**big**, *small* and `YES`\n"),  # of Polygon
        ("\\begin{itemize}\n  \\item one\n  \\item two\n\\end{itemize}", "- one\n- two\n"),
        (
            "\\begin{enumerate}\n\\item one\n\n\\item two\n\\begin{itemize}\\item a\\item[x)] b\\end{itemize}\n"
            "\\item three \\[x\\] \\item four\\end{enumerate}",
            "1. one\n2. two\n   - a\n   - x) b\n3. three \n\n$$x$$\n\n4. four\n",
        ),
        ("\\begin{enumerate}[label=(\\alph*)]\\item a\\item b\\end{enumerate}", "- (a) a\n- (b) b\n"),
        ("\\begin{enumerate}[I.]\\item a\\item b\\end{enumerate}", "- I. a\n- II. b\n"),
        ("\\begin{enumerate}[itemsep=0pt]\\item a\\item b\\end{enumerate}", "1. a\n2. b\n"),
        ("\\begin{description}\\item[No] other\\end{description}", "- **No** other\n"),
        ("\\item alone \\end{itemize} \\begin{enumerate}", "- alone\n"),
        ("``quoted'' and `a-z'", '"quoted" and ‘a-z\'\n'),
        ("100\\% of 5\\,000", "100% of 5 000\n"),
        ("\\begin{verbatim}\n\\x{1}\n\\end{verbatim}", "\\x{1}\n"),
        ("\\includegraphics[width=3cm]{cave.jpg}", "[figure: cave.jpg]\n"),
        ("<script>", "\\<script\\>\n"),
        ("\\newcommand{\\maxn}{10^5}\n$n \\le \\maxn$", "$n \\le 10^5$\n"),
        ("\\newcommand{\\pair}[2]{(#1, #2)}$\\pair{a}{b}$ \\pair", "$(a, b)$ (, )\n"),
        ("\\newcommand{\\x}[2][k]{#1#2}$\\x{a} \\x[j]{b}$", "$ka jb$\n"),
        ("\\def\\eps{\\varepsilon}$\\eps x$", "$\\varepsilon x$\n"),
        ("\\DeclareMathOperator{\\lcm}{lcm}$\\lcm(a)$", "$\\operatorname{lcm}(a)$\n"),
        ("\\begin{Input}\nA number.\n\\end{Input}", "## Input\n\nA number.\n"),
        ("\\InputFile\nA number.", "## Input\n\nA number.\n"),
        ("\\begin{problem}{A}{in}{out}{1 s}{2 MB}\nText\\end{problem}", "Text\n"),
        ('J\\"org, caf\\\'{e}, Gr{\\o}nn, \\v{s}, na\\"{\\i}ve', "Jörg, café, Grønn, š, naïve\n"),
        ("{\\bf big}, \\textbf{a \\emph{b}}", "**big**, **a *b***\n"),
        ("\\caption{ First.\\\\\n\nSecond. }", "*First. Second.*\n"),
        ("print \\texttt{\\#} or \\texttt{<}, not \\#", "print `#` or `<`, not \\#\n"),
        ("\\lstset{style={a}}\\looseness-1 Text", "Text\n"),
        ("\\illustration{0.3}{x}{By \\href{u}{Jos\\'{e}}}", "[figure: x]\n\n*By José*\n"),
        ("costs $5 or\n\nof $n$ the $m$", "costs $5 or\n\nof $n$ the $m$\n"),
        ("\\illustration{0.3}{x.png}\nText", "[figure: x.png]\n\nText\n"),
        ("<<Carol>>, \\t{a<<b>>c}, $a<<b>>c$", "«Carol», `a<<b>>c`, $a<<b>>c$\n"),
        ("\\glqq x\\grqq{} and \\flqq y\\frqq", "„x“ and «y»\n"),
        ("a --- b, pages 1--2", "a — b, pages 1–2\n"),
        ("costs 5\\$ or 6\\$", "costs 5\\$ or 6\\$\n"),
        ("\\begin{align*}a &= b \\\\ c &= d\\end{align*}", "$$\\begin{split}a &= b \\\\ c &= d\\end{split}$$\n"),
        (
            "\\begin{tabular}{|c|p{3cm}|}\\hline \\textbf{Group} & Points \\\\ \\hline $1$ & $|x|$ \\\\ \\end{tabular}",
            "| **Group** | Points |\n| --- | --- |\n| $1$ | $\\vert x\\vert $ |\n",
        ),
    ],
)
def test_latex_becomes_readable_text(latex: str, markdown: str) -> None:
    assert as_markdown(latex).strip() == markdown.strip()


@pytest.mark.parametrize(
    "hostile",
    [
        "\\[",
        "$$",
        "\\item[",
        "\\begin{enumerate}\\item",
        "\\begin{verbatim}",
        "\\begin{minted}\\begin{lstlisting}",
        "\\begin{multline}",
        "\\section{",
        "`",
        "\\textbf{{",
        "\\begin{tabular}{",
        "\\newcommand{\\x}{\\x\\x}\\x",
    ],
)
def test_hostile_latex_comes_to_an_end(hostile: str) -> None:
    assert len(as_markdown(hostile * 200_000)) <= 2 * LONGEST


def test_a_macro_that_grows_without_end_is_given_up() -> None:
    bomb = "".join(
        f"\\newcommand{{\\{a}}}{{\\{b}\\{b}\\{b}\\{b}\\{b}\\{b}}}" for a, b in itertools.pairwise("abcdefghijk")
    )
    assert len(as_markdown(bomb + "\\a" * 1000)) <= 2 * LONGEST


def test_pictures_that_the_package_has_are_shown() -> None:
    latex = "\\illustration{.3}{cave}{Photo by \\href{http://x}{Ann}} \\includegraphics{figs/map.pdf}"
    assert (
        as_markdown(latex, {"cave.jpg": 1, "map.png": 1})
        == "![](<cave.jpg>)\n\n*Photo by Ann*\n\n![](<map.png>)\n"
    )


def test_a_picture_in_pdf_is_taken_where_there_is_no_other() -> None:
    assert as_markdown("\\includegraphics{map}", {"map.pdf": 1}) == "![](<map.pdf>)\n"
    assert as_markdown("\\includegraphics{map.pdf}", {"map.pdf": 1, "map.png": 1}) == "![](<map.png>)\n"


@pytest.mark.parametrize(
    ("options", "title"),
    [
        ("height=3.5cm", ' "height=3.5cm"'),
        ("width=0.25\\textwidth", ' "width=25%"'),
        ("trim=1 2 3 4, width = \\linewidth", ' "width=100%"'),
        ("scale=.4", ' "scale=40%"'),
        ("height=0.8\\textheight", ""),
        ("scale=2cm", ""),
        ("width=0cm", ""),
        ("width=400", ""),
    ],
)
def test_the_size_that_is_asked_for_a_picture_is_kept_for_paper(options: str, title: str) -> None:
    assert as_markdown(f"\\includegraphics[{options}]{{map}}", {"map.pdf": 1}) == f"![](<map.pdf>{title})\n"


def test_a_name_in_latex_is_shown_without_its_commands() -> None:
    assert plain("Gr{\\o}nn $k$-Tree \\& {\\small more}") == "Grønn k-Tree & more"
    assert plain("Is $\\pi \\le \\Lambda \\times n$?") == "Is π ≤ Λ × n?"


def test_files_that_a_statement_takes_in_are_read() -> None:
    assert with_inputs("a \\input{more} b \\input{none}", {"more.tex": "X \\input{more}"}).startswith("a X ")


@pytest.mark.parametrize(
    "latex",
    [
        " " * LONGEST,
        "\\begin{comment}" * (LONGEST // 15),
        "\\begin{array}{" * (LONGEST // 14),
        "\\newcommand{\\a}[1]{x}" + "\\a{" * (LONGEST // 3),
        "\\newcommand{\\a}[9]{"
        + "#9" * 9000
        + "}\\a12345"
        + "".join(f"{{{f'#{k}' * 4000}}}" for k in (6, 7, 8, 9)),
        "\\newcommand{\\a}{\\b\\b}\\newcommand{\\b}{\\c\\c}\\newcommand{\\c}{\\a\\a}" + "\\a" * 2000,
    ],
    ids=[
        "blanks",
        "comments without ends",
        "tables without ends",
        "arguments without ends",
        "parameters",
        "macros",
    ],
)
def test_a_statement_that_is_a_bomb_gives_a_text_no_longer_than_itself(latex: str) -> None:
    assert len(as_markdown(latex)) <= len(latex)


def test_files_that_take_each_other_in_again_and_again_give_no_more_than_the_longest_text() -> None:
    assert len(with_inputs("\\input{a}" * 100, {"a": "\\input{a}" * 300})) <= LONGEST
    assert len(with_inputs("\\input{a}" * 9000, {"a": "\\input{b}" * 9000, "b": "x" * LONGEST})) <= LONGEST


def test_what_is_handed_to_a_macro_is_not_read_as_its_parameters() -> None:
    assert as_markdown("\\newcommand{\\both}[2]{#1 and #2}\\both{\\#2}{b}") == "\\#2 and b\n"


def test_a_line_break_before_a_table_in_an_item_leaves_it_a_table() -> None:
    text = as_markdown("\\begin{itemize}\\item a:\\\\\n\\begin{tabular}{ll}1&2\\\\3&4\\end{tabular}\\end{itemize}")
    assert "\n\n| 1 | 2 |" in text.replace("\n  |", "\n|")
