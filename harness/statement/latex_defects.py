"""Find what a page does not show of a statement in LaTeX, with file and line."""

import itertools
import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from harness.package import Package
from harness.package.files import File
from harness.statement.latex_macros import INPUT, LONGEST, input_named, picture_named, without_definitions
from harness.statement.latex_text import PICTURE, without_code
from harness.statement.markdown import Defect, defects, image_defect
from harness.statement.source import files_beside, inputs_beside, of_latex, text_of
from harness.values import dataclass

_MOST = 30  # defects of one kind
_MOST_FILES = 20
# Commands without a meaning for a page, or whose content is shown though they are dropped.
_HARMLESS = """
    allowbreak arraybackslash arraystretch baselineskip begingroup bf bfseries bgroup bigbreak break center
    centering centerline clearpage columnsep columnwidth displaystyle doublespacing egroup em emph endcenter
    endgroup endminipage enspace extracolsep filbreak footnotemark footnotesize frametitle frenchspacing fussy
    hfil hfill hline href hskip hspace hss huge Huge hyphenation ignorespaces indent it item itemsep itshape
    justifying kern large Large LARGE leavevmode let limits linewidth makeatletter makeatother maketitle mbox
    mdseries medbreak minipage needspace newcolumntype nobreak noindent nolinebreak nonumber nopagebreak
    normalfont normalsize null obeylines onehalfspacing pagebreak parindent parsep parskip partopsep problemname
    problemtitle protect qquad quad raggedleft raggedright relax rm rmfamily samepage sc scriptsize scshape
    selectlanguage setlist sf sffamily singlespacing sl sloppy slshape small smallbreak smash strut tabcolsep
    tableofcontents text textbf textit textnormal textrm textsc textsf textsubscript textsuperscript texttt
    textwidth thinspace thispagestyle tiny topsep tt ttfamily underline unskip upshape url vfil vfill vline vskip
    vspace vss xspace DeclareUnicodeCharacter iff newtheorem setlength tolerance
"""
_REFERENCE = re.compile(r"\\(?:(?:auto|page|eq|c|C)?ref|cite)\*?\{[^{}\n]{0,100}\}")
_CODE_BLOCK = re.compile(r"\\begin\{((?:verbatim|lstlisting|minted|Verbatim|alltt)\*?)\}")
_CODE_OR_ADDRESS = re.compile(
    r"\\(?:verb\*?|(?:lstinline|mintinline)(?:\[[^\]\n]{0,200}\])?(?:\{[a-z+]{0,20}\})?)([^\w\s{*\[])[^\n]{0,500}?\1"
    r"|\\(?:lstinline|mintinline\{[a-z+]{0,20}\})(?:\[[^\]\n]{0,200}\])?\{(?:[^{}\n]|\{[^{}\n]{0,200}\}){0,500}\}"
    r"|\\(?:url|path|nolinkurl|href)\{[^{}\n]{0,500}\}"
)
# Definitions that `without_definitions` does not know: what they open is closed elsewhere.
_DEFINES = re.compile(r"\\(?:re)?newenvironment|\\[gex]?def\\|\\(?:re|provide|new)*command[^\n]{0,80}\.\n")
_PARTNERS = {"\\]": "\\[", "\\)": "\\(", "}": "{"}
_BRACKET = re.compile(
    r"\\(?P<side>begin|end)\{(?P<name>[A-Za-z]{1,30}\*?)\}|\\[^\[\](){}]|\\[{}]|\\[\[\]()]|[{}]", re.DOTALL
)
_DEEPEST = 100


@dataclass(frozen=True, kw_only=True)
class LatexDefect:
    """A defect and its file. line: None if it cannot be told."""

    file: File
    line: int | None
    message: str
    unread: bool = False


@dataclass(frozen=True, kw_only=True)
class _Text:
    """The LaTeX of a file without code and comments, with the lines of the file."""

    file: File
    latex: str

    @cached_property
    def squeezed(self) -> str:
        """Return the text without blanks."""
        return "".join(self.latex.split())

    def place_of(self, index: int) -> int:
        """Return the index in the text of an index in `squeezed`."""
        places = (at for at, letter in enumerate(self.latex) if not letter.isspace())
        return next(itertools.islice(places, index, None))

    def defect(self, at: int, message: str, *, unread: bool = False) -> LatexDefect:
        """Return a defect at an index of the text."""
        made = self.file.content is not None  # Polygon's sections are joined: lines are not those of a file
        line = None if made else self.latex.count("\n", 0, at) + 1
        return LatexDefect(file=self.file, line=line, message=message, unread=unread)


def latex_defects(package: Package, language: str) -> Iterator[LatexDefect]:
    """Yield what a page lacks: pictures, files, formulas, commands; and what is not closed."""
    statement, beside = package.statements[language], files_beside(package)
    texts = _texts(package, statement, beside)
    for text in texts:
        for kind in (_missing(text, beside), _references(text), _open_formulas(text), _open_brackets(text)):
            yield from itertools.islice(kind, _MOST)
    dropped = set[str]()
    markdown = of_latex(package, text_of(package, statement), beside, dropped)
    yield from itertools.islice(_commands(texts, dropped), _MOST)
    formulas = (defect for defect in defects(markdown, beside) if defect.formula)
    for defect in itertools.islice(formulas, _MOST):
        yield _of_formula(texts, defect)


