"""The text of a statement: which language, constants filled in."""

import re

from harness.errors import UsageError
from harness.package import Package
from harness.package.constants import substitute
from harness.package.files import File
from harness.statement import latextext
from harness.statement.samples import samples_of

_CONSTANT = re.compile(r"\\constant\{([A-Za-z0-9_.]{1,100})\}")


def chosen_language(package: Package, language: str | None) -> str:
    """The language asked for; else English, else the first."""
    available = sorted(package.statements)
    if not available:
        raise UsageError(f"{package.slug} has no statement")
    if language is None:
        return "en" if "en" in available else available[0]
    if language not in available:
        raise UsageError(f"{package.slug} has no statement in `{language}`, only in {', '.join(available)}")
    return language


def is_markdown(package: Package, language: str) -> bool:
    """Whether we can read the statement itself."""
    return package.statements[language].origin.suffix == ".md"


def markdown_of(package: Package, language: str | None) -> tuple[str, str]:
    """The language and the Markdown; of LaTeX the text, marked as such; for PDF, a line that says where it is."""
    chosen = chosen_language(package, language)
    file = package.statements[chosen]
    if file.origin.suffix == ".tex":
        return chosen, _of_latex(package, file)
    if not is_markdown(package, chosen):
        return chosen, f"*The statement is in `{file.origin.name}`; limits and samples are shown here.*\n"
    return chosen, substitute(file.read(), package.constants).decode("utf-8", errors="replace")


def _of_latex(package: Package, file: File) -> str:
    text = substitute(file.read(), package.constants).decode("utf-8", errors="replace")
    text = _CONSTANT.sub(lambda found: _constant(package, found[1]) or found[0], text)
    return f"*The text of `{file.origin.name}`, which is LaTeX: not set by TeX.*\n\n{latextext.as_markdown(text)}"


def _constant(package: Package, name: str) -> str | None:
    base, _, variant = name.partition(".")
    return package.constants.get(base, {}).get(variant or "value")


def render_markdown(package: Package, language: str | None = None) -> str:
    """The statement as plain Markdown with title, limits and samples, for other tools and for reading as text."""
    chosen, text = markdown_of(package, language)
    limits = f"{package.limits.time_limit_s:g} s, " if package.limits.time_limit_s is not None else ""
    title = package.names.get(chosen, package.title)
    parts = [f"# {title}\n\n{limits}{package.limits.memory_mib} MiB\n\n{text.strip()}\n"]
    for sample in samples_of(package):
        shown = [("<" if turn.by_judge else ">") + " " + turn.text for turn in sample.turns]
        blocks = ["\n".join(shown)] if shown else [sample.input, sample.output]
        fences = "\n\n".join(f"```\n{block.rstrip(chr(10))}\n```" for block in blocks)
        parts.append(f"\n## Sample {sample.number}\n\n{fences}\n")
    return "".join(parts)
