"""Upload a contest to DOMjudge by its REST API (version 4), after a plan that lists the changes.

An interrupted upload can be repeated: data on the server is kept, and bytes that were sent before
are not sent again. Credentials come from the environment or a .netrc file, never from the command line or a URL.
"""

import http.client
import importlib
import json
import socket
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from harness.contest.contest import Contest
from harness.contest.export import ExportedProblem, contest_yaml, problems_yaml
from harness.errors import MachineError, UsageError
from harness.package.files import File
from harness.store.identity import file_identity
from harness.store.memory import Memory
from harness.values import dataclass

CONNECT_S = 10
ANSWER_S: Mapping[str, int] = {"GET": 60, "POST": 600}  # the server imports a large zip before it answers
_TRIES = 3  # tries of a read-only request
_CONTESTS = "contests?onlyActive=false"
_UNREACHABLE: Mapping[type[OSError], str] = {
    socket.gaierror: "no such host is known: check the name in the URL, and the network",
    ConnectionRefusedError: "the connection is refused: check the port in the URL, and whether the server runs",
    TimeoutError: "no connection in time: check the network, and whether the server runs",
}
_BROKEN = (http.client.IncompleteRead, ConnectionError)
_LONGEST = 300  # most letters of an answer that a message quotes


@dataclass(frozen=True, kw_only=True)
class Step:
    """One request of a plan. replaces: it overwrites data on the server."""

    what: str
    slug: str | None = None
    replaces: bool = False


@dataclass(frozen=True, kw_only=True)
class UploadPlan:
    """The requests of an upload. contest_id: the server's, None if the contest must be created.

    problem_ids: ids on the server, by short name. unchanged: short names that need no request.
    """

    contest_id: str | None
    problem_ids: Mapping[str, str]
    steps: tuple[Step, ...]
    unchanged: tuple[str, ...]


@dataclass(kw_only=True)
class Client:
    """The API of one DOMjudge. url: of its web interface or of /api/v4. auth: user and password, None: .netrc.

    Raises UsageError for a URL that is invalid or holds credentials, MachineError for server errors
    and missing answers.
    """

    url: str
    auth: tuple[str, str] | None = None
    _session: Any = field(init=False)

    def __post_init__(self) -> None:
        parts = _parts(self.url)
        if parts.username or parts.password:
            raise UsageError(
                "no credentials in the URL, which ends up in logs: use a .netrc file or the environment"
            )
        base = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
        self.url = base if base.endswith("/api/v4") else f"{base}/api/v4"
        try:
            self._session = importlib.import_module("requests").Session()
        except ImportError as error:
            raise MachineError("the upload needs requests: pip install requests (the extra `upload`)") from error
        auth = self.auth or _requests().utils.get_netrc_auth(self.url)
        if auth is not None:  # as browsers and DOMjudge have it; requests would take Latin-1
            self._session.auth = tuple(text.encode(errors="surrogateescape") for text in auth)

    def get(self, path: str) -> Any:
        """Return the JSON at a path."""
        return self._request("GET", path)

    def check(self) -> None:
        """Raise MachineError unless the server lists its contests with these credentials."""
        self.rows(_CONTESTS)

    def rows(self, path: str) -> list[dict[str, Any]]:
        """Return the objects that a path lists."""
        value = self.get(path)
        if not isinstance(value, list):
            raise MachineError(f"{self.url}/{path}: no list, so no DOMjudge API: {_short(json.dumps(value))}")
        return [row for row in value if isinstance(row, dict) and "id" in row]

    def post(self, path: str, files: Mapping[str, tuple[str, Any]], data: Mapping[str, str] | None = None) -> Any:
        """Send files. Never retried automatically, because a broken request may have changed the server."""
        return self._request("POST", path, files=files, data=data)

    def _request(self, method: str, path: str, **content: Any) -> Any:
        answer = self._answer(method, path, **content)
        text = answer.text
        if answer.status_code in (401, 403):
            raise MachineError(
                f"{self.url}/{path}: DOMjudge refuses ({answer.status_code}): {_reason(text)}; give an admin's user "
                "and password in ~/.netrc, or in HARNESS_DOMJUDGE_USER and HARNESS_DOMJUDGE_PASSWORD"
            )
        if 300 <= answer.status_code < 400:
            target = _short(answer.headers.get("Location", "")) or "nowhere"
            raise MachineError(
                f"{self.url}/{path}: redirected ({answer.status_code}) to {target}: give DOMjudge's own URL"
            )
        if not 200 <= answer.status_code < 300:
            raise MachineError(f"{self.url}/{path}: DOMjudge answers {answer.status_code}: {_reason(text)}")
        try:
            return json.loads(text)
        except ValueError as error:
            raise MachineError(f"{self.url}/{path}: no JSON, so no DOMjudge API: {_short(text)}") from error

    def _answer(self, method: str, path: str, **content: Any) -> Any:
        """Return the server's answer; a GET is retried if the connection breaks."""
        broken = _requests().RequestException
        for tries_left in reversed(range(_TRIES if method == "GET" else 1)):
            try:
                timeout_s = (CONNECT_S, ANSWER_S[method])
                return self._session.request(
                    method, f"{self.url}/{path}", timeout=timeout_s, allow_redirects=False, **content
                )
            except (broken, OSError) as error:
                if not tries_left:
                    raise MachineError(self._why_no_answer(method, path, error)) from error
        raise AssertionError

    def _why_no_answer(self, method: str, path: str, error: BaseException) -> str:
        if isinstance(error, _requests().ReadTimeout):
            why = "it may still be at work: look there, then call again"
            return f"{self.url}/{path}: no answer in {ANSWER_S[method]} s, {why}"
        if isinstance(error, _requests().exceptions.ProxyError):
            return f"the proxy cannot be used: check HTTPS_PROXY and NO_PROXY: {_short(str(error))}"
        causes = list(_causes(error))
        for kind, why in _UNREACHABLE.items():
            if any(isinstance(cause, kind) for cause in causes):
                return f"cannot reach {urlsplit(self.url).netloc}: {why}"
        if any(isinstance(cause, _BROKEN) for cause in causes):
            return f"{self.url}/{path}: no answer, the connection broke: call again, it continues"
        return f"{self.url}/{path}: no answer: {_short(str(error))}"


