"""Run the command line, or another Python program, in a process that lacks what macOS lacks.

    python as_on_macos.py harness ARGUMENTS…      the command line
    python as_on_macos.py [-I] [-S] FILE ARGUMENTS…      a program that the judge starts with its own interpreter

/proc and /sys cannot be looked at, names that only Linux has are gone, and so are sockets of packets. psutil may do
what it likes, as it reads /proc here in the place of what it asks on macOS. It cannot show that macOS' own kernel
keeps a limit.
"""

import errno
import fcntl
import mmap
import os
import resource
import runpy
import select
import signal
import socket
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

# Names by module: of calls, flags and limits.
_ABSENT = {
    os: """
        O_DIRECT O_NOATIME O_PATH O_RSYNC O_TMPFILE copy_file_range eventfd fdatasync getrandom getresgid getresuid
        getxattr listxattr memfd_create pidfd_open pipe2 posix_fadvise posix_fallocate removexattr sched_getaffinity
        sched_getparam sched_getscheduler sched_rr_get_interval sched_setaffinity sched_setscheduler setns setresgid
        setresuid setxattr splice unshare
    """,
    signal: "SIGPOLL SIGPWR SIGRTMAX SIGRTMIN SIGSTKFLT pidfd_send_signal sigtimedwait sigwaitinfo",
    select: "epoll",
    socket: "AF_ALG AF_NETLINK AF_PACKET SOCK_CLOEXEC SOCK_NONBLOCK SO_PASSCRED SO_PEERCRED",
    resource: """
        RLIMIT_MSGQUEUE RLIMIT_NICE RLIMIT_OFILE RLIMIT_RTPRIO RLIMIT_RTTIME RLIMIT_SIGPENDING RUSAGE_THREAD prlimit
    """,
    fcntl: """
        F_ADD_SEALS F_GETLEASE F_GETPIPE_SZ F_GET_SEALS F_NOTIFY F_OFD_GETLK F_OFD_SETLK F_OFD_SETLKW F_SETLEASE
        F_SETPIPE_SZ F_SETSIG
    """,
    mmap: "MADV_DONTFORK MADV_HUGEPAGE MADV_REMOVE MAP_POPULATE MAP_STACK",
    time: "CLOCK_BOOTTIME CLOCK_TAI pthread_getcpuclockid",
}


def main() -> None:
    """Hide, then run what the arguments say."""
    arguments = sys.argv[1:]
    if arguments[0] == "harness":
        import subprocess  # noqa: F401, PLC0415  # they look at the platform when they are imported

        import psutil  # noqa: F401, PLC0415
    hide()
    sys.executable = os.environ.get("AS_ON_MACOS", sys.executable)
    if arguments[0] == "harness":
        from harness.cli import main as cli  # noqa: PLC0415

        sys.argv = arguments
        cli()
    else:
        sys.argv = [argument for argument in arguments if argument not in ("-I", "-S")]
        runpy.run_path(sys.argv[0], run_name="__main__")


def hide() -> None:
    """Take away from this process what macOS lacks."""
    for module, names in _ABSENT.items():
        for name in names.split():
            if hasattr(module, name):
                delattr(module, name)
    for name in ("stat", "lstat", "listdir", "scandir", "readlink", "access", "open"):
        setattr(os, name, _without_proc(getattr(os, name)))
    sys.addaudithook(_refuse_proc)
    socket.socketpair = _without_packets(socket.socketpair)  # type: ignore[assignment]
    sys.platform = "darwin"


def _without_proc(call: Callable[..., Any]) -> Callable[..., Any]:
    def guarded(path: object = ".", *rest: object, **named: object) -> object:
        _refuse_proc("open", (path,))
        return call(path, *rest, **named)

    return guarded


def _refuse_proc(event: str, arguments: tuple[object, ...]) -> None:
    if event != "open" or not arguments or not isinstance(arguments[0], str | bytes | os.PathLike):
        return
    path = os.fsdecode(arguments[0])
    if path.startswith(("/proc", "/sys", "/dev/shm")) and not _for_psutil():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)


def _for_psutil() -> bool:
    frame = sys._getframe()
    while frame is not None:
        if f"{os.sep}psutil{os.sep}" in frame.f_code.co_filename:
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False


def _without_packets(make: Callable[..., Any]) -> Callable[..., Any]:
    def guarded(family: int | None = None, kind: int = socket.SOCK_STREAM, protocol: int = 0) -> object:
        if kind != socket.SOCK_STREAM and kind != socket.SOCK_DGRAM:
            raise OSError(errno.EPROTONOSUPPORT, os.strerror(errno.EPROTONOSUPPORT))
        return make(family, kind, protocol)

    return guarded


def interpreter(folder: Path) -> Path:
    """Write a program that runs Python programs as this module does; for `sys.executable`."""
    path = folder / "python"
    path.write_text(f'#!/bin/sh\nexec {sys.executable} -S {Path(__file__).resolve()} "$@"\n')
    path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    return path


if __name__ == "__main__":
    main()
