"""Read the text of a statement: choose the language, convert it to Markdown, substitute constants."""

import re
from collections.abc import Iterator, Mapping, Sequence

from harness.errors import UsageError
from harness.package import Package
from harness.package.constants import substitute
from harness.package.files import File, below
from harness.statement import latex_text
from harness.statement.beamer import slides_as_sections
from harness.statement.latex_macros import with_inputs
from harness.statement.samples import Sample, Turn, pieces, samples_of

FOLDERS = ("statement", "problem_statement")
SOLUTION_FOLDERS = (*FOLDERS, "solution")
_LARGEST_INPUT = 1 << 18
_TITLE = re.compile(r"\A\ufeff?\s{0,100}#[ \t]+([^\n]{1,200})")
_ATTRIBUTES = re.compile(r"(!\[[^\]\n]{0,500}\]\([^()\n]{1,500}\))\{(?=[ \t]{0,9}[#.\w])[\w#.%=\"' \t-]{1,200}\}")
_SIZES = re.compile(r"(\\includegraphics\*?)\s{0,3}\[[^\]]{0,300}\]")
_CONSTANT = re.compile(r"\\constant\{([A-Za-z0-9_.]{1,100})\}")


def chosen_language(package: Package, language: str | None) -> str:
    """Return the given language, else English, else the first. Raises UsageError for a language without a statement."""
    available = sorted(package.statements)
    if not available:
        raise UsageError(f"{package.slug} has no statement")
    if language is None:
        return "en" if "en" in available else available[0]
    if language not in available:
        raise UsageError(f"{package.slug} has no statement in `{language}`, only in {', '.join(available)}")
    return language


def is_markdown(package: Package, language: str) -> bool:
    """Return whether the statement is written in Markdown."""
    return package.statements[language].origin.suffix == ".md"


def markdown_of(package: Package, language: str | None, *, with_note: bool = True) -> tuple[str, str]:
    """Return the language and the Markdown. LaTeX is converted; for a PDF it is a line that names the file.

    with_note: begin a converted text with a line that says so.
    """
    chosen = chosen_language(package, language)
    file = package.statements[chosen]
    if file.origin.suffix == ".tex":
        note = f"*The text of `{file.origin.name}`, which is LaTeX: not set by TeX.*\n\n" if with_note else ""
        return chosen, note + of_latex(package, text_of(package, file), files_beside(package))
    if not is_markdown(package, chosen):
        return chosen, f"*The statement is in `{file.origin.name}`; limits and samples are shown here.*\n"
    text = substitute(file.read(), package.constants, file.origin).decode("utf-8", errors="replace")
    return chosen, _ATTRIBUTES.sub(r"\1", plain_markdown(text, package.names.get(chosen, package.title)))


def plain_markdown(text: str, title: str) -> str:
    """Convert HTML, and remove the title, which is shown elsewhere. Pictures may have a `{width=…}` behind them."""
    heading = _TITLE.match(text)
    if heading is not None and heading[1].strip() == title.strip():
        text = "\n" * heading[0].count("\n") + text[heading.end() :]  # lines keep their numbers
    return _html_as_markdown(text)


def solution_of(package: Package, language: str) -> File | None:
    """Return the text of the solution in the language, else in English, else in any language."""
    codes = (language, "en", *sorted(package.solutions))
    return next((package.solutions[code] for code in codes if code in package.solutions), None)


def solution_markdown(package: Package, file: File, title: str) -> str:
    """Return a solution in Markdown. Slides in LaTeX become sections. title: of slides without one."""
    if file.origin.suffix != ".tex":
        return substitute(file.read(), package.constants, file.origin).decode("utf-8", errors="replace")
    beside = files_beside(package, SOLUTION_FOLDERS)
    whole = with_inputs(text_of(package, file), inputs_beside(package, beside))
    slides = _SIZES.sub(r"\1", slides_as_sections(whole, title))  # beamer's slides are smaller than ours
    return of_latex(package, slides, beside)


def files_beside(package: Package, folders: Sequence[str] = FOLDERS) -> Mapping[str, File]:
    """Return the files beside the statements, by relative path and by file name."""
    files: dict[str, File] = {}
    for folder in folders:
        files |= below(package.files, folder)
    return {**{path.rpartition("/")[2]: file for path, file in files.items()}, **files}


def title_of(package: Package, language: str) -> str:
    """Return the problem's name in a language. Names from LaTeX statements are converted to plain text."""
    name = package.names.get(language, package.title)
    foreign = language not in package.names  # the name is in another statement's language
    statements = [file for code, file in package.statements.items() if foreign or code == language]
    is_latex = any(file.origin.suffix == ".tex" for file in statements) and ("\\" in name or "$" in name)
    return latex_text.plain(name) or name if is_latex else name


def inputs_beside(package: Package, beside: Mapping[str, File]) -> dict[str, str]:
    """Return the texts that a LaTeX text may include, by name."""
    return {
        name: text_of(package, other)
        for name, other in beside.items()
        if name.endswith(".tex") and other.size() <= _LARGEST_INPUT
    }


