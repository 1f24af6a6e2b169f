"""Generators called with other numbers: in proportion too, and not for ever where they find nothing."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from harness.generate.recipe import Invocation, Recipe, read_recipe
from harness.host.batches import Call, Ran
from harness.package.files import File
from harness.sandbox.facts import KillReason, Limits, RunResult
from harness.search import generator_calls
from harness.search.candidates import Candidate, Source
from harness.search.sources import with_calls
from harness.search.validity import Generators

RECIPE = b"""
generators:
  gen.py: [gen.py]
data:
  secret:
    data:
      01-large:
        generate: gen.py cave boxes=1 floor=40 side=12 {seed}
"""


def recipe() -> Recipe:
    files = {
        "generators/generators.yaml": File(origin=Path("generators.yaml"), content=RECIPE),
        "generators/gen.py": File(origin=Path("gen.py"), content=b""),
    }
    found = read_recipe(files, {})
    assert found is not None
    return found


def test_numbers_that_only_go_together_are_also_scaled_together() -> None:
    calls = [one.invocation for one in islice(generator_calls.variations(recipe(), 1), 40)]
    words = {call.arguments[:-1] for call in calls if call is not None}
    assert ("cave", "boxes=1", "floor=25", "side=7") in words
    assert ("cave", "boxes=1", "floor=12", "side=3") in words


def test_calls_that_differ_in_the_sign_of_a_number_are_alike() -> None:
    small = Invocation(generator="gen.py", arguments=("shift=5",))
    large = Invocation(generator="gen.py", arguments=("shift=-1000",))
    assert generator_calls.largest_like(small, [small, large]) == large


@dataclass
class EndlessPrograms:
    """In the place of Programs: every run of which `ends` says nothing else is ended by its time limit."""

    limits: list[Limits] = field(default_factory=list)
    ends: Callable[[Call], bool] = lambda _: False

    def run(self, _sandbox: object, _program: object, calls: list[Call], limits: Limits) -> list[Ran]:
        self.limits += [limits for one in calls if not self.ends(one)]
        return [self._ran(limits, ends=self.ends(one)) for one in calls]

    def _ran(self, limits: Limits, *, ends: bool) -> Ran:
        result = RunResult(
            cpu_s=0.0 if ends else limits.cpu_s,
            wall_s=0.0,
            memory_bytes=0,
            exit_code=0 if ends else None,
            signal=None if ends else 9,
            killed_for=None if ends else KillReason.CPU,
            output_bytes=0,
        )
        return Ran(result=result, output=b"", errors=b"")


def makers_with(programs: Any) -> Generators:
    nothing, built = cast("Any", None), cast("Any", object())
    limits = Limits(cpu_s=60.0, wall_s=60.0, memory_bytes=1 << 30, output_bytes=1 << 20)
    return Generators(target=nothing, programs=programs, limits=limits, _built={"gen.py": built})


def test_a_generator_that_comes_to_no_end_is_given_little_time_and_soon_no_more() -> None:
    programs = EndlessPrograms()
    makers, nothing = makers_with(programs), cast("Any", None)
    call = Invocation(generator="gen.py", arguments=("cave", "floor=4", "1"), seeded=frozenset({2}))
    for _ in range(40):
        assert makers.make(nothing, [call], full_time=False) == [None]
    assert len(programs.limits) <= 6
    assert all(one.cpu_s <= 1 for one in programs.limits)
    makers.make(nothing, [call])
    assert programs.limits[-1].cpu_s >= 10


def test_generators_that_now_and_then_come_to_no_end_do_not_take_the_time_of_all_others() -> None:
    programs = EndlessPrograms(ends=lambda call: call.arguments[0] == "open" or int(call.arguments[1]) % 3 != 0)
    makers, nothing = makers_with(programs), cast("Any", None)
    made = []
    for number in range(160):
        for kind in ("cave", "maze", "ring", "open"):
            call = Invocation(generator="gen.py", arguments=(kind, str(number)))
            made += [one is not None for one in makers.make(nothing, [call], full_time=False)]
    assert len(programs.limits) <= len(made) // 16 + 3
    assert sum(made) > len(made) // 3


def test_a_case_knows_the_call_that_made_it_so_that_a_smaller_call_makes_it_small() -> None:
    made, other = (
        Candidate(source=Source.CASE, description=name, data=b"1\n") for name in ("secret/01-large", "secret/2")
    )
    known = list(with_calls((made, other), recipe()))
    assert known[0].invocation is not None and known[0].invocation.arguments[0] == "cave"
    assert known[0].data == b"1\n"
    assert known[1] == other


def test_a_generator_that_finds_nothing_small_is_still_called_with_larger_numbers() -> None:
    programs = EndlessPrograms(ends=lambda call: int(call.arguments[1]) > 20)
    makers, nothing = makers_with(programs), cast("Any", None)
    made = {4: 0, 25: 0}
    for _ in range(60):
        for most in made:
            call = Invocation(generator="gen.py", arguments=("cave", str(most)))
            made[most] += makers.make(nothing, [call], full_time=False)[0] is not None
    assert made[25] > 50
    assert len(programs.limits) < 12


def test_the_numbers_of_a_failing_call_are_lowered_one_by_one() -> None:
    call = Invocation(generator="gen.py", arguments=("cave", "floor=40", "12", "7"), seeded=frozenset({3}))
    smaller = generator_calls.smaller_call(call, lambda calls: [int(each.arguments[2]) >= 5 for each in calls])
    assert smaller.arguments == ("cave", "floor=0", "5", "7")


def test_the_recipe_s_largest_calls_come_first_and_come_again_with_other_seeds() -> None:
    calls = [
        Invocation(generator="gen.py", arguments=("cave", "4", "1"), seeded=frozenset({2})),
        Invocation(generator="gen.py", arguments=("cave", "40", "1"), seeded=frozenset({2})),
        Invocation(generator="gen.py", arguments=("ring", "9")),
    ]
    known = cast("Recipe", SimpleNamespace(cases=[SimpleNamespace(invocation=call) for call in calls]))
    originals = [one.invocation for one in generator_calls.originals(known)]
    assert originals == [calls[1], calls[2], calls[0]]
    again = [one.invocation for one in islice(generator_calls.reseeded(known, 1), 20)]
    assert {call.arguments[:2] for call in again if call is not None} == {("cave", "4"), ("cave", "40")}
    assert all(call is not None and call.arguments[2] != "1" for call in again)
