"""Where the suite runs as root, a sample of it runs as an ordinary user, too."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tiers.machines import Laboratory, as_ordinary_user, laboratory, ordinary_python

FACTS = "tests/sandbox/test_sandbox_facts.py"
TESTS = [
    "tests/host/test_box.py",
    *(
        f"{FACTS}::{name}"
        for name in (
            "test_exit_code_and_streams", "test_signal", "test_cpu_of_threads_adds_up", "test_memory_limit",
            "test_environment_is_what_was_given", "test_working_directory_is_read_only_unless_said",
            "test_dev_stdin_and_stdout_can_be_opened", "test_a_program_that_cannot_start_is_the_machines_fault",
            "test_start_with_pipes_kill_and_activity", "test_a_launcher_that_dies_is_replaced",
        )
    ),
]  # fmt: skip


def test_a_sample_of_the_sandboxs_tests_holds_for_an_ordinary_user() -> None:
    if os.geteuid() != 0:
        pytest.skip("this whole suite runs as an ordinary user")
    if not ordinary_python():
        pytest.skip(f"no Python {sys.version_info[0]}.{sys.version_info[1]} that an ordinary user can execute")
    with laboratory(
        "harness", "tests/sandbox", "tests/packages/double", "tests/conftest.py", "tests/interactive_games.py",
        "tests/host/test_box.py", "pyproject.toml",
    ) as lab:  # fmt: skip
        done = run_tests(lab, lab.user_home())
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\b\d+ passed\b", done.stdout) and not re.search(r"\b\d+ failed\b", done.stdout)


def run_tests(lab: Laboratory, home: Path) -> subprocess.CompletedProcess[str]:
    """Run the tests. If they hang, fail with their names and the stacks of all threads."""
    options = ["-vv", "-p", "no:cacheprovider", "-m", "not slow", "-o", "faulthandler_timeout=120"]
    command = [ordinary_python(), "-B", "-m", "pytest", *options, *TESTS]
    environment = lab.environment(home) | {"TMPDIR": str(home)}
    try:
        return subprocess.run(
            command, env=environment, cwd=lab.checkout, capture_output=True, text=True, timeout=250, check=False,
            **as_ordinary_user(),
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        told = [stream.decode(errors="replace") for stream in (error.stdout, error.stderr) if stream]
        pytest.fail("\n".join(("the tests did not end in 250 s", *told)))
