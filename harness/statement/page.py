"""A problem's statement as one HTML page that needs nothing else: no network, no fonts, no scripts of others."""

import base64
import hashlib
from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from harness.package import Package
from harness.statement.labels import labels_for
from harness.statement.markdown import to_html
from harness.statement.samples import pieces, samples_of
from harness.statement.source import files_beside, markdown_of, title_of


def render_html(package: Package, language: str | None = None) -> str:
    """The page in `language`, by default the first that the package has (English if it has it).

    Of a statement in LaTeX or PDF it shows title, limits and samples. Raises UsageError for an unknown language.
    """
    chosen, text = markdown_of(package, language)
    assets = files("harness.statement")
    beside = files_beside(package)
    script = (assets / "copy.js").read_text("utf-8").strip()
    template = Environment(autoescape=True, undefined=StrictUndefined).from_string(
        (assets / "page.html.jinja").read_text("utf-8")
    )
    return template.render(
        package=package,
        title=title_of(package, chosen),
        language=chosen,
        label=labels_for(chosen),
        pieces=[
            # Raw HTML is off in to_html.
            (Markup(to_html(piece.text + piece.notes, beside, part)), piece.samples)  # noqa: S704
            for part, piece in enumerate(pieces(text, samples_of(package)))
        ],
        style=Markup((assets / "page.css").read_text("utf-8")),  # noqa: S704 - our own file
        script=Markup(script),  # noqa: S704 - our own file
        script_hash=_csp_hash(script),
    )


def _csp_hash(script: str) -> str:
    """The content security policy admits this one script by its hash."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
