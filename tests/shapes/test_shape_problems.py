"""Each problem's declared shape holds its data: samples reprinted byte by byte, broken formats refused."""

import pytest
from shape_texts import PROBLEMS, SLUGS, samples_of, shape_of

from harness.shapes import InputError, infer, parse, read_shape, write
from harness.verify.coverage import Coverage, fixed_integers

# What breaks no format but a promise about the meaning, which the problem's input validator holds.
SEMANTIC = {
    "therock": {
        "cells_beyond_bound",
        "ends_one_above_the_other",
        "ends_side_by_side",
        "exit_out_of_reach",
        "exit_walled_in",
        "one_cell_separates_as_a_door",
        "one_cell_separates_beside_entrance",
        "one_cell_separates_beside_exit",
        "one_cell_separates_in_a_corridor",
        "one_cell_separates_in_the_second_maze",
        "one_cell_separates_two_loops",
    }
}


@pytest.mark.parametrize("slug", SLUGS)
def test_the_samples_are_reprinted_byte_by_byte(slug: str) -> None:
    shape = shape_of(slug)
    for path in samples_of(slug):
        assert write(shape, parse(shape, path.read_bytes())) == path.read_bytes(), path


@pytest.mark.parametrize("slug", SLUGS)
def test_exactly_the_invalid_inputs_of_wrong_format_are_refused(slug: str) -> None:
    shape, taken = shape_of(slug), set()
    for path in sorted((PROBLEMS / slug / "data" / "invalid_input").glob("*.in")):
        try:
            parse(shape, path.read_bytes())
            taken.add(path.stem)
        except InputError as error:
            assert error.line > 0
    assert taken <= SEMANTIC.get(slug, set())


@pytest.mark.parametrize("slug", SLUGS)
def test_a_draft_from_all_samples_or_one_parses_them(slug: str) -> None:
    samples = [path.read_bytes() for path in samples_of(slug)]
    for some in [*([sample] for sample in samples), *([samples] if samples else [])]:
        shape = read_shape(infer(some))
        for sample in some:
            assert write(shape, parse(shape, sample)) == sample


def test_how_many_blocks_come_up_to_a_last_line_is_no_number_whose_limits_must_be_met() -> None:
    shape = read_shape('until "0 0" { n: 1..9 m: 0..9 }')
    coverage = Coverage()
    coverage.add(shape, parse(shape, b"1 2\n3 9\n0 0\n"), "sample/1")
    assert list(coverage.reaches) == ["each n", "each m"]
    assert [item.name for _, item in fixed_integers(shape.block)] == ["n", "m"]
