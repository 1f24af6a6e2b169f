"""A program that serves forks of itself does what a plain run of it does, and one that dies costs its own run only."""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from harness.build.compiler import BuildLimits
from harness.host import batches
from harness.host.batches import BatchServer, Call, Ran
from harness.host.host import Host
from harness.host.run_many import Programs, Runnable, build_counting, build_one
from harness.package import Program
from harness.package.files import File
from harness.sandbox.facts import MIB, Activity, KillReason, Limits, Sandbox

LIMITS = Limits(cpu_s=1.0, wall_s=20.0, memory_bytes=256 * MIB, output_bytes=100_000)

CPP = r"""
#include <cstdlib>
#include <iostream>
#include <string>
struct Loud { ~Loud() { std::cout << "end\n"; } } loud;
int deep(int n) { volatile char room[100000]; room[n % 7] = 1; return n ? deep(n - 1) + room[3] : 0; }
int main(int argc, char** argv) {
  std::string word;
  static int calls = 0;
  while (std::cin >> word) {
    if (word == "exit") return 3;
    if (word == "abort") std::abort();
    if (word == "loop") for (volatile int i = 0;; i++) {}
    if (word == "deep") return deep(1000000);
    if (word == "flood") for (;;) std::cout << "flood flood flood\n";
    if (word == "complain") std::cerr << "a complaint\n";
    if (word == "arguments") for (int i = 1; i < argc; i++) std::cout << argv[i] << "\n";
    std::cout << word << ++calls << "\n";
  }
}
"""
PYTHON = """
import sys, os, atexit
atexit.register(lambda: print("end"))
def deep(n): return deep(n + 1)
def depth(n):
    try: return depth(n + 1)
    except RecursionError: return n
for number, word in enumerate(sys.stdin.read().split(), start=1):
    if word == "exit": sys.exit(3)
    if word == "abort": os.abort()
    if word == "loop":
        while True: pass
    if word == "deep": deep(0)
    if word == "depth": print(depth(0))
    if word == "flood":
        while True: print("flood flood flood")
    if word == "complain": print("a complaint", file=sys.stderr)
    if word == "arguments": print(*sys.argv[1:], sep="\\n")
    print(word + str(number))
"""
JAVA = r"""
import java.util.Scanner;
class Main {
  static int calls = 0;
  static long deep(long n) { return n == 0 ? 0 : 1 + deep(n + 1); }
  public static void main(String[] words) throws Exception {
    Scanner in = new Scanner(System.in);
    while (in.hasNext()) {
      String word = in.next();
      switch (word) {
        case "throw": throw new Exception("the end");
        case "exit": System.out.print("no line end"); System.exit(7);
        case "exit-in-try": try (java.io.PrintWriter out = new java.io.PrintWriter(System.out)) {
          out.println("lost");
          System.exit(3);
        }
        case "exit-caught": while (true) {
          try {
            System.out.println("printed");
            System.exit(4);
          } catch (Throwable caught) {
            System.out.println("never");
          } finally {
            System.err.println("never");
          }
        }
        case "exit-interrupted": {
          Thread other = new Thread(() -> { for (;;) calls++; });
          other.start();
          Thread.currentThread().interrupt();
          try { System.exit(5); } catch (Exception never) { System.out.println("never"); }
        }
        case "exits-in-a-thread": {
          Thread ending = new Thread(() -> { System.out.println("ending"); System.exit(calls + 300); });
          ending.start();
          ending.join();
          System.out.println("never");
          break;
        }
        case "abort": { int[] none = null; none[0] = 1; }
        case "loop": for (long i = 0; ; i++) calls += i;
        case "deep": System.out.println(deep(1));
        case "flood": for (;;) System.out.println("flood flood flood");
        case "complain": System.err.println("a complaint"); break;
        case "arguments": for (String each : words) System.out.println(each); break;
        case "thread": new Thread(null, () -> System.out.println("thread " + calls++), "t", 1 << 27).start(); break;
        case "daemon": {
          Thread left = new Thread(() -> { for (;;) calls++; });
          left.setDaemon(true);
          left.start();
          break;
        }
        default: System.out.println(word + ++calls);
      }
    }
  }
}
"""
ASKS = {
    "asks.cpp": """
#include <fstream>
#include <iostream>
int main() { std::cout << std::ifstream("/proc/self/cmdline").rdbuf(); }
""",
    "asks.py": "print(open('/proc/self/cmdline').read())",
}
ENDS_THE_MACHINE = """
class Main {
  public static void main(String[] words) { System.out.println("x"); Runtime.getRuntime().exit(words.length); }
}
"""
UNFLUSHED = """
class Main {
  public static void main(String[] words) {
    System.out.println(((java.io.BufferedInputStream) System.in).markSupported());
    System.out.write('z');
  }
}
"""
NEEDS_JAVA = pytest.mark.skipif(shutil.which("javac") is None, reason="no JDK: apt install default-jdk-headless")
SOURCES = {"main.cpp": CPP, "main.py": PYTHON, "Main.java": JAVA}
INPUTS = (
    b"",
    b"one two",
    b"exit",
    b"throw",
    b"exit-in-try",
    b"exit-caught",
    b"exit-interrupted",
    b"exits-in-a-thread",
    b"abort",
    b"complain x",
    b"deep",
    b"depth",
    b"arguments",
    b"thread",
    b"daemon",
    b"loop",
    b"flood",
    b"last\n" * 9000,
)


