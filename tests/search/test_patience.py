"""A reference that is too slow for large inputs is not asked about them again and again."""

from harness.search.patience import Patience


def test_larger_inputs_are_not_asked_about_once_smaller_ones_were_too_much() -> None:
    patience = Patience()
    patience.note(10_000, in_time=False)
    assert not patience.is_worth_asking(20_000)
    assert not patience.is_worth_asking(10_000_000)
    assert patience.is_worth_asking(1000)


def test_a_slow_run_on_a_tiny_input_tells_nothing_about_sizes() -> None:
    patience = Patience()
    patience.note(20, in_time=False)
    assert patience.is_worth_asking(20)
    assert patience.is_worth_asking(1_000_000)


def test_one_slow_run_among_many_fast_ones_of_its_size_changes_nothing() -> None:
    patience = Patience()
    for in_time in (True, True, False):
        patience.note(10_000, in_time=in_time)
    assert patience.is_worth_asking(10_000)


def test_now_and_then_it_is_asked_all_the_same() -> None:
    patience = Patience()
    patience.note(10_000, in_time=False)
    assert any(patience.is_worth_asking(10_000) for _ in range(20))
