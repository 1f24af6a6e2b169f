"""What is made small under a short time limit must fail under the problem's own."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from harness.host.run_many import OutOfTimeError
from harness.package import Case, Program
from harness.package.ad_hoc import package_of_cases
from harness.package.files import File
from harness.package.model import ProblemLimits
from harness.results.verdict import Reason, Verdict
from harness.search.candidates import Candidate, CandidateFailure, CandidateOutcome, Source, TriedCandidate
from harness.search.policy import REDUCE
from harness.search.reduce import Reduction
from harness.search.sample_rules import as_samples_show
from harness.search.target import SearchTarget
from harness.shapes import parse, read_shape
from harness.shapes.shrinking import traded

LIMIT_S = 2.0
LATE = CandidateFailure(verdict=Verdict.TIME_LIMIT_EXCEEDED, reason=Reason.CPU_TIME, signal=9, cpu_s=LIMIT_S)


class Clockwork:
    """An evaluator whose program takes n milliseconds for the number n, and a clock that goes on while it runs."""

    limits = SimpleNamespace(cpu_s=LIMIT_S)
    programs = SimpleNamespace(until=nullcontext)

    def __init__(self) -> None:
        self.now_s = 0.0
        self.most_at_once = 0

    def monotonic(self) -> float:
        return self.now_s

    def evaluate(
        self, _: object, candidates: Sequence[Candidate], *, cpu_s: float | None = None, again: bool = False
    ) -> list[TriedCandidate]:
        assert again
        self.most_at_once = max(self.most_at_once, len(candidates))
        return [self._trial(one, LIMIT_S if cpu_s is None else cpu_s) for one in candidates]

    def _trial(self, candidate: Candidate, limit_s: float) -> TriedCandidate:
        data = candidate.data or b""
        trial = TriedCandidate(candidate=candidate, outcome=CandidateOutcome.PASSED, data=data)
        takes_s = int(data) / 1000
        late = takes_s > limit_s
        self.now_s += min(takes_s, limit_s)
        return replace(trial, outcome=CandidateOutcome.FAILED, failure=LATE) if late else trial


def set_clock(monkeypatch: pytest.MonkeyPatch, evaluator: Any) -> None:
    for module in ("reduce", "best_input"):
        monkeypatch.setattr(f"harness.search.{module}.time", evaluator)


def reduction_with(evaluator: Any, time_s: float, folder: Path) -> Reduction:
    evaluator.target = SearchTarget(
        package=package_of_cases(name="p", root=folder, limits=ProblemLimits()),
        submission=Program(path="a.py", files={}),
        reference=None,
        shape=read_shape("n: 1..1000000"),
        recipe=None,
    )
    first = TriedCandidate(
        candidate=Candidate(source=Source.GIVEN, description="given", data=b"900000\n"),
        outcome=CandidateOutcome.FAILED,
        data=b"900000\n",
        failure=LATE,
    )
    sandbox: Any = None
    return Reduction(
        evaluator=evaluator,
        sandbox=sandbox,
        evaluate=evaluator.evaluate,
        best=first,
        deadline_s=time_s,
    )


def target_of(root: Path, shape: str) -> SearchTarget:
    return SearchTarget(
        package=package_of_cases(name="p", root=root, limits=ProblemLimits()),
        submission=Program(path="a.py", files={}),
        reference=None,
        shape=read_shape(shape),
        recipe=None,
    )


def reduction_of(target: SearchTarget, evaluator: Any, data: bytes) -> Reduction:
    """The reduction of an input on which the answer is wrong."""
    first = TriedCandidate(
        candidate=Candidate(source=Source.RANDOM, description="random", data=data),
        outcome=CandidateOutcome.FAILED,
        data=data,
        failure=CandidateFailure(verdict=Verdict.WRONG_ANSWER, reason=None),
    )
    evaluator.target = target
    return Reduction(
        evaluator=evaluator,
        sandbox=cast("Any", None),
        best=first,
        evaluate=evaluator.evaluate,
        deadline_s=30,
        exhaustive_s=1.2,
    )


@pytest.mark.parametrize(("time_s", "most"), [(10, 100_000), (100, 4000)])
def test_a_slow_loop_is_made_small_but_not_below_the_problem_s_limit(
    time_s: float, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluator = Clockwork()
    set_clock(monkeypatch, evaluator)
    assert 1000 * LIMIT_S < int(reduction_with(evaluator, time_s, tmp_path).run().data) < most


def test_slow_runs_are_not_made_ahead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evaluator = Clockwork()
    set_clock(monkeypatch, evaluator)
    reduction_with(evaluator, 100, tmp_path).run()
    assert evaluator.most_at_once == 1


class Squares(Clockwork):
    """An evaluator whose program fails on square grids of at least 4 rows, and takes a millisecond for each run."""

    def _trial(self, candidate: Candidate, limit_s: float) -> TriedCandidate:
        data = candidate.data or b""
        rows, columns = map(int, data.split()[:2])
        self.now_s += 0.001
        fails = rows == columns >= 4
        wrong = CandidateFailure(verdict=Verdict.WRONG_ANSWER, reason=None) if fails else None
        return TriedCandidate(
            candidate=candidate,
            outcome=CandidateOutcome.FAILED if fails else CandidateOutcome.PASSED,
            data=data,
            failure=wrong,
        )


def test_two_cuts_at_once_are_tried_where_no_single_cut_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = b"9 9\n" + b"#########\n" * 9
    evaluator: Any = Squares()
    target = target_of(tmp_path, 'R: 1..9 C: 1..9; grid(R, C, ".#X")')
    set_clock(monkeypatch, evaluator)
    reduction = reduction_of(target, evaluator, data)
    assert reduction.run().data == b"4 4\n" + b"....\n" * 4


def test_less_along_one_side_may_be_more_along_the_other() -> None:
    shape = read_shape('r: 1..2000 c: 1..2000; grid(r, c, ".#")')
    value = parse(shape, b"2 99\n" + 2 * (b"." * 99 + b"\n"))
    smaller = [(each.part("r"), each.part("c")) for each in traded(shape, value)]
    assert any(rows == 1 and columns >= 100 for rows, columns in smaller)
    assert all(rows * columns + rows + columns < 2 * 99 + 2 + 99 for rows, columns in smaller)


def test_less_along_one_side_keeps_the_least_count() -> None:
    shape = read_shape('r: 2..2000 c: 2..2000; grid(r, c, ".#")')
    smaller = list(traded(shape, parse(shape, b"4 99\n" + 4 * (b"." * 99 + b"\n"))))
    assert smaller
    assert all(each.part("r") >= 2 and each.part("c") >= 2 for each in smaller)


def test_less_along_one_side_keeps_the_rules_of_the_shape() -> None:
    shape = read_shape('r: 2..2000 c: r..2000; grid(r, c, ".#")')
    smaller = list(traded(shape, parse(shape, b"20 20\n" + 20 * (b"." * 20 + b"\n"))))
    assert smaller
    assert all(each.part("r") <= each.part("c") for each in smaller)


class LowNumbers(Clockwork):
    """An evaluator whose program fails where a number after the first is below a limit."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit

    def _trial(self, candidate: Candidate, limit_s: float) -> TriedCandidate:
        data = candidate.data or b""
        self.now_s += 0.001
        wrong = CandidateFailure(verdict=Verdict.WRONG_ANSWER, reason=None)
        fails = any(int(number) < self.limit for number in data.split()[1:])
        outcome = CandidateOutcome.FAILED if fails else CandidateOutcome.PASSED
        return TriedCandidate(candidate=candidate, outcome=outcome, data=data, failure=wrong if fails else None)


