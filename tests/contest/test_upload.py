"""An upload to DOMjudge changes what its plan says, goes on where it was cut off, and shows no secret."""

import base64
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from command_line import harness, said
from conftest import DOUBLE
from fake_domjudge import PASSWORD, USER, FakeDomjudge, fake_domjudge
from harness.contest.contest import Contest, ContestProblem
from harness.contest.export import ExportedProblem
from harness.contest.upload import Client, Upload
from harness.errors import MachineError, UsageError
from harness.store.memory import Memory

LOGIN = {"HARNESS_DOMJUDGE_USER": USER, "HARNESS_DOMJUDGE_PASSWORD": PASSWORD}


@pytest.fixture
def server() -> Iterator[FakeDomjudge]:
    with fake_domjudge() as state:
        yield state


@pytest.fixture
def upload(tmp_path: Path, server: FakeDomjudge) -> Upload:
    """Two problems whose zips hold any bytes, for a server that has nothing."""
    problems = tuple(
        ContestProblem(label=label, slug=slug, root=None, name=slug.title(), rgb="#ff0000")
        for label, slug in (("A", "one"), ("B", "two"))
    )
    for problem in problems:
        (tmp_path / f"{problem.slug}.zip").write_bytes(b"PK" + problem.slug.encode())
    exported = [ExportedProblem(problem=p, path=tmp_path / f"{p.slug}.zip", losses=()) for p in problems]
    return Upload(
        client=Client(url=server.url, auth=(USER, PASSWORD)),
        contest=Contest(root=tmp_path, slug="regional", name="Regional", problems=problems),
        exported=exported,
        memory=Memory(path=tmp_path / "memory.sqlite"),
    )


def run(upload: Upload) -> list[str]:
    return [step.what for step, _ in upload.run(upload.plan())]


def test_a_plan_changes_nothing_and_says_all(upload: Upload, server: FakeDomjudge) -> None:
    assert [step.what for step in upload.plan().steps] == [
        "make the contest `regional`",
        "list with label and colour: one, two",
        "upload A one",
        "upload B two",
    ]
    assert {request.partition(" ")[0] for request in server.requests} == {"GET"}


def test_what_the_server_has_is_not_sent_again_and_what_changed_is_a_replacement(
    upload: Upload, server: FakeDomjudge
) -> None:
    run(upload)
    assert [(problem["label"], problem["rgb"]) for problem in server.problems] == [
        ("A", "#ff0000"),
        ("B", "#ff0000"),
    ]
    assert server.zips == {"one": [b"PKone"], "two": [b"PKtwo"]}
    assert upload.plan().steps == ()
    upload.exported[1].path.write_bytes(b"PKnew")
    [step] = upload.plan().steps
    assert (step.what, step.replaces) == ("replace B two", True)
    run(upload)
    assert server.zips["two"] == [b"PKtwo", b"PKnew"]
    assert len(server.problems) == 2


@pytest.mark.parametrize(
    "broken", ["contests", "contests/regional/problems/add-data", "contests/regional/problems"]
)
def test_an_upload_that_is_cut_off_goes_on_where_it_was(upload: Upload, server: FakeDomjudge, broken: str) -> None:
    server.breaks.append(broken)
    with pytest.raises(MachineError, match="no answer"):
        run(upload)
    run(upload)
    assert len(server.contests) == 1
    assert [problem["label"] for problem in server.problems] == ["A", "B"]
    assert set(server.zips) == {"one", "two"}
    assert upload.plan().steps == ()


def test_a_problem_that_a_broken_call_only_listed_is_uploaded_not_replaced(
    upload: Upload, server: FakeDomjudge
) -> None:
    server.breaks.append("contests/regional/problems")
    with pytest.raises(MachineError, match="no answer, the connection broke: call again, it continues"):
        run(upload)
    steps = upload.plan().steps
    assert [(step.what, step.replaces) for step in steps] == [("replace A one", True), ("upload B two", False)]


@pytest.mark.parametrize("secret", ["pässwort", "zażółć", "\udcff"])
def test_credentials_are_sent_as_utf_8(server: FakeDomjudge, secret: str) -> None:
    login = f"{USER}:{secret}".encode(errors="surrogateescape")
    server.authorized = f"Basic {base64.b64encode(login).decode()}"
    Client(url=server.url, auth=(USER, secret)).check()


def test_credentials_of_netrc_are_sent_as_utf_8(
    server: FakeDomjudge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "netrc").write_text(f"machine 127.0.0.1 login {USER} password zażółć\n", encoding="utf-8")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    server.authorized = f"Basic {base64.b64encode(f'{USER}:zażółć'.encode()).decode()}"
    Client(url=server.url).check()


