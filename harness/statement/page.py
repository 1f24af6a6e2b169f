"""A problem's statement as one HTML page that needs nothing else: no network, no fonts, no scripts of others."""

import base64
import hashlib
from dataclasses import dataclass
from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from harness.errors import UsageError
from harness.package import Case, Package
from harness.package.constants import substitute
from harness.package.files import below
from harness.statement.labels import labels_for
from harness.statement.markdown import to_html


@dataclass(frozen=True, kw_only=True)
class Sample:
    """One sample as it is shown."""

    number: int
    input: str
    output: str


def render_html(package: Package, language: str | None = None) -> str:
    """The page in `language`, by default the first that the package has (English if it has it).

    Raises UsageError for a language that the package lacks, or a statement that is not Markdown.
    """
    chosen = _language(package, language)
    file = package.statements[chosen]
    if file.origin.suffix != ".md":
        raise UsageError(f"{file.origin}: only Markdown statements are rendered by this version")
    text = substitute(file.read(), package.constants).decode("utf-8")
    assets = files("harness.statement")
    script = (assets / "copy.js").read_text("utf-8").strip()
    template = Environment(autoescape=True, undefined=StrictUndefined).from_string(
        (assets / "page.html.jinja").read_text("utf-8")
    )
    return template.render(
        package=package,
        title=package.names[chosen],
        language=chosen,
        label=labels_for(chosen),
        body=Markup(to_html(text, below(package.files, "statement"))),  # noqa: S704 - raw HTML is off in to_html
        samples=[_sample(number, case) for number, case in enumerate(package.sample.cases, start=1)],
        style=Markup((assets / "page.css").read_text("utf-8")),  # noqa: S704 - our own file
        script=Markup(script),  # noqa: S704 - our own file
        script_hash=_csp_hash(script),
    )


def _language(package: Package, language: str | None) -> str:
    available = sorted(package.statements)
    if language is None:
        return "en" if "en" in available else available[0]
    if language not in available:
        raise UsageError(f"{package.slug} has no statement in `{language}`, only in {', '.join(available)}")
    return language


def _sample(number: int, case: Case) -> Sample:
    shown = case.output or case.answer
    return Sample(
        number=number,
        input=case.input.read().decode("utf-8", errors="replace"),
        output=shown.read().decode("utf-8", errors="replace") if shown is not None else "",
    )


def _csp_hash(script: str) -> str:
    """The content security policy admits this one script by its hash."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
