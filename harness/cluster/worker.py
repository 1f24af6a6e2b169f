"""The judge on a Dask worker: it builds the packages and submissions it receives, and judges single cases.

Needs no Dask: `remote.py` sends these values and makes the calls.
"""

import shutil
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from harness.build.executable import Built, CompileFailure, Executable, Unavailable
from harness.errors import HarnessError, JudgeError
from harness.generate.overlay import load_built
from harness.generate.record import read_lock
from harness.host.host import Host
from harness.judge.judging import Judging
from harness.judge.plan import CasePlan
from harness.judge.submission_result import Entry
from harness.package import GroupCase, Package, Program
from harness.package.files import File, Files
from harness.package.workspace import LOCK
from harness.results.model import CaseResult
from harness.rules.group_tree import ordered_cases, root_group
from harness.store.identity import digest_of_texts, files_identity
from harness.values import dataclass

PROGRAMS_KEPT = 256
_UNNAMED = "(submission)"  # a folder called so starts no file by its name


@dataclass(frozen=True, kw_only=True)
class Payload:
    """Files by relative path, as (content, executable), sent once to each worker. digest: of all files."""

    digest: str
    name: str
    files: Mapping[str, tuple[bytes, bool]]
    language: str | None = None
    entrypoint: str | None = None

    def program(self, folder: Path) -> Program:
        """Return the payload as a submission. folder: the files' nominal folder; nothing is written there."""
        files = {
            name: File(origin=folder / name, content=content, executable=executable)
            for name, (content, executable) in self.files.items()
        }
        return Program(path=self.name, files=files, language=self.language, entrypoint=self.entrypoint)

    def write(self, folder: Path) -> None:
        """Write the files as `folder`, atomically."""
        folder.parent.mkdir(parents=True, exist_ok=True)
        unfinished = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        try:
            unfinished.chmod(0o755)
            for name, (content, executable) in self.files.items():
                path = unfinished / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
                path.chmod(0o755 if executable else 0o644)
            unfinished.rename(folder)
        except BaseException:
            shutil.rmtree(unfinished, ignore_errors=True)
            raise


def package_payload(package: Package) -> Payload:
    """Return a package without its locked data: a worker builds that and compares it with the lock."""
    built = {f"data/{name}" for name in read_lock(package.files.get(LOCK)) or {}}
    return _payload(package.slug, {name: file for name, file in package.files.items() if name not in built})


def submission_payload(program: Program) -> Payload:
    """Return a submission as a payload. Its name counts in the digest only if a file is called so, too."""
    name = program.start_by_name or _UNNAMED
    return _payload(name, program.files, program.language, program.entrypoint)


def _payload(name: str, files: Files, language: str | None = None, entrypoint: str | None = None) -> Payload:
    contents = {path: (file.read(), file.executable) for path, file in files.items()}
    digest = digest_of_texts(name, language or "", entrypoint or "", files_identity(files))
    return Payload(digest=digest, name=name, files=contents, language=language, entrypoint=entrypoint)


@dataclass(frozen=True, kw_only=True)
class Request:
    """Judge a submission on a case; without a case, build it. package and submission: digests of payloads."""

    package: str
    submission: str
    case: str | None
    time_limit_s: float | None
    memory_mib: int


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A worker's answer: a result, a build outcome, missing payloads, or an error."""

    worker: str = ""
    result: CaseResult | None = None
    language: str | None = None
    message: str = ""
    compile_error: bool = False
    missing: tuple[str, ...] = ()
    error: str = ""


