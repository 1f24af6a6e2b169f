"""A statement as one self-contained HTML page (no network, no fonts, no third-party scripts), or as PDF by Typst."""

import base64
import hashlib
import importlib
import shutil
import subprocess
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from harness.errors import MachineError
from harness.files.temporary import temporary_folder
from harness.package import Package
from harness.statement.labels import Labels, labels_for
from harness.statement.markdown import to_html
from harness.statement.samples import Sample, pieces, samples_of
from harness.statement.source import FOLDERS, files_beside, markdown_of, title_of
from harness.statement.typst_page import IMAGES, formulas, string_literal, typst_page
from harness.values import dataclass

_CJK = ("ja", "zh", "ko")
_FONT_LIST_S = 30
MOST_PAGES = 30  # most pages of a PDF statement


@dataclass(frozen=True, kw_only=True)
class StatementView:
    """The values for `statement.html.jinja`. pieces: HTML, and the samples that follow it."""

    package: Package
    language: str
    title: str
    label: Labels
    pieces: Sequence[tuple[Markup, Sequence[Sample]]]


def render_html(package: Package, language: str | None = None) -> str:
    """Return the page in `language`, by default English, else the package's first language.

    Of a statement in LaTeX or PDF it shows title, limits and samples. Raises UsageError for an unknown language.
    """
    return render_page("statement/page.html.jinja", view=view_of(package, language))


def view_of(package: Package, language: str | None, *, first_part: int = 0) -> StatementView:
    """Return the view of a statement. first_part: distinguishes its footnotes from other statements'."""
    chosen, text = markdown_of(package, language)
    beside = files_beside(package)
    return StatementView(
        package=package,
        language=chosen,
        title=title_of(package, chosen),
        label=labels_for(chosen),
        pieces=[
            # Raw HTML is off in to_html.
            (Markup(to_html(piece.text + piece.notes, beside, part)), piece.samples)  # noqa: S704
            for part, piece in enumerate(pieces(text, samples_of(package)), start=first_part)
        ],
    )


def render_page(template: str, **values: object) -> str:
    """Fill a template of the harness, with its style and script inlined."""
    assets = files("harness.statement")
    script = (assets / "copy.js").read_text("utf-8").strip()
    environment = Environment(autoescape=True, undefined=StrictUndefined, loader=PackageLoader("harness", "."))
    return environment.get_template(template).render(
        **values,
        style=Markup((assets / "page.css").read_text("utf-8")),  # noqa: S704 - our own file
        script=Markup(script),  # noqa: S704 - our own file
        script_hash=_csp_hash(script),
    )


def _csp_hash(script: str) -> str:
    """Return the script's hash, by which the content security policy admits this script only."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")


def render_pdf(package: Package, language: str | None = None) -> bytes:
    """Return the PDF. Raises MachineError that says what to install if Typst or a font is missing."""
    with typesetter() as typst:
        chosen, text = markdown_of(package, language)
        check_fonts(chosen)
        labels, parts = labels_for(chosen), pieces(text, samples_of(package))
        typst.add_pictures(package)
        _, result = typst.compiled_leniently(
            lambda faulty: typst_page(package, parts, chosen, labels, as_written=faulty),
            [part.text + part.notes for part in parts],
        )
    if isinstance(result, bytes):
        return result
    raise MachineError(f"Typst could not set the statement in `{chosen}`: {result}") from result


@dataclass(frozen=True, kw_only=True)
class Typesetter:
    """Typst with a private folder for documents and their pictures."""

    typst: Any
    folder: Path

    def add_pictures(self, package: Package, below: str = "", folders: Sequence[str] = FOLDERS) -> None:
        """Write the pictures of these folders of a package to a folder, by default beside the main document."""
        for path, file in files_beside(package, folders).items():
            # Pictures only: a `page.typ` of the package would replace the harness' document.
            if path.lower().endswith(IMAGES):
                self.write(f"{below}/{path}" if below else path, file.read())

    def write(self, path: str, content: bytes) -> None:
        """Write a file for the main document."""
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)

    def compiled(self, source: str, path: str = "page.typ") -> bytes | Exception:
        """Write a document and return its PDF, or the error."""
        self.write(path, source.encode("utf-8"))
        try:
            return bytes(self.typst.compile(str(self.folder / path), root=str(self.folder)))
        except Exception as error:
            return error

    def compiled_leniently(
        self, make: Callable[[Collection[str]], str], texts: Iterable[str], path: str = "page.typ"
    ) -> tuple[str, bytes | Exception]:
        """Return a document and its PDF, or the error. Formulas that Typst cannot set must not break it.

        make: returns the document in which the given formulas are shown as source. texts: its parts in Markdown.
        """
        source = make(())
        result = self.compiled(source, path)
        if not isinstance(result, bytes):
            source = make({formula for text in texts for formula in self._faulty_formulas(text)})
            result = self.compiled(source, path)
        return source, result

    def pages_of(self, path: str) -> int:
        """Return the number of pages of a PDF in the folder."""
        pages = 0
        while pages < MOST_PAGES:
            picture = f"#image({string_literal(path)}, page: {pages + 1})\n"
            if not isinstance(self.compiled(picture), bytes):
                break
            pages += 1
        return pages

    def _faulty_formulas(self, text: str) -> Iterator[str]:
        """Yield the formulas of a Markdown text that Typst cannot set."""
        for formula, document in formulas(text):
            if not isinstance(self.compiled(document), bytes):
                yield formula


@contextmanager
def typesetter() -> Iterator[Typesetter]:
    """Open Typst. Raises MachineError that says what to install if it is missing."""
    try:
        typst = importlib.import_module("typst")
    except ImportError as error:
        raise MachineError("PDF needs Typst: pip install typst (the extra `pdf`)") from error
    with temporary_folder("pdf") as folder:
        yield Typesetter(typst=typst, folder=folder)


def check_fonts(language: str) -> None:
    """Raise MachineError if no font has the letters of a language, because Typst would silently omit them."""
    if language.partition("-")[0] in _CJK and has_font(language) is False:
        raise MachineError(f"no font has the characters of `{language}`: apt install fonts-noto-cjk")


def has_font(language: str) -> bool | None:
    """Return whether a font has the letters of a language; None if fc-list is missing or too slow."""
    tool = shutil.which("fc-list")
    if tool is None:
        return None
    command = [tool, f":lang={language.partition('-')[0]}", "family"]
    try:
        fonts = subprocess.run(command, check=False, capture_output=True, timeout=_FONT_LIST_S)
    except subprocess.TimeoutExpired:
        return None
    return bool(fonts.stdout.strip())
