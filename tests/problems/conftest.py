"""Programs of the problems: generators and submissions, and judge programs as the one file that is shipped."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from harness.package.load import load

ROOT = Path(__file__).resolve().parents[2]
ACCEPT, REJECT, JUDGE_ERROR = 42, 43, 1
BARE = [sys.executable, "-I", "-S", "-O"]


def load_program(path):
    """Import a program by path, as it imports its neighbours."""
    name = "_".join((*path.parts[-3:-1], path.stem))
    sys.path.insert(0, str(path.parent))
    try:
        spec = importlib.util.spec_from_file_location(name, path)
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    finally:
        sys.path.pop(0)


def printed_by(generator, arguments):
    """What a generator prints, in a process of its own."""
    argv = [sys.executable, f"{generator}.py", *arguments]
    return subprocess.run(argv, cwd=ROOT / "generators", stdout=subprocess.PIPE, check=True).stdout


def compiled(source, program):
    """The program, compiled from the source unless it is there."""
    if not program.exists():
        subprocess.run(["c++", "-O2", "-std=c++17", "-o", program, source], check=True)
    return program


def command_of(path, folder):
    """The command of a submission in Python or C++; folder: keeps compiled ones."""
    return (
        [sys.executable, path]
        if path.suffix == ".py"
        else [compiled(path, folder / f"{path.parent.name}-{path.stem}")]
    )


@pytest.fixture(scope="module")
def shipped(request, tmp_path_factory):
    """shipped("output_validator"): the path of the one file that a judge host gets, of the test module's PACKAGE."""
    package, folder = load(request.module.PACKAGE, built=False), tmp_path_factory.mktemp("shipped")

    def get(kind):
        program = package.output_validator if kind == "output_validator" else package.input_validators[0]
        (file,) = program.files.values()
        path = folder / f"{kind}.py"
        path.write_bytes(file.read())
        return path

    return get


@pytest.fixture(scope="module")
def process(shipped, tmp_path_factory):
    """process(input, answer, output): the exit code and the files in the feedback folder, in a bare interpreter."""
    program = shipped("output_validator")

    def get(case, answer, output):
        folder = tmp_path_factory.mktemp("run")
        (folder / "feedback").mkdir()
        (folder / "case.in").write_bytes(case)
        (folder / "case.ans").write_bytes(answer)
        argv = [*BARE, program, folder / "case.in", folder / "case.ans", f"{folder}/feedback/"]
        done = subprocess.run(argv, input=output, capture_output=True, check=False)
        return done.returncode, {path.name: path.read_text() for path in (folder / "feedback").iterdir()}

    return get


@pytest.fixture(scope="module")
def validate(shipped):
    """validate(input, *arguments): exit code and message of the input validator in a bare interpreter."""
    program = shipped("input_validator")

    def run(text, *arguments):
        done = subprocess.run([*BARE, program, *map(str, arguments)], input=text, capture_output=True)
        assert done.stderr == b""
        return done.returncode, done.stdout.decode()

    return run
