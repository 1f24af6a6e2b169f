"""A Dask cluster on which submissions are built and their cases run; the rest of a judging stays on this machine.

Each thread of the runner waits for one case. Payloads that a worker lacks are sent to it once.
"""

import contextlib
import itertools
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from distributed import Client, Future, Security, Worker, WorkerPlugin, get_worker

from harness.build.executable import Built, CompileFailure, Executable, Unavailable
from harness.build.languages import LanguageTable
from harness.cluster.address import Address
from harness.cluster.worker import Answer, Payload, Request, WorkerJudge, package_payload, submission_payload
from harness.errors import MachineError, UsageError
from harness.host.host import open_host
from harness.host.pool import Threads
from harness.judge.judge_case import Item, JudgeCase, Result
from harness.judge.report import describe_machine
from harness.judge.submission_result import Entry
from harness.judge.submitted_answers import Answers
from harness.package import Case, Group, Package, ProblemType
from harness.results.model import CaseResult, Machine
from harness.sandbox.facts import Isolation
from harness.sandbox.opening import IsolationMode, open_sandboxes
from harness.store.identity import harness_identity

NAME = "harness"
MOST_THREADS = 512
CONNECT_S = 20
NO_WORKER_S = 120.0  # longest time that a cluster may be without workers
_POLL_S = 5.0
_TRIES = 20
ELSEWHERE = Path("/nonexistent/on-a-worker")


class JudgePlugin(WorkerPlugin):  # type: ignore[misc]
    """Opens a judge host on each worker, a sandbox for each thread. Dask calls it on later workers, too."""

    name = NAME

    def __init__(self, *, languages: LanguageTable, isolation: IsolationMode, search_path: str) -> None:
        self._settings: dict[str, Any] = {
            "languages": languages,
            "isolation": isolation,
            "search_path": search_path,
        }

    def setup(self, worker: Worker) -> None:
        """Start the worker's judge host."""
        self._open = contextlib.ExitStack()
        folder = Path(worker.local_directory) / NAME
        sandboxes = open_sandboxes(self._settings["isolation"], worker.state.nthreads, cache=folder)
        self.host = self._open.enter_context(
            open_host(
                sandboxes,
                table=self._settings["languages"],
                search_path=self._settings["search_path"],
                cache=folder / "programs",
                as_other_user=os.geteuid() == 0,
            )
        )
        self.judge = WorkerJudge(self.host, folder / "packages")

    def teardown(self, worker: Worker) -> None:
        """Close the worker's judge host."""
        self._open.close()

    def __getstate__(self) -> dict[str, object]:
        return {"_settings": self._settings}


def _answer(request: Request) -> Answer:
    """Called on a worker: answer the request."""
    worker = get_worker()
    judge: WorkerJudge = worker.plugins[NAME].judge
    return replace(judge.answer(request), worker=worker.address)


def _receive(payload: Payload, dask_worker: Worker) -> None:
    """Called on a worker: keep a payload."""
    dask_worker.plugins[NAME].judge.receive(payload)


def _describe(dask_worker: Worker) -> tuple[str, Isolation, Machine]:
    """Called on a worker: a digest of its harness' sources, its isolation and its speed."""
    isolation = dask_worker.plugins[NAME].host.pool.isolation
    return harness_identity(), isolation, describe_machine(calibrate=True)


class Cluster:
    """A connected cluster. machines: the speed of each worker, by address. isolation: the weakest of all."""

    def __init__(self, client: Client, languages: LanguageTable) -> None:
        self._client = client
        self.languages = languages
        self._lock = threading.Lock()
        self._arrived = threading.Condition(self._lock)
        self._sending: set[tuple[str, str]] = set()
        self._sent_s: dict[tuple[str, str], float] = {}  # when a payload last arrived at a worker
        self._payloads: dict[str, Payload] = {}
        self._numbers = itertools.count()
        workers = client.run(_describe)
        if not workers:
            raise MachineError("the cluster has no worker: start one with `dask worker`")
        others = sorted(name for name, (sources, _, _) in workers.items() if sources != harness_identity())
        if others:
            raise MachineError(
                f"{len(others)} workers ({others[0]}, …) have another harness: install the same there"
            )
        self.machines: dict[str, Machine] = {name: machine for name, (_, _, machine) in sorted(workers.items())}
        self.isolation = min(
            (isolation for _, isolation, _ in workers.values()), key=lambda isolation: isolation.tier
        )

    @cached_property
    def threads(self) -> Threads:
        """Local threads, enough to keep every thread of the cluster busy."""
        return Threads(min(2 * sum(self._client.nthreads().values()), MOST_THREADS))

    def offer(self, payload: Payload) -> str:
        """Keep a payload for workers that will need it; return its digest."""
        with self._lock:
            self._payloads[payload.digest] = payload
        return payload.digest

    def forget(self, digest: str) -> None:
        """Drop a payload that no worker will need any more."""
        with self._lock:
            self._payloads.pop(digest, None)

    def reference_worker(self) -> str | None:
        """The worker that reruns cases near the limit: the first by address."""
        return min(self._client.nthreads(), default=None)

    def ask(self, request: Request, worker: str | None, *, only: bool = False) -> Answer:
        """Send a request to a worker; if it dies, to another, unless `only`. Raises MachineError if none can."""
        for _ in range(_TRIES):
            asked_s = time.monotonic()
            future = self._client.submit(
                _answer,
                request,
                key=f"harness-{next(self._numbers)}",
                pure=False,
                workers=[worker] if worker else None,
                allow_other_workers=bool(worker) and not only,
                retries=3,
            )
            answer: Answer = self._wait(future)
            if answer.error:
                raise MachineError(f"worker {answer.worker}: {answer.error}")
            if not answer.missing:
                return answer
            for digest in answer.missing:
                self._send(digest, answer.worker, asked_s)
            worker = worker or answer.worker
        raise MachineError("the workers of the cluster lose what they are sent: do they run out of memory?")

    def _send(self, digest: str, worker: str, asked_s: float) -> None:
        """Send a payload to a worker once, even if many threads learn that it is missing there.

        asked_s: when the worker was asked. If the payload arrived before that, the worker was restarted at the same
        address, and is sent it again.
        """
        key = digest, worker
        with self._arrived:
            self._arrived.wait_for(lambda: key not in self._sending)
            if self._sent_s.get(key, -1.0) >= asked_s:
                return
            self._sending.add(key)
            payload = self._payloads[digest]
        try:
            self._client.run(_receive, payload, workers=[worker], on_error="ignore")
        finally:
            with self._arrived:
                self._sent_s[key] = time.monotonic()
                self._sending.discard(key)
                self._arrived.notify_all()

    def _wait(self, future: Future) -> Answer:
        without_workers_s = 0.0
        while True:
            try:
                answer: Answer = future.result(timeout=_POLL_S)
                return answer
            except TimeoutError as error:
                without_workers_s = 0.0 if self._client.nthreads() else without_workers_s + _POLL_S
                if without_workers_s > NO_WORKER_S:
                    raise MachineError(
                        "all workers of the cluster are gone; the results so far are kept"
                    ) from error
            except Exception as error:
                raise MachineError(f"the cluster failed: {type(error).__name__}: {error}") from error


