"""What an earlier judging found is handed in and not run again."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from conftest import DOUBLE, TESTS, host_with
from harness.host.host import Host
from harness.judge.judging import Judging, Observer
from harness.judge.submission_result import Entry
from harness.package import Program
from harness.package.files import File
from harness.package.load import load
from harness.results.model import CaseResult
from harness.results.verdict import Verdict

RIGHT = TESTS / "submissions" / "reads_and_doubles_AC.py"
PACKAGE = load(DOUBLE)


@pytest.fixture
def one_worker(tmp_path: Path) -> Iterator[Host]:
    with host_with(tmp_path / "cache", workers=1) as opened:
        yield opened


def test_a_case_that_is_known_is_not_run_and_the_result_is_that_of_a_whole_judging(host: Host) -> None:
    entry = Entry(program=Program(path="a.py", files={"a.py": File(origin=RIGHT)}))
    [whole] = Judging(package=PACKAGE, host=host).run([entry])
    known = {case.name: case for case in whole.cases[:2]}
    run: list[str] = []
    observer = Observer(case=lambda _, case: run.append(case.name))
    [resumed] = Judging(package=PACKAGE, host=host, observer=observer).run([replace(entry, known=known)])
    assert sorted(run) == sorted(case.name for case in whole.cases[2:])
    assert resumed.cases[:2] == whole.cases[:2]
    assert resumed.verdict is Verdict.ACCEPTED


def test_a_known_failure_decides_as_if_it_had_just_been_found(host: Host) -> None:
    failed = CaseResult(name="sample/1", group="sample", verdict=Verdict.WRONG_ANSWER, cpu_s=0.01)
    entry = Entry(program=Program(path="a.py", files={"a.py": File(origin=RIGHT)}), known={"sample/1": failed})
    [result] = Judging(package=PACKAGE, host=host).run([entry])
    assert [case.verdict for case in result.cases] == [Verdict.WRONG_ANSWER] + [Verdict.SKIPPED] * 3


def test_results_come_as_soon_as_they_are_final_not_at_the_end(one_worker: Host) -> None:
    """Tasks are handed out in the order of the submissions, so with one worker nothing of the second is run yet."""
    heard: list[str] = []
    observer = Observer(case=lambda path, _: heard.append(path))
    entries = [Entry(program=Program(path=name, files={name: File(origin=RIGHT)})) for name in ("a.py", "b.py")]
    results = Judging(package=PACKAGE, host=one_worker, observer=observer).in_order(entries)
    assert next(results).path == "a.py"
    assert set(heard) == {"a.py"}
    assert [one.path for one in results] == ["b.py"]


def test_cases_that_a_failure_has_settled_hold_no_result_back(one_worker: Host) -> None:
    """A crash says nothing of the validator, and what is skipped after it neither; the next submission does."""
    heard: list[str] = []
    observer = Observer(case=lambda path, _: heard.append(path))
    files = {"a.py": TESTS / "submissions" / "exits_with_3_RTE.py", "b.py": RIGHT, "c.py": RIGHT}
    entries = [Entry(program=Program(path=name, files={name: File(origin=path)})) for name, path in files.items()]
    results = Judging(package=PACKAGE, host=one_worker, observer=observer).in_order(entries)
    assert next(results).verdict is Verdict.RUN_TIME_ERROR
    assert heard == ["a.py", "b.py"]
    assert [one.verdict for one in results] == [Verdict.ACCEPTED] * 2
