"""No attack achieves anything, at any contained tier, neither as root nor as an ordinary user.

The judge under test runs in an outer cage: PID and UTS namespaces of its own, a cap on processes and memory.
Each attack refuses to act outside it.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PROGRAMS = sorted(path for path in (HERE / "programs").iterdir() if path.stem != "attack")
SAMPLE = {
    "compile_incbin_answer", "daemon", "environment_of_any", "fork_bomb", "huge_stdout", "kill_everything",
    "memory_shared", "read_answer_proc_root", "rewrite_stdin", "state_files", "unix_datagram_of_a_pair",
    "user_namespace",
}  # fmt: skip
ORDINARY_USER = 12345
CAGE = ("/usr/bin/unshare", "--pid", "--uts", "--fork", "--kill-child", "--mount-proc", "/bin/sh", "-c")
ENTER = 'hostname harness-attack && exec "$@"'
PIDS, MEMORY_BYTES = 600, 4 << 30


def missing() -> str:
    """Why the cage cannot be built here."""
    if os.geteuid() != 0:
        return "the cage needs root"
    if not shutil.which("unshare"):
        return "the cage needs unshare: apt install util-linux"
    return "" if cgroup_roots() else "the cage needs a cgroup with pids and memory that root can write"


def cgroup_roots() -> list[Path]:
    """Where a cgroup that caps processes and memory can be made (v1: two places; v2: one)."""
    base = Path("/sys/fs/cgroup")
    separate = [base / "pids", base / "memory"]
    if all(os.access(path, os.W_OK) for path in separate):
        return separate
    control = base / "cgroup.subtree_control"
    unified = control.read_text().split() if control.exists() else []
    return [base] if {"pids", "memory"} <= set(unified) and os.access(base, os.W_OK) else []


@contextlib.contextmanager
def capped(name: str) -> Iterator[list[Path]]:
    """New cgroups; whoever writes its process id into their cgroup.procs is capped."""
    made = [root / name for root in cgroup_roots()]
    caps = {"pids.max": PIDS, "memory.limit_in_bytes": MEMORY_BYTES, "memory.max": MEMORY_BYTES}
    try:
        for path in made:
            path.mkdir(exist_ok=True)
            for name, cap in caps.items():
                if (path / name).exists():
                    (path / name).write_text(str(cap))
        yield made
    finally:
        for path in made:
            remove_cgroup(path)


def remove_cgroup(path: Path) -> None:
    """Remove a cgroup and those that a judge has left in it; the processes of a cage may take a moment to end."""
    for _ in range(100):
        for folder in (*path.glob("*/"), path):
            with contextlib.suppress(OSError):
                folder.rmdir()
        if not path.exists():
            return
        time.sleep(0.02)


def judge_in_cage(tier: int, program: Path, user: int) -> dict[str, object]:
    """Run cage.py in the cage; its report."""
    with tempfile.TemporaryDirectory(prefix="harness-attack-") as name, capped(Path(name).name) as groups:
        root = Path(name)
        os.chown(root, user, user)
        python = "/usr/bin/python3" if user else sys.executable
        command = [python, "-B", str(HERE / "cage.py"), str(tier), str(program), name]
        if user:
            command = ["/usr/bin/setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", *command]

        def enter() -> None:
            for group in groups:
                (group / "cgroup.procs").write_text(str(os.getpid()))

        caged = [*CAGE, ENTER, "cage", *command]
        done = subprocess.run(caged, capture_output=True, timeout=120, preexec_fn=enter, cwd="/", check=False)
    lines = done.stdout.decode().splitlines()
    assert lines, done.stderr.decode()
    print(done.stderr.decode())
    report: dict[str, object] = json.loads(lines[-1])
    return report


def check(tier: int, program: Path, user: int) -> None:
    if reason := missing():
        pytest.skip(reason)
    report = judge_in_cage(tier, program, user)
    if "skipped" in report:
        pytest.skip(str(report["skipped"]))
    assert report["achieved"] == []


def test_attacks_refuse_to_act_outside_the_cage(tmp_path: Path) -> None:
    """Held by reading each source, not by trying: each includes the guard, or is only ever compiled."""
    for program in PROGRAMS:
        text = program.read_text()
        assert program.stem.startswith("compile_") or '#include "attack.h"' in text or "from attack import" in text
    assert 'strcmp(name, "harness-attack")' in (HERE / "programs" / "attack.h").read_text()
    assert 'gethostname() != "harness-attack"' in (HERE / "programs" / "attack.py").read_text()
    assert len(PROGRAMS) >= 50


@pytest.mark.sampled(3)
@pytest.mark.parametrize("tier", [3, 2])
@pytest.mark.parametrize("program", [p for p in PROGRAMS if p.stem in SAMPLE], ids=lambda p: p.stem)
def test_attack_achieves_nothing(program: Path, tier: int) -> None:
    check(tier, program, user=0)


@pytest.mark.slow
@pytest.mark.parametrize("tier", [3, 2])
@pytest.mark.parametrize("program", [p for p in PROGRAMS if p.stem not in SAMPLE], ids=lambda p: p.stem)
def test_every_attack_achieves_nothing(program: Path, tier: int) -> None:
    check(tier, program, user=0)


@pytest.mark.slow
@pytest.mark.parametrize("tier", [3, 2])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.stem)
def test_attack_achieves_nothing_as_an_ordinary_user(program: Path, tier: int) -> None:
    check(tier, program, user=ORDINARY_USER)
