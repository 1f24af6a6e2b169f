"""What is made small under a short time limit must fail under the problem's own."""

import math
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import pytest

from harness.host.run_many import OutOfTimeError
from harness.package import ProblemType
from harness.results.verdict import Reason, Verdict
from harness.search.candidates import Candidate, CandidateFailure, Source, TriedCandidate
from harness.search.policy import REDUCE
from harness.search.reduce import Reduction
from harness.search.sample_rules import as_samples_show
from harness.search.target import SearchTarget
from harness.search.tried_inputs import TriedInputs
from harness.shapes import parse, read_shape
from harness.shapes.shrinking import traded
from search import WRONG, package, program, target, tried

LIMIT_S = 2.0
LATE = CandidateFailure(verdict=Verdict.TIME_LIMIT_EXCEEDED, reason=Reason.CPU_TIME, signal=9, cpu_s=LIMIT_S)


@dataclass
class Clockwork:
    """An evaluator whose program is wrong where `fails` is true, and a clock that goes on while it runs or is read.

    run_s: how long each run takes. ends_s: when no run is started any more, but `end` is raised.
    """

    fails: Callable[[bytes], bool] = bool
    run_s: float = 0.001
    ends_s: float = math.inf
    end: type[BaseException] = OutOfTimeError
    now_s: float = 0.0
    most_at_once: int = 0
    target: Any = None
    limits = SimpleNamespace(cpu_s=LIMIT_S)
    programs = SimpleNamespace(until=nullcontext)
    tried_inputs = TriedInputs(distinct=(b"Yes", b"No"))

    def monotonic(self) -> float:
        self.now_s += 0.002
        return self.now_s

    def evaluate(
        self, _: object, candidates: Sequence[Candidate], *, cpu_s: float | None = None, again: bool = False
    ) -> list[TriedCandidate]:
        assert again
        self.most_at_once = max(self.most_at_once, len(candidates))
        return [
            replace(self.trial(one.data or b"", LIMIT_S if cpu_s is None else cpu_s), candidate=one)
            for one in candidates
        ]

    def trial(self, data: bytes, _limit_s: float) -> TriedCandidate:
        if self.now_s > self.ends_s:
            raise self.end
        self.now_s += self.run_s
        return tried(data, WRONG if self.fails(data) else None)


class SlowLoop(Clockwork):
    """An evaluator whose program takes n milliseconds for the number n."""

    def trial(self, data: bytes, limit_s: float) -> TriedCandidate:
        takes_s = int(data) / 1000
        self.now_s += min(takes_s, limit_s)
        return tried(data, LATE if takes_s > limit_s else None)


def test_a_busy_program_is_too_slow_whichever_clock_stops_it_and_one_that_sleeps_fails_in_another_way() -> None:
    """On a busy machine the wall clock comes first; a find was not made smaller for that."""
    late = {reason: replace(LATE, reason=reason, cpu_s=0.002).kind for reason in (Reason.WALL_TIME, Reason.IDLE)}
    assert replace(LATE, reason=Reason.WALL_TIME, cpu_s=1.99).kind == LATE.kind
    assert len({LATE.kind, *late.values()}) == 3


Reduce = Callable[..., Reduction]


@pytest.fixture(name="reduction")
def _reduction(monkeypatch: pytest.MonkeyPatch) -> Reduce:
    """Make a reduction of an input on which the answer is wrong, by the clock of its evaluator."""

    def make(
        evaluator: Any,
        target: SearchTarget,
        data: bytes,
        *,
        failure: CandidateFailure = WRONG,
        source: Source = Source.RANDOM,
        **values: Any,
    ) -> Reduction:
        for module in ("reduce", "best_input"):
            monkeypatch.setattr(f"harness.search.{module}.time", evaluator)
        evaluator.target = target
        return Reduction(
            evaluator=evaluator,
            sandbox=None,  # type: ignore[arg-type]
            best=tried(data, failure, source),
            evaluate=evaluator.evaluate,
            **{"deadline_s": 30, "exhaustive_s": 1.2, **values},
        )

    return make


def guessed(text: str, *samples: bytes, validated: bool = False, **values: Any) -> SearchTarget:
    """A target whose shape is a guess from samples, and whose inputs no validator checks, or one does."""
    shown = as_samples_show(read_shape(text), samples) if samples and not validated else None
    one = target(text, samples=samples, **{"guessed": True, "sample_shape": shown, **values})
    validators = (program("validator.py"),) if validated else ()
    return replace(one, package=replace(one.package, input_validators=validators))


