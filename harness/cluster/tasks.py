"""What runs on a Dask worker: a plugin that opens its desk, and the functions that reach it."""

import contextlib
import os
from dataclasses import replace
from pathlib import Path

from distributed import Worker, WorkerPlugin, get_worker

from harness.build.languages import LanguageTable
from harness.cluster.payloads import Parcel
from harness.cluster.worker import Answer, Call, Desk
from harness.host.host import Host, open_host
from harness.host.machine import describe_machine
from harness.results.model import Machine
from harness.sandbox import Isolation, IsolationMode, open_sandboxes
from harness.store.identity import harness_identity

NAME = "harness"


class DeskPlugin(WorkerPlugin):  # type: ignore[misc]
    """Opens a judge host on each worker, a sandbox a thread; Dask calls it on workers that join later, too."""

    name = NAME

    def __init__(self, *, languages: LanguageTable, isolation: IsolationMode, search_path: str) -> None:
        self._languages = languages
        self._isolation = isolation
        self._search_path = search_path
        self._open = contextlib.ExitStack()

    def setup(self, worker: Worker) -> None:
        """The worker begins."""
        self._open = contextlib.ExitStack()
        folder = Path(worker.local_directory) / NAME
        self.host: Host = self._open.enter_context(
            open_host(
                open_sandboxes(self._isolation, worker.state.nthreads, cache=folder),
                table=self._languages,
                search_path=self._search_path,
                cache=folder / "programs",
                as_other_user=os.geteuid() == 0,
            )
        )
        self.desk = Desk(self.host, folder / "packages")

    def teardown(self, worker: Worker) -> None:
        """The worker ends."""
        self._open.close()

    def __getstate__(self) -> dict[str, object]:
        return {
            "_languages": self._languages,
            "_isolation": self._isolation,
            "_search_path": self._search_path,
        }


def answer(call: Call) -> Answer:
    """Do what the call asks, on whichever worker this runs."""
    worker = get_worker()
    desk: Desk = worker.plugins[NAME].desk
    return replace(desk.answer(call), worker=worker.address)


def receive(parcel: Parcel, dask_worker: Worker) -> None:
    """Keep a parcel on this worker."""
    dask_worker.plugins[NAME].desk.receive(parcel)


def describe(dask_worker: Worker) -> tuple[str, Isolation, Machine]:
    """The worker's harness (a digest of its sources), isolation and speed."""
    isolation = dask_worker.plugins[NAME].host.pool.isolation
    return harness_identity(), isolation, describe_machine(calibrate=True)
