"""A judge error always says which judge program failed, and where its owner finds it."""

from pathlib import Path
from shutil import make_archive

import pytest

from command_line import invoke
from conftest import TESTS

PACKAGES = TESTS / "packages"


@pytest.mark.parametrize("form", ["terminal", "markdown", "grading"])
def test_a_grader_of_no_case_is_named(form: str, tmp_path: Path) -> None:
    package = PACKAGES / "judge_legacy_broken_grader"
    program, file = package / "submissions/accepted/echo.py", tmp_path / "report.md"
    grade = ("grade", package, program, "--store", tmp_path / "store.sqlite", "--feedback", "full")
    command = {
        "terminal": ("judge", package),
        "markdown": (*grade, "--quiet", "--markdown", file),
        "grading": grade,
    }[form]
    called = invoke(*command)
    text = file.read_text() if form == "markdown" else called.output
    assert called.return_value == 2
    assert f"{package}/graders/broken.py: the grader must say `VERDICT score`" in text


@pytest.mark.parametrize("program", ["graders/broken.py", "output_validator/broken.py"])
def test_a_judge_program_of_an_archive_is_named_by_its_place_in_the_archive(program: str, tmp_path: Path) -> None:
    slug = "judge_legacy_broken_grader" if "graders" in program else "judge_validator_that_never_works"
    archive = make_archive(str(tmp_path / slug), "zip", PACKAGES, slug)
    output = invoke("judge", archive).output
    assert f"{archive}/{slug}/{program}: the " in output
