"""The part `statement`: statements render, show the samples, and state each bound once, as a constant."""

import re
from collections.abc import Iterator

from harness.errors import HarnessError
from harness.package import Package
from harness.package.constants import misspelt_constants, unknown_constant, unknown_constants
from harness.statement.latex_defects import latex_defects
from harness.statement.markdown import defects
from harness.statement.page import render_html
from harness.statement.samples import NEXT, REMAINING
from harness.statement.source import files_beside, is_markdown, markdown_of
from harness.verify.findings import FindingCollector, Level, PartResult
from harness.verify.setting import Setting

_SAMPLES = (f"{{{{{NEXT}}}}}", f"{{{{{REMAINING}}}}}")
_MOST_NOTES = 3  # about the formulas of a LaTeX statement
LEAST_NUMBER = 10  # smaller numbers occur in prose for many reasons
_USE = re.compile(rb"\{\{([a-zA-Z_][a-zA-Z0-9_]*)(?:\.[a-zA-Z_][a-zA-Z0-9_]*)?\}\}")
_NUMBER = re.compile(
    r"(?<![\w.])(\d{1,3}(?:(?:\\,|[,\s\u2009\u202f])\d{3})+|\d+)(?:\s*+(?:\\times|×)?\s*+10\^\{?(\d+)\}?)?"
)
_POWER = re.compile(r"10\^\{?(\d{1,2})\}?")


def check_statement(setting: Setting) -> PartResult:
    """Check the statement in each of its languages."""
    package, findings = setting.package, FindingCollector()
    for language in package.statements:
        _check_page(package, language, findings)
    _check_dialogues(package, findings)
    _check_constants(package, findings)
    if not package.sample.all_shown():
        findings.note("data/sample", "no sample: readers learn a format from one")
    return findings.part(
        f"{', '.join(package.statements) or 'no statement'}; samples: {len(package.sample.all_shown())}",
        skipped=not package.statements,  # the part `package` warns of it
    )


def _check_page(package: Package, language: str, findings: FindingCollector) -> None:
    """Check that a statement is rendered, and report its defects."""
    name = str(package.statements[language].origin)
    if not package.statements[language].read().strip():
        findings.error(name, "is empty")
        return
    try:
        render_html(package, language)
    except HarnessError as error:
        findings.warning(name, f"is not shown: {error}")
        return
    _check_encoding(package, language, findings)
    if is_markdown(package, language):
        _check_markdown(package, language, findings)
    elif package.statements[language].origin.suffix == ".tex":
        _check_latex(package, language, findings)


def _check_encoding(package: Package, language: str, findings: FindingCollector) -> None:
    """Report the first byte that is not UTF-8."""
    file = package.statements[language]
    if file.origin.suffix == ".pdf":
        return
    content = file.read()
    try:
        content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        instead = "shown as �" if file.origin.suffix == ".md" else "all is read as Latin-1"
        byte = f"the byte 0x{content[error.start]:02x} is not UTF-8"
        findings.warning(f"{file.origin}:{line}", f"{byte}, and {instead}: save the file as UTF-8")


def _check_latex(package: Package, language: str, findings: FindingCollector) -> None:
    """Report what a page does not show of a LaTeX statement."""
    notes = 0
    for defect in latex_defects(package, language):
        where = str(defect.file.origin) if defect.line is None else f"{defect.file.origin}:{defect.line}"
        if not defect.unread:
            findings.warning(where, defect.message)
        elif notes < _MOST_NOTES:
            findings.note(where, f"{defect.message}; it is shown as it is written")  # TeX itself may well read it
            notes += 1


def _check_markdown(package: Package, language: str, findings: FindingCollector) -> None:
    """Report the defects of a Markdown statement, and its unknown constants and samples."""
    name = str(package.statements[language].origin)
    samples = len(package.sample.all_shown())
    names = [*package.constants, *(use.strip("{}") for use in _SAMPLES)]
    for line, use in unknown_constants(package.statements[language].read(), package.constants):
        if use not in _SAMPLES:
            findings.error(f"{name}:{line}", unknown_constant(use, package.constants))
        elif use == _SAMPLES[0]:
            samples -= 1
            if samples < 0:
                findings.error(f"{name}:{line}", f"`{use}`, but no sample is left: take it out, or add a sample")
    for line, written, meant in misspelt_constants(package.statements[language].read(), names):
        findings.error(f"{name}:{line}", f"`{written}` is shown as it is: write `{meant}`")
    for defect in defects(
        markdown_of(package, language)[1], files_beside(package)
    ):  # constants hold no line ends, so the lines are those of the file
        level = Level.ERROR if defect.certain else Level.WARNING
        findings.add(level, f"{name}:{defect.line}", defect.message)


def _check_dialogues(package: Package, findings: FindingCollector) -> None:
    """Report the lines of `.interaction` files that no statement shows."""
    for case in package.sample.all_shown():
        file = case.shown.get(".interaction")
        if file is None:
            continue
        for number, line in enumerate(file.read().decode("utf-8", errors="replace").splitlines(), start=1):
            if line.strip() and not line.startswith(("<", ">", "---")):
                marks = "`<` (the judge), `>` (the submission) or `---` (a new pass)"
                findings.error(f"{file.shown}:{number}", f"begins with none of {marks}, so it is not shown")


def _check_constants(package: Package, findings: FindingCollector) -> None:
    """Check that all languages use the same constants and never write a constant's value literally."""
    texts = {language: file.read() for language, file in package.statements.items() if file.origin.suffix == ".md"}
    used = {language: set(_USE.findall(text)) for language, text in texts.items()}
    everywhere = (set().union(*used.values()) if used else set()) - {NEXT.encode(), REMAINING.encode()}
    for language, names in used.items():
        for name in sorted(everywhere - names):
            findings.warning(
                str(package.statements[language].origin),
                f"`{{{{{name.decode()}}}}}` is in another language's statement, but not in this one",
            )
    values = dict(_values(package))
    for language, text in texts.items():
        name = str(package.statements[language].origin)
        for number, line in enumerate(text.decode("utf-8", errors="replace").splitlines(), start=1):
            for value in _numbers(_USE.sub(b"", _without_points(line, package).encode()).decode()):
                if value in values:
                    fix = f"{value} is the constant: write `{{{{{values[value]}}}}}`"
                    findings.warning(f"{name}:{number}", fix)


def _without_points(line: str, package: Package) -> str:
    """Return the line without points in a table of groups: a score may equal a constant by chance."""
    if not line.lstrip().startswith("|"):
        return line
    points = {f"{group.max_score:g}" for group in package.secret.groups if group.max_score is not None}
    return "|".join(cell for cell in line.split("|") if cell.strip() not in points)


def _values(package: Package) -> Iterator[tuple[int, str]]:
    for name, variants in package.constants.items():
        value = variants.get("value", "")
        if re.fullmatch(r"\d{2,40}", value) and int(value) >= LEAST_NUMBER:
            yield int(value), name


def _numbers(line: str) -> Iterator[int]:
    for match in _POWER.finditer(line):
        yield 10 ** int(match[1])
    for match in _NUMBER.finditer(line):
        digits = re.sub(r"\D", "", match[1])
        if len(digits) <= 40:
            yield int(digits)
