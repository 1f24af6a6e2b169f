"""What is asked before a search has its time, however slow the input validators are."""

import time
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from conftest import TESTS, PackageMaker
from harness.build.executable import Executable
from harness.errors import MachineError
from harness.host.host import Host
from harness.host.run_many import OutOfTimeError, Programs
from harness.package.files import File
from harness.package.load import load
from harness.search import build_programs
from harness.search.choose_references import references_of
from harness.search.column_sums import ColumnSums
from harness.search.preparation import Preparation
from harness.search.reads_of_programs import DescribedShape
from harness.search.target import target_of
from harness.shapes import Shape, parsed, read_shape
from harness.shapes.limits import spans
from search import package, program, target

now = [0.0]  # what the clock says
SHAPE = read_shape("n: 1..10 k: 1..10; n * (1..10)")


def preparing(asked: list[int], seconds_each: float) -> Preparation:
    nobody: Any = None
    programs = Programs(host=nobody)

    def accepted(_: object, inputs: list[bytes]) -> list[bool]:
        for _ in inputs:
            if now[0] > programs.deadline_s:
                raise OutOfTimeError
            asked.append(1)
            now[0] += seconds_each
        return [b"-" not in one for one in inputs]

    evaluator: Any = SimpleNamespace(
        accepted=accepted,
        target=SimpleNamespace(package=package(), described=None, column_sums=ColumnSums()),
        programs=programs,
    )
    pool: Any = SimpleNamespace(alone=lambda ask, given: ask(None, given), size=1)
    return Preparation(evaluator=evaluator, pool=pool)


def test_validators_are_asked_on_all_workers_and_the_answers_keep_their_order() -> None:
    preparation = preparing([], 0.0)
    asked: list[int] = []

    def in_order(ask: Any, parts: list[list[bytes]]) -> Any:
        asked.append(len(parts))
        return (ask(None, part) for part in parts)

    pool: Any = SimpleNamespace(alone=preparation.pool.alone, in_order=in_order, size=3)
    preparation = replace(preparation, pool=pool)
    for count in range(9):
        inputs = [b"-" if number % 2 else b"+" for number in range(count)]
        assert preparation._valid(inputs) == [number % 2 == 0 for number in range(count)]
    assert asked == [0, 2, 3, 3, 3, 3, 3, 3]  # a single input is asked about by this thread


def test_validators_are_asked_about_inputs_with_right_sums() -> None:
    preparation, asked = preparing([], 0.0), list[bytes]()
    preparation.evaluator.target.column_sums = ColumnSums(sums=((1, 1),))  # type: ignore[misc]
    preparation.evaluator.accepted = lambda _, inputs: (asked.extend(inputs), [True] * len(inputs))[1]  # type: ignore
    assert preparation._valid([b"2 0\n1 4\n7 5\n"]) == [True]
    assert asked == [b"2 9\n1 4\n7 5\n"]


def test_slow_validators_are_asked_no_longer_than_they_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    asked: list[int] = []
    assert preparing(asked, 1.0).learn_limits(SHAPE, 40.0).block == SHAPE.block
    assert sum(asked) <= 40 + 1


def test_a_draw_that_takes_long_does_not_outlast_the_time_for_preparation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.shapes.values.draw", lambda *_: time.sleep(600))
    began_s = time.monotonic()
    assert preparing([], 0.0).learn_limits(SHAPE, 0.1).block == SHAPE.block
    assert time.monotonic() - began_s < 300


def test_validators_are_not_asked_about_limits_that_a_source_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    asked: list[int] = []
    preparation = preparing(asked, 0.0)
    preparation.evaluator.target.described = DescribedShape(shape=SHAPE, has_limits=True)
    ruled = read_shape("n: 1..10 k: 1..n; distinct(n * (1..10))")
    assert preparation.learn_limits(SHAPE, 40.0).block == SHAPE.block and not asked
    narrowed = read_shape("n: 1..3 k: 1..10; n * (1..10)")
    for shape in (ruled, narrowed):
        asked.clear()
        preparation.learn_limits(shape, 40.0)
        assert asked


