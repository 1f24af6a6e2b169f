"""What a judge stages (inputs, answers, submissions, outputs) is for its sandboxes; other users see none of it."""

import _thread
import os
import re
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import DOUBLE, TESTS
from harness.build.stage import Stage, staging
from harness.errors import MachineError
from harness.host.host import Host
from harness.judge.judging import Judging, Observer
from harness.judge.submission_result import Entry
from harness.package.load import load
from harness.sandbox.contained import ContainedSandbox
from harness.sandbox.facts import Command, Sandbox, Tier
from harness.sandbox.plain import PlainSandbox
from harness.sandbox.user_ids import PROGRAMS_GID

from .conftest import LIMITS

SECRET = b"the answer is 42\n"
NOBODY = 65534
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="to become another user needs root")


def open_sandbox(tier: Tier) -> Sandbox:
    try:
        return PlainSandbox() if tier is Tier.PLAIN else ContainedSandbox(tier)
    except MachineError as error:
        pytest.skip(str(error))


@pytest.fixture(params=list(Tier), ids=str)
def any_sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    opened = open_sandbox(request.param)
    yield opened
    opened.close()


@pytest.fixture
def stage() -> Iterator[Stage]:
    with staging() as opened:
        yield opened


def test_ctrl_c_that_arrives_just_before_the_judge_waits_for_a_run_ends_it(
    any_sandbox: Sandbox, tmp_path: Path
) -> None:
    """It interrupts no system call then: Python has to wake to notice it."""
    command = Command(argv=("/bin/sh", "-c", "sleep 20; echo the end"), directory=Path("/usr"))
    null, stdout = Path("/dev/null"), tmp_path / "stdout"
    timer = threading.Timer(1.0, _thread.interrupt_main)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored in a shell's background
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            any_sandbox.run(command, LIMITS, stdin=null, stdout=stdout, stderr=null)
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)
    assert stdout.read_bytes() == b""


def staged(stage: Stage, kind: str) -> Path:
    path = stage.folder(kind) / "secret.ans"
    path.write_bytes(SECRET)
    path.chmod(0o644)
    return path


def seen_by_another_user(root: Path, since_s: float = 0.0) -> bytes:
    """What a user who knows every path below `root` that was changed since then reads and lists there."""
    paths = [root, *(path for path in root.rglob("*") if changed_s(path) >= since_s)]
    assert any(path.is_file() for path in paths)
    command = [
        "/bin/sh",
        "-c",
        'for path; do cat "$path"; ls -d "$path"/*; done 2>/dev/null | grep -v "\\*"',
        "sh",
    ]
    spy = subprocess.run(
        [*command, *map(str, paths)], user=NOBODY, group=NOBODY, extra_groups=[], capture_output=True, check=False
    )
    return spy.stdout


def changed_s(path: Path) -> float:
    try:
        return path.lstat().st_ctime
    except FileNotFoundError:
        return 0.0


@AS_ROOT
def test_the_spy_of_these_tests_sees_what_is_open(tmp_path_factory: pytest.TempPathFactory) -> None:
    with staging() as stage:
        staged(stage, "work")
        stage.root.chmod(0o755)
        assert SECRET in seen_by_another_user(stage.root)


def test_a_program_reads_what_it_is_given_and_no_other_user_does(stage: Stage, any_sandbox: Sandbox) -> None:
    secret, given, streams = staged(stage, "work"), staged(stage, "run"), stage.folder("work")
    command = Command(argv=("/bin/cat", str(secret), given.name, "/dev/stdin"), directory=given.parent)
    out = streams / "stdout"
    result = any_sandbox.run(command.reading(secret), LIMITS, stdin=secret, stdout=out, stderr=streams / "stderr")
    assert result.exit_code == 0, (streams / "stderr").read_bytes()
    assert out.read_bytes() == SECRET * 3
    if os.geteuid() == 0:
        assert seen_by_another_user(stage.root) == b""


def test_a_program_writes_in_its_directory(stage: Stage, any_sandbox: Sandbox) -> None:
    folder, streams = stage.folder("box"), stage.folder("work")
    command = Command(argv=("/bin/cp", "/dev/null", "made"), directory=folder, writable_directory=True)
    result = any_sandbox.run(
        command, LIMITS, stdin=Path(os.devnull), stdout=streams / "stdout", stderr=streams / "stderr"
    )
    assert result.exit_code == 0, (streams / "stderr").read_bytes()
    assert (folder / "made").is_file()


def test_the_stage_itself_is_open_to_its_owner_and_the_programs_group_alone(stage: Stage) -> None:
    found = stage.root.stat()
    assert stat.S_IMODE(found.st_mode) == (0o710 if os.geteuid() == 0 else 0o700)
    assert found.st_gid == PROGRAMS_GID or os.geteuid() != 0


@AS_ROOT
def test_while_a_package_is_judged_no_other_user_sees_any_of_it(host: Host) -> None:
    package = load(DOUBLE)
    looks, since_s = [], time.time() - 1  # the stage of the session holds what other tests have left

    def look(*_: object) -> None:
        looks.append(seen_by_another_user(host.stage.root, since_s))

    entries = [Entry(program=one) for one in package.submissions]
    Judging(package=package, host=host, observer=Observer(built=look, case=look)).run(entries)
    assert len(looks) > len(entries)
    assert set(looks) == {b""}


@pytest.mark.parametrize("isolation", ["auto", "none"])
@pytest.mark.parametrize("name", ["judge_interactive_multi_pass", "judge_validator_in_python_folder"])
def test_a_shell_that_hides_new_files_hides_none_from_the_programs(name: str, isolation: str) -> None:
    words = ["-m", "harness", "judge", TESTS / "packages" / name, "--isolation", isolation]
    done = subprocess.run(
        ["/bin/sh", "-c", 'umask 077; exec "$0" "$@"', sys.executable, *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_shell_that_hides_new_files_hides_the_store_of_a_grading(tmp_path: Path) -> None:
    words = [
        "-m",
        "harness",
        "grade",
        DOUBLE,
        DOUBLE / "submissions" / "accepted",
        "--store",
        tmp_path / "store.sqlite",
    ]
    done = subprocess.run(
        ["/bin/sh", "-c", 'umask 077; exec "$0" "$@"', sys.executable, *words, "--isolation", "none"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 2, done.stdout + done.stderr
    assert stat.S_IMODE((tmp_path / "store.sqlite").stat().st_mode) == 0o600


def test_the_launcher_and_the_judge_agree_on_the_group() -> None:
    source = Path(ContainedSandbox.__init__.__code__.co_filename).with_name("launcher.c").read_text()
    assert re.findall(r"#define PROGRAMS_GID (\d+)", source) == [str(PROGRAMS_GID)]
