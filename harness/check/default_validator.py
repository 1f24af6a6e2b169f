"""The default output validator of the 2025-09 format: tokens, compared in process on capped bytes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation

from harness.check.classify import Judgement
from harness.errors import UsageError
from harness.results.verdict import Reason, Verdict

# 2025-09, "Default output validator": space, \f \n \r \t \v separate tokens; numbers are decimal only.
_TOKEN = re.compile(rb"[^ \f\n\r\t\v]+")
_TOKEN_OR_SPACE = re.compile(rb"[^ \f\n\r\t\v]+|[ \f\n\r\t\v]+")
_FLOAT = re.compile(rb"[+-]?(?:\d*\.\d+|\d+\.|\d+)(?:[eE][+-]?\d+)?")
_FLAGS = ("case_sensitive", "space_change_sensitive")
_TOLERANCES = ("float_tolerance", "float_relative_tolerance", "float_absolute_tolerance")
_KNOWN = (*_FLAGS, *(f"{name} NUMBER" for name in _TOLERANCES))
_SHOWN_BYTES = 40
_NUMBER_BYTES = 1 << 24  # reading one takes time in proportion to its length, whatever it is
# The format asks that 30 digits are read on each side of the point, and that 52 bits of the value count. Of what is
# read, so many digits count: all that any judge can be trusted to tell apart, and more.
_READ = Context(prec=40, Emax=MAX_EMAX, Emin=MIN_EMIN)
_EXACT = Context(prec=100, Emax=MAX_EMAX, Emin=MIN_EMIN)


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """How two outputs are compared; the names are the arguments' of the format."""

    case_sensitive: bool = False
    space_change_sensitive: bool = False
    relative: Decimal | None = None
    absolute: Decimal | None = None

    @property
    def floats(self) -> bool:
        """Whether numbers are compared as numbers."""
        return self.relative is not None or self.absolute is not None


def parse_arguments(arguments: Sequence[str]) -> Comparison:
    """The comparison that `output_validator_args` ask for. Raises UsageError for what the format does not know."""
    flags: set[str] = set()
    tolerances: dict[str, Decimal] = {}
    rest = list(arguments)
    while rest:
        name = rest.pop(0)
        if name in flags or name in tolerances:
            raise UsageError(f"`{name}` stands twice")
        if name in _FLAGS:
            flags.add(name)
        elif name in _TOLERANCES:
            tolerances[name] = _tolerance(name, rest.pop(0) if rest else "")
        else:
            raise UsageError(f"the default output validator knows no `{name}`, only {', '.join(_KNOWN)}")
    if "float_tolerance" in tolerances and len(tolerances) > 1:
        raise UsageError("`float_tolerance` excludes the other two tolerances")
    both = tolerances.get("float_tolerance")
    return Comparison(
        case_sensitive="case_sensitive" in flags,
        space_change_sensitive="space_change_sensitive" in flags,
        relative=tolerances.get("float_relative_tolerance", both),
        absolute=tolerances.get("float_absolute_tolerance", both),
    )


def _tolerance(name: str, text: str) -> Decimal:
    try:
        if _FLOAT.fullmatch(text.encode(errors="replace")):
            return Decimal(text)
    except InvalidOperation:  # an exponent of twenty digits
        pass
    raise UsageError(f"`{name}` needs a number, not {text[:80]!r}")


def compare(output: bytes, answer: bytes, comparison: Comparison) -> Judgement:
    """AC or WA with the first difference."""
    pattern = _TOKEN_OR_SPACE if comparison.space_change_sensitive else _TOKEN
    if (
        not comparison.floats
        and not comparison.space_change_sensitive
        and _same_tokens(output, answer, comparison)
    ):
        return Judgement(verdict=Verdict.ACCEPTED)
    found, expected = pattern.finditer(output), pattern.finditer(answer)
    for number, want in enumerate(expected, start=1):
        got = next(found, None)
        if got is None:
            return _reject(f"output ends before token {number}, {_shown(want[0])} was expected")
        if not _equal(got[0], want[0], comparison):
            line = output.count(b"\n", 0, got.start()) + 1
            return _reject(f"line {line}, token {number}: {_shown(got[0])}, expected {_shown(want[0])}")
    extra = next(found, None)
    if extra is not None:
        line = output.count(b"\n", 0, extra.start()) + 1
        return _reject(f"line {line}: {_shown(extra[0])} after the expected end")
    return Judgement(verdict=Verdict.ACCEPTED)


def _same_tokens(output: bytes, answer: bytes, comparison: Comparison) -> bool:
    # The common case at the speed of bytes.split: every token equal.
    if not comparison.case_sensitive:
        output, answer = output.lower(), answer.lower()
    return output == answer or output.split() == answer.split()


def _equal(got: bytes, want: bytes, comparison: Comparison) -> bool:
    if comparison.floats and _FLOAT.fullmatch(want):
        return _FLOAT.fullmatch(got) is not None and _close(got, want, comparison)
    return got == want if comparison.case_sensitive else got.lower() == want.lower()


def _close(got: bytes, want: bytes, comparison: Comparison) -> bool:
    if len(got) > _NUMBER_BYTES or len(want) > _NUMBER_BYTES:
        return got == want
    try:
        value, wanted = (_READ.create_decimal(token.decode("ascii")) for token in (got, want))
        difference = _EXACT.abs(_EXACT.subtract(value, wanted))
        return (comparison.absolute is not None and difference <= comparison.absolute) or (
            comparison.relative is not None
            and difference <= _EXACT.multiply(comparison.relative, _EXACT.abs(wanted))
        )
    except (InvalidOperation, ArithmeticError):
        return got == want


def _reject(message: str) -> Judgement:
    return Judgement(verdict=Verdict.WRONG_ANSWER, reason=Reason.VALIDATOR, message=message)


def _shown(token: bytes) -> str:
    """A token as printable text; long ones are cut."""
    text = token[:_SHOWN_BYTES].decode("ascii", errors="backslashreplace")
    text = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
    return f"`{text}`" if len(token) <= _SHOWN_BYTES else f"`{text}…` ({len(token)} bytes)"
