"""Run as a program of its own, inside the sandbox: a Python program, compiled once, forked for each input of a batch.

    python3 batch_server.py PROGRAM.py       descriptor 0 is a stream socket to the harness

The twin of batch_server.c; batch.py is the other end and documents the frames. fork_server.py, which serves judge
programs one run at a time, lies beside it and says how a fork becomes the program.

Python 3.9 and its standard library.
"""

import gc
import os
import select
import signal
import socket
import struct
import sys
import time

import fork_server

ORDER = struct.Struct("=5I")
REPLY = struct.Struct("=iI3Q2I")
CPU, WALL, OUTPUT = 1, 2, 3
ERROR_CAP = 2000
PIECE = 1 << 16


def main():
    """Serve until the harness closes the socket."""
    path = os.path.abspath(sys.argv[1])
    channel = socket.socket(fileno=os.dup(0)).makefile("rwb", buffering=1 << 20)
    null = os.open("/dev/null", os.O_RDWR)
    os.dup2(null, 0)
    os.close(null)
    code = fork_server.prepare(path)
    gc.freeze()  # a collection in a fork would copy every page that it looks at
    channel.write(b"ready\n")
    channel.flush()
    while True:
        head = channel.read(ORDER.size)
        if len(head) < ORDER.size:
            return
        argument_bytes, input_bytes, output_cap, cpu_ms, wall_ms = ORDER.unpack(head)
        words = channel.read(argument_bytes).split(b"\0")[:-1]
        given = channel.read(input_bytes)
        pipes = [os.pipe() for _ in range(3)]
        (into, feed), (out, printed), (err, complained) = pipes
        pid = os.fork()
        if pid == 0:
            directory, *arguments = (word.decode("utf-8", "surrogateescape") for word in words)
            order = {"directory": directory or ".", "makes": directory}
            fork_server.become(order, (into, printed, complained))
            os.closerange(3, 64)
            fork_server.run(path, code, arguments)
        for descriptor in (into, printed, complained):
            os.close(descriptor)
        reply, last = watch(pid, feed, out, err, given, output_cap, cpu_ms / 1000, wall_ms / 1000)
        channel.write(reply)
        channel.flush()
        if last:
            os._exit(0)


def watch(pid, feed, out, err, given, output_cap, cpu_s, wall_s):
    """Feed a run, take what it prints, stop it at its limits; the reply, and whether only our end ends the run."""
    ended = os.pidfd_open(pid)
    poll = select.poll()
    kept = {out: bytearray(), err: bytearray()}
    rest, killed = memoryview(given), 0
    for descriptor in (feed, out, err):
        os.set_blocking(descriptor, False)
    for descriptor in (out, err, ended):
        poll.register(descriptor, select.POLLIN)
    if rest:
        poll.register(feed, select.POLLOUT)
    else:
        os.close(feed)
    deadline_s = time.monotonic() + wall_s
    while not killed:
        cpu_left_s = cpu_s - time.clock_gettime((~pid << 3) | 2)  # its CPU clock, see clock_gettime(2)
        wall_left_s = deadline_s - time.monotonic()
        if min(cpu_left_s, wall_left_s) <= 0:
            killed = CPU if cpu_left_s <= 0 else WALL
            break
        ready = dict(poll.poll(min(cpu_left_s, wall_left_s) * 1000 + 1))
        if feed in ready and rest:
            rest = fed(feed, rest)
            if not rest:
                poll.unregister(feed)
                os.close(feed)
        for stream in (out, err):
            if stream in ready and not take(stream, kept[stream]):
                poll.unregister(stream)
        if len(kept[out]) > output_cap:
            killed = OUTPUT
        if ended in ready:
            break
    last = bool(killed) and not fork_server.kill(os.kill, pid)
    status, cpu_us, peak_kib = signal.SIGKILL, 0, 0
    if not last:
        _, status, usage = os.wait4(pid, 0)
        fork_server.kill(os.killpg, pid)  # what the run left behind
        cpu_us, peak_kib = int((usage.ru_utime + usage.ru_stime) * 1_000_000), usage.ru_maxrss
    for stream in (out, err):
        while len(kept[out]) <= output_cap and take(stream, kept[stream]):
            pass
        os.close(stream)
    if rest:
        os.close(feed)
    os.close(ended)
    if len(kept[out]) > output_cap and not killed:
        killed = OUTPUT
    printed, complained = bytes(kept[out][:output_cap]), bytes(kept[err][-ERROR_CAP:])
    head = REPLY.pack(status, killed, cpu_us, peak_kib, 0, len(printed), len(complained))
    return head + printed + complained, last


def fed(feed, rest):
    """Write what the pipe takes; what is left, nothing if nobody reads any more."""
    try:
        return rest[os.write(feed, rest) :]
    except BlockingIOError:
        return rest
    except OSError:
        return rest[:0]


def take(stream, kept):
    """Read what there is; whether there was anything."""
    try:
        piece = os.read(stream, PIECE)
    except BlockingIOError:
        return False
    kept += piece
    return bool(piece)


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    main()