@pytest.mark.parametrize(("time_s", "most"), [(10, 100_000), (100, 4000)])
def test_a_slow_loop_is_made_small_but_not_below_the_problem_s_limit_and_no_run_is_made_ahead(
    time_s: float, most: int, reduction: Reduce
) -> None:
    evaluator, given = SlowLoop(), {"failure": LATE, "source": Source.GIVEN, "exhaustive_s": REDUCE.exhaustive_s}
    found = reduction(evaluator, target("n: 1..1000000"), b"900000\n", deadline_s=time_s, **given).run()
    assert 1000 * LIMIT_S < int(found.data) < most
    assert evaluator.most_at_once == 1


def test_two_cuts_at_once_are_tried_where_no_single_cut_helps(reduction: Reduce) -> None:
    def is_square(data: bytes) -> bool:
        rows, columns = map(int, data.split()[:2])
        return rows == columns >= 4

    data, grids = b"9 9\n" + b"#########\n" * 9, target('R: 1..9 C: 1..9; grid(R, C, ".#X")')
    assert reduction(Clockwork(is_square), grids, data).run().data == b"4 4\n" + b"....\n" * 4


@pytest.mark.parametrize("is_played", [True, False])
def test_of_games_with_several_answers_nothing_is_proven_smallest(is_played: bool, reduction: Reduce) -> None:
    types = frozenset({ProblemType.INTERACTIVE if is_played else ProblemType.PASS_FAIL})
    played = target("n: 1..9", package=replace(package(), types=types))
    found = reduction(Clockwork(lambda data: int(data) >= 3), played, b"7\n")
    assert found.run().data == b"3\n"
    assert found.proven is not is_played


def test_less_along_one_side_may_be_more_along_the_other() -> None:
    shape = read_shape('r: 1..2000 c: 1..2000; grid(r, c, ".#")')
    value = parse(shape, b"2 99\n" + 2 * (b"." * 99 + b"\n"))
    smaller = [(each.part("r"), each.part("c")) for each in traded(shape, value)]
    assert any(rows == 1 and columns >= 100 for rows, columns in smaller)
    assert all(rows * columns + rows + columns < 2 * 99 + 2 + 99 for rows, columns in smaller)


@pytest.mark.parametrize(("least", "rows", "columns"), [("2", 4, 99), ("r", 20, 20)])
def test_less_along_one_side_keeps_the_least_count_and_the_rules_of_the_shape(
    least: str, rows: int, columns: int
) -> None:
    shape = read_shape(f'r: 2..2000 c: {least}..2000; grid(r, c, ".#")')
    grid = b"%d %d\n" % (rows, columns) + rows * (b"." * columns + b"\n")
    smaller = list(traded(shape, parse(shape, grid)))
    assert smaller
    assert all(each.part("r") >= 2 <= each.part("c") for each in smaller)
    assert least != "r" or all(each.part("r") <= each.part("c") for each in smaller)


def has_negative(data: bytes) -> bool:
    return any(int(number) < 0 for number in data.split()[1:])


def test_a_failing_input_unlike_the_samples_breaks_only_the_rule_that_it_must_break(reduction: Reduce) -> None:
    lists = guessed("n: 1..10; n * (1..10)", b"3\n1 2 3\n", b"4\n1 2 4 2\n")
    found = reduction(Clockwork(has_negative), lists, b"5\n7 0 -8 9 9\n")
    count, *numbers = map(int, found.run().data.split())
    assert count == len(numbers) == 3
    assert sum(number < 0 for number in numbers) == 1
    assert found.less_certain is not None
    assert "line 2" in found.less_certain.rule


def test_without_a_sample_a_failing_input_gives_no_rules(reduction: Reduce) -> None:
    lists = guessed("n: 1..10; n * (-1000..1000)")
    assert reduction(Clockwork(has_negative), lists, b"4\n700 -800 600 500\n").run().data == b"1\n-1\n"


def has_three(data: bytes) -> bool:
    return int(data.split()[0]) >= 3


@pytest.mark.parametrize(("end_s", "is_cut"), [(0.01, True), (30, False)])
def test_a_reduction_knows_whether_the_time_was_over_before_its_end(
    end_s: float, is_cut: bool, reduction: Reduce
) -> None:
    data = b"60\n" + b" ".join([b"7777"] * 60) + b"\n"
    found = reduction(Clockwork(has_three, 0.05), target("n: 1..99; n * (1..9999)"), data, deadline_s=end_s)
    best = found.run().data
    assert len(best) < len(data)
    assert (best != b"3\n1 1 1\n") == found.is_cut == is_cut


