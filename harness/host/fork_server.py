"""Run as a program of its own, inside the sandbox: a Python program, compiled once, forked for every run.

    python3 fork_server.py PROGRAM.py        descriptor 0 is a SOCK_SEQPACKET socket to the judge

An order is one JSON message with three descriptors, the run's standard streams. The answer is one JSON message:
what `wait4` said, why the run was ended, if it was, and whether the server ends with it. A message during a run ends
it; the end of file ends all.
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
import sys
import threading
import time
import traceback
import types

MESSAGE_BYTES = 1 << 16
END = b"end"
BUSY = 0.01  # of a core


def main():
    """Serve until the judge closes the socket."""
    channel = socket.socket(fileno=0)
    path = os.path.abspath(sys.argv[1])
    code = prepare(path)
    gc.freeze()  # a collection in a fork would copy every page that it looks at
    while True:
        message, streams, _, _ = socket.recv_fds(channel, MESSAGE_BYTES, 3)
        if not message:
            return
        if message == END:
            continue  # the run that this was meant for has ended by itself
        order = json.loads(message)
        pid = os.fork()
        if pid == 0:
            channel.detach()
            become(order, streams)
            run(path, code, order["arguments"])
        for stream in streams:
            os.close(stream)
        reply = watch(channel, pid, order)
        channel.send(json.dumps(reply).encode())
        if reply["last"]:
            os._exit(0)


def prepare(path):
    """Compile the program and import the standard modules that it names, so that no fork has to."""
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


def watch(channel, pid, order):
    """Wait for a run; stop it when its time is up or the judge says so."""
    ended = os.pidfd_open(pid)
    poll = select.poll()
    poll.register(ended, select.POLLIN)
    poll.register(channel, select.POLLIN)
    clock = SleepClock(time.monotonic(), order["wall_s"])
    killed = None
    while killed is None:
        cpu_s = time.clock_gettime((~pid << 3) | 2)  # its CPU clock, see clock_gettime(2)
        cpu_left_s, wall_left_s = order["cpu_s"] - cpu_s, clock.left_s(time.monotonic(), cpu_s)
        if min(cpu_left_s, wall_left_s) <= 0:
            killed = "cpu" if cpu_left_s <= 0 else "wall"
            break
        ready = dict(poll.poll(min(cpu_left_s, wall_left_s) * 1000 + 1))
        if ended in ready:
            break
        if ready:
            killed = "request"
            if channel.recv(MESSAGE_BYTES) != END:
                os._exit(0)
    os.close(ended)
    if killed and not kill(os.kill, pid):
        cpu_s = time.clock_gettime((~pid << 3) | 2)
        return {"status": signal.SIGKILL, "killed": killed, "cpu_s": cpu_s, "memory_bytes": 0, "last": True}
    _, status, usage = os.wait4(pid, 0)
    kill(os.killpg, pid)  # what the run left behind
    return {
        "status": status,
        "killed": killed,
        "cpu_s": usage.ru_utime + usage.ru_stime,
        "memory_bytes": usage.ru_maxrss * 1024,
        "last": False,
    }


def kill(send, number):
    """Send SIGKILL with os.kill or os.killpg; False where the sandbox refuses it: then only our own end ends a run."""
    try:
        send(number, signal.SIGKILL)
    except ProcessLookupError:
        pass
    except OSError:  # PermissionError, or a sandbox that has no answer
        return False
    return True


class SleepClock:
    """Holds a run to its wall limit: time counts only between two looks in which it used next to no CPU time.

    One that a busy machine starves still uses some; ten times the limit is the end all the same.
    """

    def __init__(self, now_s, limit_s):
        self.started_s = self.window_s = now_s
        self.limit_s = limit_s
        self.window_cpu_s = self.asleep_s = 0.0

    def left_s(self, now_s, cpu_s):
        """How long it may sleep on, with the CPU time that it has used so far."""
        window_s = now_s - self.window_s
        if cpu_s - self.window_cpu_s < BUSY * window_s:
            self.asleep_s += window_s
        self.window_s, self.window_cpu_s = now_s, cpu_s
        return min(self.limit_s - self.asleep_s, self.started_s + 10 * self.limit_s - now_s)


def become(order, streams):
    """Take on the streams and the folder of a run; its limits are held from outside."""
    os.setsid()
    for target, stream in enumerate(streams):
        os.dup2(stream, target)
    os.closerange(3, max(streams) + 2)
    if order["makes"]:
        os.mkdir(order["makes"])
    os.chdir(order["directory"])
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        before = getattr(
            sys, name
        )  # as the interpreter made it for our locale; who closes it keeps the descriptor
        buffering = 1 if number == 2 else -1
        stream = open(number, mode, buffering, encoding=before.encoding, errors=before.errors, closefd=False)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def run(path, code, arguments):
    """Be the program; never returns."""
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
    """How many calls are under way here, which a program of its own would not have below it."""
    frame, calls = sys._getframe(1), 0
    while frame is not None:
        frame, calls = frame.f_back, calls + 1
    return calls


def exit_status(code):
    """What the interpreter makes of `sys.exit(code)`."""
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    try:
        (sys.stderr or sys.__stderr__).write(f"{code}\n")
    except Exception:  # closed, or no text: the interpreter says no more, either
        os.write(2, b"\n")
    return 1


def finish(status):
    """End as the interpreter does: threads, exit functions, streams."""
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
