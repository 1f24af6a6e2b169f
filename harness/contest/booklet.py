"""Write all statements of a contest as one PDF or one web page, and its editorials as slides; with Typst, not TeX."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import field

from harness.contest.contest import Contest, ContestProblem, clock, color_of, is_dark
from harness.contest.read import Reading, opened_package
from harness.errors import MachineError, PackageError, UsageError, first_few
from harness.package import Package
from harness.package.checks import unshown_statement
from harness.package.files import File
from harness.package.load import load_to_read
from harness.statement.labels import labels_for
from harness.statement.page import StatementView, Typesetter, check_fonts, render_page, typesetter, view_of
from harness.statement.samples import pieces, samples_of
from harness.statement.source import (
    SOLUTION_FOLDERS,
    files_beside,
    markdown_of,
    solution_markdown,
    solution_of,
    title_of,
)
from harness.statement.typst_page import limits_of, string_literal, text_style, typst_body, typst_text
from harness.values import dataclass

_PLAIN = "#ffffff"
_PARTS = 1000  # most parts of a statement: keeps the footnote numbers of several statements distinct
_NAMED = 5  # problems that an error names
_COMMON = """#let balloon(label, fill, ink, size: 22pt) = box(baseline: 25%, circle(radius: size / 2, fill: rgb(fill),
  stroke: 0.8pt + black, align(center + horizon, text(font: "Libertinus Serif", size: size * 0.55, weight: "bold",
  fill: rgb(ink), label))))
"""
_COVER = """#set document(title: {title})
#set page(paper: "a4", margin: 2.2cm)
#[{style}
#v(1fr)
#align(center)[#text(size: 30pt, weight: "bold", {title})
#v(0.6em)
#text(size: 13pt, fill: luma(60), {when})
#v(2em)
#block(table(columns: 5, stroke: none, align: (center + horizon, left + horizon, left + horizon, right + horizon,
  right + horizon), inset: 6pt, table.hline(stroke: 0.8pt),
  {rows}
  table.hline(stroke: 0.8pt)))]
#v(2fr)]
"""
_PROBLEM = """#set page(numbering: "1", header: text(size: 9pt, fill: luma(60), {header}))
#include {path}
"""
_HEADING = """#grid(columns: (auto, 1fr), column-gutter: 10pt, align: horizon,
  balloon({label}, {fill}, {ink}, size: 34pt),
  [#text(size: 20pt, weight: "bold", {title}) \\ #text(fill: luma(90), {limits})])
#v(0.5em)

"""
_PDF_PAGE = """#page(margin: 0pt, header: none, image({name}, page: {number}, width: 100%, height: 100%,
  fit: "contain"))
