"""`--feedback shrunk` shows a fresh small input on which a submission fails, and never a secret case."""

from dataclasses import replace
from pathlib import Path

import pytest
from grade_command import COUNTS

from conftest import PackageMaker
from harness.grade.failure_details import counterexamples
from harness.host.host import Host
from harness.judge.submission_result import Entry
from harness.package import Program
from harness.package.files import File
from harness.package.load import load
from harness.results.model import SubmissionResult
from harness.results.verdict import Verdict
from harness.search.reduce import Reduction
from harness.search.sources import mixture
from harness.search.target import target_of

BIG_IS_WRONG = "n = int(input())\nprint(n * 2 + (n > 100))\n"


def test_a_small_input_is_found_and_secret_cases_are_never_it(
    tmp_path: Path, host: Host, double_with: PackageMaker
) -> None:
    package = load(double_with({"submissions/accepted/double.py": COUNTS}))
    source = tmp_path / "wrong.py"
    source.write_text(BIG_IS_WRONG)
    entry = Entry(program=Program(path="wrong.py", files={"wrong.py": File(origin=source)}))
    failed = SubmissionResult(path="wrong.py", language="python3", verdict=Verdict.WRONG_ANSWER)
    secret = {case.input.read() for case in package.secret.all_cases()}
    found = list(counterexamples(package, host, [entry], [failed], seconds=20))
    for one in found:
        assert one.input.encode() not in secret
        assert int(one.input) > 100
        assert one.output.split() != one.answer.split()
    assert not list(counterexamples(package, host, [entry], [replace(failed, verdict=Verdict.ACCEPTED)]))
    assert found


def test_ctrl_c_in_a_search_ends_the_grading(
    tmp_path: Path, host: Host, double_with: PackageMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: Reduction) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Reduction, "_reduce", interrupted)
    package = load(double_with({"submissions/accepted/double.py": COUNTS}))
    source = tmp_path / "wrong.py"
    source.write_text(BIG_IS_WRONG)
    entry = Entry(program=Program(path="wrong.py", files={"wrong.py": File(origin=source)}))
    failed = SubmissionResult(path="wrong.py", language="python3", verdict=Verdict.WRONG_ANSWER)
    with pytest.raises(KeyboardInterrupt):
        list(counterexamples(package, host, [entry], [failed], seconds=20))


def test_nothing_that_is_shown_grew_out_of_a_secret_case(double_with: PackageMaker) -> None:
    recipe = "data:\n  secret:\n    data:\n      a: echo.py 987654\n"
    files = {"generators/generators.yaml": recipe, "generators/echo.py": "import sys\nprint(sys.argv[1])\n"}
    package = load(double_with({**files, "data/secret/03-some.in": "123456\n"}), built=False)
    target = target_of(package, package.submissions[0])
    secret = {case.name for case in package.secret.all_cases()}
    assert secret
    everything, spared = (mixture(target, 0, spares_secret=spares).take(3000) for spares in (False, True))
    assert {one.description for one in everything} & secret
    assert spared and not {one.description for one in spared} & secret
    assert ("987654",) in {one.invocation.arguments for one in everything if one.invocation}
    assert ("987654",) not in {one.invocation.arguments for one in spared if one.invocation}
