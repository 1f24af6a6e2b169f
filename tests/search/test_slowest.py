"""`--slowest`: the exponent of growth, larger calls of a generator, and a quadratic program that is caught."""

import time
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from conftest import PackageMaker
from harness.cli.stress_screen import why_nothing
from harness.generate.recipe import Invocation
from harness.host.host import Host
from harness.package.load import load
from harness.package.model import CaseSettings
from harness.search.candidates import BUILDING, TIMING, Candidate, Clock
from harness.search.generator_calls import between, candidate_of, capped, largest_like
from harness.search.preparation import Preparation
from harness.search.sized_inputs import (
    corners_of,
    in_turn,
    killers,
    large_inputs,
    larger_inputs,
    small_of,
    smaller_inputs,
)
from harness.search.slowest import SlowHunt
from harness.search.stopwatch import Cost, SlowInput, Stopwatch
from harness.search.target import target_of
from harness.search.time_fit import Point, fitted, size_of
from harness.shapes import parse, read_shape
from search import candidate, package, program, target

SHORT = package(time_limit_s=2.0)
QUADRATIC = """
n = int(input())
a = list(map(int, input().split()))
print(sum(1 for x in a for y in a if x < y))
"""


def points(exponent: float) -> list[Point]:
    return [Point(size=size, cpu_s=0.1 * (size / 100) ** exponent) for size in (1000, 2000, 4000, 8000)]


@pytest.mark.parametrize("exponent", [1.0, 1.5, 2.0, 3.0])
def test_the_exponent_is_found(exponent: float) -> None:
    fit = fitted(points(exponent))
    assert fit is not None
    assert fit.exponent == pytest.approx(exponent, abs=0.01)


def test_what_a_start_costs_and_what_shows_at_small_sizes_only_does_not_bend_the_fit() -> None:
    """Seconds are without those of the smallest; steps are no noise, and count where they tell."""
    sizes = (100, 4000, 8000, 16_000, 32_000, 64_000)
    timed = [Point(size=size, cpu_s=0.05 + 1e-9 * size**2) for size in sizes]
    counted = [Point(size=size, cpu_s=0.05, steps=40 * size + size**2) for size in sizes]
    for known in (timed, counted):
        fit = fitted(known)
        assert fit is not None
        assert fit.exponent == pytest.approx(2.0, abs=0.02)


def test_size_counts_numbers_whatever_their_digits_and_letters_of_words() -> None:
    assert size_of(b"3 4\n1000000000 -1 0.25\n") == 5
    assert size_of(b"2 3\n.#.\n..#\n") == 8


def test_a_kind_of_drawn_input_stays_as_bad_at_every_size() -> None:
    """Steps of insertion sort on the worst of a few kinds, as it is drawn larger and larger."""
    shape = read_shape("n: 1..100000; n * (0..10^9)")
    worst = max(filter(None, (small_of(shape, kind) for kind in range(40))), key=lambda one: _moves(one.data))
    grown = [worst, *islice(larger_inputs(worst, None), 2)]
    fit = fitted([Point(size=size_of(one.data or b""), cpu_s=0.0, steps=_moves(one.data)) for one in grown])
    assert fit is not None
    assert fit.exponent == pytest.approx(2.0, abs=0.05)


def _moves(data: bytes | None) -> int:
    """How often insertion sort moves a number."""
    known: list[int] = []
    moves = 0
    for number in map(int, (data or b"").split()[1:]):
        place = bisect_right(known, number)
        moves += len(known) - place
        known.insert(place, number)
    return moves


def test_times_below_what_can_be_measured_say_nothing() -> None:
    assert fitted([Point(size=10, cpu_s=0.001), Point(size=1000, cpu_s=0.002)]) is None


def test_a_run_that_was_stopped_does_not_bend_the_fit() -> None:
    fit = fitted([*points(2.0), Point(size=1_000_000, cpu_s=4.0, stopped=True)])
    assert fit is not None
    assert fit.exponent == pytest.approx(2.0, abs=0.01)


