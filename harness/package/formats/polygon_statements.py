"""The statements of a Polygon package: their sections joined to one LaTeX text a language, else its HTML or PDF."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from html import unescape
from pathlib import PurePosixPath

from harness.package.files import File, Files, below

# Polygon's names of languages by their codes.
LANGUAGES = {
    "english": "en", "russian": "ru", "afrikaans": "af", "arabic": "ar", "armenian": "hy", "azerbaijani": "az",
    "belarusian": "be", "bengali": "bn", "bosnian": "bs", "bulgarian": "bg", "catalan": "ca", "chinese": "zh",
    "croatian": "hr", "czech": "cs", "danish": "da", "dutch": "nl", "estonian": "et", "filipino": "fil",
    "finnish": "fi", "french": "fr", "georgian": "ka", "german": "de", "greek": "el", "hebrew": "he",
    "hindi": "hi", "hungarian": "hu", "icelandic": "is", "indonesian": "id", "irish": "ga", "italian": "it",
    "japanese": "ja", "kazakh": "kk", "korean": "ko", "kyrgyz": "ky", "latvian": "lv", "lithuanian": "lt",
    "macedonian": "mk", "malay": "ms", "mongolian": "mn", "norwegian": "no", "persian": "fa", "polish": "pl",
    "portuguese": "pt", "romanian": "ro", "serbian": "sr", "sinhala": "si", "slovak": "sk", "slovene": "sl",
    "spanish": "es", "swedish": "sv", "tajik": "tg", "tamil": "ta", "thai": "th", "turkish": "tr",
    "turkmen": "tk", "ukrainian": "uk", "urdu": "ur", "uzbek": "uz", "vietnamese": "vi",
}  # fmt: skip
_CODE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}")
# The sections of a statement, with their headings.
SECTIONS = {"legend": ""} | {
    name: name.capitalize() for name in ("input", "output", "interaction", "scoring", "notes")
}
_BEGIN = re.compile(r"\\begin\{problem\}\s*\{([^{}]{0,200})\}(?:\s*\{[^{}]{0,200}\}){0,6}")
_COMMAND = re.compile(r"\\(InputFile|OutputFile|Interaction|Scoring|Notes?|Examples?|Explanations?)\b")
_OF_COMMAND = {
    **{"InputFile": "input", "OutputFile": "output", "Interaction": "interaction", "Scoring": "scoring"},
    **dict.fromkeys(("Note", "Notes", "Explanation", "Explanations"), "notes"),
}
_BARE = re.compile(r"(?<!\\)[&%#_]")  # in a name that was not written as TeX
_NO_FIGURES = (".tex", ".json", ".sty", ".ftl", ".pdf", ".html", ".css")
_LARGEST, _LARGEST_PAGE = 4 << 20, 1 << 20
_TOPS = ("statement-sections/", "statements/")
_SET_PATH = re.compile(r"statements/\.(html|pdf)/([A-Za-z-]{1,40})/problem\.\1")
_SET = {"html": "md", "pdf": "pdf"}  # typeset statements of Polygon → formats in the package


def add_statements(files: Files, made: dict[str, File]) -> tuple[str, ...]:
    """Put statement/problem.<code>.tex, figures and solution/solution.<code>.tex into `made`; the languages' codes."""
    codes: dict[str, None] = {}
    inside_of: dict[str, dict[str, File]] = {}
    for path, file in files.items():
        if path.startswith(_TOPS) and path.count("/") > 1:
            top, name, inside_path = path.split("/", 2)
            inside_of.setdefault(f"{top}/{name}", {})[inside_path] = file
    names = {folder.partition("/")[2] for folder in inside_of}
    for name in sorted(names, key=lambda name: (name != "english", name)):
        folders = [inside_of.get(f"{top}{name}", {}) for top in _TOPS]
        sections, code = _sections(*folders) or _sections_of_page(folders[1]), code_of(name)
        if not sections.get("legend") or code is None or code in codes:
            continue
        origin = next(
            (inside[path] for inside in folders for path in ("legend.tex", "problem.tex") if path in inside), None
        )
        if origin is None:
            continue
        codes[code] = None
        made[f"statement/problem.{code}.tex"] = replace(origin, content=_joined(sections), crlf=False)
        if sections.get("tutorial"):
            made[f"solution/solution.{code}.tex"] = replace(
                origin, content=sections["tutorial"].encode(), crlf=False
            )
        for inside in folders:
            for path, file in inside.items():
                base = PurePosixPath(path).name
                if not base.endswith(_NO_FIGURES) and not base.startswith("example."):
                    made.setdefault(f"statement/{base}", file)
    for path, file in sorted(files.items()):
        match = _SET_PATH.fullmatch(path)
        code = code_of(match[2]) if match is not None else None
        if match is not None and code is not None and code not in codes:
            codes[code] = None
            _add_set(match[1], code, file, below(files, path.rpartition("/")[0]), made)
    return tuple(codes)