def built_program(host: Host, program: Program) -> Runnable:
    """Build a program with its server, as a search does."""
    return host.pool.alone(lambda sandbox, each: build_one(host.builder, each, BuildLimits(), sandbox), program)


def built(host: Host, name: str) -> Runnable:
    source = {**SOURCES, **ASKS, "Ends.java": ENDS_THE_MACHINE, "Unflushed.java": UNFLUSHED}[name].encode()
    program = Program(path=name, files={name: File(origin=Path(name), content=source)})
    return built_program(host, program)


def facts(ran: Ran) -> tuple[object, ...]:
    last = ran.errors.strip().rpartition(b"\n")[2]
    output = b"cut" if ran.result.killed_for else ran.output
    return ran.result.exit_code, ran.result.signal, ran.result.killed_for, output, last


def outcomes(host: Host, program: Runnable, *, serves: bool) -> list[tuple[object, ...]]:
    chosen = replace(program, serves=serves)
    calls = [Call(stdin=data, arguments=("a", "b c")) for data in INPUTS]
    # A plain virtual machine that fills its stack takes more than the others, above all on a busy machine.
    is_java = program.executable.language.code == "java"
    limits = LIMITS if not is_java else replace(LIMITS, cpu_s=6.0, memory_bytes=1024 * MIB)

    def run(sandbox: Sandbox, _: None) -> list[Ran]:
        with Programs(host=host) as programs:
            return programs.run(sandbox, chosen, calls, limits)

    return [facts(one) for one in host.pool.alone(run, None)]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["main.cpp", "main.py", pytest.param("Main.java", marks=NEEDS_JAVA)])
def test_a_batch_gives_what_plain_runs_give(host: Host, name: str) -> None:
    program = built(host, name)
    assert program.serves
    served, plain = outcomes(host, program, serves=True), outcomes(host, program, serves=False)
    for given, one, other in zip(INPUTS, served, plain, strict=True):
        if other[2] is None:
            assert one == other, given[:20]
        else:  # who stopped it may differ, that it was stopped may not
            assert one[2] is not None, given[:20]
    assert served[INPUTS.index(b"loop")][2] is KillReason.CPU


@NEEDS_JAVA
def test_a_java_program_that_ends_its_virtual_machine_gets_its_own(host: Host) -> None:
    program = built(host, "Ends.java")
    assert not program.serves
    assert [code for code, *_ in outcomes(host, program, serves=True)] == [2] * len(INPUTS)


@NEEDS_JAVA
def test_a_java_server_that_ends_after_a_run_is_replaced(host: Host) -> None:
    program = built(host, "Main.java")

    def run(sandbox: Sandbox, _: None) -> list[Ran]:
        with Programs(host=host) as programs:
            return programs.run(sandbox, program, [*[Call(stdin=b"daemon")] * 5, Call(stdin=b"one")], LIMITS)

    *left, last = host.pool.alone(run, None)
    assert [ran.output for ran in left] == [b""] * 5
    assert last.output == b"one1\n"
    assert last.result.memory_bytes == 0  # the server tells none: it was no plain run


@NEEDS_JAVA
def test_what_a_java_program_does_not_flush_is_lost_as_in_a_plain_run(host: Host) -> None:
    program = built(host, "Unflushed.java")
    assert program.serves
    assert outcomes(host, program, serves=True) == outcomes(host, program, serves=False)


