"""A result in the store counts for exactly what it was made from."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from grade_command import grade

from conftest import DOUBLE
from harness.build.executable import sources_of
from harness.build.languages import load_table
from harness.cluster.worker import submission_payload
from harness.grade.grading import conditions_digest, submission_key
from harness.package import Program
from harness.package.files import File
from harness.package.load import load
from harness.package.model import Aggregation, Group, ProblemType, StaticValidation
from harness.rules.score import accepted_case_score
from harness.sandbox.facts import Isolation, Tier
from harness.store.identity import case_identity

PROGRAM = Program(path="a.py", files={"a.py": File(origin=Path("a.py"), content=b"print(1)")})


def test_a_new_compiler_makes_a_new_result(tmp_path: Path) -> None:
    real, tool = tmp_path / "cc-12", tmp_path / "cc"
    real.write_text("twelve")
    tool.symlink_to(real)
    before = submission_key(PROGRAM, "conditions", [tool])
    assert submission_key(PROGRAM, "conditions", [tool]) == before
    status = real.stat()
    os.utime(real, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    after = submission_key(PROGRAM, "conditions", [tool])
    assert after != before
    newer = tmp_path / "cc-13"
    newer.write_text("twelve")
    os.utime(newer, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    tool.unlink()
    tool.symlink_to(newer)
    assert submission_key(PROGRAM, "conditions", [tool]) not in (before, after)


def test_a_folder_whose_name_decides_what_is_started_has_a_result_of_its_own(tmp_path: Path) -> None:
    for folder in ("ada", "bob", "cy"):
        (tmp_path / "hand-ins" / folder).mkdir(parents=True)
        (tmp_path / "hand-ins" / folder / "ada.py").write_text("print(int(input()) * 2)\n")
        (tmp_path / "hand-ins" / folder / "bob.py").write_text("print(0)\n")
    done = grade("grade", DOUBLE, tmp_path / "hand-ins", "--json", tmp_path / "report.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = {
        each["path"]: each["verdict"] for each in json.loads((tmp_path / "report.json").read_text())["submissions"]
    }
    assert found == {"ada": "AC", "bob": "WA", "cy": "AC"}


@pytest.mark.parametrize(
    ("names", "order"),
    [(("ada.rb", "bob.rb"), ("bob.rb", "ada.rb")), (("alpha.rb", "submission.rb"), ("alpha.rb", "submission.rb"))],
)
def test_the_same_program_is_started_on_a_cluster(names: tuple[str, ...], order: tuple[str, ...]) -> None:
    files = {name: File(origin=Path(name), content=b"") for name in names}
    program = Program(path="hand-ins/bob", files=files)
    sent = submission_payload(program).program(Path("elsewhere"))
    ruby = load_table(())["ruby"]
    assert sources_of(sent, ruby) == sources_of(program, ruby) == order


def test_the_name_of_a_folder_with_a_single_file_makes_no_new_result() -> None:
    files = {"ada.py": File(origin=Path("ada.py"), content=b"")}
    keys = {submission_key(Program(path=path, files=files), "conditions") for path in ("in/ada", "in/bob")}
    assert len(keys) == 1


def test_a_new_interpreter_of_the_output_validator_makes_all_results_new(tmp_path: Path) -> None:
    tool = tmp_path / "python3"
    tool.write_text("old")
    package, isolation, table = load(DOUBLE), Isolation(tier=Tier.PLAIN), load_table(())

    def digest() -> str:
        return conditions_digest(package, isolation, table, [tool])

    before = digest()
    assert digest() == before
    tool.write_text("newer")
    assert digest() != before


def test_the_points_that_a_static_validator_gives_are_taken_from_those_of_the_cases() -> None:
    package = replace(load(DOUBLE), types=frozenset({ProblemType.SCORING}))
    cases = package.judged_cases()
    group = Group(name="secret", cases=cases, aggregation=Aggregation.SUM, max_score=100.0)
    groups = [group, *(replace(group, static=StaticValidation(score=score)) for score in (10.0, 20.0))]
    assert len({accepted_case_score(each, score=None, multiplier=None) for each in groups}) == 3
    assert len({case_identity(package, each, cases[0]) for each in groups}) == 3
