"""The facts of a run are exact, and each limit holds."""

import errno
import os
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from harness.build.languages import Language, run_with_checks
from harness.errors import MachineError
from harness.sandbox.contained import ContainedSandbox
from harness.sandbox.facts import DEFAULT_STACK_BYTES, MIB, Command, KillReason, Tier
from harness.sandbox.launcher import Server
from harness.sandbox.opening import best_isolation

from .conftest import (
    LIMITS,
    Box,
    make_box,
    public_directory,
    stack_limit_of_the_judge,
    twenty_rivals,
    undisturbed,
)

PYTHON = "/usr/bin/python3"


def test_exit_code_and_streams(box: Box) -> None:
    done = box.run("/bin/sh", "-c", "cat; echo oops >&2; exit 7", stdin=b"abc")
    assert (done.facts.exit_code, done.facts.signal, done.out, done.err) == (7, None, b"abc", b"oops\n")
    assert done.facts.killed_for is None
    assert done.facts.output_bytes == 8


def test_signal(box: Box) -> None:
    done = box.run(PYTHON, "-c", "import os; os.abort()")
    assert (done.facts.exit_code, done.facts.signal) == (None, signal.SIGABRT)
    assert done.facts.killed_for is None


def test_nobody_fakes_the_end_by_the_clock(box: Box) -> None:
    facts = box.run("/bin/sh", "-c", "kill -XCPU $$").facts
    assert (facts.signal, facts.killed_for) == (signal.SIGXCPU, None)


def test_hello_is_small_and_quick(box: Box) -> None:
    """A static hello reports under 2 MB, whatever the size of the judge."""
    ballast = bytearray(b"\1" * (256 * MIB))
    hello = box.compile_c('#include <stdio.h>\nint main(void) { puts("hello"); }', "hello", "-static")
    assert box.run(hello).out == b"hello\n"
    facts = undisturbed(lambda: box.run(hello).facts, lambda facts: facts.cpu_s < 0.02)
    assert facts.memory_bytes < 2 * 10**6
    assert facts.cpu_s < 0.02
    del ballast


