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
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, NoReturn

_STREAMS = 3
_MESSAGE_BYTES = 1 << 20


class HarnessServer:
    """A process that forks itself for each call. It ends with the process that started it."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        for end in (self._socket, theirs):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _MESSAGE_BYTES)
        command = [sys.executable, __file__, str(theirs.fileno())]
        self._server = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
        theirs.close()

    def run(
        self, arguments: Sequence[str], cwd: Path, environment: Mapping[str, str], timeout_s: float
    ) -> subprocess.CompletedProcess[str]:
        """Run a command. Raises subprocess.TimeoutExpired."""
        with (
            tempfile.TemporaryFile() as out,
            tempfile.TemporaryFile() as err,
            Path(os.devnull).open("rb") as nothing,
        ):
            request = json.dumps([list(arguments), str(cwd), dict(environment)]).encode()
            socket.send_fds(self._socket, [request], [nothing.fileno(), out.fileno(), err.fileno()])
            pid = int(self._socket.recv(100))
            self._socket.settimeout(timeout_s)
            try:
                status = int(self._socket.recv(100))
            except TimeoutError as error:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, 9)
                self._socket.settimeout(None)
                self._socket.recv(100)
                raise subprocess.TimeoutExpired(list(arguments), timeout_s, _text(out), _text(err)) from error
            return subprocess.CompletedProcess(list(arguments), status, _text(out), _text(err))

    def close(self) -> None:
        """End the server."""
        self._socket.close()
        self._server.wait()


def _text(file: BinaryIO) -> str:
    file.seek(0)
    return file.read().decode()


def _serve(requests: socket.socket) -> None:
    """Fork for each request until there are no more. A fork returns after it has run its command."""
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
    os._exit(code if isinstance(code, int) else 0)


if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parent.parent)  # as `python -m harness` there
    cli = importlib.import_module("harness.cli")
    for module in pkgutil.iter_modules(cli.__path__):
        importlib.import_module(f"harness.cli.{module.name}")
    _serve(socket.socket(fileno=int(sys.argv[1])))