def on_valid(accepts: Callable[..., bool]) -> Clockwork:
    """An evaluator whose program fails on all inputs that a validator accepts. accepts: called with their lines."""
    return Clockwork(lambda data: bool(data.strip()) and accepts(*(row.split() for row in data.splitlines())))


@pytest.mark.parametrize(
    ("shape", "sample", "accepts", "smallest"),
    [
        (  # three rows of n numbers, not n rows
            "n: 1..9; n times { n * (1..9) }",
            b"3\n3 3 6\n7 5 6\n4 6 8\n",
            lambda first, *rows: (
                len(first) == 1 and {len(row) for row in rows} == {int(first[0])} and len(rows) == 3
            ),
            b"1\n0\n0\n0\n",
        ),
        (  # an edge is not needed
            "n: 3..9 m: 1..9; graph(n, m, connected)",
            b"3 2\n1 2\n2 3\n",
            lambda first, *rows: len(first) == 2 and int(first[0]) >= 3 and int(first[1]) == len(rows),
            b"3 0\n",
        ),
    ],
)
def test_a_guess_that_validators_guard_is_read_in_other_ways(
    shape: str, sample: bytes, accepts: Callable[..., bool], smallest: bytes, reduction: Reduce
) -> None:
    assert reduction(on_valid(accepts), guessed(shape, sample, validated=True), sample).run().data == smallest


def test_no_input_is_proven_smallest_by_a_guess_where_the_written_shape_does_not_fit(reduction: Reduce) -> None:
    sample = b"3\n4 5 6\n"
    evaluator = on_valid(lambda first, *rows: [len(row) for row in rows] == [int(first[0])])
    found = reduction(evaluator, guessed("a: 50..60 b: 50..60", sample, validated=True, guessed=False), sample)
    found.run()
    assert not found.proven


def test_of_failing_inputs_as_small_one_like_the_samples_is_taken(reduction: Reduce) -> None:
    samples = (b"4\n1 2\n2 3\n4 5\n7 8\n", b"3\n5 6\n6 7\n8 9\n")
    pairs = guessed("n: 1..9; n times { a: 1..9 b: 1..9 }", *samples)
    found = reduction(Clockwork(has_three, 0.05), pairs, b"5\n4 1\n1 7\n3 2\n9 9\n2 5\n")
    count, *rows = found.run().data.splitlines()
    assert int(count) == len(rows) == 3
    assert all(int(row.split()[1]) - int(row.split()[0]) == 1 for row in rows)


def test_a_large_input_is_made_small_for_the_whole_time(reduction: Reduce) -> None:
    evaluator = Clockwork(lambda data: data.startswith(b"900\n"), 0.5)
    lists = guessed("n: 1..1000; n * (1..1000)", b"3\n5 900 20\n", b"2\n7 1000\n")
    data = b"900\n" + b" ".join(b"%d" % (at + 1) for at in range(900)) + b"\n"
    found = reduction(evaluator, lists, data)
    found.run()
    assert evaluator.now_s > found.deadline_s - 1


PAIRS = (
    "n: 1..10; n times { a: 1..10 b: 1..10 }",
    b"6\n1 2\n3 4\n4 3\n2 1\n9 8\n6 7\n",
    b"4\n7 8\n3 2\n5 4\n1 2\n",
)
LIKE_PAIRS, UNLIKE_PAIRS = b"5\n9 8\n3 4\n7 6\n5 4\n8 7\n", b"3\n7 7\n6 5\n7 7\n"


@pytest.mark.parametrize("breaks", [False, True])
def test_the_smallest_that_is_as_the_samples_stays_the_best_and_a_smaller_one_is_sought_last(
    breaks: bool, reduction: Reduce
) -> None:
    """The program fails where there are five rows, or two are equal: there the user presses Ctrl-C, if breaks."""

    def fails(data: bytes) -> bool:
        _, *rows = data.splitlines()
        if breaks and len(set(rows)) < len(rows):
            raise KeyboardInterrupt
        return len(rows) == 5 or len(set(rows)) < len(rows)

    pairs, told = guessed(*PAIRS), list[bytes]()
    found = reduction(Clockwork(fails), pairs, LIKE_PAIRS, tell=lambda trial: told.append(trial.data))
    best = found.run()
    assert pairs.is_as_samples(best.data)
    assert best.data.startswith(b"5\n")
    assert len(best.data) == len(b"5\n" + 5 * b"1 1\n")
    assert all(map(pairs.is_as_samples, told))
    assert found.interrupted is breaks
    smaller = None if found.less_certain is None else found.less_certain.trial
    assert (smaller is None) if breaks else (smaller is not None and len(smaller.data) < len(best.data))


