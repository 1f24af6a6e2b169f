"""`harness listen`: what the browser extension posts becomes samples and limits; nothing else is taken."""

import http.client
import json
import socket
import struct
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from command_line import harness, said
from conftest import write_files
from harness.errors import MachineError
from harness.package.companion import CompanionProblem, Listener, lay_down, slug_of_text

ORIGIN = "chrome-extension://cjnmckjndlpiamhfimnnjmnckgghkjbl"
MESSAGE: dict[str, Any] = {
    "name": "G. Castle Defense",
    "group": "Codeforces - Round 1/../..",
    "url": "https://example.org/problem/G",
    "interactive": False,
    "memoryLimit": 256,
    "timeLimit": 1500,
    "tests": [{"input": "3\n", "output": "6\n"}, {"input": "4", "output": "8"}],
    "testType": "single",
}
ADD = "print(2 * int(input()))\n"


class Browser:
    """Listens in a thread and posts to it."""

    def __init__(self, folder: Path) -> None:
        self.folders: list[Path] = []
        self.refused: list[str] = []

        def take(problem: CompanionProblem) -> None:
            self.folders.append(lay_down(problem, folder))

        self.listener = Listener(take=take, refuse=self.refused.append, ports=(0,))

    def post(self, body: bytes, **headers: str) -> int:
        """One request; the status."""
        asked = {"Origin": ORIGIN, "Content-Type": "application/json", **headers}
        done = iter((False, True))
        thread = threading.Thread(target=self._answer_one, args=(done.__next__,))
        thread.start()
        connection = http.client.HTTPConnection("127.0.0.1", self.listener.port, timeout=20)
        try:
            connection.request("POST", "/", body, {key: value for key, value in asked.items() if value})
            return connection.getresponse().status
        finally:
            connection.close()
            thread.join()

    def _answer_one(self, done: Callable[[], bool]) -> None:
        while not done():
            self.listener._server.handle_request()


def post(folder: Path, message: object, **headers: str) -> tuple[int, Browser]:
    browser = Browser(folder)
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return browser.post(body, **headers), browser


def test_a_problem_becomes_samples_and_limits_that_test_uses(tmp_path: Path) -> None:
    status, browser = post(tmp_path, MESSAGE)
    assert status == 200
    assert browser.folders == [tmp_path]
    assert (tmp_path / "test" / "sample-2.in").read_text() == "4\n"
    (tmp_path / "main.py").write_text(ADD)
    done = harness("test", "main.py", cwd=tmp_path)
    assert done.returncode == 0, said(done)
    assert "1.5 s" in said(done)
    assert "256 MiB" in said(done)


def test_the_next_problem_takes_the_place_of_the_samples_and_of_nothing_else(tmp_path: Path) -> None:
    browser = Browser(tmp_path)
    browser.post(json.dumps(MESSAGE).encode())
    (tmp_path / "test" / "mine.in").write_text("1\n")
    browser.post(json.dumps({**MESSAGE, "tests": [{"input": "9\n", "output": "18\n"}]}).encode())
    assert sorted(path.name for path in (tmp_path / "test").iterdir()) == [
        "mine.in",
        "sample-1.in",
        "sample-1.out",
    ]
    assert (tmp_path / "test" / "sample-1.in").read_text() == "9\n"


def test_a_batch_becomes_a_folder_with_one_folder_a_problem_and_none_outside(tmp_path: Path) -> None:
    browser = Browser(tmp_path)
    for name in ("A. First", "B. Second", "../../etc"):
        browser.post(json.dumps({**MESSAGE, "name": name, "batch": {"id": "x", "size": 3}}).encode())
    contest = tmp_path / "codeforces-round-1"
    assert browser.folders == [contest / "a", contest / "b", contest / "etc"]
    assert [path.name for path in tmp_path.iterdir()] == ["codeforces-round-1"]


def test_problems_of_a_batch_with_the_same_label_or_name_do_not_replace_each_other(tmp_path: Path) -> None:
    browser = Browser(tmp_path)
    for batch in ("first", "again"):
        for name in ("A Game", "A Path", "日本", "大阪", "A Game"):
            message = {**MESSAGE, "name": name, "url": name, "group": "x", "batch": {"id": batch, "size": 4}}
            browser.post(json.dumps(message).encode())
    names = [folder.relative_to(tmp_path).as_posix() for folder in browser.folders]
    assert names == ["x/a", "x/a-path", "x/problem", "x/problem-2", "x/a"] * 2


def test_what_cannot_be_written_leaves_the_earlier_samples(tmp_path: Path) -> None:
    browser = Browser(tmp_path)
    browser.post(json.dumps(MESSAGE).encode())
    half = {**MESSAGE, "tests": [{"input": "1\n", "output": "\ud800"}]}
    assert browser.post(json.dumps(half).encode()) == 400
    assert "surrogates not allowed" in browser.refused[0]
    assert (tmp_path / "test" / "sample-2.in").read_text() == "4\n"


