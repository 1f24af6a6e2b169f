"""A statement as PDF, by Typst (PyPI, the extra `pdf`): offline, no TeX."""

import importlib
import shutil
import subprocess
from pathlib import Path
from typing import Any

from harness.errors import MachineError
from harness.files.temporary import temporary_folder
from harness.package import Package
from harness.statement.labels import labels_for
from harness.statement.samples import pieces, samples_of
from harness.statement.source import files_beside, markdown_of
from harness.statement.typst_page import IMAGES, formulas, typst_page

_CJK = ("ja", "zh", "ko")


def render_pdf(package: Package, language: str | None = None) -> bytes:
    """The PDF. Raises MachineError that says what to install where Typst or a font is missing."""
    typst = _engine()
    chosen, text = markdown_of(package, language)
    _check_fonts(chosen)
    labels, parts = labels_for(chosen), pieces(text, samples_of(package))
    with temporary_folder("pdf") as folder:
        for path, file in files_beside(package).items():
            # Pictures only: a `page.typ` of the package would be run in the place of ours.
            if path.lower().endswith(IMAGES):
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_bytes(file.read())
        first = _compiled(typst, folder, typst_page(package, parts, chosen, labels))
        if isinstance(first, bytes):
            return first
        # A formula that Typst cannot set must not cost the page: it is shown as it is written.
        bad = {
            formula for formula, page in formulas(parts) if not isinstance(_compiled(typst, folder, page), bytes)
        }
        second = _compiled(typst, folder, typst_page(package, parts, chosen, labels, as_written=bad))
        if isinstance(second, bytes):
            return second
    raise MachineError(f"Typst could not set the statement in `{chosen}`: {first}") from first


def _compiled(typst: Any, folder: Path, source: str) -> bytes | Exception:
    (folder / "page.typ").write_text(source, "utf-8")
    try:
        return bytes(typst.compile(str(folder / "page.typ"), root=str(folder)))
    except Exception as error:
        return error


def _engine() -> Any:
    try:
        return importlib.import_module("typst")
    except ImportError as error:
        raise MachineError("PDF needs Typst: pip install typst (the extra `pdf`)") from error


def _check_fonts(language: str) -> None:
    """Typst leaves out what no font has, in silence."""
    code, tool = language.partition("-")[0], shutil.which("fc-list")
    if code not in _CJK or tool is None:
        return
    found = subprocess.run([tool, f":lang={code}", "family"], capture_output=True, check=False, timeout=30)
    if not found.stdout.strip():
        raise MachineError(f"no font has the characters of `{code}`: apt install fonts-noto-cjk")