def add_examples(
    files: Files, samples: Iterable[tuple[str, File | None, File | None]], made: dict[str, File]
) -> None:
    """Put what statements show of the samples into `made` if it is not the test itself.

    samples: name, input and answer of each, in order; None where Polygon has made none.
    """
    texts = sorted(path for path in files if path.startswith(_TOPS[0]) and path.count("/") == 2)
    texts.sort(key=lambda path: "/english/" not in path)
    for number, (name, *test) in enumerate(samples, start=1):
        for file, end, extension in zip(test, ("", ".a"), (".in.statement", ".ans.statement"), strict=True):
            path = next((path for path in texts if path.endswith(f"/example.{number:02d}{end}")), None)
            if path is not None and (file is None or _lines(file) != _lines(files[path])):
                made[f"data/{name}{extension}"] = replace(files[path], crlf=True)


def _lines(file: File) -> list[bytes]:
    return [line.rstrip() for line in file.read(_LARGEST).rstrip().splitlines()]


def _add_set(kind: str, code: str, file: File, beside: Files, made: dict[str, File]) -> None:
    """Put a statement typeset by Polygon into `made`, with the figures beside it."""
    if kind == "html":
        file = replace(file, content=markdown_of(_text(file, _LARGEST_PAGE)).encode(), crlf=False)
        for name, figure in beside.items():
            if "/" not in name and not name.endswith(_NO_FIGURES):
                made.setdefault(f"statement/{name}", figure)
    made[f"statement/problem.{code}.{_SET[kind]}"] = file


def code_of(language: str) -> str | None:
    """Return the code of a language by Polygon's name or by its code; None for an unknown name."""
    return LANGUAGES.get(language.lower()) or (language if _CODE.fullmatch(language) else None)


def _sections(parts: Files, whole: Files) -> dict[str, str]:
    """Return the texts of the sections: files of statement-sections/, else keys of problem-properties.json."""
    properties = _properties(whole.get("problem-properties.json"))
    sections = {}
    for name in ("name", *SECTIONS, "tutorial"):
        file = parts.get(f"{name}.tex")
        text = _text(file) if file is not None else properties.get(name)
        if isinstance(text, str) and text.strip():
            sections[name] = text.replace("\r\n", "\n").strip()
    return sections


def _sections_of_page(whole: Files) -> dict[str, str]:
    """Return the sections of problem.tex, which is all that the oldest packages have."""
    begin = _BEGIN.search(_text(whole["problem.tex"])) if "problem.tex" in whole else None
    if begin is None:
        return {}
    first, *rest = _COMMAND.split(begin.string[begin.end() :].replace("\r\n", "\n").partition("\\end{problem}")[0])
    texts = {
        "name": begin[1],
        "legend": first,
        **dict(zip(map(_OF_COMMAND.get, rest[::2]), rest[1::2], strict=True)),
    }
    return {name: text.strip() for name, text in texts.items() if name is not None and text.strip()}


def _properties(file: File | None) -> Mapping[str, object]:
    try:
        content = json.loads(_text(file)) if file is not None else {}
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def _text(file: File, most_bytes: int = _LARGEST) -> str:
    return file.read(most_bytes).decode("utf-8-sig", errors="replace")


def _joined(sections: Mapping[str, str]) -> bytes:
    name = sections.get("name", "")
    if "$" not in name:
        name = _BARE.sub(r"\\\g<0>", name)
    parts = [f"\\problemname{{{name}}}"] if name else []
    for name, heading in SECTIONS.items():
        if name in sections:
            parts.append(f"\\section*{{{heading}}}\n{sections[name]}" if heading else sections[name])
    return ("\n\n".join(parts) + "\n").encode()


