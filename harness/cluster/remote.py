"""Judging on a Dask cluster: the plan, the order and the reruns are those of `judge`; only the runs are elsewhere.

Each slot of the pool is a thread here that waits for one case there. What a worker lacks it says, and is sent it once.
"""

import contextlib
import itertools
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

from distributed import Client, Future, Security

from harness.build import Built, CompileFailure, Executable, Unavailable
from harness.build.languages import LanguageTable
from harness.cluster import tasks
from harness.cluster.address import Address
from harness.cluster.payloads import Parcel, package_parcel, submission_parcel
from harness.cluster.worker import Answer, Call
from harness.errors import MachineError, UsageError
from harness.host.host import Host
from harness.host.pool import Pool
from harness.judge import Entry, Judging
from harness.judge.case_setting import submission_limits
from harness.judge.judge_case import CaseJudge
from harness.package import Case, Group, ProblemType
from harness.results.model import CaseResult, Machine
from harness.results.reading import read_case
from harness.sandbox import Command, Isolation, IsolationMode, Running, RunResult, Sandbox
from harness.sandbox.limits import Limits
from harness.store.identity import harness_identity
from harness.values import dataclass

MOST_SLOTS = 512
CONNECT_S = 20
ALONE_S = 120.0
_LOOK_S = 5.0
_TRIES = 20
ELSEWHERE = Path("/nonexistent/on-a-worker")


@dataclass(frozen=True, kw_only=True)
class Slot:
    """Stands where a sandbox would: a place in the queue of the cluster, or of one worker of it."""

    isolation: Isolation
    only: str | None = None

    def run(self, command: Command, limits: Limits, *, stdin: Path, stdout: Path, stderr: Path) -> RunResult:
        """Nothing runs here."""
        raise MachineError("this runs on the cluster only")

    def start(self, command: Command, limits: Limits, *, stdin: int, stdout: int, stderr: int) -> Running:
        """Nothing runs here."""
        raise MachineError("this runs on the cluster only")

    def lend(self, directory: Path) -> None:
        """Nothing runs here."""
        raise MachineError("this runs on the cluster only")

    def partner(self, name: str) -> Sandbox:
        """Itself: it holds nothing."""
        return self

    def close(self) -> None:
        """Nothing to end."""


class SlotPool(Pool):
    """A pool of slots. What is to run alone runs on the reference worker."""

    def __init__(self, slots: Sequence[Slot], reference: Callable[[], Slot]) -> None:
        super().__init__(slots)
        self._reference = reference

    def alone(self, work, item):  # type: ignore[no-untyped-def]
        """Do one piece of work on the reference worker."""
        return work(self._reference(), item)


class Cluster:
    """A connected cluster. machines: each worker's name and speed."""

    def __init__(self, client: Client, languages: LanguageTable) -> None:
        self._client = client
        self.languages = languages
        self._lock = threading.Lock()
        self._arrived = threading.Condition(self._lock)
        self._sending: set[tuple[str, str]] = set()
        self._sent_s: dict[tuple[str, str], float] = {}  # when it last arrived
        self._parcels: dict[str, Parcel] = {}
        self._numbers = itertools.count()
        found = client.run(tasks.describe)
        if not found:
            raise MachineError("the cluster has no worker: start one with `dask worker`")
        others = sorted(name for name, (sources, _, _) in found.items() if sources != harness_identity())
        if others:
            raise MachineError(
                f"{len(others)} workers ({others[0]}, …) have another harness: install the same there"
            )
        self.machines: dict[str, Machine] = {name: machine for name, (_, _, machine) in sorted(found.items())}
        self.isolation = min((one for _, one, _ in found.values()), key=lambda isolation: isolation.tier)

    @cached_property
    def pool(self) -> Pool:
        """As many slots as keep every thread of the cluster busy."""
        threads = sum(self._client.nthreads().values())
        slots = min(2 * threads, MOST_SLOTS)
        return SlotPool([Slot(isolation=self.isolation)] * slots, self._reference)

    def know(self, parcel: Parcel) -> str:
        """Have a parcel at hand for the workers that will lack it; its digest."""
        with self._lock:
            self._parcels[parcel.digest] = parcel
        return parcel.digest

    def forget(self, digest: str) -> None:
        """No worker will be sent it any more."""
        with self._lock:
            self._parcels.pop(digest, None)

    def ask(self, call: Call, worker: str | None, *, only: bool = False) -> Answer:
        """A worker's answer. A worker that dies has its call done by another. Raises MachineError for trouble."""
        for _ in range(_TRIES):
            asked_s = time.monotonic()
            future = self._client.submit(
                tasks.answer,
                call,
                key=f"harness-{next(self._numbers)}",
                pure=False,
                workers=[worker] if worker else None,
                allow_other_workers=bool(worker) and not only,
                retries=3,
            )
            answer: Answer = self._wait(future)
            if answer.trouble:
                raise MachineError(f"worker {answer.worker}: {answer.trouble}")
            if not answer.lacks:
                return answer
            for digest in answer.lacks:
                self._send(digest, answer.worker, asked_s)
            worker = worker or answer.worker
        raise MachineError("the workers of the cluster lose what they are sent: do they run out of memory?")

    def _send(self, digest: str, worker: str, asked_s: float) -> None:
        """Have it arrive once, however many threads were told at once that it is lacking, and however long it takes.

        asked_s: when the worker was asked. One that lacks it again later (it was begun anew at the same address) is
        sent it again.
        """
        key = digest, worker
        with self._arrived:
            self._arrived.wait_for(lambda: key not in self._sending)
            if self._sent_s.get(key, -1.0) >= asked_s:
                return
            self._sending.add(key)
            parcel = self._parcels[digest]
        try:
            self._client.run(tasks.receive, parcel, workers=[worker], on_error="ignore")
        finally:
            with self._arrived:
                self._sent_s[key] = time.monotonic()
                self._sending.discard(key)
                self._arrived.notify_all()

    def _wait(self, future: Future) -> Answer:
        alone_s = 0.0
        while True:
            try:
                answer: Answer = future.result(timeout=_LOOK_S)
                return answer
            except TimeoutError as error:
                alone_s = 0.0 if self._client.nthreads() else alone_s + _LOOK_S
                if alone_s > ALONE_S:
                    raise MachineError("all workers of the cluster are gone; what was found is kept") from error
            except Exception as error:
                raise MachineError(f"the cluster failed: {type(error).__name__}: {error}") from error

    def _reference(self) -> Slot:
        """The worker that decides what lies near the limit: the first by address that is there."""
        workers = sorted(self._client.nthreads())
        return Slot(isolation=self.isolation, only=workers[0] if workers else None)