def _parts(url: str) -> SplitResult:
    """Return the parts of a URL of http or https. Raises UsageError for another one."""
    try:
        parts = urlsplit(url)
        if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0:  # .port may raise, too
            return parts
    except ValueError:
        pass
    raise UsageError("the URL must be that of a DOMjudge, such as https://domjudge.example.org")


def _requests() -> Any:
    return importlib.import_module("requests")


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _reason(text: str) -> str:
    """Return the message of an error answer."""
    try:
        value = json.loads(text)
    except ValueError:
        return _short(text)
    return _short(str(value.get("message", text))) if isinstance(value, dict) else _short(text)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


@dataclass(frozen=True, kw_only=True)
class Upload:
    """The upload of a contest to a server. exported: its zips. memory: stores which zips the server has."""

    client: Client
    contest: Contest
    exported: Sequence[ExportedProblem]
    memory: Memory

    def plan(self, *, again: bool = False) -> UploadPlan:
        """Compare with the server, without changing it, and list the requests. again: resend zips that it has."""
        contest_id = self._contest_id()
        rows = self._problems(contest_id) if contest_id is not None else {}
        ids = _ids(rows)
        steps = [] if contest_id is not None else [Step(what=f"make the contest `{self.contest.slug}`")]
        unchanged = []
        new = [item.problem.slug for item in self.exported if item.problem.slug not in ids]
        if new:
            steps.append(Step(what=f"list with label and colour: {', '.join(new)}"))
        for item in self.exported:
            slug = item.problem.slug
            if not again and slug in ids and self._sent(slug) == file_identity(File(origin=item.path)):
                unchanged.append(slug)
                continue
            replaces = (
                slug in ids and rows[slug].get("test_data_count") != 0
            )  # 0: only listed by a call that broke
            verb = "replace" if replaces else "upload"
            steps.append(Step(what=f"{verb} {item.problem.label} {slug}", slug=slug, replaces=replaces))
        return UploadPlan(contest_id=contest_id, problem_ids=ids, steps=tuple(steps), unchanged=tuple(unchanged))

    def run(self, plan: UploadPlan) -> Iterator[tuple[Step, Sequence[str]]]:
        """Carry out a plan; yield each finished step with the server's messages.

        Raises MachineError at the first request that fails; a new plan then lists the remaining requests.
        """
        contest_id, ids = plan.contest_id, dict(plan.problem_ids)
        zips = {item.problem.slug: item.path for item in self.exported}
        for step in plan.steps:
            if step.slug is None and contest_id is None:
                answer = self.client.post("contests", {"yaml": ("contest.yaml", contest_yaml(self.contest))})
                if not isinstance(answer, str | int):
                    raise MachineError(
                        f"{self.client.url}/contests: no id of a contest: {_short(json.dumps(answer))}"
                    )
                contest_id = str(answer)
                yield step, ()
            elif step.slug is None:
                new = frozenset(zips.keys() - ids.keys())
                files = {"data": ("problems.yaml", problems_yaml(self.contest, new))}
                self.client.post(f"contests/{contest_id}/problems/add-data", files)
                ids |= _ids(self._problems(str(contest_id)))
                yield step, ()
            else:
                yield step, self._send(str(contest_id), step.slug, ids.get(step.slug), zips[step.slug])

    def _send(self, contest_id: str, slug: str, problem_id: str | None, path: Path) -> Sequence[str]:
        if problem_id is None:
            raise MachineError(f"{slug}: the server does not list it after it took problems.yaml")
        self.memory.keep(self._topic(slug), {"sha256": ""})  # unknown until the server confirms the upload
        with path.open("rb") as content:
            answer = self.client.post(
                f"contests/{contest_id}/problems", {"zip": (path.name, content)}, {"problem": problem_id}
            )
        self.memory.keep(self._topic(slug), {"sha256": file_identity(File(origin=path))})
        messages = answer.get("messages", []) if isinstance(answer, dict) else []
        if isinstance(messages, dict):  # messages by level
            messages = [
                line for lines in messages.values() for line in (lines if isinstance(lines, list) else [lines])
            ]
        return [_short(str(message)) for message in messages]

    def _contest_id(self) -> str | None:
        for row in self.client.rows(_CONTESTS):
            if self.contest.slug in (
                str(row.get(key)) for key in ("id", "external_id", "shortname", "short_name")
            ):
                return str(row["id"])
        return None

    def _problems(self, contest_id: str) -> dict[str, dict[str, Any]]:
        """Return what the server lists of this contest's problems, by short name."""
        problems = dict[str, dict[str, Any]]()
        for row in self.client.rows(f"contests/{contest_id}/problems"):
            names = [str(row.get(key)) for key in ("id", "external_id", "externalid", "short_name")]
            problems |= {item.problem.slug: row for item in self.exported if item.problem.slug in names}
        return problems

    def _topic(self, slug: str) -> str:
        return f"upload {self.client.url} {self.contest.slug} {slug}"

    def _sent(self, slug: str) -> str | None:
        return self.memory.recall(self._topic(slug)).get("sha256")


def _ids(problems: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    return {slug: str(row["id"]) for slug, row in problems.items()}