def test_a_described_shape_keeps_its_limits_if_a_rule_makes_its_draws_valid() -> None:
    described = read_shape("n: 1..200000; n * (1..1000000)")
    samples = [b"5\n1 2 3 5 7\n"]

    def learned(valid: Callable[[list[int]], bool]) -> Shape:
        preparation = preparing([], 0.0)
        told = DescribedShape(shape=described, has_limits=True)
        preparation.evaluator.target = target(samples=samples, described=told, shape=described)
        preparation.evaluator.accepted = lambda _, inputs: [
            valid(list(map(int, data.split()[1:]))) for data in inputs
        ]
        return preparation.learn_rules(described, 2000.0)

    shape = learned(lambda numbers: all(left < right for left, right in pairwise(numbers)))
    assert [(span.low, span.high) for span in spans(shape)] == [(1, 200_000), (1, 1_000_000)]
    assert parsed(shape, b"3\n1 2 2\n") is None
    shape = learned(lambda numbers: max(numbers) < 9 and len(set(numbers)) > 1)  # no rule says so: it is narrowed
    assert max(span.high or 0 for span in spans(shape)) < 1_000_000


def test_quick_validators_tell_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    assert preparing([], 0.0).learn_limits(SHAPE, 40.0).block != SHAPE.block


def test_the_next_accepted_program_is_the_reference_where_a_language_is_lacking(
    monkeypatch: pytest.MonkeyPatch, host: Host, double_with: PackageMaker
) -> None:
    known = load(double_with({"submissions/accepted/a.cpp": "int main() {}\n"}))
    wrong = next(one for one in known.submissions if one.path == "wrong_answer/adds_one.py")
    chosen = target_of(known, wrong)
    assert chosen.reference is not None and chosen.reference.path == "accepted/a.cpp"
    real = build_programs.build_one

    def without_cpp(*given: Any) -> Any:
        if given[1].path.endswith(".cpp"):
            raise MachineError("no C++ here")
        return real(*given)

    monkeypatch.setattr(build_programs, "build_one", without_cpp)
    built = build_programs.build(chosen, host)
    assert built.reference is not None and built.reference.executable.program.path == "accepted/double.py"
    foreign = target_of(known, wrong, reference=replace(chosen.reference, path="own.cpp"))
    with pytest.raises(MachineError, match="no C"):
        build_programs.build(foreign, host)


def test_a_program_that_is_stated_to_get_fewer_points_is_no_reference() -> None:
    deadlock = load(TESTS.parent / "problems" / "deadlock")
    chosen = {one.path: [other.path for other in references_of(deadlock, one)] for one in deadlock.accepted}
    assert chosen["accepted/exhaustive.cpp"] == ["accepted/exhaustive.py"]
    assert chosen["accepted/all_unknown.py"] == [
        "accepted/exhaustive.cpp",
        "accepted/exhaustive.py",
    ]


def test_a_search_with_checks_compiles_the_submission_with_them_and_nothing_else(host: Host) -> None:
    checking = Host(pool=host.pool, builder=host.builder.with_checks(), judges=host.judges, stage=host.stage)
    both = program("a.cpp", "int main() {}\n")
    built = build_programs.build(target("n: 1..9", submission=both, reference=both), checking)
    assert built.reference is not None
    flags = [" ".join(each.executable.language.flags) for each in (built.submission, built.reference)]
    assert ["-fsanitize=" in each for each in flags] == [True, False]


def test_the_validator_of_outputs_is_compiled_once_for_the_search_and_the_confirmation(
    host: Host, double_with: PackageMaker
) -> None:
    right = "int main() { return 42; }\n"
    known = load(double_with({"output_validator/validate.cpp": right}))
    searched = target_of(known, known.submissions[0])

    def built() -> list[Executable]:
        return host.build_judge_programs(known.output_validators, known.limits)

    with host.adopting():
        checker = build_programs.build(searched, host).checker
        assert checker is not None and checker.serves
        assert built() == [checker.executable]
        [validator] = known.output_validators
        header = File(origin=Path("more.h"), content=b"// part of another program\n")
        other = replace(validator, files={**validator.files, "more.h": header})
        assert host.build_judge_programs([other], known.limits) != [checker.executable]
    assert built() != [checker.executable]  # a grading that searches goes on with its own
    build_programs.build(searched, host)
    assert built() != [checker.executable]
