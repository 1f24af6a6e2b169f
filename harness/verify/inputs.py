"""Input validators: they accept every input, refuse every invalid one, and see what is broken in small ways."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import field, replace

from harness.check.input_validators import InputValidators
from harness.errors import JudgeError
from harness.package import Case
from harness.sandbox import Sandbox
from harness.shapes import InputError, Shape, parse
from harness.store.identity import file_identity
from harness.values import dataclass
from harness.verify.context import Setting
from harness.verify.declared_shape import shape_if_sound
from harness.verify.findings import Findings, PartResult
from harness.verify.malformed_inputs import BEYOND_KINDS, Malformed, malformed
from harness.verify.validators import open_validators

_DIGITS = re.compile(rb"[0-9]+")
_MOST_DIGITS = 19
_LOOK_BYTES = 1 << 20


def check_inputs(setting: Setting) -> PartResult:
    """The part `inputs`; a package without input validators has nothing to look at, and the part `package` says so."""
    if not setting.package.input_validators:
        return PartResult(
            part="inputs", summary="no input validator that can be run: no input is checked", skipped=True
        )
    findings, good, invalid = Findings(), tuple(_good_cases(setting)), setting.package.invalid_inputs
    validators = open_validators(setting, findings)
    if not validators.executables:
        summary = "no input validator can be run on this machine: no input is checked"
        return PartResult(part="inputs", summary=summary, findings=findings.result(), skipped=True)
    whole = len(validators.executables) == len(setting.package.input_validators)  # else the missing one may refuse
    if invalid and not whole:
        findings.note("data/invalid_input", "not tried: an input validator is missing here")
        invalid = ()
    fuzz = _Fuzz(setting=setting, validators=validators, shape=shape_if_sound(setting.package))
    tried = refused = 0
    accepted: list[tuple[str, Malformed]] = []
    for case, outcome in setting.host.pool.each(fuzz.try_good, good):
        setting.progress(case.name)
        outcome.tell(case, findings)
        accepted += [(case.name, broken) for broken in outcome.accepted]
        tried, refused = tried + outcome.tried, refused + outcome.refused
    if refused:
        names = ", ".join(one.program.path for one in validators.executables)
        tell_accepted(names, accepted, findings, declared=whole and fuzz.shape is not None, numbers=_numbers(good))
    for case, outcome in setting.host.pool.each(fuzz.try_invalid, invalid):
        setting.progress(case.name)
        outcome.tell(case, findings)
    if tried and not refused:
        add = findings.error if whole else findings.warning
        add("input_validators", "accept whatever they are given, however broken")
    if not setting.package.invalid_inputs:
        findings.note("data/invalid_input", "none: a few inputs that must be refused show that validators look")
    return PartResult(
        part="inputs",
        summary=f"validators: {len(fuzz.validators.executables)}; {len(good)} inputs, {len(invalid)} invalid ones; "
        f"{refused} of {tried} broken in small ways were refused",
        findings=findings.result(),
    )


def _good_cases(setting: Setting) -> Iterator[Case]:
    package = setting.package
    yield from package.judged_cases()
    yield from package.valid_outputs
    yield from package.invalid_outputs


@dataclass(frozen=True, kw_only=True)
class _Outcome:
    """Of one case. faults: what is wrong for certain; accepted: the broken versions that no validator refused."""

    faults: tuple[str, ...] = ()
    accepted: tuple[Malformed, ...] = ()
    tried: int = 0
    refused: int = 0

    def tell(self, case: Case, findings: Findings) -> None:
        """What is wrong for certain."""
        for fault in self.faults:
            findings.error(case.name, fault)


def _numbers(cases: Sequence[Case]) -> int:
    """The most digits of a number in the inputs; of the largest inputs the beginning is enough."""
    found = (len(token) for case in cases for token in _DIGITS.findall(case.input.read()[:_LOOK_BYTES]))
    return max(found, default=0)


def tell_accepted(
    validators: str,
    accepted: Sequence[tuple[str, Malformed]],
    findings: Findings,
    *,
    declared: bool,
    numbers: int,
) -> None:
    """One finding on all broken inputs that the validators accept, the worst first.

    It is an error where the package's own shape says that they are no inputs, and where a number is accepted that is
    beyond every bound: one of 31 digits, where no input has one of more than 19. numbers: the most digits of one.
    """
    kinds: dict[Malformed, list[str]] = {}
    for case, broken in accepted:
        kinds.setdefault(replace(broken, content=b""), []).append(case)
    if not kinds:
        return
    worst = sorted(kinds.items(), key=lambda item: (_badness(item[0]), -len(set(item[1]))))
    unbounded = numbers <= _MOST_DIGITS and any(kind.kind in BEYOND_KINDS for kind in kinds)
    texts = [f"{kind.kind} ({_cases(names)})" for kind, names in worst]
    add = findings.error if declared or unbounded else findings.warning
    form = all(kind.form_only for kind in kinds)
    add(
        validators,
        f"accepts broken inputs{' (every token means what it did)' if form else ''}: {'; '.join(texts)}",
    )


def _badness(broken: Malformed) -> int:
    if broken.kind in BEYOND_KINDS:
        return 0
    return 2 if broken.form_only else 1


def _cases(names: Sequence[str]) -> str:
    different = sorted(set(names))
    return different[0] if len(different) == 1 else f"{len(different)} cases, {different[0]} first"


@dataclass(frozen=True, kw_only=True)
class _Fuzz:
    """Runs the validators of one package. shape: what the package itself declares of its inputs.

    refused: what came of bytes and arguments; many cases, broken in the same way, become the same (an empty file).
    """

    setting: Setting
    validators: InputValidators
    shape: Shape | None
    refused: dict[tuple[str, bytes], str | None] = field(default_factory=dict)

    def try_good(self, sandbox: Sandbox, case: Case) -> _Outcome:
        """An input that must be accepted, and all of its broken versions."""
        data = case.input.read()
        try:
            refusal = self._refusal(sandbox, case, data)
            if refusal is not None:
                return _Outcome(faults=(f"refused by {refusal}",))
            broken = tuple(malformed(data))
            accepted = [one for one in broken if self._refusal(sandbox, case, one.content) is None]
        except JudgeError as error:
            return _Outcome(faults=(str(error).replace(f" on {case.name}", ""),))
        return _Outcome(
            accepted=tuple(one for one in accepted if not self._is_input(one.content)),
            tried=len(broken),
            refused=len(broken) - len(accepted),
        )

    def try_invalid(self, sandbox: Sandbox, case: Case) -> _Outcome:
        """An input that must be refused."""
        try:
            refusal = self._refusal(sandbox, case, case.input.read())
        except JudgeError as error:
            return _Outcome(faults=(str(error).replace(f" on {case.name}", ""),))
        return (
            _Outcome() if refusal else _Outcome(faults=("accepted by every input validator, one must refuse it",))
        )

    def _refusal(self, sandbox: Sandbox, case: Case, data: bytes) -> str | None:
        files = sorted((name, file_identity(file)) for name, file in case.extra_files.items())
        given = repr((case.settings.input_validator_args, case.settings.args, files))
        key = given, hashlib.sha256(data).digest()
        if key not in self.refused:
            self.refused[key] = self._found(sandbox, case, data)
        return self.refused[key]

    def _found(self, sandbox: Sandbox, case: Case, data: bytes) -> str | None:
        refusals = self.validators.refusals(sandbox, case, data)
        return f"{refusals[0].validator}: {refusals[0].message}" if refusals else None

    def _is_input(self, data: bytes) -> bool:
        """Whether the shape says that this is an input after all."""
        if self.shape is None:
            return False
        try:
            parse(self.shape, data)
        except InputError:
            return False
        return True