@pytest.mark.parametrize("time_s", [3, 30, 300])
def test_a_smaller_input_that_breaks_a_rule_and_was_found_before_is_shown_however_short_the_time(
    time_s: float, reduction: Reduce
) -> None:
    pairs = guessed(*PAIRS)
    assert not pairs.is_as_samples(UNLIKE_PAIRS)
    evaluator = Clockwork((LIKE_PAIRS, UNLIKE_PAIRS).__contains__, 0.05, ends_s=time_s)
    found = reduction(evaluator, pairs, LIKE_PAIRS, deadline_s=time_s, unlike=tried(UNLIKE_PAIRS, WRONG))
    assert found.run().data == LIKE_PAIRS
    assert found.less_certain is not None and found.less_certain.trial is not None
    assert found.less_certain.trial.data == UNLIKE_PAIRS


@pytest.mark.parametrize("rows", [100, 80])
def test_a_small_input_that_breaks_a_rule_is_shown_in_place_of_one_that_nobody_reads(
    rows: int, reduction: Reduce
) -> None:
    large = b"%d\n" % rows + b"".join(b"10 %d\n" % row for row in range(1, rows + 1))
    evaluator = Clockwork((large, UNLIKE_PAIRS).__contains__, 0.05, ends_s=30)
    found = reduction(evaluator, guessed(*PAIRS), large, unlike=tried(UNLIKE_PAIRS, WRONG))
    best = found.run().data
    assert found.less_certain is not None
    if len(large) >= REDUCE.unread_bytes:
        assert best == UNLIKE_PAIRS and found.less_certain.trial is None and found.less_certain.rule
    else:
        assert best == large and found.less_certain.trial is not None


def has_three_or_equal(data: bytes) -> bool:
    _, *numbers = data.split()
    return len(numbers) == 3 or len(set(numbers)) < len(numbers)


@pytest.mark.parametrize("is_far_smaller", [False, True])
def test_an_input_like_the_samples_is_not_made_so_small_that_it_is_probably_invalid_unless_far_smaller(
    is_far_smaller: bool, reduction: Reduce, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two samples with different numbers are too few for a rule: a smaller input with equal ones comes second."""
    if is_far_smaller:
        monkeypatch.setattr("harness.search.reduce.REDUCE", replace(REDUCE, unread_bytes=1, far_smaller=1))
    lists = guessed("n: 1..10; n * (1..100)", b"2\n4 1\n", b"2\n3 8\n")
    assert lists.is_as_samples(b"2\n2 2\n"), "no rule of the shape forbids it"
    found = reduction(Clockwork(has_three_or_equal), lists, b"3\n1 3 8\n")
    best = found.run().data
    assert len(set(best.split()[1:])) == (1 if is_far_smaller else 3)
    assert found.less_certain is not None
    assert found.less_certain.rule.startswith("in all samples ")
    if is_far_smaller:
        assert found.less_certain.trial is None
    else:
        assert found.less_certain.trial is not None and len(found.less_certain.trial.data) < len(best)


@pytest.mark.parametrize("runs", [0, 1, 5, 25, 125, 625])
def test_after_an_interrupt_a_failing_sample_stays_the_find(runs: int, reduction: Reduce) -> None:
    sample = b"4\n1 2\n2 3\n4 5\n7 8\n"
    pairs = guessed("n: 1..9; n times { a: 1..9 b: 1..9 }", sample, b"2\n5 6\n8 9\n")
    evaluator = Clockwork(has_three, 0.05, ends_s=0.05 * (runs - 0.5), end=KeyboardInterrupt)
    found = reduction(evaluator, pairs, sample, source=Source.CASE)
    assert found.run().data == sample
    smaller = found.less_certain.trial if found.less_certain is not None else None
    assert smaller is None or len(smaller.data) < len(sample)
    assert found.interrupted is (evaluator.now_s > 0.05 * (runs - 0.5))
