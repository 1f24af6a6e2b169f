"""`--feedback shrunk` shows a fresh small input on which a submission fails, and never a secret case."""

from dataclasses import replace
from pathlib import Path

from calling import COUNTS

from conftest import PackageMaker
from harness.grade.counterexamples import counterexamples
from harness.host import Host
from harness.judge import Entry
from harness.package import Program, load
from harness.package.files import File
from harness.results import SubmissionResult
from harness.verdict import Verdict

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
    found = list(counterexamples(package, host, [entry], [failed], seconds=3))
    for one in found:
        assert one.input.encode() not in secret
        assert int(one.input) > 100
        assert one.output.split() != one.answer.split()
    assert not list(counterexamples(package, host, [entry], [replace(failed, verdict=Verdict.ACCEPTED)]))
    assert found
