"""The default output validator says what the 2025-09 format says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.check.default_validator import compare, parse_arguments
from harness.errors import UsageError
from harness.results.verdict import Verdict


def accepts(output: bytes, answer: bytes, *arguments: str) -> bool:
    return compare(output, answer, parse_arguments(arguments)).verdict is Verdict.ACCEPTED


@pytest.mark.parametrize(
    ("output", "answer", "arguments"),
    [
        (b"1 2\n", b"1 2\n", ""),
        (b"1\n\n2", b"1 2\n", ""),
        (b"\t1\r\n2\x0b\x0c", b"1 2", ""),
        (b"YES", b"yes", ""),
        (b"", b"", ""),
        (b" \n", b"", ""),
        (b"1 2\n", b"1 2\n", "space_change_sensitive"),
        (b"Yes", b"Yes", "case_sensitive"),
        (b"1.0001", b"1", "float_tolerance 1e-3"),
        (b"1.0001", b"1", "float_absolute_tolerance 1e-3"),
        (b"1001", b"1000", "float_relative_tolerance 1e-3"),
        (b"1001", b"1000", "float_tolerance 1e-3"),
        (b".5e1 text", b"5. TEXT", "float_tolerance 0"),
        (b"1e1", b"10", "float_absolute_tolerance 0"),
        (b"-0.0", b"0", "float_tolerance 1e-9"),
        (b"0.1", b"0.10000000000000000000000000001", "float_absolute_tolerance 1e-28"),
    ],
)
def test_accepts(output: bytes, answer: bytes, arguments: str) -> None:
    assert accepts(output, answer, *arguments.split())


@pytest.mark.parametrize(
    ("output", "answer", "arguments"),
    [
        (b"1 2", b"1 2 3", ""),
        (b"1 2 3", b"1 2", ""),
        (b"12", b"1 2", ""),
        (b"1.0", b"1", ""),
        (b"YES", b"yes", "case_sensitive"),
        (b"1  2\n", b"1 2\n", "space_change_sensitive"),
        (b"1 2", b"1 2\n", "space_change_sensitive"),
        (b"1.01", b"1", "float_tolerance 1e-3"),
        (b"nan", b"1", "float_tolerance 1e9"),
        (b"inf", b"1", "float_tolerance 1e9"),
        (b"0x1", b"1", "float_tolerance 1e9"),
        (b"1_0", b"10", "float_tolerance 1e-9"),
        ("１".encode(), b"1", "float_tolerance 1e9"),
        (b"one", b"1", "float_tolerance 1e9"),
        (b"1", b"one", "float_tolerance 1e9"),
        (b"1001", b"1000", "float_absolute_tolerance 1e-3"),
        (b"0.11", b"0.10000000000000000000000000001", "float_absolute_tolerance 1e-28"),
        ("É".encode(), "é".encode(), ""),  # only ASCII letters fold
        (b"1\x002", b"1 2", ""),
        (b"1\xc2\xa02", b"1 2", ""),  # a no-break space separates nothing
    ],
)
def test_rejects(output: bytes, answer: bytes, arguments: str) -> None:
    assert not accepts(output, answer, *arguments.split())


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ("float_tolerance", "needs a number"),
        ("float_tolerance x", "needs a number"),
        ("float_tolerance nan", "needs a number"),
        ("float_tolerance -1e-6", "needs a number from 0"),
        ("float_tolerance 1 float_absolute_tolerance 1", "excludes"),
        ("case_sensitive case_sensitive", "stands twice"),
        ("whatever", "knows no `whatever`, only case_sensitive"),
        ("float_tolerence 1e-6", "knows no `float_tolerence`: did you mean `float_tolerance`"),
    ],
)
def test_arguments_that_the_format_does_not_know_are_an_error(arguments: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        parse_arguments(arguments.split())


SMALL = ("float_tolerance", "1e-9")
TOKENS = st.lists(st.binary(min_size=1, max_size=4).filter(lambda token: token.split() == [token]))
SPACES = st.text(" \n\t\r\x0b\x0c", min_size=1, max_size=3).map(str.encode)


@given(TOKENS, st.data())
def test_spacing_never_matters_unless_asked_for(tokens: list[bytes], data: st.DataObject) -> None:
    def spaced() -> bytes:
        return b"".join(data.draw(SPACES) + token for token in tokens) + data.draw(SPACES)

    assert accepts(spaced(), spaced())


@given(TOKENS, TOKENS)
def test_accepts_exactly_equal_token_lists_when_case_sensitive(left: list[bytes], right: list[bytes]) -> None:
    assert accepts(b" ".join(left), b"\n".join(right), "case_sensitive") == (left == right)


@given(
    st.binary(max_size=300),
    st.binary(max_size=300),
    st.sampled_from(["", "float_tolerance 1e-6", "space_change_sensitive"]),
)
def test_no_output_makes_it_fail_and_messages_are_printable(output: bytes, answer: bytes, arguments: str) -> None:
    judgement = compare(output, answer, parse_arguments(arguments.split()))
    assert judgement.verdict in (Verdict.ACCEPTED, Verdict.WRONG_ANSWER)
    assert judgement.message.isprintable()


def test_numbers_of_any_length_cost_no_time() -> None:
    long = b"9" * 1_000_000
    assert accepts(long + b"8", long + b"9", *SMALL)
    assert not accepts(long + b"8", long + b"9")
    assert not accepts(b"1e999999999999", b"1", *SMALL)


def test_message_names_line_token_and_both_values() -> None:
    judgement = compare(b"1 2\n3 4\n", b"1 2\n3 5\n", parse_arguments(()))
    assert judgement.message == "line 2, token 4: `4`, expected `5`"
