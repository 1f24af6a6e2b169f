"""No two judges of a machine run programs as one user: at T2 a run is ended by `kill(-1)` as its user.

The judges run in a PID namespace of their own, so that such a kill reaches nobody else.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.errors import MachineError
from harness.sandbox import user_ids
from harness.sandbox.user_ids import FIRST_UID, claim_uid

ROOT = Path(__file__).parents[2]
NAMESPACE = ("unshare", "--pid", "--net", "--uts", "--fork", "--kill-child", "--mount-proc", "/bin/sh", "-c")
ENTER = 'hostname harness-attack && exec "$@"'
COMMON = """
import json, os, signal, socket, subprocess, sys
from pathlib import Path
from harness.sandbox.facts import Limits
from harness.sandbox.contained import ContainedSandbox
from harness.sandbox.facts import Command, Tier

if socket.gethostname() != "harness-attack":
    sys.exit("not in a namespace of our own")
LIMITS = Limits(cpu_s=5, wall_s=60, memory_bytes=1 << 28, output_bytes=1000)
null = os.open("/dev/null", os.O_RDWR)

def sleeper(sandbox):
    command = Command(argv=("/bin/sleep", "50"), directory=Path("/usr"))
    return sandbox.start(command, LIMITS, stdin=null, stdout=null, stderr=null)

def other(*prefix):
    argv = [*prefix, sys.executable, "-c", COMMON + OTHER]
    return subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
"""
OTHER = """
sandbox = ContainedSandbox(Tier.LOCKED)
run = sleeper(sandbox)
print(json.dumps([sandbox._server.uid, sandbox._server.pid]), flush=True)
sys.stdin.readline()
run.kill()
run.wait()
print("killed", flush=True)
"""
IN_ANOTHER_NETWORK = """
judge = other("unshare", "--net")
uid, _ = json.loads(judge.stdout.readline())
sandbox = ContainedSandbox(Tier.LOCKED)
run = sleeper(sandbox)
judge.stdin.write("go on\\n")
judge.stdin.flush()
assert judge.stdout.readline() == "killed\\n"
run.kill()
print(json.dumps({"uids": [uid, sandbox._server.uid], "killed_for": run.wait().killed_for}))
"""
SQUATTED = """
names = [socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(184)]
for number, name in enumerate(names):
    name.bind(f"\\0harness-uid-{61000 + number}")
sandbox = ContainedSandbox(Tier.LOCKED)
lock = Path(f"/proc/self/fd/{sandbox._server._uid_lock.fileno()}").resolve()
run = sleeper(sandbox)
run.kill()
print(json.dumps({"killed_for": run.wait().killed_for, "mode": lock.parent.stat().st_mode & 0o777}))
"""
OF_A_KILLED_JUDGE = """
judge = other()
uid, launcher = json.loads(judge.stdout.readline())
os.kill(launcher, signal.SIGSTOP)
judge.kill()
judge.wait()
sandbox = ContainedSandbox(Tier.LOCKED)
run = sleeper(sandbox)
os.kill(launcher, signal.SIGCONT)
os.waitpid(launcher, 0)
run.kill()
print(json.dumps({"uids": [uid, sandbox._server.uid], "killed_for": run.wait().killed_for}))
"""

only_root = pytest.mark.skipif(os.geteuid() != 0, reason="programs keep the user of an ordinary one")


def in_namespace(script: str) -> dict[str, object]:
    code = f"COMMON = {COMMON!r}\nOTHER = {OTHER!r}\n{COMMON}{script}"
    command = [*NAMESPACE, ENTER, "namespace", sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100, check=False)
    if "cannot be built" in done.stderr or "unshare" in done.stderr:
        pytest.skip(done.stderr)
    report: dict[str, object] = json.loads(done.stdout)
    return report


@only_root
@pytest.mark.parametrize(
    "script", [IN_ANOTHER_NETWORK, OF_A_KILLED_JUDGE], ids=["another network", "killed judge"]
)
def test_a_program_does_not_die_of_another_judges_kill(script: str) -> None:
    """Of a judge in another network namespace; of the launcher of a judge that was killed, which ends after it."""
    report = in_namespace(script)
    first, second = report["uids"]  # type: ignore[misc]
    assert first != second
    assert report["killed_for"] == "request"


@only_root
def test_nobody_but_root_can_take_the_ids() -> None:
    """As any user can bind abstract sockets, and lock what he can open."""
    assert in_namespace(SQUATTED) == {"killed_for": "request", "mode": 0o700}


def next_id() -> int:
    """The id that would be reserved next."""
    uid, lock = claim_uid(50)
    assert lock is not None
    lock.close()
    return uid


@only_root
def test_an_id_is_free_again_with_its_file_and_not_while_its_processes_live(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(user_ids, "DIRECTORIES", (tmp_path / "ids",))
    uid, lock = claim_uid(50)
    assert lock is not None
    assert next_id() != uid
    lock.close()
    assert next_id() == uid
    with subprocess.Popen(["/bin/sleep", "50"], user=uid) as process:
        assert next_id() != uid
        process.kill()
    assert next_id() == uid


@only_root
def test_where_no_id_can_be_reserved_it_is_said_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(user_ids, "DIRECTORIES", (tmp_path / "open", tmp_path / "file" / "ids"))
    with pytest.raises(MachineError, match=r"open: must be a directory of root with mode 0700; .*Not a directory"):
        claim_uid(0)
    monkeypatch.setattr(user_ids, "DIRECTORIES", (tmp_path / "open", tmp_path / "ids"))
    assert next_id() >= FIRST_UID
