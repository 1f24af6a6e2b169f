"""A judge program run warm does what it does as a fresh process: that is what a judge host will run."""

import contextlib
import select
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from harness.build.executable import Executable
from harness.build.stage import Stage
from harness.host.host import Host
from harness.host.warm_programs import RunFolders, Scratch, WarmRun
from harness.package import Program
from harness.package.files import File
from harness.package.model import ProblemLimits
from harness.sandbox.facts import MIB, KillReason, Limits, RunResult, Sandbox

LIMITS = Limits(cpu_s=1.0, wall_s=2.0, memory_bytes=256 * MIB, output_bytes=MIB)

PROGRAMS = {
    "exits with a number": "import sys\nsys.exit(43)",
    "exits with a large number": "import sys\nsys.exit(298)",
    "exits with a text": "import sys\nsys.exit('a reason')",
    "exits with a text, without standard error": "import sys\nsys.stderr = None\nsys.exit('a reason')",
    "exits with a text, standard error closed": "import sys\nsys.stderr.close()\nsys.exit('a reason')",
    "exits with nothing": "raise SystemExit",
    "just ends": "pass",
    "fails": "def inner():\n    raise ValueError('broken')\n\n\ninner()",
    "does not compile": "def (:\n",
    "leaves at once": "import os\nos._exit(7)",
    "kills itself": "import os\nos.kill(os.getpid(), 15)",
    "prints without flushing": "import sys\nsys.stdout.write('half a line')\nsys.stderr.write('and an error')",
    "looks at itself": "import sys\nprint(__name__, len(sys.argv), sys.argv[1:], __file__ == sys.argv[0])",
    "reads all": "import sys\nprint(len(sys.stdin.read()))",
    "reads bytes": "import sys\nprint(sys.stdin.buffer.read().count(b'x'))",
    "prints what is no text": "print(open(0, encoding='utf-8', errors='surrogateescape').read(3))",
    "closes its output": "import sys\nsys.stdout.close()",
    "runs a thread to the end": "import threading, time\ndef late(): time.sleep(0.1); print('late')\n"
    "threading.Thread(target=late).start()",
    "has exit functions": "import atexit\natexit.register(print, 'bye')\nprint('hello')",
    "pickles its own class": "import pickle\nclass A: pass\nprint(type(pickle.loads(pickle.dumps(A()))).__name__)",
    "imports lazily": "def f():\n    import json\n    return json.dumps([1])\nprint(f())",
    "uses a standard module": "import collections, re\nfrom fractions import Fraction\nprint(Fraction(1, 3))",
}


@contextlib.contextmanager
def streams(work: Path) -> Iterator[dict[str, int]]:
    work.joinpath("in").write_bytes(b"xyz\xff" * 1000)
    names = {"stdin": ("in", "rb"), "stdout": ("out", "wb"), "stderr": ("err", "wb")}
    with contextlib.ExitStack() as stack:
        files = {key: stack.enter_context((work / name).open(mode)) for key, (name, mode) in names.items()}
        yield {key: file.fileno() for key, file in files.items()}


def build(host: Host, folder: Path, source: str) -> Executable:
    path = folder / "program.py"
    path.write_text(source)
    # What does not compile must reach the interpreter, not the compile step.
    program = Program(path="program.py", files={"program.py": File(origin=path)})
    if source == PROGRAMS["does not compile"]:
        good = build(host, folder, "pass")
        (good.directory / "program.py").write_text(source)
        return good
    [built] = host.build_judge_programs([program], ProblemLimits())
    return built


def cold(executable: Executable, sandbox: Sandbox, work: Path) -> tuple[RunResult, bytes, bytes]:
    command = replace(executable.command(LIMITS.memory_bytes, "a", "b c"), readable=(executable.directory,))
    command = replace(command, argv=(command.argv[0], str(executable.directory / "program.py"), *command.argv[2:]))
    with streams(work) as given:
        result = sandbox.start(command, executable.fit(LIMITS), **given).wait()
    return result, (work / "out").read_bytes(), (work / "err").read_bytes()


def warm(
    executable: Executable, host: Host, sandbox: Sandbox, work: Path, wall_s: float = 30.0
) -> tuple[RunResult, bytes, bytes]:
    program = host.warm(executable, sandbox, LIMITS)
    with streams(work) as given:
        place = RunFolders(directory=executable.directory)
        result = program.start(("a", "b c"), place, wall_s=wall_s, **given).wait()
    return result, (work / "out").read_bytes(), (work / "err").read_bytes()