def test_small_costs_are_told_apart_by_steps_and_large_ones_by_what_they_took() -> None:
    few, many = Cost(cpu_s=0.0021, steps=50_000), Cost(cpu_s=0.0019, steps=60_000)
    assert few.effort_s < many.effort_s  # though the clock said otherwise
    assert Cost(cpu_s=0.9, steps=60_000).effort_s > 0.8  # it was in the library, which nobody counts
    assert Cost(cpu_s=0.0019).effort_s < Cost(cpu_s=0.0021).effort_s


def call(*arguments: str, seeded: tuple[int, ...] = ()) -> Invocation:
    return Invocation(generator="g.py", arguments=arguments, seeded=frozenset(seeded))


def test_a_call_grows_towards_the_largest_of_its_kind() -> None:
    small = capped(call("maze", "1000", "800", "density=15", "123456", seeded=(4,)), 60)
    assert small.arguments == ("maze", "60", "60", "density=15", "123456")
    others = [call("maze", "10", "10", "density=15", "1", seeded=(4,)), call("open", "9999", "9999", "x=1", "1")]
    large = largest_like(small, [*others, call("maze", "1000", "800", "density=99", "7", seeded=(4,))])
    grown = [between(small, large, part).arguments for part in (0.5, 1.0)]
    assert grown == [
        ("maze", "245", "219", "density=39", "123456"),
        ("maze", "1000", "800", "density=99", "123456"),
    ]


def heads(shape: str, size: int) -> list[list[int]]:
    """Return the numbers of the first line of an input in each corner."""
    made = [corner(1, size) for corner in corners_of(read_shape(shape))]
    return [list(map(int, data.split(b"\n")[0].split())) for data in made if data is not None]


def test_corners_have_as_many_of_one_count_as_there_can_be_and_few_of_another() -> None:
    graph = "n: 3..100000 m: 0..200000; graph(n, m, simple)"
    assert [100_000, 0] in heads(graph, 160_000)
    assert [5000, 0] in heads(graph, 5000)
    lists = "n: 1..1000 q: 1..1000 k: 7..7; n * (1..9); q * (1..9)"
    both = [1000, 1000, 7]
    assert heads(lists, 5000) == [both, [1000, 1, 7], both, [1, 1000, 7]]


def test_corners_are_no_larger_than_the_size_allows() -> None:
    grid = 'n: 1..100000 m: 1..100000; grid(n, m, "ab")'
    assert heads(grid, 10_000)[0] == [78, 78]  # 10,000 divided by 2 until the square fits
    cases = "t: 1..1000000 q: 1..10; t times { k: 1..3; k * (0..9) }; q * (1..3)"
    assert max(head[0] for head in heads(cases, 640_000)) == 10_000  # these are drawn one by one


@pytest.mark.parametrize(
    "text",
    [
        "n: 1..1000 m: 1..n; n * (1..9); m * (1..9)",
        "n: 1..1000 m: 2..2*n; n * (1..9); m * (1..10^9)",
        "n: 2..50 m: 1..1000; n * (1..10^9); distinct(m * (1..n))",
        "n: 1..1000 q: 1..500; rising(n * (1..10^6)); q times { (1..n) }",
    ],
)
def test_killers_and_corners_are_of_the_shape_with_many_of_each(text: str) -> None:
    shape = read_shape(text)
    worst = [killer.data for killer in killers(shape, [2000])]
    corners = [corner(kind, 2000) for corner in corners_of(shape) for kind in range(3)]
    assert any(worst) and any(corners)
    for data in filter(None, [*worst, *corners]):
        parse(shape, data)


def test_killers_come_with_all_counts_high() -> None:
    shape = read_shape("n: 1..1000 q: 1..500; rising(n * (1..10^6)); q times { (1..n) }")
    assert {(killer.data or b"").split(b"\n")[0] for killer in killers(shape, [100_000])} == {b"1000 500"}
    smaller = list(killers(shape, [200]))
    assert smaller
    for killer in smaller:
        assert killer.at_size is not None
        assert len(killer.at_size(100_000) or b"") > len(killer.data or b"")


def test_large_inputs_go_on_where_no_corner_can_be_drawn() -> None:
    shape = read_shape('n: 2000..3000 m: 2000..3000; grid(n, m, "a")')
    tree = read_shape("n: 500..1000 m: 0..3; graph(n, m, connected)")
    assert len(list(islice(large_inputs(shape, Random(1)), 3))) == 3
    assert not list(large_inputs(tree, Random(1)))  # but they end where nothing can


