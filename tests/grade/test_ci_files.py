"""The ready CI files parse, and the command line takes every call of harness in them."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest
import yaml
from grade_command import ADDS_ONE, COUNTS, hand_ins

from conftest import DOUBLE, TESTS
from harness.cli import group

CI = TESTS.parent / "docs" / "ci"


def calls(text: str) -> list[list[str]]:
    """Every `harness …` of a file and every call by the action, their continuation lines joined."""
    joined = re.sub(r"\\?\n\s+(?=--)", " ", text)
    joined = re.sub(r"arguments: (?:>-\s+)?", "harness ", re.sub(r"\$\{\{ ([^}]*) \}\}", r"$\1", joined))
    found = re.findall(r"^[\s\-]*(?:run: )?(harness [^\n]*)", joined, flags=re.MULTILINE)
    return [shlex.split(line.split(" || ")[0].split(" #")[0]) for line in found]


CALLING = [*CI.glob("*.yml"), CI / "gradescope-run"]


@pytest.mark.parametrize("file", sorted(CALLING), ids=lambda path: path.name)
def test_every_call_is_one_that_the_command_line_takes(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.cli.options.check_target", lambda _: None)  # their folders are not here
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
    runs = " ".join(step.get("with", {}).get("arguments", "") for step in steps)
    assert not any("run" in step for step in steps)
    assert "secrets." not in (CI / "github-grade.yml").read_text()
    # What GitHub pastes into a command line may hold a stranger's text: only these cannot.
    assert set(re.findall(r"\$\{\{ (\S+) \}\}", runs)) == {"matrix.number", "strategy.job-total", "runner.temp"}
    assert "theirs" not in runs.replace("theirs/hand-ins", "")


def test_gitlab_jobs_hand_their_shards_on() -> None:
    jobs = yaml.safe_load((CI / "gitlab-grade.yml").read_text())
    assert jobs["grade"]["artifacts"]["paths"] == ["shards/"]
    assert jobs["report"]["artifacts"]["reports"] == {"junit": "grade.xml"}
    assert all(jobs[name]["stage"] in jobs["stages"] for name in ("grade", "report"))


def test_gitlab_merges_nothing_that_a_student_left_in_the_repository() -> None:
    jobs = yaml.safe_load((CI / "gitlab-grade.yml").read_text())
    assert jobs["report"]["variables"] == {"GIT_STRATEGY": "empty"}  # it sees the artifacts of the shards alone
    assert jobs["grade"]["script"][0] == 'rm -rf "$CI_PROJECT_DIR/shards" && mkdir "$CI_PROJECT_DIR/shards"'
    assert any("cd /tmp/work" in line for line in jobs[".harness"]["before_script"])
    assert "/shards/$CI_NODE_INDEX.json" in jobs["grade"]["script"][1]
    assert "merge shards/*.json" in jobs["report"]["script"][1]


def ran(script: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A step's script as the runner's shell runs it, on the package `double` and the submissions in hand-ins/."""
    script = script.replace("theirs/hand-ins ", f" {cwd}/hand-ins ")
    script = script.replace("trusted/problems/sokoban", str(DOUBLE)).replace("/tmp/grade", f"{cwd}/grade")
    own = f'harness() {{ "{sys.executable}" -m harness "$@"; }}\n'
    places = {
        "CI_PROJECT_DIR": str(cwd),
        "RUNNER_TEMP": str(cwd),
        "GITHUB_ENV": str(cwd / "env"),
        "GITHUB_STEP_SUMMARY": str(cwd / "sum.md"),
    }
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", own + script],
        cwd=cwd,
        env={**os.environ, **places, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def github_scripts() -> tuple[str, str]:
    """The call of a shard and the one of the report; tests/grade/test_action.py has what the action does with them."""
    jobs = yaml.safe_load((CI / "github-grade.yml").read_text())["jobs"]
    steps = {step.get("name"): step for job in jobs.values() for step in job["steps"]}
    values = {
        "matrix.number": "$CI_NODE_INDEX",
        "strategy.job-total": "$CI_NODE_TOTAL",
        "runner.temp": "$RUNNER_TEMP",
    }
    texts = (steps[name]["with"]["arguments"] for name in ("Grade", "One report"))
    shard, report = (re.sub(r"\$\{\{ (\S+) \}\}", lambda found: values[found[1]], text) for text in texts)
    return f"harness {shard}", f"harness {report}"


def gitlab_scripts() -> tuple[str, str]:
    jobs = yaml.safe_load((CI / "gitlab-grade.yml").read_text())
    return tuple("\n".join(jobs[name]["script"]) for name in ("grade", "report"))  # type: ignore[return-value]


@pytest.mark.parametrize(
    "scripts",
    [pytest.param(github_scripts, id="github"), pytest.param(gitlab_scripts, id="gitlab", marks=pytest.mark.slow)],
)
@pytest.mark.parametrize(("second", "code"), [(COUNTS, 0), (ADDS_ONE, 1)], ids=["right", "wrong"])
def test_report_is_red_exactly_where_a_submission_is_wrong(
    scripts: Callable[[], tuple[str, str]], second: str, code: int, tmp_path: Path
) -> None:
    hand_ins(tmp_path / "hand-ins", one=COUNTS, two=second)
    grading, report = scripts()
    (tmp_path / "shards").mkdir()
    (tmp_path / "shards" / "9.json").write_text("a student's own")
    for number in ("1", "2"):
        numbers = {"CI_NODE_INDEX": number, "CI_NODE_TOTAL": "2"}
        (tmp_path / "grade.sqlite").unlink(missing_ok=True)
        assert ran(grading, tmp_path, **numbers).returncode == 0
        if scripts is gitlab_scripts:  # each job has its own checkout, and the report none
            shutil.copytree(tmp_path / "shards", tmp_path / "report" / "shards", dirs_exist_ok=True)
    done = ran(report, tmp_path / "report" if scripts is gitlab_scripts else tmp_path)
    assert done.returncode == code, done.stdout + done.stderr
    if scripts is github_scripts:
        assert ("::error file=two.py,title=double%3A Wrong answer::" in done.stdout) == (code == 1)


def test_what_could_not_be_judged_is_red_and_still_reported() -> None:
    jobs = yaml.safe_load((CI / "github-grade.yml").read_text())["jobs"]
    upload = next(step for step in jobs["shard"]["steps"] if "upload" in step.get("uses", ""))
    assert upload["if"] == jobs["report"]["if"] == "${{ !cancelled() }}"
    gitlab = yaml.safe_load((CI / "gitlab-grade.yml").read_text())
    assert gitlab["grade"]["artifacts"]["when"] == gitlab["report"]["when"] == "always"
    for script in (*github_scripts(), *gitlab_scripts()):
        assert "||" not in script


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