@pytest.mark.parametrize("name", PROGRAMS)
def test_warm_and_cold_are_the_same(name: str, host: Host, tmp_path: Path) -> None:
    executable = build(host, tmp_path, PROGRAMS[name])

    def both(sandbox: Sandbox, _: None) -> list[tuple[object, ...]]:
        outcomes = [cold(executable, sandbox, tmp_path), warm(executable, host, sandbox, tmp_path)]
        return [(result.exit_code, result.signal, result.killed_for, out, err) for result, out, err in outcomes]

    as_process, as_fork = host.pool.alone(both, None)
    assert as_fork == as_process


@pytest.mark.parametrize(
    ("source", "killed_for"),
    [("while True: pass", KillReason.CPU), ("import time\ntime.sleep(60)", KillReason.WALL)],
)
def test_limits_end_one_run_and_the_next_one_works(
    source: str, killed_for: KillReason, host: Host, tmp_path: Path
) -> None:
    executable = build(host, tmp_path, source)

    def twice(sandbox: Sandbox, _: None) -> list[RunResult]:
        wall_s = 1.0 if killed_for is KillReason.WALL else 30.0
        return [warm(executable, host, sandbox, tmp_path, wall_s)[0] for _ in range(2)]

    assert [result.killed_for for result in host.pool.alone(twice, None)] == [killed_for, killed_for]


def test_a_run_sees_nothing_of_the_one_before(host: Host, tmp_path: Path) -> None:
    executable = build(host, tmp_path, "import sys\nprint(getattr(sys, 'left', 'clean'))\nsys.left = 'dirty'")

    def twice(sandbox: Sandbox, _: None) -> list[bytes]:
        return [warm(executable, host, sandbox, tmp_path)[1] for _ in range(2)]

    assert host.pool.alone(twice, None) == [b"clean\n", b"clean\n"]


def test_the_death_of_the_interpreter_is_a_result_and_the_next_run_gets_a_new_one(
    host: Host, tmp_path: Path
) -> None:
    executable = build(host, tmp_path, "import os\nos.kill(os.getppid(), 9)\nwhile True: pass")

    def twice(sandbox: Sandbox, _: None) -> list[RunResult]:
        return [warm(executable, host, sandbox, tmp_path)[0] for _ in range(2)]

    assert all(result.exit_code is None for result in host.pool.alone(twice, None))


def test_a_kill_that_comes_too_late_hits_nobody(host: Host, tmp_path: Path) -> None:
    executable = build(host, tmp_path, "print('done')")

    def late(sandbox: Sandbox, _: None) -> list[tuple[int | None, bytes]]:
        outcomes = []
        for _round in range(20):
            program = host.warm(executable, sandbox, LIMITS)
            with streams(tmp_path) as given:
                run = program.start((), RunFolders(directory=executable.directory), wall_s=30.0, **given)
                select.select([run], [], [])
                run.kill()
                outcomes.append((run.wait().exit_code, (tmp_path / "out").read_bytes()))
        return outcomes

    assert host.pool.alone(late, None) == [(0, b"done\n")] * 20


def test_a_warm_program_leaves_the_other_side_of_an_interaction_free(host: Host, tmp_path: Path) -> None:
    """A C++ interactor beside a Python input validator would else wait for ever for the sandbox that holds it."""
    executable = build(host, tmp_path, "import sys\nsys.exit(42)")

    def both(sandbox: Sandbox, _: None) -> int | None:
        program = host.warm(executable, sandbox, LIMITS)
        with streams(tmp_path) as given:
            run = program.start((), RunFolders(directory=program.scratch.take()), wall_s=60.0, **given)
            other = cold(executable, sandbox.partner("other"), tmp_path)
            return run.wait().exit_code if other[0].exit_code == 42 else None

    assert host.pool.alone(both, None) == 42