def test_draws_and_cases_take_turns() -> None:
    some = [candidate(b"", description=str(number)) for number in range(3)]
    cases = iter([*some, None, *some])
    turns = [one.description if one is not None else None for one in in_turn(iter(some), cases, lambda: 2)]
    assert turns == ["0", "0", "1", "1", "2", None, "2", "0", "1", "2"]


def test_a_kind_of_input_gets_smaller_and_smaller() -> None:
    known = candidate_of(call("maze", "60", "60", "density=15", "123456", seeded=(4,)))
    smaller = [one.invocation.arguments[1] for one in smaller_inputs(known) if one.invocation is not None]
    assert smaller == ["30", "15", "7", "3"]
    shape = read_shape("n: 1..100000; n * (1..9)")
    drawn = small_of(shape, 5)
    assert drawn is not None
    lengths = [len(one.data or b"") for one in smaller_inputs(drawn)]
    assert len(lengths) == 5 and lengths[-1] < lengths[0] / 4


@pytest.mark.slow
def test_a_quadratic_program_grows_with_exponent_two(host: Host) -> None:
    lists = target("n: 1..100000; n * (1..9)", package=SHORT, submission=program("q.py", QUADRATIC))
    found = SlowHunt(target=lists, host=host, seed=1, time_s=20).run()
    assert found is not None
    assert found.fit is not None
    assert 1.8 < found.fit.exponent < 2.2


QUICKSORT = """#include <cstdio>
#include <utility>
int a[200001];
void sort(int l, int r) {
    int i = l, j = r, pivot = a[(l + r) / 2];
    while (i <= j) {
        while (a[i] < pivot) i++;
        while (a[j] > pivot) j--;
        if (i <= j) std::swap(a[i++], a[j--]);
    }
    if (l < j) sort(l, j);
    if (i < r) sort(i, r);
}
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    for (int i = 0; i < n; i++) if (scanf("%d", a + i) != 1) return 1;
    sort(0, n - 1);
    printf("%d\\n", a[n / 2]);
}
"""
HASHED = """#include <iostream>
#include <unordered_map>
int main() {
    int n;
    std::cin >> n;
    std::unordered_map<int, int> seen;
    long long pairs = 0;
    for (int i = 0, x; i < n; i++) { std::cin >> x; pairs += seen[x]++; }
    std::cout << pairs << "\\n";
}
"""


@pytest.mark.slow
@pytest.mark.parametrize(("source", "killer"), [(QUICKSORT, "quicksort, middle pivot"), (HASHED, "unordered_map")])
def test_a_program_that_only_a_killer_slows_down_takes_quadratic_time(
    host: Host, source: str, killer: str
) -> None:
    lists = target("n: 1..200000; n * (1..10^9)", package=SHORT, submission=program("p.cpp", source))
    slowest = SlowHunt(target=lists, host=host, seed=1, time_s=30).run()
    assert slowest is not None and slowest.fit is not None
    assert slowest.worst.candidate.description == killer
    assert 1.6 < slowest.fit.exponent < 2.3


