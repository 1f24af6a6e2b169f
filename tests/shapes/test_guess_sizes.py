"""Numbers in samples may be anything: none of them is taken for an amount of memory."""

from harness.shapes import infer, parse, read_shape


def test_a_huge_number_before_pairs_is_no_number_of_vertices_to_keep() -> None:
    sample = b"1000000000000000 2\n1 2\n3 999999999999999\n"
    parse(read_shape(infer([sample])), sample)
