"""What an earlier judging found is handed in and not run again."""

from dataclasses import replace

from conftest import DOUBLE, TESTS
from harness.host import Host
from harness.judge import Entry, Judging, Observer
from harness.package import Program, load
from harness.package.files import File
from harness.results import CaseResult
from harness.verdict import Verdict

RIGHT = TESTS / "submissions" / "reads_and_doubles_AC.py"
PACKAGE = load(DOUBLE)


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