@pytest.mark.parametrize(
    ("message", "headers", "status", "words"),
    [
        (b"no json", {}, 400, "the message is no JSON"),
        (b"[" * 100_000, {}, 400, "the message is no JSON"),
        ({"name": "x"}, {}, 400, "`tests` must be a list of objects"),
        ({"tests": [{"input": 1, "output": ""}]}, {}, 400, "`tests` must be a list of objects"),
        ({"tests": [{"input": "", "output": ""}] * 1001}, {}, 400, "at most 1000 are taken"),
        (MESSAGE, {"Origin": "https://evil.example"}, 403, "comes from the page 'https://evil.example'"),
        (MESSAGE, {"Host": "evil.example:10043"}, 403, "is for the host 'evil.example:10043'"),
        (b"", {"Content-Length": "104857600"}, 413, "a message of 104,857,600 bytes"),
        (b"", {"Content-Length": "-1"}, 411, "does not say how long it is"),
    ],
)
def test_what_is_no_message_of_the_extension_is_refused_in_words_and_writes_nothing(
    tmp_path: Path, message: object, headers: dict[str, str], status: int, words: str
) -> None:
    answer, browser = post(tmp_path, message, **headers)
    assert answer == status
    assert words in browser.refused[0]
    assert list(tmp_path.iterdir()) == []


def test_without_an_origin_a_message_of_this_machine_is_taken(tmp_path: Path) -> None:
    assert post(tmp_path, MESSAGE, Origin="")[0] == 200


@pytest.mark.parametrize(
    ("text", "slug"), [("A - Ünïcode!", "a-n-code"), ("..", "problem"), ("ABC 123", "abc-123")]
)
def test_names_of_folders_hold_letters_digits_and_dashes(text: str, slug: str) -> None:
    assert slug_of_text(text) == slug


def test_the_command_ends_after_one_problem_where_that_is_asked(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "harness", "listen", str(tmp_path), "--once"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as command:  # fmt: skip
        assert command.stderr is not None
        port = int(command.stderr.readline().split()[3].rstrip(";"))
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        connection.request("POST", "/", json.dumps(MESSAGE).encode(), {"Origin": ORIGIN})
        assert connection.getresponse().status == 200
        connection.close()
        output, _ = command.communicate(timeout=60)
    assert command.returncode == 0
    assert output.startswith("G. Castle Defense: 2 samples in ")


def test_connections_that_send_nothing_or_are_cut_off_hold_no_message_up(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    taken: list[str] = []
    listener = Listener(take=lambda problem: taken.append(problem.name), refuse=taken.append, ports=(0,))
    address = ("127.0.0.1", listener.port)
    thread = threading.Thread(target=listener.take_requests, args=(lambda: MESSAGE["name"] in taken,))
    idle, cut_off = socket.create_connection(address), socket.create_connection(address)
    body = json.dumps({**MESSAGE, "name": "cut off"}).encode()
    cut_off.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
    cut_off.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # close() resets it
    cut_off.close()
    thread.start()
    connection = http.client.HTTPConnection(*address, timeout=20)
    connection.request("POST", "/", json.dumps(MESSAGE).encode())
    assert connection.getresponse().status == 200
    idle.close()
    connection.close()
    thread.join()
    assert capfd.readouterr().err == ""


def test_a_port_that_is_not_allowed_is_not_called_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("socketserver.TCPServer.server_bind", refuse)
    with pytest.raises(MachineError, match="you may not listen on port 80: take one from 1024 up"):
        Listener(take=lambda _: None, refuse=print, ports=(80,))


@pytest.mark.parametrize("port", ["0", "65536"])
def test_a_port_that_cannot_be_is_refused_with_the_bounds(port: str) -> None:
    done = harness("listen", "--port", port)
    assert done.returncode == 2
    assert f"{port} is not between 1 and 65535" in said(done)


@pytest.mark.parametrize("packed", [False, True], ids=["folders", "zip"])
def test_samples_in_folders_in_and_out_are_read_and_from_a_zip(tmp_path: Path, *, packed: bool) -> None:
    samples = {"in/1.txt": "3\n", "out/1.txt": "6\n", "in/b.in": "4\n", "out/b.out": "9\n"}
    folder = write_files(tmp_path / "samples", samples)
    program = tmp_path / "main.py"
    program.write_text(ADD)
    if packed:
        with zipfile.ZipFile(tmp_path / "samples.zip", "w") as archive:
            for path in folder.rglob("*.*"):
                archive.write(path, path.relative_to(tmp_path))
        folder = tmp_path / "samples.zip"
    done = harness("test", folder, program)
    assert done.returncode == 1, said(done)
    assert "1 of 2" in said(done)
