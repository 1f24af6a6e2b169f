"""Formulas in TeX become MathML that browsers show, and Typst that sets them."""

import io
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from conftest import PackageMaker
from harness.package.load import load
from harness.statement import typst_math
from harness.statement.markdown import defects, faults, to_html, to_mathml
from harness.statement.page import render_pdf

FORMULAS = (Path(__file__).parent / "formulas.txt").read_text("utf-8").splitlines()
NESTING = ["{", "{{}", "x^{", "\\sqrt{", "\\sqrt", "\\left(", "\\begin{matrix}", "\\hat", "\\binom1"]
NO_TEX = [
    "\\frac{a}", "{a", "a}", "\\left( x", "x \\right)", "\\begin{cases} a", "\\frac", "\\sqrt", "x^", "x^^2", "x_1_2",
    "a & b", "\\begin{foo} a \\end{foo}", "\\left\\lfloor x \\right", "#1", "\\def\\x{1}\\x",
    "\\newcommand{\\x}{\\x\\x}\\x",
]  # fmt: skip


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("display", [False, True])
def test_every_formula_of_the_table_is_mathml_without_a_fault(formula: str, display: bool) -> None:
    math = to_mathml(formula, display=display)
    assert list(faults(math)) == []
    page = to_html(f"Words $${formula}$$\n", {})
    assert ElementTree.fromstring(f"<div>{page}</div>").find(".//math") is not None and "bad-math" not in page


def test_the_table_holds_the_formula_of_the_report_and_some_hundred_others() -> None:
    assert "\\binom{n}{2}^{\\alpha'}" in FORMULAS and len(FORMULAS) > 200


@pytest.mark.parametrize("formula", NO_TEX)
def test_what_is_no_tex_is_refused_with_a_reason(formula: str) -> None:
    with pytest.raises(ValueError, match=r"[a-z]{3}"):
        to_mathml(formula)


@pytest.mark.parametrize(
    ("mathml", "fault"),
    [
        ("<msup><mi>a</mi></msup>", "`msup` with 1 parts in place of 2"),
        ("<msup><mo>(</mo><mi>n</mi><mo>)</mo><mi>α</mi></msup>", "`msup` with 4 parts in place of 2"),
        ("<mfrac><mi>a</mi></mfrac>", "`mfrac` with 1 parts in place of 2"),
        ("<msubsup><mi>a</mi><mi>b</mi></msubsup>", "`msubsup` with 2 parts in place of 3"),
        ("<munderover><mi>a</mi></munderover>", "`munderover` with 1 parts in place of 3"),
        ("<mi>\\arg</mi>", "`\\arg` is left of the TeX"),
        ("<mi/>", "an empty `mi`"),
        ("<mo><mi>x</mi></mo>", "`mo` that holds other elements"),
        ("<merror><mtext>\\foo</mtext></merror>", "the command `\\foo` is not known, and shown as it is"),
    ],
)
def test_mathml_that_browsers_show_wrong_is_a_fault(mathml: str, fault: str) -> None:
    assert fault in list(faults(ElementTree.fromstring(f"<math>{mathml}</math>")))


def test_a_fault_of_a_formula_is_told_with_its_line_and_the_formula() -> None:
    found = list(defects("One.\n\nTwo $\\nosuch x$\nand $\\frac{a}$.\n", {}))
    assert [(one.line, one.certain) for one in found] == [(3, False), (4, True)]
    assert "`$\\nosuch x$`: the command `\\nosuch`" in found[0].message
    assert "`$\\frac{a}$` is no TeX" in found[1].message and "expected argument" in found[1].message


