"""A real scheduler and real workers on loopback: the results are those of this machine, whoever dies."""

import contextlib
import json
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from conftest import DOUBLE, TESTS
from harness.cluster.address import parse_address
from harness.errors import MachineError, UsageError
from harness.host.host import Host
from harness.package import Program
from harness.package.files import File
from harness.package.load import load
from harness.sandbox.facts import Isolation, Tier
from harness.store.identity import harness_identity

pytest.importorskip("distributed", reason="the extra `cluster` is not installed: pip install distributed")

from harness.cluster.remote import Cluster
from harness.cluster.worker import Answer, Payload, Request, WorkerJudge, package_payload, submission_payload

COUNTS = "print(int(input()) * 2)\n"
ADDS_ONE = "print(int(input()) + 1)\n"
WHOLE = ("--feedback", "full", "--no-measurements", "--require", "AC")


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def dask(*arguments: object, cwd: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "distributed.cli." + str(arguments[0]), *map(str, arguments[1:])]
    return subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@contextlib.contextmanager
def cluster(
    folder: Path, *, security: tuple[object, ...] = (), scheme: str = "tcp"
) -> Iterator[tuple[str, list[int]]]:
    """The address, and the pids of two workers of one thread each."""
    address = f"{scheme}://127.0.0.1:{free_port()}"
    folder.chmod(0o755)
    processes = [dask("dask_scheduler", "--host", address, "--no-dashboard", "--no-show", *security, cwd=folder)]
    options = ("--nthreads", 1, "--no-nanny", "--no-dashboard", "--local-directory", folder, *security)
    processes += [dask("dask_worker", address, *options, cwd=folder) for _ in range(2)]
    try:
        yield address, [one.pid for one in processes[1:]]
    finally:
        for one in processes:
            one.terminate()
        for one in processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                one.wait(10)
            one.kill()


