"""A server that answers as DOMjudge's API documents: contests, problems, errors, and connections that break."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import yaml

USER, PASSWORD = "admin", "opensesame"
_AUTHORIZED = "Basic YWRtaW46b3BlbnNlc2FtZQ=="


@dataclass(kw_only=True)
class FakeDomjudge:
    """What the server holds and was asked.

    breaks: paths whose next request is cut off after it was carried out. fails: status and message of other paths.
    answers: JSON that other paths answer with.
    """

    url: str = ""
    contests: list[dict[str, str]] = field(default_factory=list)
    problems: list[dict[str, str | int]] = field(default_factory=list)
    zips: dict[str, list[bytes]] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    breaks: list[str] = field(default_factory=list)
    fails: dict[str, tuple[int, str]] = field(default_factory=dict)
    answers: dict[str, object] = field(default_factory=dict)
    authorized: str = _AUTHORIZED


@contextmanager
def fake_domjudge() -> Iterator[FakeDomjudge]:
    """Serve on a free port of the loopback interface."""
    state = FakeDomjudge()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.0"

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            self.answer(None)

        def do_POST(self) -> None:
            self.answer(self.rfile.read(int(self.headers["Content-Length"])))

        def answer(self, body: bytes | None) -> None:
            path = self.path.partition("?")[0].removeprefix("/api/v4/")
            state.requests.append(f"{self.command} {path}")
            if self.headers.get("Authorization") != state.authorized:
                return self.reply(401, {"code": 401, "message": "Invalid credentials"})
            if path in state.fails:
                code, message = state.fails[path]
                return self.reply(code, {"code": code, "message": message})
            if path in state.answers:
                return self.reply(200, state.answers[path])
            value = self.served(path, body)
            if path in state.breaks and body is not None:
                state.breaks.remove(path)
                self.connection.close()
                return None
            return self.reply(200, value)

        def served(self, path: str, body: bytes | None) -> object:
            if path == "contests" and body is None:
                return state.contests
            if path == "contests":
                given = yaml.safe_load(part(body, "yaml"))
                state.contests.append({"id": given["id"], "shortname": given["id"], "name": given["name"]})
                return given["id"]
            if path.endswith("/problems") and body is None:
                return state.problems
            if path.endswith("/add-data"):
                rows = yaml.safe_load(part(body, "data"))
                state.problems += [
                    {"id": row["id"], "label": row["label"], "rgb": row.get("rgb", ""), "test_data_count": 0}
                    for row in rows
                ]
                return [row["id"] for row in rows]
            slug = part(body, "problem").decode()
            state.zips.setdefault(slug, []).append(part(body, "zip"))
            for problem in state.problems:
                problem["test_data_count"] = max(problem["test_data_count"], problem["id"] == slug)
            return {"problem_id": slug, "messages": {"info": [f"Saved problem {slug}"]}}

        def reply(self, code: int, value: object) -> None:
            content = json.dumps(value).encode()
            self.send_response(code)
            self.send_header("Content-Length", str(len(content)))
            if 300 <= code < 400:
                self.send_header("Location", "https://judge.example.org/login")
            self.end_headers()
            self.wfile.write(content)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()


def part(body: bytes | None, name: str) -> bytes:
    """One part of a multipart body."""
    assert body is not None
    boundary = body.partition(b"\r\n")[0]
    for piece in body.split(boundary):
        head, _, content = piece.partition(b"\r\n\r\n")
        if re.search(rb'name="' + name.encode() + rb'"', head):
            return content.removesuffix(b"\r\n")
    raise AssertionError(name)
