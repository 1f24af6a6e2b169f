"""Receive problems from the browser extension Competitive Companion, and write their samples and limits to files.

The extension posts one JSON object a problem to a port of this machine; the problems of a contest share a `batch`. Any
page in the browser can post to the same port, so only requests of an extension, or without an origin, are taken.
"""

import itertools
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

from harness.errors import MachineError, UsageError
from harness.files import atomic
from harness.package.cph import FOLDER, LISTENED
from harness.values import dataclass

PORTS = (10043, 10045, 1327, 4244, 6174, 10042, 27121)  # the extension posts to all of these
MOST_BYTES = 32 << 20
MOST_SAMPLES = 1000
_EXTENSIONS = ("chrome-extension://", "moz-extension://", "safari-web-extension://")
_HOSTS = ("127.0.0.1", "localhost", "[::1]")
_REQUEST_S = 2  # a browser may open a connection and send nothing; messages wait until it is closed
_LABEL = re.compile(r"([A-Za-z]\d{0,2})[ .:)\]-]")


@dataclass(frozen=True, kw_only=True)
class CompanionProblem:
    """A message. samples: input and output of each. batch: an id and the number of problems that share it."""

    name: str
    group: str
    samples: tuple[tuple[str, str], ...]
    values: dict[str, Any]
    batch: tuple[str, int] = ("", 1)


def read_message(body: bytes) -> CompanionProblem:
    """Parse a message. Raises UsageError that describes the fault."""
    try:
        values = json.loads(body.decode())
        json.dumps(values, ensure_ascii=False).encode()  # half of a surrogate pair could not be written to a file
    except (ValueError, RecursionError) as error:
        raise UsageError(f"the message is no JSON: {error}") from error
    if not isinstance(values, dict):
        raise UsageError("the message is no JSON object")
    tests, batch = values.get("tests"), values.get("batch")
    if not isinstance(tests, list) or not all(_is_sample(test) for test in tests):
        raise UsageError("`tests` must be a list of objects with the strings `input` and `output`")
    if len(tests) > MOST_SAMPLES:
        raise UsageError(f"{len(tests)} samples: at most {MOST_SAMPLES} are taken")
    sized = isinstance(batch, dict) and isinstance(batch.get("size"), int) and 1 <= batch["size"] <= MOST_SAMPLES
    return CompanionProblem(
        name=_text(values.get("name")) or "problem",
        group=_text(values.get("group")) or "contest",
        samples=tuple((test["input"], test["output"]) for test in tests),
        values=values,
        batch=(_text(batch.get("id")), batch["size"]) if isinstance(batch, dict) and sized else ("", 1),
    )


def _is_sample(test: object) -> bool:
    return isinstance(test, dict) and all(isinstance(test.get(key), str) for key in ("input", "output"))


def _text(value: object) -> str:
    return " ".join(value.split())[:200] if isinstance(value, str) else ""


def folder_of(problem: CompanionProblem, folder: Path) -> Path:
    """Return the folder for a problem: `folder` itself, or for a batch a folder in the contest's folder.

    Its name is the label (A, B1), or the problem's name where another problem of the batch has that label.
    """
    if problem.batch[1] == 1:
        return folder
    label, slug = _LABEL.match(problem.name), slug_of_text(problem.name)
    short = slug_of_text(label[1]) if label else slug
    names = itertools.chain((short, slug), (f"{slug}-{number}" for number in itertools.count(2)))
    contest = folder / slug_of_text(problem.group)
    return next(contest / name for name in names if not _holds_another(contest / name, problem))


def _holds_another(folder: Path, problem: CompanionProblem) -> bool:
    """Return whether a folder was written for another problem of the same batch."""
    kept = _kept_in(folder)
    return kept.get("batch") == problem.values.get("batch") and any(
        kept.get(key) != problem.values.get(key) for key in ("name", "url")
    )


def slug_of_text(text: str) -> str:
    """Make a file name from a text: small letters, digits and `-`, never empty, no dot, no slash."""
    slug = "-".join(re.findall(r"[a-z0-9]+", text.casefold()))[:60].strip("-")
    return slug or "problem"