@pytest.mark.parametrize(
    "sign", ["{", "{{}", "x^{", "\\sqrt{", "\\sqrt", "\\left(", "\\begin{matrix}", "\\hat", "\\binom1"]
)
@pytest.mark.parametrize("length", [3_900, 400_000])
def test_a_formula_nested_beyond_reason_ends_no_process(sign: str, length: int) -> None:
    text = sign * (length // len(sign))
    assert "bad-math" in to_html(f"Text ${text}$.", {}) or "<math" in to_html(f"Text ${text}$.", {})


def sizes(*bodies: str) -> list[tuple[float, float]]:
    """Width and height of each body as Typst sets it, in points."""
    typst: Any = pytest.importorskip("typst")
    source = "".join(
        f"#context {{ let size = measure([{body}]); [#metadata((size.width.pt(), size.height.pt()))<size>] }}\n"
        for body in bodies
    )
    return [(width, height) for width, height in json.loads(typst.query(source.encode(), "<size>", field="value"))]


def inline(formula: str) -> str:
    return typst_math.inline(to_mathml(formula))


def displayed(formula: str) -> str:
    return typst_math.display(to_mathml(formula, display=True))


def test_typst_sets_every_formula_of_the_table() -> None:
    found = sizes(*map(inline, FORMULAS), *map(displayed, FORMULAS))
    assert len(found) == 2 * len(FORMULAS)
    shown = [formula for formula, size in zip(FORMULAS, found, strict=False) if size[0] <= 0]
    assert set(shown) <= {"\\hspace{1em}", "\\phantom{x}"}


def test_floors_and_bars_of_left_and_right_stretch_and_others_do_not() -> None:
    for opening, closing in (
        ("\\lfloor", "\\rfloor"),
        ("\\lceil", "\\rceil"),
        ("|", "|"),
        ("(", ")"),
        ("\\{", "\\}"),
    ):
        inner = "\\frac{\\frac{a}{b}}{c}"
        plain = f"{opening} {inner} {closing}"
        (_, alone), (_, stretched), (_, fixed), (_, sign) = sizes(
            displayed(inner), displayed(f"\\left{opening} {inner} \\right{closing}"), displayed(plain),
            displayed(f"{opening} {closing}"),
        )  # fmt: skip
        assert stretched > alone > 2 * sign and fixed == pytest.approx(alone)


def test_bars_stand_close_to_what_they_hold() -> None:
    (bars, _), (inner, _), (bar, _) = sizes(inline("|a_i|"), inline("a_i"), inline("|"))
    assert bars == pytest.approx(inner + 2 * bar, abs=0.01)
    (product, _), (left, _) = sizes(inline("2|a|"), inline("|a|"))
    (two, _) = sizes(inline("2"))[0]
    assert product == pytest.approx(two + left, abs=0.01)


def test_a_short_formula_never_breaks_and_a_long_one_only_after_a_relation() -> None:
    short = inline("1 \\le a_{i,j} \\le 10^{9}")
    width, height = sizes(short)[0]
    solid = f"#box(width: {width}pt, height: {height}pt)"
    assert broken_like(short) == broken_like(solid) != broken_like(short.removeprefix("#box[").removesuffix("];"))
    long = "a_1 + a_2 + a_3 + a_4 + a_5 + a_6 = b_1 + b_2 + b_3 + b_4 + b_5 + b_6"
    assert inline(long).count("#box[") == 2 and inline(long).index("\\u{3d}") < inline(long).index("#sym.zws")
    (one, line), (_, two) = sizes(inline(long), f"#block(width: 150pt)[{inline(long)}]")
    assert one > 150 and line < two < 3 * line
    assert one == pytest.approx(sizes(f"${inline_row(long)}$")[0][0], abs=0.01)


def broken_like(shown: str) -> list[int]:
    """The number of lines of a text that holds it, for many widths."""
    bodies = [f"#block(width: {width}pt)[aaa bbb {shown} ccc]" for width in range(80, 160, 4)]
    return [round(height / 15) for _, height in sizes(*bodies)]


def inline_row(formula: str) -> str:
    return displayed(formula).removeprefix("$ ").removesuffix(" $")


def test_signs_of_a_formula_are_never_typst_code(double_with: PackageMaker) -> None:
    pytest.importorskip("typst")
    hostile = (
        '$\\text{\\#panic() " \\} ; ] $ }$ and $\\#panic(x); ] )$ and $\\mathrm{\\#panic}$, '
        "$x$(1) $y$.z `a`.b() **c**[d] *e*(f) $\\$ ; //$ $a,b;c:d$\n"
    )
    hostile += "\n| $a,b;c$ | `x` |\n|---|---|\n| $\\binom{a,b}{c;d}$ | y |\n"
    assert render_pdf(load(double_with({"statement/problem.en.md": hostile}))).startswith(b"%PDF-")


def test_a_formula_that_typst_cannot_set_is_shown_as_code_and_the_others_are_set(
    double_with: PackageMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("typst")
    pypdf = pytest.importorskip("pypdf", reason="pypdf is not installed: pip install '.[dev]'")
    original = typst_math.inline
    monkeypatch.setattr(
        typst_math, "inline", lambda math: "#panic()" if "z" in "".join(math.itertext()) else original(math)
    )
    text = "Good $x_1 \\le 2$, bad $z_{17}$.\n"
    pdf = render_pdf(load(double_with({"statement/problem.en.md": text})))
    words = pypdf.PdfReader(io.BytesIO(pdf)).pages[0].extract_text()
    assert "z_{17}" in words and "x_1" not in words and "≤" in words
