"""Slides of beamer become sections, with all overlays shown."""

import re

from harness.statement.beamer import slides_as_sections
from harness.statement.latex_text import as_markdown


def markdown(latex: str) -> str:
    return re.sub(r" +\n", "\n", as_markdown(slides_as_sections(latex, "Two Doors")))


def test_each_frame_is_a_section_with_its_own_title_or_the_problems() -> None:
    text = markdown(
        "\\begin{frame}\\frametitle{\\problemtitle: Idea} One. \\end{frame}\n"
        "\\begin{frame}[fragile]{Given} Two. \\end{frame}\n\\begin{slide} Three. \\end{slide}\n"
        "% \\begin{frame} dropped \\end{frame}\n"
    )
    assert text == "## Two Doors: Idea\n\nOne.\n\n## Given\n\nTwo.\n\n## Two Doors\n\nThree.\n"


def test_overlays_and_blocks_leave_only_their_text() -> None:
    text = markdown(r"""
        \begin{frame}
        \begin{block}<2->{Solution}
        \pause
        \begin{itemize}[<+->]
        \item<1-> Sort.\\ By $x<3$.
        \item[$\Rightarrow$] \alert<3>{Scan}. \only<4>{Done.}
        \end{itemize}
        \end{block}
        \solvestats
        \end{frame}
    """)
    assert text == ("## Two Doors\n\n**Solution**\n\n- Sort.\\\n  By $x<3$.\n- $\\Rightarrow$ Scan. Done.\n")


def test_a_title_with_letters_that_latex_reserves_stays_whole() -> None:
    text = as_markdown(slides_as_sections("\\begin{frame} Sort. \\end{frame}", "50% of {a_b} & #$1"))
    assert text.startswith("## 50% of {a_b} & \\#\\$1\n")


def test_code_and_formulas_are_no_comments_and_no_overlays() -> None:
    text = markdown(
        "\\begin{frame}[fragile]{A}\n\\begin{lstlisting}\nx = a % 2\ny = b\n\\end{lstlisting}\n"
        "$\\ell<r$ and $r>0$ % said\n\\end{frame}"
    )
    assert "x = a % 2\n    y = b\n" in text
    assert "$\\ell<r$ and $r>0$" in text and "said" not in text


def test_themes_notes_and_subtitles_are_not_text() -> None:
    text = markdown(
        "\\documentclass{beamer}\\usetheme{Madrid}\\begin{document}\\setbeamertemplate{navigation symbols}{}"
        "\\begin{frame}{A}{Sub} x\\note{secret} \\end{frame}\\end{document}"
    )
    assert text == "## A\n\nx\n"


def test_a_drawing_is_named_not_spelled_out() -> None:
    text = markdown("\\begin{frame}\\begin{tikzpicture}\\draw (0,0) -- (1,1);\\end{tikzpicture}\\end{frame}")
    assert "drawn by tikzpicture" in text and "draw (" not in text


def test_a_text_without_frames_stays() -> None:
    assert markdown("\\section{Idea} Sort.") == "## Idea\n\nSort.\n"