"""
_SLIDES = """#set document(title: {title})
#set page(paper: "presentation-16-9", margin: (x: 1.6cm, y: 1.4cm))
"""
_SLIDE_STYLE = """#set text(size: 17pt)
#set par(justify: false)
#show heading: it => { pagebreak(weak: true); text(size: 24pt, weight: "bold", it.body); v(0.4em) }
"""


@dataclass(frozen=True, kw_only=True)
class Booklet:
    """The document, and what is missing from it."""

    content: bytes
    missing: tuple[str, ...] = ()


@dataclass(kw_only=True)
class _Missing:
    """Collects messages about what is missing from a document. read: reads the package in a folder."""

    read: Reading
    lines: list[str] = field(default_factory=list)

    def packages(self, contest: Contest) -> Iterator[tuple[ContestProblem, Package]]:
        """Yield the packages with a statement. The files of a package exist only until the next one is yielded."""
        for problem in contest.problems:
            with ExitStack() as stack:
                try:
                    package, _ = stack.enter_context(opened_package(problem, self.read))
                except (PackageError, UsageError) as error:
                    self.note(problem, error)
                    continue
                if package.statements:
                    yield problem, package
                else:
                    self.note(problem, _without_statement(package))

    def note(self, problem: ContestProblem, why: object) -> None:
        """Add what is missing of a problem."""
        self.lines.append(f"{problem.label} {problem.slug}: {why}")

    def refusal(self, contest: Contest, what: str) -> UsageError:
        """Return the error that no problem of the contest has `what`, with the reasons."""
        return UsageError(f"{contest.root}: no problem has {what}: {first_few(self.lines, _NAMED)}")


def booklet_pdf(contest: Contest, languages: Sequence[str] = (), *, read: Reading = load_to_read) -> Booklet:
    """Return the statements in one PDF: a title page, then every problem in each of its languages.

    languages: by default English, or a problem's first language. read: see `opened_package`. Raises MachineError if
    Typst or a font is missing, UsageError if no problem has a statement in any of the languages.
    """
    missing = _Missing(read=read)
    with typesetter() as typst:
        rows, parts = list[str](), list[str]()
        cover_language = languages[0] if languages else "en"
        for problem, package in missing.packages(contest):
            rows.append(_cover_row(problem, package, cover_language))
            chosen = _languages(problem, package, languages, missing)
            for language in chosen:
                check_fonts(language)
                path = f"{problem.slug}/{language}.typ"
                typst.add_pictures(package, problem.slug)
                typst.write(path, _problem_source(typst, problem, package, language).encode("utf-8"))
                title = title_of(package, language)
                header = f"{contest.name}    {problem.label}: {title}"
                parts.append(_PROBLEM.format(header=string_literal(header), path=string_literal(path)))
        if not parts:
            raise missing.refusal(contest, f"a statement{_in(languages)}")
        cover = _COVER.format(
            title=string_literal(contest.name), style=text_style(cover_language), when=string_literal(_when(contest)),
            rows="\n  ".join(rows),
        )  # fmt: skip
        return Booklet(content=_typeset(typst, _COMMON + cover + "".join(parts)), missing=tuple(missing.lines))


def booklet_html(contest: Contest, languages: Sequence[str] = (), *, read: Reading = load_to_read) -> Booklet:
    """Return the statements on one offline page, below a list of the problems. Raises UsageError likewise."""
    missing, views = _Missing(read=read), list[tuple[ContestProblem, StatementView]]()
    for problem, package in missing.packages(contest):
        for language in _languages(problem, package, languages, missing):
            views.append((problem, view_of(package, language, first_part=_PARTS * (len(views) + 1))))
    if not views:
        raise missing.refusal(contest, f"a statement{_in(languages)}")
    page = render_page(
        "contest/booklet.html.jinja",
        contest=contest,
        when=_when(contest),
        views=views,
        white=_PLAIN,
        is_dark=is_dark,
    )
    return Booklet(content=page.encode("utf-8"), missing=tuple(missing.lines))


def slides_pdf(contest: Contest, language: str = "en") -> Booklet:
    """Return the editorials (`solution/`) as slides: a title slide per problem, then a slide per heading.

    Raises UsageError if no problem has one.
    """
    missing, has_any = _Missing(read=load_to_read), False
    with typesetter() as typst:
        title = string_literal(contest.name)
        parts = [_COMMON, _SLIDES.format(title=title)]
        parts.append(f'#align(center + horizon, text(size: 36pt, weight: "bold", {title}))\n')
        for problem, package in missing.packages(contest):
            has_any = has_any or solution_of(package, language) is not None
            path = f"{problem.slug}/solution.typ"
            typst.add_pictures(package, problem.slug, SOLUTION_FOLDERS)
            typst.write(path, _slides_source(typst, problem, package, language, missing).encode("utf-8"))
            parts.append(f"#pagebreak()\n#include {string_literal(path)}\n")
        if not has_any:
            raise missing.refusal(contest, "a solution to show")
        return Booklet(content=_typeset(typst, "".join(parts)), missing=tuple(missing.lines))


def _typeset(typst: Typesetter, source: str) -> bytes:
    """Return the PDF of a Typst document."""
    result = typst.compiled(source)
    if isinstance(result, bytes):
        return result
    raise MachineError(f"Typst could not set the document: {result}") from result


def _languages(
    problem: ContestProblem, package: Package, languages: Sequence[str], missing: _Missing
) -> list[str]:
    if not languages:
        return ["en" if "en" in package.statements else min(package.statements)]
    for language in languages:
        if language not in package.statements:
            missing.note(problem, f"no statement in `{language}`")
    return [language for language in languages if language in package.statements]


def _without_statement(package: Package) -> str:
    hidden = unshown_statement(package)
    if hidden is None:
        return "no statement"
    return f"its statement is {hidden.origin.name}, which is not read: use the package that it was made from"


def _in(languages: Sequence[str]) -> str:
    return f" in {', '.join(languages)}" if languages else ""


def _when(contest: Contest) -> str:
    length = f"{clock(contest.duration_s).removesuffix(':00')} h" if contest.duration_s else ""
    return ", ".join(part for part in ((contest.start_time or "").replace("T", " ")[:16], length) if part)


def _fill(problem: ContestProblem) -> tuple[str, str]:
    """Return the colours of the balloon and of the letter on it, as Typst source."""
    fill = problem.rgb or _PLAIN
    return string_literal(fill), string_literal("#ffffff" if is_dark(fill) else "#000000")


def _color_name(problem: ContestProblem) -> str:
    """Return the colour in words, because a booklet may be printed in black and white."""
    return problem.color or (color_of(problem.rgb) if problem.rgb else "")


def _cover_row(problem: ContestProblem, package: Package, language: str) -> str:
    fill, ink = _fill(problem)
    limit_s = package.limits.time_limit_s
    cells = (
        title_of(package, language),
        _color_name(problem),
        f"{limit_s:g} s" if limit_s is not None and package.runs_submissions else "",
        f"{package.limits.memory_mib} MiB" if package.runs_submissions else "",
    )
    return f"balloon({string_literal(problem.label)}, {fill}, {ink}), {', '.join(map(string_literal, cells))},"


def _heading(problem: ContestProblem, package: Package, language: str) -> str:
    fill, ink = _fill(problem)
    limits = [*limits_of(package, labels_for(language)), _color_name(problem)]
    return _HEADING.format(
        label=string_literal(problem.label), fill=fill, ink=ink, title=string_literal(title_of(package, language)),
        limits=string_literal("    ".join(filter(None, limits))),
    )  # fmt: skip


def _problem_source(typst: Typesetter, problem: ContestProblem, package: Package, language: str) -> str:
    """Return the Typst file of a statement. The pages of a PDF statement are included unchanged."""
    file = package.statements[language]
    if file.origin.suffix == ".pdf":
        return _pages_of_pdf(typst, f"{problem.slug}/statement.pdf", file)
    _, text = markdown_of(package, language, with_note=False)
    labels, parts = labels_for(language), pieces(text, samples_of(package))
    head = _COMMON + text_style(language) + _heading(problem, package, language)
    source, _ = typst.compiled_leniently(
        lambda faulty: head + typst_body(package, parts, labels, as_written=faulty),
        [part.text + part.notes for part in parts],
        f"{problem.slug}/trial.typ",
    )
    return source


def _pages_of_pdf(typst: Typesetter, path: str, file: File) -> str:
    """Return the Typst source that shows the pages of a PDF. path: where to write it, beside the source."""
    typst.write(path, file.read())
    name = string_literal(path.rpartition("/")[2])
    return "".join(_PDF_PAGE.format(name=name, number=number + 1) for number in range(typst.pages_of(path)))


def _slides_source(
    typst: Typesetter, problem: ContestProblem, package: Package, language: str, missing: _Missing
) -> str:
    """Return the Typst file of one problem's slides."""
    authors = ", ".join(author.name for author in package.authors)
    head = _COMMON + text_style(language) + _SLIDE_STYLE + "#v(1fr)\n" + _heading(problem, package, language)
    head += f"#text(fill: luma(90), {string_literal(authors)})\n#v(2fr)\n"
    file = solution_of(package, language)
    if file is None:
        missing.note(problem, f"no solution (solution/solution.{language}.md, .tex or .pdf)")
        return head
    if file.origin.suffix == ".pdf":
        pages = _pages_of_pdf(typst, f"{problem.slug}/solution.pdf", file)
        if not pages:
            missing.note(problem, f"{file.origin.name} cannot be read")
        return head + pages
    text = solution_markdown(package, file, title_of(package, language))
    pictures = files_beside(package, SOLUTION_FOLDERS)
    source, _ = typst.compiled_leniently(
        lambda faulty: f"{head}#pagebreak()\n{typst_text(text, pictures, faulty)}",
        [text],
        f"{problem.slug}/trial.typ",
    )
    return source
