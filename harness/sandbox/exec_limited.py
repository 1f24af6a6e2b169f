"""Run as a program of its own: sets its limits, drops its privileges, then executes the command.

The plain tier starts it as `python -I -S exec_limited.py FD` and writes one JSON object to it through that
descriptor. It does what a `preexec_fn` would do, which is unsafe in a threaded judge. It writes back a line with the
CPU seconds that it has used itself; if exec then fails, the reason follows.
"""

import json
import os
import resource
import socket
import sys
import time


def main() -> None:
    """Read the order, set its limits, exec."""
    channel = socket.socket(fileno=int(sys.argv[1]))
    channel.set_inheritable(False)
    order = json.loads(channel.makefile("rb").readline())
    try:
        _become(order)
        channel.sendall(f"{time.process_time()}\n".encode())
        os.execve(order["argv"][0], order["argv"], order["environment"])  # noqa: S606 - this is the module's job
    except (OSError, ValueError) as error:
        channel.sendall(f"0\n{error}".encode())
        os._exit(127)


def _become(order: dict[str, object]) -> None:
    os.umask(0o077)
    for name, value in dict(order["rlimits"]).items():  # type: ignore[call-overload]
        _limit(getattr(resource, name), value)
    uid = order["uid"]
    if isinstance(uid, int):
        os.setgroups([int(str(order["gid"]))])
        os.setregid(uid, uid)  # for root these set the saved ids, too; macOS has no setresuid
        os.setreuid(uid, uid)
    os.chdir(str(order["directory"]))  # last: its user could not open his own files elsewhere


def _limit(which: int, value: int) -> None:
    # An ordinary user may lower a hard limit but not raise it, on macOS not even root may: take what is allowed.
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY and (os.geteuid() != 0 or sys.platform != "linux"):
        value = min(value, hard)
    resource.setrlimit(which, (value, value))


if __name__ == "__main__":
    main()
