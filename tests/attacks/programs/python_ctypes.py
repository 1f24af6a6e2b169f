"""Goes to the kernel by ctypes: ptrace, bpf, keyctl, unshare, mount, socket."""

from attack import escaped, target

import ctypes
import platform

calls = {"x86_64": {"ptrace": (101, 16, 1), "unshare": (272, 0x10000000), "socket": (41, 2, 1, 0), "keyctl": (250, 0, -3, 1)}}
libc = ctypes.CDLL(None, use_errno=True)
for name, call in calls.get(platform.machine(), {}).items():
    if libc.syscall(*call) >= 0:
        escaped(name)
if libc.unshare(0x10000000) == 0 or libc.socket(2, 1, 0) >= 0:
    escaped("by libc")
