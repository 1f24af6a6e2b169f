"""Whether the data reaches the bounds, and whether the validators know them."""

import re
from collections.abc import Collection

from harness.errors import JudgeError
from harness.package import Case, Package
from harness.sandbox import Sandbox
from harness.shapes import InputError, Shape, ShapeError, parse
from harness.verify.context import Setting
from harness.verify.coverage import Coverage
from harness.verify.declared_shape import SHAPE, declared_shape
from harness.verify.findings import Findings, PartResult
from harness.verify.guessed_bounds import guessed_coverage, tell_guessed
from harness.verify.out_of_bounds import Beyond, beyond
from harness.verify.validators import open_validators

_INTEGER = re.compile(rb"(?<!\S)-?[0-9]{1,40}(?!\S)")
_WORD = re.compile(rb"[A-Za-z][A-Za-z ]*")
_WIDTHS = ((32, 2**31 - 1), (64, 2**63 - 1))
SMALL_FORMATS = 12


def check_bounds(setting: Setting) -> PartResult:
    """The part `bounds`."""
    findings = Findings()
    try:
        shape = declared_shape(setting.package)
    except ShapeError as error:
        findings.error(SHAPE, str(error).removeprefix("shape: "))
        return PartResult(part="bounds", summary=f"{SHAPE} makes no sense", findings=findings.result())
    if shape is not None:
        rows, how = _with_shape(setting, shape, findings), "by the package's shape"
    else:
        rows, how = _without_shape(setting, findings)
    answers = _answers(setting.package)
    return PartResult(
        part="bounds",
        summary=f"{how}; answers: {answers}",
        findings=findings.result(),
        columns=("bound", "allowed", "seen", "minimum met by", "maximum met by"),
        rows=tuple(rows),
    )


def _with_shape(setting: Setting, shape: Shape, findings: Findings) -> list[tuple[str, ...]]:
    coverage = Coverage()
    for case in setting.package.judged_cases():
        setting.progress(case.name)
        try:
            coverage.see(shape, parse(shape, case.input.read()), case.name)
        except InputError as error:
            findings.error(case.name, f"is not of the shape in {SHAPE}: {error}")
    _tell_beyond(setting, shape, findings)
    return _rows(coverage, findings)


def _rows(coverage: Coverage, findings: Findings) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for reach in coverage.reaches.values():
        for word, case in (("minimum", reach.at_low), ("maximum", reach.at_high)):
            if case is None:
                findings.warning(reach.place, f"no case reaches its {word}")
        seen = f"{reach.lowest}..{reach.highest}"
        rows.append((reach.place, reach.bound or "depends", seen, reach.at_low or "–", reach.at_high or "–"))
    for name, case in coverage.classes.items():
        rows.append((name, "", "yes" if case else "no", case or "", ""))
        if case is None:
            findings.note(name, "no case is of this class")
    return rows


def _tell_beyond(setting: Setting, shape: Shape, findings: Findings) -> None:
    """Inputs that break one bound only must be refused."""
    validators = open_validators(setting)
    if not validators.executables:
        return  # the part `inputs` says why
    sample = next(iter(setting.package.judged_cases()), None)

    def refused(sandbox: Sandbox, one: Beyond) -> bool:
        return sample is None or bool(validators.refusals(sandbox, _plain(sample), one.content))

    try:
        for one, is_refused in setting.host.pool.each(refused, list(beyond(shape))):
            if not is_refused:
                message = f"validators accept {one.name} = {one.value}, the shape's bound is {one.bound}"
                findings.error("input_validators", message)
    except JudgeError as error:
        findings.error("input_validators", str(error))


def _plain(case: Case) -> Case:
    return Case(name="an input beyond a bound", input=case.input, answer=None)


def _without_shape(setting: Setting, findings: Findings) -> tuple[list[tuple[str, ...]], str]:
    """The rows, and whence the bounds are: of a guessed shape and the validators, and of problem.yaml's constants."""
    guessed = guessed_coverage(setting)
    rows = tell_guessed(guessed, findings) if guessed is not None else []
    known = {bound for row in rows for bound in row[1].split("..")}
    rows += _constants(setting, findings, known)
    whence = "what the validators accept" if guessed is not None else "problem.yaml's constants"
    return rows, f"by {whence} (no {SHAPE})"


def _constants(setting: Setting, findings: Findings, known: Collection[str]) -> list[tuple[str, ...]]:
    """Which constants of problem.yaml that the validators use stand in an input as a number.

    known: the bounds of which something was said already.
    """
    used = {name: value for name, value in _constants_of_validators(setting.package).items() if value not in known}
    met: dict[str, str] = {}
    for case in setting.package.judged_cases():
        setting.progress(case.name)
        numbers = set(_INTEGER.findall(case.input.read()))
        for name, value in used.items():
            if value.encode() in numbers:
                met.setdefault(name, case.name)
    for name in used.keys() - met.keys():
        findings.warning(name, f"no input holds the number {used[name]}: does a case reach this bound?")
    if not known and not used:
        findings.note(SHAPE, "neither a shape nor constants in the validators: bounds are not known here")
    return [(name, value, "", "", met.get(name, "–")) for name, value in sorted(used.items())]


def _constants_of_validators(package: Package) -> dict[str, str]:
    sources = [file.read() for path, file in package.files.items() if path.startswith("input_validators/")]
    found = {}
    for name, variants in package.constants.items():
        value = variants.get("value", "")
        if re.fullmatch(r"-?[0-9]{1,40}", value) and any(b"{{" + name.encode() in text for text in sources):
            found[name] = value
    return found


def _answers(package: Package) -> str:
    """What kinds of answers there are: how large the numbers, which words."""
    largest, empty = 0, 0
    words: set[str] = set()
    for case in package.judged_cases():
        text = case.answer.read() if case.answer is not None else b""
        largest = max([largest, *(abs(int(token)) for token in _INTEGER.findall(text))])
        words.update(word.strip().decode() for word in _WORD.findall(text[:10_000]) if len(word) > 1)
        empty += not text.strip()
    width = next(
        (f"none needs more than {bits} bits" for bits, most in _WIDTHS if largest <= most), "beyond 64 bits"
    )
    if largest > _WIDTHS[0][1] and largest <= _WIDTHS[1][1]:
        width = "some need more than 32 bits"
    parts = [width if largest else "no numbers"]
    if 0 < len(words) <= SMALL_FORMATS:
        parts.append("words " + ", ".join(f"`{word}`" for word in sorted(words)))
    if empty:
        parts.append(f"{empty} empty")
    return "; ".join(parts)
