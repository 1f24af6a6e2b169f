"""A program that runs inside the sandbox: it compiles a Python program once and forks for every run.

    python3 fork_server.py PROGRAM.py          runs on descriptors that the harness passes, for judge programs
    python3 fork_server.py PROGRAM.py batch    runs on inputs that the harness sends over the socket, for searches

Descriptor 0 is a socket to the harness; at its end of file the server ends.

The first kind takes orders from a SOCK_SEQPACKET socket: a JSON message with three descriptors, the run's standard
streams. The answer is a JSON message: what `wait4` returned, why the run was ended, if it was, and whether the server
ends, too. A message during a run ends it. warm_programs.py is the other end.

The second kind takes frames from a SOCK_STREAM socket; batches.py is the other end and documents them, fork_server.c
does the same for compiled programs.

A run behaves as `python3 PROGRAM.py` does: same argv, `__main__`, exit codes, tracebacks, encodings.

Python 3.9 and its standard library, like the programs that it serves.
"""

import ast
import atexit
import gc
import json
import os
import select
import signal
import socket
import struct
import sys
import threading
import time
import traceback
import types

MESSAGE_BYTES = 1 << 16
END = b"end"
BUSY = 0.01  # of a core: a run that uses less counts as asleep
ORDER = struct.Struct("=5I")
REPLY = struct.Struct("=iI3Q2I")
REASONS = (None, "cpu", "wall", "output")  # as the frames number them
ERROR_CAP = 2000
PIECE = 1 << 16


def main():
    """Serve until the harness closes the socket."""
    path = os.path.abspath(sys.argv[1])
    channel = socket.socket(fileno=os.dup(0))
    null = os.open("/dev/null", os.O_RDWR)
    os.dup2(null, 0)
    os.close(null)
    code = prepare(path)
    gc.freeze()  # a collection in a fork would copy every page that it looks at
    (serve_batch if sys.argv[2:] else serve_runs)(channel, path, code)


def serve_runs(channel, path, code):
    """Serve orders with descriptors."""
    while True:
        message, streams, _, _ = socket.recv_fds(channel, MESSAGE_BYTES, 3)
        if not message:
            return
        if message == END:
            continue  # meant for a run that has already ended
        order = json.loads(message)
        pid = os.fork()
        if pid == 0:
            channel.detach()
            become(order, streams)
            run(path, code, order["arguments"])
        for stream in streams:
            os.close(stream)
        reply = watch_run(channel, Watch(pid, order["cpu_s"], order["wall_s"]))
        channel.send(json.dumps(reply).encode())
        if reply["last"]:
            os._exit(0)


def watch_run(channel, watch):
    """Wait for a run; end it at its limits or on a message of the judge. Return the answer to its order."""
    watch.poll.register(channel, select.POLLIN)
    while (ready := watch.wait_event()) is not None:
        if ready:
            watch.killed = "request"
            if channel.recv(MESSAGE_BYTES) != END:
                os._exit(0)
    status, cpu_s, memory_kib = watch.finish()
    return {
        "status": status,
        "killed": watch.killed,
        "cpu_s": cpu_s,
        "memory_bytes": memory_kib * 1024,
        "last": watch.last,
    }


def serve_batch(channel, path, code):
    """Serve frames."""
    frames = channel.makefile("rwb", buffering=1 << 20)
    frames.write(b"ready\n")
    frames.flush()
    while True:
        head = frames.read(ORDER.size)
        if len(head) < ORDER.size:
            return
        argument_bytes, input_bytes, output_cap, cpu_ms, wall_ms = ORDER.unpack(head)
        words = frames.read(argument_bytes).split(b"\0")[:-1]
        given = frames.read(input_bytes)
        pipes = [os.pipe() for _ in range(3)]
        (into, feed), (out, printed), (err, complained) = pipes
        pid = os.fork()
        if pid == 0:
            directory, *arguments = (word.decode("utf-8", "surrogateescape") for word in words)
            become({"directory": directory or ".", "makes": directory}, (into, printed, complained))
            os.closerange(3, 64)
            run(path, code, arguments)
        for descriptor in (into, printed, complained):
            os.close(descriptor)
        batched = BatchedRun(Watch(pid, cpu_ms / 1000, wall_ms / 1000), (feed, out, err), given, output_cap)
        frames.write(batched.reply())
        frames.flush()
        if batched.watch.last:
            os._exit(0)