@pytest.mark.parametrize("name", ASKS)
def test_a_program_that_asks_the_system_for_its_arguments_gets_them(host: Host, name: str) -> None:
    """Validators of rbx read their test group so; a fork of a server would be told the server's arguments."""
    runnable = built(host, name)

    def run(sandbox: Sandbox, _: None) -> list[Ran]:
        with Programs(host=host) as programs:
            return programs.run(sandbox, runnable, [Call(stdin=b"", arguments=("--group", "7"))], LIMITS)

    [ran] = host.pool.alone(run, None)
    assert ran.output.split(b"\0")[-3:-1] == [b"--group", b"7"]


def test_runs_of_a_batch_know_nothing_of_each_other(host: Host) -> None:
    program = built(host, "main.cpp")
    calls = [Call(stdin=b"again")] * 5

    def run(sandbox: Sandbox, _: None) -> list[Ran]:
        with Programs(host=host) as programs:
            return programs.run(sandbox, program, calls, LIMITS)

    assert {one.output for one in host.pool.alone(run, None)} == {b"again1\nend\n"}


# With the word `work` it computes for 2 ms in every 32, for 0.8 s: as a program does that a busy machine starves.
STARVED = {
    "main.cpp": r"""
#include <cstdio>
#include <ctime>
#include <unistd.h>
int main() {
  int work = std::getchar() == 'w';
  if (!work) sleep(60);
  for (int i = 0; i < 25; i++) {
    for (std::clock_t start = std::clock(); std::clock() - start < CLOCKS_PER_SEC / 500;) {}
    usleep(30000);
  }
  std::puts("done");
}
""",
    "main.py": """
import sys, time
if sys.stdin.read() != "work": time.sleep(60)
for _ in range(25):
    start = time.process_time()
    while time.process_time() - start < 0.002: pass
    time.sleep(0.03)
print("done")
""",
    "Main.java": """
class Main {
  public static void main(String[] words) throws Exception {
    if (System.in.read() != 'w') Thread.sleep(60000);
    for (int i = 0; i < 25; i++) {
      for (long start = System.nanoTime(); System.nanoTime() - start < 2000000; ) {}
      Thread.sleep(30);
    }
    System.out.println("done");
  }
}
""",
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["main.cpp", "main.py", pytest.param("Main.java", marks=NEEDS_JAVA)])
def test_the_wall_limit_of_a_batch_counts_sleep_and_not_what_the_machine_withholds(host: Host, name: str) -> None:
    program = Program(path=name, files={name: File(origin=Path(name), content=STARVED[name].encode())})
    served = built_program(host, program)

    def run(sandbox: Sandbox, _: None) -> list[Ran]:
        with Programs(host=host) as programs:
            calls = [Call(stdin=b"work"), Call(stdin=b"sleep")]
            return programs.run(sandbox, served, calls, replace(LIMITS, wall_s=0.4))

    working, sleeping = host.pool.alone(run, None)
    assert (working.output, working.result.killed_for) == (b"done\n", None)
    assert sleeping.result.killed_for is KillReason.WALL


STEPS = """
#include <cstdio>
int main() {
  int n, sum = 0;
  std::scanf("%d", &n);
  for (volatile int i = 0; i < n; i++) for (volatile int j = 0; j < n; j++) sum++;
  std::printf("%d", sum);
}
"""


def gxx_version() -> int:
    said = subprocess.run(["g++", "-dumpversion"], capture_output=True, text=True, check=False).stdout
    return int(said.partition(".")[0] or 0)


@pytest.mark.skipif(shutil.which("g++") is None or gxx_version() < 12, reason="older compilers count nothing")
def test_steps_of_a_run_are_the_same_every_time_and_grow_with_the_work(host: Host) -> None:
    program = Program(path="s.cpp", files={"s.cpp": File(origin=Path("s.cpp"), content=STEPS.encode())})
    calls = [Call(stdin=b"100"), Call(stdin=b"200")] * 4

    def run(sandbox: Sandbox, _: None) -> list[Ran]:
        counting = build_counting(host.builder, program, BuildLimits(), sandbox)
        assert counting is not None
        with Programs(host=host) as programs:
            return programs.run(sandbox, counting, calls, LIMITS)

    ran = host.pool.alone(run, None)
    assert [one.output for one in ran[:2]] == [b"10000", b"40000"]
    [few] = {one.steps for one in ran[::2]}
    [many] = {one.steps for one in ran[1::2]}
    assert few > 10_000
    assert 3.8 < many / few < 4.0


