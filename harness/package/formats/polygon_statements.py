"""The statements of a Polygon package: their sections joined to one LaTeX text a language."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from harness.package.files import File, Files, below

# Polygon's names of languages by their codes.
LANGUAGES = {
    "english": "en", "russian": "ru", "afrikaans": "af", "arabic": "ar", "armenian": "hy", "azerbaijani": "az",
    "belarusian": "be", "bengali": "bn", "bulgarian": "bg", "chinese": "zh", "croatian": "hr", "czech": "cs",
    "danish": "da", "dutch": "nl", "estonian": "et", "finnish": "fi", "french": "fr", "georgian": "ka", "german": "de",
    "greek": "el", "hebrew": "he", "hungarian": "hu", "indonesian": "id", "italian": "it", "japanese": "ja",
    "kazakh": "kk", "korean": "ko", "kyrgyz": "ky", "latvian": "lv", "lithuanian": "lt", "macedonian": "mk",
    "mongolian": "mn", "norwegian": "no", "persian": "fa", "polish": "pl", "portuguese": "pt", "romanian": "ro",
    "serbian": "sr", "slovak": "sk", "slovene": "sl", "slovenian": "sl", "spanish": "es", "swedish": "sv",
    "tajik": "tg", "thai": "th", "turkish": "tr", "turkmen": "tk", "ukrainian": "uk", "uzbek": "uz", "vietnamese": "vi",
}  # fmt: skip
SECTIONS = {
    "legend": "",
    "input": "Input",
    "output": "Output",
    "interaction": "Interaction",
    "scoring": "Scoring",
    "notes": "Notes",
}
_NO_FIGURES = (".tex", ".json", ".sty", ".ftl", ".pdf", ".html", ".css")
_LARGEST = 4 << 20


def add_statements(files: Files, made: dict[str, File]) -> tuple[str, ...]:
    """Put statement/problem.<code>.tex, figures and solution/solution.<code>.tex into `made`; the languages' codes."""
    for name, code in LANGUAGES.items():
        folders = [below(files, f"{top}/{name}") for top in ("statement-sections", "statements")]
        sections = _sections(*folders)
        if not sections.get("legend") or f"statement/problem.{code}.tex" in made:
            continue
        origin = next(
            (inside[path] for inside in folders for path in ("legend.tex", "problem.tex") if path in inside), None
        )
        if origin is None:
            continue
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
    return tuple(code for code in dict.fromkeys(LANGUAGES.values()) if f"statement/problem.{code}.tex" in made)


def _sections(parts: Files, whole: Files) -> dict[str, str]:
    """The texts of the sections: files of statement-sections/, else the keys of problem-properties.json."""
    properties = _properties(whole.get("problem-properties.json"))
    sections = {}
    for name in ("name", *SECTIONS, "tutorial"):
        file = parts.get(f"{name}.tex")
        text = _text(file) if file is not None else properties.get(name)
        if isinstance(text, str) and text.strip():
            sections[name] = text.replace("\r\n", "\n").strip()
    return sections


def _properties(file: File | None) -> Mapping[str, object]:
    try:
        content = json.loads(_text(file)) if file is not None else {}
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def _text(file: File) -> str:
    return file.read(_LARGEST).decode("utf-8-sig", errors="replace")


def _joined(sections: Mapping[str, str]) -> bytes:
    parts = [f"\\problemname{{{sections['name']}}}"] if "name" in sections else []
    for name, heading in SECTIONS.items():
        if name in sections:
            parts.append(f"\\section*{{{heading}}}\n{sections[name]}" if heading else sections[name])
    return ("\n\n".join(parts) + "\n").encode()