class BatchedRun:
    """A run with its input and output in memory."""

    def __init__(self, watch, pipes, given, output_cap):
        self.watch, self.output_cap = watch, output_cap
        self.feed, self.out, self.err = pipes
        self.rest = memoryview(given)
        self.kept = {self.out: bytearray(), self.err: bytearray()}
        for descriptor in pipes:
            os.set_blocking(descriptor, False)
        for descriptor in self.kept:
            watch.poll.register(descriptor, select.POLLIN)
        if self.rest:
            watch.poll.register(self.feed, select.POLLOUT)
        else:
            os.close(self.feed)

    def reply(self):
        """Wait for the run, or end it at its limits. Return its reply."""
        watch, kept = self.watch, self.kept
        while (ready := watch.wait_event()) is not None:
            if self.feed in ready and self.rest:
                self.write_input()
            for stream in kept:
                if stream in ready and not self.read_output(stream):
                    watch.poll.unregister(stream)
            self.limit_output()
        status, cpu_s, memory_kib = watch.finish()
        for stream in kept:
            while len(kept[self.out]) <= self.output_cap and self.read_output(stream):
                pass
            os.close(stream)
        if self.rest:
            os.close(self.feed)
        self.limit_output()
        output, errors = bytes(kept[self.out][: self.output_cap]), bytes(kept[self.err][-ERROR_CAP:])
        reason = REASONS.index(watch.killed)
        head = REPLY.pack(status, reason, int(cpu_s * 1_000_000), memory_kib, 0, len(output), len(errors))
        return head + output + errors

    def limit_output(self):
        """End the run if it has exceeded the output limit."""
        if len(self.kept[self.out]) > self.output_cap:
            self.watch.killed = self.watch.killed or "output"

    def write_input(self):
        """Write input until the pipe is full. Drop the rest if the run has closed its end."""
        try:
            self.rest = self.rest[os.write(self.feed, self.rest) :]
        except BlockingIOError:
            return
        except OSError:
            self.rest = self.rest[:0]
        if not self.rest:
            self.watch.poll.unregister(self.feed)
            os.close(self.feed)

    def read_output(self, stream):
        """Read what the pipe holds; return whether it held data."""
        try:
            piece = os.read(stream, PIECE)
        except BlockingIOError:
            return False
        self.kept[stream] += piece
        return bool(piece)


class Watch:
    """Enforces the time limits of a run. poll: callers register further descriptors. killed: why the run must end.

    last: the sandbox does not let us kill the run: the server must exit, which ends it.
    """

    def __init__(self, pid, cpu_s, wall_s):
        self.pid, self.cpu_s = pid, cpu_s
        self.ended = os.pidfd_open(pid)
        self.poll = select.poll()
        self.poll.register(self.ended, select.POLLIN)
        self.clock = SleepClock(time.monotonic(), wall_s)
        self.killed, self.last = None, False

    def used_s(self):
        """Return the CPU time of the run, see clock_gettime(2)."""
        return time.clock_gettime((~self.pid << 3) | 2)

    def wait_event(self):
        """Wait for an event; return the ready descriptors, or None if the run has ended or must end."""
        if self.killed:
            return None
        cpu_s = self.used_s()
        cpu_left_s, wall_left_s = self.cpu_s - cpu_s, self.clock.left_s(time.monotonic(), cpu_s)
        if min(cpu_left_s, wall_left_s) <= 0:
            self.killed = "cpu" if cpu_left_s <= 0 else "wall"
            return None
        ready = dict(self.poll.poll(min(cpu_left_s, wall_left_s) * 1000 + 1))
        return None if self.ended in ready else ready

    def finish(self):
        """End the run and its process group. Return its wait status, CPU seconds and peak memory in KiB."""
        os.close(self.ended)
        if self.killed and not kill(os.kill, self.pid):
            self.last = True
            return signal.SIGKILL, self.used_s(), 0
        _, status, usage = os.wait4(self.pid, 0)
        kill(os.killpg, self.pid)
        return status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def prepare(path):
    """Compile the program and import the standard modules that it uses, so that no fork has to."""
    with open(path, "rb") as file:
        source = file.read()
    sys.path[0] = os.path.dirname(path)
    try:
        tree = ast.parse(source, path)
    except (SyntaxError, ValueError):
        return source  # the run compiles it again and reports the error as Python does
    for node in tree.body:
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module]
        for name in names:
            if name in getattr(sys, "stdlib_module_names", ()):
                __import__(name)
    return compile(tree, path, "exec", dont_inherit=True)