class WorkerJudge:
    """Answers the requests to a worker. Safe to share between its threads. folder: for packages."""

    def __init__(self, host: Host, folder: Path) -> None:
        self._host = host
        self._folder = folder
        self._lock = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}
        self._payloads: dict[str, Payload] = {}
        self._judgings: dict[tuple[str, float | None, int], tuple[Judging, dict[str, GroupCase]]] = {}
        self._programs: OrderedDict[tuple[str, str], Built] = OrderedDict()

    def receive(self, payload: Payload) -> None:
        """Keep a payload."""
        with self._lock:
            self._payloads[payload.digest] = payload

    def answer(self, request: Request) -> Answer:
        """Execute the request. An error of this machine is returned as text."""
        with self._lock:
            missing = tuple(
                digest for digest in (request.package, request.submission) if digest not in self._payloads
            )
            submission = self._payloads.get(request.submission)
        if missing or submission is None:
            return Answer(missing=missing)
        try:
            return self._answer(request, submission)
        except (HarnessError, OSError) as error:
            return Answer(error=str(error))

    def _answer(self, request: Request, submission: Payload) -> Answer:
        judging, tasks = self._judging(request)
        built = self._built(request, judging, submission)
        if request.case is None or not isinstance(built, Executable):
            return _build_answer(built)
        group, case = tasks[request.case]
        result = judging.host.pool.alone(
            lambda sandbox, _: judging.case_judge.judge(sandbox, built, group, case), None
        )
        return Answer(result=result)

    def _judging(self, request: Request) -> tuple[Judging, dict[str, GroupCase]]:
        key = (request.package, request.time_limit_s, request.memory_mib)

        def make() -> tuple[Judging, dict[str, GroupCase]]:
            package = self._package(self._payloads[request.package])
            limits = replace(package.limits, time_limit_s=request.time_limit_s, memory_mib=request.memory_mib)
            judging = Judging(package=replace(package, limits=limits), host=self._host)
            _ = judging.case_judge  # build it now, in one thread
            return judging, {task[1].name: task for task in _tasks(judging.package)}

        with self._lock_of(request.package):
            if key not in self._judgings:
                self._judgings[key] = make()
            return self._judgings[key]

    def _package(self, payload: Payload) -> Package:
        """Return the package on this worker's disk, with data built from the recipe and checked by the lock."""
        root = self._folder / payload.digest[:16] / payload.name
        if not root.is_dir():
            payload.write(root)
        built = load_built(root, self._host)
        if built.report is not None and built.report.drift:
            first = next(" against the lock: ".join(item) for item in built.report.drift.items())
            raise JudgeError(f"{payload.name}: the data built on this worker is not what the lock says ({first})")
        return built.package

    def _built(self, request: Request, judging: Judging, submission: Payload) -> Built:
        key = (request.package, request.submission)
        with self._lock_of(request.submission):
            with self._lock:
                if key in self._programs:
                    self._programs.move_to_end(key)
                    return self._programs[key]
            [built] = judging.build([Entry(program=submission.program(self._folder))])
            if not isinstance(built, Executable | CompileFailure | Unavailable):
                raise JudgeError("answers that are handed in are not judged on a cluster")
            self._keep(key, built)
            return built

    def _keep(self, key: tuple[str, str], built: Built) -> None:
        with self._lock:
            self._programs[key] = built
            old = None
            if len(self._programs) > PROGRAMS_KEPT:
                (_, submission), old = self._programs.popitem(last=False)
                self._payloads.pop(submission, None)  # it is sent again if it is asked for again
        if isinstance(old, Executable):
            shutil.rmtree(old.directory, ignore_errors=True)

    def _lock_of(self, name: str) -> threading.Lock:
        with self._lock:
            return self._locks.setdefault(name, threading.Lock())


def _tasks(package: Package) -> list[GroupCase]:
    if package.secret.grading is None:
        return list(CasePlan(package=package).ordered())
    return list(ordered_cases(root_group(package)))


def _build_answer(built: Built) -> Answer:
    match built:
        case Executable(language=language, warnings=warnings):
            return Answer(language=language.code, message=warnings)
        case CompileFailure(diagnostics=diagnostics):
            return Answer(compile_error=True, message=diagnostics)
        case Unavailable(message=message):
            return Answer(message=message)