def grade(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "harness", "grade", *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=240, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def hand_ins(folder: Path, count: int) -> Path:
    folder.mkdir()
    for number in range(count):
        wait = "import time\ntime.sleep(0.05)\n" if number % 2 else ""
        (folder / f"s{number}.py").write_text(wait + (ADDS_ONE if number % 4 == 3 else COUNTS) + f"# {number}\n")
    (folder / "broken.py").write_text("import (\n")
    return folder


def kill_when_half_done(store: Path, pid: int, rows: int) -> None:
    """Once the store holds some results, the worker is gone without a word, and its launcher with it."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        with contextlib.suppress(sqlite3.Error), sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
            if connection.execute("SELECT count(*) FROM results WHERE topic GLOB 'cases *'").fetchone()[0] >= rows:
                psutil.Process(pid).send_signal(signal.SIGKILL)
                break
        time.sleep(0.02)
    while not has_ended(pid) and time.monotonic() < deadline:  # on a busy machine the signal takes effect later
        time.sleep(0.02)


def has_ended(pid: int) -> bool:
    with contextlib.suppress(psutil.NoSuchProcess):
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    return True


@pytest.mark.slow
def test_results_equal_those_of_this_machine_though_a_worker_is_killed(tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "subs", 8)
    local = grade(DOUBLE, folder, "--json", "a.json", "--store", "a.sqlite", *WHOLE, cwd=tmp_path)
    with cluster(tmp_path) as (address, pids):
        killer = threading.Thread(target=kill_when_half_done, args=(tmp_path / "b.sqlite", pids[0], 6))
        killer.start()
        there = grade(
            DOUBLE, folder, "--json", "b.json", "--store", "b.sqlite", *WHOLE, "--cluster", address, cwd=tmp_path
        )
        killer.join()
        assert has_ended(pids[0])
    assert there.returncode == local.returncode == 1, there.stderr
    assert (tmp_path / "a.json").read_text() == (tmp_path / "b.json").read_text()
    assert "is not encrypted" in there.stderr


@pytest.mark.slow
def test_workers_are_reported_with_their_speed_and_interactive_problems_are_played_there(tmp_path: Path) -> None:
    reference = TESTS.parent / "reference" / "bridgit"
    sources = [reference / "accepted" / "two_trees.cpp", reference / "wrong_answer" / "counts_from_zero.py"]
    with cluster(tmp_path) as (address, _):
        done = grade(
            TESTS.parent / "problems" / "bridgit", *sources, "--json", "r.json", "--cluster", address, cwd=tmp_path
        )
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "r.json").read_text())
    assert [one["verdict"] for one in report["submissions"]] == ["AC", "WA"]
    assert len(report["workers"]) == 2
    assert all(worker["machine"]["calibration_integer_s"] > 0 for worker in report["workers"])


def test_what_the_lock_describes_is_not_sent() -> None:
    payload = package_payload(load(TESTS.parent / "problems" / "bridgit", built=False))
    assert not [
        name for name in payload.files if name.startswith("data/secret/") and name.endswith((".in", ".ans"))
    ]
    assert "generators/data.lock" in payload.files


def test_a_worker_forgets_the_submissions_that_it_has_not_judged_for_long(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.cluster.worker.PROGRAMS_KEPT", 1)
    package = package_payload(load(DOUBLE))
    names = ("first", "second")
    programs = [
        Program(path=f"{name}.py", files={f"{name}.py": File(origin=tmp_path, content=COUNTS.encode())})
        for name in names
    ]
    payloads = [submission_payload(program) for program in programs]
    judge = WorkerJudge(host, tmp_path)
    for payload in (package, *payloads):
        judge.receive(payload)
    first, second = (
        Request(package=package.digest, submission=each.digest, case=None, time_limit_s=1.0, memory_mib=256)
        for each in payloads
    )
    assert [judge.answer(each).language for each in (first, second)] == ["python3", "python3"]
    assert judge.answer(first).missing == (payloads[0].digest,)
    judge.receive(payloads[0])
    assert judge.answer(first).language == "python3"


def test_a_payload_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    """A file and a folder of one name: that fails half way, as a full disk would."""
    folder = tmp_path / "packages" / "double"
    files = {"a": (b"1", False), "a/b": (b"2", False)}
    with pytest.raises(OSError):
        Payload(digest="", name="double", files=files).write(folder)
    assert list(folder.parent.iterdir()) == []
    Payload(digest="", name="double", files={"bin/a": (b"1", True)}).write(folder)
    assert (folder / "bin" / "a").read_bytes() == b"1"
    assert list(folder.parent.iterdir()) == [folder]


@pytest.mark.slow
def test_nobody_home_is_an_error_with_2(tmp_path: Path) -> None:
    done = grade(DOUBLE, "--cluster", f"tcp://127.0.0.1:{free_port()}", "--store", "s.sqlite", cwd=tmp_path)
    assert done.returncode == 2
    assert "no scheduler answers there" in done.stderr


@pytest.mark.parametrize("text", ["tcp://10.0.0.1:8786", "tcp://cluster:8786", "tcp://0.0.0.0:1", "tcp://[::]:1"])
def test_plain_tcp_to_elsewhere_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="pickles"):
        parse_address(text, (None, None, None))


@pytest.mark.parametrize("text", ["tcp://127.0.0.1:8786", "tcp://localhost:1", "tcp://[::1]:8786"])
def test_plain_tcp_on_this_machine_is_taken(text: str) -> None:
    assert parse_address(text, (None, None, None)).certificates is None


@pytest.mark.parametrize("text", ["127.0.0.1:1", "http://127.0.0.1:1", "tcp://127.0.0.1", "tcp://127.0.0.1:x"])
def test_other_addresses_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--cluster"):
        parse_address(text, (None, None, None))


def test_tls_needs_its_certificates(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--tls-ca"):
        parse_address("tls://far:1", (None, None, None))
    with pytest.raises(UsageError, match="no such file"):
        parse_address("tls://far:1", (tmp_path / "ca", tmp_path / "c", tmp_path / "k"))


@pytest.mark.slow
def test_tls_cluster_grades(tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject]
        + ["-keyout", key, "-out", certificate],
        capture_output=True,
        check=False,
    )
    if made.returncode:
        pytest.skip("no openssl to make a certificate with")
    pair = ("--tls-ca-file", certificate, "--tls-cert", certificate, "--tls-key", key)
    with cluster(tmp_path, security=pair, scheme="tls") as (address, _):
        ours = ("--tls-ca", certificate, "--tls-cert", certificate, "--tls-key", key)
        done = grade(DOUBLE, "--cluster", address, "--store", "s.sqlite", *ours, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "2 submissions" in done.stdout


class OneWorker:
    """Stands for the client of a cluster of one worker, which takes its time to receive and may begin anew."""

    def __init__(self, takes_s: float) -> None:
        self.takes_s = takes_s
        self.has: set[str] = set()
        self.received = 0
        self.sources = harness_identity()

    def run(self, function: Callable[..., object], *arguments: Any, **_: object) -> object:
        if not arguments:
            return {"w": (self.sources, Isolation(tier=Tier.PLAIN), None)}
        time.sleep(self.takes_s)
        self.received += 1
        self.has.add(arguments[0].digest)
        return {}

    def submit(self, _: object, request: Request, **__: object) -> SimpleNamespace:
        missing = tuple(one for one in (request.package, request.submission) if one not in self.has)
        return SimpleNamespace(result=lambda timeout: Answer(worker="w", missing=missing))

    def nthreads(self) -> dict[str, int]:
        return {"w": 1}


def test_a_large_package_arrives_once_and_again_at_a_worker_that_begins_anew() -> None:
    client = OneWorker(takes_s=0.7)
    double = Cluster(client, {})
    digest = double.offer(package_payload(load(DOUBLE)))
    request = Request(package=digest, submission=digest, case=None, time_limit_s=1.0, memory_mib=64)
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: double.ask(request, None), range(8)))
    assert [one.missing for one in answers] == [()] * 8
    assert client.received == 1
    client.has.clear()
    assert double.ask(request, "w").missing == ()
    assert client.received == 2


def test_worker_with_other_sources_of_the_harness_is_refused() -> None:
    client = OneWorker(takes_s=0)
    client.sources = "a fix that is not here"
    with pytest.raises(MachineError, match="another harness: install the same"):
        Cluster(client, {})