def kill(send, number):
    """Send SIGKILL with os.kill or os.killpg; return False if the sandbox refuses it."""
    try:
        send(number, signal.SIGKILL)
    except ProcessLookupError:
        pass
    except OSError:  # PermissionError, or a sandbox that has no answer
        return False
    return True


class SleepClock:
    """Enforces a wall limit. The time between two polls counts only if the run used hardly any CPU time in it.

    So a run that waits for a core on a busy machine is not stopped, except after ten times the limit.
    """

    def __init__(self, now_s, limit_s):
        self.started_s = self.window_s = now_s
        self.limit_s = limit_s
        self.window_cpu_s = self.asleep_s = 0.0

    def left_s(self, now_s, cpu_s):
        """Return how much longer the run may sleep. cpu_s: the CPU time that it has used so far."""
        window_s = now_s - self.window_s
        if cpu_s - self.window_cpu_s < BUSY * window_s:
            self.asleep_s += window_s
        self.window_s, self.window_cpu_s = now_s, cpu_s
        return min(self.limit_s - self.asleep_s, self.started_s + 10 * self.limit_s - now_s)


def become(order, streams):
    """Set the streams and the folder of a run, in its own process."""
    os.setsid()
    for target, stream in enumerate(streams):
        os.dup2(stream, target)
    os.closerange(3, max(streams) + 2)
    if order["makes"]:
        os.mkdir(order["makes"])
    os.chdir(order["directory"])
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        # As the interpreter made it for our locale; closing it must not close the descriptor.
        before = getattr(sys, name)
        buffering = 1 if number == 2 else -1
        stream = open(number, mode, buffering, encoding=before.encoding, errors=before.errors, closefd=False)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def run(path, code, arguments):
    """Execute the program, then exit."""
    sys.argv = [path, *arguments]
    module = types.ModuleType("__main__")
    module.__file__ = path
    module.__builtins__ = __builtins__
    sys.modules["__main__"] = module
    sys.setrecursionlimit(sys.getrecursionlimit() + depth() + 1)  # exec is a call, too
    try:
        exec(code if isinstance(code, types.CodeType) else compile(code, path, "exec"), module.__dict__)
        status = 0
    except SystemExit as error:
        status = exit_status(error.code)
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        traceback.print_exception(type(error), error, error.__traceback__)
        status = 1
    finish(status)


def depth():
    """Return the depth of our own call stack, which an ordinary run does not have."""
    frame, calls = sys._getframe(1), 0
    while frame is not None:
        frame, calls = frame.f_back, calls + 1
    return calls


def exit_status(code):
    """Return the exit status that the interpreter gives for `sys.exit(code)`."""
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    try:
        (sys.stderr or sys.__stderr__).write(f"{code}\n")
    except Exception:  # closed, or not text: the interpreter prints nothing then, either
        os.write(2, b"\n")
    return 1


def finish(status):
    """Exit as the interpreter does: join threads, run exit functions, flush streams."""
    threading._shutdown()
    atexit._run_exitfuncs()
    for stream, status_if_broken in ((sys.stdout, 120), (sys.stderr, status)):
        try:
            if stream is not None and not stream.closed:
                stream.flush()
        except OSError:
            status = status_if_broken
    os._exit(status)


if __name__ == "__main__":
    main()
