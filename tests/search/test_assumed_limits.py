"""Where a shape is a guess from samples and nothing can be asked, inputs go beyond what the samples show."""

from pathlib import Path
from string import ascii_lowercase, ascii_uppercase

from click.testing import CliRunner

from harness.cli import group
from harness.search.learn_limits import wider_shapes
from harness.shapes import read_shape
from harness.shapes.limits import spans

WRONG_BEYOND_A_THOUSAND = "n = int(input())\nprint(n if n < 1000 else 0)\n"


def test_numbers_widen_before_counts_and_negatives_only_where_there_are_some() -> None:
    shape = read_shape("n: 1..10 m: -10..10; n * (1..10)")
    first, second, third, _ = wider_shapes(shape)
    assert [(one.low, one.high) for one in spans(first)] == [(1, 20), (-(10**4), 10**4), (1, 10**4)]
    assert [one.high for one in spans(second)] == [100, 10**6, 10**6]
    assert [(one.low, one.high) for one in spans(third)] == [(1, 10**5), (-(10**9), 10**9), (1, 10**9)]


def test_letters_widen_to_their_own_kind_only() -> None:
    shape = read_shape('(string(1..3, "abc")) (string(1..3, a..z)) (string(1..3, "aB")) (string(1..3, "()"))')
    *_, last = wider_shapes(shape)
    letters = [bytes(sorted(span.alphabet)).decode() for span in spans(last)]
    assert letters == [ascii_lowercase, ascii_lowercase, ascii_uppercase + ascii_lowercase, "()"]


def test_names_get_twice_as_many_words_and_blocks_as_many_as_all_else() -> None:
    *_, names = wider_shapes(read_shape("1..3 * (string(1..3, a..z)); n: 1..5"))
    assert [one.high for one in spans(names)][:1] == [6]
    *_, blocks = wider_shapes(read_shape("until end { 1..9 }"))
    assert [one.high for one in spans(blocks)][:1] == [2 * 10**5]


def test_bits_stay_bits() -> None:
    assert {
        span.alphabet for shape in wider_shapes(read_shape('(string(1..3, "10"))')) for span in spans(shape)
    } == {b"10"}


def test_a_modulus_is_no_sign_of_18_digits() -> None:
    *_, last = wider_shapes(read_shape("a: 1..2*10^9 b: 1..10^10"))
    assert [one.high for one in spans(last)] == [2 * 10**9, 10**18]


def test_what_is_always_the_same_stays_and_so_does_what_another_integer_limits() -> None:
    shape = read_shape("n: 1..10 k: 8 l: 1..n; string(n, a..z)")
    *_, last = wider_shapes(shape)
    assert [(one.low, one.high) for one in spans(last)] == [(1, 2 * 10**5), (8, 8), (1, None), (None, None)]


def test_what_no_machine_word_holds_widens_to_many_digits() -> None:
    shape = read_shape("a: 1..10^20 b: -10^25..10^25")
    *_, last = wider_shapes(shape)
    assert [(one.low, one.high) for one in spans(last)] == [(1, 10**999), (-(10**999), 10**999)]


def test_a_bug_beyond_the_samples_is_found_made_small_and_doubted(tmp_path: Path) -> None:
    files = {"1.in": "5\n", "2.in": "3\n", "my.py": WRONG_BEYOND_A_THOUSAND, "slow.py": "print(int(input()))\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    words = ["stress", str(tmp_path / "my.py"), "--brute", str(tmp_path / "slow.py")]
    result = CliRunner().invoke(group, words, standalone_mode=False)
    assert result.return_value == 1
    assert "    1000\n" in result.stdout
    assert "if this input is not valid, give --shape." in result.stdout