def test_where_nothing_counts_there_are_no_steps(host: Host) -> None:
    calls = [Call(stdin=b"one")]

    def run(sandbox: Sandbox, program: Runnable) -> list[Ran]:
        with Programs(host=host) as programs:
            return programs.run(sandbox, program, calls, LIMITS)

    for name in ("main.cpp", "main.py"):
        [ran] = host.pool.alone(run, built(host, name))
        assert ran.steps == 0


KILLERS = {
    "k.py": """
import os, signal, sys
if sys.stdin.read() == "kill": os.kill(os.getppid(), signal.SIGKILL)
print("alive")
""",
    "k.cpp": """
#include <csignal>
#include <iostream>
#include <unistd.h>
int main() {
    std::string word, last;
    while (std::cin >> word) last = word;
    if (last == "kill") kill(getppid(), SIGKILL);
    std::cout << "alive\\n";
}
""",
}


@pytest.mark.parametrize("name", KILLERS)
def test_a_run_that_kills_its_server_costs_nobody_else_the_run(host: Host, name: str) -> None:
    program = Program(path=name, files={name: File(origin=Path(name), content=KILLERS[name].encode())})
    killer = built_program(host, program)
    calls = [Call(stdin=given) for given in (b"a", b"kill", b"b", b"kill", b"c", b"kill", b"d", b"kill", b"e")]

    def run(sandbox: Sandbox, _: None) -> list[Ran]:
        with Programs(host=host) as programs:
            return programs.run(sandbox, killer, calls, LIMITS)

    ran = host.pool.alone(run, None)
    assert [one.output for one in ran[::2]] == [b"alive\n"] * 5


FORGED = {
    "a wait status of no end": "{0x137f, 0, 0, 0, 0, 0}",
    "more output than is kept": "{0, 0, 0, 0, 4000000000u, 0}",
    "a word too many": "{0, 0, 0, 0, 0, 0}",
}
FORGER = r"""
#include <cstdint>
#include <cstdio>
#include <unistd.h>
struct Reply { int32_t status; uint32_t killed; uint64_t cpu_us, memory_kib; uint32_t output_bytes, error_bytes; };
__attribute__((constructor)) static void forge() {
  static const Reply reply = REPLY;
  if (write(0, "ready\n", 6) == 6 && write(0, &reply, sizeof reply) < 0) _exit(1);
}
int main() { std::puts("plain"); }
"""


@pytest.mark.parametrize("kind", FORGED)
def test_replies_that_a_program_writes_itself_end_its_server_and_nothing_else(kind: str, host: Host) -> None:
    source = FORGER.replace("REPLY", FORGED[kind]).encode()
    program = Program(path="f.cpp", files={"f.cpp": File(origin=Path("f.cpp"), content=source)})
    forger = built_program(host, program)
    calls = [Call(stdin=b"x")] * 12

    def run(sandbox: Sandbox, _: None) -> list[Ran]:
        with Programs(host=host) as programs:
            return programs.run(sandbox, forger, calls, LIMITS)

    ran = host.pool.alone(run, None)
    assert len(ran) == len(calls)
    assert ran[-1].output == b"plain\n"  # the server died often enough: plain runs from there


def test_a_reply_that_comes_in_drips_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    clock_s = [0.0]
    monkeypatch.setattr(batches.time, "monotonic", lambda: clock_s[0])
    server = object.__new__(BatchServer)
    server.alive, server._buffer = True, bytearray()
    asleep = Activity(running=0, reading=1, cpu_s=0.0)
    server._server = SimpleNamespace(activity=lambda: asleep)  # type: ignore[assignment]

    def drip(outgoing: memoryview, deadline_s: float) -> tuple[memoryview, bool]:
        clock_s[0] += 1.0
        if len(server._buffer) < 36:
            server._buffer += b"\0"
        return outgoing, True

    monkeypatch.setattr(server, "_exchange", drip)
    monkeypatch.setattr(server, "close", lambda: setattr(server, "alive", False))
    assert server.run([Call()], LIMITS) == []
    assert clock_s[0] < LIMITS.wall_s + 5
