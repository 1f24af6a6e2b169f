"""The part `bounds`: whether the data reaches the bounds of the input, and whether the validators know them."""

import re
import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from harness.errors import HarnessError, JudgeError
from harness.package import Case, Package
from harness.package.workspace import SHAPE_FILE
from harness.sandbox.facts import Sandbox
from harness.search.learn_limits import LimitLearner
from harness.search.target import declared_shape
from harness.search.validity import quick_limits
from harness.shapes import InputError, Shape, ShapeError, infer, parse, parsed, read_shape
from harness.shapes.kinds import Record
from harness.shapes.limits import Span, seen_values, spans, with_limits
from harness.verify.coverage import BeyondBound, Coverage, inputs_beyond_bounds
from harness.verify.findings import FindingCollector, PartResult
from harness.verify.setting import Setting, input_validators

LEARNING_S = 10.0  # most seconds of validator calls; a bound that is not learnt by then is only named
CONFIRMING_S = 5.0  # more for the last call, and to confirm what was learnt
READING_S = 10.0  # most seconds of CPU time to read all inputs by a guessed shape, as estimated after:
FIRST_READING_S = 1.0
MOST_SAMPLES = 12
MOST_SETTINGS = 4  # cases whose other numbers are kept while a limit is tried
LOW_COUNTS = (1, 2, 3, 4)  # lower limits of a count that are tried
SAMPLE_BYTES = 20_000
MOST_WORDS = 12
_LONGEST_NUMBER = 20  # most letters of a number that is printed in full
_INTEGER = re.compile(rb"(?<!\S)-?[0-9]{1,40}(?!\S)")
_WORD = re.compile(rb"[A-Za-z][A-Za-z ]*")
_WIDTHS = ((32, 2**31 - 1), (64, 2**63 - 1))
_NONE = "–"

Rows = list[tuple[str, ...]]


def check_bounds(setting: Setting) -> PartResult:
    """Check which bounds of the declared shape the cases reach; without a declared shape, guess it."""
    findings = FindingCollector()
    if not setting.package.judged_cases():
        return PartResult(summary="no test case: no bound is checked", skipped=True)
    try:
        shape = declared_shape(setting.package)
    except ShapeError as error:
        findings.error(SHAPE_FILE, str(error).removeprefix("shape: "))
        return findings.part(f"{SHAPE_FILE} makes no sense")
    if shape is not None:
        rows, source = _check_declared(setting, shape, findings), "by the package's shape"
    else:
        rows, source = _check_guessed(setting, findings)
    unknown = shape is None and not rows
    if unknown:
        source = f"not known: no {SHAPE_FILE}, and nothing else tells them"
    return findings.part(
        f"{source}; answers: {_describe_answers(setting.package)}",
        columns=("bound", "allowed", "seen", "minimum met by", "maximum met by"),
        rows=tuple(rows),
        skipped=unknown,
    )


def _check_declared(setting: Setting, shape: Shape, findings: FindingCollector) -> Rows:
    """Report inputs that do not fit the declared shape, and bounds that no case reaches; return the table rows."""
    coverage = Coverage()
    for case in setting.package.judged_cases():
        setting.progress(case.name)
        try:
            coverage.add(shape, parse(shape, case.input.read()), case.name)
        except InputError as error:
            findings.error(case.name, f"is not of the shape in {SHAPE_FILE}: {error}")
    _check_refusals_beyond_bounds(setting, shape, findings)
    rows: Rows = []
    for reach in coverage.reaches.values():
        for word, case_name in (("minimum", reach.at_low), ("maximum", reach.at_high)):
            if case_name is None:
                findings.warning(reach.name, f"no case reaches its {word}")
        seen = f"{reach.lowest}..{reach.highest}"
        rows.append((reach.name, reach.bound or "depends", seen, reach.at_low or _NONE, reach.at_high or _NONE))
    for name, case_name in coverage.classes.items():
        rows.append((name, "", "yes" if case_name else "no", case_name or "", ""))
        if case_name is None:
            findings.note(name, "no case is of this class")
    return rows


def _check_refusals_beyond_bounds(setting: Setting, shape: Shape, findings: FindingCollector) -> None:
    """Check that the validators refuse inputs that break exactly one bound."""
    validators = input_validators(setting)
    if not validators.executables:
        return  # the part `inputs` reports it
    sample = setting.package.judged_cases()[0]
    plain = Case(name="an input beyond a bound", input=sample.input, answer=None)

    def is_refused(sandbox: Sandbox, broken: BeyondBound) -> bool:
        return bool(validators.refusals(sandbox, plain, broken.content))

    try:
        for broken, refused in setting.host.pool.each(is_refused, list(inputs_beyond_bounds(shape))):
            if not refused:
                message = f"validators accept {broken.name} = {broken.value}, the shape's bound is {broken.bound}"
                findings.error("input_validators", message)
    except JudgeError as error:
        findings.error("input_validators", error)


