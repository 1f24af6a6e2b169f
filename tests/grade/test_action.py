"""The action, the hooks and the recipe of the image: their commands exist, and the action runs what it is given."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
import yaml

from conftest import DOUBLE, TESTS
from harness.cli import group

TOP = TESTS.parent
ACTION = yaml.safe_load((TOP / "action.yml").read_text())
HOOKS = yaml.safe_load((TOP / ".pre-commit-hooks.yaml").read_text())
IMAGE = TOP / "docs" / "ci" / "image"

# A docker that notes how it is called, and runs the image's command here.
DOCKER = f"""
import json, os, subprocess, sys
with open(os.environ["CALLS"], "a") as calls:
    calls.write(json.dumps(sys.argv[1:]) + "\\n")
if sys.argv[1] == "run":
    place = sys.argv.index("oj-harness")
    sys.exit(subprocess.run([{sys.executable!r}, "-m", "harness", *sys.argv[place + 1:]]).returncode)
"""


def run_action(arguments: str, folder: Path, image: str = "") -> tuple[int, list[list[str]]]:
    """Run the steps of the action as GitHub does; return the last exit code and each call of docker."""
    tool = folder / "bin" / "docker"
    tool.parent.mkdir()
    tool.write_text(f"#!{sys.executable}\n{DOCKER}")
    tool.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{tool.parent}:{os.environ['PATH']}",
        "CALLS": str(folder / "calls"),
        "GITHUB_ACTION_PATH": str(TOP),
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        "RUNNER_TEMP": str(folder),
    }
    code = 0
    for step in ACTION["runs"]["steps"]:
        if step.get("if") == "inputs.image == ''" and image:
            continue
        given = {"IMAGE": image, "ARGUMENTS": arguments} if "env" in step else {}
        code = subprocess.run(
            ["bash", "-eo", "pipefail", "-c", step["run"]], cwd=folder, env={**environment, **given}
        ).returncode
    return code, [json.loads(line) for line in (folder / "calls").read_text().splitlines()]


@pytest.mark.parametrize(("solution", "code"), [("accepted", 0), ("wrong_answer", 1)])
def test_action_runs_its_command_and_ends_with_its_code(solution: str, code: int, tmp_path: Path) -> None:
    [file] = (DOUBLE / "submissions" / solution).glob("*.py")
    (tmp_path / "mine.py").write_bytes(file.read_bytes())  # of this name the package expects nothing
    seen, calls = run_action(f"judge {DOUBLE} mine.py --json {tmp_path}/out.json", tmp_path)
    assert seen == code
    assert [call[0] for call in calls] == ["build", "run"]
    assert (tmp_path / "out.json").exists()


def test_action_builds_nothing_where_an_image_is_named(tmp_path: Path) -> None:
    _, calls = run_action("--version", tmp_path, image="oj-harness")
    assert [call[0] for call in calls] == ["run"]
    assert {"--network", "none", "SYS_ADMIN", "seccomp=unconfined"} <= set(calls[0])


def test_action_pastes_no_text_into_a_shell_line() -> None:
    assert all("${{" not in step["run"] for step in ACTION["runs"]["steps"])


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_hook_calls_what_the_command_line_takes(hook: dict[str, object]) -> None:
    program, name, *arguments = shlex.split(str(hook["entry"]))
    assert program in ("harness", "oj-harness") and hook["pass_filenames"] is False
    command = group.get_command(click.Context(group), name)
    assert command is not None
    command.make_context(name, arguments)


def test_hook_outside_of_a_package_says_what_to_mend_in_one_line(tmp_path: Path) -> None:
    for hook in HOOKS[:2]:
        words = shlex.split(hook["entry"])[1:]
        done = subprocess.run(
            [sys.executable, "-m", "harness", *words], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 2 and done.stderr.startswith("error: "), done
        assert len(done.stderr.splitlines()) == 1 and "problem" in done.stderr


def test_recipe_copies_what_is_there_and_leaves_out_what_lies_beside() -> None:
    lines = (IMAGE / "Dockerfile").read_text().splitlines()
    copied = [name for line in lines if line.startswith("COPY ") for name in line.split()[1:-1]]
    assert copied and all((TOP / name).exists() for name in copied)
    let_in = re.findall(r"^!(.+)$", (TOP / ".dockerignore").read_text(), flags=re.MULTILINE)
    assert sorted(let_in) == sorted(copied)
    shell = "\n".join(lines[next(i for i, line in enumerate(lines) if line.startswith("RUN ")) :])
    script = shell[len("RUN ") : shell.index("\nWORKDIR")]
    assert subprocess.run(["sh", "-n", "-c", script]).returncode == 0