def _texts(package: Package, statement: File, beside: Mapping[str, File]) -> list[_Text]:
    """Return the statement and the files that it takes in, each once."""
    inputs, texts = (
        inputs_beside(package, beside),
        [_Text(file=statement, latex=_bare(text_of(package, statement)))],
    )
    taken, length = set[str](), len(texts[0].latex)
    for text in texts:  # grows
        for match in INPUT.finditer(text.latex):
            name = input_named(match[1], inputs)
            if name is not None and name not in taken and len(texts) < _MOST_FILES and length < LONGEST:
                taken.add(name)
                length += len(inputs[name])
                texts.append(_Text(file=beside[name], latex=_bare(inputs[name])))
    return texts


def _bare(latex: str) -> str:
    """Return the text with dots in place of code, addresses, comments and ends of lines in tables."""
    text = _without_code_blocks(latex[:LONGEST].replace("\r\n", "\n").replace("\\\\", ".."))
    return without_code(_CODE_OR_ADDRESS.sub(lambda match: "." * len(match[0]), text))


def _without_code_blocks(text: str) -> str:
    parts, at, endless = list[str](), 0, set[str]()
    for match in _CODE_BLOCK.finditer(text):
        end = f"\\end{{{match[1]}}}"
        if match.start() < at or end in endless:
            continue
        found = text.find(end, match.end())
        if found < 0:
            endless.add(end)
            continue
        parts += (text[at : match.start()], re.sub(r"[^\n]", ".", text[match.start() : found + len(end)]))
        at = found + len(end)
    return "".join(parts) + text[at:]


def _missing(text: _Text, beside: Mapping[str, File]) -> Iterator[LatexDefect]:
    for match in INPUT.finditer(text.latex):
        if "#" not in match[1] and input_named(match[1], beside) is None:
            yield text.defect(
                match.start(), f"`{match[0]}`: no such file is beside the statement, so nothing is shown for it"
            )
    for match in PICTURE.finditer(text.latex):
        named = (match[1] or match[2] or match[4] or "").strip()
        shown = picture_named(named, beside)
        if "#" not in named and "\\" not in named and (shown is None or shown.endswith(".pdf")):
            known = shown is not None or named.removeprefix("./") in beside
            yield text.defect(match.start(), image_defect(shown or named, known=known))


def _references(text: _Text) -> Iterator[LatexDefect]:
    for match in _REFERENCE.finditer(text.latex):
        yield text.defect(match.start(), f"`{match[0]}` is shown as nothing: write what it stands for")


def _open_formulas(text: _Text) -> Iterator[LatexDefect]:
    """Yield paragraphs with an odd number of `$`: a formula ends within its paragraph."""
    at = 0
    for paragraph in re.split(r"(\n[ \t]*\n)", text.latex):
        if len(_dollars(paragraph)) % 2:
            ends = list(
                itertools.accumulate(paragraph.split("\n"), lambda sum_, line: sum_ + len(line) + 1, initial=0)
            )
            odd = next(
                end for end, line in zip(ends, paragraph.split("\n"), strict=False) if len(_dollars(line)) % 2
            )
            yield text.defect(at + odd, "`$` has no partner in its paragraph: close the formula, or write `\\$`")
        at += len(paragraph)


def _dollars(text: str) -> list[str]:
    return [sign for sign in re.findall(r"\\.|\$", text, re.DOTALL) if sign == "$"]


def _open_brackets(text: _Text) -> Iterator[LatexDefect]:
    """Yield environments, braces and formulas that are not closed, and ends without a beginning."""
    opened: list[tuple[str, int]] = []
    if _DEFINES.search(text.latex):
        return
    for match in _BRACKET.finditer(without_definitions(text.latex)):
        sign = match[0]
        if match["side"] == "begin" or sign in _PARTNERS.values():
            opened.append((sign, match.start()))
            continue
        partner = f"\\begin{{{match['name']}}}" if match["side"] else _PARTNERS.get(sign)
        if partner is None:
            continue
        names = [name for name, _ in opened[-_DEEPEST:]]
        if partner not in names:
            yield text.defect(match.start(), f"`{sign}` has no `{partner}` before it")
            continue
        while opened[-1][0] != partner:
            yield _open(text, *opened.pop())
        opened.pop()
    for name, at in opened:
        yield _open(text, name, at)


def _open(text: _Text, name: str, at: int) -> LatexDefect:
    return text.defect(at, f"`{name}` is not closed")


def _commands(texts: list[_Text], dropped: set[str]) -> Iterator[LatexDefect]:
    branches = {name for name in dropped if name.startswith("if") and name != "iff"}
    for name in sorted(dropped - set(_HARMLESS.split()) - ({"else", "fi"} if branches else set())):
        message = f"the command `\\{name}` is not known: it is left out, and what stands in its braces is shown"
        if name in branches:
            message = f"the command `\\{name}` is not decided: both branches are shown"
        yield _located(texts, rf"\\{name}(?![A-Za-z])", message)


def _of_formula(texts: list[_Text], defect: Defect) -> LatexDefect:
    """Return a defect at the formula, whatever its blanks; without a line if a macro has made it."""
    formula = "".join(defect.formula.split())
    for text in texts:
        at = text.squeezed.find(formula)
        if at >= 0:
            return text.defect(text.place_of(at), defect.message, unread=defect.unread)
    return LatexDefect(file=texts[0].file, line=None, message=defect.message, unread=defect.unread)


def _located(texts: list[_Text], pattern: str, message: str) -> LatexDefect:
    """Return a defect at the first place of a pattern; without a line if a macro has made the text."""
    for text in texts:
        match = re.search(pattern, text.latex)
        if match is not None:
            return text.defect(match.start(), message)
    return LatexDefect(file=texts[0].file, line=None, message=message)
