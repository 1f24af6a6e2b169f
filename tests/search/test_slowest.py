"""`--slowest`: the exponent of growth, larger calls of a generator, and a quadratic program that is caught."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from harness.generate import Invocation
from harness.host import Host
from harness.loose import Loose
from harness.package import Program
from harness.package.files import File
from harness.package.model import ProblemLimits
from harness.search import target_of
from harness.search.calls import between, largest_like, scaled
from harness.search.growth import Point, fitted, plot
from harness.search.slowest import Cost, SlowHunt

QUADRATIC = """
n = int(input())
a = list(map(int, input().split()))
print(sum(1 for x in a for y in a if x < y))
"""


def points(exponent: float) -> list[Point]:
    return [Point(size=size, cpu_s=1e-4 * (size / 100) ** exponent + 1e-9) for size in (1000, 2000, 4000, 8000)]


@pytest.mark.parametrize("exponent", [1.0, 1.5, 2.0, 3.0])
def test_the_exponent_is_found(exponent: float) -> None:
    fit = fitted(points(exponent), least_s=0)
    assert fit is not None
    assert fit.exponent == pytest.approx(exponent, abs=0.01)


def test_times_below_what_can_be_measured_say_nothing() -> None:
    assert fitted([Point(size=10, cpu_s=0.001), Point(size=1000, cpu_s=0.002)]) is None


def test_a_run_that_was_stopped_does_not_bend_the_fit() -> None:
    fit = fitted([*points(2.0), Point(size=1_000_000, cpu_s=4.0, stopped=True)], least_s=0)
    assert fit is not None
    assert fit.exponent == pytest.approx(2.0, abs=0.01)


def test_the_plot_is_an_svg_in_which_names_are_text() -> None:
    drawn = plot(points(2), fitted(points(2)), 1.0, "<script>&")
    root = ElementTree.fromstring(drawn)
    assert root.tag.endswith("svg")
    assert any(element.text == "<script>&" for element in root.iter())


def test_small_costs_are_told_apart_by_steps_and_large_ones_by_what_they_took() -> None:
    few, many = Cost(cpu_s=0.0021, steps=50_000), Cost(cpu_s=0.0019, steps=60_000)
    assert few.effort_s < many.effort_s  # though the clock said otherwise
    assert Cost(cpu_s=0.9, steps=60_000).effort_s > 0.8  # it was in the library, which nobody counts
    assert Cost(cpu_s=0.0019).effort_s < Cost(cpu_s=0.0021).effort_s


def call(*arguments: str, seeded: tuple[int, ...] = ()) -> Invocation:
    return Invocation(generator="g.py", arguments=arguments, seeded=frozenset(seeded))


def test_a_call_grows_towards_the_largest_of_its_kind() -> None:
    small = scaled(call("maze", "1000", "800", "density=15", "123456", seeded=(4,)), 60)
    assert small.arguments == ("maze", "60", "60", "density=15", "123456")
    others = [call("maze", "10", "10", "density=15", "1", seeded=(4,)), call("open", "9999", "9999", "x=1", "1")]
    large = largest_like(small, [*others, call("maze", "1000", "800", "density=99", "7", seeded=(4,))])
    grown = [between(small, large, part).arguments for part in (0.5, 1.0)]
    assert grown == [
        ("maze", "245", "219", "density=39", "123456"),
        ("maze", "1000", "800", "density=99", "123456"),
    ]


@pytest.mark.slow
def test_a_quadratic_program_grows_with_exponent_two(host: Host) -> None:
    program = Program(path="q.py", files={"q.py": File(origin=Path("q.py"), content=QUADRATIC.encode())})
    package = Loose(name="q", root=Path(), limits=ProblemLimits(time_limit_s=2.0)).package()
    target = target_of(package, program, shape="n: 1..100000; n * (1..9)")
    found = SlowHunt(target=target, host=host, seed=1, time_s=20).run()
    assert found is not None
    assert found.fit is not None
    assert 1.5 < found.fit.exponent < 2.5