def test_the_stack_is_not_what_the_judge_s_shell_allows(sandbox: ContainedSandbox) -> None:
    tier = sandbox.isolation.tier
    with stack_limit_of_the_judge(512 * MIB), ContainedSandbox(tier) as fresh, public_directory() as root:
        done = make_box(fresh, root).run("/bin/sh", "-c", "ulimit -s; ulimit -H -s")
    assert done.out == b"%d\n" % (DEFAULT_STACK_BYTES // 1024) * 2


def test_memory_of_100_mib_is_100_mib(box: Box) -> None:
    source = "#include <stdlib.h>\n#include <string.h>\nint main(void) { char *p = malloc(100 << 20);"
    program = box.compile_c(
        source + 'memset(p, 1, 100 << 20); __asm__("" :: "r"(p) : "memory"); }', "p", "-static"
    )
    assert box.run(program).facts.memory_bytes == pytest.approx(100 * MIB, rel=0.01)


def test_memory_of_children_adds_up_and_shared_pages_count_once(box: Box) -> None:
    """60 MiB that are inherited, and two children with 30 MiB of their own each: 120 MiB."""
    program = box.compile_c(
        """
        #include <stdlib.h>
        #include <string.h>
        #include <sys/wait.h>
        #include <unistd.h>
        static void fill(size_t n) {
            char *p = malloc(n << 20);
            memset(p, 1, n << 20);
            __asm__("" :: "r"(p) : "memory");
        }
        int main(void) {
            int full[2], end[2];
            char c;
            pipe(full), pipe(end);
            fill(60);
            for (int i = 0; i < 2; i++)
                if (fork() == 0) {
                    close(end[1]);
                    fill(30);
                    write(full[1], "", 1);
                    read(end[0], &c, 1);
                    _exit(0);
                }
            read(full[0], &c, 1), read(full[0], &c, 1);
            usleep(500000);
            close(end[1]);
            while (wait(0) > 0);
        }""",
        "p",
        "-static",
    )
    expected = pytest.approx(120 * MIB, rel=0.03)
    facts = undisturbed(lambda: box.run(program).facts, lambda facts: facts.memory_bytes == expected)
    assert facts.memory_bytes == expected


@pytest.mark.parametrize("how", ["private", "shared", "stack", "children", "veiled children"])
def test_memory_limit(box: Box, how: str) -> None:
    """Whichever way memory is taken, the program ends before it has twice its limit."""
    program = box.compile_c(
        """
        #include <stdlib.h>
        #include <string.h>
        #include <sys/mman.h>
        #include <sys/prctl.h>
        #include <sys/wait.h>
        #include <unistd.h>
        static void deep(int n) {
            char frame[100000];
            memset(frame, 1, sizeof frame);
            if (n) deep(n - 1);
            __asm__("" :: "r"(frame) : "memory");
        }
        static void four(void) {
            for (int i = 0; i < 4; i++)
                if (!fork()) { char *p = malloc(40 << 20); memset(p, 1, 40 << 20); pause(); }
            while (wait(0) > 0);
        }
        static void fill(int flags) {
            for (int i = 0; i < 64; i++) {
                char *p = mmap(0, 8 << 20, 3, flags | MAP_ANONYMOUS, -1, 0);
                if (p == MAP_FAILED) _exit(3);
                memset(p, 1, 8 << 20);
            }
        }
        int main(int argc, char **argv) {
            switch (argv[1][1]) {
            case 'r': fill(MAP_PRIVATE); break;
            case 'h': if (argv[1][0] == 's') fill(MAP_SHARED);
                else four();
                break;
            case 'e': prctl(PR_SET_DUMPABLE, 0); /* nobody may look into it who is not all-powerful */
                four();
                break;
            case 't': deep(5000); break;
            }
            return 0;
        }""",
        "p",
        "-static",
    )
    limits = replace(LIMITS, memory_bytes=100 * MIB, stack_bytes=1024 * MIB, wall_s=5)
    facts = box.run(program, how, limits=limits).facts
    assert facts.killed_for is KillReason.MEMORY or facts.exit_code == 3 or facts.memory_bytes > 100 * MIB
    assert facts.exit_code != 0 or facts.memory_bytes > 100 * MIB
    assert facts.memory_bytes < 220 * MIB or how == "stack"
    assert facts.killed_for is not KillReason.WALL


def test_page_tables_count_where_the_address_space_is_not_held(box: Box) -> None:
    """A byte each in 2^16 tables of 4 KiB is read, and not a page is the program's own."""
    program = box.compile_c(
        """
        #include <sys/mman.h>
        int main(void) {
            volatile char *p = mmap(0, 1UL << 40, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            if (p == MAP_FAILED) return 7;
            for (long i = 0; i < 1 << 16; i++) p[i << 21];
        }""",
        "p",
        "-static",
    )
    limits = replace(LIMITS, memory_bytes=100 * MIB, cap_data_segment=False)
    assert box.run(program, limits=limits).facts.exit_code == 7
    facts = box.run(program, limits=replace(limits, cap_address_space=False)).facts
    assert facts.killed_for is KillReason.MEMORY
    assert 100 * MIB <= facts.memory_bytes < 200 * MIB


def test_a_program_with_checks_of_addresses_runs_and_names_its_line(box: Box) -> None:
    source = """
        #include <stdlib.h>
        int main(int argc, char **argv) { int *a = calloc(argc, 4); return a[argc - 1 + (argc > 1)]; }
    """
    row = run_with_checks(Language(code="c", name="C", run=("{binary}",)))
    program = box.compile_c(source, "p", "-g", "-O0", "-fsanitize=address")
    limits = replace(LIMITS, cap_data_segment=row.cap_data, cap_address_space=row.cap_addresses)
    assert box.run(program, limits=limits, environment=row.environment).facts.exit_code == 0
    done = box.run(program, "one", limits=limits, environment=row.environment)
    assert done.facts.exit_code == 1
    assert b"heap-buffer-overflow" in done.err
    assert b"p.c:3" in done.err


@pytest.mark.parametrize("limit_s", [0.05, 1.0])
def test_cpu_limit_is_overshot_by_10_ms_at_most(box: Box, limit_s: float) -> None:
    program = box.compile_c("int main(void) { for (;;); }", "p", "-static")
    limits = replace(LIMITS, cpu_s=limit_s)
    facts = undisturbed(lambda: box.run(program, limits=limits).facts, lambda facts: facts.cpu_s < limit_s + 0.01)
    assert facts.killed_for is KillReason.CPU
    assert limit_s < facts.cpu_s < limit_s + 0.01


def test_cpu_of_threads_adds_up(box: Box) -> None:
    program = box.compile_c(
        """
        #include <pthread.h>
        static void *f(void *p) { for (;;); return p; }
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); f(0); }""",
        "p",
        "-static",
    )
    limits = replace(LIMITS, cpu_s=0.4, may_fork=False)
    facts = undisturbed(lambda: box.run(program, limits=limits).facts, lambda facts: facts.cpu_s < 0.42)
    assert facts.killed_for is KillReason.CPU
    assert 0.4 < facts.cpu_s < 0.42


# `child` forks and burns 50 ms in the child; `ended` waits, without reaping, until all children have ended.
BURN = """
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static int ends[2];
static void spin(double s) { while (clock() < s * CLOCKS_PER_SEC); }
static void child(void) { if (!fork()) { spin(0.05); _exit(0); } }
static void ended(void) { char c; close(ends[1]); read(ends[0], &c, 1); }
static void six(void) { for (int i = 0; i < 6; i++) child(); ended(); }
"""
TRICKS = {
    "unreaped": "six();",
    "daemons": "for (int i = 0; i < 6; i++) if (!fork()) { setsid(); child(); _exit(0); } ended();",
    "ignored": "signal(SIGCHLD, SIG_IGN); six();",
    "no_wait": "struct sigaction a = {.sa_flags = SA_NOCLDWAIT}; sigaction(SIGCHLD, &a, 0); six();",
    "reaped": "six(); while (wait(0) > 0);",
    "still_running": 'if (!fork()) { spin(0.3); write(ends[1], "x", 1); for (;;) pause(); } ended();',
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("trick", TRICKS)
def test_cpu_of_children_cannot_be_hidden(box: Box, trick: str) -> None:
    """0.3 s of CPU time in children are 0.3 s within 2 % (and a little for each fork)."""
    program = box.compile_c(BURN + f"int main(void) {{ pipe(ends); {TRICKS[trick]} return 0; }}", "p", "-static")
    facts = undisturbed(lambda: box.run(program).facts, lambda facts: facts.cpu_s < 0.312)
    assert facts.exit_code == 0
    assert 0.298 < facts.cpu_s < 0.312


def test_cpu_limit_counts_the_children(box: Box) -> None:
    source = "#include <unistd.h>\nint main(void) { if (!fork()) for (;;); for (;;) pause(); }"
    program, limits = box.compile_c(source, "p", "-static"), replace(LIMITS, cpu_s=0.3)
    facts = undisturbed(lambda: box.run(program, limits=limits).facts, lambda facts: facts.cpu_s < 0.32)
    assert facts.killed_for is KillReason.CPU
    assert 0.3 < facts.cpu_s < 0.32


def test_wall_limit(box: Box) -> None:
    limits = replace(LIMITS, wall_s=0.3)
    facts = undisturbed(
        lambda: box.run("/bin/sleep", "100", limits=limits).facts, lambda facts: facts.wall_s < 0.35
    )
    assert facts.killed_for is KillReason.WALL
    assert 0.3 < facts.wall_s < 0.35
    assert facts.cpu_s < 0.05


def test_sleep_is_measured_and_a_short_run_has_none(box: Box) -> None:
    facts = box.run("/bin/sleep", "1", limits=LIMITS).facts
    assert facts.asleep_s is not None and 0.4 < facts.asleep_s <= facts.wall_s
    source = "#include <time.h>\nint main(void) { while (clock() < CLOCKS_PER_SEC / 2); }"
    spun = box.run(box.compile_c(source, "p", "-static"), limits=LIMITS).facts
    assert spun.asleep_s is not None and spun.asleep_s < 0.2


@pytest.mark.slow
def test_starved_program_is_not_taken_for_a_sleeper(box: Box) -> None:
    source = "#include <time.h>\nint main(void) { while (clock() < CLOCKS_PER_SEC / 5); }"
    program = box.compile_c(source, "p", "-static")
    with twenty_rivals(), ContainedSandbox(box.sandbox.isolation.tier) as starved:
        box = replace(box, sandbox=starved)
        spinning = box.run(program, limits=replace(LIMITS, wall_s=1.0)).facts
        sleeping = box.run("/bin/sleep", "100", limits=replace(LIMITS, wall_s=1.0)).facts
    assert spinning.killed_for is None
    assert spinning.wall_s > 1.5, "it was not starved, so nothing is shown"
    assert spinning.asleep_s is not None and spinning.asleep_s < 0.5
    assert spinning.starved_s > 1.0 and sleeping.starved_s < 0.5
    assert sleeping.killed_for is KillReason.WALL


@pytest.mark.parametrize("stream", ["1", "2"])
def test_output_limit(box: Box, stream: str) -> None:
    """One byte over is over, the limit itself is not; SIGXFSZ kills or is ignored (Python)."""
    limits = replace(LIMITS, output_bytes=1000)
    for size, over in ((1000, False), (1001, True), (100_000, True)):
        command = f"import os; os.write({stream}, b'x' * {size}); os.write({stream}, b'') "
        facts = box.run(PYTHON, "-c", command, limits=limits).facts
        assert (facts.killed_for is KillReason.OUTPUT) is over
        assert facts.output_bytes == min(size, 1001)
    endless = box.compile_c('#include <stdio.h>\nint main(void) { for (;;) puts("x"); }', "p")
    facts = box.run(endless, limits=limits).facts
    assert facts.killed_for is KillReason.OUTPUT
    assert facts.signal == signal.SIGXFSZ


def test_output_limit_holds_for_both_streams_together(box: Box) -> None:
    limits = replace(LIMITS, output_bytes=1000)
    facts = box.run("/bin/sh", "-c", "printf %600d 1; printf %600d 1 >&2", limits=limits).facts
    assert facts.killed_for is KillReason.OUTPUT
    assert facts.output_bytes == 1200


def test_small_files_do_not_fill_a_disk(box: Box) -> None:
    """What was removed or written over counts too, whoever wrote it."""
    limits = replace(LIMITS, output_bytes=MIB, written_bytes=16 * MIB)
    write = "head -c 1000000 /dev/zero > f"
    often = f"while :; do {write}; done"
    for command, over in (
        (f"{write}; {write}", False),
        (often, True),
        (f"(setsid sh -c '{often}' &); sleep 20", True),
    ):
        facts = box.run("/bin/sh", "-c", command, limits=limits, writable_directory=True).facts
        assert (facts.killed_for is KillReason.OUTPUT) is over
    assert (box.directory / "f").stat().st_size <= MIB


def test_a_submission_that_may_write_files_is_a_submission(box: Box) -> None:
    """It gets its children back, with their CPU time, though it ignores their end; and no memory that is nobody's."""
    script = """
import mmap, os, signal
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
child = os.fork() or os._exit(0)
os.waitpid(child, 0)
try:
    mmap.mmap(-1, 4096)
except PermissionError:
    open("held", "w")
"""
    command = (PYTHON, "-c", script)
    done = box.run(*command, writable_directory=True)
    assert b"ChildProcessError" in done.err
    done = box.run(*command, writable_directory=True, submission_rules=True)
    assert (done.facts.exit_code, (box.directory / "held").exists()) == (0, True), done.err


def test_what_goes_into_a_pipe_is_counted(box: Box) -> None:
    reader, writer = os.pipe()
    null = os.open("/dev/null", os.O_RDWR)
    command = Command(argv=("/usr/bin/head", "-c", "50000", "/dev/urandom"), directory=box.directory)
    run = box.sandbox.start(command, LIMITS, stdin=null, stdout=writer, stderr=null)
    facts = run.wait()
    for descriptor in (reader, writer, null):
        os.close(descriptor)
    assert facts.output_bytes == 50_000


def test_environment_is_what_was_given(box: Box) -> None:
    assert box.run("/usr/bin/env").out == b""
    assert box.run("/usr/bin/env", environment={"A": "b c"}).out == b"A=b c\n"


def test_working_directory_is_read_only_unless_said(box: Box) -> None:
    if box.tier is Tier.FILTERED and os.geteuid() != 0:
        pytest.skip("T1 runs as the user whose directory it is, and nothing stops it")
    assert box.run("/bin/sh", "-c", "pwd; echo x > new").facts.exit_code == 2
    assert not (box.directory / "new").exists()
    done = box.run("/bin/sh", "-c", "echo x > new; mkdir -p a/b; ln -s /etc/passwd a/l", writable_directory=True)
    assert done.facts.exit_code == 0
    for path in (box.directory, box.directory / "new", box.directory / "a" / "b", box.directory / "a" / "l"):
        assert path.lstat().st_uid == os.geteuid()
    assert box.run("/bin/sh", "-c", "echo y > new").facts.exit_code == 2
    assert (box.directory / "new").read_text() == "x\n"


def test_readable_paths_are_there_and_no_others(box: Box, tmp_path: Path) -> None:
    shared, hidden = box.directory.parent / "shared", box.directory.parent / "hidden"
    for folder in (shared, hidden):
        folder.mkdir(mode=0o755)
        (folder / "f").write_text("data")
    done = box.run("/bin/cat", str(shared / "f"), readable=(shared,))
    assert (done.out, done.facts.exit_code) == (b"data", 0)
    assert box.run("/bin/cat", str(shared / "f"), readable=(shared / "f",)).out == b"data"
    if box.tier >= Tier.LOCKED:
        assert box.run("/bin/cat", str(shared / "f")).facts.exit_code == 1
        assert box.run("/bin/cat", str(hidden / "f"), readable=(shared,)).facts.exit_code == 1


def test_nothing_in_tmp_is_kept(namespaced: Box) -> None:
    """/tmp is there, writable, and new for every run."""
    for _ in range(3):
        done = namespaced.run("/bin/sh", "-c", "ls -A /tmp; echo data > /tmp/state; mkdir /tmp/d; cat /tmp/state")
        assert done.out == namespaced.directory.parts[2].encode() + b"\ndata\n", done.err


def test_dev_stdin_and_stdout_can_be_opened(box: Box) -> None:
    if Path("/usr/bin/node").exists():
        echo = "process.stdout.write(require('fs').readFileSync('/dev/stdin'))"
        unbound = replace(LIMITS, cap_data_segment=False)
        assert box.run("/usr/bin/node", "-e", echo, stdin=b"ab", limits=unbound).out == b"ab"
    done = box.run("/bin/sh", "-c", "cat /dev/stdin > /dev/stdout; echo c > /dev/stderr", stdin=b"ab")
    assert (done.out, done.err) == (b"ab", b"c\n")


def test_output_limit_holds_through_dev_stdout(box: Box) -> None:
    limits = replace(LIMITS, output_bytes=1000)
    done = box.run("/bin/sh", "-c", "exec head -c 5000 /dev/urandom > /dev/stdout", limits=limits)
    assert done.facts.killed_for is KillReason.OUTPUT
    assert len(done.out) <= 1001


def test_a_program_that_cannot_start_is_the_machines_fault(box: Box) -> None:
    with pytest.raises(MachineError, match="exec: No such file"):
        box.run("/usr/bin/no-such-program")
    with pytest.raises(MachineError, match="stdin"):
        box.sandbox.run(
            Command(argv=("/bin/true",), directory=box.directory),
            LIMITS,
            stdin=box.streams / "no" / "stdin",
            stdout=box.streams / "out",
            stderr=box.streams / "err",
        )
    with pytest.raises(MachineError):
        missing = Command(argv=("/bin/true",), directory=box.directory / "missing")
        null = Path("/dev/null")
        box.sandbox.run(missing, LIMITS, stdin=null, stdout=null, stderr=null)
    assert box.run("/bin/true").facts.exit_code == 0


def test_start_with_pipes_kill_and_activity(box: Box) -> None:
    theirs_in, ours_in = os.pipe()
    ours_out, theirs_out = os.pipe()
    run = box.sandbox.start(
        Command(argv=("/bin/cat",), directory=box.directory), LIMITS, stdin=theirs_in, stdout=theirs_out, stderr=2
    )
    try:
        os.write(ours_in, b"ping")
        assert select.select([ours_out], [], [], 60)[0], "cat prints nothing"
        assert os.read(ours_out, 10) == b"ping"
        for _ in range(200):  # until it is back in its read: a thread that goes there may count as running, too
            activity = run.activity()
            assert activity is not None
            if (activity.running, activity.reading) == (0, 1):
                break
            time.sleep(0.05)
        assert (activity.running, activity.reading) == (0, 1)
    finally:  # a run that nobody waits for keeps the sandbox from all later tests
        run.kill(KillReason.IDLE)
        facts = run.wait()
    assert run.wait() == facts
    assert run.activity() is None
    assert (facts.killed_for, facts.signal) == (KillReason.IDLE, signal.SIGKILL)
    for descriptor in (theirs_in, ours_in, ours_out, theirs_out):
        os.close(descriptor)


def test_a_look_at_what_has_ended_does_not_hide_the_end(box: Box) -> None:
    """A judge that polls, then looks, then polls again would else wait for ever."""
    with Path("/dev/null").open("r+b") as null:
        command = Command(argv=("/bin/true",), directory=box.directory)
        run = box.sandbox.start(command, LIMITS, stdin=null.fileno(), stdout=null.fileno(), stderr=null.fileno())
        try:
            assert select.select([run], [], [], 60)[0] == [run]
            assert run.activity() is None
            assert select.select([run], [], [], 0)[0] == [run]
        except BaseException:
            run.kill()
            raise
        finally:
            facts = run.wait()
        assert facts.exit_code == 0
    assert box.run("/bin/true").facts.exit_code == 0


def test_a_late_kill_does_no_harm(box: Box) -> None:
    with Path("/dev/null").open("r+b") as null:
        command = Command(argv=("/bin/true",), directory=box.directory)
        run = box.sandbox.start(command, LIMITS, stdin=null.fileno(), stdout=null.fileno(), stderr=null.fileno())
        time.sleep(0.1)
        run.kill()
        assert run.wait().exit_code == 0
    assert box.run("/bin/sleep", "0.1").facts.exit_code == 0


def test_threads_share_a_sandbox_one_run_at_a_time(box: Box) -> None:
    codes = []
    null = Path("/dev/null")

    def work(code: int) -> None:
        command = Command(argv=("/bin/sh", "-c", f"exit {code}"), directory=box.directory)
        codes.append(box.sandbox.run(command, LIMITS, stdin=null, stdout=null, stderr=null).exit_code == code)

    threads = [threading.Thread(target=work, args=(code,)) for code in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert codes == [True] * 20


def test_a_run_that_is_interrupted_when_it_has_begun_leaves_no_result_to_the_next(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    send_run = Server.send_run

    def interrupted(*given: object) -> None:
        send_run(*given)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Server, "send_run", interrupted)
        with pytest.raises(KeyboardInterrupt):
            box.run("/bin/sh", "-c", "exit 7")
    assert box.run("/bin/true").facts.exit_code == 0


def test_a_run_that_is_dropped_frees_the_sandbox(box: Box) -> None:
    with Path("/dev/null").open("r+b") as null:
        command = Command(argv=("/bin/sleep", "20"), directory=box.directory)
        box.sandbox.start(command, LIMITS, stdin=null.fileno(), stdout=null.fileno(), stderr=null.fileno())
    assert box.run("/bin/true").facts.exit_code == 0


def test_a_launcher_that_dies_is_replaced(sandbox: ContainedSandbox, box: Box) -> None:
    server = sandbox._server
    assert server is not None
    os.kill(server.pid, signal.SIGKILL)
    time.sleep(0.2)
    assert box.run("/bin/true").facts.exit_code == 0


def test_probe_finds_a_tier_that_works() -> None:
    found = best_isolation()
    assert found.tier is Tier.PLAIN or not any("could not be executed" in text for text in found.missing)
    assert all(text for text in found.missing)


def test_a_launcher_that_cannot_be_kept_is_one_cause_with_its_fix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fix = "; the compiled launcher is kept there: set XDG_CACHE_HOME to a folder that can be written"
    [cause] = best_isolation(Path("/proc/nowhere")).missing
    assert cause.endswith(fix)

    def read_only(_source: Path, _binary: Path) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("harness.sandbox.launcher._compile", read_only)
    assert best_isolation(tmp_path / "cache").missing == (f"{tmp_path}/cache: Read-only file system{fix}",)


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("setpriv") is None, reason="only root can lose a capability")
@pytest.mark.parametrize(
    "tier", [pytest.param("T3", marks=pytest.mark.slow), "T2", pytest.param("T1", marks=pytest.mark.slow)]
)
def test_a_root_that_may_not_trace_sees_as_much_as_one_that_may(tier: str) -> None:
    """The root of most containers lacks CAP_SYS_PTRACE, and runs programs as another user."""
    looks = f"{tier} and (shared_pages_count_once or (memory_limit and children) or start_with_pipes)"
    command = ["setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-sys_ptrace", sys.executable, "-m", "pytest"]
    done = subprocess.run(
        [*command, "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", looks, __file__],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
