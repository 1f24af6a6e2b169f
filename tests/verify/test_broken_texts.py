"""Broken inputs differ from the right one, and are broken as their name says."""

from harness.verify.broken_texts import (
    LARGE_INPUT_BYTES,
    broken_inputs,
    cheap_cases,
    junk_outputs,
    kinds_in_use,
    spread_by_size,
)

INPUT = b"2 -17\nabc 0\n"


def test_every_broken_input_differs_from_the_right_one_and_from_the_others() -> None:
    contents = [one.content for one in broken_inputs(INPUT)]
    assert INPUT not in contents
    assert len(set(contents)) == len(contents)


def test_each_kind_that_setters_forget_is_there() -> None:
    found = {one.kind: one.content for one in broken_inputs(INPUT)}
    assert found["no newline at the end"] == b"2 -17\nabc 0"
    assert found["CRLF line ends"] == b"2 -17\r\nabc 0\r\n"
    assert found["space at the end of the last line"] == b"2 -17\nabc 0 \n"
    assert found["extra line `1`"] == INPUT + b"1\n"
    assert b"02 -17\nabc 0\n" in {one.content for one in broken_inputs(INPUT) if one.kind == "leading zero"}
    assert b"2 -017\nabc 0\n" in {one.content for one in broken_inputs(INPUT) if one.kind == "leading zero"}
    assert any(b"1" + b"0" * 30 in one.content for one in broken_inputs(INPUT))
    assert any("２".encode() in one.content for one in broken_inputs(INPUT))


def test_words_of_digits_may_begin_with_zero_or_be_longer_than_any_integer() -> None:
    assert list(kinds_in_use(b"0\n-17 10\n0.5 00x\n")) == []
    assert list(kinds_in_use(b"1\n0012\n")) == ["leading zero"]
    assert list(kinds_in_use(b"12" * 16 + b"\n")) == ["number out of every bound"]


def test_an_input_broken_in_its_form_only_has_tokens_of_the_same_meaning() -> None:
    def meant(data: bytes) -> list[object]:
        return [int(token) if token.lstrip(b"+-").isdigit() else token for token in data.split()]

    for one in broken_inputs(INPUT):
        assert (meant(one.content) == meant(INPUT)) == one.form_only, one.kind


def test_large_inputs_are_broken_in_fewer_ways() -> None:
    large = b"5 5\n" + b"1 " * LARGE_INPUT_BYTES + b"1\n"
    assert 5 < len(list(broken_inputs(large))) < len(list(broken_inputs(INPUT)))


def test_of_large_cases_only_the_three_smallest_are_tried() -> None:
    sizes = {f"case {size}": size for size in (10, 200_004, 200_000, 200_001, 200_002, 100_000)}
    assert sizes.keys() - cheap_cases(sizes) == {"case 200004"}


def test_no_junk_holds_the_tokens_of_the_answer() -> None:
    for answer in (b"42\n", b"YES\n1 2 3\n", b"0.5\n"):
        for piece in junk_outputs(answer, huge=True):
            assert piece.content.split() != answer.split(), piece.kind


def test_cases_that_are_broken_have_all_sizes() -> None:
    sizes = {f"secret/{number:02}": number for number in range(100)}
    chosen = spread_by_size(sizes, 12)
    assert len(chosen) == 12
    assert {"secret/00", "secret/99"} <= chosen
    assert sorted(sizes[name] for name in chosen)[5] in range(40, 50)
    assert spread_by_size({"a": 1, "b": 1}, 12) == {"a", "b"}
