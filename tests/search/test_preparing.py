"""What is asked before a search has its time, however slow the input validators are."""

import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from harness.loose import Loose
from harness.package.model import ProblemLimits
from harness.search.preparing import Preparing
from harness.shapes import read_shape

now = [0.0]  # what the clock says
SHAPE = read_shape("n: 1..10 k: 1..10; n * (1..10)")


def preparing(asked: list[int], seconds_each: float) -> Preparing:
    def valid_under(_: object, inputs: list[bytes]) -> list[object]:
        asked.append(len(inputs))
        now[0] += seconds_each * len(inputs)
        return [one if b"-" not in one else None for one in inputs]

    package = Loose(name="p", root=Path("p"), cases=[], limits=ProblemLimits()).package()
    bench: Any = SimpleNamespace(
        guard=SimpleNamespace(valid_under=valid_under), target=SimpleNamespace(package=package)
    )
    pool: Any = SimpleNamespace(alone=lambda ask, given: ask(None, given))
    return Preparing(bench=bench, pool=pool)


def test_slow_validators_are_asked_no_longer_than_they_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    asked: list[int] = []
    assert preparing(asked, 1.0).widened(SHAPE, 40.0).block == SHAPE.block
    assert sum(asked) <= 40 + 16


def test_quick_ones_tell_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    assert "10^2" not in SHAPE.text
    assert preparing([], 0.0).widened(SHAPE, 40.0).block != SHAPE.block
