"""A program that serves forks of itself does what a plain run of it does, and one that dies costs its own run only."""

from pathlib import Path

import pytest

from harness.build import BuildLimits
from harness.host import Host
from harness.limits import MIB, Limits
from harness.package import Program
from harness.package.files import File
from harness.sandbox import KillReason, Sandbox
from harness.search.batch import Call, Ran
from harness.search.linked import Runnable, build_for_search
from harness.search.programs import Programs

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
for number, word in enumerate(sys.stdin.read().split(), start=1):
    if word == "exit": sys.exit(3)
    if word == "abort": os.abort()
    if word == "loop":
        while True: pass
    if word == "deep": deep(0)
    if word == "flood":
        while True: print("flood flood flood")
    if word == "complain": print("a complaint", file=sys.stderr)
    if word == "arguments": print(*sys.argv[1:], sep="\\n")
    print(word + str(number))
"""
SOURCES = {"main.cpp": CPP, "main.py": PYTHON}
INPUTS = (
    b"",
    b"one two",
    b"exit",
    b"abort",
    b"complain x",
    b"deep",
    b"arguments",
    b"loop",
    b"flood",
    b"last\n" * 9000,
)


def built(host: Host, name: str) -> Runnable:
    program = Program(path=name, files={name: File(origin=Path(name), content=SOURCES[name].encode())})
    return build_for_search(host, [program], BuildLimits())[0]


def facts(ran: Ran) -> tuple[object, ...]:
    last = ran.errors.strip().rpartition(b"\n")[2]
    output = b"cut" if ran.result.killed_for else ran.output
    return ran.result.exit_code, ran.result.signal, ran.result.killed_for, output, last


def outcomes(host: Host, program: Runnable, *, serves: bool) -> list[tuple[object, ...]]:
    chosen = Runnable(executable=program.executable, serves=serves)
    calls = [Call(given=data, arguments=("a", "b c")) for data in INPUTS]

    def run(sandbox: Sandbox, _: None) -> list[Ran]:
        with Programs(host=host) as programs:
            return programs.run(sandbox, chosen, calls, LIMITS)

    return [facts(one) for one in host.pool.alone(run, None)]


@pytest.mark.parametrize("name", SOURCES)
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


def test_runs_of_a_batch_know_nothing_of_each_other(host: Host) -> None:
    program = built(host, "main.cpp")
    calls = [Call(given=b"again")] * 5

    def run(sandbox: Sandbox, _: None) -> list[Ran]:
        with Programs(host=host) as programs:
            return programs.run(sandbox, program, calls, LIMITS)

    assert {one.output for one in host.pool.alone(run, None)} == {b"again1\nend\n"}


KILLER = """
import os, signal, sys
if sys.stdin.read() == "kill": os.kill(os.getppid(), signal.SIGKILL)
print("alive")
"""


def test_a_run_that_kills_its_server_costs_nobody_else_the_run(host: Host) -> None:
    program = Program(path="k.py", files={"k.py": File(origin=Path("k.py"), content=KILLER.encode())})
    killer = build_for_search(host, [program], BuildLimits())[0]
    calls = [Call(given=given) for given in (b"a", b"kill", b"b", b"kill", b"c", b"kill", b"d", b"kill", b"e")]

    def run(sandbox: Sandbox, _: None) -> list[Ran]:
        with Programs(host=host) as programs:
            return programs.run(sandbox, killer, calls, LIMITS)

    ran = host.pool.alone(run, None)
    assert [one.output for one in ran[::2]] == [b"alive\n"] * 5
