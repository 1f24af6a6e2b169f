"""A judge that is killed again and again, at the tier where one judge's kill could reach another's programs.

That is T2 as root, as in a plain container: a run ends there by `kill(-1)` as the programs' user. The judges run in a
PID namespace of their own, so that nothing else can be reached, and lack the right to make the namespaces of T3.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOUBLE = ROOT / "tests" / "packages" / "double"
INSIDE = "HARNESS_TEST_INSIDE_A_PID_NAMESPACE"
NAMESPACE = ("unshare", "--pid", "--fork", "--kill-child", "--mount-proc")
AS_IN_A_CONTAINER = ("setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin")
PARTS = ("data", "inputs", "outputs", "submissions", "answers")

only_root = pytest.mark.skipif(
    os.geteuid() != 0 or not shutil.which("setpriv"), reason="programs keep the user of an ordinary one"
)
inside = pytest.mark.skipif(INSIDE not in os.environ, reason="runs in a PID namespace, started by another test")


def in_namespace(*tests: str) -> None:
    """Run tests in a PID namespace, as a root that gets no better tier than T2."""
    pytest_ = [sys.executable, "-m", "pytest", "-vv", "-p", "no:cacheprovider", "-p", "no:xdist"]
    done = subprocess.run(
        [*NAMESPACE, *AS_IN_A_CONTAINER, *pytest_, *tests],
        cwd=ROOT,
        env={**os.environ, INSIDE: "1"},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    if "unshare failed" in done.stderr:
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " PASSED" in done.stdout


@pytest.mark.slow
@only_root
@pytest.mark.timeout(900)
def test_grade_and_verify_that_are_killed_and_go_on_find_what_an_undisturbed_one_finds() -> None:
    here = f"{Path(__file__).relative_to(ROOT)}::test_verify_is_killed_and_goes_on"
    grade = "tests/grade/test_nothing_lost.py::test_kill_9_and_again_loses_nothing_and_judges_nothing_twice"
    in_namespace(f"{here}[4]", grade)


@only_root
@pytest.mark.slow
@pytest.mark.timeout(2000)
def test_grade_and_verify_that_are_killed_more_often() -> None:
    here = f"{Path(__file__).relative_to(ROOT)}::test_verify_is_killed_and_goes_on"
    in_namespace(f"{here}[60]", "tests/grade/test_nothing_lost.py::test_kill_9_and_again_200_times")


@inside
@pytest.mark.timeout(900)
@pytest.mark.parametrize("cycles", [4, 60])
def test_verify_is_killed_and_goes_on(cycles: int, tmp_path: Path) -> None:
    draw = random.Random(cycles)
    undisturbed = verified(tmp_path / "a")
    assert undisturbed["tier"] == "T2"
    for _ in range(cycles):
        verifier = subprocess.Popen(command(tmp_path / "b"), env=environment(tmp_path / "b"), stdout=-3, stderr=-3)
        try:
            verifier.wait(timeout=draw.uniform(0.3, 4))
            shutil.rmtree(tmp_path / "b")  # it came to its end: the next one begins anew
        except subprocess.TimeoutExpired:
            verifier.send_signal(signal.SIGKILL)
            verifier.wait()
    assert told(verified(tmp_path / "b")) == told(undisturbed)


def environment(folder: Path) -> dict[str, str]:
    folder.mkdir(exist_ok=True)
    return {**os.environ, "XDG_CACHE_HOME": str(folder)}


def command(folder: Path) -> list[str]:
    only = [word for part in PARTS for word in ("--only", part)]
    result = ("--json", str(folder / "result.json"))
    return [sys.executable, "-m", "harness", "verify", str(DOUBLE), *only, *result]


def verified(folder: Path) -> dict[str, object]:
    done = subprocess.run(command(folder), env=environment(folder), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    result: dict[str, object] = json.loads((folder / "result.json").read_text())
    return result


def told(result: dict[str, object]) -> object:
    """Everything but times and what came from the cache."""
    parts: list[dict[str, object]] = result["parts"]  # type: ignore[assignment]
    return [(part["part"], part["holds"], part["findings"]) for part in parts]


RECIPE = """solution: /submissions/accepted/double.py
data:
  secret:
    data:
      case: {generate: "number.py {seed}", count: 40}
"""
SOLUTION = """n = int(input())
total = 0
for step in range(1, 3):
    if step <= 2 and n != 0:
        total += n
print(total)
"""
GENERATOR = "import random, sys\nrandom.seed(sys.argv[1])\nprint(random.randint(1, 10**6))\n"


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("call", ["mutate", "generate"])
def test_mutate_and_generate_are_killed_and_go_on(call: str, tmp_path: Path) -> None:
    draw = random.Random(call)
    outcomes = {}
    for name, cycles in (("undisturbed", 0), ("disturbed", 12)):
        home = tmp_path / name
        package = shutil.copytree(DOUBLE, home / "double")
        (package / "submissions" / "accepted" / "double.py").write_text(SOLUTION)
        if call == "generate":
            shutil.rmtree(package / "data" / "secret")
            (package / "generators").mkdir()
            (package / "generators" / "generators.yaml").write_text(RECIPE)
            (package / "generators" / "number.py").write_text(GENERATOR)
        options = ("--inputs", "300", "--json", home / "result.json") if call == "mutate" else ()
        words = [sys.executable, "-m", "harness", call, str(package), *map(str, options)]
        for _ in range(cycles):
            process = subprocess.Popen(words, env=environment(home), stdout=-3, stderr=-3)
            try:
                process.wait(timeout=draw.uniform(0.3, 2))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
        done = subprocess.run(words, env=environment(home), capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1) and "Traceback" not in done.stderr, done.stdout + done.stderr
        outcomes[name] = made_by(call, home)
    assert outcomes["disturbed"] == outcomes["undisturbed"]


def made_by(call: str, home: Path) -> object:
    if call == "mutate":
        result = json.loads((home / "result.json").read_text())
        return [
            (finding["id"], finding["fate"]) for solution in result["solutions"] for finding in solution["mutants"]
        ]
    data = home / "double" / "data"
    return {path.relative_to(data): path.read_bytes() for path in data.rglob("*.*") if path.name[0] != "."}
