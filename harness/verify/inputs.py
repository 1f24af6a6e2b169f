"""The part `inputs`: whether the input validators accept all valid inputs and refuse invalid and broken ones."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import field, replace

from harness.check.input_validators import InputValidators
from harness.errors import JudgeError, counted
from harness.package import Case, Package
from harness.sandbox.facts import Sandbox
from harness.shapes import Shape, parsed
from harness.store.identity import file_identity
from harness.values import dataclass
from harness.verify.broken_texts import (
    BEYOND_KINDS,
    LARGE_INPUT_BYTES,
    MOST_BROKEN,
    BrokenText,
    broken_inputs,
    cheap_cases,
    kinds_in_use,
    spread_by_size,
)
from harness.verify.findings import FindingCollector, PartResult
from harness.verify.setting import Setting, input_validators, shape_if_sound

_DIGITS = re.compile(rb"[0-9]+")
_MOST_DIGITS = 19
_SEARCHED_BYTES = 1 << 20


def check_inputs(setting: Setting) -> PartResult:
    """Check the inputs with the validators, and the validators with invalid and broken inputs."""
    package, findings = setting.package, FindingCollector()
    if not package.input_validators:  # the part `package` reports it
        return findings.part("no input validator that can be run: no input is checked", skipped=True)
    validators = input_validators(setting, findings)
    if not validators.executables:
        return findings.part("no input validator can be run on this machine: no input is checked", skipped=True)
    complete = len(validators.executables) == len(package.input_validators)  # else the missing one may refuse
    good, invalid = list(_good_cases(package)), package.invalid_inputs
    sizes = {case.name: case.input.size() for case in good}
    to_break = spread_by_size({name: sizes[name] for name in cheap_cases(sizes)}, MOST_BROKEN)
    small = [case.input.read() for case in good if sizes[case.name] <= LARGE_INPUT_BYTES]
    checker = _InputChecker(
        validators=validators,
        shape=shape_if_sound(package),
        to_break=to_break,
        in_use=frozenset(kind for data in small for kind in kinds_in_use(data)),
    )
    if not good and not invalid:
        return findings.part("no test case: no input is checked", skipped=True)
    results = []
    for case, result in zip(good, setting.host.pool.in_order(checker.check_good, good), strict=True):
        setting.progress(case.name)
        results.append(result)
        if result.fault:
            findings.error(case.name, result.fault)
    tried, refused = sum(result.tried for result in results), sum(result.refused for result in results)
    if refused:
        _report_accepted(checker, good, results, findings, complete=complete)
    if invalid and not complete:
        findings.note("data/invalid_input", "not tried: an input validator is missing here")
        invalid = ()
    for case, fault in setting.host.pool.each(checker.check_invalid, invalid):
        setting.progress(case.name)
        if fault:
            findings.error(case.name, fault)
    if tried and not refused:
        report = findings.error if complete else findings.warning
        report("input_validators", "accept whatever they are given, however broken")
    if not package.invalid_inputs:
        findings.note("data/invalid_input", "none: add a few inputs that the input validators must refuse")
    return findings.part(
        f"validators: {len(validators.executables)}; {counted(len(good), 'input')}, {len(invalid)} invalid; "
        f"{refused} of {tried} broken in small ways were refused"
    )


def _good_cases(package: Package) -> Iterator[Case]:
    yield from package.judged_cases()
    yield from package.valid_outputs
    yield from package.invalid_outputs


@dataclass(frozen=True, kw_only=True)
class _InputResult:
    """The validators' result for an input that they must accept.

    fault: why they refuse it; else empty. accepted: the broken versions that no validator refused. tried, refused:
    numbers of broken versions.
    """

    fault: str | JudgeError = ""
    accepted: tuple[BrokenText, ...] = ()
    tried: int = 0
    refused: int = 0


@dataclass(frozen=True, kw_only=True)
class _InputChecker:
    """Runs the input validators of a package. shape: the package's declared input shape, if any.

    to_break: names of the cases whose inputs are also tried in broken versions, except kinds that are `in_use`.
    refusals: results by arguments and input, kept because cases broken in the same way may become equal (for example,
    empty).
    """

    validators: InputValidators
    shape: Shape | None
    to_break: frozenset[str]
    in_use: frozenset[str]
    refusals: dict[tuple[str, bytes], str] = field(default_factory=dict)

    def check_good(self, sandbox: Sandbox, case: Case) -> _InputResult:
        """Check an input that must be accepted, and all of its broken versions."""
        data = case.input.read()
        try:
            refusal = self._refusal(sandbox, case, data)
            if refusal:
                return _InputResult(fault=f"refused by {refusal}")
            broken = tuple(broken_inputs(data)) if case.name in self.to_break else ()
            broken = tuple(text for text in broken if text.kind not in self.in_use)
            accepted = [text for text in broken if not self._refusal(sandbox, case, text.content)]
        except JudgeError as error:
            return _InputResult(fault=_without_case(error, case))
        return _InputResult(
            accepted=tuple(text for text in accepted if not self._has_the_shape(text.content)),
            tried=len(broken),
            refused=len(broken) - len(accepted),
        )

    def check_invalid(self, sandbox: Sandbox, case: Case) -> str | JudgeError:
        """Check an input that must be refused. Return the fault, or the empty string."""
        try:
            refused = self._refusal(sandbox, case, case.input.read())
        except JudgeError as error:
            return _without_case(error, case)
        return "" if refused else "accepted by every input validator, one must refuse it"

    def _refusal(self, sandbox: Sandbox, case: Case, data: bytes) -> str:
        """Return the validator that refuses the input and its message; empty if all accept it."""
        files = sorted((name, file_identity(file)) for name, file in case.extra_files.items())
        arguments = repr((case.settings.input_validator_args, case.settings.args, files))
        key = arguments, hashlib.sha256(data).digest()
        if key not in self.refusals:
            refusals = self.validators.refusals(sandbox, case, data)
            self.refusals[key] = f"{refusals[0].validator}: {refusals[0].message}" if refusals else ""
        return self.refusals[key]

    def _has_the_shape(self, data: bytes) -> bool:
        """Return whether the input fits the declared shape, so that it may be valid."""
        return self.shape is not None and parsed(self.shape, data) is not None


def _without_case(error: JudgeError, case: Case) -> JudgeError:
    return error.reworded(str(error).replace(f" on {case.name}", ""))


def _report_accepted(
    checker: _InputChecker,
    cases: Sequence[Case],
    results: Sequence[_InputResult],
    findings: FindingCollector,
    *,
    complete: bool,
) -> None:
    """Report all accepted broken inputs in one finding, the worst first.

    It is an error if they do not fit the package's declared shape, or if a number of 31 digits is
    accepted though no number in the inputs has more than 19 digits.
    """
    kinds: dict[BrokenText, list[str]] = {}
    for case, result in zip(cases, results, strict=True):
        for text in result.accepted:
            kinds.setdefault(replace(text, content=b""), []).append(case.name)
    if not kinds:
        return
    worst = sorted(kinds.items(), key=lambda item: (_badness(item[0]), -len(set(item[1]))))
    unbounded = any(kind.kind in BEYOND_KINDS for kind in kinds) and _most_digits(cases) <= _MOST_DIGITS
    declared = complete and checker.shape is not None
    report = findings.error if declared or unbounded else findings.warning
    names = ", ".join(validator.program.path for validator in checker.validators.executables)
    form = " (every token means what it did)" if all(kind.form_only for kind in kinds) else ""
    texts = "; ".join(f"{kind.kind} ({_case_names(cases)})" for kind, cases in worst)
    report(names, f"accepts broken inputs{form}: {texts}")


def _badness(text: BrokenText) -> int:
    if text.kind in BEYOND_KINDS:
        return 0
    return 2 if text.form_only else 1


def _case_names(names: Sequence[str]) -> str:
    different = sorted(set(names))
    return different[0] if len(different) == 1 else f"{len(different)} cases, {different[0]} first"


def _most_digits(cases: Sequence[Case]) -> int:
    """Return the most digits of any number in the inputs; of the largest inputs, only the beginning is read."""
    lengths = (len(digits) for case in cases for digits in _DIGITS.findall(case.input.read(_SEARCHED_BYTES)))
    return max(lengths, default=0)
