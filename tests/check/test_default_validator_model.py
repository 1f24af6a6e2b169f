"""The default output validator beside a plain model of the format's text, written without looking at it: exact
fractions, one character at a time."""

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from harness.check.default_validator import compare, parse_arguments
from harness.results.verdict import Verdict

SPACE = b" \f\n\r\t\v"
DIGITS = b"0123456789"


def number(token: bytes) -> Fraction | None:
    """[+-]?(\\d*\\.\\d+|\\d+\\.|\\d+)([eE][+-]?\\d+)?, read by hand."""
    rest = token[1:] if token[:1] in (b"+", b"-") else token
    sign = -1 if token[:1] == b"-" else 1
    whole, rest = digits(rest)
    fraction = b""
    if rest[:1] == b".":
        fraction, rest = digits(rest[1:])
    if not whole and not fraction:
        return None
    power = 0
    if rest[:1] in (b"e", b"E"):
        down = -1 if rest[1:2] == b"-" else 1
        exponent, rest = digits(rest[2:] if rest[1:2] in (b"+", b"-") else rest[1:])
        if not exponent:
            return None
        power = down * int(exponent)
    if rest:
        return None
    return sign * int(whole + fraction or b"0") * Fraction(10) ** (power - len(fraction))


def digits(text: bytes) -> tuple[bytes, bytes]:
    size = 0
    while size < len(text) and text[size] in DIGITS:
        size += 1
    return text[:size], text[size:]


def pieces(text: bytes, *, spaces: bool) -> list[bytes]:
    """The tokens; with the runs of white space between them, if those count."""
    found: list[bytes] = []
    kind = None
    for byte in text:
        white = byte in SPACE
        if white != kind:
            found.append(b"")
        found[-1] += bytes([byte])
        kind = white
    return [piece for piece in found if spaces or piece[0] not in SPACE]


def folded(token: bytes) -> bytes:
    return bytes(byte + 32 if 65 <= byte <= 90 else byte for byte in token)


def accepted_by_model(output: bytes, answer: bytes, arguments: str) -> bool:
    words = arguments.split()
    spaces, exact = "space_change_sensitive" in words, "case_sensitive" in words
    tolerance = {name: number(words[place + 1].encode()) for place, name in enumerate(words) if "float" in name}
    both = tolerance.get("float_tolerance")
    absolute = tolerance.get("float_absolute_tolerance", both)
    relative = tolerance.get("float_relative_tolerance", both)
    found, wanted = pieces(output, spaces=spaces), pieces(answer, spaces=spaces)
    if len(found) != len(wanted):
        return False
    for got, want in zip(found, wanted, strict=True):
        value = number(want) if tolerance else None
        if value is None:
            if got != want if exact else folded(got) != folded(want):
                return False
            continue
        mine = number(got)
        if mine is None:
            return False
        error = abs(mine - value)
        near = (absolute is not None and error <= absolute) or (
            relative is not None and error <= relative * abs(value)
        )
        if not near:
            return False
    return True


ARGUMENTS = [
    " ".join(words)
    for floats in (
        "",
        "float_tolerance 1e-6",
        "float_tolerance 0",
        "float_tolerance .5",
        "float_relative_tolerance 1.e-1",
        "float_absolute_tolerance +0.25",
        "float_absolute_tolerance 1 float_relative_tolerance 1E-3",
    )
    for case in ("", "case_sensitive")
    for space in ("", "space_change_sensitive")
    for words in [(floats, case, space)]
]
ODD = [
    b"inf",
    b"-inf",
    b"nan",
    b"NaN",
    b"0x1",
    b"0x1p3",
    b"1_0",
    "１".encode(),
    b"1,5",
    b"1d5",
    b"1f",
    b"--1",
    b"1e5.0",
]
NUMBERS = [
    b"+1",
    b"1",
    b"1.",
    b".5",
    b"0.5",
    b"1e0",
    b"10e-1",
    b"-0",
    b"0",
    b"+.0e5",
    b"1E5",
    b"100000",
    b"00001",
    b"1.0000001",
]
SHORT = st.text("+-.0159eExnN_", min_size=1, max_size=6).map(str.encode)
TOKEN = st.one_of(st.sampled_from(NUMBERS), st.sampled_from(ODD), SHORT, st.binary(min_size=1, max_size=3))
GAP = st.sampled_from([b" ", b"\n", b"  ", b"\r\n", b"\t", b"\v", b"\f", b"", b" \n"])


@st.composite
def pairs(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """Two texts whose tokens are mostly the same or nearly so."""
    texts = [b"", b""]
    for _ in range(draw(st.integers(0, 4))):
        want, gap = draw(TOKEN), draw(GAP)
        same = draw(st.integers(0, 3))
        got = want if same == 0 else want.swapcase() if same == 1 else draw(TOKEN)
        texts[0] += got + (draw(GAP) if draw(st.integers(0, 3)) == 0 else gap)
        texts[1] += want + gap
    return texts[0], texts[1]


@example(texts=(b"", b"\n"), arguments="space_change_sensitive")
@example(texts=(b"1 ", b"1"), arguments="space_change_sensitive")
@given(pairs(), st.sampled_from(ARGUMENTS))
def test_the_validator_agrees_with_the_model(texts: tuple[bytes, bytes], arguments: str) -> None:
    output, answer = texts
    judged = compare(output, answer, parse_arguments(arguments.split())).verdict
    assert (judged is Verdict.ACCEPTED) == accepted_by_model(output, answer, arguments), (
        output,
        answer,
        arguments,
    )


@pytest.mark.parametrize("want", [*NUMBERS, *ODD])
@pytest.mark.parametrize("arguments", ["", "float_tolerance 1e-6", "float_absolute_tolerance 1 case_sensitive"])
def test_every_pair_of_odd_numbers_agrees_with_the_model(want: bytes, arguments: str) -> None:
    comparison = parse_arguments(arguments.split())
    for got in (*NUMBERS, *ODD, b"", b".", b"+", b"e5", b".e5", b"1e", b"1e+"):
        judged = compare(got, want, comparison).verdict
        assert (judged is Verdict.ACCEPTED) == accepted_by_model(got, want, arguments), (got, want)


LONG = b"9" * 1_000_000


@pytest.mark.parametrize(
    ("output", "answer", "accepted"),
    [
        (LONG, LONG, True),
        (LONG + b".0", LONG, True),  # the same value in another form
        (b"+" + LONG, LONG, True),
        (b"1e1000000", LONG, True),  # nearly so
        (LONG[1:], LONG, False),
        (b"1e999999999999999999999999", b"1e999999999999999999999999", True),
        (b"1e999999999999999999999999", b"1", False),
        (b"1e-999999999999999999999999", b"0", True),
        (b"0", b"1e-999999999999999999999999", True),
        (b"0e999999999999999999999999", b"0", True),
        (b"1e" + LONG, b"1", False),
        (b"1e-" + LONG, b"0", True),
    ],
)
def test_numbers_beyond_every_machine_are_compared_by_value(output: bytes, answer: bytes, accepted: bool) -> None:
    judged = compare(output, answer, parse_arguments(["float_tolerance", "1e-6"])).verdict
    assert (judged is Verdict.ACCEPTED) == accepted