def _check_guessed(setting: Setting, findings: FindingCollector) -> tuple[Rows, str]:
    """Check the bounds of a guessed shape and the constants of problem.yaml; return the rows, and what was checked."""
    coverage = _guessed_coverage(setting, findings)
    rows = _report_guessed(coverage, findings) if coverage is not None else []
    reported = {bound for row in rows for bound in row[1].split("..")}
    rows += _check_constants(setting, findings, reported)
    source = "what the validators accept" if coverage is not None else "problem.yaml's constants"
    return rows, f"by {source} (no {SHAPE_FILE})"


def _guessed_coverage(setting: Setting, findings: FindingCollector) -> Coverage | None:
    """Measure the cases against the limits that validators accept of a guessed shape; None if no guess fits."""
    cases = setting.package.judged_cases()
    if not setting.package.input_validators or any(
        case.settings.args or case.settings.input_validator_args or case.extra_files for case in cases
    ):
        return None
    small = [case for case in cases if case.input.size() <= SAMPLE_BYTES]
    small = sorted(small, key=lambda case: case.input.size())[:MOST_SAMPLES]
    coverage = Coverage(guessed=True)
    try:
        if not small:
            return None
        guess = read_shape(infer([case.input.read() for case in small]))
        learner = _learnt_limits(setting, guess, small[0])
        _raise_low_counts(learner, [case.input.read() for case in small])
        shape = learner.shape
        began_s, read, total = time.process_time(), 0, sum(case.input.size() for case in cases)
        for case in cases:
            coverage.add(shape, parse(shape, case.input.read()), case.name)
            read += case.input.size()
            spent_s = time.process_time() - began_s
            if spent_s > FIRST_READING_S and spent_s * total > READING_S * read:
                findings.note(SHAPE_FILE, "none, and the inputs are too large to be read by a guessed shape")
                return None
        unknown = sorted(_unconfirmed(learner, small) & coverage.reaches.keys())
        for name in unknown:
            del coverage.reaches[name]
        if unknown and time.monotonic() > learner.deadline_s:
            names = ", ".join(unknown)
            findings.note(SHAPE_FILE, f"none, and the validators are too slow to learn the bounds of {names} from")
    except HarnessError:  # the guess does not describe all cases; the package is not wrong
        return None
    return coverage


def _raise_low_counts(learner: LimitLearner, inputs: Sequence[bytes]) -> None:
    """Raise the lower limit 1 of each count to the least number that a valid input has. inputs: of cases."""
    for span in spans(learner.shape):
        if not span.counts or span.low != 1:
            continue
        low = next((value for value in LOW_COUNTS if learner.allows(span, value)), 1)
        raised = with_limits(learner.shape, span.index, low=low)
        if all(parsed(raised, data) is not None for data in inputs):
            learner.shape = raised


def _unconfirmed(learner: LimitLearner, small: Sequence[Case]) -> set[str]:
    """Return the numbers whose upper limit is no bound: a guess that no valid input has, or set by another number.

    small: the smallest cases.
    """
    shape, names = learner.shape, set[str]()
    samples = [parse(shape, case.input.read()) for case in small[:MOST_SETTINGS]]
    for span in spans(shape):
        if span.high is None or span.is_literal:
            continue
        if learner.allows(span, span.high) and (span.counts or _allows_alone(learner, span, samples)):
            continue
        higher = with_limits(shape, span.index, high=span.high + 1)
        bounds = (_bounds_of(candidate, small[0]) for candidate in (shape, higher))
        names |= {name for name, _ in set.symmetric_difference(*bounds)}
    return names


def _allows_alone(learner: LimitLearner, span: Span, samples: Sequence[Record]) -> bool:
    """Return whether a number may have its upper limit while the others, outside of repeated lines, are as in cases."""
    for sample in samples:
        seen, shape = seen_values(learner.shape, [sample]), learner.shape
        for other in spans(shape):
            if other.outer and other.index != span.index and seen[other.index]:
                [value] = seen[other.index]
                shape = with_limits(shape, other.index, low=value, high=value)
        if seen[span.index] and not replace(learner, shape=shape).allows(span, span.high or 0):
            return False
    return True


def _bounds_of(shape: Shape, sample: Case) -> set[tuple[str, str]]:
    """Return the numbers of a shape (name, bounds), as the table of this part names them."""
    coverage = Coverage(guessed=True)
    coverage.add(shape, parse(shape, sample.input.read()), sample.name)
    return {(reach.name, reach.bound) for reach in coverage.reaches.values()}