@contextlib.contextmanager
def open_cluster(
    address: Address, *, languages: LanguageTable, isolation: IsolationMode, search_path: str
) -> Iterator[Cluster]:
    """A cluster with a desk on every worker. Raises MachineError when it cannot be reached."""
    certificates = address.certificates
    security = None
    if certificates is not None:
        security = Security(
            tls_ca_file=str(certificates.authority),
            tls_client_cert=str(certificates.certificate),
            tls_client_key=str(certificates.key),
            require_encryption=True,
        )
    try:
        client = Client(address.url, security=security, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise MachineError(f"{address.url}: no scheduler answers there: {error}") from error
    with client:
        plugin = tasks.DeskPlugin(languages=languages, isolation=isolation, search_path=search_path)
        try:
            client.register_plugin(plugin)
        except Exception as error:
            raise MachineError(f"{address.url}: a worker cannot judge: {error}") from error
        cluster = Cluster(client, languages)
        with cluster.pool:
            yield cluster
        client.unregister_worker_plugin(tasks.NAME)


@dataclass(frozen=True, kw_only=True)
class RemoteCaseJudge:
    """Has a case judged by a worker."""

    cluster: Cluster
    limits: Limits
    package: str
    time_limit_s: float | None
    memory_mib: int
    submissions: dict[str, tuple[str, str]]

    def judge(self, sandbox: Slot, built: Executable, group: Group, case: Case) -> CaseResult:
        """The result, from the worker that built the submission or from another that is free."""
        digest, worker = self.submissions[built.program.path]
        only = sandbox.only is not None
        answer = self.cluster.ask(self.call(digest, case.name), sandbox.only or worker, only=only)
        if answer.result is None:
            raise MachineError(f"worker {answer.worker}: {built.program.path} was built before, and now it is not")
        return read_case(answer.result, f"worker {answer.worker}")

    def call(self, digest: str, case: str | None) -> Call:
        """The call for a submission on a case."""
        return Call(
            package=self.package,
            submission=digest,
            case=case,
            time_limit_s=self.time_limit_s,
            memory_mib=self.memory_mib,
        )


@dataclass(frozen=True, kw_only=True)
class RemoteJudging(Judging):
    """Judging with its runs on a cluster. home: the same on this machine, for what is not worth sending."""

    cluster: Cluster
    home: Judging

    @cached_property
    def case_judge(self) -> CaseJudge:
        """What judges each case, over there."""
        limits = self.package.limits
        return RemoteCaseJudge(  # type: ignore[return-value]
            cluster=self.cluster,
            limits=submission_limits(self.package, self._time_limit_s()),
            package=self.cluster.know(package_parcel(self.package)),
            time_limit_s=limits.time_limit_s,
            memory_mib=limits.memory_mib,
            submissions={},
        )

    @cached_property
    def _graders(self):  # type: ignore[no-untyped-def]
        return self.home._graders

    def build(self, entries: Sequence[Entry]) -> list:  # type: ignore[type-arg]
        """Each is built by one worker; the others build it when they are given a case of it."""
        judge = self.case_judge
        if not isinstance(judge, RemoteCaseJudge):
            raise MachineError("a cluster judges by its workers only")
        for digest, _ in judge.submissions.values():
            self.cluster.forget(digest)
        judge.submissions.clear()

        def build(_: Sandbox, entry: Entry) -> Built:
            if entry.built is not None:  # it is no program at all
                return entry.built
            digest = self.cluster.know(submission_parcel(entry.program))
            answer = self.cluster.ask(judge.call(digest, None), None)
            judge.submissions[entry.program.path] = (digest, answer.worker)
            return self._built(entry, answer)

        return list(self.host.pool.in_order(build, entries))

    def _built(self, entry: Entry, answer: Answer) -> Built:
        if answer.compile_error:
            return CompileFailure(diagnostics=answer.message)
        if answer.language is None:
            return Unavailable(message=answer.message)
        language = self.cluster.languages[answer.language]
        return Executable(
            program=entry.program, language=language, directory=ELSEWHERE, argv=(), warnings=answer.message
        )


def remote_judging(home: Judging, cluster: Cluster) -> Judging:
    """The same judging with its runs on the cluster. Raises UsageError where nothing would be run there."""
    if ProblemType.SUBMIT_ANSWER in home.package.types:
        raise UsageError(f"{home.package.slug}: handed-in answers are judged here, leave --cluster out")
    own = home.host
    host = Host(pool=cluster.pool, builder=own.builder, judges=own.judges, stage=own.stage)
    return RemoteJudging(package=home.package, host=host, complete=home.complete, cluster=cluster, home=home)
