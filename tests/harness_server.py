"""Run `harness` in forks of a process that has imported it, which saves each call its start: half a second of CPU.

A fork is a process as any other: its own arguments, folder, environment, streams and exit code. What only a fresh
interpreter shows (its options, the locale, the hash seed) is tested by calls that start one.
"""

import atexit
import contextlib
import importlib
import json
import os
import pkgutil
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NoReturn

_STREAMS = 3
_MESSAGE_BYTES = 1 << 20
_NUMBER_BYTES = 100


class HarnessServer:
    """A process that forks itself for each call. It ends with the process that started it.

    is_usable: False after a call that did not end as it should, whose replies may still come.
    """

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        for end in (self._socket, theirs):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _MESSAGE_BYTES)
        command = [sys.executable, __file__, str(theirs.fileno())]
        self._server = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
        theirs.close()
        self.is_usable = True

    def run(
        self, arguments: Sequence[str], cwd: Path, environment: Mapping[str, str], timeout_s: float
    ) -> subprocess.CompletedProcess[str]:
        """Run a command until it has ended and nobody holds its output. Raises subprocess.TimeoutExpired."""
        request = json.dumps([list(arguments), str(cwd), dict(environment)]).encode()
        self.is_usable, pid = False, 0
        try:
            with os.fdopen(os.open(os.devnull, os.O_RDONLY)) as nothing, _pipe() as out, _pipe() as err:
                socket.send_fds(self._socket, [request], [nothing.fileno(), out.writing, err.writing])
                pid = int(self._socket.recv(_NUMBER_BYTES))
                out.close_writing()
                err.close_writing()
                texts = _read_all((out.reading, err.reading), timeout_s)
            status = int(self._socket.recv(_NUMBER_BYTES))
        except BaseException:
            if pid > 0:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self.close()
            raise
        self.is_usable = True
        return subprocess.CompletedProcess(list(arguments), status, *texts)

    def close(self) -> None:
        """End the server."""
        self._socket.close()
        self._server.kill()
        self._server.wait()


class _Pipe:
    def __init__(self) -> None:
        self.reading, self.writing = os.pipe()

    def close_writing(self) -> None:
        if self.writing >= 0:
            os.close(self.writing)
        self.writing = -1


@contextlib.contextmanager
def _pipe() -> Iterator[_Pipe]:
    pipe = _Pipe()
    try:
        yield pipe
    finally:
        pipe.close_writing()
        os.close(pipe.reading)


def _read_all(descriptors: Sequence[int], timeout_s: float) -> list[str]:
    """Read to the end of all descriptors. Raises subprocess.TimeoutExpired."""
    texts = {descriptor: bytearray() for descriptor in descriptors}
    end_s = time.monotonic() + timeout_s
    with selectors.DefaultSelector() as waiting:
        for descriptor in descriptors:
            waiting.register(descriptor, selectors.EVENT_READ)
        while waiting.get_map():
            ready = waiting.select(end_s - time.monotonic())
            if not ready:
                raise subprocess.TimeoutExpired("harness", timeout_s)
            for key, _ in ready:
                some = os.read(key.fd, 1 << 16)
                texts[key.fd] += some
                if not some:
                    waiting.unregister(key.fd)
    return [text.decode() for text in texts.values()]


def _serve(requests: socket.socket) -> None:
    """Fork for each request until there are no more."""
    while True:
        request, streams, *_ = socket.recv_fds(requests, _MESSAGE_BYTES, _STREAMS)
        if not request:
            return
        pid = os.fork()
        if pid == 0:
            requests.close()
            _run(*json.loads(request), streams)
        for stream in streams:
            os.close(stream)
        requests.send(b"%d" % pid)
        requests.send(b"%d" % os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


def _run(arguments: list[str], cwd: str, environment: dict[str, str], streams: Sequence[int]) -> NoReturn:
    """Run a command in this process and end it, without the time that an interpreter takes to free its memory."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    # Those of the server remember what kind of file they were opened on.
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(cwd)
    sys.argv[1:] = arguments
    code: object = 1
    try:
        importlib.import_module("harness.cli").main()
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parent.parent)  # as `python -m harness` there
    cli = importlib.import_module("harness.cli")
    for module in pkgutil.iter_modules(cli.__path__):
        importlib.import_module(f"harness.cli.{module.name}")
    _serve(socket.socket(fileno=int(sys.argv[1])))
