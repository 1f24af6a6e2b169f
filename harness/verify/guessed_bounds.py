"""The bounds of inputs that no shape declares: a guessed shape, its limits asked of the input validators."""

import time
from collections.abc import Sequence

from harness.errors import HarnessError, JudgeError
from harness.package import Case
from harness.sandbox import Sandbox
from harness.search.learn_limits import LimitLearner
from harness.shapes import InputError, Shape, infer, parse, read_shape
from harness.verify.context import Setting
from harness.verify.coverage import Coverage
from harness.verify.findings import Findings
from harness.verify.validators import open_validators

ASK_S = 30.0  # of asking validators; bounds that are not known by then are not told
MOST_SAMPLES = 12
SAMPLE_BYTES = 20_000
_LONGEST = 20  # letters of a number that is written out
_ENDLESS = "#"


def guessed_coverage(setting: Setting) -> Coverage | None:
    """What the cases reach of the limits that validators accept; None where no shape can be guessed or asked about."""
    cases = setting.package.judged_cases()
    if not setting.package.input_validators or any(_has_arguments(case) for case in cases):
        return None
    small = sorted(
        (case for case in cases if case.input.size() <= SAMPLE_BYTES), key=lambda case: case.input.size()
    )
    try:
        if not small:
            return None
        shape = read_shape(infer([case.input.read() for case in small[:MOST_SAMPLES]]))
        return _coverage(_with_real_limits(setting, shape, small[0]), cases)
    except HarnessError:  # of a guess: nothing of the package is wrong
        return None


def tell_guessed(coverage: Coverage, findings: Findings) -> list[tuple[str, ...]]:
    """Warn of each bound that validators accept and no case reaches; the rows of a table of all."""
    rows: list[tuple[str, ...]] = []
    for reach in coverage.reaches.values():
        if not reach.bound:
            continue
        low, high = (_short(bound) for bound in reach.bound.split(".."))
        if reach.at_high is None and high.startswith(_ENDLESS):
            findings.warning(
                reach.place, f"validators accept a number of {high[1:]} digits: do they know a bound?"
            )
        elif reach.at_high is None:
            most = f"the largest in the data is {_short(str(reach.highest))}"
            findings.warning(reach.place, f"no case reaches {high}, which validators accept: {most}")
        if reach.at_low is None:
            findings.note(reach.place, f"no case reaches {low}, which validators accept")
        seen = f"{_short(str(reach.lowest))}..{_short(str(reach.highest))}"
        rows.append((reach.place, f"{low}..{high}", seen, reach.at_low or "–", reach.at_high or "–"))
    return rows


def _short(number: str) -> str:
    """The number, or how many digits it has."""
    return number if len(number) <= _LONGEST else f"{_ENDLESS}{len(number)}"


def _has_arguments(case: Case) -> bool:
    return bool(case.settings.args or case.settings.input_validator_args or case.extra_files)


def _coverage(shape: Shape, cases: Sequence[Case]) -> Coverage | None:
    coverage = Coverage()
    for case in cases:
        try:
            coverage.see(shape, parse(shape, case.input.read()), case.name)
        except InputError:
            return None  # the guess does not describe all cases, so it tells nothing about them
    return coverage


def _with_real_limits(setting: Setting, shape: Shape, sample: Case) -> Shape:
    validators = open_validators(setting)
    if not validators.executables:
        raise JudgeError("no input validator can be run")
    plain = Case(name="an input of a guessed shape", input=sample.input, answer=None)

    def accepted(sandbox: Sandbox, data: bytes) -> bool:
        try:
            return not validators.refusals(sandbox, plain, data)
        except JudgeError:  # too large for it, say
            return False

    def valid(inputs: Sequence[bytes]) -> list[bool]:
        return list(setting.host.pool.in_order(accepted, inputs))

    return LimitLearner(shape=shape, valid=valid, deadline_s=time.monotonic() + ASK_S).run()
