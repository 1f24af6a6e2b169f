"""`same_as`: a five-line test that finds a small input on which two functions differ."""

import pytest

from harness.shapes.testing import same_as

SHAPE = "n: 1..30; n * (-9..9)"


def numbers(data: bytes) -> list[int]:
    return [int(word) for word in data.split()[1:]]


@same_as(lambda data: sum(numbers(data)), SHAPE)
def test_a_right_function_passes(data: bytes) -> int:
    return sum(reversed(numbers(data)))


def test_a_wrong_function_fails_on_a_smallest_input() -> None:
    @same_as(lambda data: max(numbers(data)), SHAPE)
    def mine(data: bytes) -> int:
        return max(0, *numbers(data))

    with pytest.raises(AssertionError, match="on this input:\n1\n-1\n"):
        mine()


def test_samples_are_tried_first() -> None:
    seen: list[bytes] = []

    @same_as(lambda _: 0, SHAPE, samples=(b"2\n7 8\n",))
    def mine(data: bytes) -> int:
        seen.append(data)
        return 0

    mine()
    assert seen[0] == b"2\n7 8\n"


def test_outputs_that_are_texts_are_compared_by_tokens() -> None:
    same_as(lambda _: "1 2\n", SHAPE, examples=5)(lambda _: b"1  2")()


def test_inputs_that_are_not_valid_do_not_count() -> None:
    same_as(lambda _: 0, SHAPE, valid=lambda data: len(data) < 1)(lambda _: 1)()