def lay_down(problem: CompanionProblem, folder: Path) -> Path:
    """Write the samples to `test/` and the limits to `.cph/`; return the problem's folder.

    Samples of an earlier message are removed, no other file. Raises MachineError if they cannot be written.
    """
    written = folder_of(problem, folder)
    for name in _earlier(_kept_in(written)):
        (written / "test" / name).unlink(missing_ok=True)
    names = []
    for number, texts in enumerate(problem.samples, start=1):
        for ending, text in zip(("in", "out"), texts, strict=True):
            name = f"sample-{number}.{ending}"
            atomic.write(
                written / "test" / name, (text if text.endswith("\n") or not text else f"{text}\n").encode()
            )
            names.append(name)
    kept = json.dumps({**problem.values, "files": names}, ensure_ascii=False).encode()
    atomic.write(written / FOLDER / LISTENED, kept)
    return written


def _kept_in(folder: Path) -> dict[str, Any]:
    """Return the earlier message for a folder; empty if there is none."""
    try:
        kept = json.loads((folder / FOLDER / LISTENED).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return kept if isinstance(kept, dict) else {}


def _earlier(kept: dict[str, Any]) -> Iterator[str]:
    """Yield the sample files of an earlier message."""
    names = kept.get("files")
    yield from (
        name
        for name in (names if isinstance(names, list) else ())
        if isinstance(name, str) and re.fullmatch(r"sample-\d{1,4}\.(in|out)", name)
    )


@dataclass(kw_only=True)
class Listener:
    """Receive messages on a port of the loopback interface.

    take: called with each problem; its UsageError or MachineError is answered and passed to `refuse`.
    """

    take: Callable[[CompanionProblem], None]
    refuse: Callable[[str], None]
    ports: Sequence[int] = PORTS
    _server: HTTPServer = field(init=False)

    def __post_init__(self) -> None:
        self._server = _open(self.ports, self._handler())

    @property
    def port(self) -> int:
        """Return the port on which it listens."""
        return int(self._server.server_address[1])

    def take_requests(self, until: Callable[[], bool]) -> None:
        """Answer requests one by one until `until` returns True."""
        try:
            while not until():
                self._server.handle_request()
        finally:
            self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        listener = self

        class Handler(BaseHTTPRequestHandler):
            timeout = _REQUEST_S

            def log_message(self, format: str, *args: object) -> None:
                """Write nothing: the terminal belongs to the command."""

            def do_POST(self) -> None:
                """Handle a message."""
                status, words = listener.answer(
                    self.headers.get("Host", ""), self.headers.get("Origin"), self.headers.get("Content-Length", ""),
                    self.rfile.read,
                )  # fmt: skip
                self.send_response(status, words)
                self.send_header("Content-Length", "0")
                self.end_headers()

        return Handler

    def answer(self, host: str, origin: str | None, length: str, read: Callable[[int], bytes]) -> tuple[int, str]:
        """Handle a request; return the status and its text. read: returns the given number of bytes of the body."""
        reason = _refusal(host, origin, length)
        if reason is not None:
            self.refuse(reason[1])
            return reason
        try:
            self.take(read_message(read(int(length))))
        except (UsageError, MachineError, OSError) as error:
            self.refuse(str(error))
            return 400, "not taken"
        return 200, "taken"


def _refusal(host: str, origin: str | None, length: str) -> tuple[int, str] | None:
    """Return the reason to refuse a request before its body is read, or None."""
    if host.rpartition(":")[0] not in _HOSTS and host not in _HOSTS:
        return 403, f"refused: the request is for the host {host[:60]!r}, not for this machine"
    if origin is not None and not origin.startswith(_EXTENSIONS):
        return 403, f"refused: the request comes from the page {origin[:60]!r}, not from an extension"
    if not re.fullmatch(r"\d{1,12}", length):
        return 411, "refused: the request does not say how long it is"
    if int(length) > MOST_BYTES:
        return 413, f"refused: a message of {int(length):,} bytes, at most {MOST_BYTES:,} are taken"
    return None


class _Server(HTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Write nothing if the browser has closed the connection."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


def _open(ports: Sequence[int], handler: type[BaseHTTPRequestHandler]) -> HTTPServer:
    """Listen on the first port that is free."""
    for port in ports:
        try:
            return _Server(("127.0.0.1", port), handler)
        except PermissionError as error:
            raise MachineError(f"you may not listen on port {port}: take one from 1024 up") from error
        except OSError:
            continue
    listed = ", ".join(map(str, ports))
    raise MachineError(f"no port is free of {listed}: end the program that listens there, or give --port")
