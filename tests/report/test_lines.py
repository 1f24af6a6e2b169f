"""Lines of untrusted bytes for people."""

from harness.report.escape import lines_of, one_line


def test_what_fits_is_shown_as_it_is() -> None:
    assert list(lines_of(b"...\n" * 6)) == ["..."] * 6
    assert list(lines_of(b"a\n\x1b[m")) == ["a", "\\x1b[m", "(no line end)"]


def test_the_same_line_again_and_again_is_shown_once_where_not_all_fits() -> None:
    assert list(lines_of(b"50 9\n" + b".\n" * 49 + b"X\n")) == ["50 9", ".", "… the same 48 times more …", "X"]


def test_the_lines_left_out_are_counted() -> None:
    data = b"".join(b"%d\n" % number for number in range(100)) + b"7\n" * 10
    shown = list(lines_of(data, 10))
    assert shown == ["0", "1", "2", "3", "4", "… 94 more lines …", "99", "7", "… the same 9 times more …"]


def test_one_line_is_cut_with_a_mark_shorter_than_what_it_hides() -> None:
    assert one_line("a\nb") == "a …" and one_line("abc", 2) == "ab …" and one_line("abc\n", 3) == "abc"