@contextlib.contextmanager
def open_cluster(
    address: Address, *, languages: LanguageTable, isolation: IsolationMode, search_path: str
) -> Iterator[Cluster]:
    """Connect to a cluster and open a judge on every worker. Raises MachineError when it cannot be reached."""
    try:
        client = Client(address.url, security=_security(address), timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise MachineError(f"{address.url}: no scheduler answers there: {error}") from error
    with client:
        plugin = JudgePlugin(languages=languages, isolation=isolation, search_path=search_path)
        try:
            client.register_plugin(plugin)
        except Exception as error:
            raise MachineError(f"{address.url}: a worker cannot judge: {error}") from error
        cluster = Cluster(client, languages)
        with contextlib.closing(cluster.threads):
            yield cluster
        client.unregister_worker_plugin(NAME)


def _security(address: Address) -> Security | None:
    certificates = address.certificates
    if certificates is None:
        return None
    return Security(
        tls_ca_file=str(certificates.authority),
        tls_client_cert=str(certificates.certificate),
        tls_client_key=str(certificates.key),
        require_encryption=True,
    )


class RemoteRunner:
    """A `CaseRunner` on a cluster. Raises UsageError for a package whose submissions are not run."""

    def __init__(self, cluster: Cluster, package: Package) -> None:
        if ProblemType.SUBMIT_ANSWER in package.types:
            raise UsageError(f"{package.slug}: handed-in answers are judged here, leave --cluster out")
        self._cluster = cluster
        self._limits = package.limits
        self._package = cluster.offer(package_payload(package))
        self._submissions: dict[str, tuple[str, str]] = {}  # path: digest, and the worker that built it

    def build(self, entries: Sequence[Entry]) -> list[Built]:
        """Build each entry on one worker. Other workers build it when they get one of its cases."""
        for digest, _ in self._submissions.values():
            self._cluster.forget(digest)
        self._submissions.clear()
        return list(self._cluster.threads.in_order(self._build, entries))

    def _build(self, entry: Entry) -> Built:
        if entry.built is not None:  # for example, it is no program
            return entry.built
        digest = self._cluster.offer(submission_payload(entry.program))
        answer = self._cluster.ask(self._request(digest, None), None)
        self._submissions[entry.program.path] = (digest, answer.worker)
        if answer.compile_error:
            return CompileFailure(diagnostics=answer.message)
        if answer.language is None:
            return Unavailable(message=answer.message)
        language = self._cluster.languages[answer.language]
        return Executable(
            program=entry.program, language=language, directory=ELSEWHERE, argv=(), warnings=answer.message
        )

    def run(
        self, work: Callable[[JudgeCase, Item], Result], items: Sequence[Item], *, alone: bool = False
    ) -> Iterator[tuple[Item, Result]]:
        """Call `work` for each item; any worker judges the cases, or with `alone` the reference worker."""
        if not alone:
            yield from self._cluster.threads.each(partial(work, self._judge), items)
        for item in items if alone else ():
            yield item, work(partial(self._judge, only=self._cluster.reference_worker()), item)

    def _judge(
        self, submission: Executable | Answers, group: Group, case: Case, *, only: str | None = None
    ) -> CaseResult:
        path = submission.program.path
        digest, worker = self._submissions[path]
        answer = self._cluster.ask(self._request(digest, case.name), only or worker, only=only is not None)
        if answer.result is None:
            raise MachineError(f"worker {answer.worker}: {path} was built before, and now it is not")
        return answer.result

    def _request(self, submission: str, case: str | None) -> Request:
        return Request(
            package=self._package,
            submission=submission,
            case=case,
            time_limit_s=self._limits.time_limit_s,
            memory_mib=self._limits.memory_mib,
        )
