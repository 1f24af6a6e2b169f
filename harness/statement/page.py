"""A problem's statement as one self-contained HTML page: no network, no fonts, no third-party scripts."""

import base64
import hashlib
from collections.abc import Sequence
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from harness.package import Package
from harness.statement.markdown import to_html
from harness.statement.samples import Labels, Sample, labels_for, pieces, samples_of
from harness.statement.source import files_beside, markdown_of, title_of
from harness.values import dataclass


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
