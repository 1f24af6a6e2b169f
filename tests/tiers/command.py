"""Run `harness` as on another machine: with a given launcher, and where the kernel refuses things.

    python command.py LAUNCHER REFUSED ARGUMENT…    REFUSED: `-`, or `namespaces` and `listener` with a comma between

namespaces: as in Docker's default container. listener: as where the container has a seccomp listener of its own.
"""

import ctypes
import errno
import os
import struct
import sys
from pathlib import Path

import harness.sandbox.contained
from harness.cli import main

CALLS = {
    "x86_64": {"unshare": 272, "setns": 308, "clone": 56, "clone3": 435, "seccomp": 317},
    "aarch64": {"unshare": 97, "setns": 268, "clone": 220, "clone3": 435, "seccomp": 277},
}
ALLOW, ERRNO = 0x7FFF0000, 0x00050000
LOAD, EQUAL, ANY_BIT, RETURN = 0x20, 0x15, 0x45, 0x06
NEW_NAMESPACES = 0x7E020000
NEW_LISTENER = 8
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, FILTER_MODE = 22, 38, 2
# call, which argument, which bits of it are refused (0: all calls), the error
NAMESPACES = (
    ("unshare", 0, NEW_NAMESPACES, errno.EPERM), ("clone", 0, NEW_NAMESPACES, errno.EPERM),
    ("clone3", 0, 0, errno.ENOSYS), ("setns", 0, 0, errno.EPERM),
)  # fmt: skip
LISTENER = (("seccomp", 1, NEW_LISTENER, errno.EBUSY),)


def program(rules: tuple[tuple[str, int, int, int], ...]) -> bytes:
    """The filter: of each rule five instructions; a call that no rule refuses is allowed."""
    numbers, code = CALLS[os.uname().machine], b""
    for name, argument, bits, error in rules:
        code += struct.pack("HBBI", LOAD, 0, 0, 0)
        code += struct.pack("HBBI", EQUAL, 0, 3, numbers[name])
        code += struct.pack("HBBI", LOAD, 0, 0, 16 + 8 * argument)
        code += struct.pack("HBBI", ANY_BIT, 0, 1, bits) if bits else struct.pack("HBBI", EQUAL, 0, 0, 0)
        code += struct.pack("HBBI", RETURN, 0, 0, ERRNO | error)
    return code + struct.pack("HBBI", RETURN, 0, 0, ALLOW)


def refuse(rules: tuple[tuple[str, int, int, int], ...]) -> None:
    """Install the filter in this process and all that it starts."""
    code = program(rules)
    kept = ctypes.create_string_buffer(code)
    given = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(code) // 8, ctypes.addressof(kept)))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(PR_SET_SECCOMP, FILTER_MODE, given, 0, 0):
        sys.exit(f"no seccomp filter: {os.strerror(ctypes.get_errno())}")


if __name__ == "__main__":
    launcher, refused = Path(sys.argv[1]), sys.argv[2].split(",")
    harness.sandbox.contained.launcher_binary = lambda cache=None: launcher
    refuse((NAMESPACES if "namespaces" in refused else ()) + (LISTENER if "listener" in refused else ()))
    sys.argv[:3] = ["harness"]
    main()