def test_the_program_that_was_not_needed_longest_makes_room(host: Host, tmp_path: Path) -> None:
    executables = [build(host, tmp_path, f"import sys\nsys.exit({number})") for number in range(6)]

    def kept(sandbox: Sandbox, order: list[int]) -> list[bool]:
        """Whether each, in this order, was warm already; what each says must be its own word."""
        seen, warm = [], {}
        for number in order:
            program = host.warm(executables[number], sandbox, LIMITS)
            seen.append(warm.get(number) is program)
            warm[number] = program
            with streams(tmp_path) as given:
                run = program.start((), RunFolders(directory=executables[number].directory), wall_s=30.0, **given)
                assert run.wait().exit_code == number
        return seen

    assert host.pool.alone(kept, [0, 1, 0, 1, 2, 3, 0]) == [False, False, True, True, False, False, True]
    assert host.pool.alone(kept, [0, 1, 2, 3, 4, 1, 2, 3, 4, 0, 1]) == [False] * 5 + [True] * 4 + [False] * 2


def test_a_run_never_sees_what_an_earlier_one_left_in_its_folder(tmp_path: Path) -> None:
    scratch = Scratch(Stage(tmp_path))
    first = scratch.take()
    first.mkdir()
    (first / "left").write_text("a")
    other = scratch.take()
    scratch.give_back(first)
    assert other != first == scratch.take()
    assert list(first.iterdir()) == []


@pytest.mark.parametrize(
    "kind", ["folder in it", "link in its place", "file in its place", "nothing in its place"]
)
def test_a_folder_that_is_no_empty_one_is_not_used_again(kind: str, tmp_path: Path) -> None:
    scratch = Scratch(Stage(tmp_path))
    folder, elsewhere = scratch.take(), tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept").write_text("a")
    match kind:
        case "folder in it":
            (folder / "deep").mkdir(parents=True)
        case "link in its place":
            folder.symlink_to(elsewhere)
        case "file in its place":
            folder.write_text("a")
    scratch.give_back(folder)
    assert scratch.take() != folder
    assert (elsewhere / "kept").read_text() == "a"


def test_a_compiled_program_works_in_the_folder_it_is_given_and_writes_only_in_its_own(
    host: Host, tmp_path: Path
) -> None:
    """Its own folder stays the same from run to run; the folder of a run is new."""
    text = """#include <cstdio>
#include <cstring>
#include <unistd.h>
int main(int, char **argv) {
    char here[4096];
    bool writes = fopen("written", "w"), leaves = fopen((std::string(argv[1]) + "/left").c_str(), "w");
    printf("%s %d %d", getcwd(here, sizeof here), writes, leaves);
}
"""
    files = {"a.cpp": File(origin=tmp_path / "a.cpp", content=f"#include <string>\n{text}".encode())}
    [executable] = host.build_judge_programs([Program(path="a.cpp", files=files)], ProblemLimits())
    elsewhere = host.stage.folder("run")

    def twice(sandbox: Sandbox, _: None) -> list[tuple[str, list[str]]]:
        outcomes = []
        for works_in in (elsewhere, None):
            program = host.warm(executable, sandbox, LIMITS)
            place = replace(RunFolders(directory=program.scratch.take()), works_in=works_in)
            with streams(tmp_path) as given:
                program.start((str(place.directory),), place, wall_s=30.0, **given).wait()
            names = sorted(path.name for path in place.directory.iterdir())
            outcomes.append(((tmp_path / "out").read_text().replace(str(place.directory), "PLACE"), names))
        return outcomes

    contained = host.pool.alone(lambda sandbox, _: sandbox.isolation.contained, None)
    assert host.pool.alone(twice, None) == [
        (f"{elsewhere} {int(not contained)} 1", ["left"]),
        ("PLACE 1 1", ["left", "written"]),
    ]


def test_a_run_that_is_interrupted_or_dropped_leaves_no_reply_to_the_next(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    executable = build(host, tmp_path, "import sys, time\ntime.sleep(0.2)\nsys.exit(int(sys.argv[1]))")

    def after_two(sandbox: Sandbox, _: None) -> int | None:
        def started(code: str) -> WarmRun:
            with streams(tmp_path) as given:
                program = host.warm(executable, sandbox, LIMITS)
                run = program.start((code,), RunFolders(directory=executable.directory), wall_s=30.0, **given)
            assert isinstance(run, WarmRun)
            return run

        def interrupted(_: WarmRun) -> bytes:
            raise KeyboardInterrupt

        with monkeypatch.context() as patched:
            patched.setattr(WarmRun, "_answer", interrupted)
            with pytest.raises(KeyboardInterrupt):
                started("7").wait()
        started("8")
        return started("0").wait().exit_code

    assert host.pool.alone(after_two, None) == 0