def test_limits_of_a_guessed_shape_are_asked_for(
    double_with: PackageMaker, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = load(double_with({"submissions/accepted/double.py": "print(2 * int(input()))\n"}))
    wide = read_shape("n: 123456..123456")
    monkeypatch.setattr(Preparation, "learn_limits", lambda *_: wide)
    hunt = SlowHunt(target=target_of(known, known.submissions[0]), host=host, seed=0, time_s=2.0)
    hunt.run()
    assert hunt.target.shape == wide


def test_without_a_shape_cases_and_changed_cases_are_timed() -> None:
    hunt = SlowHunt(target=target(samples=[b"2\nx y\n"]), host=None, seed=0, time_s=1.0)  # type: ignore[arg-type]
    first, *others = islice(hunt._small_inputs(None, Random(0)), 20)  # type: ignore[arg-type]
    assert first.data == b"2\nx y\n"
    assert any(other.data != first.data for other in others)


def test_a_search_whose_time_went_into_building_says_so() -> None:
    hunt = SlowHunt(target=target("n: 1..9", package=SHORT), host=None, seed=1, time_s=15)  # type: ignore[arg-type]
    assert "needs a recipe or a shape" in why_nothing(hunt)
    hunt.clock = Clock(_spent_s={BUILDING: 61.0})
    assert why_nothing(hunt).startswith("building the programs took 61 s; they are kept, so run")
    hunt.clock = Clock(_spent_s={TIMING: 9.0})
    assert why_nothing(hunt).startswith("timing accepted programs took 9 s: give --time-limit SECONDS")


@pytest.mark.parametrize(
    ("accepted", "limit_s"), [(["quick"], 1.0), (["quick", "slow"], 3.0), (["slow", "endless"], 9.0), ([], 1.0)]
)
def test_a_limit_that_is_not_stated_follows_from_accepted_programs_on_slow_inputs(
    accepted: list[str], limit_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is twice the slowest one's time, rounded up to a second."""
    times = {"mine": 3.0, "quick": 0.1, "slow": 1.2, "endless": 4.4}
    monkeypatch.setattr(Stopwatch, "_cost", lambda _, __, program, *___, **____: Cost(cpu_s=times[program]))
    evaluator: Any = SimpleNamespace(
        target=target("n: 1..9"),
        built=SimpleNamespace(submission="mine", reference="quick"),
        valid_under=lambda *_: [CaseSettings()],
    )
    programs: Any = accepted
    watch = Stopwatch(evaluator=evaluator, deadline_s=0.0, limit_s=1.0, accepted=programs)
    one, sandbox = candidate(b"9\n"), cast("Any", None)
    assert watch.timed(sandbox, one, plainly=False) is not None and watch.limit_s == 1.0
    assert watch.timed(sandbox, one, plainly=True) is not None and watch.limit_s == limit_s
    times["mine"] = watch.limit_s
    assert watch.timed(sandbox, one, plainly=True) is not None and watch.limit_s == limit_s


def test_a_brute_force_that_was_stopped_does_not_run_on_larger_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would take the time of the search; the written shape says that they are valid."""
    ran: list[tuple[str, int]] = []

    def cost(_: Any, __: Any, program: str, call: Any, **___: Any) -> Cost:
        ran.append((program, len(call.stdin)))
        return Cost(cpu_s=3.0, stopped=program == "brute", succeeded=program != "brute")

    monkeypatch.setattr(Stopwatch, "_cost", cost)
    known, built = target("n: 1..9", package=SHORT), SimpleNamespace(submission="mine", reference="brute")
    evaluator: Any = SimpleNamespace(target=known, built=built, valid_under=lambda *_: [CaseSettings()])
    hunt = SlowHunt(target=known, host=None, seed=0, time_s=9.0)  # type: ignore[arg-type]
    hunt._watch = watch = Stopwatch(evaluator=evaluator, deadline_s=0.0, limit_s=2.0)
    sandbox: Any = None
    for data in (b"22\n", b"333\n", b"1\n"):
        slow = watch.timed(sandbox, candidate(data), plainly=True)
        assert slow is not None and slow.reference.stopped and hunt._exceeds(slow)
    assert ran == [("mine", 3), ("brute", 3), ("mine", 4), ("mine", 2), ("brute", 2)]
    reference = program("r.py")
    hunt.target = replace(known, reference=reference, package=replace(SHORT, submissions=(reference,)))
    assert not hunt._exceeds(slow)  # where a solution of the package is too slow, limits are doubtful


def slow_hunt(
    monkeypatch: pytest.MonkeyPatch,
    shape: str,
    cost_s: Callable[[bytes], float],
    *,
    limit_s: float,
    reference_s: Callable[[bytes], float] = lambda _: 0.1,
) -> tuple[SlowHunt, list[Candidate]]:
    """Return a hunt in which runs take so long, and a list of what it times, which gets longer."""
    noted: list[Candidate] = []

    def timed(_: Any, __: Any, one: Candidate, *, plainly: bool) -> SlowInput:
        assert plainly
        noted.append(one)
        data = one.data or b""
        costs = Cost(cpu_s=cost_s(data)), Cost(cpu_s=reference_s(data))
        return SlowInput(candidate=one, data=data, cost=costs[0], reference=costs[1])

    monkeypatch.setattr(Stopwatch, "timed", timed)
    monkeypatch.setattr(SlowHunt, "limit_s", limit_s)
    known = target(shape, package=package(time_limit_s=limit_s))
    hunt = SlowHunt(target=known, host=None, seed=1, time_s=60.0)  # type: ignore[arg-type]
    hunt._watch = Stopwatch(evaluator=None, deadline_s=time.monotonic() + 1000)  # type: ignore[arg-type]
    return hunt, noted


def test_a_program_that_is_slow_on_any_large_input_is_shown_by_one_and_smaller_ones_like_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither killers nor other kinds are tried then. The program takes 10 µs a byte."""
    shape, nothing = "n: 1..1000000; n * (1..9)", cast("Any", None)
    hunt, timed = slow_hunt(monkeypatch, shape, lambda data: 1e-5 * len(data), limit_s=1.0)
    hunt._try_some_large(nothing)
    assert hunt._is_over
    some = len(timed)
    hunt._grow(nothing)
    assert len({one.description for one in timed[some:]}) == 1
    slowest = hunt._result()
    assert slowest is not None and slowest.fit is not None
    assert slowest.worst.cpu_s > 1.0 and len(slowest.points) > 3
    assert slowest.fit.exponent == pytest.approx(1.0, abs=0.1)


def test_the_killer_that_is_slowest_for_its_size_is_tried_larger_though_other_inputs_take_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The program takes 2 µs a letter, but quadratic time where two letters come in turn."""

    def usual_s(data: bytes) -> float:
        return 2e-6 * len(data)

    def cost_s(data: bytes) -> float:
        is_slow = len(data) > 100 and b"aa" not in data and b"bb" not in data
        return usual_s(data) + (len(data) ** 2 / 4e10 if is_slow else 0)

    shape, nothing = "n: 500000; string(1..n, a..b)", cast("Any", None)
    hunt, _ = slow_hunt(monkeypatch, shape, cost_s, limit_s=5.0, reference_s=usual_s)
    monkeypatch.setattr(SlowHunt, "_climb", lambda *_, **__: None)
    large = candidate(b"500000\n" + b"a" * 500_000, description="a large one")
    hunt._keep(hunt._watch.timed(nothing, large, plainly=True))  # type: ignore[arg-type]
    hunt._try_killers(nothing)
    assert not hunt._is_over
    hunt._grow(nothing)
    slowest = hunt._result()
    assert slowest is not None and slowest.worst.cpu_s > 5
    assert slowest.worst.candidate.description == "two letters in turn"


def test_a_slow_input_is_changed_while_that_makes_it_slower(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program takes a second for each pair of equal numbers in the second column, as in a star of edges."""

    def cost_s(data: bytes) -> float:
        ends = [line.split(b" ")[1] for line in data.splitlines()[1:]]
        return sum(one == other for one in ends for other in ends)

    shape, nothing = "n: 1..99; n times { a: 1..99 b: 1..99 }", cast("Any", None)
    hunt, _ = slow_hunt(monkeypatch, shape, cost_s, limit_s=400.0)
    rows = "".join(f"{row} {row % 7 + 1}\n" for row in range(1, 21))
    first = candidate(f"20\n{rows}".encode(), description="random input 7")
    hunt._timed.append(hunt._watch.timed(nothing, first, plainly=True))  # type: ignore[arg-type]
    hunt._climb(nothing, 1e9)
    assert len(hunt._timed) == 1, "it is not promising enough"
    hunt._climb(nothing, 1.0)
    worst = hunt._timed[-1]
    assert worst.kind == hunt._timed[0].kind
    assert worst.cpu_s == 400 and worst.candidate.description == "random input 7, changed"


def test_no_slow_input_is_made_larger_once_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    hunt, timed = slow_hunt(monkeypatch, "n: 1..9", lambda _: 0.1, limit_s=1.0)
    hunt._watch.deadline_s, nothing = time.monotonic(), cast("Any", None)
    kinds = [replace(candidate(b"1\n", description=kind), at_size=lambda size: b"1\n" * size) for kind in "abcd"]
    hunt._small = [hunt._watch.timed(nothing, kind, plainly=True) for kind in kinds]  # type: ignore[misc]
    timed.clear()
    hunt._grow(nothing)
    assert hunt._result() is not None
    assert len(timed) == 1
    assert not hunt.has_grown
