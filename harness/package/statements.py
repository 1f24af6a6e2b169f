"""The texts of a package: statements and solutions by language, and the names that statements give the problem."""

import re
from collections.abc import Mapping

from harness.package.files import File, Files, below
from harness.package.findings import Findings

EXTENSIONS = ("md", "tex", "pdf")
LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")
_TEX_NAME = re.compile(rb"\\problemname\s{0,5}\{((?:[^{}\n]|\{[^{}\n]{0,100}\}){1,200})\}")
# Kattis's comment below a name with formulas or letters that LaTeX reserves.
_PLAIN_NAME = re.compile(rb"^%+[ \t]{0,9}plainproblemname:[ \t]{0,9}([^\n]{1,200})", re.MULTILINE)
_ESCAPED = re.compile(rb"\\([#&%_$])")
_MARKDOWN_NAME = re.compile(rb"\A\s*#[ \t]+([^\n]{1,200})")
_LARGEST = 1 << 20


def read_texts(files: Files, folder: str, stem: str) -> dict[str, File]:
    """Return `stem.<lang>.<ext>` in `folder` by language, Markdown before LaTeX before PDF; no language: English."""
    return {language: texts[0] for language, texts in _texts(files, folder, stem).items()}


def _texts(files: Files, folder: str, stem: str) -> dict[str, list[File]]:
    texts: dict[str, list[File]] = {}
    inside = below(files, folder) if folder else {path: file for path, file in files.items() if "/" not in path}
    for extension in EXTENSIONS:
        for name, file in inside.items():
            match name.split("."):
                case [first, last] if (first, last) == (stem, extension):
                    texts.setdefault("en", []).append(file)
                case [first, language, last] if (first, last) == (stem, extension) and LANGUAGE.fullmatch(
                    language
                ):
                    texts.setdefault(language, []).append(file)
    return texts


def read_statements(files: Files, folders: tuple[str, ...], findings: Findings) -> dict[str, File]:
    """Return the statements of the first of these folders that has any; DOMjudge's lie at the top."""
    statements: dict[str, File] = {}
    texts = next((texts for folder in (*folders, "") if (texts := _texts(files, folder, "problem"))), {})
    for language, (first, *others) in texts.items():
        statements[language] = first
        for other in others:
            if other.origin.suffix != ".pdf" and other.read() != first.read():  # a PDF is made of the other
                why = f"{first.origin.name} is the statement in `{language}`, too: remove one of them"
                findings.warn(other.origin, f"is not shown: {why}")
    return statements


def names_in(statements: Mapping[str, File]) -> dict[str, str]:
    """Return the names that the statements give the problem: `\\problemname{…}`, or a heading on the first line.

    A comment `%% plainproblemname: …` replaces a name in LaTeX. A name with formulas stays LaTeX.
    """
    names = {}
    for language, file in statements.items():
        if file.size() > _LARGEST or file.origin.suffix == ".pdf":
            continue
        text = file.read()
        if file.origin.suffix == ".tex":
            match = _PLAIN_NAME.search(text) or _TEX_NAME.search(text)
        else:
            match = _MARKDOWN_NAME.match(text)
        if match is not None:
            name = match[1] if b"$" in match[1].replace(rb"\$", b"") else _ESCAPED.sub(rb"\1", match[1])
            names[language] = name.decode(errors="replace").strip()
    return names
