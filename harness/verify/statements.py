"""Statements: they render, show the data's samples, and hold each bound once, as a constant."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from harness.errors import HarnessError
from harness.package import Package
from harness.package.constants import unknown_constant, unknown_constants
from harness.statement import render_html
from harness.statement.markdown import defects
from harness.statement.samples import NEXT, REMAINING
from harness.statement.source import files_beside, is_markdown, markdown_of
from harness.verify.context import Setting
from harness.verify.findings import Findings, Level, PartResult

_SAMPLES = (f"{{{{{NEXT}}}}}", f"{{{{{REMAINING}}}}}")
_MOST_NOTES = 3  # formulas of one LaTeX statement
LEAST_TELLING = 10  # a smaller number stands in prose for many reasons
_USE = re.compile(rb"\{\{([a-zA-Z_][a-zA-Z0-9_]*)(?:\.[a-zA-Z_][a-zA-Z0-9_]*)?\}\}")
_NUMBER = re.compile(
    r"(?<![\w.])(\d{1,3}(?:(?:\\,|[,\s\u2009\u202f])\d{3})+|\d+)(?:\s*(?:\\times|×)?\s*10\^\{?(\d+)\}?)?"
)
_POWER = re.compile(r"10\^\{?(\d{1,2})\}?")


def check_statements(setting: Setting) -> PartResult:
    """The part `statement`."""
    package, findings = setting.package, Findings()
    for language in package.statements:
        _check_page(package, language, findings)
    _check_constants(package, findings)
    if not package.sample.cases:
        findings.note("data/sample", "no sample: readers learn a format from one")
    return PartResult(
        part="statement",
        summary=f"{', '.join(package.statements) or 'no statement'}; samples: {len(package.sample.cases)}",
        findings=findings.result(),
        skipped=not package.statements,  # the part `package` warns of it
    )


def _check_page(package: Package, language: str, findings: Findings) -> None:
    name = str(package.statements[language].origin)
    try:
        render_html(package, language)
    except HarnessError as error:
        findings.warning(name, f"is not shown: {error}")
        return
    except UnicodeDecodeError as error:
        findings.error(name, f"is not UTF-8: {error}")
        return
    shown = defects(markdown_of(package, language)[1], files_beside(package))
    if not is_markdown(package, language):  # `{{n}}` is plain LaTeX as well
        for message in islice((one.message for one in shown if one.certain and one.is_formula), _MOST_NOTES):
            findings.note(name, f"{message}; it is shown as it is written")  # TeX itself may well read it
        return
    samples = len(tuple(package.sample.all_cases()))
    for line, use in unknown_constants(package.statements[language].read(), package.constants):
        if use not in _SAMPLES:
            findings.error(f"{name}:{line}", unknown_constant(use, package.constants))
        elif use == _SAMPLES[0]:
            samples -= 1
            if samples < 0:
                findings.error(f"{name}:{line}", f"`{use}`, but no sample is left: take it out, or add a sample")
    # Constants hold no line ends worth telling of, so the lines are those of the file.
    for defect in shown:
        level = Level.ERROR if defect.certain else Level.WARNING
        findings.add(level, f"{name}:{defect.line}", defect.message)


def _check_constants(package: Package, findings: Findings) -> None:
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
        lines = enumerate(text.decode("utf-8", errors="replace").splitlines(), start=1)
        name = str(package.statements[language].origin)
        for number, line in lines:
            _check_numbers(f"{name}:{number}", _without_points(line, package), values, findings)


def _without_points(line: str, package: Package) -> str:
    """A table of the groups' points: a score that equals a constant by chance is not that constant."""
    if not line.lstrip().startswith("|"):
        return line
    points = {f"{group.max_score:g}" for group in package.secret.groups if group.max_score is not None}
    return "|".join(cell for cell in line.split("|") if cell.strip() not in points)


def _values(package: Package) -> Iterator[tuple[int, str]]:
    for name, variants in package.constants.items():
        value = variants.get("value", "")
        if re.fullmatch(r"\d{2,40}", value) and int(value) >= LEAST_TELLING:
            yield int(value), name


def _check_numbers(place: str, line: str, values: Mapping[int, str], findings: Findings) -> None:
    """A bound that is written out beside its constant will be forgotten when the constant changes."""
    for value in _numbers(_USE.sub(b"", line.encode()).decode()):
        if value in values:
            findings.warning(place, f"{value} is the constant: write `{{{{{values[value]}}}}}`")


def _numbers(line: str) -> Iterator[int]:
    for found in _POWER.finditer(line):
        yield 10 ** int(found[1])
    for found in _NUMBER.finditer(line):
        digits = re.sub(r"\D", "", found[1])
        if len(digits) <= 40:
            yield int(digits)