def test_a_failing_input_unlike_the_samples_breaks_only_the_rule_that_it_must_break(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluator: Any = LowNumbers(0)
    set_clock(monkeypatch, evaluator)
    samples = (b"3\n1 2 3\n", b"4\n1 2 4 2\n")
    target = guessed_target(tmp_path, "n: 1..10; n * (1..10)", samples)
    data = b"5\n7 0 -8 9 9\n"
    reduction = reduction_of(target, evaluator, data)
    count, *numbers = map(int, reduction.run().data.split())
    assert count == len(numbers) == 3
    assert sum(number < 0 for number in numbers) == 1
    assert reduction.less_certain is not None
    assert "line 2" in reduction.less_certain.rule


def test_without_a_sample_a_failing_input_gives_no_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evaluator: Any = LowNumbers(0)
    set_clock(monkeypatch, evaluator)
    target = replace(target_of(tmp_path, "n: 1..10; n * (-1000..1000)"), guessed=True)
    assert reduction_of(target, evaluator, b"4\n700 -800 600 500\n").run().data == b"1\n-1\n"


class FirstIsSmall(Clockwork):
    """An evaluator whose program fails where there are three numbers, and takes 50 ms for each run."""

    def _trial(self, candidate: Candidate, limit_s: float) -> TriedCandidate:
        data = candidate.data or b""
        self.now_s += 0.05
        wrong = CandidateFailure(verdict=Verdict.WRONG_ANSWER, reason=None)
        fails = int(data.split()[0]) >= 3
        outcome = CandidateOutcome.FAILED if fails else CandidateOutcome.PASSED
        return TriedCandidate(candidate=candidate, outcome=outcome, data=data, failure=wrong if fails else None)


@pytest.mark.parametrize(("end_s", "is_cut"), [(0.01, True), (30, False)])
def test_a_reduction_knows_whether_the_time_was_over_before_its_end(
    end_s: float, is_cut: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluator: Any = FirstIsSmall()
    set_clock(monkeypatch, evaluator)
    data = b"60\n" + b" ".join([b"7777"] * 60) + b"\n"
    reduction = reduction_of(target_of(tmp_path, "n: 1..99; n * (1..9999)"), evaluator, data)
    reduction.deadline_s = end_s
    best = reduction.run().data
    assert len(best) < len(data)
    assert (best != b"3\n1 1 1\n") == reduction.is_cut == is_cut


def guessed_target(root: Path, text: str, samples: Sequence[bytes]) -> SearchTarget:
    """A target whose shape is a guess from samples, and whose inputs no validator checks."""
    cases = [
        Case(name=f"sample/{number}", input=File(origin=root, content=data), answer=None)
        for number, data in enumerate(samples, start=1)
    ]
    package = package_of_cases(name="p", root=root, cases=cases, limits=ProblemLimits())
    shape = read_shape(text)
    target = replace(target_of(root, "n: 1..9"), package=package, shape=shape, guessed=True)
    return replace(target, sample_shape=as_samples_show(shape, samples))


class Guarded(Clockwork):
    """An evaluator whose program fails on all inputs that a validator accepts."""

    def __init__(self, accepts: Callable[..., bool]) -> None:
        super().__init__()
        self.accepts = accepts

    def _trial(self, candidate: Candidate, limit_s: float) -> TriedCandidate:
        data = candidate.data or b""
        self.now_s += 0.001
        if not data.strip() or not self.accepts(*(line.split() for line in data.splitlines())):
            return TriedCandidate(candidate=candidate, outcome=CandidateOutcome.REFUSED, data=data)
        wrong = CandidateFailure(verdict=Verdict.WRONG_ANSWER, reason=None)
        return TriedCandidate(candidate=candidate, outcome=CandidateOutcome.FAILED, data=data, failure=wrong)


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
    shape: str,
    sample: bytes,
    accepts: Callable[..., bool],
    smallest: bytes,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evaluator: Any = Guarded(accepts)
    set_clock(monkeypatch, evaluator)
    target = guessed_target(tmp_path, shape, [sample])
    package = replace(target.package, input_validators=(Program(path="validator.py", files={}),))
    target = replace(target, package=package, sample_shape=None)
    assert reduction_of(target, evaluator, sample).run().data == smallest


def test_no_input_is_proven_smallest_by_a_guess_where_the_written_shape_does_not_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluator: Any = Guarded(lambda first, *rows: [len(row) for row in rows] == [int(first[0])])
    set_clock(monkeypatch, evaluator)
    target = guessed_target(tmp_path, "a: 50..60 b: 50..60", [b"3\n4 5 6\n"])
    package = replace(target.package, input_validators=(Program(path="validator.py", files={}),))
    reduction = reduction_of(
        replace(target, package=package, sample_shape=None, guessed=False), evaluator, b"3\n4 5 6\n"
    )
    reduction.run()
    assert not reduction.proven


def test_of_failing_inputs_as_small_one_like_the_samples_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluator: Any = FirstIsSmall()
    set_clock(monkeypatch, evaluator)
    samples = (b"4\n1 2\n2 3\n4 5\n7 8\n", b"3\n5 6\n6 7\n8 9\n")
    target = guessed_target(tmp_path, "n: 1..9; n times { a: 1..9 b: 1..9 }", samples)
    count, *rows = reduction_of(target, evaluator, b"5\n4 1\n1 7\n3 2\n9 9\n2 5\n").run().data.splitlines()
    assert int(count) == len(rows) == 3
    assert all(int(row.split()[1]) - int(row.split()[0]) == 1 for row in rows)


def test_a_large_input_is_made_small_for_the_whole_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evaluator: Any = FirstIsSmall()
    set_clock(monkeypatch, evaluator)
    monkeypatch.setattr(evaluator, "_trial", partial(late_trial, evaluator))
    target = guessed_target(tmp_path, "n: 1..1000; n * (1..1000)", (b"3\n5 900 20\n", b"2\n7 1000\n"))
    reduction = reduction_of(
        target, evaluator, b"900\n" + b" ".join(b"%d" % (at + 1) for at in range(900)) + b"\n"
    )
    reduction.run()
    assert evaluator.now_s > reduction.deadline_s - 1


def late_trial(evaluator: Any, candidate: Candidate, limit_s: float) -> TriedCandidate:
    """Only the 900 numbers fail, after half a second."""
    data = candidate.data or b""
    evaluator.now_s += 0.5
    wrong = CandidateFailure(verdict=Verdict.WRONG_ANSWER, reason=None)
    fails = data.startswith(b"900\n")
    outcome = CandidateOutcome.FAILED if fails else CandidateOutcome.PASSED
    return TriedCandidate(candidate=candidate, outcome=outcome, data=data, failure=wrong if fails else None)


class Rows(Clockwork):
    """An evaluator whose program fails where there are five rows, or two are equal, which no sample has.

    breaks: at the first input with equal rows the user presses Ctrl-C.
    """

    def __init__(self, *, breaks: bool = False) -> None:
        super().__init__()
        self.breaks = breaks

    def _trial(self, candidate: Candidate, limit_s: float) -> TriedCandidate:
        data = candidate.data or b""
        self.now_s += 0.001
        _, *rows = data.splitlines()
        are_distinct = len(set(rows)) == len(rows)
        if self.breaks and not are_distinct:
            raise KeyboardInterrupt
        fails = len(rows) == 5 or not are_distinct
        wrong = CandidateFailure(verdict=Verdict.WRONG_ANSWER, reason=None) if fails else None
        outcome = CandidateOutcome.FAILED if fails else CandidateOutcome.PASSED
        return TriedCandidate(candidate=candidate, outcome=outcome, data=data, failure=wrong)


PAIRS = (b"6\n1 2\n3 4\n4 3\n2 1\n9 8\n6 7\n", b"4\n7 8\n3 2\n5 4\n1 2\n")


@pytest.mark.parametrize("breaks", [False, True])
def test_the_smallest_that_is_as_the_samples_stays_the_best_and_a_smaller_one_is_sought_last(
    breaks: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluator: Any = Rows(breaks=breaks)
    set_clock(monkeypatch, evaluator)
    target = guessed_target(tmp_path, "n: 1..10; n times { a: 1..10 b: 1..10 }", PAIRS)
    reduction = reduction_of(target, evaluator, b"5\n9 8\n3 4\n7 6\n5 4\n8 7\n")
    told: list[bytes] = []
    reduction.tell = lambda trial: told.append(trial.data)
    best = reduction.run()
    assert target.is_as_samples(best.data)
    assert best.data.startswith(b"5\n")
    assert len(best.data) == len(b"5\n" + 5 * b"1 1\n")
    assert all(map(target.is_as_samples, told))
    assert reduction.interrupted is breaks
    smaller = None if reduction.less_certain is None else reduction.less_certain.trial
    assert (smaller is None) if breaks else (smaller is not None and len(smaller.data) < len(best.data))


class Two(Clockwork):
    """An evaluator whose program fails on two inputs only. ends_s: when no run is started any more."""

    ends_s = 0.0
    failing = (b"5\n9 8\n3 4\n7 6\n5 4\n8 7\n", b"3\n7 7\n6 5\n7 7\n")

    def _trial(self, candidate: Candidate, limit_s: float) -> TriedCandidate:
        if self.now_s > self.ends_s:
            raise OutOfTimeError
        data = candidate.data or b""
        self.now_s += 0.05
        fails = data in self.failing
        wrong = CandidateFailure(verdict=Verdict.WRONG_ANSWER, reason=None) if fails else None
        outcome = CandidateOutcome.FAILED if fails else CandidateOutcome.PASSED
        return TriedCandidate(candidate=candidate, outcome=outcome, data=data, failure=wrong)


@pytest.mark.parametrize("time_s", [3, 30, 300])
def test_a_smaller_input_that_breaks_a_rule_and_was_found_before_is_shown_however_short_the_time(
    time_s: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluator: Any = Two()
    set_clock(monkeypatch, evaluator)
    target = guessed_target(tmp_path, "n: 1..10; n times { a: 1..10 b: 1..10 }", PAIRS)
    first, unlike = evaluator.failing
    assert not target.is_as_samples(unlike)
    reduction = reduction_of(target, evaluator, first)
    reduction.deadline_s = evaluator.ends_s = time_s
    reduction.unlike = replace(reduction.best, data=unlike)
    assert reduction.run().data == first
    assert reduction.less_certain is not None and reduction.less_certain.trial is not None
    assert reduction.less_certain.trial.data == unlike


@pytest.mark.parametrize("rows", [100, 80])
def test_a_small_input_that_breaks_a_rule_is_shown_in_place_of_one_that_nobody_reads(
    rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluator: Any = Two()
    evaluator.ends_s = 30
    set_clock(monkeypatch, evaluator)
    target = guessed_target(tmp_path, "n: 1..10; n times { a: 1..10 b: 1..10 }", PAIRS)
    large, unlike = b"%d\n" % rows + b"".join(b"10 %d\n" % row for row in range(1, rows + 1)), evaluator.failing[1]
    evaluator.failing = (large, unlike)
    reduction = reduction_of(target, evaluator, large)
    reduction.unlike = replace(reduction.best, data=unlike)
    best = reduction.run().data
    assert reduction.less_certain is not None
    if len(large) >= REDUCE.unread_bytes:
        assert best == unlike and reduction.less_certain.trial is None and reduction.less_certain.rule
    else:
        assert best == large and reduction.less_certain.trial is not None


class Distinct(Clockwork):
    """An evaluator whose program fails where there are three numbers or two are equal."""

    def _trial(self, candidate: Candidate, limit_s: float) -> TriedCandidate:
        data = candidate.data or b""
        self.now_s += 0.001
        _, *numbers = data.split()
        fails = len(numbers) == 3 or len(set(numbers)) < len(numbers)
        wrong = CandidateFailure(verdict=Verdict.WRONG_ANSWER, reason=None) if fails else None
        outcome = CandidateOutcome.FAILED if fails else CandidateOutcome.PASSED
        return TriedCandidate(candidate=candidate, outcome=outcome, data=data, failure=wrong)


def test_an_input_like_the_samples_is_not_made_so_small_that_it_is_probably_invalid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two samples with different numbers are too few for a rule: a smaller input with equal ones comes second."""
    evaluator: Any = Distinct()
    set_clock(monkeypatch, evaluator)
    target = guessed_target(tmp_path, "n: 1..10; n * (1..100)", (b"2\n4 1\n", b"2\n3 8\n"))
    assert target.is_as_samples(b"2\n2 2\n"), "no rule of the shape forbids it"
    reduction = reduction_of(target, evaluator, b"3\n1 3 8\n")
    best = reduction.run().data
    numbers = [int(number) for number in best.split()[1:]]
    assert len(set(numbers)) == 3
    assert reduction.less_certain is not None and reduction.less_certain.trial is not None
    assert len(reduction.less_certain.trial.data) < len(best)
    assert reduction.less_certain.rule.startswith("in all samples ")


def test_of_a_far_smaller_input_that_takes_the_place_of_another_the_report_says_what_it_breaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluator: Any = Distinct()
    set_clock(monkeypatch, evaluator)
    monkeypatch.setattr("harness.search.reduce.REDUCE", replace(REDUCE, unread_bytes=1, far_smaller=1))
    target = guessed_target(tmp_path, "n: 1..10; n * (1..100)", (b"2\n4 1\n", b"2\n3 8\n"))
    reduction = reduction_of(target, evaluator, b"3\n1 3 8\n")
    assert len(set(reduction.run().data.split()[1:])) == 1
    assert reduction.less_certain is not None and reduction.less_certain.trial is None
    assert reduction.less_certain.rule.startswith("in all samples ")


@pytest.mark.parametrize("runs", [0, 1, 5, 25, 125, 625])
def test_after_an_interrupt_a_failing_sample_stays_the_find(
    runs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluator: Any = FirstIsSmall()
    made = evaluator._trial

    def trial(candidate: Candidate, limit_s: float) -> TriedCandidate:
        if evaluator.now_s > 0.05 * (runs - 0.5):
            raise KeyboardInterrupt
        return cast("TriedCandidate", made(candidate, limit_s))

    evaluator._trial = trial
    set_clock(monkeypatch, evaluator)
    sample = b"4\n1 2\n2 3\n4 5\n7 8\n"
    target = guessed_target(tmp_path, "n: 1..9; n times { a: 1..9 b: 1..9 }", (sample, b"2\n5 6\n8 9\n"))
    reduction = reduction_of(target, evaluator, sample)
    case = replace(reduction.best.candidate, source=Source.CASE)
    reduction.best = replace(reduction.best, candidate=case)
    assert reduction.run().data == sample
    smaller = reduction.less_certain.trial if reduction.less_certain is not None else None
    assert smaller is None or len(smaller.data) < len(sample)
    assert reduction.interrupted is (evaluator.now_s > 0.05 * (runs - 0.5))