# Parts of Polygon's page that come from elsewhere: the limits, the samples, the style.
_LEFT_OUT = {"header", "sample-tests"}
_SILENT = ("head", "script", "style")
_EMPHASES = {"i": "*", "em": "*", "b": "**", "strong": "**", "code": "`", "tt": "`"}
_BLOCKS = ("p", "div", "ul", "ol", "table", "tr", "center", "h1", "h2", "h3")
_VOID = ("br", "img", "hr", "meta", "link", "input", "col", "wbr")
_SPECIAL = re.compile(r"([\\`*_<>#\[\]])")
_MATH = re.compile(r"(\$\$\$(?:\$\$\$)?)(.{1,2000}?)\1", re.DOTALL)
# Strangers write the page: every repetition is bounded or ends at the next tag. (The parser of the standard library
# takes minutes for malformed pages.)
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]{0,20})(?![A-Za-z0-9])([^<>]{0,2000})>|<![^<>]{0,2000}>")
_ATTRIBUTE = re.compile(r"""\b(class|src|alt)=(?:"([^"]{0,1000})"|'([^']{0,1000})')""", re.IGNORECASE)
_BLANKS = re.compile(r"[ \t\r\n]+")


def markdown_of(html: str) -> str:
    """Return the statement in Markdown, without its title, limits and samples."""
    page, start = _Page(), 0
    html = _without_comments(html)
    for tag in _TAG.finditer(html):
        page.add_text(unescape(html[start : tag.start()]))
        start, name = tag.end(), (tag[2] or "").lower()
        if tag[1]:
            page.close_tag(name)
        elif name:
            page.open_tag(
                name, {key.lower(): unescape(quoted or other) for key, quoted, other in _ATTRIBUTE.findall(tag[3])}
            )
    page.add_text(unescape(html[start:]))
    return re.sub(r"(?<!\s)[^\S\n]*\n\s*\n", "\n\n", "".join(page.parts)).strip() + "\n"


def _without_comments(html: str) -> str:
    first, *others = html.split("<!--")
    return first + "".join(other.partition("-->")[2] for other in others)


class _Page:
    """Collect the Markdown of a page. depth: number of open tags below an omitted tag, 0 outside."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.depth = 0
        self.preformatted = False

    def open_tag(self, tag: str, attributes: Mapping[str, str]) -> None:
        name = attributes.get("class", "")
        if self.depth or tag in _SILENT or _LEFT_OUT & set(name.split()):
            self.depth += tag not in _VOID
        elif tag == "img":
            source = attributes.get("src", "").rpartition("/")[2]
            formula = attributes.get("alt") if "tex" in name else None
            self.parts.append(f"${formula.strip()}$" if formula else f"![]({source})" if source else "")
        elif tag == "pre":
            self.preformatted = True
            self.parts.append("\n\n```\n")
        elif "section-title" in name:
            self.parts.append("\n\n## ")
        elif tag in _BLOCKS or tag == "br":
            self.parts.append("\n\n")
        elif tag == "li":
            self.parts.append("\n- ")
        elif tag in ("sub", "sup"):
            self.parts.append(f"<{tag}>")
        else:
            self.parts.append(_EMPHASES.get(tag, ""))

    def close_tag(self, tag: str) -> None:
        if self.depth:
            self.depth -= tag not in _VOID
        elif tag == "pre":
            self.preformatted = False
            self.parts.append("\n```\n\n")
        elif tag in _BLOCKS:
            self.parts.append("\n\n")
        elif tag in ("sub", "sup"):
            self.parts.append(f"</{tag}>")
        else:
            self.parts.append(_EMPHASES.get(tag, ""))

    def add_text(self, data: str) -> None:
        if self.depth:
            return
        if self.preformatted:
            self.parts.append(data)
            return
        text, start = _BLANKS.sub(" ", data), 0
        if self.parts and self.parts[-1].endswith("\n"):
            text = text.lstrip(" ")
        for match in _MATH.finditer(text):
            dollars = "$" * (len(match[1]) // 3)
            self.parts.append(_escaped(text[start : match.start()]) + f"{dollars}{match[2].strip()}{dollars}")
            start = match.end()
        self.parts.append(_escaped(text[start:]))


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)
