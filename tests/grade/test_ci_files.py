"""The ready CI files parse, and the command line takes every call of harness in them."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
import yaml

from conftest import DOUBLE, TESTS
from harness.cli import group

CI = TESTS.parent / "docs" / "ci"


def calls(text: str) -> list[list[str]]:
    """Every `harness …` of a file, its continuation lines joined."""
    joined = re.sub(r"\\?\n\s+(?=--)", " ", text)
    found = re.findall(r"^[\s\-]*(?:run: )?(harness [^\n]*)", joined, flags=re.MULTILINE)
    return [shlex.split(line.split(" || ")[0].split(" #")[0]) for line in found]


@pytest.mark.parametrize("file", sorted(CI.glob("*")), ids=lambda path: path.name)
def test_every_call_is_one_that_the_command_line_takes(file: Path) -> None:
    if file.suffix == ".md":
        return
    found = calls(file.read_text())
    assert found
    for _, name, *arguments in found:
        command = group.get_command(click.Context(group), name)
        assert command is not None, name
        given = [
            "1/2" if "$" in one and "shard" in (arguments[place - 1]) else one
            for place, one in enumerate(arguments)
        ]
        command.make_context(name, given)


def test_workflow_gives_code_of_strangers_no_secret_and_trusts_one_ref() -> None:
    workflow = yaml.safe_load((CI / "github-grade.yml").read_text())
    assert set(workflow[True]) == {"pull_request"}  # YAML reads `on` as true
    assert workflow["permissions"] == {"contents": "read"}
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    checkouts = {step["with"]["path"]: step["with"] for step in steps if "checkout" in step.get("uses", "")}
    assert checkouts["trusted"]["ref"] == "main"
    assert all(one["persist-credentials"] is False for one in checkouts.values())
    runs = " ".join(step["run"] for step in steps if "run" in step)
    assert "secrets." not in (CI / "github-grade.yml").read_text()
    assert not re.search(r"\$\{\{", runs)  # what GitHub pastes into a shell line may hold a stranger's text
    assert "theirs" not in runs.replace("theirs/hand-ins", "")


def test_gitlab_jobs_hand_their_shards_on() -> None:
    jobs = yaml.safe_load((CI / "gitlab-grade.yml").read_text())
    assert jobs["grade"]["artifacts"]["paths"] == ["shard-*.json"]
    assert jobs["report"]["artifacts"]["reports"] == {"junit": "grade.xml"}
    assert all(jobs[name]["stage"] in jobs["stages"] for name in ("grade", "report"))


def test_autograder_gives_a_right_submission_its_points(tmp_path: Path) -> None:
    """The script as it stands, but for its places."""
    shutil.copytree(DOUBLE, tmp_path / "autograder" / "source" / "problem")
    handed_in = tmp_path / "autograder" / "submission"
    shutil.copytree(DOUBLE / "submissions" / "accepted", handed_in)
    (tmp_path / "autograder" / "results").mkdir()
    text = (CI / "gradescope-run").read_text()
    text = text.replace("/autograder/", f"{tmp_path}/autograder/").replace("/tmp/hand-ins", f"{tmp_path}/hand-ins")
    text = text.replace("/tmp/grade", f"{tmp_path}/grade").replace("\nharness ", f"\n{sys.executable} -m harness ")
    subprocess.run(["sh", "-c", text], check=True)
    results = json.loads((tmp_path / "autograder" / "results" / "results.json").read_text())
    assert results["score"] > 0, results
