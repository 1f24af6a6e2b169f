"""A worker's desk: the packages and submissions that it was sent, built when first needed, and what it finds."""

import json
import shutil
import threading
from collections import OrderedDict
from dataclasses import replace
from pathlib import Path

from harness.build import Built, CompileFailure, Executable, Unavailable
from harness.cluster.payloads import Parcel
from harness.errors import HarnessError, JudgeError
from harness.generate import load_built
from harness.host.host import Host
from harness.judge import Entry, Judging
from harness.judge.plan import CasePlan, Task
from harness.package import Package
from harness.results.as_json import case_as_json
from harness.rules.group_tree import ordered_cases, root_group
from harness.values import dataclass

PROGRAMS_KEPT = 256


@dataclass(frozen=True, kw_only=True)
class Call:
    """What a worker is to do: judge a submission on a case, or, without one, build it. Digests name the parcels."""

    package: str
    submission: str
    case: str | None
    time_limit_s: float | None
    memory_mib: int


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What came of a call: a result as JSON, or how the build went; or what the worker lacks, or its trouble."""

    worker: str = ""
    result: str | None = None
    language: str | None = None
    message: str = ""
    compile_error: bool = False
    lacks: tuple[str, ...] = ()
    trouble: str = ""


class Desk:
    """Safe to share between the threads of a worker."""

    def __init__(self, host: Host, folder: Path) -> None:
        self._host = host
        self._folder = folder
        self._lock = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}
        self._parcels: dict[str, Parcel] = {}
        self._judgings: dict[tuple[str, float | None, int], tuple[Judging, dict[str, Task]]] = {}
        self._programs: OrderedDict[tuple[str, str], Built] = OrderedDict()

    def receive(self, parcel: Parcel) -> None:
        """Keep a parcel."""
        with self._lock:
            self._parcels[parcel.digest] = parcel

    def answer(self, call: Call) -> Answer:
        """Do what the call asks. Whatever goes wrong here is the cluster's trouble and comes back as words."""
        with self._lock:
            lacks = tuple(digest for digest in (call.package, call.submission) if digest not in self._parcels)
        if lacks:
            return Answer(lacks=lacks)
        try:
            return self._answer(call)
        except (HarnessError, OSError) as error:
            return Answer(trouble=str(error))

    def _answer(self, call: Call) -> Answer:
        judging, tasks = self._judging(call)
        built = self._built(call, judging)
        if call.case is None or not isinstance(built, Executable):
            return _build_answer(built)
        group, case = tasks[call.case]
        found = judging.host.pool.alone(
            lambda sandbox, _: judging.case_judge.judge(sandbox, built, group, case), None
        )
        return Answer(result=json.dumps(case_as_json(found)))

    def _judging(self, call: Call) -> tuple[Judging, dict[str, Task]]:
        key = (call.package, call.time_limit_s, call.memory_mib)

        def make() -> tuple[Judging, dict[str, Task]]:
            package = self._package(self._parcels[call.package])
            limits = replace(package.limits, time_limit_s=call.time_limit_s, memory_mib=call.memory_mib)
            judging = Judging(package=replace(package, limits=limits), host=self._host)
            _ = judging.case_judge  # built now, by one thread
            return judging, {task[1].name: task for task in _tasks(judging.package)}

        with self._only_one(call.package):
            if key not in self._judgings:
                self._judgings[key] = make()
            return self._judgings[key]

    def _package(self, parcel: Parcel) -> Package:
        """The package on this worker's disk, its data built from the recipe and held against the lock."""
        root = self._folder / parcel.digest[:16] / parcel.name
        if not root.is_dir():
            parcel.write(root)
        built = load_built(root, self._host)
        if built.report is not None and built.report.drift:
            first = next(" against the lock: ".join(item) for item in built.report.drift.items())
            raise JudgeError(f"{parcel.name}: the data built on this worker is not what the lock says ({first})")
        return built.package

    def _built(self, call: Call, judging: Judging) -> Built:
        key = (call.package, call.submission)
        with self._only_one(call.submission):
            with self._lock:
                known = self._programs.get(key)
                if known is not None:
                    self._programs.move_to_end(key)
                    return known
            parcel = self._parcels[call.submission]
            [built] = judging.build([Entry(program=parcel.program(self._folder))])
            if not isinstance(built, Executable | CompileFailure | Unavailable):
                raise JudgeError("answers that are handed in are not judged on a cluster")
            self._keep(key, built)
            return built

    def _keep(self, key: tuple[str, str], built: Built) -> None:
        with self._lock:
            self._programs[key] = built
            old = self._programs.popitem(last=False)[1] if len(self._programs) > PROGRAMS_KEPT else None
        if isinstance(old, Executable):
            shutil.rmtree(old.directory, ignore_errors=True)

    def _only_one(self, name: str) -> threading.Lock:
        with self._lock:
            return self._locks.setdefault(name, threading.Lock())


def _tasks(package: Package) -> list[Task]:
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
