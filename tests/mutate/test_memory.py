"""What was found out of mutants is kept: a run that was stopped goes on where it was."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from conftest import NO_SECRET, PackageMaker
from harness.host.host import Host
from harness.judge.judge_case import CaseJudge
from harness.mutate.mutation import Mutation
from harness.mutate.outcomes import Fate, MutationReport
from harness.mutate.run import run_mutation
from harness.package import Program
from harness.package.load import load
from harness.report.mutation import time_lines
from harness.results.model import CaseResult
from harness.store.memory import MEMORY

SOURCE = """n = int(input())
total = 0
for i in range(1, n + 1):
    total += i
print(total if n < 100 else n * (n + 1) // 2)
"""
VALIDATOR = """import re, sys
sys.exit(42 if re.fullmatch(rb"[1-9][0-9]?\\n", sys.stdin.buffer.read()) else 43)
"""
FILES = {
    "submissions/accepted/double.py": SOURCE,
    "submissions/wrong_answer/adds_one.py": None,
    "input_validators/validate.py": VALIDATOR,
    "generators/shape.txt": "n: 1..99\n",
    "data/sample/1.in": "1\n",
    "data/sample/1.ans": "1\n",
    "data/secret/02-two.in": "2\n",
    "data/secret/02-two.ans": "3\n",
    **NO_SECRET,
}


STOP = 9  # runs before the clock says that time is up


class StoppedError(Exception):
    """Somebody pressed Ctrl-C."""


def after(steps: int) -> Callable[[str], None]:
    left = iter(range(steps))

    def step(_: str) -> None:
        if next(left, None) is None:
            raise StoppedError

    return step


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The name of every case on which something is judged."""
    names, judge = [], CaseJudge.judge

    def noted(self: CaseJudge, *arguments: object) -> CaseResult:
        result = judge(self, *arguments)  # type: ignore[arg-type]
        names.append(result.name)
        return result

    monkeypatch.setattr(CaseJudge, "judge", noted)
    return names


@pytest.fixture
def root(double_with: PackageMaker) -> Path:
    return double_with(FILES)


def mutation(root: Path, host: Host, cache: Path, **options: float) -> Mutation:
    return Mutation(package=load(root), host=host, cache=cache, inputs=0, sample=6, **options)  # type: ignore[arg-type]


def accepted(one: Mutation) -> list[Program]:
    return [program for program in one.package.submissions if program.path.startswith("accepted/")]


def run(one: Mutation) -> MutationReport:
    return one.run(accepted(one))


def fates(report: MutationReport) -> dict[str, Fate]:
    return {finding.mutant.id: finding.fate for one in report.solutions for finding in one.findings}


def test_stopped_run_goes_on_where_it_was(root: Path, host: Host, tmp_path: Path, judged: list[str]) -> None:
    with pytest.raises(StoppedError):
        run(Mutation(package=load(root), host=host, cache=tmp_path, inputs=0, progress=after(9)))
    before = len(judged)
    [resumed] = run(Mutation(package=load(root), host=host, cache=tmp_path, inputs=0)).solutions
    cases = len(list(load(root).judged_cases()))
    in_hand = host.pool.size * cases  # what the workers had in hand when it stopped
    assert before < cases + resumed.runs <= len(judged) <= cases + resumed.runs + in_hand


@pytest.mark.slow
def test_finished_run_judges_and_compares_nothing_again(
    root: Path, host: Host, tmp_path: Path, judged: list[str]
) -> None:
    one = Mutation(package=load(root), host=host, cache=tmp_path, inputs=90)
    first = run(one)
    judged.clear()
    assert fates(run(one)) == fates(first)
    assert not judged
    assert set(fates(first).values()) >= {Fate.KILLED, Fate.PROVED}


def test_time_that_is_up_leaves_mutants_undecided_and_the_next_call_judges_the_rest_only(
    root: Path, host: Host, tmp_path: Path, judged: list[str]
) -> None:
    one = mutation(root, host, tmp_path / "whole")
    whole = run_mutation(one, accepted(one), matrix=True)
    all_runs = len(judged)
    judged.clear()
    clock = SimpleNamespace(monotonic=lambda: float(len(judged) >= STOP))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("harness.mutate.judge_mutants.time", clock)
        first = run_mutation(mutation(root, host, tmp_path, until_s=1.0), accepted(one), matrix=True)
    assert STOP <= len(judged) < all_runs
    assert first.report.undecided
    assert first.kills is not None
    assert first.kills.unjudged
    assert "time is up" in "\n".join(time_lines(first))
    again = run_mutation(mutation(root, host, tmp_path), accepted(one), matrix=True)
    assert len(judged) == all_runs
    assert fates(again.report) == fates(whole.report)
    assert again.kills is not None
    assert whole.kills is not None
    assert again.kills.by_case == whole.kills.by_case
    assert not list(time_lines(again))


def test_kill_matrix_holds_what_is_asked_of_the_cases_without_it(
    root: Path, host: Host, tmp_path: Path, judged: list[str]
) -> None:
    one = mutation(root, host, tmp_path)
    whole = run_mutation(one, accepted(one), matrix=True)
    all_runs = len(judged)
    assert fates(run(one)) == fates(whole.report)
    assert len(judged) == all_runs
    run_mutation(mutation(root, host, tmp_path, fresh=True), accepted(one), matrix=True)
    assert len(judged) == 2 * all_runs


def test_changed_data_or_a_changed_solution_or_fresh_is_judged_anew(
    root: Path, host: Host, tmp_path: Path, judged: list[str]
) -> None:
    def runs_of(*, fresh: bool = False) -> int:
        judged.clear()
        run(Mutation(package=load(root), host=host, cache=tmp_path, inputs=0, sample=4, fresh=fresh))
        return len(judged)

    assert runs_of() > 0
    assert runs_of() == 0
    assert runs_of(fresh=True) > 0
    (root / "submissions/accepted/double.py").write_text(SOURCE + "# a comment\n")
    assert runs_of() > 0
    (root / "data/secret/02-two.in").write_text("3\n")
    (root / "data/secret/02-two.ans").write_text("6\n")
    assert runs_of() > 0


@pytest.mark.slow
def test_new_case_costs_one_run_of_the_original_and_of_each_mutant_that_is_alive(
    root: Path, host: Host, tmp_path: Path, judged: list[str]
) -> None:
    first = run(Mutation(package=load(root), host=host, cache=tmp_path, inputs=0))
    alive = len(first.survivors())
    assert alive
    (root / "data/secret/03-most.in").write_text("99\n")
    (root / "data/secret/03-most.ans").write_text("4950\n")
    judged.clear()
    again = run(Mutation(package=load(root), host=host, cache=tmp_path, inputs=0))
    assert judged == ["secret/03-most"] * (1 + alive)
    fresh = run(Mutation(package=load(root), host=host, cache=tmp_path / "other", inputs=0))
    assert fates(again) == fates(fresh)


DAMAGED = (b"", b"[]", b"SQLite format 3\0", b"SQLite format 3\0" + bytes(range(256)) * 40)


@pytest.mark.parametrize("damage", DAMAGED)
def test_damaged_memory_costs_runs_and_nothing_else(
    damage: bytes, root: Path, host: Host, tmp_path: Path, judged: list[str]
) -> None:
    one = Mutation(package=load(root), host=host, cache=tmp_path, inputs=0, sample=2)
    whole = fates(run(one))
    (tmp_path / MEMORY).write_bytes(damage)
    judged.clear()
    assert fates(run(one)) == whole
    assert judged


def test_value_in_which_a_byte_has_changed_costs_that_value_only(
    root: Path, host: Host, tmp_path: Path, judged: list[str]
) -> None:
    one = Mutation(package=load(root), host=host, cache=tmp_path, inputs=0, sample=4)
    whole = fates(run(one))
    with sqlite3.connect(tmp_path / MEMORY) as connection:
        name = connection.execute("SELECT name FROM memory_1 WHERE name LIKE '%judged/%'").fetchone()
        connection.execute("UPDATE memory_1 SET value = replace(value, ':', ';') WHERE name = ?", name)
    connection.close()
    judged.clear()
    assert fates(run(one)) == whole
    assert 0 < len(judged) <= len(list(one.package.judged_cases()))
    judged.clear()
    run(one)
    assert not judged