def of_latex(package: Package, latex: str, beside: Mapping[str, File], dropped: set[str] | None = None) -> str:
    """Convert a LaTeX text to Markdown. dropped: gets the commands that are left out."""
    text = with_inputs(latex, inputs_beside(package, beside))
    text = _CONSTANT.sub(lambda match: _constant(package, match[1]) or match[0], text)
    return latex_text.as_markdown(text, beside, dropped)


def text_of(package: Package, file: File) -> str:
    """Decode UTF-8, or else Latin-1, in which older statements are written."""
    content = substitute(file.read(), package.constants, file.origin)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _constant(package: Package, name: str) -> str | None:
    base, _, variant = name.partition(".")
    return package.constants.get(base, {}).get(variant or "value")


def render_markdown(package: Package, language: str | None = None) -> str:
    """Return the statement as plain Markdown with title, limits and samples."""
    chosen, text = markdown_of(package, language)
    time_limit = f"{package.limits.time_limit_s:g} s, " if package.limits.time_limit_s is not None else ""
    limits = f"\n{time_limit}{package.limits.memory_mib} MiB\n" if package.runs_submissions else ""
    parts = [f"# {title_of(package, chosen)}\n{limits}"]
    for piece in pieces(text, samples_of(package)):
        parts += [f"\n{piece.text.strip()}\n"] if piece.text.strip() else []
        parts += map(_sample, piece.samples)
    return "".join(parts)


def _sample(sample: Sample) -> str:
    shown = [line for turn in sample.turns for line in _interaction_lines(turn)]
    blocks = ["\n".join(shown)] if shown else [sample.input, sample.output]
    fences = "\n\n".join(f"```\n{block.rstrip(chr(10))}\n```" for block in blocks)
    return f"\n## Sample {sample.number}\n\n{fences}\n"


def _interaction_lines(turn: Turn) -> Iterator[str]:
    """Yield the lines of a turn in the form of a `.interaction` file."""
    if turn.new_pass:
        yield "---"
    for line in turn.text.splitlines() or [""]:
        yield f"{'<' if turn.by_judge else '>'} {line}".rstrip()


# Code is skipped. Every repetition is bounded: the text is untrusted.
_HTML = re.compile(
    r"(?P<code>^(?P<fence>`{3,9}|~{3,9})(?:(?!^(?P=fence)).){0,20000}(?:^(?P=fence)[^\n]*)?|`[^`\n]{1,2000}`)"
    r"|(?P<comment><!--)"
    r"|<img\b(?P<image>[^<>]{0,2000})>"
    r"|(?P<line><br[ \t]{0,9}/?>)"
    r"|<(?P<height>su[bp])>(?P<small>[A-Za-z0-9+-]{1,20})</su[bp]>"
    r"|</?(?P<emphasis>b|strong|i|em)>"
    r"|</?(?:figure|figcaption|center|div|span|p)\b[^<>]{0,500}>",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
_COMMENT_END = "-->"
_ATTRIBUTE = r"""\b{}[ ]?=[ ]?(?:"([^"<>\n]{{0,500}})"|'([^'<>\n]{{0,500}})')"""
_SOURCE, _ALTERNATIVE = (re.compile(_ATTRIBUTE.format(name), re.IGNORECASE) for name in ("src", "alt"))
_WIDTH = re.compile(r"(?<![\w-])width ?[=:] ?[\"']?([0-9.]{1,9}(?:%|[a-z]{2})?)(?=[\"'; /]|\Z)", re.IGNORECASE)
_STARS = {"b": "**", "strong": "**", "i": "*", "em": "*"}


def _html_as_markdown(text: str) -> str:
    """Remove comments, and convert pictures, line breaks, sub- and superscripts and emphasis.

    Lines keep their numbers, except after a `<br>` within a line.
    """
    parts, at, last_end = list[str](), 0, text.rfind(_COMMENT_END)
    while (part := _HTML.search(text, at)) is not None:
        parts.append(text[at : part.start()])
        at = part.end()
        if part["comment"] is None:
            parts.append(_converted_html(part))
        elif at <= last_end:  # else nothing closes it
            at = text.index(_COMMENT_END, at) + len(_COMMENT_END)
            parts.append("\n" * text.count("\n", part.start(), at))
        else:
            parts.append(part[0])
    return "".join(parts) + text[at:]


def _converted_html(part: re.Match[str]) -> str:
    if part["code"] is not None:
        return part[0]
    ends = "\n" * part[0].count("\n")
    if part["image"] is not None:
        return (_html_picture(part["image"]) or part[0].replace("\n", " ")) + ends
    if part["height"] is not None:
        mark = "_" if part["height"].lower() == "sub" else "^"
        return f"${{}}{mark}{{{part['small']}}}$"
    if part["line"] is not None:  # within a line Markdown needs a line end for it
        return "\\" if part.string[part.end() : part.end() + 1] == "\n" else "\\\n"
    return _STARS[part["emphasis"].lower()] if part["emphasis"] is not None else ends


def _html_picture(attributes: str) -> str | None:
    source, words = _SOURCE.search(attributes), _ALTERNATIVE.search(attributes)
    if source is None:
        return None
    shown = re.sub(r"[\[\]\\]", "", (words[1] or words[2] or "") if words is not None else "")
    width = _WIDTH.search(attributes)
    return f"![{shown}](<{source[1] or source[2] or ''}>)" + (f"{{width={width[1]}}}" if width is not None else "")