def _learnt_limits(setting: Setting, shape: Shape, sample: Case) -> LimitLearner:
    """Widen the limits of a guessed shape by asking the input validators. sample: gives the settings of the calls."""
    validators = input_validators(setting)
    if not validators.executables:
        raise JudgeError("no input validator can be run")
    plain = Case(name="an input of a guessed shape", input=sample.input, answer=None)
    deadline_s = time.monotonic() + LEARNING_S

    def accepted(sandbox: Sandbox, data: bytes) -> bool:
        if time.monotonic() > deadline_s + CONFIRMING_S:
            return False
        quick = replace(validators, limits=quick_limits(validators.limits, len(data)))
        try:
            return not quick.refusals(sandbox, plain, data)
        except JudgeError:  # for example, the input is too large
            return False

    def valid(inputs: Sequence[bytes]) -> list[bool]:
        return list(setting.host.pool.in_order(accepted, inputs))

    learner = LimitLearner(shape=shape, valid=valid, deadline_s=deadline_s)
    learner.run()
    return learner


def _report_guessed(coverage: Coverage, findings: FindingCollector) -> Rows:
    """Warn of each bound that validators accept and no case reaches; return a table row for each bound."""
    rows: Rows = []
    for reach in coverage.reaches.values():
        if not reach.bound:
            continue
        low, high = (_short(bound) for bound in reach.bound.split(".."))
        if reach.at_high is None and high.startswith("#"):
            message = f"validators accept a number of {high[1:]} digits: do they know a bound?"
            findings.warning(reach.name, message)
        elif reach.at_high is None:
            largest = f"the largest in the data is {_short(str(reach.highest))}"
            findings.warning(reach.name, f"no case reaches {high}, which validators accept: {largest}")
        if reach.at_low is None:
            findings.note(reach.name, f"no case reaches {low}, which validators accept")
        seen = f"{_short(str(reach.lowest))}..{_short(str(reach.highest))}"
        rows.append((reach.name, f"{low}..{high}", seen, reach.at_low or _NONE, reach.at_high or _NONE))
    return rows


def _short(number: str) -> str:
    """Return the number; if it is too long, `#` and its number of letters."""
    return number if len(number) <= _LONGEST_NUMBER else f"#{len(number)}"


def _check_constants(setting: Setting, findings: FindingCollector, reported: Collection[str]) -> Rows:
    """Check that each constant of problem.yaml that the validators use occurs as a number in an input.

    reported: bounds that already have a finding.
    """
    constants = dict(_constants_of_validators(setting.package))
    constants = {name: value for name, value in constants.items() if value not in reported}
    met_by: dict[str, str] = {}
    for case in setting.package.judged_cases() if constants else ():
        setting.progress(case.name)
        data = case.input.read()
        for name in [name for name in constants if name not in met_by]:
            if re.search(rb"(?<!\S)" + constants[name].encode() + rb"(?!\S)", data):
                met_by[name] = case.name
    for name in constants.keys() - met_by.keys():
        findings.warning(name, f"no input holds the number {constants[name]}: does a case reach this bound?")
    return [(name, value, "", "", met_by.get(name, _NONE)) for name, value in sorted(constants.items())]


def _constants_of_validators(package: Package) -> Iterable[tuple[str, str]]:
    sources = [file.read() for path, file in package.files.items() if path.startswith("input_validators/")]
    for name, variants in package.constants.items():
        value = variants.get("value", "")
        if re.fullmatch(r"-?[0-9]{1,40}", value) and any(b"{{" + name.encode() in text for text in sources):
            yield name, value


def _describe_answers(package: Package) -> str:
    """Say how large the numbers of the answers are, and which words they hold."""
    largest, empty = 0, 0
    words: set[str] = set()
    for case in package.judged_cases():
        text = case.read_answer()
        largest = max([largest, *(abs(int(token)) for token in set(_INTEGER.findall(text)))])
        words.update(word.strip().decode() for word in _WORD.findall(text[:10_000]) if len(word) > 1)
        empty += not text.strip()
    parts = [_width(largest) if largest else "no numbers"]
    if 0 < len(words) <= MOST_WORDS:
        parts.append("words " + ", ".join(f"`{word}`" for word in sorted(words)))
    if empty:
        parts.append(f"{empty} empty")
    return "; ".join(parts)


def _width(largest: int) -> str:
    if largest <= _WIDTHS[0][1]:
        return "none needs more than 32 bits"
    return "some need more than 32 bits" if largest <= _WIDTHS[1][1] else "beyond 64 bits"