@pytest.mark.parametrize("answer", [None, {"hello": "world"}, "login please"])
def test_a_server_that_lists_nothing_is_no_domjudge(upload: Upload, server: FakeDomjudge, answer: object) -> None:
    server.answers["contests"] = answer
    with pytest.raises(MachineError, match="no list, so no DOMjudge API"):
        upload.plan()


def test_a_slow_server_is_named_with_the_time_that_it_was_given(
    server: FakeDomjudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(*_: object, timeout: tuple[int, int], **__: object) -> None:
        raise requests.ReadTimeout("slow")

    monkeypatch.setattr(requests.Session, "request", slow)
    with pytest.raises(MachineError, match=r"contests: no answer in 600 s, it may still be at work"):
        Client(url=server.url).post("contests", {})


@pytest.mark.parametrize(
    ("cause", "why"),
    [
        (socket.gaierror(-2, "Name or service not known"), "no such host is known: check the name in the URL"),
        (ConnectionRefusedError(111, "Connection refused"), "the connection is refused: check the port"),
        (TimeoutError("timed out"), "no connection in time: check the network"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_server_that_is_not_reached_is_named_with_what_to_check(
    cause: OSError, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise cause

    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setattr(socket, "getaddrinfo", fail)
    with pytest.raises(MachineError) as error:
        Client(url="https://domjudge.example.org:8443", auth=(USER, PASSWORD)).get("contests")
    assert str(error.value).startswith(f"cannot reach domjudge.example.org:8443: {why}")
    assert "\n" not in str(error.value) and "Pool" not in str(error.value)


def test_wrong_credentials_are_told_without_the_password(server: FakeDomjudge) -> None:
    with pytest.raises(MachineError, match="HARNESS_DOMJUDGE_PASSWORD") as error:
        Client(url=server.url, auth=(USER, "wrongsecret")).get("contests")
    assert "wrongsecret" not in str(error.value)


@pytest.mark.parametrize(
    ("code", "message", "words"),
    [
        (403, "Contest is locked, go to /jury to unlock it.", "Contest is locked"),
        (400, "Error while adding problems", "answers 400: Error while adding problems"),
        (500, "<html>oops</html>", "answers 500"),
        (302, "", r"redirected \(302\) to https://judge.example.org/login: give DOMjudge's own URL"),
    ],
)
def test_an_answer_that_is_an_error_is_quoted(
    upload: Upload, server: FakeDomjudge, code: int, message: str, words: str
) -> None:
    server.contests.append({"id": "regional"})
    server.fails["contests/regional/problems"] = (code, message)
    with pytest.raises(MachineError, match=words):
        upload.plan()


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://admin:secret@127.0.0.1:1/", "no credentials in the URL"),
        ("domjudge", "must be that of a DOMjudge"),
        ("ftp://127.0.0.1", "must be that of a DOMjudge"),
        ("http://[", "must be that of a DOMjudge"),
        ("http://127.0.0.1:99999", "must be that of a DOMjudge"),
        ("http://judge:http", "must be that of a DOMjudge"),
    ],
)
def test_a_url_that_is_of_no_use_is_refused_in_words(url: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as error:
        Client(url=url)
    assert "secret" not in str(error.value)


def test_the_command_uploads_with_credentials_of_netrc_and_asks_before_it_replaces(
    tmp_path: Path, server: FakeDomjudge
) -> None:
    contest = tmp_path / "regional"
    shutil.copytree(DOUBLE, contest / "one")
    (contest / "problems.yaml").write_text("- {id: one, label: A}\n")
    netrc = tmp_path / "netrc"
    netrc.write_text(f"machine 127.0.0.1 login {USER} password {PASSWORD}\n")
    environment = {"NETRC": str(netrc), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = harness("contest", "upload", server.url, contest, **environment)
    assert done.returncode == 0, said(done)
    assert "done: upload A one\n      Saved problem one" in done.stdout
    assert "warning: no `start_time`" in said(done)
    done = harness("contest", "upload", server.url, contest, "--again", **environment)
    assert done.returncode == 2
    assert "1 problem on the server would be replaced: say --yes" in said(done)
    (contest / "one" / "problem.yaml").unlink()
    refused = harness(
        "contest", "upload", server.url, contest, **(environment | LOGIN | {"HARNESS_DOMJUDGE_USER": "eve"})
    )
    assert refused.returncode == 2 and "refuses (401)" in said(refused)  # before any package is read
