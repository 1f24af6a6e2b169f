"""Dataclasses go to JSON and come back; what does not fit is named with its place."""

import pytest

from harness.errors import UsageError
from harness.mutate.new_cases import Proposal
from harness.mutate.outcomes import Comparison
from harness.results.as_json import as_json
from harness.results.reading import read_value
from harness.verify.findings import Finding, Level, PartResult

PART = PartResult(
    part="time",
    summary="3 s",
    findings=(Finding(level=Level.WARNING, subject="a", message="b"),),
    rows=(("x", "y"), ()),
    figures={"limit_s": 3.0},
)
CASES = (Proposal(group="secret", name="01", input=b"1\n\xff", answer=b"", kills=("a#1",), minimal=True),)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (PartResult, PART),
        (tuple[Proposal, ...], CASES),
        (Comparison, Comparison(number=1, searched=2, killer=b"\x00")),
        (Comparison, Comparison(number=1, searched=2)),
    ],
)
def test_a_value_comes_back_as_it_was(kind: type, value: object) -> None:
    assert read_value(kind, as_json(value), "here") == value


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"findings": [{"level": "warning"}]}, "here: findings[0]: `subject` is missing"),
        ({"findings": {}}, "here: findings: expected a list, found {}"),
        ({"rows": [["x"], [1]]}, "here: rows[1][0]: expected str, found 1"),
        ({"figures": {"limit_s": True}}, "here: figures['limit_s']: expected float, found True"),
        ({"wall_s": float("inf")}, "here: wall_s: inf is more than any number of a result"),
    ],
)
def test_what_does_not_fit_is_named_with_its_place(change: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError) as raised:
        read_value(PartResult, {**as_json(PART), **change}, "here")
    assert str(raised.value) == message


def test_bytes_that_are_not_hexadecimal_are_refused() -> None:
    with pytest.raises(UsageError, match="killer: 'xyz' is not hexadecimal"):
        read_value(Comparison, {"number": 1, "searched": 2, "killer": "xyz"}, "here")
