"""Generators called with other numbers: in proportion too, and not for ever where they find nothing."""

from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from harness.generate import Invocation, Recipe, read_recipe
from harness.limits import Limits
from harness.package.files import File
from harness.sandbox import KillReason, RunResult
from harness.search import families
from harness.search.batch import Call, Ran
from harness.search.guard import Makers

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
    calls = [one.invocation for one in islice(families.variations(recipe(), 1), 40)]
    words = {call.arguments[:-1] for call in calls if call is not None}
    assert ("cave", "boxes=1", "floor=25", "side=7") in words
    assert ("cave", "boxes=1", "floor=12", "side=3") in words


@dataclass
class EndlessPrograms:
    """In the place of Programs: every run is ended by its time limit."""

    limits: list[Limits] = field(default_factory=list)

    def run(self, _sandbox: object, _program: object, calls: list[Call], limits: Limits) -> list[Ran]:
        self.limits += [limits] * len(calls)
        result = RunResult(
            cpu_s=limits.cpu_s,
            wall_s=0.0,
            memory_bytes=0,
            exit_code=None,
            signal=9,
            killed_for=KillReason.CPU,
            output_bytes=0,
        )
        return [Ran(result=result, output=b"", errors=b"")] * len(calls)


def test_a_generator_that_comes_to_no_end_is_given_little_time_and_soon_no_more() -> None:
    programs: Any = EndlessPrograms()
    nothing: Any = None
    built: Any = object()
    limits = Limits(cpu_s=60.0, wall_s=60.0, memory_bytes=1 << 30, output_bytes=1 << 20)
    makers = Makers(target=nothing, programs=programs, limits=limits, _built={"gen.py": built})
    call = Invocation(generator="gen.py", arguments=("cave", "floor=4", "1"), seeded=frozenset({2}))
    for _ in range(40):
        assert makers.make(nothing, [call], patiently=False) == [None]
    assert len(programs.limits) <= 6
    assert all(one.cpu_s <= 1 for one in programs.limits)
    makers.make(nothing, [call])
    assert programs.limits[-1].cpu_s >= 10
